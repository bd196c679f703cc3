"""Consensus and filtering: the paper's steps from a circuit to the complete reason.

The core constructs the reason directly. These steps serve drawings and tests:
`simplified(filtered(consensus(nnf(circuit, label)), instance))` is equivalent to the complete
reason. Each step is one pass and makes a new circuit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from reasons.circuits.circuit import AllOf, Circuit, Leaf
from reasons.features.values import IMPOSSIBLE


class Mark(Enum):
    """What a step did to a node."""

    PLAIN = "plain"
    ADDED = "added"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Part:
    """A node of an NNF circuit: a constant, a literal (a feature has one of some cells) or a gate.

    `test` marks the disjunctions that come from a decision: those get a consensus.
    """

    kind: str  # "true", "false", "literal", "and", "or"
    inputs: tuple[int, ...] = ()
    feature: int = -1
    cells: tuple[int, ...] = ()
    test: bool = False
    mark: Mark = Mark.PLAIN


@dataclass(frozen=True, slots=True)
class Nnf:
    """Nodes, inputs before users; the root is the last."""

    circuit: Circuit
    label: object
    parts: tuple[Part, ...]

    def is_gate(self, number: int) -> bool:
        """Whether a part is a gate; others are constants and literals."""
        return self.parts[number].kind in ("and", "or")

    def evaluate(self, cells: Sequence[int]) -> bool:
        """The value on an instance's cells."""
        values: list[bool] = []
        for part in self.parts:
            inputs = [values[i] for i in part.inputs]
            literal = part.kind == "literal" and cells[part.feature] in part.cells
            value = literal or part.kind == "true"
            if part.kind in ("and", "or"):
                value = all(inputs) if part.kind == "and" else any(inputs)
            values.append(value and part.mark is not Mark.DROPPED)
        return values[-1]


class _Table:
    """Parts with equal ones shared."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._known: dict[Part, int] = {}

    def add(self, part: Part) -> int:
        if part not in self._known:
            self._known[part] = len(self.parts)
            self.parts.append(part)
        return self._known[part]


def nnf(circuit: Circuit, label: object) -> Nnf:
    """The circuit in negation normal form, true for instances with the label (or impossible).

    A decision becomes an or-gate of and-gates of a literal and an arm (Definition 9).
    For label 0 an and-node becomes an or-gate of its negated, independent inputs.
    """
    table = _Table()
    number: list[int] = []
    for node in circuit:
        if isinstance(node, Leaf):
            good = node.label == label or node.label is IMPOSSIBLE
            number.append(table.add(Part("true" if good else "false")))
        elif isinstance(node, AllOf):
            inputs = tuple(number[i] for i in node.inputs)
            number.append(table.add(Part("and" if label else "or", inputs)))
        else:
            arms = []
            for arm in node.arms:
                literal = table.add(Part("literal", feature=node.feature, cells=arm.cells))
                arms.append(table.add(Part("and", (literal, number[arm.node]))))
            number.append(table.add(Part("or", tuple(arms), test=True)))
    if number[-1] != len(table.parts) - 1:
        table.parts.append(table.parts[number[-1]])
    return Nnf(circuit, label, tuple(table.parts))


def consensus(circuit: Nnf) -> Nnf:
    """Every decision gets one more input: the conjunction of all its arms (Definition 10)."""
    table = _Table()
    number: list[int] = []
    for part in circuit.parts:
        inputs = tuple(number[i] for i in part.inputs)
        if part.test:
            arms = tuple(table.parts[i].inputs[1] for i in inputs)
            inputs = (*inputs, table.add(Part("and", arms, mark=Mark.ADDED)))
        number.append(table.add(replace(part, inputs=inputs)))
    return Nnf(circuit.circuit, circuit.label, tuple(table.parts))


def filtered(circuit: Nnf, cells: Sequence[int]) -> Nnf:
    """Literals that the instance violates are dropped, and gates that become false (Definition 11).

    The other literals keep the instance's own value only: the simple reason.
    """
    parts: list[Part] = []
    for part in circuit.parts:
        dropped = [parts[i].mark is Mark.DROPPED for i in part.inputs]
        if part.kind == "literal":
            kept = cells[part.feature] in part.cells
            own = (cells[part.feature],) if kept else part.cells
            mark = part.mark if kept else Mark.DROPPED
            parts.append(replace(part, cells=own, mark=mark))
            continue
        is_false = part.kind == "false" or (part.kind == "and" and any(dropped))
        is_false = is_false or (part.kind == "or" and all(dropped))
        parts.append(replace(part, mark=Mark.DROPPED) if is_false else part)
    return Nnf(circuit.circuit, circuit.label, tuple(parts))


def simplified(circuit: Nnf) -> Nnf:
    """The circuit without dropped parts, constants and gates of one input."""
    table = _Table()
    number: list[int | None] = []  # None is true; a dropped part is -1
    for part in circuit.parts:
        number.append(_simplified_part(part, number, table))
    root = number[-1]
    if root is None:
        return Nnf(circuit.circuit, circuit.label, (Part("true"),))
    if root == -1:
        return Nnf(circuit.circuit, circuit.label, (Part("false"),))
    return Nnf(circuit.circuit, circuit.label, _used(table.parts, root))


def _simplified_part(part: Part, number: list[int | None], table: _Table) -> int | None:
    if part.mark is Mark.DROPPED or part.kind == "false":
        return -1
    if part.kind == "true":
        return None
    if part.kind == "literal":
        return table.add(replace(part, mark=Mark.PLAIN))
    inputs = [number[i] for i in part.inputs]
    if part.kind == "or":
        if None in inputs:
            return None
        inputs = [i for i in inputs if i != -1]
    left = sorted({i for i in inputs if i is not None})
    if not left:
        return None
    return left[0] if len(left) == 1 else table.add(Part(part.kind, tuple(left)))


def _used(parts: list[Part], root: int) -> tuple[Part, ...]:
    """The parts below a root, renumbered, the root last."""
    used = {root}
    for at in range(root, -1, -1):
        if at in used:
            used.update(parts[at].inputs)
    number = {old: new for new, old in enumerate(sorted(used))}
    return tuple(
        replace(parts[old], inputs=tuple(number[i] for i in parts[old].inputs)) for old in number
    )

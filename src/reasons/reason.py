"""Complete reasons: monotone circuits over the characteristics of one instance.

Every literal says that a feature has one of some values, and the instance satisfies
all of them. Hence each question is one pass with the literals at their best or
worst (the paper's Theorems 8 and 9): satisfiable iff true when all literals are,
valid iff true when none is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reasons import _core
from reasons.circuit import Circuit
from reasons.errors import BudgetExceeded, InputError, PropertyError
from reasons.render import html
from reasons.render.drawing import Drawing, Edge, Shape, Vertex, literal, truth_leaf
from reasons.render.svg import svg
from reasons.terms import Instance, Term, instance_of, term_of

MOST_DRAWN = 2_000
_MOST_SHOWN = 60
_KEEP = 2


@dataclass(frozen=True, slots=True)
class Constant:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Literal:
    """A feature has one of these cells."""

    feature: int
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Gate:
    """A conjunction or a disjunction of earlier nodes."""

    is_conjunction: bool
    inputs: tuple[int, ...]


ReasonNode = Constant | Literal | Gate


class ReasonCircuit:
    """Why a decision was made, as a condition; `str()` writes it as a formula.

    `general` reasons exclude values ("age > 25"), simple ones keep the instance's.
    Every operation costs one pass over the circuit, unless it says otherwise.
    """

    def __init__(
        self, native: _core.Reason, circuit: Circuit, *, general: bool, negated: bool = False
    ) -> None:
        self._native, self._circuit = native, circuit
        self.general, self._negated = general, negated

    @cached_property
    def _literals(self) -> list[tuple[int, list[int]]]:
        return [self._native.literal(i) for i in range(self._native.literals)]

    @property
    def nodes(self) -> Mapping[int, ReasonNode]:
        """The nodes that the root uses, by number, inputs before users."""
        used: set[int] = {self._native.root}
        first_gate = 2 + len(self._literals)
        for node in range(len(self._native) - 1, first_gate - 1, -1):
            if node in used:
                used.update(self._native.gate(node)[1])
        return {node: self[node] for node in sorted(used)}

    def __getitem__(self, node: int) -> ReasonNode:
        if node < 2:
            return Constant(bool(node))
        if node < 2 + self._native.literals:
            feature, cells = self._native.literal(node - 2)
            return Literal(feature, tuple(cells))
        is_conjunction, inputs = self._native.gate(node)
        return Gate(is_conjunction, tuple(inputs))

    @property
    def root(self) -> int:
        """The number of the node that is the whole reason."""
        return self._native.root

    @property
    def size(self) -> int:
        """Nodes and edges together, of what the root uses."""
        nodes = self.nodes.values()
        return len(nodes) + sum(len(n.inputs) for n in nodes if isinstance(n, Gate))

    def _repr_html_(self) -> str:
        drawn = svg(self.drawing()) if self._native.gates <= _MOST_SHOWN else ""
        return html.boxed(html.code(repr(self)[1:-1]), f"<div>{drawn}</div>")

    def drawing(self) -> Drawing:
        """The circuit as a picture: gates once, literals at each use."""
        if self._native.gates > MOST_DRAWN:
            raise BudgetExceeded("drawing", gates=self._native.gates, limit=MOST_DRAWN)
        return _drawn(self)

    def evaluate(self, instance: Any) -> bool:
        """Whether an instance satisfies the condition."""
        cells = instance_of(self._circuit.schema, instance).cells
        return self._native.evaluate([int(cells[f] in c) for f, c in self._literals])

    def is_satisfiable(self) -> bool:
        """Whether some instance satisfies it."""
        return self._native.evaluate([1] * len(self._literals))

    def is_valid(self) -> bool:
        """Whether every instance satisfies it."""
        return self._native.evaluate([0] * len(self._literals))

    def condition(self, term: Any) -> "ReasonCircuit":
        """The circuit given that the features of a term have its values."""
        fixed = self._fixed(term)
        return self._with([self._under(f, c, fixed) for f, c in self._literals])

    def _fixed(self, term: Any) -> dict[int, int]:
        fixed = {}
        for feature, cells in term_of(self._circuit.schema, term).limits.items():
            if len(cells) != 1:
                name = self._circuit.schema[feature].name
                raise InputError(f"condition needs one value for {name!r}")
            fixed[feature] = next(iter(cells))
        return fixed

    def _under(self, feature: int, cells: list[int], fixed: Mapping[int, int]) -> int:
        return int(fixed[feature] in cells) if feature in fixed else _KEEP

    def exists(self, names: Iterable[str] | str) -> "ReasonCircuit":
        """Some values of the named features satisfy it: their literals become true."""
        if self.general and self._negated:
            raise PropertyError(
                "existential quantification of a negated general reason is not one pass; "
                "negate the quantified reason instead, or use the simple reason"
            )
        gone = set(self._circuit.schema.indices(names))
        return self._with([1 if f in gone else _KEEP for f, _ in self._literals])

    def _with(self, values: list[int]) -> "ReasonCircuit":
        native = self._native.substitute(values)
        return ReasonCircuit(native, self._circuit, general=self.general, negated=self._negated)

    def negate(self) -> "ReasonCircuit":
        """The negation: gates swapped, literals complemented."""
        native = self._native.negate(self._circuit.native)
        return ReasonCircuit(
            native, self._circuit, general=self.general, negated=not self._negated
        )

    def implies(self, term: Any) -> bool:
        """Whether whatever satisfies this satisfies the term. Cost: a pass a value excluded.

        Of the simple reason of a decision: whether these characteristics are necessary.
        """
        if self._negated:
            raise PropertyError("implication of literals is asked of reasons, not of negated ones")
        limits = term_of(self._circuit.schema, term).limits
        return all(
            self._excludes(feature, cell)
            for feature, cells in limits.items()
            for cell in self._others(feature, cells)
        )

    def _others(self, feature: int, cells: frozenset[int]) -> list[int]:
        return [c for c in range(len(self._circuit.schema[feature].values)) if c not in cells]

    def _excludes(self, feature: int, cell: int) -> bool:
        values = [int(f != feature or cell in cells) for f, cells in self._literals]
        return not self._native.evaluate(values)

    def text(self, node: int) -> str:
        """A literal's characteristic as text."""
        feature, cells = self._native.literal(node - 2)
        return self._circuit.schema[feature].says(cells)

    def __str__(self) -> str:
        return _formula(self)

    def __repr__(self) -> str:
        text = _formula(self, most=80)
        return f"<{'General r' if self.general else 'R'}eason: {text}>"


def complete_reason(circuit: Circuit, instance: Instance, label: int) -> ReasonCircuit:
    """The simple complete reason. Cost: O(circuit)."""
    native = _core.complete_reason(circuit.native, instance.cells, label)
    return ReasonCircuit(native, circuit, general=False)


def general_reason(circuit: Circuit, instance: Instance, label: int) -> ReasonCircuit:
    """The general complete reason. Cost: O(circuit)."""
    native = _core.general_reason(circuit.native, instance.cells, label)
    return ReasonCircuit(native, circuit, general=True)


def _formula(reason: ReasonCircuit, most: int = 20_000) -> str:
    """The circuit written out from the root; shared parts repeat, so a long one ends in dots."""
    written: list[str] = []
    length = 0
    open_parts: list[str | int] = [reason.root]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, int):
            node = reason[part]
            if isinstance(node, Gate):
                open_parts.extend(reversed(_spread(reason, node)))
                continue
            part = str(node.value).lower() if isinstance(node, Constant) else reason.text(part)
        written.append(part)
        length += len(part)
        if length > most:
            written.append(" ...")
            break
    return "".join(written)


def _spread(reason: ReasonCircuit, gate: Gate) -> list[str | int]:
    """A gate's inputs with its sign between them, in parentheses where the kind changes.

    Literals come before gates, in feature order: people read short parts first.
    """
    parts: list[str | int] = []
    for number in sorted(gate.inputs, key=lambda i: (isinstance(reason[i], Gate), i)):
        if parts:
            parts.append(" & " if gate.is_conjunction else " | ")
        node = reason[number]
        wrap = isinstance(node, Gate) and node.is_conjunction != gate.is_conjunction
        parts.extend(["(", number, ")"] if wrap else [number])
    return parts


def _drawn(reason: ReasonCircuit) -> Drawing:
    nodes = reason.nodes
    vertices: list[Vertex] = []
    edges: list[Edge] = []
    copies = max(nodes) + 1
    for number, node in nodes.items():
        if not isinstance(node, Gate):
            if number == reason.root:
                vertices.append(_terminal(reason, number, number))
            continue
        shape = Shape.AND if node.is_conjunction else Shape.OR
        vertices.append(Vertex(number, shape.value, shape))
        for i in node.inputs:
            target = i
            if not isinstance(nodes[i], Gate):
                target, copies = copies, copies + 1
                vertices.append(_terminal(reason, i, target))
            edges.append(Edge(number, target))
    title = "general reason" if reason.general else "complete reason"
    return Drawing(title, tuple(vertices), tuple(edges), title)


def _terminal(reason: ReasonCircuit, number: int, key: int) -> Vertex:
    node = reason[number]
    if isinstance(node, Constant):
        return truth_leaf(key, node.value)
    return literal(key, reason.text(number))

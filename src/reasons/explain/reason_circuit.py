"""Complete reasons: monotone circuits over the characteristics of one instance.

Every literal says that a feature has one of some values, and the instance satisfies all literals.
Hence each query is one pass with all literals true or all false (the paper's Theorems 8 and 10):
satisfiable iff true when all literals are, valid iff true when none is.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from reasons import _core
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.errors import BudgetExceeded, InputError, PropertyError
from reasons.explain.simplify import Constant, Gate, Literal, ReasonNode, written
from reasons.features.schema import Schema
from reasons.features.terms import Instance, instance_of, term_of
from reasons.render import html
from reasons.render.graph import Edge, Graph, Shape, Vertex, literal, truth_leaf, unfolded
from reasons.render.svg import svg

MOST_DRAWN = 2_000
_MOST_SHOWN = 60
_KEEP = 2


class ReasonCircuit:
    """Why a decision was made, as a condition; `str()` writes it as a formula.

    `general` reasons exclude values ("age > 25"), simple ones keep the instance's.
    Every operation costs one pass over the circuit, unless it says otherwise.
    """

    def __init__(
        self, native: _core.Reason, schema: Schema, *, general: bool, negated: bool = False
    ) -> None:
        self.native, self.schema = native, schema
        self.general, self._negated = general, negated

    @cached_property
    def literals(self) -> list[tuple[int, list[int]]]:
        """The feature and the cells of each literal."""
        return [self.native.literal(i) for i in range(self.native.literals)]

    @property
    def nodes(self) -> Mapping[int, ReasonNode]:
        """The nodes that the root uses, by number, inputs before users."""
        used: set[int] = {self.native.root}
        first_gate = 2 + len(self.literals)
        for node in range(len(self.native) - 1, first_gate - 1, -1):
            if node in used:
                used.update(self.native.gate(node)[1])
        return {node: self[node] for node in sorted(used)}

    def __getitem__(self, node: int) -> ReasonNode:
        if node < 2:
            return Constant(bool(node))
        if node < 2 + self.native.literals:
            feature, cells = self.native.literal(node - 2)
            return Literal(feature, tuple(cells))
        is_conjunction, inputs = self.native.gate(node)
        return Gate(is_conjunction, tuple(inputs))

    def is_gate(self, node: int) -> bool:
        """Whether a node is a gate; others are constants and literals."""
        return node >= 2 + self.native.literals

    def inputs(self, gate: int) -> Sequence[int]:
        """The inputs of a gate."""
        return self.native.gate(gate)[1]

    @property
    def root(self) -> int:
        """The number of the node that is the whole reason."""
        return self.native.root

    @property
    def size(self) -> int:
        """The number of nodes and edges below the root."""
        nodes = self.nodes.values()
        return len(nodes) + sum(len(n.inputs) for n in nodes if isinstance(n, Gate))

    def _repr_html_(self) -> str:
        drawn = svg(self.drawing()) if self.native.gates <= _MOST_SHOWN else ""
        return html.boxed(html.code(repr(self)[1:-1]), f"<div>{drawn}</div>")

    def drawing(self) -> Graph:
        """The circuit as a picture: gates once, literals at each use."""
        if self.native.gates > MOST_DRAWN:
            raise BudgetExceeded("drawing", gates=self.native.gates, limit=MOST_DRAWN)
        return _drawn(self)

    def evaluate(self, instance: Any) -> bool:
        """Whether an instance satisfies the condition."""
        cells = instance_of(self.schema, instance).cells
        return self.native.evaluate([int(cells[f] in c) for f, c in self.literals])

    def is_satisfiable(self) -> bool:
        """Whether some instance satisfies it."""
        return self.native.evaluate([1] * len(self.literals))

    def is_valid(self) -> bool:
        """Whether every instance satisfies it."""
        return self.native.evaluate([0] * len(self.literals))

    def condition(self, term: Any) -> "ReasonCircuit":
        """The circuit given that the features of a term have its values."""
        fixed = self._fixed(term)
        return self._with([self._under(f, c, fixed) for f, c in self.literals])

    def _fixed(self, term: Any) -> dict[int, int]:
        fixed = {}
        for feature, cells in term_of(self.schema, term).limits.items():
            if len(cells) != 1:
                name = self.schema[feature].name
                raise InputError(f"condition needs one value for {name!r}")
            fixed[feature] = next(iter(cells))
        return fixed

    def _under(self, feature: int, cells: list[int], fixed: Mapping[int, int]) -> int:
        return int(fixed[feature] in cells) if feature in fixed else _KEEP

    def exists(self, names: Iterable[str] | str) -> "ReasonCircuit":
        """Existential quantification of features: their literals become true."""
        if self.general and self._negated:
            raise PropertyError(
                "existential quantification of a negated general reason is not one pass; "
                "negate the quantified reason instead, or use the simple reason"
            )
        gone = set(self.schema.indices(names))
        return self._with([1 if f in gone else _KEEP for f, _ in self.literals])

    def _with(self, values: list[int]) -> "ReasonCircuit":
        native = self.native.substitute(values)
        return ReasonCircuit(native, self.schema, general=self.general, negated=self._negated)

    def negate(self) -> "ReasonCircuit":
        """The negation: gates swapped, literals complemented."""
        native = self.native.negate([len(f.values) for f in self.schema])
        return ReasonCircuit(native, self.schema, general=self.general, negated=not self._negated)

    def implies(self, term: Any) -> bool:
        """Whether every instance that satisfies this satisfies the term.

        For the simple reason of a decision: whether these characteristics are necessary.
        Cost: a pass for each value that the term excludes.
        """
        if self._negated:
            raise PropertyError("implies() needs a reason that is not negated")
        limits = term_of(self.schema, term).limits
        return all(
            self._excludes(feature, cell)
            for feature, cells in limits.items()
            for cell in self._others(feature, cells)
        )

    def _others(self, feature: int, cells: frozenset[int]) -> list[int]:
        return [c for c in range(len(self.schema[feature].values)) if c not in cells]

    def _excludes(self, feature: int, cell: int) -> bool:
        values = [int(f != feature or cell in cells) for f, cells in self.literals]
        return not self.native.evaluate(values)

    def text(self, node: int) -> str:
        """A literal's characteristic as text."""
        feature, cells = self.native.literal(node - 2)
        return str(self.schema[feature].says(cells))

    def __str__(self) -> str:
        return self.written(20_000)

    def written(self, most: int) -> str:
        """The simplified formula; beyond so many characters it loses whole parts."""
        return written(self, most)

    def __repr__(self) -> str:
        text = self.written(80)
        return f"<{'General r' if self.general else 'R'}eason: {text}>"


def complete_reason(
    backend: Backend, instance: Instance, label: int, budget: Budget | None = None
) -> ReasonCircuit:
    """The simple complete reason. Cost: O(circuit); by search, budgeted."""
    native = backend.complete_reason(instance.cells, label, budget)
    return ReasonCircuit(native, backend.schema, general=False)


def general_reason(backend: Backend, instance: Instance, label: int) -> ReasonCircuit:
    """The general complete reason. Cost: O(circuit)."""
    native = backend.general_reason(instance.cells, label)
    return ReasonCircuit(native, backend.schema, general=True)


def _drawn(reason: ReasonCircuit) -> Graph:
    vertices: list[Vertex] = []
    edges: list[Edge] = []
    for use in unfolded(reason.nodes, reason.root, reason.is_gate, reason.inputs):
        vertices.append(_vertex(reason, use.node, use.key))
        edges += [Edge(use.key, key) for key, _ in use.inputs]
    title = "general reason" if reason.general else "complete reason"
    return Graph(title, tuple(vertices), tuple(edges))


def _vertex(reason: ReasonCircuit, number: int, key: str) -> Vertex:
    node = reason[number]
    if isinstance(node, Gate):
        shape = Shape.AND if node.is_conjunction else Shape.OR
        return Vertex(key, shape.value, shape)
    if isinstance(node, Constant):
        return truth_leaf(key, node.value)
    return literal(key, reason.text(number))

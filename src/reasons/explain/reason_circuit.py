"""Complete reasons: monotone circuits over the characteristics of one instance.

Every literal says that a feature has one of some values, and the instance satisfies
all of them. Hence each question is one pass with the literals at their best or
worst (the paper's Theorems 8 and 10): satisfiable iff true when all literals are,
valid iff true when none is.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from reasons import _core
from reasons.budget import Budget
from reasons.errors import BudgetExceeded, InputError, PropertyError
from reasons.explain.simplify import (
    Constant,
    Gate,
    Literal,
    ReasonNode,
    Said,
    TooLarge,
    Tree,
    condensed,
    formula_text,
    said,
    unfolded_text,
)
from reasons.explain.simplify_general import Merger
from reasons.features.schema import Schema
from reasons.features.terms import Instance, instance_of, term_of
from reasons.render import html
from reasons.render.graph import Drawing, Edge, Shape, Vertex, literal, truth_leaf
from reasons.render.svg import svg
from reasons.search.union import Form

MOST_DRAWN = 2_000
_MOST_SHOWN = 60
_MOST_CONDENSED = 300
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

    @property
    def root(self) -> int:
        """The number of the node that is the whole reason."""
        return self.native.root

    @property
    def size(self) -> int:
        """Nodes and edges together, of what the root uses."""
        nodes = self.nodes.values()
        return len(nodes) + sum(len(n.inputs) for n in nodes if isinstance(n, Gate))

    def _repr_html_(self) -> str:
        drawn = svg(self.drawing()) if self.native.gates <= _MOST_SHOWN else ""
        return html.boxed(html.code(repr(self)[1:-1]), f"<div>{drawn}</div>")

    def drawing(self) -> Drawing:
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
        """Some values of the named features satisfy it: their literals become true."""
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
        """Whether whatever satisfies this satisfies the term. Cost: a pass a value excluded.

        Of the simple reason of a decision: whether these characteristics are necessary.
        """
        if self._negated:
            raise PropertyError("implication of literals is asked of reasons, not of negated ones")
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
        """The formula, condensed if it is small; what is longer than so many signs loses parts."""
        try:
            if self.general:
                return formula_text(Merger(self.__getitem__, self.schema).said(self.root, {}), most)
            return formula_text(said(self._tree(), self._said), most)
        except TooLarge:
            return unfolded_text(self.__getitem__, self.root, self.text, most)

    def _tree(self) -> Tree:
        """The condensed tree, with what is necessary said once, in front."""
        if self.native.gates > _MOST_CONDENSED:
            raise TooLarge
        used = [i - 2 for i in self.nodes if 2 <= i < 2 + len(self.literals)]
        needed = [i for i in used if self._needs(i)]
        rest = self._with([1 if i in needed else _KEEP for i in range(len(self.literals))])
        tree = condensed(rest.__getitem__, rest.root)
        literals: tuple[Tree, ...] = tuple(2 + i for i in needed)
        if not literals or tree is False:
            return tree
        parts = tree[1] if isinstance(tree, tuple) and tree[0] else (tree,)
        joined = (*literals, *(part for part in parts if part is not True))
        return (True, joined) if len(joined) > 1 else joined[0]

    def _said(self, conjoined: bool, numbers: list[int]) -> list[Said]:
        """Literals as texts, those of one feature merged: they meet, or they unite.

        Where nothing or every value is left, that is no characteristic, but false or true.
        """
        cells: dict[int, set[int]] = {}
        for number in numbers:
            feature, own = self.literals[number - 2]
            if feature not in cells:
                cells[feature] = set(own)
            elif conjoined:
                cells[feature] &= set(own)
            else:
                cells[feature] |= set(own)
        sizes = {f: len(self.schema[f].values) for f in cells}
        return [
            self.schema[f].says(own) if 0 < len(own) < sizes[f] else bool(own)
            for f, own in sorted(cells.items())
        ]

    def _needs(self, literal: int) -> bool:
        """Whether nothing satisfies the condition once this literal is false."""
        return not self.native.evaluate([int(i != literal) for i in range(len(self.literals))])

    def __repr__(self) -> str:
        text = self.written(80)
        return f"<{'General r' if self.general else 'R'}eason: {text}>"


def complete_reason(
    form: Form, instance: Instance, label: int, budget: Budget | None = None
) -> ReasonCircuit:
    """The simple complete reason. Cost: O(circuit); of what is searched, budgeted."""
    native = form.complete_reason(instance.cells, label, budget)
    return ReasonCircuit(native, form.schema, general=False)


def general_reason(form: Form, instance: Instance, label: int) -> ReasonCircuit:
    """The general complete reason. Cost: O(circuit)."""
    native = form.general_reason(instance.cells, label)
    return ReasonCircuit(native, form.schema, general=True)


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
    return Drawing(title, tuple(vertices), tuple(edges))


def _terminal(reason: ReasonCircuit, number: int, key: int) -> Vertex:
    node = reason[number]
    if isinstance(node, Constant):
        return truth_leaf(key, node.value)
    return literal(key, reason.text(number))

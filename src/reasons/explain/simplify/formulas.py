"""Negation-free formulas over literals "feature in cells", hash-consed, with one gate constructor.

`Formulas.gate` is the only place where gates are joined: nested gates of the same kind are
flattened, literals of one feature are merged, constants, repeated and absorbed inputs are dropped.
So `x & x`, `x & (x | y)`, and a gate inside a gate of its kind cannot be built.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from reasons.features.schema import Schema

FALSE, TRUE = 0, 1

Cells = frozenset[int]


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


class Formulas:
    """A table of formulas by number; equal formulas have one number.

    >>> from reasons import Feature
    >>> table = Formulas(Schema([Feature.boolean("x"), Feature.boolean("y")]))
    >>> x, y = table.literal(0, [1]), table.literal(1, [1])
    >>> table.gate(True, [x, table.gate(False, [x, y])]) == x
    True
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.every = [frozenset(range(len(feature.values))) for feature in schema]
        self.nodes: list[ReasonNode] = [Constant(False), Constant(True)]
        # Of each formula: how many literals, gates above each other, and its first feature.
        self.literals, self.depths, self._first = [0, 0], [0, 0], [0, 0]
        self._numbers: dict[ReasonNode, int] = {}
        self._texts: dict[int, str] = {}

    def __getitem__(self, number: int) -> ReasonNode:
        return self.nodes[number]

    def _number(self, node: Literal | Gate) -> int:
        if node not in self._numbers:
            self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
            if isinstance(node, Literal):
                sizes = 1, 1, node.feature
            else:
                literals = sum(self.literals[i] for i in node.inputs)
                depth = 1 + max(self.depths[i] for i in node.inputs)
                sizes = literals, depth, min(self._first[i] for i in node.inputs)
            for each, size in zip((self.literals, self.depths, self._first), sizes, strict=True):
                each.append(size)
        return self._numbers[node]

    def literal(self, feature: int, cells: Collection[int]) -> int:
        """A literal; a constant where it has no cells, or all of them."""
        if not 0 < len(cells) < len(self.every[feature]):
            return TRUE if cells else FALSE
        return self._number(Literal(feature, tuple(sorted(cells))))

    def terminal(self, node: Literal | Constant) -> int:
        """The number of a literal or constant."""
        if isinstance(node, Literal):
            return self.literal(node.feature, node.cells)
        return TRUE if node.value else FALSE

    def gate(self, is_conjunction: bool, inputs: Iterable[int]) -> int:
        """The gate of some inputs, in normal form."""
        neutral = TRUE if is_conjunction else FALSE
        literals, gates = self.parts(is_conjunction, inputs)
        merged = [self.literal(f, cells) for f, cells in sorted(literals.items())]
        if 1 - neutral in (*merged, *gates):
            return 1 - neutral
        merged = [each for each in merged if each != neutral]
        kept = [*merged, *self._unabsorbed(is_conjunction, literals, gates)]
        if len(kept) < 2:
            return kept[0] if kept else neutral
        return self._number(Gate(is_conjunction, tuple(kept)))

    def parts(
        self, is_conjunction: bool, inputs: Iterable[int]
    ) -> tuple[dict[int, Cells], list[int]]:
        """The inputs flattened: the merged cells of each feature, and other gates, each once.

        A constant that decides the gate is one of the gates.
        """
        literals: dict[int, Cells] = {}
        gates: dict[int, None] = {}
        todo = list(inputs)[::-1]
        while todo:
            number = todo.pop()
            node = self.nodes[number]
            if isinstance(node, Literal):
                cells = frozenset(node.cells)
                before = literals.get(node.feature, cells)
                literals[node.feature] = before & cells if is_conjunction else before | cells
            elif isinstance(node, Constant):
                if node.value != is_conjunction:
                    gates[number] = None
            elif node.is_conjunction == is_conjunction:
                todo += reversed(node.inputs)
            else:
                gates[number] = None
        return literals, sorted(gates, key=lambda each: (self._first[each], each))

    def _unabsorbed(
        self, is_conjunction: bool, literals: Mapping[int, Cells], gates: list[int]
    ) -> list[int]:
        """The gates that no literal and no other gate makes superfluous."""
        inputs = {gate: set(self.nodes[gate].inputs) for gate in gates}  # type: ignore[union-attr]
        kept: list[int] = []
        for gate in gates:
            own = inputs[gate]
            absorbed = any(inputs[o] < own for o in gates) if len(gates) < _MOST_COMPARED else False
            if not absorbed and not any(self._covers(is_conjunction, literals, i) for i in own):
                kept.append(gate)
        return kept

    def _covers(self, is_conjunction: bool, literals: Mapping[int, Cells], number: int) -> bool:
        """Whether the literals of the gate decide this input of an inner gate, and so that gate."""
        node = self.nodes[number]
        if isinstance(node, Gate):
            return all(
                isinstance(self.nodes[i], Literal) and self._covers(is_conjunction, literals, i)
                for i in node.inputs
            )
        if not isinstance(node, Literal) or node.feature not in literals:
            return False
        cells = literals[node.feature]
        return cells <= {*node.cells} if is_conjunction else cells >= {*node.cells}

    def text(self, number: int) -> str:
        """A literal as text."""
        if number not in self._texts:
            node = self.nodes[number]
            assert isinstance(node, Literal)
            self._texts[number] = self.schema[node.feature].says(node.cells)
        return self._texts[number]

    def part(self, number: int) -> Gate | str:
        """A gate, or the text of a literal or constant."""
        node = self.nodes[number]
        if isinstance(node, Gate):
            return node
        return str(node.value).lower() if isinstance(node, Constant) else self.text(number)

    def length(self, number: int) -> int:
        """The approximate number of characters of a formula."""
        total, todo = 0, [number]
        while todo:
            at = todo.pop()
            node = self.nodes[at]
            if isinstance(node, Gate):
                total += 3 * (len(node.inputs) - 1) + 2 * (at != number)
                todo += node.inputs
            else:
                total += len(self.text(at)) if isinstance(node, Literal) else 5
        return total


_MOST_COMPARED = 200  # gates of one gate that are compared with each other


def copied(nodes: Mapping[int, ReasonNode], root: int, table: Formulas) -> int:
    """A circuit, inputs before users, as a formula of a table.

    A gate that only one gate of its kind uses is not made by itself: along a chain of such gates
    flattening each would take quadratic time.
    """
    users = Counter(i for node in nodes.values() if isinstance(node, Gate) for i in node.inputs)
    numbers: dict[int, int] = {}
    inputs: dict[int, list[int]] = {}  # of gates that are not made yet
    for number, node in nodes.items():
        if not isinstance(node, Gate):
            numbers[number] = table.terminal(node)
            continue
        flat: list[int] = []
        for each in node.inputs:
            inner = nodes[each]
            if each not in inputs:
                flat.append(numbers[each])
            elif isinstance(inner, Gate) and inner.is_conjunction == node.is_conjunction:
                longer = inputs.pop(each)
                flat, rest = (longer, flat) if len(longer) > len(flat) else (flat, longer)
                flat += rest
            else:
                flat.append(table.gate(not node.is_conjunction, inputs.pop(each)))
        if users[number] == 1:
            inputs[number] = flat
        else:
            numbers[number] = table.gate(node.is_conjunction, flat)
    return numbers[root]


class LazyFormulas:
    """Parts of a circuit that is too large to be copied, each made on demand.

    A part is the number of a node, or, below zero, the bitwise complement of a formula's number.
    Only the inputs of one gate are merged: nested gates of its kind, literals of one feature.
    """

    def __init__(self, node: Callable[[int], ReasonNode], table: Formulas) -> None:
        self._node, self._table = node, table

    def part(self, number: int) -> Gate | str:
        """A gate of further parts, or the text of a literal or constant."""
        if number < 0:
            return self._table.part(~number)
        node = self._node(number)
        if not isinstance(node, Gate):
            return self._table.part(self._table.terminal(node))
        literals, gates, todo = list[int](), dict[int, None](), list(node.inputs)[::-1]
        while todo:
            at = todo.pop()
            inner = self._node(at)
            if not isinstance(inner, Gate):
                literals.append(self._table.terminal(inner))
            elif inner.is_conjunction == node.is_conjunction:
                todo += reversed(inner.inputs)
            else:
                gates[at] = None
        cells, constants = self._table.parts(node.is_conjunction, literals)
        merged = [self._table.literal(f, own) for f, own in sorted(cells.items())]
        merged = [*merged, *constants]
        if int(not node.is_conjunction) in merged:
            return self._table.part(int(not node.is_conjunction))
        kept = [~each for each in merged if each > TRUE]
        if not kept and not gates:
            return self._table.part(int(node.is_conjunction))
        return Gate(node.is_conjunction, (*kept, *gates))

"""Redundancy removal: a part that the rest of the formula implies is dropped.

Every place of a formula has formulas that are assumed true there (the other inputs of conjunctions
above it) and false (those of disjunctions). An input of a conjunction is redundant if the others
and what is assumed imply it, dually for disjunctions. Implication is decided by a sequent calculus,
which is complete: it splits on gates until the cells that each feature may have are settled. All
work is bounded, and each step yields an equivalent formula: redundant parts beyond the bounds stay.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reasons.explain.simplify.formulas import FALSE, TRUE, Cells, Formulas, Gate, Literal

_MOST_STEPS = 6_000  # of all proofs together
_MOST_OF_PROOF = 300
_MOST_ROUNDS = 4
_MOST_VISITS = 5_000
_MOST_DEPTH = 60
_MOST_INPUTS = 200  # of a gate whose inputs are compared with each other


class OutOfSteps(Exception):
    """A proof exceeded its bound."""


@dataclass(frozen=True)
class Context:
    """The assumptions at a place: true formulas, false formulas, and the cells left."""

    true: tuple[int, ...] = ()
    false: tuple[int, ...] = ()
    cells: Mapping[int, Cells] = field(default_factory=dict)
    depth: int = 0

    def beside(self, is_conjunction: bool, others: Sequence[int]) -> "Context":
        """The context of one input of a gate: the others hold, or do not, as well."""
        if len(others) >= _MOST_INPUTS:
            return self
        true = (*self.true, *others) if is_conjunction else self.true
        false = self.false if is_conjunction else (*self.false, *others)
        return Context(true, false, self.cells, self.depth)


class Simplifier:
    """Removes redundant parts from formulas of one table."""

    def __init__(self, table: Formulas) -> None:
        self.table, self.steps, self.visits = table, _MOST_STEPS, _MOST_VISITS

    def simplified(self, number: int) -> int:
        """An equivalent formula without inputs that the others make redundant."""
        for _ in range(_MOST_ROUNDS):
            before, number = number, self._at(number, Context())
            if number == before:
                break
        return number

    def _at(self, number: int, context: Context) -> int:
        """A formula that is the same as this one where the context holds."""
        node = self.table[number]
        self.visits -= 1
        if self.visits < 0 or context.depth > _MOST_DEPTH:
            return number
        if isinstance(node, Literal):
            return self._literal(node, context)
        return self._gate(node, context) if isinstance(node, Gate) else number

    def _cells(self, feature: int, context: Context) -> Cells:
        return context.cells.get(feature, self.table.every[feature])

    def _literal(self, literal: Literal, context: Context) -> int:
        """True, false, or the shortest literal that is the same where the context holds."""
        feature, own = literal.feature, frozenset(literal.cells)
        there, every = self._cells(feature, context), self.table.every[feature]
        if there == every:
            return self.table.literal(feature, own)
        if not there & own:
            return FALSE
        if not there - own:
            return TRUE
        choices = (own, there & own, own | (every - there))
        numbers = [self.table.literal(feature, cells) for cells in choices]
        return min(numbers, key=lambda number: len(self.table.text(number)))

    def _gate(self, gate: Gate, context: Context) -> int:
        kind = gate.is_conjunction
        literals, gates = self.table.parts(kind, gate.inputs)
        while True:
            own = [
                self._literal(Literal(f, tuple(sorted(cells))), context)
                for f, cells in sorted(literals.items())
            ]
            inner = self._inside(kind, literals, context)
            now = self._irredundant(kind, gates, inner)
            for at, each in enumerate(now):  # one by one: each may make the other redundant
                now[at] = self._at(each, inner.beside(kind, now[:at] + now[at + 1 :]))
            more, left = self.table.parts(kind, [*self._numbers(literals), *now])
            if more == literals:
                return self.table.gate(kind, [*self._needed(kind, own, now, context), *now])
            literals, gates = more, left

    def _numbers(self, literals: Mapping[int, Cells]) -> list[int]:
        return [self.table.literal(f, cells) for f, cells in literals.items()]

    def _inside(self, kind: bool, literals: Mapping[int, Cells], context: Context) -> Context:
        """The context of the inner gates: the literals beside them hold, or do not."""
        cells = dict(context.cells)
        for feature, own in literals.items():
            there = self._cells(feature, context)
            cells[feature] = there & own if kind else there - own
        return Context(context.true, context.false, cells, context.depth + 1)

    def _irredundant(self, kind: bool, gates: list[int], inner: Context) -> list[int]:
        """The inner gates without those that the other inputs make redundant, longest first."""
        kept = list(gates)
        if len(kept) > _MOST_INPUTS:
            return kept
        for gate in sorted(gates, key=lambda each: (-self.table.literals[each], each)):
            others = [each for each in kept if each != gate]
            there = inner.beside(kind, others).beside(not kind, [gate])  # it alone decides
            if self._proved(there.true, there.false, there.cells):
                kept = others
        return kept

    def _needed(
        self, kind: bool, literals: list[int], gates: list[int], context: Context
    ) -> list[int]:
        """The literals of a gate without those that its simplified gates make redundant."""
        kept = list(literals)
        for literal in literals if gates else ():
            others = [each for each in (*kept, *gates) if each != literal]
            there = context.beside(kind, others).beside(not kind, [literal])
            if self._proved(there.true, there.false, there.cells):
                kept.remove(literal)
        return kept

    def _proved(
        self, true: Sequence[int], false: Sequence[int], cells: Mapping[int, Cells]
    ) -> bool:
        if self.steps <= 0:
            return False
        start = self.steps
        proof = _Proof(self.table, min(self.steps, _MOST_OF_PROOF))
        try:
            return proof.closes(true, false, cells)
        except OutOfSteps:
            return False
        finally:
            self.steps = start - proof.used


class _Proof:
    """One proof that some formulas cannot be true while others are false."""

    def __init__(self, table: Formulas, most: int) -> None:
        self.table, self.most, self.used = table, most, 0

    def closes(self, true: Sequence[int], false: Sequence[int], cells: Mapping[int, Cells]) -> bool:
        """Whether no instance within the cells satisfies all of `true` and none of `false`."""
        left, branches = dict(cells), dict[tuple[bool, int], None]()
        todo = [*((True, each) for each in true), *((False, each) for each in false)]
        while todo:
            value, number = todo.pop()
            self.used += 1
            if self.used > self.most:
                raise OutOfSteps
            node = self.table[number]
            if isinstance(node, Gate):
                if node.is_conjunction == value:
                    todo += [(value, i) for i in node.inputs]
                else:
                    branches[value, number] = None
            elif isinstance(node, Literal):
                there = left.get(node.feature, self.table.every[node.feature])
                there = there & {*node.cells} if value else there - {*node.cells}
                if not there:
                    return True
                left[node.feature] = there
            elif node.value != value:
                return True
        return self._split(list(branches), left)

    def _split(self, branches: list[tuple[bool, int]], cells: Mapping[int, Cells]) -> bool:
        """Whether each choice that satisfies a remaining gate leads to a contradiction."""
        open_: list[tuple[int, bool, list[int]]] = []
        for at, (value, number) in enumerate(branches):
            inputs = [i for i in self._inputs(number) if self._value(i, cells) is not (not value)]
            if any(self._value(i, cells) is value for i in inputs):
                continue  # it holds already
            if not inputs:
                return True
            open_.append((at, value, inputs))
        if not open_:
            return False
        chosen, value, inputs = min(open_, key=lambda each: (len(each[2]), each[0]))
        others = [branches[at] for at, _, _ in open_ if at != chosen]
        true = [number for is_true, number in others if is_true]
        false = [number for is_true, number in others if not is_true]
        return all(
            self.closes([*true, i], false, cells)
            if value
            else self.closes(true, [*false, i], cells)
            for i in inputs
        )

    def _inputs(self, number: int) -> tuple[int, ...]:
        node = self.table[number]
        return node.inputs if isinstance(node, Gate) else ()

    def _value(self, number: int, cells: Mapping[int, Cells]) -> bool | None:
        """The value of a literal within the cells, or None if both are possible."""
        node = self.table[number]
        if not isinstance(node, Literal):
            return None
        there = cells.get(node.feature, self.table.every[node.feature])
        if there <= {*node.cells}:
            return True
        return False if not there & {*node.cells} else None

"""The paths from the root to a label: what sampling and enumeration walk along.

A goal is that an instance gets a label at a node. Each branch to reach it limits one feature to
some cells and leaves goals that share no feature, so that every branch taken ends well; branches
of one goal exclude each other, so that no instance is met twice. A conjunction is 0 if its first
input is, whatever the others are, or if the first is 1 and what remains of it is 0: hence a goal
has a position within the conjunction.
"""

from collections.abc import Iterator
from math import ldexp
from typing import NamedTuple

from reasons import _core
from reasons.circuits.circuit import Circuit
from reasons.counting.weights import Weights
from reasons.features.terms import Term

Cells = tuple[int, ...]
Scaled = tuple[float, int]  # a number, and how many blocks of 2^256 it is multiplied with

_BLOCK = 256


class Goal(NamedTuple):
    """A label that an instance is to get at a node, from an input of a conjunction on."""

    node: int
    label: int
    start: int = 0


class Branch(NamedTuple):
    """One branch to reach a goal; the feature is None where none is limited."""

    feature: int | None
    cells: Cells
    goals: tuple[Goal, ...]


class Paths:
    """All paths to a label within a term. Cost: one or two passes over the circuit."""

    def __init__(self, circuit: Circuit, label: int, given: Term) -> None:
        self.circuit = circuit
        self.root_goal = Goal(circuit.root, label)
        self.allowed: list[Cells] = [
            tuple(range(len(feature.values))) for feature in circuit.schema
        ]
        for feature, cells in given.limits.items():
            self.allowed[feature] = tuple(sorted(cells))
        within = Weights(circuit.schema).within(given)
        self.flags = [float(weight) for row in within.of for weight in row]
        self.roundings = 0.0
        self._shares: dict[int, tuple[memoryview[float], memoryview[int]]] = {}
        both = circuit.native.has_conjunctions and label == 0
        for wanted in (0, 1) if both else (label,):
            values, blocks, roundings = _core.shares(circuit.native, self.flags, wanted)
            self._shares[wanted] = memoryview(values).cast("d"), memoryview(blocks).cast("q")
            self.roundings = max(self.roundings, roundings)
        self._rest: dict[int, list[Scaled]] = {}
        self._arms: dict[int, tuple[int, list[Cells]]] = {}

    @property
    def exist(self) -> bool:
        """Whether some instance of the term has the label."""
        return self.share(self.root_goal)[0] > 0

    def share(self, goal: Goal) -> Scaled:
        """The share of the instances that reach the goal, of all that come to its node."""
        if goal.start:
            return self._of_rest(goal.node)[goal.start]
        values, blocks = self._shares[goal.label]
        return values[goal.node], blocks[goal.node]

    def _of_rest(self, node: int) -> list[Scaled]:
        """For each position in a conjunction, the share where it is 0 from there on."""
        if node not in self._rest:
            _, _, inputs = self.circuit.native.node(node)
            found: list[Scaled] = [(0.0, 0)]
            for each in reversed(inputs):
                later = scaled_product(self.share(Goal(each, 1)), found[-1])
                found.append(_scaled_sum(self.share(Goal(each, 0)), later))
            self._rest[node] = found[::-1]
        return self._rest[node]

    def branches(self, goal: Goal) -> list[Branch]:
        """The branches to a goal that can be reached; none where nothing is left to do."""
        kind, payload, inputs = self.circuit.native.node(goal.node)
        if kind == 1:
            return []
        if kind == 2:
            return list(self._through(goal, inputs))
        feature, arms = self.split(payload)
        shares, _ = self._shares[goal.label]
        return [
            Branch(feature, cells, (Goal(to, goal.label),))
            for cells, to in zip(arms, inputs, strict=True)
            if cells and shares[to] > 0
        ]

    def _through(self, goal: Goal, inputs: list[int]) -> Iterator[Branch]:
        if goal.label == 1:
            yield Branch(None, (), tuple(Goal(each, 1) for each in inputs))
            return
        first = inputs[goal.start]
        here = Branch(None, (), (Goal(first, 0),))
        later = Branch(None, (), (Goal(first, 1), Goal(goal.node, 0, goal.start + 1)))
        if goal.start + 1 == len(inputs):
            yield here
        else:
            yield from (branch for branch in (here, later) if self._can(branch))

    def _can(self, branch: Branch) -> bool:
        return all(self.share(goal)[0] > 0 for goal in branch.goals)

    def split(self, split: int) -> tuple[int, list[Cells]]:
        """The feature of a split, and the allowed cells of each arm."""
        if split not in self._arms:
            feature, arm_of = self.circuit.native.split(split)
            arms: list[list[int]] = [[] for arm in {*arm_of} - {_core.NO_ARM}]
            for cell in self.allowed[feature]:
                if arm_of[cell] != _core.NO_ARM:
                    arms[arm_of[cell]].append(cell)
            self._arms[split] = feature, [tuple(cells) for cells in arms]
        return self._arms[split]

    def boxes(self) -> Iterator[list[Cells]]:
        """The instances with the label as boxes that share none: cells for each feature.

        The list that is given is changed afterwards. Cost: O(depth) a box.
        """
        cells, changed = list(self.allowed), list[tuple[int, Cells]]()
        start = [Branch(None, (), (self.root_goal,))] if self.exist else []
        open_: list[tuple[Iterator[Branch], _Agenda, int]] = [(iter(start), None, 0)]
        while open_:
            branches, agenda, kept = open_[-1]
            while len(changed) > kept:
                feature, before = changed.pop()
                cells[feature] = before
            branch = next(branches, None)
            if branch is None:
                open_.pop()
                continue
            if branch.feature is not None:
                changed.append((branch.feature, cells[branch.feature]))
                cells[branch.feature] = branch.cells
            for goal in reversed(branch.goals):
                agenda = (goal, agenda)
            while agenda is not None and not (found := self.branches(agenda[0])):
                agenda = agenda[1]
            if agenda is None:
                yield cells
            else:
                open_.append((iter(found), agenda[1], len(changed)))


_Agenda = tuple[Goal, "_Agenda"] | None


def scaled_product(one: Scaled, other: Scaled) -> Scaled:
    """The product, with a number that stays far from the smallest there are."""
    value, blocks = one[0] * other[0], one[1] + other[1]
    if 0 < value < 2.0**-_BLOCK:
        return value * 2.0**_BLOCK, blocks - 1
    return value, blocks


def _scaled_sum(one: Scaled, other: Scaled) -> Scaled:
    if not one[0] or not other[0]:
        return one if one[0] else other
    blocks = max(one[1], other[1])
    return sum(ldexp(v, _BLOCK * (b - blocks)) for v, b in (one, other)), blocks


def scaled_ratios(numbers: list[Scaled]) -> list[float]:
    """The numbers as parts of their sum."""
    blocks = max(b for v, b in numbers if v)
    plain = [ldexp(v, max(_BLOCK * (b - blocks), -10_000)) for v, b in numbers]
    return [value / sum(plain) for value in plain]

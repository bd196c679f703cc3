"""Uniform sampling of the instances with a label: exact, at the speed of floating point.

At each choice a random number falls between the shares of the branches. They are known as
floating-point numbers with a bound on their error, and the core takes the branch. Only if a
number falls nearer to a border than that is the path walked once more here with the same numbers:
there the shares are worked out as integers, and the number is drawn on until it is clear on which
side it falls. Integers at every node would take more memory than the circuit.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, chain
from math import lcm, prod
from typing import Any

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting.count import shares_at
from reasons.counting.paths import Branch, Cells, Goal, Paths, scaled_product, scaled_ratios
from reasons.counting.weights import Weights
from reasons.errors import InputError, Option
from reasons.features.terms import Instance, Term

_BITS = 64
_NEEDS_EXACT, _OUT_OF_NUMBERS = 1, 2  # how a walk of core/counting/sampler.hpp ends
_SLACK = 64  # roundings of a choice itself, generously; tests make it large
_STAGE = "drawing instances"


def random_source(rng: Any) -> random.Random:
    """The source a user gave: a `random.Random`, a seed, a numpy Generator, or None for a new one.

    >>> random_source(7).random() == random.Random(7).random()
    True
    """
    if rng is None:
        return random.Random()
    if isinstance(rng, random.Random):
        return rng
    if isinstance(rng, int) and not isinstance(rng, bool):
        return random.Random(rng)
    if hasattr(rng, "integers"):
        return random.Random(int(rng.integers(1 << 62)))
    raise InputError(
        "{option} must be a random.Random, a seed or a numpy Generator, not {value}",
        option="rng",
        value=rng,
    )


def sample(
    circuit: Circuit,
    label: int,
    number: int,
    rng: Any,
    given: Term,
    budget: Budget | None,
) -> list[Instance]:
    """Independent instances of the term with the label, each as likely as any other."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise InputError("{option} must be a number of instances", option=Option("n", number))
    paths = Paths(circuit, label, given)
    if not paths.exist:
        raise InputError(
            "no instance is {label} given {term}: none can be drawn",
            label=circuit.labels[label],
            term=given,
        )
    draw = _Draw(paths, given, random_source(rng), budget or Budget())
    return [Instance.of_cells(circuit.schema, draw.cells()) for _ in range(number)]


class _Draw:
    def __init__(self, paths: Paths, given: Term, rng: random.Random, budget: Budget) -> None:
        self.paths, self.rng, self.budget = paths, rng, budget
        self.within = Weights(paths.circuit.schema).within(given)
        self.roundings = 8 * paths.roundings + _SLACK
        self.core = _core.Sampler(paths.circuit.native, paths.flags, paths.root_goal.label, _SLACK)
        self.known: dict[Goal, tuple[list[Branch], list[float]]] = {}
        self.exact: dict[Goal, Fraction] = {}

    def cells(self) -> list[int]:
        """The cells of one instance."""
        self.budget.check(_STAGE)
        left = list(self.paths.allowed)
        for feature, cells in self._taken():
            left[feature] = cells
        return [cells[self.rng.randrange(len(cells))] if cells[1:] else cells[0] for cells in left]

    def _taken(self) -> Iterator[tuple[int, Cells]]:
        """The cells of the tests on one path to the label."""
        numbers = b""
        end = _OUT_OF_NUMBERS
        while end == _OUT_OF_NUMBERS:
            more = len(self.paths.allowed) + len(numbers)
            numbers += self.rng.getrandbits(_BITS * more).to_bytes(_BITS // 8 * more, "little")
            end, taken = self.core.walk(numbers)
        if end == _NEEDS_EXACT:
            yield from self._taken_exactly(memoryview(numbers).cast("Q").tolist())
            return
        for split, arm in taken:
            feature, arms = self.paths.split(split)
            yield feature, arms[arm]

    def _taken_exactly(self, numbers: list[int]) -> Iterator[tuple[int, Cells]]:
        """The same with the same numbers, where one of them is in doubt."""
        drawn = chain(numbers, iter(lambda: self.rng.getrandbits(_BITS), None))
        agenda = [self.paths.root_goal]
        while agenda:
            for branch in self._chosen(agenda.pop(), drawn):
                if branch.feature is not None:
                    yield branch.feature, branch.cells
                agenda += branch.goals

    def _chosen(self, goal: Goal, numbers: Iterator[int]) -> list[Branch]:
        """One of the branches to a goal, if there is a choice to be made."""
        branches, borders = self._known(goal)
        if len(branches) < 2:
            return branches
        drawn = next(numbers)
        number = drawn * 2.0**-_BITS
        margin = (self.roundings + 8 * len(branches)) * 2.0**-53
        if any(abs(number - border) <= margin for border in borders):
            return [branches[self._exactly(branches, drawn)]]
        return [branches[sum(number > border for border in borders)]]

    def _known(self, goal: Goal) -> tuple[list[Branch], list[float]]:
        if goal not in self.known:
            branches = self.paths.branches(goal)
            borders: list[float] = []
            if len(branches) > 1:
                borders = list(
                    accumulate(scaled_ratios([self._share(branch) for branch in branches]))
                )[:-1]
            self.known[goal] = branches, borders
        return self.known[goal]

    def _share(self, branch: Branch) -> tuple[float, int]:
        share = (float(max(1, len(branch.cells))), 0)
        for goal in branch.goals:
            share = scaled_product(share, self.paths.share(goal))
        return share

    def _exactly(self, branches: list[Branch], drawn: int) -> int:
        """The branch on whose side the drawn number falls, drawn on as far as needed."""
        shares = [
            max(1, len(branch.cells)) * prod(self._exact_share(goal) for goal in branch.goals)
            for branch in branches
        ]
        common = lcm(*(share.denominator for share in shares))
        borders = list(accumulate(int(share * common) for share in shares))
        point = drawn * borders[-1] + self.rng.randrange(borders[-1])
        return sum(point >= border << _BITS for border in borders)

    def _exact_share(self, goal: Goal) -> Fraction:
        if goal not in self.exact:
            self.exact[goal] = self._worked_out(goal)
        return self.exact[goal]

    def _worked_out(self, goal: Goal) -> Fraction:
        circuit = self.paths.circuit
        if not goal.start:
            return shares_at(circuit, goal.label, self.within, [goal.node], self.budget)[0]
        rest = circuit.native.node(goal.node)[2][goal.start :]
        return 1 - prod(shares_at(circuit, 1, self.within, rest, self.budget), start=Fraction(1))

"""Instances drawn uniformly from those with a label: exactly so, at the speed of floats.

At each choice a random number falls between the shares of the ways. They are known as
floating-point numbers with a bound on their error, and the core takes the way. Only if a number
falls nearer to a border than that is the way taken once more here with the same numbers: there
the shares are worked out as integers, and the number is drawn on until it is clear on which
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
from reasons.counting.paths import Aim, Cells, Way, Ways, scaled_product, scaled_ratios
from reasons.counting.random_source import random_source
from reasons.counting.weights import Weights
from reasons.errors import InputError
from reasons.features.terms import Instance, Term

_BITS = 64
_NEEDS_EXACT, _OUT_OF_NUMBERS = 1, 2  # how a walk of core/counting/sampler.hpp ends
_SLACK = 64  # roundings of a choice itself, generously; tests make it large
_STAGE = "drawing instances"


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
        raise InputError(f"n={number!r} must be a number of instances")
    ways = Ways(circuit, label, given)
    if not ways.exist:
        raise InputError(f"no instance is {circuit.labels[label]} given {given}: none can be drawn")
    draw = _Draw(ways, given, random_source(rng), budget or Budget())
    return [Instance.of_cells(circuit.schema, draw.cells()) for _ in range(number)]


class _Draw:
    def __init__(self, ways: Ways, given: Term, rng: random.Random, budget: Budget) -> None:
        self.ways, self.rng, self.budget = ways, rng, budget
        self.within = Weights(ways.circuit.schema).within(given)
        self.roundings = 8 * ways.roundings + _SLACK
        self.core = _core.Sampler(ways.circuit.native, ways.flags, ways.goal.label, _SLACK)
        self.known: dict[Aim, tuple[list[Way], list[float]]] = {}
        self.exact: dict[Aim, Fraction] = {}

    def cells(self) -> list[int]:
        """The cells of one instance."""
        self.budget.check(_STAGE)
        left = list(self.ways.allowed)
        for feature, cells in self._taken():
            left[feature] = cells
        return [cells[self.rng.randrange(len(cells))] if cells[1:] else cells[0] for cells in left]

    def _taken(self) -> Iterator[tuple[int, Cells]]:
        """The cells of the tests on one way to the label."""
        numbers = b""
        end = _OUT_OF_NUMBERS
        while end == _OUT_OF_NUMBERS:
            more = len(self.ways.allowed) + len(numbers)
            numbers += self.rng.getrandbits(_BITS * more).to_bytes(_BITS // 8 * more, "little")
            end, taken = self.core.walk(numbers)
        if end == _NEEDS_EXACT:
            yield from self._taken_exactly(memoryview(numbers).cast("Q").tolist())
            return
        for split, arm in taken:
            feature, arms = self.ways.split(split)
            yield feature, arms[arm]

    def _taken_exactly(self, numbers: list[int]) -> Iterator[tuple[int, Cells]]:
        """The same with the same numbers, where one of them is in doubt."""
        drawn = chain(numbers, iter(lambda: self.rng.getrandbits(_BITS), None))
        agenda = [self.ways.goal]
        while agenda:
            for way in self._chosen(agenda.pop(), drawn):
                if way.feature is not None:
                    yield way.feature, way.cells
                agenda += way.aims

    def _chosen(self, aim: Aim, numbers: Iterator[int]) -> list[Way]:
        """One of the ways to an aim, if there is a choice to be made."""
        ways, borders = self._known(aim)
        if len(ways) < 2:
            return ways
        drawn = next(numbers)
        number = drawn * 2.0**-_BITS
        margin = (self.roundings + 8 * len(ways)) * 2.0**-53
        if any(abs(number - border) <= margin for border in borders):
            return [ways[self._exactly(ways, drawn)]]
        return [ways[sum(number > border for border in borders)]]

    def _known(self, aim: Aim) -> tuple[list[Way], list[float]]:
        if aim not in self.known:
            ways = self.ways.of(aim)
            borders: list[float] = []
            if len(ways) > 1:
                borders = list(accumulate(scaled_ratios([self._share(way) for way in ways])))[:-1]
            self.known[aim] = ways, borders
        return self.known[aim]

    def _share(self, way: Way) -> tuple[float, int]:
        share = (float(max(1, len(way.cells))), 0)
        for aim in way.aims:
            share = scaled_product(share, self.ways.share(aim))
        return share

    def _exactly(self, ways: list[Way], drawn: int) -> int:
        """The way on whose side the drawn number falls, drawn on as far as needed."""
        shares = [
            max(1, len(way.cells)) * prod(self._exact_share(aim) for aim in way.aims)
            for way in ways
        ]
        common = lcm(*(share.denominator for share in shares))
        borders = list(accumulate(int(share * common) for share in shares))
        point = drawn * borders[-1] + self.rng.randrange(borders[-1])
        return sum(point >= border << _BITS for border in borders)

    def _exact_share(self, aim: Aim) -> Fraction:
        if aim not in self.exact:
            self.exact[aim] = self._worked_out(aim)
        return self.exact[aim]

    def _worked_out(self, aim: Aim) -> Fraction:
        circuit = self.ways.circuit
        if not aim.start:
            return shares_at(circuit, aim.label, self.within, [aim.node], self.budget)[0]
        rest = circuit.native.node(aim.node)[2][aim.start :]
        return 1 - prod(shares_at(circuit, 1, self.within, rest, self.budget), start=Fraction(1))

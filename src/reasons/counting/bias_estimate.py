"""The biased share of a domain, estimated from a sample (Clopper and Pearson 1934)."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.native_budget import native_budget
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.counting.bias_share import BiasShare, Question
from reasons.counting.count import count
from reasons.counting.sampling import sample
from reasons.counting.weights import Weights
from reasons.errors import InputError, Option, PropertyError
from reasons.search.batch import MOST_COMBINATIONS, SearchedRows, combinations

Cells = NDArray[numpy.uint16]

_DECISIONS = 5_000_000  # of trees: instances drawn times combinations of protected values
_FEWEST = 100
_CONFIDENCE = 0.99
_HALVINGS = 60
_TRIES = 100  # for each instance wanted, where some are impossible
_ROWS = 1 << 16
_STAGE = "estimating how much is biased"


def estimated(backend: Backend, question: Question, budget: Budget, why: str) -> BiasShare:
    """The share among drawn instances, with an interval for the share of all."""
    return _Estimate(backend, question, budget).amount(why)


class _Estimate:
    def __init__(self, backend: Backend, question: Question, budget: Budget) -> None:
        self.backend, self.question, self.budget = backend, question, budget
        self.circuit = backend.circuit if backend.supports(Capability.CIRCUIT) else None
        self.number = question.sample
        if self.circuit is None:
            self.number = min(self.number, _DECISIONS // self._combinations())
        self.rng = numpy.random.default_rng(question.seed)

    def _combinations(self) -> int:
        number = combinations(self.backend.schema, self.question.protected)
        if number > MOST_COMBINATIONS:
            raise PropertyError(
                "the protected features have {number} combinations of values, and each is tried "
                "on a model that is not compiled; {most} are possible: protect fewer features, "
                "or compile it with a larger {budget}",
                number=f"{number:,}",
                most=f"{MOST_COMBINATIONS:,}",
                budget=Option("budget"),
            )
        return number

    def amount(self, why: str) -> BiasShare:
        even = Weights(self.backend.schema).within(self.question.given)
        cells, labels = self._drawn(even, self._by_label)
        biased = self._biased(cells)
        low, high = clopper_pearson(int(biased.sum()), len(cells))
        numbers = numpy.bincount(labels[biased], minlength=len(self.backend.labels)).tolist()
        weighted: tuple[Any, ...] = ()
        if self.question.weights is not None:
            weighted = self._weighted(self.question.weights)
        return BiasShare(
            int(biased.sum()),
            len(cells),
            Fraction(int(biased.sum()), len(cells)),
            dict(zip(self.backend.labels, numbers, strict=True)),
            False,
            low,
            high,
            f"estimated from {len(cells):,} instances; {why}",
            *weighted,
        )

    def _weighted(self, weights: Weights) -> tuple[Fraction, float, float]:
        """The share among instances drawn by their weight, and its ends."""
        cells, _ = self._drawn(weights.within(self.question.given), None)
        biased = int(self._biased(cells).sum())
        return Fraction(biased, len(cells)), *clopper_pearson(biased, len(cells))

    def _drawn(
        self, weights: Weights, otherwise: Callable[[int], Cells] | None
    ) -> tuple[Cells, NDArray[numpy.intp]]:
        """Allowed instances by weight, and their labels: those drawn that are not impossible."""
        shares = [
            _shares(row, f.name) for row, f in zip(weights.of, self.backend.schema, strict=True)
        ]
        kept: list[Cells] = []
        tries = found = 0
        while found < self.number and tries < _TRIES * self.number:
            self.budget.check(_STAGE)
            rows = min(_ROWS, max(2 * (self.number - found), _FEWEST))
            cells = numpy.stack([_cells(self.rng, each, rows) for each in shares], axis=1)
            allowed = cells[self._labels(cells) != _core.IMPOSSIBLE]
            kept.append(allowed[: self.number - found])
            tries, found = tries + rows, found + len(kept[-1])
        if found < self.number and otherwise is not None and self.circuit is not None:
            kept.append(otherwise(self.number - found))
        cells = numpy.concatenate(kept)
        if len(cells) < _FEWEST:
            raise PropertyError(
                "only {drawn} of {tries} instances drawn are allowed, too few to estimate a share; "
                "give a narrower {given}, or compile the model with a larger budget",
                drawn=len(cells),
                tries=f"{tries:,}",
                given=Option("given"),
            )
        return cells, self._labels(cells)

    def _by_label(self, number: int) -> Cells:
        """Allowed instances where these are rare: a label by its exact share, then one of it."""
        assert self.circuit is not None
        given, budget = self.question.given, self.budget
        counts = [count(self.circuit, i, given, budget) for i in range(len(self.backend.labels))]
        ends = list(accumulate(counts))
        if not ends[-1]:
            raise InputError("no instance is allowed given {term}", term=given)
        rng = random.Random(self.question.seed)
        points = [rng.randrange(ends[-1]) for _ in range(number)]
        drawn: list[tuple[int, ...]] = []
        for label, (size, end) in enumerate(zip(counts, ends, strict=True)):
            wanted = sum(end - size <= point < end for point in points)
            if wanted:
                found = sample(self.circuit, label, wanted, rng, given, budget)
                drawn += [instance.cells for instance in found]
        return numpy.array(drawn, numpy.uint16)

    def _labels(self, cells: Cells) -> NDArray[numpy.intp]:
        return self.backend.decide_many(cells)

    def _biased(self, cells: Cells) -> NDArray[numpy.bool_]:
        if self.circuit is None:
            searched = SearchedRows(self.backend, cells, budget=self.budget)
            return searched.biased(self.question.protected).yes
        limit, protected = native_budget(self.budget), list(self.question.protected)
        rows = _core.Rows(self.circuit.native, cells.ravel(), len(cells), _core.all_cores(), limit)
        bits, _ = rows.biased(protected, False, limit)
        flags = numpy.unpackbits(numpy.frombuffer(bits, numpy.uint8), bitorder="little")
        return flags.astype(bool)[numpy.frombuffer(rows.distinct()[1], numpy.uint32)]


def _shares(weights: list[Fraction], name: str) -> NDArray[numpy.float64]:
    """What the values of a feature weigh, as shares."""
    total = sum(weights, Fraction(0))
    if not total:
        raise InputError("the values of {feature} weigh nothing: none can be drawn", feature=name)
    return numpy.array([float(weight / total) for weight in weights])


def _cells(rng: numpy.random.Generator, shares: NDArray[numpy.float64], rows: int) -> Cells:
    possible = numpy.flatnonzero(shares)
    some = shares[possible]
    if (some == some[0]).all():
        return possible[rng.integers(len(possible), size=rows)].astype(numpy.uint16)
    return rng.choice(possible, rows, p=some / some.sum()).astype(numpy.uint16)


def clopper_pearson(found: int, drawn: int, confidence: float = _CONFIDENCE) -> tuple[float, float]:
    """The exact interval for the share of which `found` of `drawn` independent draws were.

    It misses the share with probability `1 - confidence` at most, whatever the share is.
    Cost: some thousand additions.

    >>> [round(end, 4) for end in clopper_pearson(0, 100)], clopper_pearson(7, 7)[1]
    ([0.0, 0.0516], 1.0)
    """
    tail = (1 - confidence) / 2
    return _lower_end(found, drawn, tail), 1 - _lower_end(drawn - found, drawn, tail)


def _lower_end(found: int, drawn: int, tail: float) -> float:
    """The largest share for which `found` or more successes have probability at most `tail`."""
    if found == 0:
        return 0.0
    low, high = 0.0, found / drawn
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _probability_of(found, drawn, middle) <= tail:
            low = middle
        else:
            high = middle
    return low


def _probability_of(found: int, drawn: int, share: float) -> float:
    """The probability of `found` or more successes; terms fall from there, as the share is less."""
    if share <= 0:
        return 0.0
    ways = math.lgamma(drawn + 1) - math.lgamma(found + 1) - math.lgamma(drawn - found + 1)
    term = math.exp(ways + found * math.log(share) + (drawn - found) * math.log1p(-share))
    total, odds = 0.0, share / (1 - share)
    for number in range(found, drawn + 1):
        total += term
        term *= odds * (drawn - number) / (number + 1)
        if term <= total * 1e-17:
            break
    return total

"""How much of a domain is biased, estimated from instances that are drawn from it."""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.counting.bias_share import BiasShare, Question
from reasons.counting.clopper_pearson import clopper_pearson
from reasons.counting.count import count
from reasons.counting.sampling import sample
from reasons.counting.weights import Weights
from reasons.errors import InputError, PropertyError
from reasons.search.backend import Trees
from reasons.search.batch import MOST_COMBINATIONS, SearchedRows, combinations

Cells = NDArray[numpy.uint16]

_DECISIONS = 5_000_000  # of trees: instances drawn times combinations of protected values
_FEWEST = 100
_TRIES = 100  # for each instance wanted, where some are impossible
_ROWS = 1 << 16
_STAGE = "estimating how much is biased"


def estimated(form: Circuit | Trees, question: Question, budget: Budget, why: str) -> BiasShare:
    """The share among drawn instances, with an interval for the share of all."""
    return _Estimate(form, question, budget).amount(why)


class _Estimate:
    def __init__(self, form: Circuit | Trees, question: Question, budget: Budget) -> None:
        self.form, self.question, self.budget = form, question, budget
        self.number = question.sample
        if isinstance(form, Trees):
            self.number = min(self.number, _DECISIONS // self._combinations())
        self.rng = numpy.random.default_rng(question.seed)

    def _combinations(self) -> int:
        number = combinations(self.form.schema, self.question.protected)
        if number > MOST_COMBINATIONS:
            raise PropertyError(
                f"the protected features have {number:,} combinations of values, and each is "
                f"tried on a model that is answered by search; {MOST_COMBINATIONS:,} are "
                "possible: protect fewer features, or compile it with a larger budget"
            )
        return number

    def amount(self, why: str) -> BiasShare:
        even = Weights(self.form.schema).within(self.question.given)
        cells, labels = self._drawn(even, self._by_label)
        biased = self._biased(cells)
        low, high = clopper_pearson(int(biased.sum()), len(cells))
        numbers = numpy.bincount(labels[biased], minlength=len(self.form.labels)).tolist()
        weighted: tuple[Any, ...] = ()
        if self.question.weights is not None:
            weighted = self._weighted(self.question.weights)
        return BiasShare(
            int(biased.sum()),
            len(cells),
            Fraction(int(biased.sum()), len(cells)),
            dict(zip(self.form.labels, numbers, strict=True)),
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
        shares = [_shares(row, f.name) for row, f in zip(weights.of, self.form.schema, strict=True)]
        kept: list[Cells] = []
        tries = found = 0
        while found < self.number and tries < _TRIES * self.number:
            self.budget.check(_STAGE)
            rows = min(_ROWS, max(2 * (self.number - found), _FEWEST))
            cells = numpy.stack([_cells(self.rng, each, rows) for each in shares], axis=1)
            allowed = cells[self._labels(cells) != _core.IMPOSSIBLE]
            kept.append(allowed[: self.number - found])
            tries, found = tries + rows, found + len(kept[-1])
        if found < self.number and otherwise is not None and isinstance(self.form, Circuit):
            kept.append(otherwise(self.number - found))
        cells = numpy.concatenate(kept)
        if len(cells) < _FEWEST:
            raise PropertyError(
                f"only {len(cells)} of {tries:,} instances drawn are allowed, too few to estimate "
                "a share; give a narrower given=, or compile the model with a larger budget"
            )
        return cells, self._labels(cells)

    def _by_label(self, number: int) -> Cells:
        """Allowed instances where these are rare: a label by its exact share, then one of it."""
        assert isinstance(self.form, Circuit)
        given, budget = self.question.given, self.budget
        counts = [count(self.form, i, given, budget) for i in range(len(self.form.labels))]
        ends = list(accumulate(counts))
        if not ends[-1]:
            raise InputError(f"no instance is allowed given {given}")
        rng = random.Random(self.question.seed)
        points = [rng.randrange(ends[-1]) for _ in range(number)]
        drawn: list[tuple[int, ...]] = []
        for label, (size, end) in enumerate(zip(counts, ends, strict=True)):
            wanted = sum(end - size <= point < end for point in points)
            if wanted:
                found = sample(self.form, label, wanted, rng, given, budget)
                drawn += [instance.cells for instance in found]
        return numpy.array(drawn, numpy.uint16)

    def _labels(self, cells: Cells) -> NDArray[numpy.intp]:
        return numpy.asarray(self.form.native.decide_all(cells.ravel(), len(cells)), numpy.intp)

    def _biased(self, cells: Cells) -> NDArray[numpy.bool_]:
        if isinstance(self.form, Trees):
            return (
                SearchedRows(self.form, cells, budget=self.budget)
                .biased(self.question.protected)
                .yes
            )
        limit, protected = native_budget(self.budget), list(self.question.protected)
        rows = _core.Rows(self.form.native, cells.ravel(), len(cells), _core.all_cores(), limit)
        bits, _ = rows.biased(protected, False, limit)
        flags = numpy.unpackbits(numpy.frombuffer(bits, numpy.uint8), bitorder="little")
        return flags.astype(bool)[numpy.frombuffer(rows.distinct()[1], numpy.uint32)]


def _shares(weights: list[Fraction], name: str) -> NDArray[numpy.float64]:
    """What the values of a feature weigh, as shares."""
    total = sum(weights, Fraction(0))
    if not total:
        raise InputError(f"the values of {name!r} weigh nothing: none can be drawn")
    return numpy.array([float(weight / total) for weight in weights])


def _cells(rng: numpy.random.Generator, shares: NDArray[numpy.float64], rows: int) -> Cells:
    possible = numpy.flatnonzero(shares)
    some = shares[possible]
    if (some == some[0]).all():
        return possible[rng.integers(len(possible), size=rows)].astype(numpy.uint16)
    return rng.choice(possible, rows, p=some / some.sum()).astype(numpy.uint16)

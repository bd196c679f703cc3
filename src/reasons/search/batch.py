"""Questions about many rows of a model that is answered by search.

Whether a decision hangs on some features alone is tried: each row with every combination of
other cells of theirs, all rows together in chunks, fewest changes first and only while a
row has no answer. Where there are too many combinations, and for reasons, each row is searched.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations as subsets
from itertools import islice, product
from math import prod
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import native_budget
from reasons.errors import BudgetExceeded, PropertyError
from reasons.features.schema import Schema
from reasons.search.backend import Trees

Cells = NDArray[numpy.uint16]
Flags = NDArray[numpy.bool_]
Numbers = NDArray[numpy.intp]
Predict = Callable[[Sequence[Sequence[Any]]], Sequence[Any]]

MOST_COMBINATIONS = 4096
_CHUNK = 1 << 21  # cells that are decided at once
_STAGE = "asking about rows"


def combinations(schema: Schema, features: Sequence[int]) -> int:
    """How many combinations of their cells some features have."""
    return prod(len(schema[f].values) for f in features)


@dataclass(frozen=True, slots=True, eq=False)
class RowAnswers:
    """A yes or no for each row, or for each row and feature.

    `witness` has, for each row, cells of the protected features that another label goes with, its
    own where there are none. `failed` says of which rows there is no answer, and why.
    """

    yes: Flags
    witness: Cells | None = None
    failed: dict[int, str] = field(default_factory=dict)


class SearchedRows:
    """Rows of cells of a model that is searched; a row that is impossible answers no.

    With `predict`, the model's own on rows of raw values, every decision is asked of it too, and
    one that is not the same is a `PropertyError`. `budget` is for all that is asked of an
    object, `seconds` for the search of each row.
    """

    def __init__(
        self,
        trees: Trees,
        cells: Cells,
        *,
        predict: Predict | None = None,
        budget: Budget | None = None,
        seconds: float | None = None,
    ) -> None:
        self.trees, self.cells, self.predict = trees, numpy.ascontiguousarray(cells), predict
        self.budget = budget or Budget()
        self.seconds = trees.native.seconds if seconds is None else seconds

    @cached_property
    def labels(self) -> Numbers:
        """The positions of the rows' labels, `_core.IMPOSSIBLE` of those that cannot be."""
        labels = numpy.empty(len(self.cells), numpy.intp)
        for part in self._chunks(numpy.arange(len(self.cells))):
            labels[part] = self._decided(self.cells[part], part)
        return labels

    @cached_property
    def possible(self) -> Numbers:
        """The rows that are possible."""
        return numpy.flatnonzero(self.labels != _core.IMPOSSIBLE)

    def biased(self, protected: Sequence[int]) -> RowAnswers:
        """Whether some allowed instance that differs on protected features only has another label.

        Cost: a decision for each row and combination of protected cells; a search a row
        where these are more than `MOST_COMBINATIONS`.
        """
        loose = list(dict.fromkeys(protected))
        if combinations(self.trees.schema, loose) > MOST_COMBINATIONS:
            found = self._searched(loose)
        else:
            found = self._tried(loose)
        assert found.witness is not None
        return replace(found, witness=found.witness[:, list(protected)])

    def necessary(self) -> Flags:
        """Of each row, the features another value of which, alone, changes its label.

        Cost: a decision for each row and cell.
        """
        flags = numpy.zeros(self.cells.shape, bool)
        for feature in range(self.cells.shape[1]):
            flags[:, feature] = self._tried([feature]).yes
        return flags

    def sufficient(self, drop_order: Sequence[int]) -> RowAnswers:
        """Of each row, the features of one sufficient reason: what dropping them in turn leaves.

        Cost: a search a row, exponential at worst; a row that takes too long fails alone.
        """
        flags = numpy.zeros(self.cells.shape, bool)

        def search(row: int, budget: Budget) -> None:
            cells, label = self.cells[row].tolist(), int(self.labels[row])
            native, limit = self.trees.native, native_budget(budget)
            flags[row, _core.sufficient(native, cells, label, list(drop_order), limit)] = True

        return RowAnswers(flags, failed=self._row_by_row(search))

    def decided(self, cells: Cells) -> Numbers:
        """The positions of the labels of other rows."""
        return self._decided(cells, numpy.arange(len(cells)))

    def _tried(self, loose: Sequence[int]) -> RowAnswers:
        """By deciding all combinations, those with fewest changes first."""
        found, witness = numpy.zeros(len(self.cells), bool), self.cells.copy()
        domains = numpy.array([len(self.trees.schema[f].values) for f in loose])
        turns = steps(domains.tolist())
        left = self.possible
        while len(left) and (taken := list(islice(turns, max(1, self._rows // len(left))))):
            moved = numpy.array(taken, numpy.int64)
            for part in self._chunks(left):
                rows = numpy.repeat(part, len(moved))
                cells = self.cells[rows]
                turned = cells[:, loose] + numpy.tile(moved, (len(part), 1))
                cells[:, loose] = turned % domains
                labels = self._decided(cells, rows)
                other = (labels != self.labels[rows]) & (labels != _core.IMPOSSIBLE)
                first = numpy.flatnonzero(other)[::-1]  # of several, the first is written last
                found[rows[first]], witness[rows[first]] = True, cells[first]
            left = left[~found[left]]
        return RowAnswers(found, witness)

    def _searched(self, loose: Sequence[int]) -> RowAnswers:
        found, witness = numpy.zeros(len(self.cells), bool), self.cells.copy()
        kept = sorted(set(range(self.cells.shape[1])) - set(loose))

        def search(row: int, budget: Budget) -> None:
            cells, label = self.cells[row].tolist(), int(self.labels[row])
            other = self.trees.other(cells, label, {f: [cells[f]] for f in kept}, budget)
            if other is not None:
                found[row], witness[row] = True, other

        failed = self._row_by_row(search)
        self._decided(witness[found], numpy.flatnonzero(found))
        return RowAnswers(found, witness, failed)

    def _row_by_row(self, search: Callable[[int, Budget], None]) -> dict[int, str]:
        """The rows whose search took too long, each with what it said."""
        failed = {}
        for done, row in enumerate(self.possible.tolist()):
            self.budget.report(_STAGE, done, len(self.possible))
            self.budget.check(_STAGE)
            left = self.budget.seconds_left
            seconds = self.seconds if left is None else max(min(self.seconds, left), 1e-6)
            try:
                search(row, Budget(seconds=seconds))
            except BudgetExceeded as error:
                failed[row] = str(error)
        return failed

    @property
    def _rows(self) -> int:
        """How many rows are decided at once."""
        return max(1, _CHUNK // max(1, len(self.trees.schema)))

    def _chunks(self, rows: Numbers) -> Iterator[Numbers]:
        for start in range(0, len(rows), self._rows):
            self.budget.report(_STAGE, start, len(rows))
            self.budget.check(_STAGE)
            yield rows[start : start + self._rows]

    def _decided(self, cells: Cells, rows: Numbers) -> Numbers:
        """The labels of cells, which the model's own `predict` must confirm."""
        found = self.trees.native.decide_all(cells.ravel(), len(cells))
        labels = numpy.asarray(found, numpy.intp)
        asked = numpy.flatnonzero(labels != _core.IMPOSSIBLE)
        if self.predict is not None and len(asked):
            self._require_confirmed(self.predict, cells[asked], labels[asked], rows[asked])
        return labels

    def _require_confirmed(
        self, predict: Predict, cells: Cells, labels: Numbers, rows: Numbers
    ) -> None:
        raw = self._raw_rows(cells)
        ours = [self.trees.labels[label] for label in labels]
        for at, (mine, theirs) in enumerate(zip(ours, predict(raw), strict=True)):
            # A product of matrices can differ in its last digit between one row and many.
            if theirs != mine and predict([raw[at]])[0] != mine:
                values = dict(zip(self.trees.schema.names, raw[at], strict=True))
                raise PropertyError(
                    f"row {rows[at]}: the model decides {theirs!r} on {values}, where {mine!r} was "
                    "expected. This is a fault of this package or of a version of the library "
                    "that it does not know; please report it"
                )

    def _raw_rows(self, cells: Cells) -> list[tuple[Any, ...]]:
        columns = [raw[cells[:, f]].tolist() for f, raw in enumerate(self._raw)]
        return list(zip(*columns, strict=True))

    @cached_property
    def _raw(self) -> list[NDArray[Any]]:
        """A raw value for each cell of each feature."""
        tables = []
        for feature in self.trees.schema:
            table = numpy.empty(len(feature.values), object)
            table[:] = [feature.raw(cell) for cell in range(len(table))]
            tables.append(table)
        return tables


def steps(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """How far to turn each of some cells around its domain: all ways but none, fewest turns first.

    >>> list(steps([2, 3]))
    [(1, 0), (0, 1), (0, 2), (1, 1), (1, 2)]
    """
    for number in range(1, len(sizes) + 1):
        for turned in subsets(range(len(sizes)), number):
            for turns in product(*(range(1, sizes[f]) for f in turned)):
                whole = [0] * len(sizes)
                for feature, step in zip(turned, turns, strict=True):
                    whole[feature] = step
                yield tuple(whole)

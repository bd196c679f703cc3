"""Features from columns: the cells of a user's column, and the answers of a model's tests."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.budget import UNLIMITED, Budget
from reasons.ensembles.cell_sets import CellSets
from reasons.ensembles.domain import Limit
from reasons.ensembles.inputs import Edges, Image, InputColumn, Inputs, Table, Values, numbers
from reasons.ensembles.ir import ScoreModel, TreeModel
from reasons.ensembles.thresholds import Lefts, last_left, shorter
from reasons.errors import InputError, UnsupportedModel
from reasons.features.cuts import Side
from reasons.features.feature import Feature
from reasons.features.floats import Cast, Closed
from reasons.features.values import MISSING, OTHER, Special, is_missing, text_of
from reasons.text import comma_list

# What goes left at each test, or a row of values for each column with one for each cell.
Answers = CellSets | NDArray[Any]

DISCRETISING = "discretising"
_MOST_WHOLE = 65_534


@dataclass(frozen=True, slots=True, eq=False)
class ColumnTests:
    """The tests of the model's columns that come from one of the user's.

    `points` are numbers of a column at which answers change; `answers` takes the values of each
    column. Where `every` is true, answers can differ from each whole number to the next.
    """

    columns: list[int]
    points: list[tuple[int, float]]
    answers: Callable[[Sequence[Table]], Answers]
    every: bool = False


class FeatureBuilder:
    """Builds a feature from one of the user's columns and the tests of it."""

    def __init__(
        self,
        model: TreeModel | ScoreModel,
        inputs: Inputs,
        at: int,
        tests: ColumnTests,
        limit: Limit,
        budget: Budget = UNLIMITED,
    ) -> None:
        self.model, self.inputs, self.at, self.tests = model, inputs, at, tests
        self.limit, self.budget = limit, budget
        self.column: InputColumn = inputs.columns[at]
        self.wanted = tests.columns
        self.declared: dict[Side, float] = {}  # the cuts of a constraint's comparisons
        self.kept_cuts: set[float] = set()

    def feature(self) -> tuple[Feature, Answers]:
        """The feature, and the answers of the tests in its cells."""
        known, name = self.column.categories, self.column.name
        if self.limit.values is not None:
            return self._values(self.limit.values)
        if known is not None or not self.column.read:
            if self.limit.whole or self.limit.within is not None:
                raise InputError(f"domain: {name!r} is a category; declare a set of its values")
            return self._categories(known or (), not self.column.read or self._accepts(OTHER))
        codes = [c for c in self.wanted if self.model.columns[c].categories is not None]
        if any(self.inputs.rising[column] for column in codes):
            raise UnsupportedModel(
                f"column {name!r} comes through a pipeline to a model with native categories; "
                "encode it in the pipeline"
            )
        if self.tests.every:
            return self._numbers(self._whole_cuts(), "right", "float64")
        if self.column.plain:
            cuts = sorted({point for _, point in self.tests.points})
            closed = self.column.closed or self.model.closed
            return self._numbers(cuts, closed, self.model.cast)
        cuts, closed = shorter(self._pulled_back(), self.limit.whole)
        return self._numbers(cuts, closed, "float64")

    def _whole_cuts(self) -> Sequence[float]:
        """A cut after each whole number but the last."""
        low, high = self.limit.within or (-math.inf, math.inf)
        if not self.limit.whole or high - low >= _MOST_WHOLE:
            raise InputError(
                f"domain: {self.column.name!r}: declare a range of at most {_MOST_WHOLE:,} numbers"
            )
        return range(math.ceil(low), math.floor(high))

    def _values(self, values: Sequence[Any]) -> tuple[Feature, Answers]:
        """A feature of declared values only; the model must accept each."""
        plain = [value for value in values if not is_missing(value) and value is not OTHER]
        known = self.column.categories
        if self.column.as_text:
            plain = list(dict.fromkeys(text_of(value) or value for value in plain))
        unknown = [v for v in plain if known is not None and v not in known]
        if unknown and not self._accepts(OTHER):
            raise InputError(f"domain: {self.column.name!r} has no values {comma_list(unknown)}")
        if known is None and not all(isinstance(v, int | float) for v in plain):
            raise InputError(f"domain: {self.column.name!r} takes numbers, not {comma_list(plain)}")
        missing = any(is_missing(value) for value in values)
        for special in [MISSING] * missing + [OTHER] * (OTHER in values):
            if not self._accepts(special):
                raise InputError(f"domain: {self.column.name!r} cannot be {special}")
        return self._categories(plain, OTHER in values, missing=missing)

    def _accepts_missing(self) -> bool:
        return self.limit.missing and self._accepts(MISSING)

    def _accepts(self, value: Special) -> bool:
        """Whether the pipeline accepts the value, and the model its image."""
        if not self.inputs.accepts(self.at, value):
            return False
        if not self.wanted or (value is OTHER and self.column.categories is None):
            return True
        made = self.inputs.image(self.at, [value], self.wanted)[0]
        return all(
            self.model.columns[column].missing or not is_missing(part)
            for column, part in zip(self.wanted, made, strict=True)
        )

    def _answers(self, values: Values) -> Answers:
        if not self.wanted:
            nothing = numpy.zeros((0, len(values)), bool)
            return CellSets.of_masks(nothing) if isinstance(self.model, TreeModel) else nothing
        table = self.inputs.image(self.at, values, self.wanted)
        self.budget.check(DISCRETISING)
        columns = [
            numbers(table[:, place])
            if self.model.columns[column].categories is None
            else table[:, place]
            for place, column in enumerate(self.wanted)
        ]
        return self.tests.answers(columns)

    def _categories(
        self, values: Sequence[Any], other: bool, missing: bool | None = None
    ) -> tuple[Feature, Answers]:
        missing = self._accepts_missing() if missing is None else missing
        feature = Feature.categorical(
            self.column.name, values, other=other, missing=missing, as_text=self.column.as_text
        )
        return feature, self._answers(feature.values)

    def _numbers(
        self, cuts: Sequence[float], closed: Closed, cast: Cast
    ) -> tuple[Feature, Answers]:
        feature, answers = self._numeric(cuts, closed, cast)
        if self.limit.compared or self.limit.numbers:
            # A bound in a constraint is the cut that is printed so, without a sliver beside it.
            printed, _ = joined(feature, turns(answers), ())
            self.declared = self.limit.cuts(printed)
            self.kept_cuts = {*self.declared.values(), *self.limit.value_cuts(printed)}
            new = [cut for cut in self.kept_cuts if math.isfinite(cut)]
            feature, answers = self._numeric([*cuts, *new], closed, cast)
        self.budget.check(DISCRETISING)
        feature, cells = joined(feature, turns(answers), self.kept_cuts)
        if isinstance(answers, CellSets):
            return feature, answers.take(cells)
        return feature, answers[:, cells]

    def _numeric(
        self, cuts: Sequence[float], closed: Closed, cast: Cast
    ) -> tuple[Feature, Answers]:
        feature = Feature.numeric(
            self.column.name,
            cuts,
            closed=closed,
            missing=self._accepts_missing(),
            cast=cast,
            whole=self.limit.whole,
            within=self.limit.within,
        )
        cells = self.budget.each(range(len(feature.values)), DISCRETISING)
        return feature, self._answers([feature.raw(cell) for cell in cells])

    def _pulled_back(self) -> NDArray[numpy.float64]:
        """The last number of the user before each change of an answer."""
        points = [(c, point) for c, point in self.tests.points if self.inputs.rising[c]]
        sizes = [len(points), *(len(edge.points) for edge in self.column.edges)]
        if not sum(sizes):
            return numpy.zeros(0)

        def lefts(image: Image) -> Lefts:
            made = [self._left_of_thresholds(points, image)]
            return _side_by_side(sizes, [*made, *map(_left_of_edges, self.column.edges)])

        def is_fine(number: float) -> bool:
            probes = numpy.array([-number, number])
            try:
                rising = [c for c in self.wanted if self.inputs.rising[c]]
                table = self.inputs.image(self.at, probes, rising).astype(float)
                return not numpy.isnan(table).any() and all(
                    len(edge.of(probes)) for edge in self.column.edges
                )
            except ValueError:
                return False

        guess = None if self.inputs.guess is None else lefts(self.inputs.guess)
        return last_left(lefts(self.inputs.image), sum(sizes), self.column.name, is_fine, guess)

    def _left_of_thresholds(self, points: list[tuple[int, float]], image: Image) -> Lefts:
        columns = sorted({column for column, _ in points})
        places = [columns.index(column) for column, _ in points]
        limits = numpy.array([point for _, point in points])

        def left(numbers: NDArray[numpy.float64]) -> NDArray[numpy.bool_]:
            if not points:
                return numpy.zeros(numbers.shape, bool)
            self.budget.check(DISCRETISING)
            table = image(self.at, numbers.ravel(), columns).reshape(*numbers.shape, -1)
            compared = as_compared(self.model, table[:, range(len(points)), places])
            return compared <= limits if self.model.closed == "right" else compared < limits

        return left


def turns(answers: Answers) -> NDArray[numpy.bool_]:
    """Of each cell but the last: whether some answer differs from that for the next."""
    if isinstance(answers, CellSets):
        return answers.turns()
    differ: NDArray[numpy.bool_] = (answers[:, 1:] != answers[:, :-1]).any(axis=0)
    return differ


def joined(
    feature: Feature, differ: NDArray[numpy.bool_], declared: Collection[float]
) -> tuple[Feature, list[int]]:
    """A numeric feature without redundant cuts, and the cells that remain.

    `differ` says of each cell but the last whether the next one differs from it. The first of
    merged cells remains; declared cuts remain too.
    """
    after = [at + 1 for at, cut in enumerate(feature.cuts) if differ[at] or cut in declared]
    if len(after) == len(feature.cuts):
        return feature, list(range(len(feature.values)))
    fewer = Feature.numeric(
        feature.name,
        [feature.cuts[at - 1] for at in after],
        closed=feature.closed,
        missing=MISSING in feature.values,
        cast=feature.cast,
        whole=feature.whole,
        within=feature.within,
    )
    return fewer, [0, *after, *range(len(feature.cuts) + 1, len(feature.values))]


def _side_by_side(sizes: Sequence[int], parts: Sequence[Lefts]) -> Lefts:
    """Several groups of points as one."""
    ends = numpy.cumsum(sizes)[:-1]

    def left(numbers: NDArray[numpy.float64]) -> NDArray[numpy.bool_]:
        split = numpy.split(numbers, ends, axis=1)
        sides = [part(each) for part, each in zip(parts, split, strict=True)]
        return numpy.concatenate(sides, axis=1)

    return left


def _left_of_edges(edges: Edges) -> Lefts:
    limits = numpy.array(edges.points)

    def left(numbers: NDArray[numpy.float64]) -> NDArray[numpy.bool_]:
        images = edges.of(numbers.ravel()).reshape(numbers.shape)
        return images <= limits if edges.closed == "right" else images < limits

    return left


def as_compared(model: TreeModel | ScoreModel, values: Table) -> NDArray[numpy.float64]:
    """Numbers as the model compares them with thresholds: after its cast."""
    floats = numbers(values)
    if model.cast == "float32":
        with numpy.errstate(over="ignore"):
            floats = floats.astype(numpy.float32).astype(float)
    return floats

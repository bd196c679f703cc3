"""From columns to cells: features whose cells are what the trees can tell apart."""

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.errors import InputError, UnsupportedModel, listed
from reasons.features import Feature, Schema
from reasons.trees.answers import as_compared, goes_left, thresholds
from reasons.trees.columns import Edges, Given, Image, Inputs, Values, numbers, own
from reasons.trees.domain import Domain, Limit
from reasons.trees.model import Test, TreeModel
from reasons.trees.native import Answers, Settle, ensemble
from reasons.trees.pull_back import Lefts, last_left, shorter
from reasons.values import MISSING, OTHER, Cast, Closed, Special, is_missing


def plain(model: TreeModel) -> tuple[Schema, _core.Ensemble]:
    """A model whose columns are the user's own, over cells."""
    return over_cells(model, own(model))


def over_cells(
    model: TreeModel, inputs: Inputs, domain: Domain | None = None
) -> tuple[Schema, _core.Ensemble]:
    """A model over the cells of the user's columns: features, and the trees' native form.

    The features are all of the user's columns, in their order. What the domain declares
    impossible has no cells, or is ruled out by guards.
    Cost: O(model), and for every number that is transformed about 20 calls of that.
    """
    domain = domain or Domain()
    domain.require_columns([column.name for column in inputs.columns])
    numbered: list[list[int]] = [[] for _ in inputs.columns]
    for at, test in enumerate(model.tests):
        numbered[inputs.source[test.column]].append(at)
    features: list[Feature] = []
    masks: list[Answers] = [numpy.zeros(0, bool)] * len(model.tests)
    for at, own_tests in enumerate(numbered):
        limit = domain.limit(inputs.columns[at].name)
        maker = _Maker(model, inputs, at, [model.tests[test] for test in own_tests], limit)
        feature, answers = maker.feature()
        features.append(feature)
        for number, mask in zip(own_tests, answers, strict=True):
            masks[number] = mask
    schema = Schema(features)
    settle = None if model.added else _settler(model, inputs, schema)
    where = [inputs.source[test.column] for test in model.tests]
    return schema, ensemble(model, schema, where, masks, settle, domain.guards(schema))


def _settler(model: TreeModel, inputs: Inputs, schema: Schema) -> Settle:
    predict = inputs.predict
    assert predict is not None

    def settle(cells: Sequence[int]) -> int:
        row = [feature.raw(cell) for feature, cell in zip(schema, cells, strict=True)]
        return model.labels.index(predict([row])[0])

    return settle


class _Maker:
    """One feature, made of one of the user's columns and the tests that depend on it."""

    def __init__(
        self, model: TreeModel, inputs: Inputs, at: int, tests: list[Test], limit: Limit
    ) -> None:
        self.model, self.inputs, self.at, self.tests = model, inputs, at, tests
        self.limit = limit
        self.given: Given = inputs.columns[at]
        self.wanted = sorted({test.column for test in tests})
        self.place = [self.wanted.index(test.column) for test in tests]

    def feature(self) -> tuple[Feature, Answers]:
        """The feature, and what its tests say of its cells."""
        known, name = self.given.categories, self.given.name
        if self.limit.values is not None:
            return self._values(self.limit.values)
        if known is not None or not self.given.read:
            if self.limit.whole or self.limit.within is not None:
                raise InputError(f"domain: {name!r} is a category; declare a set of its values")
            return self._categories(known or (), not self.given.read or self._accepts(OTHER))
        if any(self.model.columns[column].categories for column in self.wanted):
            raise UnsupportedModel(
                f"column {name!r} comes through a pipeline to a model that takes categories as "
                "they are; encode it in the pipeline"
            )
        if self.given.plain:
            cuts, closed = sorted(thresholds(self.model, self.tests)), self.model.closed
            return self._numbers(cuts, closed, self.model.cast)
        cuts, closed = shorter(self._pulled_back(), self.limit.whole)
        return self._numbers(cuts, closed, "float64")

    def _values(self, values: Sequence[Any]) -> tuple[Feature, Answers]:
        """A feature of declared values only, each of which must be acceptable."""
        plain = [value for value in values if not is_missing(value) and value is not OTHER]
        known = self.given.categories
        unknown = [v for v in plain if known is not None and v not in known]
        if unknown and not self._accepts(OTHER):
            raise InputError(f"domain: {self.given.name!r} has no values {listed(unknown)}")
        if known is None and not all(isinstance(v, int | float) for v in plain):
            raise InputError(f"domain: {self.given.name!r} takes numbers, not {listed(plain)}")
        missing = any(is_missing(value) for value in values)
        for special in [MISSING] * missing + [OTHER] * (OTHER in values):
            if not self._accepts(special):
                raise InputError(f"domain: {self.given.name!r} cannot be {special}")
        return self._categories(plain, OTHER in values, missing=missing)

    def _accepts_missing(self) -> bool:
        return self.limit.missing and self._accepts(MISSING)

    def _accepts(self, value: Special) -> bool:
        """Whether the pipeline takes the value, and the model what becomes of it."""
        if not self.inputs.accepts(self.at, value):
            return False
        if not self.tests or (value is OTHER and self.given.categories is None):
            return True
        made = self._image([value])[0]
        return all(
            self.model.columns[column].missing or not is_missing(part)
            for column, part in zip(self.wanted, made, strict=True)
        )

    def _image(self, values: Values) -> NDArray[Any]:
        return self.inputs.image(self.at, values, self.wanted)

    def _answers(self, values: Values) -> Answers:
        if not self.tests:
            return numpy.zeros((0, len(values)), bool)
        table = self._image(values)
        columns = [
            table[:, place] if self.model.columns[column].categories else numbers(table[:, place])
            for place, column in enumerate(self.wanted)
        ]
        rows = [
            goes_left(self.model, test, columns[place])
            for test, place in zip(self.tests, self.place, strict=True)
        ]
        return numpy.array(rows, dtype=bool)

    def _categories(
        self, values: Sequence[Any], other: bool, missing: bool | None = None
    ) -> tuple[Feature, Answers]:
        missing = self._accepts_missing() if missing is None else missing
        feature = Feature.categorical(self.given.name, values, other=other, missing=missing)
        return feature, self._answers(feature.values)

    def _numbers(
        self, cuts: Sequence[float], closed: Closed, cast: Cast
    ) -> tuple[Feature, Answers]:
        declared = self.limit.cuts(closed, cast)
        missing = self._accepts_missing()

        def cut_at(points: Sequence[float]) -> tuple[Feature, Answers]:
            feature = Feature.numeric(
                self.given.name,
                points,
                closed=closed,
                missing=missing,
                cast=cast,
                whole=self.limit.whole,
                within=self.limit.within,
            )
            cells = range(len(feature.values))
            return feature, self._answers([feature.raw(cell) for cell in cells])

        feature, answers = cut_at([*cuts, *declared])
        differ = (answers[:, 1:] != answers[:, :-1]).any(axis=0)
        told = [cut for cut, tells in zip(feature.cuts, differ, strict=False) if tells]
        kept = {*told, *(cut for cut in feature.cuts if cut in declared)}
        return (feature, answers) if len(kept) == len(feature.cuts) else cut_at(sorted(kept))

    def _pulled_back(self) -> NDArray[numpy.float64]:
        """The last of the user's numbers before each change of an answer."""
        points = [
            (place, point)
            for place, column in enumerate(self.wanted)
            if self.inputs.rising[column]
            for point in thresholds(self.model, (t for t in self.tests if t.column == column))
        ]
        sizes = [len(points), *(len(edge.points) for edge in self.given.edges)]
        if not sum(sizes):
            return numpy.zeros(0)

        def lefts(image: Image) -> Lefts:
            made = [self._left_of_thresholds(points, image)]
            return _side_by_side(sizes, [*made, *map(_left_of_edges, self.given.edges)])

        def is_fine(number: float) -> bool:
            probes = numpy.array([-number, number])
            try:
                rising = [c for c in self.wanted if self.inputs.rising[c]]
                table = self.inputs.image(self.at, probes, rising).astype(float)
                return not numpy.isnan(table).any() and all(
                    len(edge.of(probes)) for edge in self.given.edges
                )
            except ValueError:
                return False

        guess = None if self.inputs.guess is None else lefts(self.inputs.guess)
        return last_left(lefts(self.inputs.image), sum(sizes), self.given.name, is_fine, guess)

    def _left_of_thresholds(self, points: list[tuple[int, float]], image: Image) -> Lefts:
        columns = sorted({self.wanted[place] for place, _ in points})
        places = [columns.index(self.wanted[place]) for place, _ in points]
        limits = numpy.array([point for _, point in points])

        def left(numbers: NDArray[numpy.float64]) -> NDArray[numpy.bool_]:
            if not points:
                return numpy.zeros(numbers.shape, bool)
            table = image(self.at, numbers.ravel(), columns).reshape(*numbers.shape, -1)
            found = as_compared(self.model, table[:, range(len(points)), places])
            return found <= limits if self.model.closed == "right" else found < limits

        return left


def _side_by_side(sizes: Sequence[int], parts: Sequence[Lefts]) -> Lefts:
    """Several groups of points as one."""
    ends = numpy.cumsum(sizes)[:-1]

    def left(numbers: NDArray[numpy.float64]) -> NDArray[numpy.bool_]:
        split = numpy.split(numbers, ends, axis=1)
        found = [part(each) for part, each in zip(parts, split, strict=True)]
        return numpy.concatenate(found, axis=1)

    return left


def _left_of_edges(edges: Edges) -> Lefts:
    limits = numpy.array(edges.points)

    def left(numbers: NDArray[numpy.float64]) -> NDArray[numpy.bool_]:
        found = edges.of(numbers.ravel()).reshape(numbers.shape)
        return found <= limits if edges.closed == "right" else found < limits

    return left

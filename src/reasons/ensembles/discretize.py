"""Discretisation of tree ensembles: cells of features are what the tests distinguish."""

import math
from collections.abc import Iterable, Sequence

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.budget import UNLIMITED, Budget
from reasons.ensembles.cell_sets import CellSets, Integers, LeftCells
from reasons.ensembles.domain import Domain
from reasons.ensembles.feature_builder import (
    DISCRETISING,
    ColumnTests,
    FeatureBuilder,
    as_compared,
)
from reasons.ensembles.inputs import Inputs, Table, own
from reasons.ensembles.ir import ScoreModel, Test, TreeModel
from reasons.ensembles.native import Settle, ensemble
from reasons.features.cuts import Side
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.values import is_missing


def over_cells(
    model: TreeModel,
    inputs: Inputs | None = None,
    domain: Domain | None = None,
    budget: Budget = UNLIMITED,
) -> tuple[Schema, _core.Ensemble]:
    """A model over the cells of the user's columns: features, and the trees' native form.

    The features are all of the user's columns, in their order; without `inputs` these are the
    model's own. What the domain declares impossible has no cells, or is ruled out by guards.
    Cost: O(model), and about 20 calls of the transformers for every number that they change.
    """
    inputs, domain = inputs or own(model), domain or Domain()
    domain.require_columns([column.name for column in inputs.columns])
    numbered: list[list[int]] = [[] for _ in inputs.columns]
    for at, test in enumerate(budget.each(model.tests, DISCRETISING)):
        numbered[inputs.source[test.column]].append(at)
    features: list[Feature] = []
    declared: dict[str, dict[Side, float]] = {}
    left: list[tuple[int, list[int], CellSets]] = []
    for at, own_tests in enumerate(numbered):
        budget.pause(DISCRETISING, at, len(numbered))
        limit = domain.limit(inputs.columns[at].name)
        tests = _column_tests(model, [model.tests[test] for test in own_tests], budget)
        builder = FeatureBuilder(model, inputs, at, tests, limit, budget)
        feature, answers = builder.feature()
        features.append(feature)
        declared[feature.name] = builder.declared
        assert isinstance(answers, CellSets)
        left.append((at, own_tests, answers))
    schema = Schema(features)
    settle = None if model.added else settler(model, inputs, schema)
    left_cells = LeftCells.of_features(left)
    guards = domain.guards(schema, declared)
    return schema, ensemble(model, schema, left_cells, settle, guards, budget)


def _column_tests(model: TreeModel, tests: Sequence[Test], budget: Budget) -> ColumnTests:
    """The tests of the model's columns that come from one of the user's."""
    columns = sorted({test.column for test in tests})
    of_column: dict[int, list[Test]] = {c: [] for c in columns}
    numbered: dict[int, list[int]] = {c: [] for c in columns}
    for at, test in enumerate(budget.each(tests, DISCRETISING)):
        of_column[test.column].append(test)
        numbered[test.column].append(at)
    points = [(c, point) for c in columns for point in thresholds(model, of_column[c])]

    def answers(values: Sequence[Table]) -> CellSets:
        by_column = zip(columns, values, strict=True)
        parts = [
            (c, *_left_ranges(model, of_column[c], table, budget))
            for c, table in budget.each(by_column, DISCRETISING)
        ]
        sets = numpy.concatenate([numpy.array(numbered[c])[of_test] for c, of_test, _ in parts])
        ranges = numpy.concatenate([each for _, _, each in parts])
        return CellSets.of_ranges(len(values[0]), len(tests), sets, ranges)

    return ColumnTests(columns, points, answers)


def settler(model: TreeModel | ScoreModel, inputs: Inputs, schema: Schema) -> Settle:
    """A function from cells to the label that the library gives one row."""
    predict = inputs.predict
    assert predict is not None

    def settle(cells: Sequence[int]) -> int:
        row = [feature.raw(cell) for feature, cell in zip(schema, cells, strict=True)]
        return model.labels.index(predict([row])[0])

    return settle


def _left_ranges(
    model: TreeModel, tests: Sequence[Test], values: Table, budget: Budget = UNLIMITED
) -> tuple[Integers, Integers]:
    """Ranges of positions of values that go left: the position of the test of each, and they."""
    if model.columns[tests[0].column].categories is None:
        compared = as_compared(model, values)
        numbers = int((~numpy.isnan(compared)).sum())
        rising = compared[:numbers]
        if not numpy.isnan(rising).any() and (rising[1:] >= rising[:-1]).all():
            budget.check(DISCRETISING)
            return _left_of_thresholds(model, tests, rising, len(compared))
    looked_at = budget.each(tests, DISCRETISING)
    masks = numpy.array([goes_left(model, test, values) for test in looked_at], bool)
    sets = CellSets.of_masks(masks.reshape(len(tests), len(values)))
    return sets.numbers, sets.ranges


def _left_of_thresholds(
    model: TreeModel, tests: Sequence[Test], rising: NDArray[numpy.float64], cells: int
) -> tuple[Integers, Integers]:
    """The answers of `goes_left` by bisection, for sorted numbers before missing values."""
    every = numpy.arange(len(tests))
    missing_left = numpy.array([test.missing_left for test in tests])
    limits = numpy.array([test.threshold for test in tests])
    below = numpy.searchsorted(rising, limits, model.closed)
    below[numpy.isnan(limits)] = 0
    between = [test.missing_between or (math.inf, math.inf) for test in tests]
    low, high = (
        numpy.searchsorted(rising, ends, model.closed) for ends in zip(*between, strict=True)
    )
    high = numpy.maximum(low, high)
    last, end = numpy.full(len(tests), len(rising)), numpy.full(len(tests), cells)
    parts = [
        (every, numpy.zeros_like(below), numpy.minimum(below, low)),
        (every, high, numpy.maximum(below, high)),
        (every[missing_left], low[missing_left], high[missing_left]),
        (every[missing_left], last[missing_left], end[missing_left]),
    ]
    of_test, begins, ends = (numpy.concatenate(each) for each in zip(*parts, strict=True))
    return of_test, numpy.stack([begins, ends], axis=1)


def goes_left(model: TreeModel, test: Test, values: Table) -> NDArray[numpy.bool_]:
    """The values of the test's column that go left, as a mask."""
    column = model.columns[test.column]
    if column.categories is None:
        return _number_goes_left(model, test, values)
    codes = {value: code for code, value in enumerate(column.categories)}
    return numpy.array([_code_goes_left(test, codes, value) for value in values], dtype=bool)


def _code_goes_left(test: Test, codes: dict[object, int], value: object) -> bool:
    if is_missing(value):
        return test.missing_left
    code = codes.get(value)
    return test.unseen_left if code is None else code in (test.codes or ())


def _number_goes_left(model: TreeModel, test: Test, values: Table) -> NDArray[numpy.bool_]:
    compared = as_compared(model, values)
    left = compared <= test.threshold if model.closed == "right" else compared < test.threshold
    missing = numpy.isnan(compared)
    if test.missing_between is not None:
        low, high = test.missing_between
        right = model.closed == "right"
        missing |= (
            (low < compared) & (compared <= high)
            if right
            else (low <= compared) & (compared < high)
        )
    return numpy.where(missing, test.missing_left, left)


def thresholds(model: TreeModel, tests: Iterable[Test]) -> set[float]:
    """The numbers at which the answers to tests of one column change."""
    points = (point for test in tests for point in (test.threshold, *(test.missing_between or ())))
    # infinite ones separate only missing values
    return {point for point in points if math.isfinite(point)}

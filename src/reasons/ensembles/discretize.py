"""Discretisation of tree ensembles: cells of features are what the tests distinguish."""

import math
from collections.abc import Iterable, Sequence

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.ensembles.domain import Domain
from reasons.ensembles.feature_builder import ColumnTests, FeatureBuilder, as_compared
from reasons.ensembles.inputs import Inputs, Table, own
from reasons.ensembles.ir import ScoreModel, Test, TreeModel
from reasons.ensembles.native import Answers, Settle, ensemble
from reasons.features.cuts import Side
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.values import is_missing


def over_cells(
    model: TreeModel, inputs: Inputs | None = None, domain: Domain | None = None
) -> tuple[Schema, _core.Ensemble]:
    """A model over the cells of the user's columns: features, and the trees' native form.

    The features are all of the user's columns, in their order; without `inputs` these are the
    model's own. What the domain declares impossible has no cells, or is ruled out by guards.
    Cost: O(model), and about 20 calls of the transformers for every number that they change.
    """
    inputs, domain = inputs or own(model), domain or Domain()
    domain.require_columns([column.name for column in inputs.columns])
    numbered: list[list[int]] = [[] for _ in inputs.columns]
    for at, test in enumerate(model.tests):
        numbered[inputs.source[test.column]].append(at)
    features: list[Feature] = []
    declared: dict[str, dict[Side, float]] = {}
    masks: list[Answers] = [numpy.zeros(0, bool)] * len(model.tests)
    for at, own_tests in enumerate(numbered):
        limit = domain.limit(inputs.columns[at].name)
        tests = _column_tests(model, [model.tests[test] for test in own_tests])
        builder = FeatureBuilder(model, inputs, at, tests, limit)
        feature, answers = builder.feature()
        features.append(feature)
        declared[feature.name] = builder.declared
        for number, mask in zip(own_tests, answers, strict=True):
            masks[number] = mask
    schema = Schema(features)
    settle = None if model.added else settler(model, inputs, schema)
    where = [inputs.source[test.column] for test in model.tests]
    return schema, ensemble(model, schema, where, masks, settle, domain.guards(schema, declared))


def _column_tests(model: TreeModel, tests: Sequence[Test]) -> ColumnTests:
    """The tests of the model's columns that come from one of the user's."""
    columns = sorted({test.column for test in tests})
    of_column = {c: [test for test in tests if test.column == c] for c in columns}
    points = [(c, point) for c in columns for point in thresholds(model, of_column[c])]

    def answers(values: Sequence[Table]) -> Answers:
        by_column = dict(zip(columns, values, strict=True))
        rows = [goes_left(model, test, by_column[test.column]) for test in tests]
        return numpy.array(rows, dtype=bool)

    return ColumnTests(columns, points, answers)


def settler(model: TreeModel | ScoreModel, inputs: Inputs, schema: Schema) -> Settle:
    """A function from cells to the label that the library gives one row."""
    predict = inputs.predict
    assert predict is not None

    def settle(cells: Sequence[int]) -> int:
        row = [feature.raw(cell) for feature, cell in zip(schema, cells, strict=True)]
        return model.labels.index(predict([row])[0])

    return settle


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
    return {
        point for point in points if math.isfinite(point)
    }  # infinite ones separate only missing values

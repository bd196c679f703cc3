"""What tests say of values of the columns they test."""

import math
from collections.abc import Iterable

import numpy
from numpy.typing import NDArray

from reasons.ensembles.inputs import Table, numbers
from reasons.ensembles.ir import ScoreModel, Test, TreeModel
from reasons.features.values import is_missing


def goes_left(model: TreeModel, test: Test, values: Table) -> NDArray[numpy.bool_]:
    """Which values of the test's column go left."""
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
    found = as_compared(model, values)
    left = found <= test.threshold if model.closed == "right" else found < test.threshold
    missing = numpy.isnan(found)
    if test.missing_between is not None:
        low, high = test.missing_between
        right = model.closed == "right"
        missing |= (low < found) & (found <= high) if right else (low <= found) & (found < high)
    return numpy.where(missing, test.missing_left, left)


def as_compared(model: TreeModel | ScoreModel, values: Table) -> NDArray[numpy.float64]:
    """Numbers as the model compares them with thresholds: after its cast."""
    found = numbers(values)
    if model.cast == "float32":
        with numpy.errstate(over="ignore"):
            found = found.astype(numpy.float32).astype(float)
    return found


def thresholds(model: TreeModel, tests: Iterable[Test]) -> set[float]:
    """The numbers at which the answers to tests of one column change."""
    points = (point for test in tests for point in (test.threshold, *(test.missing_between or ())))
    return {point for point in points if math.isfinite(point)}  # others tell only missing apart

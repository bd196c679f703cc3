"""Rows of raw values as XGBoost takes them: a matrix of numbers and codes, or a data frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from reasons.ensembles.ir import Column
from reasons.features.values import OTHER, is_missing
from reasons.frontends.xgboost.model_json import Stored


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows for one model: `data` is an array or a data frame, `missing` a number that is so too."""

    found: Stored
    data: Any
    missing: float

    def predicted(self, booster: Any, in_place: bool, rounds: tuple[int, int]) -> Any:
        """The library's predictions, by the path that its scikit-learn interface takes or not."""
        if in_place:
            return booster.inplace_predict(
                self.data, iteration_range=rounds, missing=self.missing, validate_features=False
            )
        import xgboost

        framed = hasattr(self.data, "columns")
        data = xgboost.DMatrix(
            self.data,
            feature_names=self.found.names or None,
            feature_types=None if framed else self.found.types or None,
            enable_categorical=True,
            nthread=1,
        )
        return booster.predict(data, iteration_range=rounds)


def matrix(found: Stored, rows: Sequence[Sequence[Any]], missing: float) -> Matrix:
    """Rows as the model's library takes them."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(found.columns)
    if any(column.categories is not None and not column.unseen for column in found.columns):
        return Matrix(found, _frame(found, columns), missing)
    numbers = [_numbers(c, values) for c, values in zip(found.columns, columns, strict=True)]
    return Matrix(found, numpy.column_stack(numbers), missing)


def _numbers(column: Column, values: Sequence[Any]) -> Any:
    beyond = len(column.categories or ())
    known = [beyond if value is OTHER else value for value in values]
    return numpy.array([numpy.nan if is_missing(v) else float(v) for v in known], numpy.float64)


def _frame(found: Stored, columns: Sequence[Sequence[Any]]) -> Any:
    import pandas

    made = {}
    for column, values in zip(found.columns, columns, strict=True):
        if column.categories is None or column.unseen:
            made[column.name] = _numbers(column, values)
        else:
            known = [None if is_missing(value) else value for value in values]
            made[column.name] = pandas.Categorical(known, categories=list(column.categories))
    return pandas.DataFrame(made)

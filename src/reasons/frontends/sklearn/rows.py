"""Rows of raw values as scikit-learn's `predict` takes them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from reasons.ensembles.inputs import Rows, numbers
from reasons.ensembles.ir import Column
from reasons.errors import InputError
from reasons.features.values import is_missing
from reasons.frontends.options import Options
from reasons.frontends.sklearn.gradient_boosting import Codes


def column_names(model: Any, options: Options) -> tuple[str, ...]:
    """The names that the model was fitted with, or those of the options, or x0, x1, ..."""
    fitted = own_names(model)
    names = tuple(
        options.column_names(fitted or [f"x{number}" for number in range(model.n_features_in_)])
    )
    if fitted and fitted != names:
        raise InputError("names differ from the columns' names that the model was fitted with")
    return names


def own_names(model: Any) -> tuple[str, ...] | None:
    """The names of the columns that the model was fitted with, if they had names."""
    found = getattr(model, "feature_names_in_", None)
    return None if found is None else tuple(map(str, found))


def described(
    names: Sequence[str], codes: Mapping[int, Codes], missing: bool
) -> tuple[Column, ...]:
    """The columns; a category that the model has not met is accepted, as a missing one."""
    return tuple(
        Column(name, codes[number].values, missing=missing, unseen=True)
        if number in codes
        else Column(name, missing=missing)
        for number, name in enumerate(names)
    )


class Table:
    """Makes arrays, or data frames where the model was fitted with names."""

    def __init__(self, model: Any, codes: Mapping[int, Codes]) -> None:
        self._names, self._codes = own_names(model), codes
        self._count = int(model.n_features_in_)

    def __call__(self, rows: Rows) -> Any:
        """What `predict` is given for these rows."""
        columns = [self._column(k, [row[k] for row in rows]) for k in range(self._count)]
        if self._names is not None:
            return self._frame(columns)
        if all(column.dtype == float for column in columns):
            return numpy.column_stack(columns)
        return numpy.column_stack([column.astype(object) for column in columns])

    def _frame(self, columns: list[Any]) -> Any:
        try:
            from pandas import DataFrame
        except ImportError:
            raise InputError(
                "the model was fitted on a data frame; install pandas to ask it"
            ) from None
        return DataFrame(dict(enumerate(columns))).set_axis(list(self._names or ()), axis=1)

    def _column(self, number: int, values: list[Any]) -> Any:
        if number not in self._codes:
            return numbers(values)
        codes = self._codes[number]
        known = set(codes.values)
        other = _unseen(codes)
        kept = [
            math.nan if is_missing(value) else value if value in known else other
            for value in values
        ]
        return numpy.array(kept, float if codes.numeric else object)


def _unseen(codes: Codes) -> Any:
    """A value that is not among the categories."""
    if codes.numeric:
        return max((abs(float(value)) for value in codes.values), default=0.0) * 2 + 1
    return "other" + "".join(str(value) for value in codes.values)

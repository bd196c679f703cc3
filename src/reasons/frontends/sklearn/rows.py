"""Tables for scikit-learn's `predict`, from rows of raw values."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

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
    names = getattr(model, "feature_names_in_", None)
    return None if names is None else tuple(map(str, names))


def described(
    names: Sequence[str], codes: Mapping[int, Codes], missing: bool
) -> tuple[Column, ...]:
    """The columns; unseen categories are accepted, as missing values."""
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
        """The table that `predict` takes for these rows."""
        columns = [self._column(k, [row[k] for row in rows]) for k in range(self._count)]
        return table_of(columns, self._names)

    def _column(self, number: int, values: list[Any]) -> Any:
        if number not in self._codes:
            return numbers(values)
        codes = self._codes[number]
        known, unseen = set(codes.values), unseen_value(codes.values, codes.numeric)
        encoded = [
            math.nan if is_missing(value) else value if value in known else unseen
            for value in values
        ]
        return numpy.array(encoded, float if codes.numeric else object)


def table_of(columns: Sequence[NDArray[Any]], names: Sequence[str] | None) -> Any:
    """Columns as a data frame, or as an array where they have no names."""
    if names is None:
        are_numbers = all(column.dtype != object for column in columns)
        return numpy.column_stack([c.astype(float if are_numbers else object) for c in columns])
    try:
        from pandas import DataFrame, Series
    except ImportError:
        raise InputError("the model was fitted on a data frame; install pandas to ask it") from None
    # A series keeps its dtype; a frame would turn objects into texts, and None into NaN.
    made = {at: Series(column, dtype=column.dtype) for at, column in enumerate(columns)}
    return DataFrame(made).set_axis(list(names), axis=1)


def unseen_value(categories: Sequence[Any], numeric: bool) -> Any:
    """A value that is none of the categories, of their type."""
    if numeric:
        return max(map(abs, categories), default=0) * 2 + 1
    return "other" + "".join(map(str, categories))

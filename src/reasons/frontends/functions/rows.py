"""Raw values of cells, and rows of them as a predict function takes them."""

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy
from numpy.typing import NDArray

from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.values import OTHER, is_missing
from reasons.frontends.cell_values import numbers_within

Shape = Literal["frame", "array", "mappings", "mapping"]
SHAPES: tuple[Shape, ...] = ("frame", "array", "mappings", "mapping")


class Rows:
    """Makes frames, arrays or mappings of a schema's raw values."""

    def __init__(self, schema: Schema, shape: Shape) -> None:
        self.schema, self.shape = schema, shape
        self._raw = [
            self._column(feature, [feature.raw(cell) for cell in range(len(feature.values))])
            for feature in schema
        ]

    def of_cells(self, cells: Sequence[NDArray[Any]]) -> Any:
        """One row for each place of the columns of cells."""
        return self._table([raw[column] for raw, column in zip(self._raw, cells, strict=True)])

    def of_values(self, rows: Sequence[Sequence[Any]]) -> Any:
        """The raw values."""
        columns = zip(*rows, strict=True)
        return self._table([self._column(f, c) for f, c in zip(self.schema, columns, strict=True)])

    def _column(self, feature: Feature, values: Sequence[Any]) -> NDArray[Any]:
        plain = [_plain(feature, value) for value in values]
        if self.shape in ("frame", "array"):
            return _typed(plain, feature.kind == "numeric" and not feature.whole)
        column = numpy.empty(len(plain), object)
        column[:] = plain
        return column

    def _table(self, columns: list[NDArray[Any]]) -> Any:
        names = self.schema.names
        if self.shape == "frame":
            from pandas import DataFrame

            return DataFrame(dict(zip(names, columns, strict=True)))
        if self.shape == "array":
            return numpy.column_stack(columns)
        every = zip(*(column.tolist() for column in columns), strict=True)
        return [dict(zip(names, values, strict=True)) for values in every]


def _plain(feature: Feature, value: Any) -> Any:
    """A value that others know too: None for a missing one, an unseen one for *other*."""
    if value is OTHER:
        return unseen(feature)
    if is_missing(value):
        return None
    return bool(value) if feature.kind == "boolean" else value


def _typed(values: list[Any], floats: bool) -> NDArray[Any]:
    """A column of numbers or truths if it can be one; a missing number is not-a-number."""
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return numpy.array(values, bool)
    if kinds == {int} and not floats and max(map(abs, values)) < 1 << 63:
        return numpy.array(values, numpy.int64)
    if kinds <= {int, float, type(None)} and (floats or kinds != {type(None)}):
        return numpy.array([math.nan if value is None else value for value in values], float)
    column = numpy.empty(len(values), object)
    column[:] = values
    return column


def unseen(feature: Feature, another: bool = False) -> Any:
    """A value that is not among a feature's, and another one."""
    known = [value for value in feature.values if value is not OTHER and not is_missing(value)]
    if known and all(isinstance(value, int | float) for value in known):
        return max(map(abs, known)) * 2 + 1 + another
    texts = "".join(map(str, known))
    return f"another{texts}" if another else f"other{texts}"


def within_cell(feature: Feature, cell: int) -> list[Any]:
    """Raw values all over a cell, its representative first."""
    if feature.values[cell] is OTHER:
        return [feature.raw(cell), unseen(feature, another=True)]
    return numbers_within(feature, cell)

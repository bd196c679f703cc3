"""Rows of a frame, an array or a list, as cells."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from reasons.errors import InputError, listed, shown
from reasons.features import Feature, Schema
from reasons.terms import instance_of


def cells_of_rows(schema: Schema, rows: Any) -> "tuple[array[int], int]":
    """The cells of all rows, row after row, and the number of rows.

    A frame is read by column name (other columns are left alone), an array or a list of
    sequences in feature order, a list of mappings by name.
    """
    if hasattr(rows, "columns"):
        return _from_columns(schema, rows)
    instances = [instance_of(schema, row) for row in _listed_rows(rows)]
    return array("H", (cell for i in instances for cell in i.cells)), len(instances)


def _listed_rows(rows: Any) -> Sequence[Any]:
    if hasattr(rows, "ndim") and rows.ndim != 2:
        raise InputError(f"rows are a table; this array has {rows.ndim} dimensions")
    if isinstance(rows, str) or not isinstance(rows, Iterable):
        raise InputError("rows are a frame, an array or a list; for one instance use decide()")
    return rows.tolist() if hasattr(rows, "tolist") else list(rows)


def _from_columns(schema: Schema, frame: Any) -> "tuple[array[int], int]":
    import numpy

    names = list(frame.columns)
    absent = [name for name in schema.names if name not in names]
    if absent:
        raise InputError(f"the frame lacks the columns: {listed(absent)}; it has: {listed(names)}")
    if len(schema) == 0:
        return array("H"), len(frame)
    table = numpy.empty((len(frame), len(schema)), dtype=numpy.uint16)
    for i, feature in enumerate(schema):
        table[:, i] = _column(feature, frame[feature.name])
    return array("H", table.tobytes()), len(frame)


def _column(feature: Feature, column: Any) -> list[int]:
    """The cells of one column; a value that was met before is looked up, not worked out."""
    known: dict[Any, int] = {}
    cells = []
    for row, value in enumerate(column):
        try:
            cell = known.get(value)
            if cell is None:
                cell = known[value] = feature.cell(value)
        except InputError as error:
            raise InputError(f"row {row}: {error}") from None
        except TypeError:
            what = f"feature {feature.name!r} has no value {shown(value)}"
            raise InputError(f"row {row}: {what}") from None
        cells.append(cell)
    return cells

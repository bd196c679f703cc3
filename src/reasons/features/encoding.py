"""Rows of a frame, an array or a list, as cells."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from reasons import _core
from reasons.errors import InputError, Option
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.terms import instance_of
from reasons.features.values import MISSING, is_missing
from reasons.text import did_you_mean, short_repr


def cells_of_rows(schema: Schema, rows: Any) -> "tuple[array[int], int]":
    """The cells of all rows, row after row, and the number of rows.

    A frame is read by column name (other columns are left alone), an array or a list of
    sequences in feature order, a list of mappings by name.
    Cost: of columns of numbers, one binary search a value.
    """
    if hasattr(rows, "columns"):
        return _from_frame(schema, rows)
    if hasattr(rows, "__array_interface__") and rows.ndim == 2 and rows.shape[1] == len(schema):
        return _from_columns(schema, [rows[:, i] for i in range(len(schema))], len(rows))
    instances = [instance_of(schema, row) for row in _listed_rows(rows)]
    return array("H", (cell for i in instances for cell in i.cells)), len(instances)


def _listed_rows(rows: Any) -> Sequence[Any]:
    if hasattr(rows, "ndim") and rows.ndim != 2:
        raise InputError(f"rows are a table; this array has {rows.ndim} dimensions")
    if isinstance(rows, str) or not isinstance(rows, Iterable):
        raise InputError("rows are a frame, an array or a list; for one instance use decide()")
    return rows.tolist() if hasattr(rows, "tolist") else list(rows)


def _from_frame(schema: Schema, frame: Any) -> "tuple[array[int], int]":
    names = list(frame.columns)
    absent = [name for name in schema.names if name not in names]
    if absent:
        is_renamed = set(absent) <= {str(name).replace(" ", "_") for name in names}
        by_lightgbm = " (LightGBM puts _ for spaces; compile with {option})"
        raise InputError(
            "the frame lacks the columns: {absent}"
            + (by_lightgbm if is_renamed else "{hint}")
            + "; it has: {known}",
            absent=absent,
            hint=did_you_mean(absent, set(names) - set(schema.names)),
            option=Option("names", text="list(frame.columns)"),
            known=names,
        )
    return _from_columns(schema, [frame[name] for name in schema.names], len(frame))


def _from_columns(schema: Schema, columns: list[Any], rows: int) -> "tuple[array[int], int]":
    import numpy

    if len(schema) == 0:
        return array("H"), rows
    table = numpy.empty((rows, len(schema)), dtype=numpy.uint16)
    for i, (feature, column) in enumerate(zip(schema, columns, strict=True)):
        found = _number_cells(feature, column) if feature.kind == "numeric" else None
        table[:, i] = _column(feature, column) if found is None else found
    return array("H", table.tobytes()), rows


def _number_cells(feature: Feature, column: Any) -> Any:
    """The cells of a column of numbers, all at once; None where it is not only numbers."""
    import numpy

    kind = getattr(getattr(column, "dtype", None), "kind", "O")
    values = numpy.asarray(column) if kind in "biuf" else numpy.empty(0, object)
    if values.dtype.kind not in "biuf" or values.ndim != 1:
        return None
    return cells_of_numbers(feature, values)


def cells_of_numbers(feature: Feature, values: Any) -> Any:
    """The cells of an array of numbers; None where one of them has no cell."""
    import numpy

    numbers = numpy.ascontiguousarray(values, dtype=numpy.float64)
    if not _all_allowed(feature, numbers):
        return None
    if values.dtype.kind in "iu" and values.itemsize > 4 and _are_inexact(feature, values, numbers):
        return None  # looked at one by one: which of them has a cell of its own
    cuts = numpy.array(feature.cuts, dtype=numpy.float64)
    below, single = feature.closed == "right", feature.cast == "float32"
    return numpy.frombuffer(_core.cells_of_numbers(numbers, cuts, below, single), numpy.uint16)


def _are_inexact(feature: Feature, whole: Any, numbers: Any) -> bool:
    """Whether some whole numbers may be on another side of a cut once they are float64."""
    import numpy

    if feature.cast == "float32":
        return bool((whole.astype(numpy.float32) != numbers.astype(numpy.float32)).any())
    large = any(abs(cut) >= 2**53 for cut in feature.cuts)
    return large and bool((numpy.abs(numbers) >= 2.0**53).any())


def _all_allowed(feature: Feature, numbers: Any) -> bool:
    """Whether `feature.allows` every number, and those that are none may be missing."""
    import numpy

    absent = numpy.isnan(numbers)
    if MISSING not in feature.values and absent.any():
        return False
    if (
        feature.whole
        and not (numpy.isfinite(numbers) & (numbers == numpy.floor(numbers)))[~absent].all()
    ):
        return False
    low, high = feature.within or (-numpy.inf, numpy.inf)
    return bool((((low <= numbers) & (numbers <= high)) | absent).all())


def _is_all_texts(column: Any) -> bool:
    """Whether the values that are there are texts, and there are some."""
    present = [value for value in column if not is_missing(value)]
    return bool(present) and all(isinstance(value, str) for value in present)


def _column(feature: Feature, column: Any) -> list[int]:
    """The cells of one column; a value that was met before is looked up, not worked out."""
    if feature.kind == "numeric" and _is_all_texts(column):
        raise InputError(
            f"column {feature.name!r} holds texts, where the model takes a {feature.range_text()}: "
            "make numbers of them, with pandas.to_numeric(frame[column]), or in polars with "
            "frame[column].cast(polars.Float64)"
        )
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
            what = f"feature {feature.name!r} has no value {short_repr(value)}"
            raise InputError(f"row {row}: {what}") from None
        cells.append(cell)
    return cells

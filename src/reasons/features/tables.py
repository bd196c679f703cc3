"""Tables of rows as matrices of cells: frames, arrays, lists of rows, and Arrow batches.

Columns of numbers are looked up all at once; of other columns, each distinct value once. What the
values mean is decided in `cells.py`. A table that is predicted is refused at its first bad value;
a batch of an audit reports the row and continues.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from reasons.errors import InputError, Option
from reasons.features.cells import cells_of_numbers, cells_of_values, texts_for_numbers
from reasons.features.csv_values import EXACT, NA, stored_value
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.terms import Instance, instance_of
from reasons.text import did_you_mean, short_repr

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

TEXTS = b"reasons.features.csv_values"
"""Key in a schema's metadata: all values are texts, as in a CSV file."""

Problems = dict[int, str]
Unseen = dict[int, tuple[Any, list[str]]]
"""Feature -> the rows (an array) whose value there was never seen, and these values as texts."""
_MOST_CELLS = 1 << 24  # in a matrix of cells; wide tables are taken in fewer rows at once


def require_columns(names: Sequence[Any], wanted: Sequence[str], where: str) -> None:
    """Raise `InputError` unless every wanted column is there, once."""
    absent = [name for name in wanted if name not in names]
    if absent:
        is_renamed = set(absent) <= {str(name).replace(" ", "_") for name in names}
        by_lightgbm = " (LightGBM puts _ for spaces; compile with {option})"
        raise InputError(
            "{where} lacks the columns: {absent}"
            + (by_lightgbm if is_renamed else "{hint}")
            + "; it has: {known}",
            where=where,
            absent=absent,
            hint=did_you_mean(absent, set(names) - set(wanted)),
            option=Option("names", text="list(frame.columns)"),
            known=list(names),
        )
    twice = [name for name in wanted if names.count(name) > 1]
    if twice:
        raise InputError(f"{where} has the column {twice[0]!r} twice")


def cells_of_rows(schema: Schema, rows: Any) -> "tuple[array[int], int]":
    """The cells of all rows, row after row, and the number of rows.

    A frame is read by column name (other columns are left alone), an array or a list of
    sequences in feature order, a list of mappings by name. `InputError` names the first value
    that has no cell.
    Cost: of columns of numbers, one binary search a value.
    """
    if hasattr(rows, "columns"):
        require_columns(list(rows.columns), schema.names, "the frame")
        return _of_columns(schema, [rows[name] for name in schema.names], len(rows))
    if hasattr(rows, "__array_interface__") and rows.ndim == 2 and rows.shape[1] == len(schema):
        return _of_columns(schema, [rows[:, i] for i in range(len(schema))], len(rows))
    instances = [instance_of(schema, row) for row in _listed_rows(rows)]
    return array("H", (cell for i in instances for cell in i.cells)), len(instances)


def _listed_rows(rows: Any) -> Sequence[Any]:
    if hasattr(rows, "ndim") and rows.ndim != 2:
        raise InputError(f"rows are a table; this array has {rows.ndim} dimensions")
    if isinstance(rows, str) or not isinstance(rows, Iterable):
        raise InputError("rows are a frame, an array or a list; for one instance use decide()")
    return rows.tolist() if hasattr(rows, "tolist") else list(rows)


def _of_columns(schema: Schema, columns: list[Any], rows: int) -> "tuple[array[int], int]":
    import numpy as np

    if len(schema) == 0:
        return array("H"), rows
    table = np.empty((rows, len(schema)), dtype=np.uint16)
    for i, (feature, column) in enumerate(zip(schema, columns, strict=True)):
        cells = _of_number_column(feature, column)
        table[:, i] = _of_object_column(feature, column) if cells is None else cells
    return array("H", table.tobytes()), rows


def _of_number_column(feature: Feature, column: Any) -> Any:
    """The cells of a column of numbers, or None where it is not only numbers that are allowed."""
    import numpy as np

    kind = getattr(getattr(column, "dtype", None), "kind", "O")
    if feature.kind != "numeric" or kind not in "biuf":
        return None
    values = np.asarray(column)
    is_plain = values.dtype.kind in "biuf" and values.ndim == 1
    return cells_of_numbers(feature, values) if is_plain else None


def _of_object_column(feature: Feature, column: Any) -> "np.ndarray":
    """The cells of any column, or `InputError` with the first row that has none."""
    import numpy as np

    # Texts of equal numbers may differ: 2**60 and 2.0**60 are one key, and two texts.
    rows = list(column)
    keys = [(type(value), value) for value in rows] if feature.as_text else rows
    try:
        place_of = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    except TypeError:
        row = next(i for i, value in enumerate(rows) if not _is_hashable(value))
        what = f"feature {feature.name!r} has no value {short_repr(rows[row])}"
        raise InputError(f"row {row}: {what}") from None
    places = np.fromiter(map(place_of.__getitem__, keys), np.int64, len(keys))
    values = {at: key[1] if feature.as_text else key for key, at in place_of.items()}
    if (error := texts_for_numbers(feature, values)) is not None:
        raise error
    found = cells_of_values(feature, values)
    for row in _rows_at(places, found.problems):
        raise InputError(f"row {row}: {found.problems[int(places[row])]}")
    return _taken(found.cells, places)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


class Binned(NamedTuple):
    """The cells of all rows as a matrix, why some rows have none, and values never seen."""

    cells: "np.ndarray"
    problems: Problems
    unseen: Unseen


def pieces(schema: Schema, batch: "pa.RecordBatch") -> "Iterator[tuple[int, pa.RecordBatch]]":
    """A batch in pieces whose cells fit into memory, with the row at which each starts."""
    step = max(512, _MOST_CELLS // max(1, len(schema)))
    return ((at, batch.slice(at, step)) for at in range(0, max(1, batch.num_rows), step))


def say(problems: Problems, row: int, why: str) -> None:
    """Add a problem of a row to those it has."""
    problems[row] = f"{problems[row]}; {why}" if row in problems else why


def cells_of_batch(schema: Schema, batch: "pa.RecordBatch") -> Binned:
    """The cells of all rows.

    Cost: of columns of numbers, one binary search a value.
    """
    import numpy as np

    table = np.zeros((batch.num_rows, len(schema)), dtype=np.uint16)
    problems: Problems = {}
    unseen: Unseen = {}
    in_text = TEXTS in (batch.schema.metadata or {})
    for i, feature in enumerate(schema):
        column = _arrow_column(batch, feature.name)
        cells = _of_arrow_numbers(feature, _parsed(feature, column) if in_text else column)
        if cells is None:
            cells, wrong, strange = _of_arrow_values(feature, column, in_text)
            for row, why in wrong.items():
                problems.setdefault(row, why)
            if len(strange[0]):
                unseen[i] = strange
        table[:, i] = cells
    return Binned(table, problems, unseen)


def instance_at(schema: Schema, rows: "pa.RecordBatch | pa.Table", at: int) -> Instance:
    """One row of stored data as an instance, or `InputError` that says what is wrong with it."""
    in_text = TEXTS in (rows.schema.metadata or {})
    values = [
        stored_value(feature, rows.column(feature.name)[at].as_py(), in_text) for feature in schema
    ]
    return instance_of(schema, values)


def _arrow_column(batch: "pa.RecordBatch", name: str) -> "pa.Array":
    at = batch.schema.get_field_index(name)
    if at < 0:
        require_columns(batch.schema.names, (name,), "the data")
    return batch.column(at)


def _of_arrow_numbers(feature: Feature, column: "pa.Array") -> Any:
    """The cells of a column of numbers, or None where it is not only numbers that are allowed."""
    import pyarrow as pa

    kind = column.type
    if feature.kind != "numeric" or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return None
    if _rounds(column):
        return None
    if pa.types.is_float16(kind):
        column = column.cast(pa.float32())
    return cells_of_numbers(feature, column.to_numpy(zero_copy_only=False))  # nulls become NaN


def _rounds(column: "pa.Array") -> bool:
    """Whether there are whole numbers that a float would round."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_integer(column.type) or column.type.bit_width < 64:
        return False
    ends = pc.min_max(column).as_py()
    return any(end is not None and abs(end) > EXACT for end in ends.values())


def _parsed(feature: Feature, column: "pa.Array") -> "pa.Array":
    """A column of texts as numbers, if they all plainly are; those that mean missing are null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if feature.kind != "numeric":
        return column
    absent = pc.is_in(column, pa.array(sorted(NA), column.type))
    try:
        numbers = pc.if_else(absent, None, column).cast(pa.float64())
    except pa.ArrowInvalid:
        return column
    plain = pc.all(pc.less(pc.abs(numbers), EXACT)).as_py()  # not so of not-a-number
    return column if plain is False else numbers


def _of_arrow_values(
    feature: Feature, column: "pa.Array", in_text: bool
) -> "tuple[np.ndarray, Problems, tuple[np.ndarray, list[str]]]":
    """The cells of any column, why some rows have none, and the unseen values with their rows."""
    import numpy as np

    places, values = encoded(column, feature.name)
    used = {place: values[place] for place in np.unique(places).tolist()}
    _require_no_bytes(feature, used)
    error = None if in_text else texts_for_numbers(feature, used)
    for place, value in used.items():
        try:
            if error is not None and isinstance(value, str):
                raise error
            used[place] = stored_value(feature, value, in_text)
        except InputError as why:
            used[place] = why
    found = cells_of_values(feature, used)
    wrong = _rows_at(places, found.problems)
    unseen = _rows_at(places, found.unseen)
    return (
        _taken(found.cells, places),
        {int(row): found.problems[int(places[row])] for row in wrong},
        (unseen, list(map(found.unseen.__getitem__, places[unseen].tolist()))),
    )


def _require_no_bytes(feature: Feature, values: Mapping[int, Any]) -> None:
    """Raise `InputError` for bytes where texts are expected: each would be an unseen value."""
    first = next((value for value in values.values() if isinstance(value, bytes)), None)
    if first is not None and not any(isinstance(value, bytes) for value in feature.values):
        raise InputError(
            f"column {feature.name!r} holds bytes ({short_repr(first)}), and the feature has no "
            "such values; cast it to texts"
        )


def _taken(cells: Mapping[int, int], places: "np.ndarray") -> "np.ndarray":
    """Each row's cell, by the place of its value."""
    import numpy as np

    table = np.zeros(max(cells, default=0) + 1, dtype=np.uint16)
    table[list(cells)] = list(cells.values())
    return np.asarray(table[places])


def _rows_at(places: "np.ndarray", wanted: Mapping[int, Any]) -> "np.ndarray":
    """The rows whose place is one of these."""
    import numpy as np

    return np.flatnonzero(np.isin(places, list(wanted))) if wanted else np.zeros(0, np.int64)


def encoded(column: "pa.Array", name: str) -> "tuple[np.ndarray, list[Any]]":
    """The values that a column may have, the last one None, and which of them each row has."""
    import numpy as np
    import pyarrow as pa

    try:
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        values = column.dictionary.to_pylist()
    except (pa.ArrowException, ValueError, OverflowError) as error:
        what = f"its type {column.type} cannot be read ({error})"
        raise InputError(f"column {name!r}: {what}; make it texts or numbers") from None
    places = column.indices.cast(pa.int64()).fill_null(len(values))
    return np.asarray(places), [*values, None]

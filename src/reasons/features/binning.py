"""Arrow columns as cells: a binary search for numbers, a table of the values met for others.

A value that has no cell is no error here: its row is reported, and the others go on.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from reasons.errors import InputError
from reasons.features.csv_values import EXACT, NA, require_exact, value_of_text
from reasons.features.encoding import cells_of_numbers
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.values import OTHER, is_missing
from reasons.text import comma_list, did_you_mean

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

TEXTS = b"reasons.features.csv_values"
"""Key in a schema's metadata: all values are texts, as in a CSV file."""

Problems = dict[int, str]
Unseen = dict[int, tuple[Any, list[str]]]
"""Feature -> the rows (an array) whose value there was never seen, and these values as texts."""
_LONGEST = 200  # characters of a value that was never seen
_MOST_CELLS = 1 << 24  # in a matrix of cells; wide tables are taken in fewer rows at once


def pieces(schema: Schema, batch: "pa.RecordBatch") -> "Iterator[tuple[int, pa.RecordBatch]]":
    """A batch in pieces whose cells fit into memory, with the row at which each starts."""
    step = max(512, _MOST_CELLS // max(1, len(schema)))
    return ((at, batch.slice(at, step)) for at in range(0, max(1, batch.num_rows), step))


def say(problems: Problems, row: int, why: str) -> None:
    """Add a problem of a row to those it has."""
    problems[row] = f"{problems[row]}; {why}" if row in problems else why


class Binned(NamedTuple):
    """The cells of all rows as a matrix, why some rows have none, and values never seen."""

    cells: "np.ndarray"
    problems: Problems
    unseen: Unseen


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
        column = batch.column(_index(batch, feature.name))
        found = _of_numbers(feature, _parsed(feature, column) if in_text else column)
        if found is None:
            found, wrong, strange = _of_values(feature, column, in_text)
            for row, why in wrong.items():
                problems.setdefault(row, why)
            if len(strange[0]):
                unseen[i] = strange
        table[:, i] = found
    return Binned(table, problems, unseen)


def require_columns(names: "list[str]", wanted: "tuple[str, ...]", where: str) -> None:
    """Raise `InputError` unless every wanted column is there, once."""
    absent = [name for name in wanted if name not in names]
    if absent:
        hint = did_you_mean(absent, set(names) - set(wanted))
        raise InputError(
            f"{where} lacks the columns: {comma_list(absent)}{hint}; it has: {comma_list(names)}"
        )
    twice = [name for name in wanted if names.count(name) > 1]
    if twice:
        raise InputError(f"{where} has the column {twice[0]!r} twice")


def _index(batch: "pa.RecordBatch", name: str) -> int:
    found: int = batch.schema.get_field_index(name)
    if found < 0:
        require_columns(batch.schema.names, (name,), "the data")
    return found


def _of_numbers(feature: Feature, column: "pa.Array") -> Any:
    """The cells of a column of numbers, or None where it is not only numbers it allows."""
    import numpy as np
    import pyarrow as pa

    kind = column.type
    if feature.kind != "numeric" or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return None
    if _rounds(column):
        return None
    if pa.types.is_float16(kind):
        column = column.cast(pa.float32())
    if column.null_count == 0:
        return cells_of_numbers(feature, column.to_numpy(zero_copy_only=False))
    absent = np.asarray(column.is_null())
    numbers = column.fill_null(0).to_numpy(zero_copy_only=False).astype(np.float64)
    numbers[absent] = np.nan
    return cells_of_numbers(feature, numbers)


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
    plain = pc.all(pc.less_equal(pc.abs(numbers), EXACT)).as_py()  # not so of not-a-number
    return column if plain is False else numbers


def _of_values(
    feature: Feature, column: "pa.Array", in_text: bool
) -> "tuple[np.ndarray, Problems, tuple[np.ndarray, list[str]]]":
    """The cells of any column: each value that occurs is looked up once."""
    import numpy as np

    _require_no_bytes(feature, column)
    places, values = encoded(column, feature.name)
    cells, wrong, unseen = np.zeros(len(values), dtype=np.uint16), {}, dict[int, str]()
    for place in np.unique(places):
        try:
            value = value_of(feature, values[place], in_text)
            _require_no_text(feature, value, in_text)
            if _is_unseen(feature, value):
                unseen[int(place)] = _text(value)
            cells[place] = feature.cell(value)
        except InputError as error:
            wrong[int(place)] = str(error)
    at = np.flatnonzero(np.isin(places, list(wrong))) if wrong else ()
    problems = {int(row): wrong[int(places[row])] for row in at}
    rows = np.flatnonzero(np.isin(places, list(unseen)))
    return cells[places], problems, (rows, [unseen[place] for place in places[rows].tolist()])


def _is_unseen(feature: Feature, value: Any) -> bool:
    """Whether it is a category that the model does not have; nothing at all is none."""
    if feature.kind != "categorical" or is_missing(value):
        return False
    try:
        return feature.values[feature.cell(value)] is OTHER
    except InputError:
        return True


def _text(value: Any) -> str:
    """A value as text, cut short: memory must not hang on how long texts are."""
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _require_no_bytes(feature: Feature, column: "pa.Array") -> None:
    """Raise `InputError` for bytes where texts are meant, which would all be other values."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    is_bytes = pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view
    found = any(test(kind) for test in (*is_bytes, pa.types.is_fixed_size_binary))
    if found and not any(isinstance(value, bytes) for value in feature.values):
        raise InputError(
            f"column {feature.name!r} holds bytes ({kind}), and the feature has no such values; "
            "cast it to texts"
        )


def _require_no_text(feature: Feature, value: Any, in_text: bool) -> None:
    """Raise `InputError` for a text where there are numbers; the same one for all of a column."""
    if feature.kind == "numeric" and isinstance(value, str) and not in_text:
        raise InputError(
            f"column {feature.name!r} holds texts, where the feature takes a number; make numbers "
            "of them, with pandas.to_numeric or in polars with cast"
        )


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


def value_of(feature: Feature, value: Any, in_text: bool) -> Any:
    """A raw value, of a text in a file what it says; `InputError` where it is not sure."""
    if in_text and value is not None:
        return value_of_text(feature, value)
    require_exact(feature, value)
    return value

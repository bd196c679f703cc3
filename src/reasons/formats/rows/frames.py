"""Data in memory as an Arrow table: frames, Arrow's own, and lists of mappings."""

from typing import TYPE_CHECKING, Any

from reasons.errors import InputError
from reasons.text import short_repr

if TYPE_CHECKING:
    import pyarrow as pa


def arrow_table(data: Any) -> "pa.Table":
    """Data in memory as an Arrow table, with room for all categories."""
    return widened(_table(data))


def _table(data: Any) -> "pa.Table":
    import pyarrow as pa

    try:
        if isinstance(data, pa.Table):
            return data
        if isinstance(data, pa.RecordBatch):
            return pa.Table.from_batches([data])
        if hasattr(data, "iloc") and hasattr(data, "columns"):
            return pa.Table.from_pandas(data, preserve_index=False)
        if hasattr(data, "__arrow_c_stream__"):
            return pa.table(data)
        if isinstance(data, list) and all(isinstance(row, dict) for row in data):
            names = dict.fromkeys(name for row in data for name in row)
            return pa.table({name: _column(data, name) for name in names})
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        what = "; ".join(map(str, error.args))
        hint = "; a column must be of one type: pandas.to_numeric makes numbers of texts"
        mixed = hint if isinstance(error, pa.ArrowTypeError | pa.ArrowInvalid) else ""
        raise InputError(f"the frame cannot be read through Arrow: {what}{mixed}") from None
    raise InputError(
        f"cannot audit {short_repr(type(data).__name__)}: give a pandas, polars or Arrow frame, or "
        "the name of a CSV, Parquet or Arrow file, or of a folder of them"
    )


def _column(rows: list[dict[str, Any]], name: str) -> "pa.Array":
    """A column of rows that are mappings; what Arrow says of it names the column."""
    import pyarrow as pa

    try:
        return pa.array([row.get(name) for row in rows], from_pandas=True)
    except (pa.ArrowTypeError, pa.ArrowInvalid) as error:
        raise type(error)(f"{error}; in the column {name!r}") from None


def widened(table: "pa.Table") -> "pa.Table":
    """A table whose columns of categories have room for the categories of all its chunks."""
    import pyarrow as pa

    for at, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type) and field.type.index_type.bit_width < 32:
            wide = [_wide(chunk) for chunk in table.column(at).chunks]
            kind = pa.dictionary(pa.int32(), field.type.value_type, field.type.ordered)
            table = table.set_column(at, field.with_type(kind), pa.chunked_array(wide, kind))
    return table


def _wide(chunk: "pa.Array") -> "pa.Array":
    import pyarrow as pa

    indices = chunk.indices.cast(pa.int32())
    return pa.DictionaryArray.from_arrays(indices, chunk.dictionary, ordered=chunk.type.ordered)

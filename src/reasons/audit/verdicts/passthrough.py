"""Columns of the data as the table of an audit holds them.

Arrow cannot take rows of every type, and a type that counts categories in a byte has no room for
those of all parts together: such columns are copied as the nearest type that can.
"""

from typing import TYPE_CHECKING

from reasons.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def copied_type(kind: "pa.DataType") -> "pa.DataType":
    """The type that a column of a type is copied as: most often the same.

    >>> import pyarrow as pa
    >>> str(copied_type(pa.dictionary(pa.int8(), pa.string_view())))
    'dictionary<values=string, indices=int32, ordered=0>'
    """
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return pa.dictionary(pa.int32(), copied_type(kind.value_type), kind.ordered)
    if pa.types.is_run_end_encoded(kind):
        return copied_type(kind.value_type)
    return {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}.get(kind, kind)


def copied(column: "pa.Array", name: str) -> "pa.Array":
    """A column as it is copied, or `InputError` if its type cannot be.

    Categories are listed as they occur, so that they hang on its rows alone. Else they would
    hang on how the data was cut when it was written or read.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    try:
        if pa.types.is_run_end_encoded(kind):
            return copied(pc.run_end_decode(column), name)
        if not pa.types.is_dictionary(kind):
            return column.cast(copied_type(kind))
        values = copied(column.dictionary, name)
        plain = values.take(column.indices).dictionary_encode()
        return pa.DictionaryArray.from_arrays(plain.indices, plain.dictionary, ordered=kind.ordered)
    except (pa.ArrowException, ValueError, OverflowError) as error:
        raise _complaint(name, kind, error) from None


def taken(column: "pa.Array", rows: "pa.Array", name: str) -> "pa.Array":
    """Rows of a column that was copied."""
    import pyarrow as pa

    try:
        return column.take(rows)
    except pa.ArrowException as error:
        raise _complaint(name, column.type, error) from None


def _complaint(name: str, kind: "pa.DataType", error: Exception) -> InputError:
    what = " ".join(str(error).split())[:200]
    return InputError(f"the column {name!r} of type {kind} cannot be copied ({what}); cast it")

"""Files that are read together: one type for each column, or a clear refusal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reasons.errors import InputError
from reasons.formats.rows.files import FileReader

if TYPE_CHECKING:
    import pyarrow as pa


def require_same_kind(files: list[FileReader]) -> None:
    """Raise `InputError` if some files hold texts, whose meaning is found, and others types."""
    texts = [file for file in files if file.in_text]
    if texts and len(texts) < len(files):
        other = next(file for file in files if not file.in_text)
        what = "a CSV file has texts and the other one types, which are not read alike"
        raise InputError(f"{texts[0].path} and {other.path}: {what}; audit them apart")


def common_types(files: list[FileReader], columns: Sequence[str]) -> "pa.Schema":
    """The types that hold the values of all files as they are: often those of each."""
    import pyarrow as pa

    schema = files[0].schema(columns)
    for file in files[1:]:
        fields = []
        for one, other in zip(schema, file.schema(columns), strict=True):
            kind = _wider(one.type, other.type)
            if kind is None:
                what = f"the column {one.name!r} is {other.type}, and {one.type} in files before"
                raise InputError(f"{file.path}: {what}; write them with one type")
            fields.append(pa.field(one.name, kind))
        schema = pa.schema(fields, schema.metadata)
    return schema


def _wider(one: "pa.DataType", other: "pa.DataType") -> "pa.DataType | None":
    """The type to which values of both can be cast unchanged; None where there is none."""
    import numpy as np
    import pyarrow as pa

    if one.equals(other):
        return one
    one, other = (
        kind.value_type if pa.types.is_dictionary(kind) else kind for kind in (one, other)
    )
    if one.equals(other) or pa.types.is_null(other):
        return one
    if pa.types.is_null(one):
        return other
    if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in (one, other)):
        kinds = one.to_pandas_dtype(), other.to_pandas_dtype()
        return pa.from_numpy_dtype(np.promote_types(*kinds))
    tests = pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view
    if all(any(test(kind) for test in tests) for kind in (one, other)):
        return pa.large_string()
    return None


def cast_to_schema(
    batch: "pa.RecordBatch", schema: "pa.Schema", file: FileReader
) -> "pa.RecordBatch":
    """A batch with the types that all files have in common; its values stay as they are."""
    import pyarrow as pa

    if batch.schema.equals(schema):
        return batch.replace_schema_metadata(schema.metadata)
    columns = []
    for field, column in zip(schema, batch.columns, strict=True):
        try:
            columns.append(column.cast(field.type))
        except (pa.ArrowException, ValueError) as error:
            what = f"the column {field.name!r} cannot be {field.type} as in other files: {error}"
            raise InputError(f"{file.path}: {what}") from None
    return pa.RecordBatch.from_arrays(columns, schema=schema)

"""Columns of texts where the model takes numbers: one error, before any row is decided."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reasons.errors import InputError
from reasons.features.cells import MAKE_NUMBERS
from reasons.features.schema import Schema
from reasons.features.tables import TEXTS
from reasons.formats.rows.source import Source
from reasons.text import comma_list

if TYPE_CHECKING:
    import pyarrow as pa


def require_numbers(schema: Schema, source: Source, columns: Sequence[str]) -> None:
    """Raise `InputError` if a feature takes numbers, and every row has a text there.

    Or if one of the columns that are read is not there.

    Cells of CSV files are texts that features read, and pass. Cost: where a column has the wrong
    type, reading it up to the first row that has no value; such rows can be decided, and the
    others get a problem.
    """
    types = source.types(columns)
    if TEXTS in (types.metadata or {}):
        return
    numeric = [feature.name for feature in schema if feature.kind == "numeric"]
    wrong = [name for name in numeric if _is_text(types.field(name).type)]
    whole = [name for name in wrong if _is_whole(source, name)]
    if whole:
        hold = "column {} holds texts" if len(whole) == 1 else "columns {} hold texts"
        raise InputError(
            f"{hold.format(comma_list(map(repr, whole)))} in every row, where the model "
            f"takes numbers: {MAKE_NUMBERS}"
        )


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _is_whole(source: Source, name: str) -> bool:
    """Whether there are rows, and each has a value in the column."""
    rows = 0
    for batch in source.parts([name]):
        rows += batch.num_rows
        if batch.column(0).null_count:
            return False
    return rows > 0

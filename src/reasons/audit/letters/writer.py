"""Files of letters: CSV, lines of JSON, or Parquet, a batch at a time."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from reasons.audit.outputs.parquet_parts import parquet, put
from reasons.audit.outputs.paths import output_path
from reasons.errors import InputError
from reasons.views.values import json_value

if TYPE_CHECKING:
    import pyarrow as pa

Write = Callable[["pa.RecordBatch"], None]


def letters_file(path: str | os.PathLike[str]) -> Path:
    """The file that letters go to, or `InputError` if it is of no kind that can be written."""
    target = output_path(path)
    if target.suffix.lower() not in WRITERS:
        raise InputError(f"cannot write {target}: letters go to .csv, .jsonl or .parquet")
    return target


def _rows(batch: "pa.RecordBatch") -> Iterator[tuple[Any, ...]]:
    """The rows as Python values; `InputError` where a column has one that Python lacks."""
    columns = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            columns.append(column.to_pylist())
        except (ValueError, OverflowError) as error:  # Arrow's own are of the first
            raise InputError(
                "the column {value} of type {type} cannot be written ({error}); leave it out of "
                "{option}",
                value=name,
                type=column.type,
                error=str(error),
                option="keep",
            ) from None
    return zip(*columns, strict=True)


@contextmanager
def _as_csv(file: IO[bytes], schema: "pa.Schema") -> Iterator[Write]:
    def lines(rows: Iterable[Any]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text).writerows(rows)
        file.write(text.getvalue().encode("utf-8", "replace"))

    lines([schema.names])
    yield lambda batch: lines(_rows(batch))


@contextmanager
def _as_lines(file: IO[bytes], schema: "pa.Schema") -> Iterator[Write]:
    def write(batch: "pa.RecordBatch") -> None:
        for row in _rows(batch):
            plain = dict(zip(schema.names, map(json_value, row), strict=True))
            line = json.dumps(plain, ensure_ascii=False, allow_nan=False)
            file.write(f"{line}\n".encode("utf-8", "replace"))

    yield write


@contextmanager
def _as_parquet(file: IO[bytes], schema: "pa.Schema") -> Iterator[Write]:
    with parquet(file, schema) as writer:
        yield lambda batch: put(writer, batch)


WRITERS = {
    ".csv": _as_csv,
    ".jsonl": _as_lines,
    ".ndjson": _as_lines,
    ".parquet": _as_parquet,
    ".pq": _as_parquet,
}

"""CSV, Parquet and Arrow files as batches of rows, a little at a time.

A file is opened once: the handle that read its columns also reads its rows.
"""

import os
import re
import stat
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from reasons.errors import InputError
from reasons.features.tables import TEXTS, require_columns
from reasons.formats.read_csv import delimiter_of
from reasons.text import short_repr

if TYPE_CHECKING:
    import pyarrow as pa

_AT_ONCE = 1 << 16
_BLOCK = 8 << 20  # of a CSV file, in bytes; a line may not be longer


class FileReader(Protocol):
    """The rows of one file; `rows` is None where only reading it to the end tells how many.

    `names` are its columns; `in_text` says that all values are texts, as in a CSV file.
    """

    path: Path
    names: list[str]
    in_text: bool

    @property
    def rows(self) -> int | None:
        """How many there are, where that is known."""

    def release(self) -> None:
        """Close the file; reading its rows opens it again."""

    def schema(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns; raises `InputError` if one is not there."""

    def batches(self, columns: Sequence[str], skip: int) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns of all rows but the first `skip`."""


def reader_of(path: Path) -> FileReader:
    """The reader of a file, by its name."""
    kind = _kind(path)
    if kind is None:
        raise InputError(f"{path}: data is read from .csv, .tsv, .parquet, .arrow or .feather")
    with _errors_naming(path):
        reader: FileReader = kind(path)
    return reader


def is_readable(path: Path) -> bool:
    """Whether the name says that it is one of the files read here."""
    return _kind(path) is not None


def _kind(path: Path) -> Any:
    name = path.name.lower().removesuffix(".gz")
    return next((kind for ending, kind in _KINDS.items() if name.endswith(ending)), None)


def open_file(path: Path) -> "pa.NativeFile":
    """A regular file opened by Arrow; pipes are refused first, as they may never end."""
    import pyarrow as pa

    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InputError(f"cannot read {path}: it is a folder, pipe or device, not a file")
        return pa.OSFile(str(path))
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise InputError(f"cannot read {path}: {why}") from None
    except ValueError as error:
        raise InputError(f"cannot read {short_repr(str(path))}: {error}") from None


class _OpenedOnce:
    """A file whose first handle reads both its columns and its rows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: Any = open_file(path)

    def release(self) -> None:
        """Close the file; reading its rows opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @contextmanager
    def _from_start(self) -> "Iterator[pa.NativeFile]":
        """The handle that is open, or a new one where that was used."""
        opened, self._file = self._file, None
        with opened or open_file(self.path) as file:
            file.seek(0)
            yield file


class ParquetReader(_OpenedOnce):
    """A Parquet file; row groups are skipped without being read."""

    in_text = False

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq

        super().__init__(path)
        with pq.ParquetFile(self._file) as file:
            self._schema, about = file.schema_arrow, file.metadata
            self._groups = [about.row_group(i).num_rows for i in range(about.num_row_groups)]
        self.names = list(self._schema.names)
        self.rows: int | None = sum(self._groups)

    def schema(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns."""
        return _chosen(self._schema, columns, self.path)

    def batches(self, columns: Sequence[str], skip: int) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns of all rows but the first `skip`."""
        import pyarrow.parquet as pq

        group = 0
        while group < len(self._groups) and self._groups[group] <= skip:
            skip -= self._groups[group]
            group += 1
        wanted = list(self.schema(columns).names)
        with (
            _errors_naming(self.path),
            self._from_start() as source,
            pq.ParquetFile(source, buffer_size=1 << 20) as file,
        ):
            left = range(group, len(self._groups))
            read = file.iter_batches(_AT_ONCE, row_groups=left, columns=wanted)
            yield from _after(skip, (batch.select(wanted) for batch in read))


class ArrowReader(_OpenedOnce):
    """An Arrow file or stream; every batch is validated, as its bytes are used as they are."""

    in_text = False

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.rows: int | None = None
        with _arrow(self._file) as reader:
            self._schema = reader.schema
        self.names = list(self._schema.names)

    def schema(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns."""
        return _chosen(self._schema, columns, self.path)

    def batches(self, columns: Sequence[str], skip: int) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns of all rows but the first `skip`."""
        wanted = list(self.schema(columns).names)
        with _errors_naming(self.path), self._from_start() as file, _arrow(file) as reader:
            read = (_sound(each.select(wanted)) for each in _each(reader))
            self.rows = yield from _after(skip, read)


def _arrow(file: "pa.NativeFile") -> Any:
    """A reader of an Arrow file, or of a stream where it does not begin as a file does."""
    import pyarrow as pa

    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    return pa.ipc.open_file(file) if is_file else pa.ipc.open_stream(file)


def _each(reader: Any) -> "Iterator[pa.RecordBatch]":
    if hasattr(reader, "num_record_batches"):
        return (reader.get_batch(i) for i in range(reader.num_record_batches))
    return iter(reader)


def _sound(batch: "pa.RecordBatch") -> "pa.RecordBatch":
    batch.validate(full=True)
    return batch


class CsvReader(_OpenedOnce):
    """A CSV file. Its values stay texts here: features know what they mean."""

    in_text = True

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        super().__init__(path)
        self._zipped = path.name.lower().endswith(".gz")
        self.rows: int | None = None
        # Three blocks: the first one of a long file then ends with a line, and a line longer
        # than a block is refused. A reader of the file itself would read ahead of the rewind.
        # Of a copy, as a decompressor closes its file; compressed texts are hardly ever longer.
        start = pa.BufferReader(self._file.read((4 if self._zipped else 3) * _BLOCK))
        head = self._stream(start).read(3 * _BLOCK)
        first_line = re.split(rb"[\r\n]", head.lstrip(b"\r\n"), maxsplit=1)[0]
        header = first_line.decode("utf-8-sig", "replace")
        self._delimiter = delimiter_of(header, path.name) or ","
        with csv_batches(pa.BufferReader(head), self._delimiter) as reader:
            self.names = list(reader.schema.names)

    def _stream(self, file: "pa.NativeFile") -> "pa.NativeFile":
        import pyarrow as pa

        return pa.CompressedInputStream(file, "gzip") if self._zipped else file

    def schema(self, columns: Sequence[str]) -> "pa.Schema":
        """All columns are texts, as the metadata declare."""
        import pyarrow as pa

        require_columns(self.names, columns, str(self.path))
        return pa.schema([(name, pa.string()) for name in columns], metadata={TEXTS: b""})

    def batches(self, columns: Sequence[str], skip: int) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns of all rows but the first `skip`."""
        schema = self.schema(columns)
        with (
            _errors_naming(self.path),
            self._from_start() as file,
            csv_batches(self._stream(file), self._delimiter, columns or self.names) as reader,
        ):
            chosen = (each.select(schema.names) for each in reader)
            read = (each.replace_schema_metadata(schema.metadata) for each in chosen)
            self.rows = yield from _after(skip, read)


def csv_batches(stream: "pa.NativeFile", delimiter: str, columns: Sequence[str] = ()) -> Any:
    """Arrow's reader of a CSV stream, with these columns as texts; of no columns, to tell all."""
    import pyarrow as pa
    from pyarrow import csv

    return csv.open_csv(
        stream,
        csv.ReadOptions(block_size=_BLOCK),
        csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        csv.ConvertOptions(
            column_types={name: pa.string() for name in columns},
            include_columns=list(columns),
            strings_can_be_null=False,
        ),
    )


_KINDS = {
    ".csv": CsvReader,
    ".tsv": CsvReader,
    ".parquet": ParquetReader,
    ".pq": ParquetReader,
    ".arrow": ArrowReader,
    ".arrows": ArrowReader,
    ".feather": ArrowReader,
    ".ipc": ArrowReader,
}


def _chosen(schema: "pa.Schema", columns: Sequence[str], path: Path) -> "pa.Schema":
    import pyarrow as pa

    require_columns(schema.names, columns, str(path))
    return pa.schema([schema.field(name) for name in columns])


def _after(
    skip: int, batches: "Iterable[pa.RecordBatch]"
) -> "Generator[pa.RecordBatch, None, int]":
    """The rows of batches without the first `skip`; returns how many there are with them."""
    rows = 0
    for batch in batches:
        if rows + batch.num_rows > skip:
            yield batch.slice(max(0, skip - rows))
        rows += batch.num_rows
    return rows


@contextmanager
def _errors_naming(path: Path) -> Iterator[None]:
    """Turn Arrow's errors into `InputError` with the file's name."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        what = " ".join(str(error).split())
        raise InputError(f"cannot read {path}: {what[:300]}") from None

"""CSV, Parquet and Arrow files as batches of rows, a little at a time."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from reasons.errors import InputError
from reasons.features.binning import TEXTS, require_columns
from reasons.fs import open_regular

if TYPE_CHECKING:
    import pyarrow as pa

_AT_ONCE = 1 << 16
_BLOCK = 8 << 20  # of a CSV file, in bytes; a line may not be longer


class FileReader(Protocol):
    """The rows of one file; `rows` is None where only reading it to the end tells how many.

    `names` are its columns; `in_text` says that all values are texts, whose meaning is found.
    """

    path: Path
    names: list[str]
    in_text: bool

    @property
    def rows(self) -> int | None:
        """How many there are, where that is known."""

    def schema(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns; raises `InputError` if one is not there."""

    def batches(self, columns: Sequence[str], skip: int) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns of all rows but the first `skip`."""


def reader_of(path: Path) -> FileReader:
    """The reader of a file, by its name."""
    kind = _kind(path)
    if kind is None:
        raise InputError(f"{path}: data is read from .csv, .tsv, .parquet, .arrow or .feather")
    with open_regular(path), _complaining(path):
        found: FileReader = kind(path)
    return found


def is_readable(path: Path) -> bool:
    """Whether the name says that it is one of the files read here."""
    return _kind(path) is not None


def _kind(path: Path) -> Any:
    name = path.name.lower().removesuffix(".gz")
    return next((kind for ending, kind in _KINDS.items() if name.endswith(ending)), None)


class ParquetReader:
    """A Parquet file; row groups are skipped without being read."""

    in_text = False

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq

        self.path = path
        with pq.ParquetFile(path) as file:
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
        with _complaining(self.path), pq.ParquetFile(self.path, buffer_size=1 << 20) as file:
            left = range(group, len(self._groups))
            read = file.iter_batches(_AT_ONCE, row_groups=left, columns=wanted)
            yield from _after(skip, (batch.select(wanted) for batch in read))


class ArrowReader:
    """An Arrow file or stream; every batch is validated, as its bytes are used as they are."""

    in_text = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: int | None = None
        with self._opened() as reader:
            self._schema = reader.schema
        self.names = list(self._schema.names)

    @contextmanager
    def _opened(self) -> "Iterator[pa.ipc.RecordBatchFileReader]":
        import pyarrow as pa

        with pa.OSFile(str(self.path)) as file:
            is_file = file.read(6) == b"ARROW1"
            file.seek(0)
            with pa.ipc.open_file(file) if is_file else pa.ipc.open_stream(file) as reader:
                yield reader

    def schema(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns."""
        return _chosen(self._schema, columns, self.path)

    def batches(self, columns: Sequence[str], skip: int) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns of all rows but the first `skip`."""
        wanted = list(self.schema(columns).names)
        with _complaining(self.path), self._opened() as reader:
            read = (_sound(each.select(wanted)) for each in _each(reader))
            self.rows = yield from _after(skip, read)


def _each(reader: Any) -> "Iterator[pa.RecordBatch]":
    if hasattr(reader, "num_record_batches"):
        return (reader.get_batch(i) for i in range(reader.num_record_batches))
    return iter(reader)


def _sound(batch: "pa.RecordBatch") -> "pa.RecordBatch":
    batch.validate(full=True)
    return batch


class CsvReader:
    """A CSV file. Its values stay texts here: what they mean, features know."""

    in_text = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: int | None = None
        self.names: list[str] = []
        with self._opened(()) as reader:
            self.names = list(reader.schema.names)

    def _opened(self, columns: Sequence[str]) -> Any:
        """A reader of the columns as texts; of all columns where none is asked for."""
        import pyarrow as pa
        from pyarrow import csv

        tabs = self.path.name.lower().removesuffix(".gz").endswith(".tsv")
        texts = {name: pa.string() for name in columns or self.names}
        return csv.open_csv(
            self.path,
            csv.ReadOptions(block_size=_BLOCK),
            csv.ParseOptions(delimiter="\t" if tabs else ",", newlines_in_values=True),
            csv.ConvertOptions(
                column_types=texts, include_columns=list(columns), strings_can_be_null=False
            ),
        )

    def schema(self, columns: Sequence[str]) -> "pa.Schema":
        """Texts all of them, which the metadata say."""
        import pyarrow as pa

        where = str(self.path)
        if len(self.names) == 1 and ";" in self.names[0]:
            raise InputError(f"{where} seems to be separated by ';' (semicolons); commas are read")
        require_columns(self.names, tuple(columns), where)
        return pa.schema([(name, pa.string()) for name in columns], metadata={TEXTS: b""})

    def batches(self, columns: Sequence[str], skip: int) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns of all rows but the first `skip`."""
        schema = self.schema(columns)
        with _complaining(self.path), self._opened(columns) as reader:
            chosen = (each.select(schema.names) for each in reader)
            read = (each.replace_schema_metadata(schema.metadata) for each in chosen)
            self.rows = yield from _after(skip, read)


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

    require_columns(schema.names, tuple(columns), str(path))
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
def _complaining(path: Path) -> Iterator[None]:
    """What Arrow says of a file that it cannot read, with the file's name."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        what = " ".join(str(error).split())
        raise InputError(f"cannot read {path}: {what[:300]}") from None

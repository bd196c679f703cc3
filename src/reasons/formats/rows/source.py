"""Where rows come from: frames in memory, or files that are read as they are needed.

A source gives record batches of exactly `PART` rows, the last one shorter. So the part of a row
depends on its number alone.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from reasons.errors import InputError
from reasons.features.tables import require_columns
from reasons.formats.rows.files import FileReader, reader_of
from reasons.formats.rows.frames import arrow_table
from reasons.formats.rows.hive_partitions import expand_paths, with_partition_columns
from reasons.formats.rows.schema_merge import cast_to_schema, common_types, require_same_kind
from reasons.text import comma_list, short_repr

if TYPE_CHECKING:
    import pyarrow as pa

PART = 1 << 16
_HELD = 64  # files that stay open between learning their columns and reading their rows


class Source(Protocol):
    """Rows in a fixed order; `rows` is None where their number is unknown before the end.

    `columns` are those that all of it has, each once. `sequential` says that to read a part all
    rows before it must be read.
    """

    name: str
    rows: int | None
    columns: list[str]
    sequential: bool

    def identity(self) -> Any:
        """What tells these rows from others, as JSON; for resuming."""

    def require_not_input(self, output: Path) -> None:
        """Raise `InputError` if what is written there would replace or join these rows."""

    def types(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns, before any row is read."""

    def parts(self, columns: Sequence[str], first: int = 0) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns from part number `first` on."""


def source_of(data: Any) -> Source:
    """The source of a frame, an Arrow table, a file, a folder, or several; a source is one."""
    if isinstance(data, FrameSource | FileSource):
        return data
    try:
        if isinstance(data, str | os.PathLike):
            return FileSource([data], str(data))
        if isinstance(data, list | tuple) and data and all(isinstance(x, str | Path) for x in data):
            return FileSource(data, comma_list(data, 3))
    except OSError as error:
        raise InputError(f"cannot read {short_repr(data)}: {error}") from None
    return FrameSource(arrow_table(data))


@dataclass
class FrameSource:
    """Rows in memory."""

    table: "pa.Table"
    name: str = "the data"
    sequential: bool = False

    def __post_init__(self) -> None:
        self.rows: int | None = self.table.num_rows
        self.columns = _once(self.table.schema.names)

    def identity(self) -> Any:
        """A digest of every value."""
        import pyarrow as pa

        digest = hashlib.blake2b(digest_size=16)
        table = self.table.combine_chunks()
        digest.update(table.schema.serialize())
        for batch in table.to_batches(max_chunksize=PART):
            digest.update(pa.RecordBatch.serialize(batch))
        return {"rows": self.rows, "digest": digest.hexdigest()}

    def require_not_input(self, output: Path) -> None:
        """What is in memory is not written over."""

    def types(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns."""
        require_columns(self.table.schema.names, tuple(columns), self.name)
        return self.table.select(list(columns)).schema

    def parts(self, columns: Sequence[str], first: int = 0) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns from part number `first` on."""
        require_columns(self.table.schema.names, tuple(columns), self.name)
        chosen = self.table.select(list(columns)).slice(first * PART)
        return _cut(chosen.to_batches(max_chunksize=PART), chosen.schema)


class FileSource:
    """Rows of files, one file after another, read as they are needed."""

    def __init__(self, named: "Sequence[str | os.PathLike[str]]", name: str) -> None:
        names = [os.fspath(one) for one in named]
        self._named, self.name = [Path(one) for one in names], name
        self.paths = [path for one in names for path in expand_paths(one)]
        self._states = [_state(path) for path in self.paths]
        self._files = with_partition_columns(list(_readers(self.paths)), names)
        require_same_kind(self._files)
        self.sequential = self._files[0].in_text
        self.columns = _once(self._files[0].names)
        for file in self._files[1:]:
            shared = set(_once(file.names))
            self.columns = [name for name in self.columns if name in shared]
        known = [file.rows for file in self._files]
        self.rows = None if None in known else sum(rows or 0 for rows in known)

    def identity(self) -> Any:
        """Names, sizes and times of the files."""
        return [[str(path), *state] for path, state in zip(self.paths, self._states, strict=True)]

    def require_not_input(self, output: Path) -> None:
        """Raise `InputError` if what is written there would replace or join these rows."""
        own = output.resolve()
        if own in {path.resolve() for path in self.paths}:
            raise InputError(f"cannot write {output}: it is the data that is audited")
        for folder in self._named:
            if folder.is_dir() and own.is_relative_to(folder.resolve()):
                raise InputError(
                    f"cannot write {output}: it is in {folder}, and would be taken for data of it"
                )

    def types(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns, which hold the values of all files."""
        return common_types(self._files, columns)

    def parts(self, columns: Sequence[str], first: int = 0) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns from part number `first` on."""
        schema = common_types(self._files, columns)
        return _cut(self._rows(columns, schema, first * PART), schema)

    def _rows(
        self, columns: Sequence[str], schema: "pa.Schema", skip: int
    ) -> "Iterator[pa.RecordBatch]":
        for file, state in zip(self._files, self._states, strict=True):
            if file.rows is None or file.rows > skip:
                for batch in file.batches(columns, skip):
                    yield cast_to_schema(batch, schema, file)
                if _state(file.path) != state:
                    raise InputError(f"{file.path} changed while it was read; audit it again")
            skip = max(0, skip - (file.rows or 0))


def _readers(paths: list[Path]) -> Iterator[FileReader]:
    """The readers of files; only the first ones stay open, as a process has few handles."""
    for number, path in enumerate(paths):
        reader = reader_of(path)
        if number >= _HELD:
            reader.release()
        yield reader


def _once(names: list[str]) -> list[str]:
    """The names that no two columns share."""
    times = Counter(names)
    return [name for name in names if times[name] == 1]


def _state(path: Path) -> tuple[int, int]:
    """The size and the time of a file, which change when it does."""
    try:
        status = path.stat()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    return status.st_size, status.st_mtime_ns


def _cut(batches: "Iterable[pa.RecordBatch]", schema: "pa.Schema") -> "Iterator[pa.RecordBatch]":
    """The same rows in batches of `PART`; one empty batch where there are none."""
    import pyarrow as pa

    waiting: list[Any] = []
    rows, gave = 0, False
    for batch in batches:
        while batch.num_rows:
            taken = batch.slice(0, PART - rows)
            batch = batch.slice(taken.num_rows)
            waiting.append(taken)
            rows += taken.num_rows
            if rows == PART:
                yield _one(waiting, schema)
                waiting, rows, gave = [], 0, True
    if rows or not gave:
        yield _one(waiting, schema) if waiting else pa.RecordBatch.from_pylist([], schema)


def _one(batches: "list[pa.RecordBatch]", schema: "pa.Schema") -> "pa.RecordBatch":
    import pyarrow as pa

    if len(batches) == 1:
        return batches[0]
    return pa.Table.from_batches(batches, schema).combine_chunks().to_batches()[0]

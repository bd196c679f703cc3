"""Where rows come from: frames in memory, or files that are read as they are needed.

Whatever it is, a source gives record batches of exactly `PART` rows, the last one shorter, so that
a row's part hangs on nothing but its number.
"""

import glob
import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from reasons.auditing.binning import require_columns
from reasons.auditing.files import FileRows, TextRows, file_rows, is_readable
from reasons.errors import InputError, listed, shown

if TYPE_CHECKING:
    import pyarrow as pa

PART = 1 << 16


class Source(Protocol):
    """Rows in a fixed order; `rows` is None where nobody knows how many before the end.

    `columns` are those that all of it has, each once.
    """

    name: str
    rows: int | None
    columns: list[str]

    def identity(self) -> Any:
        """What tells these rows from others, as JSON; for resuming."""

    def require_apart(self, output: Path) -> None:
        """Raise `InputError` if what is written there would replace or join these rows."""

    def types(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns, before any row is read."""

    def parts(self, columns: Sequence[str], first: int = 0) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns from part number `first` on."""


def source_of(data: Any) -> Source:
    """The source of a frame, an Arrow table or reader's table, a file, a folder, or several."""
    if isinstance(data, str | os.PathLike):
        return Files([data], str(data))
    if isinstance(data, list | tuple) and data and all(isinstance(x, str | Path) for x in data):
        return Files(data, listed(data, 3))
    return Frame(_table(data))


def _found(path: str) -> list[Path]:
    """The files that a path names: itself, those of a folder, or those of a pattern."""
    if not path:
        raise InputError("the name of the data is empty; give a file or a folder")
    try:
        at = Path(path)
        at.stat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {shown(path)}: {error}") from None
    if at.is_dir():
        every = sorted(p for p in at.rglob("*") if p.is_file() and not _hidden(p, at))
        found = [p for p in every if is_readable(p)]
        if not found:
            raise InputError(f"the folder {path} has no .parquet, .csv or .arrow files")
        return found
    if at.exists():
        return [at]
    matched = sorted(Path(p) for p in glob.glob(path, recursive=True) if os.path.isfile(p))
    if not matched:
        raise InputError(f"there is no file {path}")
    return matched


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)


def _table(data: Any) -> "pa.Table":
    """Data in memory as an Arrow table."""
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
        f"cannot audit {shown(type(data).__name__)}: give a pandas, polars or Arrow frame, or "
        "the name of a CSV, Parquet or Arrow file, or of a folder of them"
    )


def _column(rows: list[dict[str, Any]], name: str) -> "pa.Array":
    """A column of rows that are mappings; what Arrow says of it names the column."""
    import pyarrow as pa

    try:
        return pa.array([row.get(name) for row in rows], from_pandas=True)
    except (pa.ArrowTypeError, pa.ArrowInvalid) as error:
        raise type(error)(f"{error}; in the column {name!r}") from None


@dataclass
class Frame:
    """Rows in memory."""

    table: "pa.Table"
    name: str = "the data"

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

    def require_apart(self, output: Path) -> None:
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


class Files:
    """Rows of files, one file after another, read as they are needed."""

    def __init__(self, given: "Sequence[str | os.PathLike[str]]", name: str) -> None:
        self._given, self.name = [Path(one) for one in given], name
        self.paths = [path for one in given for path in _found(os.fspath(one))]
        self._found = [_state(path) for path in self.paths]
        self._files = [file_rows(path) for path in self.paths]
        _require_alike(self._files)
        self.columns = _once(self._files[0].names)
        for file in self._files[1:]:
            shared = set(_once(file.names))
            self.columns = [name for name in self.columns if name in shared]
        known = [file.rows for file in self._files]
        self.rows = None if None in known else sum(rows or 0 for rows in known)

    def identity(self) -> Any:
        """Names, sizes and times of the files."""
        return [[str(path), *found] for path, found in zip(self.paths, self._found, strict=True)]

    def require_apart(self, output: Path) -> None:
        """Raise `InputError` if what is written there would replace or join these rows."""
        own = output.resolve()
        if own in {path.resolve() for path in self.paths}:
            raise InputError(f"cannot write {output}: it is the data that is audited")
        for folder in self._given:
            if folder.is_dir() and own.is_relative_to(folder.resolve()):
                raise InputError(
                    f"cannot write {output}: it is in {folder}, and would be taken for data of it"
                )

    def types(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns, which hold the values of all files."""
        return _common(self._files, columns)

    def parts(self, columns: Sequence[str], first: int = 0) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns from part number `first` on."""
        schema = _common(self._files, columns)
        return _cut(self._rows(columns, schema, first * PART), schema)

    def _rows(
        self, columns: Sequence[str], schema: "pa.Schema", skip: int
    ) -> "Iterator[pa.RecordBatch]":
        for file, found in zip(self._files, self._found, strict=True):
            if file.rows is None or file.rows > skip:
                for batch in file.batches(columns, skip):
                    yield _fitted(batch, schema, file)
                if _state(file.path) != found:
                    raise InputError(f"{file.path} changed while it was read; audit it again")
            skip = max(0, skip - (file.rows or 0))


def _once(names: list[str]) -> list[str]:
    """The names that no two columns share."""
    times = Counter(names)
    return [name for name in names if times[name] == 1]


def _state(path: Path) -> tuple[int, int]:
    """What changes when a file does: its size and time."""
    try:
        found = path.stat()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    return found.st_size, found.st_mtime_ns


def _require_alike(files: list[FileRows]) -> None:
    """Raise `InputError` if some files hold texts, whose meaning is found, and others types."""
    texts = [file for file in files if isinstance(file, TextRows)]
    if texts and len(texts) < len(files):
        other = next(file for file in files if not isinstance(file, TextRows))
        what = "a CSV file has texts and the other one types, which are not read alike"
        raise InputError(f"{texts[0].path} and {other.path}: {what}; audit them apart")


def _common(files: list[FileRows], columns: Sequence[str]) -> "pa.Schema":
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


def _fitted(batch: "pa.RecordBatch", schema: "pa.Schema", file: FileRows) -> "pa.RecordBatch":
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

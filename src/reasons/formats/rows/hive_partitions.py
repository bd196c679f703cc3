"""The files of a path, and the columns that are encoded in the names of their folders.

Folders such as `year=2024/region=north/` are how Hive, Spark, pandas and others write a table in
parts: the column is in the name alone. Values are whole numbers if all are written as those are:
1, not 01, which is a text. Only folders below what the user named tell anything: where a table lies
says nothing about it.
"""

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from reasons.errors import InputError
from reasons.features.tables import TEXTS, require_columns
from reasons.formats.rows.files import FileReader, is_readable
from reasons.text import short_repr

if TYPE_CHECKING:
    import pyarrow as pa

_NONE = "__HIVE_DEFAULT_PARTITION__"
_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)


def expand_paths(path: str) -> list[Path]:
    """The files that a path names: itself, those of a folder, or those of a pattern."""
    if not path:
        raise InputError("the name of the data is empty; give a file or a folder")
    try:
        at = Path(path)
        at.stat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {short_repr(path)}: {error}") from None
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


def common_folder(named: Sequence[str]) -> Path:
    """The folder that holds all that is named: a pattern begins with its first odd part.

    >>> common_folder(["/log/year=*/a.csv"]), common_folder(["/log/x=1/a.csv", "/log/x=2/b.csv"])
    (PosixPath('/log'), PosixPath('/log'))
    """
    return Path(os.path.commonpath([os.path.abspath(_fixed(path)) for path in named]))


def _fixed(path: str) -> str:
    """The folder that one name names, or is sure to be in."""
    if os.path.isdir(path):
        return path
    if os.path.exists(path):
        return os.path.dirname(path)
    while glob.has_magic(path):
        path = os.path.dirname(path)
    return path


def partition_values(path: Path) -> dict[str, str | None]:
    """The columns in the names of a file's folders, and the file's value in each.

    >>> partition_values(Path("log/year=2024/town=New%20York/part.parquet"))
    {'year': '2024', 'town': 'New York'}
    """
    pairs = (folder.partition("=") for folder in path.parent.parts)
    partitions = {unquote(name): unquote(value) for name, sign, value in pairs if sign and name}
    return {name: None if value == _NONE else value for name, value in partitions.items()}


def with_partition_columns(files: Sequence[FileReader], named: Sequence[str]) -> list[FileReader]:
    """The files, each with the columns that its folders tell, below what was named."""
    above = common_folder(named)
    partitions = [partition_values(Path(os.path.relpath(file.path, above))) for file in files]
    values = {
        name: [each[name] for each in partitions if name in each]
        for each in partitions
        for name in each
    }
    whole = {name for name, own in values.items() if _are_whole(own)}
    return [
        PartitionedReader(file, own, whole) if own else file
        for file, own in zip(files, partitions, strict=True)
    ]


def _are_whole(values: Sequence[str | None]) -> bool:
    texts = [value for value in values if value is not None]
    return bool(texts) and all(_WHOLE.fullmatch(t) and str(int(t)) == t for t in texts)


class PartitionedReader:
    """A file with the columns that its folders tell; a column of its own counts before those."""

    def __init__(
        self, file: FileReader, partitions: Mapping[str, str | None], whole: "set[str]"
    ) -> None:
        self.path, self.in_text, self._file = file.path, file.in_text, file
        self._partitions = {
            name: text for name, text in partitions.items() if name not in file.names
        }
        self._whole = whole
        self.names = [*file.names, *self._partitions]

    @property
    def rows(self) -> int | None:
        """How many there are, where that is known."""
        return self._file.rows

    def release(self) -> None:
        """Close the file; reading its rows opens it again."""
        self._file.release()

    def schema(self, columns: Sequence[str]) -> "pa.Schema":
        """The types of the columns."""
        import pyarrow as pa

        require_columns(self.names, tuple(columns), str(self.path))
        own = self._file.schema([name for name in columns if name not in self._partitions])
        fields = [
            pa.field(name, self._value(name).type) if name in self._partitions else own.field(name)
            for name in columns
        ]
        return pa.schema(fields, metadata={TEXTS: b""} if self.in_text else None)

    def _value(self, name: str) -> "pa.Scalar":
        """The value that all rows have; a text in a file of texts, where "" is missing."""
        import pyarrow as pa

        text = self._partitions[name]
        if self.in_text:
            return pa.scalar(text or "", pa.string())
        if name in self._whole:
            return pa.scalar(None if text is None else int(text), pa.int64())
        return pa.scalar(text, pa.string())

    def batches(self, columns: Sequence[str], skip: int) -> "Iterator[pa.RecordBatch]":
        """Batches of the columns of all rows but the first `skip`."""
        import pyarrow as pa

        schema = self.schema(columns)
        own: list[Any] = [name for name in columns if name not in self._partitions]
        for batch in self._file.batches(own or self._file.names[:1], skip):
            arrays = [
                pa.repeat(self._value(name), batch.num_rows)
                if name in self._partitions
                else batch.column(name)
                for name in columns
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)

"""Outputs of an audit: memory, a Parquet file, a folder of parts, a DuckDB table."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from reasons.audit.outputs.parquet_parts import Parts, row_groups
from reasons.audit.outputs.paths import output_path
from reasons.errors import InputError
from reasons.text import short_repr

if TYPE_CHECKING:
    import pyarrow as pa

_TO_CSV = (
    "; for CSV write '{0}.parquet', and then: python -c "
    "\"import pandas; pandas.read_parquet('{0}.parquet').to_csv('{0}.csv', index=False)\""
)

Plan = Callable[[], Any]


class Output(Protocol):
    """Accepts finished parts in any order, and returns them in order."""

    path: Path | None

    def working(self, plan: Plan, restart: bool) -> AbstractContextManager[dict[int, bytes]]:
        """The parts that an earlier run finished, with their counts; more can be written."""

    def write(self, number: int, batch: "pa.RecordBatch", counts: bytes = b"") -> None:
        """Store a part with the counts of the values in its rows."""

    def finish(self) -> None:
        """Complete the output: all parts are written."""

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """The parts in order, once it is finished."""


def output_of(output: str | os.PathLike[str] | None) -> Output:
    """The output of a path; None is memory."""
    if output is None:
        return MemoryOutput()
    try:
        path = output_path(output)
        is_folder = path.is_dir()
    except OSError as error:
        raise InputError(f"cannot write {short_repr(output)}: {error}") from None
    suffix = path.suffix.lower()
    if not path.name:
        raise InputError(f"cannot write {short_repr(output)}: name a .parquet file or a folder")
    if is_folder or suffix == "":
        return FolderOutput(path)
    if suffix in (".parquet", ".pq"):
        return FileOutput(path)
    if suffix in (".duckdb", ".ddb"):
        from reasons.audit.outputs.duckdb import DuckDBOutput

        return DuckDBOutput(path)
    hint = _TO_CSV.format(path.stem) if suffix in (".csv", ".tsv") else ""
    raise InputError(
        f"cannot write {path}: an audit goes to a .parquet file, a folder or .duckdb{hint}"
    )


class MemoryOutput:
    """Parts kept in memory."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self._parts: dict[int, Any] = {}

    def working(self, plan: Plan, restart: bool) -> AbstractContextManager[dict[int, bytes]]:
        """Memory has no earlier run."""
        return nullcontext({})

    def write(self, number: int, batch: "pa.RecordBatch", counts: bytes = b"") -> None:
        """Store a part with the counts of the values in its rows."""
        self._parts[number] = batch

    def finish(self) -> None:
        """Nothing to do."""

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """The parts in order."""
        return (self._parts[number] for number in sorted(self._parts))


class FolderOutput:
    """A folder whose Parquet files are the parts."""

    def __init__(self, path: Path) -> None:
        self.path: Path | None = path
        self._folder = path

    def working(self, plan: Plan, restart: bool) -> AbstractContextManager[dict[int, bytes]]:
        """The parts that an earlier run finished, with their counts; more can be written."""
        self._parts = Parts(self._folder, plan())
        return self._parts.working(restart=restart)

    def write(self, number: int, batch: "pa.RecordBatch", counts: bytes = b"") -> None:
        """Write a part, all or nothing."""
        self._parts.write(number, batch, counts)

    def finish(self) -> None:
        """Nothing to do: the parts are the output."""

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """The parts in order."""
        return self._parts.batches()


class FileOutput(FolderOutput):
    """A Parquet file; until it is complete, its parts are in a folder beside it."""

    def __init__(self, path: Path) -> None:
        if path.is_dir():
            raise InputError(f"cannot write {path}: it is a folder")
        if not path.parent.is_dir():
            raise InputError(f"cannot write {path}: there is no folder {path.parent}")
        super().__init__(path)
        self._file, self._folder = path, path.with_name(f"{path.name}.parts")

    def finish(self) -> None:
        """Join the parts, all or nothing."""
        self._parts.join(self._file)

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """The row groups in order."""
        return row_groups(self._file)

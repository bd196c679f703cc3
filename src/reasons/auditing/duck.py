"""Verdicts as the table `verdicts` of a DuckDB database."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from reasons.auditing.outputs import Folder
from reasons.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

TABLE = "verdicts"


class Duck(Folder):
    """A table of a database, made anew in one transaction when all parts are there."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._file, self._folder = path, path.with_name(f"{path.name}.parts")
        try:
            import duckdb
        except ImportError:
            raise InputError(f"to write {path}, install DuckDB: pip install duckdb") from None
        self._duckdb = duckdb

    def finish(self) -> None:
        """Copy the parts into the table, all or nothing."""
        files = [str(path) for path in self._parts.paths()]
        try:
            with self._duckdb.connect(str(self._file)) as base:
                base.execute("BEGIN")
                base.execute(
                    f"CREATE OR REPLACE TABLE {TABLE} AS SELECT * FROM read_parquet(?)", [files]
                )
                base.execute("COMMIT")
        except self._duckdb.Error as error:
            raise InputError(f"cannot write {self._file}: {error}") from None

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """The parts, which stay beside the database: they know more of the types."""
        return self._parts.batches()

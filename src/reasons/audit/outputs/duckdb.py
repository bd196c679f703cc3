"""Verdicts as the table `verdicts` of a DuckDB database."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from reasons.audit.outputs.output import FolderOutput
from reasons.audit.outputs.parquet_parts import write_errors
from reasons.errors import InputError
from reasons.text import one_line

if TYPE_CHECKING:
    import pyarrow as pa

TABLE = "verdicts"


class DuckDBOutput(FolderOutput):
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
        """Copy the parts into the table, all or nothing; a new database appears with it."""
        new = not self._file.exists()
        base = self._folder / ".unfinished.duckdb" if new else self._file
        try:
            if new:
                self._remove(base)
            self._copy(base)
            if new:
                with write_errors(self._file):
                    os.replace(base, self._file)
        except self._duckdb.Error as error:
            raise InputError(f"cannot write {self._file}: {one_line(error)}") from None
        finally:
            if new:
                self._remove(base)

    def _copy(self, base: Path) -> None:
        files = [str(path) for path in self._parts.paths()]
        with self._duckdb.connect(str(base)) as connected:
            connected.execute("BEGIN")
            connected.execute(
                f"CREATE OR REPLACE TABLE {TABLE} AS SELECT * FROM read_parquet(?)", [files]
            )
            connected.execute("COMMIT")

    def _remove(self, base: Path) -> None:
        """Remove what is left of an unfinished database, with its log."""
        for path in (base, base.with_name(f"{base.name}.wal")):
            path.unlink(missing_ok=True)

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """The parts, which stay beside the database: they know more of the types."""
        return self._parts.batches()

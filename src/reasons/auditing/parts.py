"""Verdicts on disk: finished parts that survive a killed run, joined into one file in the end.

A part appears under its name only when it is complete, so that a folder of parts is always a state
to go on from. `plan.json` says of which audit they are; another one's are never mixed in.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from reasons.errors import InputError
from reasons.storage import write_atomically

if TYPE_CHECKING:
    import pyarrow as pa

_PINNED: dict[str, Any] = {
    "compression": "zstd",
    "compression_level": 3,
    "version": "2.6",
    "data_page_version": "1.0",
    "use_dictionary": True,
    "write_statistics": True,
}
"""How Parquet is written, spelled out, so that the bytes hang on the rows alone."""


class Parts:
    """The finished parts of one audit, in a folder beside its output."""

    def __init__(self, folder: Path, plan: Any) -> None:
        self.folder = folder
        self._plan = json.dumps(plan, sort_keys=True, indent=1, default=str).encode()

    def start(self, *, restart: bool = False) -> set[int]:
        """The numbers of the parts that are finished already; none, if it is to start again."""
        if restart:
            self.remove()
        plan = self.folder / "plan.json"
        if plan.exists():
            if plan.read_bytes() != self._plan:
                raise InputError(
                    f"{self.folder} has parts of another audit (other data, classifier or "
                    "questions); remove it, or start again with restart=True (--restart)"
                )
        else:
            self._require_empty()
            with _told(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(plan, self._plan)
        return set(self._numbers())

    def _require_empty(self) -> None:
        if self.folder.exists() and any(self.folder.iterdir()):
            raise InputError(f"{self.folder} is not empty, and no audit's; choose another name")

    def _numbers(self) -> Iterator[int]:
        for path in self.folder.glob("part-*.parquet"):
            digits = path.name.removeprefix("part-").removesuffix(".parquet")
            if digits.isdecimal():
                yield int(digits)

    def path(self, number: int) -> Path:
        """Where a part is, or will be."""
        return self.folder / f"part-{number:06d}.parquet"

    def write(self, number: int, batch: "pa.RecordBatch") -> None:
        """Write a part, all or nothing."""
        with writing(self.path(number), batch.schema) as writer:
            writer.write_batch(batch)

    def paths(self) -> list[Path]:
        """The files of the parts, in order."""
        return [self.path(number) for number in sorted(self._numbers())]

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """The parts in order, each one batch."""
        return (batch for path in self.paths() for batch in row_groups(path))

    def join(self, output: Path) -> None:
        """Write all parts as one file, a row group each, all or nothing; then remove them."""
        batches = self.batches()
        first = next(batches)
        with writing(output, first.schema) as writer:
            writer.write_batch(first)
            for batch in batches:
                writer.write_batch(batch)
        self.remove()

    def remove(self) -> None:
        """Remove the parts, the plan last, so that half a removal is a state to go on from."""
        for number in list(self._numbers()):
            self.path(number).unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def row_groups(path: Path) -> "Iterator[pa.RecordBatch]":
    """The row groups of a file, each one batch; one that is empty where there are none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            yield from file.read_row_group(group).combine_chunks().to_batches()
        if not file.metadata.num_rows:
            yield pa.RecordBatch.from_pylist([], file.schema_arrow)


def parquet(file: Any, schema: "pa.Schema") -> Any:
    """A writer of Parquet with the settings that are pinned."""
    import pyarrow.parquet as pq

    return pq.ParquetWriter(file, schema, **_PINNED)


@contextmanager
def writing(path: Path, schema: "pa.Schema") -> "Iterator[Any]":
    """A Parquet writer whose file appears when it is complete and on the disk."""
    with appearing(path) as file, parquet(file, schema) as writer:
        yield writer


@contextmanager
def appearing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that appears under its name when it is complete and on the disk."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with _told(path):
            with open(temporary, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What the system says when a file cannot be written, as an error that says what to do."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise InputError(
            f"cannot write {path}: {why}. What was finished is kept: make room and run the same "
            "audit again to go on"
        ) from None

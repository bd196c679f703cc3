"""Verdicts on disk: finished parts that survive a killed run, joined into one file at the end.

A part appears under its name only when it is complete. It is then recorded with the counts of the
values in its rows (`verdicts/marginals.py`) and a digest of both. So a run can resume from any
state of the folder, and damage is detected. `_plan.json` identifies the audit; parts of different
audits are never mixed. Readers of Parquet folders ignore names that start with an underscore or a
dot.
"""

import hashlib
import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasons.audit.outputs.lock import only_run
from reasons.errors import InputError, Option
from reasons.fs import atomic_file, write_atomically
from reasons.text import one_line

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
"""Settings of Parquet files, all explicit, so that the bytes depend on the rows alone."""


_PLAN, _NOTES, _LOCK, _UNFINISHED = "_plan.json", "_finished.txt", ".lock", ".unfinished"
_NOTE = re.compile(r"(\d+) ([0-9A-Za-z+/=]*) ([0-9a-f]{32})")


class Parts:
    """The finished parts of one audit, in a folder beside its output."""

    def __init__(self, folder: Path, plan: Any) -> None:
        self.folder = folder
        self._plan = plan
        self._finished: dict[int, bytes] = {}

    @contextmanager
    def working(self, *, restart: bool = False) -> Iterator[dict[int, bytes]]:
        """The finished parts and their counts, while a lock keeps other runs out.

        Cost: reading all finished parts, to compare their digests.
        """
        with write_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with only_run(self.folder / _LOCK):
                self._adopt(restart)
                try:
                    yield dict(self._finished)
                finally:
                    if not self._finished:  # nothing to resume from
                        self.remove()
        finally:
            if not (self.folder / _PLAN).exists():
                with suppress(OSError):
                    self.folder.rmdir()

    def _adopt(self, restart: bool) -> None:
        plan, own = self.folder / _PLAN, _written(self._plan)
        if not plan.exists():
            self._require_empty()
        elif restart:
            self.remove()
        elif plan.read_bytes() != own:
            raise InputError(
                "{file} has parts of another audit ({difference}); remove it, or start over with "
                "{restart}",
                file=self.folder,
                difference=_difference(plan, own),
                restart=Option("restart", True),
            )
        write_atomically(plan, own)
        noted = {
            number: (counts, digest)
            for number, counts, digest in self._noted()
            if self._is(number, counts, digest)
        }
        self._finished = {number: counts for number, (counts, _) in noted.items()}
        notes = [_note(number, *note) for number, note in noted.items()]
        write_atomically(self.folder / _NOTES, "".join(notes).encode())

    def _require_empty(self) -> None:
        if any(path.name not in (_LOCK, _UNFINISHED) for path in self.folder.iterdir()):
            raise InputError(
                f"{self.folder} is not empty and not the output of an audit; choose another name"
            )

    def _noted(self) -> Iterator[tuple[int, bytes, str]]:
        """The parts recorded as finished; an incomplete last line is ignored."""
        with suppress(FileNotFoundError):
            for line in (self.folder / _NOTES).read_text(errors="replace").split("\n"):
                if note := _NOTE.fullmatch(line):
                    with suppress(ValueError, zlib.error):
                        yield int(note[1]), zlib.decompress(b64decode(note[2])), note[3]

    def _is(self, number: int, counts: bytes, digest: str) -> bool:
        try:
            return _digest(self.path(number), counts) == digest
        except OSError:
            return False

    def path(self, number: int) -> Path:
        """The path of a part."""
        return self.folder / f"part-{number:06d}.parquet"

    def write(self, number: int, batch: "pa.RecordBatch", counts: bytes = b"") -> None:
        """Write a part atomically, and record it."""
        path = self.path(number)
        with writing(path, batch.schema, self.folder / _UNFINISHED) as writer:
            put(writer, batch)
        with write_errors(path), open(self.folder / _NOTES, "a") as notes:
            notes.write(_note(number, counts, _digest(path, counts)))
        self._finished[number] = counts

    def paths(self) -> list[Path]:
        """The files of the parts, in order."""
        return [self.path(number) for number in sorted(self._finished)]

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """The parts in order, each one batch."""
        return (batch for path in self.paths() for batch in row_groups(path))

    def join(self, output: Path) -> None:
        """Write all parts as one file atomically, a row group each; then remove them."""
        batches = self.batches()
        first = next(batches)
        unfinished = self.folder / _UNFINISHED
        with writing(output, first.schema, unfinished) as writer:
            put(writer, first)
            for batch in batches:
                put(writer, batch)
        self.remove()

    def remove(self) -> None:
        """Remove the parts, the plan last, so that an interrupted removal can be resumed.

        Files of others stay.
        """
        parts = self.folder.glob("part-*.parquet")
        for path in (*parts, *(self.folder / name for name in (_UNFINISHED, _NOTES, _PLAN))):
            path.unlink(missing_ok=True)


def _written(plan: Any) -> bytes:
    return json.dumps(plan, sort_keys=True, indent=1, default=str).encode()


def _difference(plan: Path, own: bytes) -> str:
    """How two plans differ."""
    try:
        then, now = json.loads(plan.read_bytes()), json.loads(own)
        parts = [name for name in now if then[name] != now[name]]
    except (ValueError, LookupError, TypeError):
        return "its plan is damaged"
    if parts == ["source"]:
        return "of other data, or the data has changed"
    return "of another classifier or with other options"


def _note(number: int, counts: bytes, digest: str) -> str:
    return f"{number} {b64encode(zlib.compress(counts)).decode()} {digest}\n"


def _digest(path: Path, counts: bytes) -> str:
    """A digest of a part and its counts."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16))
    digest.update(counts)
    return digest.hexdigest()


def row_groups(path: Path) -> "Iterator[pa.RecordBatch]":
    """The row groups of a file, each one batch; one empty batch if there are none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                yield from file.read_row_group(group).combine_chunks().to_batches()
            if not file.metadata.num_rows:
                yield pa.RecordBatch.from_pylist([], file.schema_arrow)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"cannot read {path}: {one_line(error)}. It has changed since the audit: "
            "run the audit again"
        ) from None


def parquet(file: Any, schema: "pa.Schema") -> Any:
    """A Parquet writer with the settings above."""
    import pyarrow as pa

    try:
        return _writer(file, schema)
    except pa.ArrowNotImplementedError as error:
        raise _complaint(error, schema) from None


def _writer(file: Any, schema: "pa.Schema") -> Any:
    import pyarrow.parquet as pq

    return pq.ParquetWriter(file, schema, **_PINNED)


def put(writer: Any, batch: "pa.RecordBatch") -> None:
    """Write a batch, or `InputError` that names the column that Parquet cannot hold."""
    import pyarrow as pa

    try:
        writer.write_batch(batch)
    except pa.ArrowException as error:
        raise _complaint(error, batch.schema, batch) from None


def _complaint(
    error: Exception, schema: "pa.Schema", batch: "pa.RecordBatch | None" = None
) -> InputError:
    """The error about the first column that Parquet cannot hold by itself."""
    import pyarrow as pa

    name = "a column"
    for field in schema:
        try:
            with _writer(pa.BufferOutputStream(), pa.schema([field])) as writer:
                if batch is not None:
                    writer.write_batch(batch.select([field.name]))
        except pa.ArrowException:
            name = f"the column {field.name!r} of type {field.type}"
            break
    return InputError(
        "Parquet cannot hold {name}: {what}; leave it out of {option}",
        name=name,
        what=one_line(error),
        option="keep",
    )


@contextmanager
def writing(path: Path, schema: "pa.Schema", temporary: Path) -> "Iterator[Any]":
    """A Parquet writer whose file appears when it is complete."""
    with (
        write_errors(path),
        atomic_file(path, temporary) as file,
        parquet(file, schema) as writer,
    ):
        yield writer


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Errors of the file system as `InputError`, with what to do."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise InputError(
            f"cannot write {path}: {why}. Finished parts are kept: fix this (is the disk full?) "
            "and run the same audit again to continue"
        ) from None

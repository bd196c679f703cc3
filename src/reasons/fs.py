"""Files: written whole or not at all, and read only where they are regular files."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from reasons.errors import InputError
from reasons.text import short_repr


def write_atomically(path: str | os.PathLike[str], *chunks: bytes | bytearray) -> None:
    """Write a file whole or not at all."""
    target = Path(path)
    try:
        with atomic_file(target) as file:
            for chunk in chunks:
                file.write(chunk)
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None


@contextmanager
def atomic_file(path: Path, temporary: Path | None = None) -> Iterator[IO[bytes]]:
    """A file to write to that appears under its name when it is complete and on the disk.

    What the system cannot write raises its own `OSError`.
    """
    temporary = temporary or path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """A file opened for reading; only regular files are accepted, as others may never end.

    Opens without blocking, so that a pipe without a writer is refused too.
    """
    try:
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"cannot read {short_repr(path)}: {error}") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise InputError(f"cannot read {path}: it is a folder, pipe or device, not a file")
    return os.fdopen(handle, "rb")

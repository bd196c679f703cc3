"""Whole files as bytes, and errors and warnings that say which file they are about."""

import os
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from reasons.errors import FormatWarning, InputError, ParseError, PropertyError
from reasons.fs import open_regular

Path = str | os.PathLike[str]

_MOST_BYTES = 1 << 30
_PIECE = 1 << 20
_MOST_EXCERPT = 10_000
_GZIP = b"\x1f\x8b"


def contents(path: Path, most: int | None = None) -> bytes:
    """The bytes of a file of at most 1 GiB, unpacked if it is gzip; the first `most` if given.

    Memory O(bytes), whatever a packed file would grow to. Pipes and devices are refused.
    """
    with open_regular(path) as file:
        try:
            if file.read(2) == _GZIP:
                file.seek(0)
                return _unpacked(file, path, most)
            file.seek(0)
            size = os.fstat(file.fileno()).st_size
            if most is None and size > _MOST_BYTES:
                raise InputError(f"{path} is larger than 1 GiB")
            return file.read(size if most is None else min(most, size))
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def _unpacked(packed: BinaryIO, path: Path, most: int | None) -> bytes:
    import gzip

    data, wanted = bytearray(), _MOST_BYTES + 1 if most is None else most
    try:
        with gzip.open(packed) as file:
            # By pieces: one read of that many bytes takes the room for them at once.
            while len(data) < wanted and (piece := file.read(min(_PIECE, wanted - len(data)))):
                data += piece
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        line = data.count(b"\n") + 1
        raise ParseError(
            f"the gzip file is damaged: {error}", source=str(path), line=line
        ) from None
    if len(data) > _MOST_BYTES:
        raise InputError(f"{path} is larger than 1 GiB when it is unpacked")
    return bytes(data)


def text_of(path: Path) -> str:
    """The text of a file in UTF-8, or `ParseError` with the line that is not."""
    data = contents(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ParseError("this is not UTF-8 text", source=str(path), line=line) from None


@contextmanager
def errors_about(path: Path, data: bytes = b"") -> Iterator[None]:
    """Give the errors of the core, which knows no files, their source and the line they mean."""
    try:
        yield
    except ParseError as error:
        raise ParseError(
            error.message,
            source=str(path),
            line=error.line,
            column=error.column,
            excerpt=_excerpt(data, error.line),
        ) from None
    except PropertyError as error:
        raise PropertyError(f"{path}: {error}") from None


def _excerpt(data: bytes, line: int | None) -> str | None:
    """A line for people, a character a byte so that the column stays right."""
    start = 0
    for _ in range((line or 1) - 1):
        start = data.find(b"\n", start) + 1
    end = data.find(b"\n", start)
    found = data[start : end if end >= 0 else len(data)]
    if not data or not line or len(found) > _MOST_EXCERPT:
        return None
    return "".join(c if c.isprintable() else " " for c in found.decode("ascii", "replace"))


def warn_about(path: Path, found: Iterable[tuple[int, str]]) -> None:
    """Pass on what a reader found odd, a line and a text each, as `FormatWarning`."""
    for line, text in found:
        place = f"{path}:{line}" if line else str(path)
        warnings.warn(f"{place}: {text}", FormatWarning, stacklevel=4)


def decoded(names: list[bytes], path: Path) -> list[str]:
    """Names of a file as text."""
    try:
        return [name.decode("utf-8") for name in names]
    except UnicodeDecodeError as error:
        raise ParseError(
            f"a name is not UTF-8 text: {error.object[:40]!r}", source=str(path)
        ) from None

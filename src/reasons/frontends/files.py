"""Whole files as bytes, and errors that say which file they are about."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reasons.errors import InputError, ParseError

_MOST_BYTES = 1 << 30


def contents(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file of at most 1 GiB."""
    try:
        if os.path.getsize(path) > _MOST_BYTES:
            raise InputError(f"{path} is larger than 1 GiB")
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


@contextmanager
def errors_about(path: str | os.PathLike[str]) -> Iterator[None]:
    """Give the parse errors of the core, which knows no files, their source."""
    try:
        yield
    except ParseError as error:
        raise ParseError(
            error.message, source=str(path), line=error.line, column=error.column
        ) from None


def decoded(names: list[bytes], path: str | os.PathLike[str]) -> list[str]:
    """Names of a file as text."""
    try:
        return [name.decode("utf-8") for name in names]
    except UnicodeDecodeError as error:
        raise ParseError(
            f"a name is not UTF-8 text: {error.object[:40]!r}", source=str(path)
        ) from None

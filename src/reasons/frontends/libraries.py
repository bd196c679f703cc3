"""Versions of installed model libraries, and the bytes of their model files."""

import os
from importlib.metadata import PackageNotFoundError, version

from reasons.formats.files import contents


def version_of(package: str) -> str | None:
    """The version of a library that is installed, under either of its names."""
    for name in (package, f"{package}-cpu"):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return None


def bytes_of(source: str | os.PathLike[str] | bytes) -> tuple[bytes, str]:
    """The bytes of a file, or the bytes themselves, and their name in messages."""
    if isinstance(source, bytes):
        return source, "<bytes>"
    return contents(source), str(source)

"""Versions of model libraries, and model files that are loaded on first use."""

import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from reasons.formats.files import contents


def version_of(package: str) -> str | None:
    """The version of a library that is installed, under either of its names."""
    for name in (package, f"{package}-cpu"):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return None


def when_needed(data: bytes, load: Callable[[bytes], Any]) -> Callable[[], Any]:
    """A model that is loaded from its file when it is first asked for."""
    return cache(lambda: load(data))


def bytes_of(source: str | os.PathLike[str] | bytes) -> tuple[bytes, str]:
    """What a file holds, or what was given instead of one, and what complaints call it."""
    if isinstance(source, bytes):
        return source, "<bytes>"
    return contents(source), str(source)

"""Paths of outputs: none may be an input or another output."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from reasons.errors import InputError
from reasons.formats.rows.files import is_readable
from reasons.formats.rows.source import Source
from reasons.text import short_repr

_PARTS = (".parquet", ".pq")


def output_path(path: Any) -> Path:
    """The path of a file to write, or `InputError` if no file can have that name."""
    try:
        target = Path(path)
        if b"\0" in os.fsencode(target):
            raise ValueError("a name has no null character")
    except (TypeError, ValueError) as error:
        raise InputError(f"cannot write {short_repr(path)}: {error}") from None
    return target


def require_no_overwrite(
    outputs: Iterable[Any], source: Source, inputs: Iterable[Any] = ()
) -> None:
    """Raise `InputError` if an output is the data, another input, or another output.

    Inputs that are not paths (a table of codes in memory, None) are ignored.
    """
    data = list(map(Path, getattr(source, "paths", ())))
    others = [Path(one) for one in inputs if isinstance(one, str | os.PathLike)]
    before: list[Path] = []
    for path in (output_path(one) for one in outputs if one is not None):
        if is_readable(path):
            source.require_not_input(path)
        for kind, known in (("the data that is audited", data), ("read as well", others)):
            if any(_same(path, one) for one in known):
                raise InputError(f"cannot write {path}: it is {kind}; choose another name")
        for one in before:
            if _same(path, one) or (path.suffix.lower() in _PARTS and _is_in(path, one)):
                raise InputError(f"cannot write {path}: {one} is written as well; choose others")
        before.append(path)


def _same(one: Path, other: Path) -> bool:
    """Whether two paths name one file, which need not exist."""
    try:
        return one.resolve() == other.resolve() or os.path.samefile(one, other)
    except (OSError, ValueError, RuntimeError):
        return False


def _is_in(path: Path, folder: Path) -> bool:
    is_folder = folder.suffix == "" or folder.is_dir()
    return is_folder and path.resolve().is_relative_to(folder.resolve())

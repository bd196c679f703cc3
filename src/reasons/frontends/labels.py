"""Labels that are found in data: what can be one, and in which order they stand."""

from collections.abc import Iterable
from typing import Any

from reasons.errors import InputError, shown
from reasons.values import is_missing


def require_label(label: Any, where: str) -> None:
    """Raise `InputError` for what cannot be told from others, or is missing."""
    try:
        hash(label)
    except TypeError:
        raise InputError(f"{where}: {shown(label)} cannot be a label") from None
    if is_missing(label):
        raise InputError(f"{where}: a label cannot be missing, as {shown(label)} is")


def ordered_labels(found: Iterable[Any]) -> tuple[Any, ...]:
    """The labels each once: False and True, or sorted, or as they come where they cannot be."""
    different = dict.fromkeys(found)
    if set(different) <= {False, True}:
        return (False, True)
    try:
        return tuple(sorted(different))
    except TypeError:
        return tuple(different)

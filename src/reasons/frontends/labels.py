"""Labels from data: valid values, and their order."""

from collections.abc import Iterable
from typing import Any

from reasons.errors import InputError, Option
from reasons.features.values import is_missing


def require_label(label: Any, where: str | Option) -> None:
    """Raise `InputError` for a value that cannot be hashed, or is missing."""
    try:
        hash(label)
    except TypeError:
        raise InputError("{where}: {value} cannot be a label", where=where, value=label) from None
    if is_missing(label):
        raise InputError(
            "{where}: a label cannot be missing, as {value} is", where=where, value=label
        )


def ordered_labels(labels: Iterable[Any]) -> tuple[Any, ...]:
    """The different labels: False and True, or sorted, or in order of appearance."""
    different = dict.fromkeys(labels)
    if set(different) <= {False, True}:
        return (False, True)
    try:
        return tuple(sorted(different))
    except TypeError:
        return tuple(different)

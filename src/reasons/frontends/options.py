"""What a user says about a trained model."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, Literal

from reasons.errors import InputError
from reasons.features.feature import is_list
from reasons.text import short_repr

Method = Literal["compiled", "search"]


def is_finite(number: Any) -> bool:
    """Whether it is a number that a float can be."""
    if isinstance(number, bool) or not isinstance(number, Real):
        return False
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def require_lists(told: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raise `InputError` where one of these options is given and is no list."""
    for name in names:
        given = told.get(name)
        if given is not None and not is_list(given):
            raise InputError(f"{name}= is a list, not {short_repr(given)}")


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a trained model is used: what decides, and what its columns are."""

    threshold: float | None = None
    names: Sequence[str] | None = None
    classes: Sequence[Any] | None = None
    groups: Mapping[str, Sequence[str]] | None = None
    domain: Mapping[str, Any] | None = None
    constraint: str | None = None
    missing: bool | None = None
    method: Method | None = None
    region: Any = None
    inputs: str | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and not is_finite(self.threshold):
            raise InputError(f"threshold={short_repr(self.threshold)} must be a finite number")
        if self.missing not in (None, True, False):
            raise InputError(f"missing={self.missing!r} must be True or False")
        if self.inputs not in (None, "signs", "01"):
            raise InputError(f"inputs={self.inputs!r} must be 'signs' (-1 and 1) or '01'")
        if self.method not in (None, "compiled", "search"):
            raise InputError(f"method={self.method!r} must be 'compiled' or 'search'")

    @property
    def told(self) -> list[str]:
        """The names of those that were given."""
        return [name for name in NAMES if getattr(self, name) is not None]

    def require_only(self, names: Sequence[str], what: str) -> None:
        """Raise InputError if others than these were given."""
        odd = [f"{name}=" for name in self.told if name not in names]
        if odd:
            raise InputError(f"{what} takes no {', '.join(odd)}")


NAMES = tuple(field.name for field in fields(Options))
OF_LAYERS = ("names", "classes", "threshold", "region", "inputs")
OF_MODELS = tuple(name for name in NAMES if name not in ("region", "inputs"))

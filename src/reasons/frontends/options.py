"""What a user says about a trained model."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, Literal

from reasons.errors import InputError

Method = Literal["compiled", "search"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a trained model is used: what decides, and what its columns are."""

    threshold: float | None = None
    names: Sequence[str] | None = None
    classes: Sequence[Any] | None = None
    groups: Mapping[str, Sequence[str]] | None = None
    domain: Mapping[str, Any] | None = None
    given: str | None = None
    missing: bool | None = None
    method: Method | None = None

    def __post_init__(self) -> None:
        number: Any = self.threshold
        if number is not None and (
            isinstance(number, bool) or not isinstance(number, Real) or not math.isfinite(number)
        ):
            raise InputError(f"threshold={number!r} must be a finite number")
        if self.missing not in (None, True, False):
            raise InputError(f"missing={self.missing!r} must be True or False")
        if self.method not in (None, "compiled", "search"):
            raise InputError(f"method={self.method!r} must be 'compiled' or 'search'")

    @property
    def told(self) -> list[str]:
        """The names of those that were given."""
        return [name for name in NAMES if getattr(self, name) is not None]


NAMES = tuple(field.name for field in fields(Options))

"""The values that features take: intervals, special values, and how they are written."""

import math
from dataclasses import dataclass, field
from enum import Enum
from numbers import Real
from typing import Any

from reasons.features.floats import Cast, Closed, rounded, shortest, step


class Special(Enum):
    """Values that are not ordinary ones."""

    MISSING = "<missing>"
    OTHER = "<other>"
    IMPOSSIBLE = "<impossible>"

    def __repr__(self) -> str:
        return self.value

    __str__ = __repr__


MISSING = Special.MISSING
OTHER = Special.OTHER
IMPOSSIBLE = Special.IMPOSSIBLE


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers between two bounds; which of them belongs to it is `closed`.

    With the cast "float32" a number belongs to it if it does so rounded to float32, as are
    the bounds. They are exact, also as text; a feature writes them shorter.

    >>> print(Interval(25, 40)), 40 in Interval(25, 40), 25 in Interval(25, 40)
    (25, 40]
    (None, True, False)
    """

    low: float
    high: float
    closed: Closed = "right"
    cast: Cast = field(default="float64", repr=False)

    def __contains__(self, number: object) -> bool:
        if isinstance(number, bool) or not isinstance(number, Real):
            return False
        value = rounded(float(number), self.cast)
        if self.closed == "right":
            return self.low < value <= self.high
        return self.low <= value < self.high

    def __str__(self) -> str:
        low, high = number_text(self.low, self.cast), number_text(self.high, self.cast)
        if self.closed == "right":
            return f"({low}, {high}{')' if self.high == math.inf else ']'}"
        return f"{'(' if self.low == -math.inf else '['}{low}, {high})"

    def nearest(self, number: float) -> float:
        """The member nearest to a number; a whole one where the number is whole and that fits."""
        if number in self:
            return number
        below = rounded(number, self.cast) <= self.low
        bound = self.low if below else self.high
        belongs = (self.closed == "left") == below
        if math.isinf(bound):  # the number is finite, and its cast is not
            return step(bound, 0.0, self.cast)
        if below:
            whole = math.ceil(bound) if belongs else math.floor(bound) + 1
        else:
            whole = math.floor(bound) if belongs else math.ceil(bound) - 1
        if float(number).is_integer() and whole in self:
            return whole
        return bound if belongs else step(bound, math.inf if below else -math.inf, self.cast)

    def member(self) -> float:
        """A plain number inside: a bound that belongs to it, or one step beyond the other."""
        inner, outer = (self.high, self.low) if self.closed == "right" else (self.low, self.high)
        if math.isfinite(inner):
            return inner
        if not math.isfinite(outer):
            return 0
        whole = math.floor(outer) + 1 if self.closed == "right" else math.ceil(outer) - 1
        return whole if whole in self else step(outer, inner, self.cast)


def is_missing(value: Any) -> bool:
    """Whether a raw value is None, NaN, NaT or pandas' NA."""
    if value is None or value is MISSING:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"


def text_of(value: Any) -> str | None:
    """A category as text: numbers without an idle `.0`, true and false as 1 and 0.

    None of what is neither a text nor a number.

    >>> text_of("clerk"), text_of(3.0), text_of(0.5), text_of(True)
    ('clerk', '3', '0.5', '1')
    """
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, str):
        return str(plain)
    if isinstance(plain, int):
        return str(int(plain))
    return repr(plain + 0.0).removesuffix(".0") if isinstance(plain, float) else None


_MOST_SPELT = 1e21  # whole numbers from here on are written with an exponent


def number_text(value: float, cast: Cast = "float64") -> str:
    """The shortest text of a number that the cast rounds back to it.

    >>> number_text(2.450000047683716, "float32")
    '2.45'
    """
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if cast == "float32" and not (float(value).is_integer() and abs(value) <= 2**24):
        value = shortest(value)
    if float(value).is_integer() and abs(value) < _MOST_SPELT:
        return str(int(value))
    return repr(float(value))

"""The values that features take: intervals, special values, and how they are written."""

import math
import re
from dataclasses import dataclass
from enum import Enum
from numbers import Real
from typing import Any, Literal

Closed = Literal["right", "left"]


class Special(Enum):
    """Values that stand for no ordinary one."""

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

    >>> print(Interval(25, 40)), 40 in Interval(25, 40), 25 in Interval(25, 40)
    (25, 40]
    (None, True, False)
    """

    low: float
    high: float
    closed: Closed = "right"

    def __contains__(self, number: object) -> bool:
        if isinstance(number, bool) or not isinstance(number, Real):
            return False
        value = float(number)
        if self.closed == "right":
            return self.low < value <= self.high
        return self.low <= value < self.high

    def __str__(self) -> str:
        low, high = number_text(self.low), number_text(self.high)
        if self.closed == "right":
            return f"({low}, {high}{')' if self.high == math.inf else ']'}"
        return f"{'(' if self.low == -math.inf else '['}{low}, {high})"

    def comparison(self) -> str:
        """As it follows a name: `> 25`, `<= 40`, or `in (25, 40]`."""
        right = self.closed == "right"
        if self.low == -math.inf and self.high < math.inf:
            return f"{'<=' if right else '<'} {number_text(self.high)}"
        if self.high == math.inf and self.low > -math.inf:
            return f"{'>' if right else '>='} {number_text(self.low)}"
        return f"in {self}"

    def nearest(self, number: float) -> float:
        """The member nearest to a number; a whole one where the number is whole and that fits."""
        if number in self:
            return number
        below = number <= self.low
        bound = self.low if below else self.high
        belongs = (self.closed == "left") == below
        if below:
            whole = math.ceil(bound) if belongs else math.floor(bound) + 1
        else:
            whole = math.floor(bound) if belongs else math.ceil(bound) - 1
        if float(number).is_integer() and whole in self:
            return whole
        return bound if belongs else math.nextafter(bound, math.inf if below else -math.inf)

    def member(self) -> float:
        """A plain number inside: a bound that belongs to it, or one step beyond the other."""
        inner, outer = (self.high, self.low) if self.closed == "right" else (self.low, self.high)
        if math.isfinite(inner):
            return inner
        if not math.isfinite(outer):
            return 0
        step = math.floor(outer) + 1 if self.closed == "right" else math.ceil(outer) - 1
        return step if step in self else math.nextafter(outer, inner)


def is_missing(value: Any) -> bool:
    """Whether a raw value is None, NaN, NaT or pandas' NA."""
    if value is None or value is MISSING:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"


_SIGNS = re.compile(r"[,{}()\[\]\"'=<>~!&|^#\\]|[^\S ]|^ | $|\b(?:in|is|not)\b")


def quoted(text: str) -> str:
    """The text, in quotes where a term's grammar would read it otherwise."""
    if text and not _SIGNS.search(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("\t", "\\t") + '"'


def numbers_text(parts: list[Any]) -> str:
    """As it follows a name: `> 25`, `is missing`, `in {(25, 40], <missing>}`."""
    if len(parts) > 1:
        return f"in {{{', '.join(map(str, parts))}}}"
    return "is missing" if parts[0] is MISSING else str(parts[0].comparison())


def number_text(value: float) -> str:
    """A number as short as it can be said exactly."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)

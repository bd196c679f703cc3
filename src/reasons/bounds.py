"""Bounds of cells as people read them: short, and true of every number that people write.

A scaler before a tree cuts at 41.499999999999993, which no letter can say. A cut of more than 12
digits is written as the shortest decimal within a ten millionth of it, 0.005, and a quarter of the
way to the next cut; that decimal can lie on either side, and `<` or `<=` is chosen by its side. So
what is written holds of that decimal itself, and of every number of up to 6 digits, of 2 decimals,
or of as many as are written: only numbers between the cut and what is written can be told wrongly.
The noise of float32 in a scaled number is why a ten millionth; a billionth would leave it to read.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from reasons.values import MISSING, Cast, Closed, number_text, rounded

_MOST_DIGITS = 12  # of a number that somebody wrote, or that lies half way between two such
_NEAR = 1e-7
_NEAR_AT_MOST = 0.005


@dataclass(frozen=True, slots=True)
class Bound:
    """A cut as it is written, and whether the written number itself lies below the cut."""

    text: str
    below: bool

    def is_written(self, number: float, below: bool) -> bool:
        """Whether a comparison with a number means this cut."""
        return float(self.text) == number and self.below == below


def bound(cuts: Sequence[float], at: int, closed: Closed, cast: Cast) -> Bound:
    """One of a feature's cuts as it is written; different cuts are written differently.

    >>> bound([41.499999999999993, 52.000000000000007], 0, "right", "float64")
    Bound(text='41.5', below=False)
    """
    before = cuts[at - 1] if at else -math.inf
    after = cuts[at + 1] if at + 1 < len(cuts) else math.inf
    return _written(cuts[at], before, after, closed, cast)


@lru_cache(maxsize=1 << 16)
def _written(cut: float, before: float, after: float, closed: Closed, cast: Cast) -> Bound:
    text = number_text(cut, cast)
    if cast == "float64" and _digits(text) > _MOST_DIGITS:
        apart = min(cut - before, after - cut) / 4  # so that neighbours stay in order
        text = number_text(_short(cut, min(abs(cut) * _NEAR, _NEAR_AT_MOST, apart)))
    number = rounded(float(text), cast)
    return Bound(text, number <= cut if closed == "right" else number < cut)


def _digits(text: str) -> int:
    return len(text.partition("e")[0].replace(".", "").strip("-0"))


def _short(number: float, tolerance: float) -> float:
    """The number with the fewest digits within a tolerance of at most a ten millionth."""
    numbers = (float(f"{number:.{digits}g}") for digits in range(6, 17))
    return next((n for n in numbers if abs(n - number) <= tolerance), number)


def shorter(number: float) -> Iterator[float]:
    """Numbers within 0.01 and a ten thousandth of one of more than 12 digits, shortest first."""
    if not math.isfinite(number) or _digits(number_text(number)) <= _MOST_DIGITS:
        return
    size = Decimal(number).adjusted()
    for digits in range(max(6, size + 3), 17):
        near, unit = Decimal(f"{number:.{digits}g}"), Decimal(1).scaleb(size - digits + 1)
        yield from (float(near), float(near + unit), float(near - unit))


@dataclass(frozen=True, slots=True)
class Span:
    """The numbers between two bounds as they are written; None where they have no end."""

    low: Bound | None
    high: Bound | None

    def __str__(self) -> str:
        low, high = self.low, self.high
        left = "(-inf" if low is None else f"{'(' if low.below else '['}{low.text}"
        right = "inf)" if high is None else f"{high.text}{']' if high.below else ')'}"
        return f"{left}, {right}"

    def comparison(self) -> str:
        """As it follows a name: `> 25`, `<= 40`, or `in (25, 40]`."""
        if self.low is None and self.high is not None:
            return f"{'<=' if self.high.below else '<'} {self.high.text}"
        if self.high is None and self.low is not None:
            return f"{'>' if self.low.below else '>='} {self.low.text}"
        return f"in {self}"


def numbers_text(parts: Sequence[object]) -> str:
    """As it follows a name: `> 25`, `is missing`, `in {(25, 40], <missing>}`."""
    if len(parts) == 1 and isinstance(parts[0], Span):
        return parts[0].comparison()
    return "is missing" if parts == [MISSING] else f"in {{{', '.join(map(str, parts))}}}"

"""Bounds of cells as people read them: short, and true of every number that people write.

A scaler before a tree cuts at 41.499999999999993, which no letter should say. A cut of more than 12
digits is written as the shortest decimal within a ten millionth of it, 0.005, and a quarter of the
way to the next cut; that decimal can lie on either side, and `<` or `<=` is chosen by its side. So
what is written holds of that decimal itself, and of every number of up to 6 digits, of 2 decimals,
or of as many as are written: only a number between the cut and what is written can be misjudged.
The noise of float32 in a scaled number is why a ten millionth; a billionth would leave it to read.

A model that rounds to float32 separates decimals half way between two float32 numbers:
that number is what is written of its cut, by the same rule, to within a step of float32 and 0.01.
"""

import math
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from reasons.features.floats import Cast, Closed, rounded, step
from reasons.features.grammar.tokens import quoted, quoted_name
from reasons.features.values import MISSING, Interval, Special, number_text

if TYPE_CHECKING:
    from reasons.features.feature import Feature

_MOST_DIGITS = 12  # of a number that somebody wrote, or that lies half way between two such
_NEAR: dict[Cast, float] = {"float64": 1e-7, "float32": 2.0**-23}
_NEAR_AT_MOST: dict[Cast, float] = {"float64": 0.005, "float32": 0.01}


@dataclass(frozen=True, slots=True)
class Bound:
    """A cut as it is written, and whether the written number itself lies below the cut."""

    text: str
    below: bool

    def is_written(self, number: float, below: bool) -> bool:
        """Whether a comparison with a number means this cut."""
        return float(self.text) == number and self.below == below


def bound(cuts: Sequence[float], at: int, closed: Closed, cast: Cast, whole: bool = False) -> Bound:
    """One of a feature's cuts as it is written; different cuts are written differently.

    >>> bound([41.499999999999993, 52.000000000000007], 0, "right", "float64")
    Bound(text='41.5', below=False)
    """
    before = cuts[at - 1] if at else -math.inf
    after = cuts[at + 1] if at + 1 < len(cuts) else math.inf
    return _written(cuts[at], before, after, closed, cast, whole)


@lru_cache(maxsize=1 << 16)
def _written(
    cut: float, before: float, after: float, closed: Closed, cast: Cast, whole: bool
) -> Bound:
    before, turn, after = (_turn(each, closed, cast, whole) for each in (before, cut, after))
    text = number_text(turn)
    if cast == "float32" or _digits(text) > _MOST_DIGITS:
        apart = min(turn - before, after - turn) / 4  # so that neighbours stay in order
        near = min(abs(turn) * _NEAR[cast], _NEAR_AT_MOST[cast], apart)
        text = number_text(_short(turn, near))
    number = float(text)
    return Bound(text, number <= turn if closed == "right" else number < turn)


def _turn(cut: float, closed: Closed, cast: Cast, whole: bool) -> float:
    """Where numbers turn to the other side of a cut before they are rounded: the last, or first.

    Zero stays: 7e-46, which rounds to it, would mean nothing to a reader.

    >>> _turn(272124.8125, "right", "float32", whole=False)
    272124.828125
    """
    if cast == "float64" or cut == 0 or math.isinf(cut):
        return cut
    beyond = step(cut, math.inf if closed == "right" else -math.inf, cast)
    if math.isinf(beyond):
        beyond = math.copysign(2.0**128, beyond)
    middle = (cut + beyond) / 2
    turn = middle if rounded(middle, cast) == cut else math.nextafter(middle, cut)
    if whole:
        return math.floor(turn) if closed == "right" else math.ceil(turn)
    return turn


def _digits(text: str) -> int:
    return len(text.partition("e")[0].replace(".", "").strip("-0"))


def _short(number: float, tolerance: float) -> float:
    """The number with the fewest digits within a tolerance of about a ten millionth."""
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


def characteristic_text(feature: "Feature", cells: Collection[int]) -> str:
    """A characteristic as text: `E`, `~F`, `age > 25`, `job in {clerk, nurse}`."""
    name = quoted_name(feature.name)
    if feature.kind == "boolean" and len(cells) == 1:
        return name if 1 in cells else f"~{name}"
    if feature.kind == "numeric":
        if feature.is_every_number(cells):
            return f"{name} is not missing"
        return f"{name} {_numbers_text(feature.parts(cells))}"
    values = [feature.values[cell] for cell in sorted(cells)]
    texts = [str(value) if isinstance(value, Special) else quoted(str(value)) for value in values]
    return f"{name} = {texts[0]}" if len(texts) == 1 else f"{name} in {{{', '.join(texts)}}}"


def _numbers_text(parts: Sequence[object]) -> str:
    """As it follows a name: `> 25`, `is missing`, `in {(25, 40], <missing>}`."""
    if len(parts) == 1 and isinstance(parts[0], Span):
        return parts[0].comparison()
    return "is missing" if parts == [MISSING] else f"in {{{', '.join(map(str, parts))}}}"


def written_value(feature: "Feature", value: Any) -> Any:
    """An interval with its bounds as they are written; any other value as it is."""
    if not isinstance(value, Interval):
        return value
    return Span(written_cut(feature, value.low), written_cut(feature, value.high))


def written_cut(feature: "Feature", cut: float) -> Bound | None:
    """One of a feature's cuts as it is written, or None where it is infinite."""
    if math.isinf(cut):
        return None
    at = bisect_left(feature.cuts, cut)
    return bound(feature.cuts, at, feature.closed, feature.cast, feature.whole)

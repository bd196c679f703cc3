"""Cuts between numbers: those that a feature has, and the one that a comparison means."""

import math
import sys
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from reasons.errors import InputError, Option
from reasons.features.floats import Cast, Closed, cut_of, rounded, step
from reasons.features.formatting import Span, written_cut
from reasons.features.values import Interval, number_text
from reasons.text import comma_list, short_repr

if TYPE_CHECKING:
    from reasons.features.feature import Feature

Side = tuple[float, bool]
"""A number that is compared, and whether it lies below the cut that the comparison means."""


def comparison_cut(
    number: float, below: bool, closed: Closed, cast: Cast, *, whole: bool = False
) -> float:
    """The cut just after a number (`below`: the number lies below it), or just before it.

    >>> comparison_cut(25, True, "right", "float64"), comparison_cut(25, False, "left", "float64")
    (25, 25)
    """
    bound = rounded(number, cast)
    if math.isinf(bound):
        return bound
    if whole:
        last_below = math.floor(bound) if below else math.ceil(bound) - 1
        return last_below if closed == "right" else last_below + 1
    if below == (closed == "right"):
        return bound
    return step(bound, math.inf if below else -math.inf, cast)


def finite_cut(name: str, cut: Any, closed: Closed, cast: Cast, whole: bool) -> float:
    """A cut that a user gives, at a number that the cast leaves as it is."""
    try:
        number = cut_of(float(cut), closed, cast)
    except (TypeError, ValueError):
        raise InputError(f"feature {name!r}: the cut {short_repr(cut)} is not a number") from None
    except OverflowError:
        raise InputError(
            f"feature {name!r}: the cut {short_repr(cut)} is too large a number"
        ) from None
    if not math.isfinite(number):
        raise InputError(f"feature {name!r}: the cut {short_repr(cut)} is not finite")
    if whole:
        return math.floor(number) if closed == "right" else math.ceil(number)
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def limits_of(name: str, whole: bool, within: Any) -> tuple[float, float]:
    """The bounds of a feature's numbers: the first and the last that there is."""
    try:
        low, high = (-math.inf, math.inf) if within is None else map(float, within)
    except (TypeError, ValueError):
        raise InputError(
            f"feature {name!r}: {short_repr(within)} is not a pair of bounds"
        ) from None
    except OverflowError:
        raise InputError(
            "feature {feature}: {option} is too large",
            feature=name,
            option=Option("within", within),
        ) from None
    low = math.ceil(low) if whole and math.isfinite(low) else low
    high = math.floor(high) if whole and math.isfinite(high) else high
    if not low <= high:
        raise InputError(f"feature {name!r}: no number is within {short_repr(within)}")
    return low, high


def ends_of(limits: tuple[float, float], whole: bool, cast: Cast) -> tuple[float, float]:
    """The first and the last number there is, as a cast leaves them."""
    low, high = limits
    if whole:
        greatest = sys.float_info.max
        low, high = max(low, -greatest), min(high, greatest)
    return rounded(low, cast), rounded(high, cast)


def parts_numbers(cut: float, ends: tuple[float, float], closed: Closed) -> bool:
    """Whether there are numbers on both sides of a cut."""
    if closed == "right":
        return ends[0] <= cut < ends[1]
    return ends[0] < cut <= ends[1]


def clipped(number: float, within: tuple[float, float]) -> float:
    """The number of a range that is nearest to a number."""
    low, high = within
    return low if number < low else high if number > high else number


def cut_at(feature: "Feature", number: float, below: bool) -> float:
    """The cut that a comparison with a number means: as it is written, or exactly.

    `below`: the number itself lies below the cut, as in `<= 25` and `> 25`. Infinite where
    all numbers there are lie on one side.

    >>> from reasons import Feature
    >>> cut_at(Feature.numeric("age", [41.499999999999993]), 41.5, below=False)
    41.49999999999999
    """
    if math.isinf(number):
        return number
    near = bisect_left(feature.cuts, rounded(number, feature.cast))
    for cut in feature.cuts[max(near - 1, 0) : near + 2]:
        written = written_cut(feature, cut)
        if written is not None and written.is_written(number, below):
            return cut
    return exact_cut(feature, number, below)


def exact_cut(feature: "Feature", number: float, below: bool) -> float:
    """The cut just after a number, or just before it; infinite as in `cut_at`."""
    exact = comparison_cut(number, below, feature.closed, feature.cast, whole=feature.whole)
    if math.isinf(exact):
        return exact
    at = bisect_left(feature.cuts, exact)
    if exact in feature.cuts[at : at + 1]:
        return feature.cuts[at]
    limits = limits_of(feature.name, feature.whole, feature.within)
    ends = ends_of(limits, feature.whole, feature.cast)
    if not parts_numbers(exact, ends, feature.closed):
        is_first = exact < ends[0] or (exact == ends[0] and feature.closed == "left")
        return -math.inf if is_first else math.inf
    cuts = [Span(None, written_cut(feature, cut)).comparison() for cut in feature.cuts]
    sign = "<=" if below else "<"
    raise InputError(
        f"feature {feature.name!r} is not cut at `{sign} {number_text(number)}`; "
        f"its cuts are: {comma_list(cuts) or 'none'}"
    )


def compared_cells(
    feature: "Feature",
    compared: Iterable[tuple[str, float]],
    known: Mapping[Side, float] | None = None,
) -> frozenset[int]:
    """The cells of numbers for which all of these comparisons hold.

    `known` are the cuts of some of them; `cut_at` finds the others.

    >>> from reasons import Feature
    >>> sorted(compared_cells(Feature.numeric("age", [25, 40]), [(">", 25), ("<=", 40)]))
    [1]
    """
    numbers = [c for c, value in enumerate(feature.values) if isinstance(value, Interval)]
    cells = frozenset(numbers)
    for operator, number in compared:
        below = operator in ("<=", ">")
        cut = (known or {}).get((number, below))
        cut = cut_at(feature, number, below) if cut is None else cut
        up_to = frozenset(cell for cell in numbers if feature.values[cell].high <= cut)
        cells &= up_to if operator in ("<", "<=") else cells - up_to
    return cells

"""Cuts between numbers: the one that a comparison means, and those that bounds leave over."""

import math
import sys
from typing import Any

from reasons.errors import InputError, Option
from reasons.features.floats import Cast, Closed, cut_of, rounded, step
from reasons.text import short_repr


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
        raise InputError(f"feature {name!r}: {short_repr(within)} is no pair of bounds") from None
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

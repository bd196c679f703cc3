"""Sample values of a cell: raw numbers at its ends, between them, and far out."""

import math
from collections.abc import Iterator
from typing import Any

from reasons.errors import InputError
from reasons.features.feature import Feature
from reasons.features.floats import step
from reasons.features.values import Interval

_FAR = 1e6  # the distance of the outermost sample from the last cut, in units of it
_BETWEEN = 16
_LARGEST = 3.4e38  # of float32, nearly


def numbers_within(feature: Feature, cell: int) -> list[Any]:
    """Raw numbers of a cell, its representative first; for other cells only that one.

    >>> numbers_within(Feature.numeric("x", [0, 4], whole=True, within=(0, 9)), 1)
    [4, 1, 2, 3]
    """
    interval, first = feature.values[cell], feature.raw(cell)
    if not isinstance(interval, Interval):
        return [first]
    ends = [_end(interval, below, feature) for below in (True, False)]
    near = [*ends, *_between(interval, *ends)]
    if feature.cast == "float32":  # libraries that read float32 refuse what it cannot hold
        near = [min(max(number, -_LARGEST), _LARGEST) for number in near]
    if feature.whole:
        near = [math.floor(number) for number in near]
    candidates = [first, *(feature.raw(cell, number) for number in near)]
    return [number for number in dict.fromkeys(candidates) if _is_in(feature, cell, number)]


def _between(interval: Interval, low: float, high: float) -> Iterator[float]:
    """Evenly between two finite ends; otherwise at growing distances."""
    for part in range(1, _BETWEEN):
        share = part / _BETWEEN
        if math.isfinite(interval.low) and math.isfinite(interval.high):
            yield low + (high - low) * share
        elif math.isfinite(interval.low):
            yield low + _distance(low, share)
        elif math.isfinite(interval.high):
            yield high - _distance(high, share)
        else:
            yield math.copysign(_distance(0.0, abs(2 * share - 1)), share - 0.5)


def _distance(bound: float, share: float) -> float:
    """From a hundredth of a bound to a million times it."""
    return float(max(1.0, abs(bound)) * _FAR * 1e8 ** (share - 1))


def _end(interval: Interval, below: bool, feature: Feature) -> float:
    """The number at one end of an interval, far out where it has none."""
    bound, other = (interval.low, interval.high) if below else (interval.high, interval.low)
    if math.isinf(bound):
        return math.copysign(_FAR * max(1.0, abs(other) if math.isfinite(other) else 1.0), bound)
    belongs = (interval.closed == "left") == below
    if belongs or feature.whole:
        return bound
    return step(bound, math.inf if below else -math.inf, feature.cast)


def _is_in(feature: Feature, cell: int, number: float) -> bool:
    try:
        return feature.cell(number) == cell
    except InputError:
        return False

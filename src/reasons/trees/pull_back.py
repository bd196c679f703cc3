"""Cuts in the user's numbers, where a model tests what was made of them.

Transformers round on their way, so that a formula for the inverse would be off by a few
units in the last place. They never turn the order of two numbers round, though; so the
last number on the left of each threshold is found by bisection over all floats, through
the transformer itself and for all thresholds at once.
"""

from collections.abc import Callable

import numpy
from numpy.typing import NDArray

from reasons.errors import UnsupportedModel
from reasons.values import Closed

Floats = NDArray[numpy.float64]
Lefts = Callable[[Floats], NDArray[numpy.bool_]]  # of the k-th number: is it left of the k-th point

_REACHES = (1.7e308, 1e250, 1e150, 1e75, 1e38, 1e30, 1e18, 1e9)
_NEAR = sorted({sign * offset for sign in (1, -1) for offset in (*range(33), 64, 1024, 1 << 20)})


def last_left(left: Lefts, count: int, name: str, is_fine: Callable[[float], bool]) -> Floats:
    """The last number on the left of each point that has numbers on both sides.

    `is_fine` says whether a number and its negative can be transformed: beyond the largest
    that can, `predict` raises as well.
    Cost: about 100 calls.
    """
    reach = next((reach for reach in _REACHES if is_fine(reach)), None)
    if reach is None:
        raise UnsupportedModel(f"column {name!r} takes no number of the size of a billion")
    ends = _keys(numpy.array([-reach, reach]))
    low, high = (numpy.full(count, end) for end in ends)
    parted = left(_floats(low)) & ~left(_floats(high))
    while (high - low > 1)[parted].any():
        middle = (low >> 1) + (high >> 1) + (low & high & 1)  # their sum could overflow
        is_left = left(_floats(middle))
        low = numpy.where(is_left, middle, low)
        high = numpy.where(is_left, high, middle)
    for offset in _NEAR:
        at = numpy.clip(low + offset, *ends)
        if (left(_floats(at)) != (at <= low))[parted].any():
            raise UnsupportedModel(
                f"what is made of the column {name!r} does not grow with it, so that it has no "
                "cells; supported are scalers, binning and imputing"
            )
    return _floats(low)[parted]


def shorter(cuts: Floats) -> tuple[list[float], Closed]:
    """The cuts that a reader likes better: the last on the left, or the first on the right."""
    right = [float(cut) for cut in cuts]
    left = [float(cut) for cut in numpy.nextafter(cuts, numpy.inf)]
    length = [sum(len(repr(cut)) for cut in side) for side in (right, left)]
    return (right, "right") if length[0] <= length[1] else (left, "left")


def _keys(floats: Floats) -> NDArray[numpy.int64]:
    """Whole numbers in the order of the floats, neighbours one apart."""
    bits = floats.view(numpy.int64)
    return numpy.where(bits < 0, numpy.iinfo(numpy.int64).min - bits, bits)


def _floats(keys: NDArray[numpy.int64]) -> Floats:
    bits = numpy.where(keys < 0, numpy.iinfo(numpy.int64).min - keys, keys)
    return bits.view(numpy.float64)

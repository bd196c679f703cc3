"""From which sum on a unit changes its value, by bisection over the numbers that there are.

What follows a sum is a chain of roundings, each of which keeps the order of its arguments. So
a unit changes once, and the source's own arithmetic says where, to the last bit.
"""

from collections.abc import Callable
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import UnsupportedModel
from reasons.frontends.bnn.model import Floats, Stage

Test = Callable[[NDArray[Any]], NDArray[numpy.bool_]]


def first_change(
    stage: Stage, is_true: Test, reach: Floats, precision: type[numpy.floating[Any]]
) -> tuple[Floats, NDArray[numpy.bool_]]:
    """The first sum of each unit where a test of its value changes, and whether it comes true.

    An infinite one says that it does not change within reach, which is symmetric: minus
    infinity with "comes true" is always true.
    """

    def tested(sums: NDArray[Any]) -> NDArray[numpy.bool_]:
        with numpy.errstate(all="ignore"):
            made = stage.after(sums[None, :])[0]
        if not numpy.isfinite(made).all():
            unit = int(numpy.argwhere(~numpy.isfinite(made))[0, 0])
            raise UnsupportedModel(f"{stage.place}, unit {unit}: its numbers overflow")
        return is_true(made)

    ends = reach.astype(precision)
    low, high = _ordinals(-ends), _ordinals(ends)
    at_low, at_high = tested(-ends), tested(ends)
    rises = at_high
    while (low + 1 < high).any():
        middle = (low >> 1) + (high >> 1) + (low & high & 1)  # their difference may overflow
        is_high = tested(_floats(middle, precision)) == at_high
        high, low = numpy.where(is_high, middle, high), numpy.where(is_high, low, middle)
    found = _floats(high, precision).astype(numpy.float64)
    same = at_low == at_high
    return numpy.where(same, -numpy.inf, found), rises


def _ordinals(numbers: NDArray[Any]) -> NDArray[numpy.int64]:
    """Whole numbers in the same order, one for each float there is."""
    kind, least = _kind(numbers.dtype.type)
    bits = numpy.ascontiguousarray(numbers).view(kind).astype(numpy.int64)
    return numpy.asarray(numpy.where(bits < 0, least - bits, bits))


def _floats(ordinals: NDArray[numpy.int64], precision: type[numpy.floating[Any]]) -> NDArray[Any]:
    kind, least = _kind(precision)
    bits = numpy.where(ordinals < 0, least - ordinals, ordinals)
    return bits.astype(kind).view(precision)


def _kind(precision: Any) -> tuple[Any, int]:
    kind = numpy.int32 if precision == numpy.float32 else numpy.int64
    return kind, int(numpy.iinfo(kind).min)

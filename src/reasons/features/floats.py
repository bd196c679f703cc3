"""Floats as a line of neighbours: steps along it, casts, and one bisection over it.

Rounding makes inverses of transformers and links inexact by a few units in the last place, while
their order stays. So cuts are found by bisection over all floats, through the function itself.
"""

import math
import struct
from collections.abc import Callable
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Ranks = NDArray[numpy.int64]

Closed = Literal["right", "left"]
Cast = Literal["float64", "float32"]


def rounded(number: float, cast: Cast) -> float:
    """The number as a cast leaves it: the nearest, of two the even one; infinite beyond range.

    >>> rounded(2.45, "float32"), rounded(1e300, "float32")
    (2.450000047683716, inf)
    """
    if cast == "float64":
        return number
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def rounded_once(value: Any, number: float, cast: Cast) -> float | None:
    """A whole number as it is compared without float64 between, where that is another; else None.

    `number` is the value as float64. Libraries do the one with columns of whole numbers, the
    other with lists and mixed tables.

    >>> rounded_once(2**60 + 2**36 + 1, float(2**60 + 2**36 + 1), "float32") == 2.0**60 + 2**37
    True
    """
    if not isinstance(value, Integral) or not math.isfinite(number) or int(number) == value:
        return None
    if cast == "float64":
        return int(value)
    beyond = rounded(math.nextafter(number, math.inf if int(value) > number else -math.inf), cast)
    return beyond if beyond != rounded(number, cast) else None


def step(number: float, toward: float, cast: Cast) -> float:
    """The next number of a precision, itself a number of it, in a direction."""
    if cast == "float64" or number == toward:
        return math.nextafter(number, toward)
    if number == 0:
        return math.copysign(2.0**-149, toward)
    away = (toward > number) == (number > 0)
    bits = struct.unpack("<i", struct.pack("<f", number))[0] + (1 if away else -1)
    return float(struct.unpack("<f", struct.pack("<i", bits))[0])


def cut_of(threshold: float, closed: Closed, cast: Cast) -> float:
    """The number of a precision at which a test against a threshold turns.

    Of `x <= t` that is the greatest up to t, of `x < t` the least from t on.

    >>> cut_of(2.45, "right", "float32"), cut_of(2.45, "left", "float32")
    (2.4499998092651367, 2.450000047683716)
    """
    near = rounded(threshold, cast)
    if closed == "right":
        return step(near, -math.inf, cast) if near > threshold else near
    return step(near, math.inf, cast) if near < threshold else near


def shortest(value: float) -> float:
    """The number with the fewest digits that is the same float32."""
    numbers = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return next((n for n in numbers if rounded(n, "float32") == value), value)


def ranks_of(numbers: "NDArray[Any]") -> "Ranks":
    """Whole numbers in the order of floats, neighbours one apart, zero at zero.

    >>> import numpy
    >>> ranks_of(numpy.array([-5e-324, -0.0, 0.0, 5e-324])).tolist()
    [-1, 0, 0, 1]
    """
    import numpy

    kind, least = _whole_kind(numbers.dtype.type)
    bits = numpy.ascontiguousarray(numbers).view(kind).astype(numpy.int64)
    return numpy.asarray(numpy.where(bits < 0, least - bits, bits))


def floats_at(ranks: "Ranks", precision: Any = float) -> "NDArray[Any]":
    """The floats of a precision that have these ranks."""
    import numpy

    kind, least = _whole_kind(precision)
    bits = numpy.where(ranks < 0, least - ranks, ranks)
    return numpy.asarray(bits.astype(kind).view(precision))


def _whole_kind(precision: Any) -> tuple[Any, int]:
    import numpy

    kind = numpy.int32 if precision == numpy.float32 else numpy.int64
    return kind, int(numpy.iinfo(kind).min)


def bisect_floats(
    is_after: "Callable[[NDArray[Any]], NDArray[numpy.bool_]]",
    low: "Ranks",
    high: "Ranks",
    *,
    precision: Any = float,
    parts: int = 2,
    wanted: Any = slice(None),
) -> "tuple[Ranks, Ranks]":
    """The neighbouring floats between which tests come true, one search for each pair of ranks.

    `is_after` takes a table with a column for each search and `parts` - 1 rows; it is false at
    `low` and true at `high`. More than two parts, which need ends of one sign, are for tests that
    cost more a call than a row. Only `wanted` searches must end.
    Cost: log2(distance) / log2(parts) calls.
    """
    import numpy

    columns = numpy.arange(len(low))
    while (low + 1 < high)[wanted].any():
        marks = _marks(low, high, parts)
        last = (~is_after(floats_at(marks[1:-1], precision))).sum(axis=0)
        low, high = marks[last, columns], marks[last + 1, columns]
    return low, high


def _marks(low: "Ranks", high: "Ranks", parts: int) -> "Ranks":
    """Ranks that split each distance into equal parts, with its ends."""
    import numpy

    if parts == 2:
        middle = (low >> 1) + (high >> 1) + (low & high & 1)  # their difference may overflow
        return numpy.array([low, middle, high])
    whole, rest = (high - low) // parts, (high - low) % parts
    steps = numpy.arange(parts + 1)[:, None]
    return numpy.asarray(low + whole * steps + rest * steps // parts)

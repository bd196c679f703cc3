"""Arrays of likelihoods, multiplied and summed, with a bound on what rounding did.

All numbers are at least 0, so that relative errors add up along the way and nothing cancels.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from reasons.frontends.bayesnet.network import Floats

NOTHING_LOST = -math.inf
_SMALLEST = -1000.0  # log2 of products that are certainly not rounded to 0


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """An array with an axis for each of `axes`, up to a factor; its largest entry is near 1.

    Entries are wrong by at most `roundings` relative roundings, and besides by 2 ** `lost` where
    numbers became too small for floats.
    """

    axes: tuple[int, ...]
    values: Floats
    roundings: int
    lost: float = NOTHING_LOST


def joined(parts: Sequence[Likelihoods], keep: set[int]) -> Likelihoods:
    """The product of all, summed over the axes that are not to be kept."""
    found = _summed(parts[0], keep.union(*(part.axes for part in parts[1:])))
    for place, part in enumerate(parts[1:], 1):
        later = keep.union(*(each.axes for each in parts[place + 1 :]))
        found = _pair(found, part, later)
    return found


def _summed(part: Likelihoods, keep: set[int]) -> Likelihoods:
    """Without the axes that are needed no more."""
    gone = tuple(place for place, axis in enumerate(part.axes) if axis not in keep)
    if not gone:
        return part
    count = math.prod(part.values.shape[place] for place in gone)
    axes = tuple(axis for axis in part.axes if axis in keep)
    return _scaled(axes, part.values.sum(axis=gone), part.roundings + count, part.lost, count)


def _pair(one: Likelihoods, other: Likelihoods, keep: set[int]) -> Likelihoods:
    """The product of two, summed over the axes that they share and that are needed no more."""
    one = _summed(one, keep | set(other.axes))
    other = _summed(other, keep | set(one.axes))
    shared = [axis for axis in one.axes if axis in other.axes]
    both = [axis for axis in shared if axis in keep]
    inner = [axis for axis in shared if axis not in keep]
    left = [axis for axis in one.axes if axis not in shared]
    right = [axis for axis in other.axes if axis not in shared]
    size = dict(zip(one.axes, one.values.shape, strict=True))
    size |= dict(zip(other.axes, other.values.shape, strict=True))
    batch, count, rows, columns = (
        math.prod(size[axis] for axis in axes) for axes in (both, inner, left, right)
    )
    first = _laid(one, [*both, *left, *inner]).reshape(batch, rows, count)
    second = _laid(other, [*both, *inner, *right]).reshape(batch, count, columns)
    if count == 1:
        product = first * second
    elif batch > 64 and rows * columns < 64:  # where the library is called for too little each
        product = numpy.einsum("brk,bkc->brc", first, second)
    else:
        product = first @ second
    axes = (*both, *left, *right)
    lost = max(one.lost, other.lost)
    if least(one.values) + least(other.values) < _SMALLEST:
        lost = max(lost, -1074.0)
    shape = [size[axis] for axis in axes]
    roundings = one.roundings + other.roundings + count + 1
    return _scaled(axes, product.reshape(shape), roundings, lost + 1, count)


def _laid(part: Likelihoods, axes: Sequence[int]) -> Floats:
    return part.values.transpose([part.axes.index(axis) for axis in axes])


def least(values: Floats) -> float:
    """The log2 of the smallest entry that is not 0."""
    least = float(numpy.min(values, where=values > 0, initial=math.inf))
    return math.log2(least)


def _scaled(
    axes: tuple[int, ...], values: Floats, roundings: int, lost: float, count: int
) -> Likelihoods:
    """Times the power of two that makes the largest entry near 1, so that nothing runs away."""
    largest = float(values.max())
    if largest == 0:
        return Likelihoods(axes, values, roundings, lost)
    shift = math.frexp(largest)[1]
    return Likelihoods(
        axes, numpy.ldexp(values, -shift), roundings, lost + math.log2(count) - shift
    )

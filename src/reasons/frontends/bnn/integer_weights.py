"""Integer weights of units, and bounds of the rounding errors of a source's sums."""

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from reasons.frontends.bnn.model import Floats, Stage

Wholes = NDArray[numpy.int64]

_MOST_BITS = 52  # of a sum of whole numbers
_SMALLEST = -1074


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs of a stage: numbers that are `base`, plus a step for each part that is true.

    Part i belongs to number `number[i]` and adds `step[i]`.
    """

    base: Wholes
    number: Wholes
    step: Wholes

    @property
    def largest(self) -> Wholes:
        """The largest magnitude of each number."""
        most = self.base + numpy.bincount(self.number, self.step, len(self.base)).astype(
            numpy.int64
        )
        return numpy.maximum(abs(self.base), abs(most))

    def values(self, parts: NDArray[numpy.bool_]) -> Wholes:
        """The numbers that true and false parts stand for."""
        steps = numpy.where(parts, self.step, 0)
        return self.base + numpy.bincount(self.number, steps, len(self.base)).astype(numpy.int64)


def plain(count: int, low: int, high: int) -> Inputs:
    """Numbers with two values each, as the inputs of a network are."""
    return Inputs(
        numpy.full(count, low), numpy.arange(count), numpy.full(count, high - low, numpy.int64)
    )


def spread(weights: Floats, inputs: Inputs) -> Floats:
    """The most that each unit's sum can be, in magnitude."""
    return numpy.asarray(abs(weights) @ inputs.largest.astype(float))


def last_bit(numbers: Floats) -> NDArray[numpy.int64]:
    """The largest k for each row so that all its numbers are multiples of 2^k."""
    mantissa, exponent = numpy.frexp(numbers)
    whole = numpy.ldexp(abs(mantissa), 53).astype(numpy.int64)
    _, place = numpy.frexp((whole & -whole).astype(float))
    bit = exponent.astype(numpy.int64) - 53 + place - 1
    most = numpy.where(numbers == 0, 2 * _MOST_BITS, bit)
    return numpy.asarray(most.min(axis=1))


def slack(stage: Stage, inputs: Inputs, bits: int) -> Floats:
    """Bounds of the rounding errors of the source's sums, at this precision in bits.

    The error is 0 where every partial sum is a float of that precision. Where only the added number
    is too fine, a sum is rounded at most once for each power of 2 that it passes: a sum on a
    coarser grid stays on it when whole numbers are added.
    """
    reach = spread(stage.weights, inputs) + abs(stage.added)
    grid = last_bit(stage.weights)
    fine = numpy.minimum(grid, last_bit(stage.added[:, None]))
    above = numpy.ceil(numpy.log2(numpy.maximum(reach, 2.0**_SMALLEST)))
    unit = 2.0**-bits
    terms = stage.weights.shape[1] + 2
    rough = terms * unit / (1 - terms * unit) * reach
    once = numpy.ldexp(2.0, (above - bits).astype(int))
    error = numpy.where(above - grid <= bits, once, rough)
    return numpy.where((above - fine <= bits) | (reach == 0), 0.0, error)


@dataclass(frozen=True, eq=False)
class Scaled:
    """A row of integer weights, one for each part, and their error.

    The true sum is the whole one plus `base`, over 2^bits, give or take `rounding`.
    """

    weights: Wholes
    base: int
    bits: int
    rounding: float


def common_bits(weights: Floats, inputs: Inputs) -> int:
    """The most fractional bits with which all rows fit."""
    reach = float(spread(weights, inputs).max())
    return _MOST_BITS - int(numpy.ceil(numpy.log2(max(reach, 2.0**_SMALLEST))))


def scaled(weights: Floats, inputs: Inputs, bits: int | None = None) -> Scaled:
    """A unit's weights as integers: exactly, or with as many bits as fit."""
    row = weights[None, :]
    chosen = min(common_bits(row, inputs), -int(last_bit(row)[0])) if bits is None else bits
    exact = numpy.ldexp(weights, chosen)
    whole = numpy.rint(exact)
    off = float(abs(exact - whole) @ inputs.largest.astype(float))
    parts = whole.astype(numpy.int64)
    return Scaled(
        parts[inputs.number] * inputs.step,
        int(parts @ inputs.base),
        chosen,
        0.0 if off == 0 else float(numpy.ldexp(off, -chosen)) * (1 + 2.0**-20),
    )

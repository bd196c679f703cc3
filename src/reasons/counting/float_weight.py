"""What the instances with a label weigh, in floating point and without under- or overflow."""

import math
from fractions import Fraction

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting.count import weigh
from reasons.counting.weights import Weights

_BLOCK = 256  # core/counting/scaled_float.hpp counts exponents in blocks of so many

Binary = tuple[float, int]  # a mantissa and an exponent of 2


def weigh_floating(circuit: Circuit, label: int, weights: Weights, budget: Budget) -> Binary:
    """The sum of the weights, as a mantissa below 1 and a power of two.

    Where weights are negative, digits could cancel: then it is worked out exactly first.
    """
    if weights.some_are_negative:
        return _binary(weigh(circuit, label, weights, budget))
    largest = [max(row) for row in weights.of]
    if not all(largest):
        return 0.0, 0
    flat = [float(w / most) for row, most in zip(weights.of, largest, strict=True) for w in row]
    values, blocks, _ = _core.shares(circuit.native, flat, label)
    mantissa, exponent = math.frexp(memoryview(values).cast("d")[circuit.root])
    exponent += _BLOCK * memoryview(blocks).cast("q")[circuit.root]
    for row in weights.of:
        factor, more = _binary(sum(row, Fraction(0)))
        mantissa, carried = math.frexp(mantissa * factor)
        exponent += more + carried
    return mantissa, exponent


def _binary(number: Fraction) -> Binary:
    shift = number.numerator.bit_length() - number.denominator.bit_length()
    mantissa, exponent = math.frexp(float(number / Fraction(2) ** shift))
    return mantissa, exponent + shift


def plain(number: Binary) -> float:
    """As a float, which is infinite or 0 where it is beyond the largest or smallest."""
    try:
        return math.ldexp(*number)
    except OverflowError:
        return math.copysign(math.inf, number[0])


def logarithm(number: Binary) -> float:
    """The natural logarithm of a number that is not negative."""
    mantissa, exponent = number
    return math.log(mantissa) + exponent * math.log(2) if mantissa else -math.inf

"""Integer logarithms of ratios: their sum is 0 exactly where the product of the ratios is 1.

Networks written by hand have few different probabilities and many instances whose odds equal the
threshold. The ratios are products of powers of a few coprime numbers (a coprime base), so a product
is 1 only if every exponent is 0. Logarithms of the base, rounded to small enough units, give sums
with the signs of the true sums. That is proved over all possible exponents, exactly for those near
0. Where there are too many, there are no such scores, and close calls are settled one by one.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy
from numpy.typing import NDArray

from reasons.frontends.bayesnet.network import Floats

Ratio = tuple[int, int]
Exponents = tuple[int, ...]

_MOST_NUMBERS = 6
_MOST_BITS = 4_096
_MOST_VECTORS = 1 << 22
_UNITS = 2.0**42  # of the largest sum, so that doubles hold sums of many blocks


def odds_of(threshold: Fraction) -> Ratio:
    """The odds from which on a probability reaches a threshold."""
    part, whole = threshold.as_integer_ratio()
    common = math.gcd(part, whole - part)
    return part // common, (whole - part) // common


def log_ratio(one: int, other: int) -> float:
    """The logarithm of a ratio of whole numbers of any length, infinite where one of them is 0."""
    if not other:
        return math.inf
    if not one:
        return -math.inf
    shift = one.bit_length() - other.bit_length()
    if abs(shift) < 900:
        return math.log(Fraction(one, other))
    return math.log(Fraction(one, other) / Fraction(2) ** shift) + shift * math.log(2)


def whole_scores(blocks: Sequence[Sequence[Ratio]]) -> list[Floats] | None:
    """A whole number for each ratio of each block, or None where none are proved.

    Ratios are not 0 and in lowest terms. For one ratio of each block, the product compares with 1
    as the sum of the numbers compares with 0.
    """
    base = _base(number for ratios in blocks for ratio in ratios for number in ratio)
    if base is None:
        return None
    exponents = [[_exponents(ratio, base) for ratio in ratios] for ratios in blocks]
    most = [sum(max(abs(e[i]) for e in each) for each in exponents) for i in range(len(base))]
    logarithms = numpy.array([math.log(number) for number in base])
    largest = float(sum(m * log for m, log in zip(most, logarithms, strict=True))) or 1.0
    units = numpy.rint(logarithms * (_UNITS / largest))
    if not _has_signs(base, most, logarithms, units, largest):
        return None
    return [numpy.array(each, dtype=float).reshape(len(each), -1) @ units for each in exponents]


def _base(numbers: Iterable[int]) -> list[int] | None:
    """A coprime base: all numbers are products of powers of its members."""
    base: list[int] = []
    for number in set(numbers):
        if number.bit_length() > _MOST_BITS:
            return None
        waiting = [number]
        while waiting:
            waiting += _refined(base, waiting.pop())
        if len(base) > _MOST_NUMBERS:
            return None
    return sorted(base)


def _refined(base: list[int], number: int) -> list[int]:
    """Add a number to the base, or take a member out and return the factors of both."""
    if number == 1:
        return []
    for place, other in enumerate(base):
        common = math.gcd(number, other)
        if common > 1:
            if common == other == number:
                return []
            del base[place]
            return [common, other // common, number // common]
    base.append(number)
    return []


def _exponents(ratio: Ratio, base: Sequence[int]) -> Exponents:
    above, below = ratio
    return tuple(_power(above, number) - _power(below, number) for number in base)


def _power(number: int, factor: int) -> int:
    count = 0
    while number % factor == 0:
        number //= factor
        count += 1
    return count


def _has_signs(
    base: Sequence[int], most: Sequence[int], logarithms: Floats, units: Floats, largest: float
) -> bool:
    """Whether sums of units have the signs of sums of logarithms, for all exponents."""
    if math.prod(2 * m + 1 for m in most) > _MOST_VECTORS:
        return False
    sums = numpy.zeros(1)
    for m, log in zip(most, logarithms, strict=True):
        sums = numpy.add.outer(sums, numpy.arange(-m, m + 1) * log).ravel()
    doubt = largest * 2.0**-40 + sum(most) * largest / _UNITS
    near: NDArray[numpy.int64] = numpy.flatnonzero(abs(sums) <= doubt)
    shape = [2 * m + 1 for m in most]
    vectors = (
        numpy.stack(numpy.unravel_index(near, shape), axis=1) if most else near[:, None][:, :0]
    )
    return all(
        _sign(base, vector) == numpy.sign(vector @ units) for vector in vectors - numpy.array(most)
    )


def _sign(base: Sequence[int], exponents: Iterable[int]) -> int:
    """1, 0 or -1 where a product of powers is above 1, equal to 1 or below."""
    above = below = 1
    for number, exponent in zip(base, map(int, exponents), strict=True):
        if exponent > 0:
            above *= number**exponent
        else:
            below *= number**-exponent
    return (above > below) - (above < below)

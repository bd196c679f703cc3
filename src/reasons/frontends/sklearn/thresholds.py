"""A decision by one score, as the first float64 from which the library decides so.

Links and calibrators are monotone but for their rounding. The cut is found by bisection over
the floats, through the library's own functions, and floats around it at distances of all
scales are tried. Where they do not agree, scores that near are in doubt, and left to the
library.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from reasons.errors import UnsupportedModel
from reasons.features.floats import bisect_floats, floats_at, ranks_of
from reasons.frontends.sklearn.linear_scores import Weighed
from reasons.frontends.sklearn.tree_scores import Numbers, Scores

Says = Callable[[Numbers], NDArray[numpy.bool_]]

_SCALES, _AT_EACH = 44, 64  # of the distances, in floats: powers of two times 1 to 64


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Label 1 from `value` on, of scores further than `doubt` from it."""

    scores: Scores | Weighed
    value: float
    doubt: float = 0.0

    @property
    def slack(self) -> float:
        """What the library's score may be off by, before the division."""
        return self.scores.slack + 2 * self.doubt * self.scores.divisor


def cut(scores: Scores | Weighed, says: Says, knots: Numbers | None = None) -> Cut:
    """The cut of one score; `says` which scores get label 1, from one on or up to one.

    `knots` are scores at which the rounding of `says` may change.
    """
    low, high = scores.reach
    if not _at(says, high) and _at(says, low):
        mirrored = None if knots is None else -knots
        return cut(scores.negated(), lambda numbers: says(-numbers), mirrored)
    value = _first(says, low, high)
    return Cut(scores, value, _doubt(says, value, _around(value, low, high, knots)))


def _doubt(says: Says, value: float, tried: Numbers) -> float:
    """The distance from the cut of whatever lies beside a score that it gets wrong."""
    wrong = says(tried) != (tried >= value)
    if not wrong.any():
        return 0.0
    if not math.isfinite(value):
        raise UnsupportedModel("the model's decision does not rise or fall with its score")
    beside = numpy.convolve(wrong, [1, 1, 1], mode="same") > 0
    return float(abs(tried[beside] - value).max())


def _first(says: Says, low: float, high: float) -> float:
    if _at(says, low):
        return -math.inf
    if not _at(says, high):
        return math.inf
    ends = ranks_of(numpy.array([low, high], float))
    _, above = bisect_floats(lambda table: says(table[0])[None], ends[:1], ends[1:])
    return float(floats_at(above)[0])


def _around(value: float, low: float, high: float, knots: Numbers | None) -> Numbers:
    parts = [numpy.linspace(low, high, 1001)]
    if math.isfinite(value):
        first, last, at = ranks_of(numpy.array([low, high, value], float)).tolist()
        steps = {j << k for k in range(_SCALES) for j in range(1, _AT_EACH + 1)}
        ranks = [at + step for size in steps for step in (size, -size)]
        near_ranks = [rank for rank in ranks if first <= rank <= last]
        parts.append(floats_at(numpy.array(near_ranks, numpy.int64)))
    if knots is not None:
        near = [knots]
        for side in (-numpy.inf, numpy.inf):
            step = knots
            for _ in range(4):
                step = numpy.nextafter(step, side)
                near.append(step)
        beside = numpy.concatenate(near)
        parts.append(beside[(beside >= low) & (beside <= high)])
    return numpy.unique(numpy.concatenate(parts))


def _at(says: Says, number: float) -> bool:
    return bool(says(numpy.array([number]))[0])

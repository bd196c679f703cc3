"""From which sum on a unit changes its value, by bisection over the numbers that there are.

What follows a sum is a chain of roundings, each of which keeps the order of its arguments. So
a unit changes once, and the source's own arithmetic says where, to the last bit.
"""

from collections.abc import Callable
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import UnsupportedModel
from reasons.features.floats import bisect_floats, floats_at, ranks_of
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
    at_low, at_high = tested(-ends), tested(ends)
    rises = at_high
    _, high = bisect_floats(
        lambda table: (tested(table[0]) == at_high)[None],
        ranks_of(-ends),
        ranks_of(ends),
        precision=precision,
    )
    found = floats_at(high, precision).astype(numpy.float64)
    same = at_low == at_high
    return numpy.where(same, -numpy.inf, found), rises

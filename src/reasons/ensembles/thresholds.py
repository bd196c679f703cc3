"""Cuts in the user's numbers for thresholds behind transformers, by bisection over all floats.

Transformers round, so a formula for the inverse would be off by a few units in the last place. But
they are monotone. So bisection through the transformer itself finds the last number on the left of
each threshold, for all thresholds at once. It splits intervals in sixteen, since a call costs more
than its rows.
"""

from collections.abc import Callable

import numpy
from numpy.typing import NDArray

from reasons.errors import UnsupportedModel
from reasons.features.floats import Closed, bisect_floats, floats_at, ranks_of

Floats = NDArray[numpy.float64]
Lefts = Callable[[Floats], NDArray[numpy.bool_]]  # of rows of numbers: is the k-th left of point k

_REACHES = (1.7e308, 1e250, 1e150, 1e75, 1e38, 1e30, 1e18, 1e9)
_NEAR = sorted({sign * offset for sign in (1, -1) for offset in (*range(17), 64, 1024, 1 << 20)})


def last_left(
    left: Lefts,
    count: int,
    name: str,
    is_fine: Callable[[float], bool],
    guess: Lefts | None = None,
) -> Floats:
    """The last number on the left of each point that has numbers on both sides.

    `is_fine` says whether a number and its negative can be transformed; beyond the largest that
    can, `predict` raises as well. A cheap `guess` is tried first; where `left` does not change
    there, bisection runs on `left` itself.
    Cost: about 20 calls.
    """
    reach = next((reach for reach in _REACHES if is_fine(reach)), None)
    if reach is None:
        raise UnsupportedModel(f"column {name!r} accepts no number as large as a billion")
    ends = ranks_of(numpy.array([-reach, 0.0, reach]))[:, None].repeat(count, axis=1)
    at_ends = left(floats_at(ends))
    parted = at_ends[0] & ~at_ends[2]
    for find in [guess, left] if guess else [left]:
        low = numpy.where(at_ends[1], ends[1], ends[0])
        high = numpy.where(at_ends[1], ends[2], ends[1])
        low, high = bisect_floats(_after(find), low, high, parts=16, wanted=parted)
        turns = left(floats_at(numpy.array([low, low + 1])))
        if (turns[0] & ~turns[1])[parted].all():
            break
    near = numpy.clip(low + numpy.array(_NEAR)[:, None], ends[0], ends[2])
    wiggles = (left(floats_at(near)) != (near <= low))[:, parted].any()
    if wiggles or (at_ends[2] & ~at_ends[0]).any():
        raise UnsupportedModel(
            f"the pipeline is not monotone in column {name!r}, which therefore cannot be "
            "discretised; scalers, binning and imputing are monotone"
        )
    last: Floats = floats_at(low)[parted]
    return last


def _after(left: Lefts) -> Lefts:
    return lambda numbers: ~left(numbers)


def shorter(cuts: Floats, whole: bool = False) -> tuple[list[float], Closed]:
    """The shorter cuts in print: the last numbers on the left, or the first on the right.

    Where all numbers are whole, the last one on the left is used.
    """
    right = [float(cut) for cut in cuts]
    left = [float(cut) for cut in numpy.nextafter(cuts, numpy.inf)]
    length = [sum(len(repr(cut)) for cut in side) for side in (right, left)]
    return (right, "right") if whole or length[0] <= length[1] else (left, "left")

"""Bounds on the odds: how far the undecided features can still move them.

Let g(s) be the likelihood of the rest of an instance at position s. A bound is the maximum of
g(s) / g(r) over all completions, with s of the query's state and r of the others, or the reverse.
Bounds are computed backwards. With weights a(s), b(r) and bounds u(s, r), the sum of a(s) g(s) is
at most t times the sum of b(r) g(r) if the a(s) can be distributed over the r so that the share of
r times u(s, r) is at most t b(r). Two distributions are tried: equally over all r, and only over
those with the same states of the frontier.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from reasons.budget import Budget
from reasons.frontends.bayesnet.frontier.messages import Step
from reasons.frontends.bayesnet.network import Floats

_MOST = 1e200  # larger bounds count as infinite
_LEAST = 1e-150  # smaller bounds are raised to this, so that products stay precise


@dataclass(frozen=True, eq=False)
class Rest:
    """Bounds from a level on, and the positions that no completion gives likelihood 0.

    `own` and `others` are the positions with the query's state, and those without.
    """

    own: NDArray[numpy.int64]
    others: NDArray[numpy.int64]
    rise: Floats
    fall: Floats
    never_ruled_out: NDArray[numpy.bool_]

    def most(self, message: Floats, rises: bool) -> float:
        """The largest ratio of the own part of a message to the others', or the reverse."""
        pair = (self.own, self.others) if rises else (self.others, self.own)
        above, below = (message[places][None, :] for places in pair)
        return float(_bound(above, below, self.rise if rises else self.fall)[0, 0])


def rests(steps: Sequence[Step], classes: int, state: int, budget: Budget) -> list[Rest]:
    """The rest from each step on, and after the last."""
    sizes = [classes, *(step.positions for step in steps)]
    own, others = _parted(sizes[-1], classes, state)
    ones = numpy.ones((len(own), len(others)))
    bounds = [Rest(own, others, ones, ones.T, numpy.ones(sizes[-1], dtype=bool))]
    for before, step in zip(sizes[-2::-1], reversed(steps), strict=True):
        budget.check("the bounds of the odds")
        bounds.append(_before(step, bounds[-1], _parted(before, classes, state)))
    return bounds[::-1]


def _parted(positions: int, classes: int, state: int) -> tuple[NDArray[numpy.int64], ...]:
    is_own = numpy.arange(positions) // (positions // classes) == state
    return numpy.flatnonzero(is_own), numpy.flatnonzero(~is_own)


def _before(step: Step, rest: Rest, parted: Sequence[NDArray[numpy.int64]]) -> Rest:
    own, others = parted
    rise, fall = numpy.zeros((len(own), len(others))), numpy.zeros((len(others), len(own)))
    never = numpy.ones(len(own) + len(others), dtype=bool)
    for state in range(step.states):
        matrix = step.dense(state, len(never))
        ours, theirs = matrix[own][:, rest.own], matrix[others][:, rest.others]
        rise = numpy.maximum(rise, _bound(ours, theirs, rest.rise))
        fall = numpy.maximum(fall, _bound(theirs, ours, rest.fall))
        never &= ((matrix > 0) & rest.never_ruled_out).any(axis=1)
    return Rest(own, others, rise, fall, never)


def _bound(above: Floats, below: Floats, known: Floats) -> Floats:
    """The largest ratio of the sums, for each row of weights above and each row below."""
    endless = numpy.isinf(known)
    dealt = above @ numpy.where(endless, 0, known)
    dealt[(above > 0).astype(float) @ endless.astype(float) > 0] = numpy.inf
    if not known.size:
        return numpy.full((len(above), len(below)), numpy.inf)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        alike = dealt[:, _support(below)].max(axis=2) / below.sum(axis=1)
    bound = numpy.fmin(alike, _paired(above, below, _in_place(known)))
    bound[:, ~(below > 0).any(axis=1)] = numpy.inf
    bound[~(above > 0).any(axis=1)] = 0
    bound[bound > _MOST] = numpy.inf
    return numpy.asarray(numpy.maximum(bound, _LEAST))


def _support(weights: Floats) -> NDArray[numpy.int64]:
    """The places where each row is above 0, padded with its first place."""
    is_above = weights > 0
    count = max(1, int(is_above.sum(axis=1).max(initial=0)))
    places = numpy.argsort(~is_above, axis=1, kind="stable")[:, :count]
    inside = numpy.take_along_axis(is_above, places, axis=1)
    return numpy.where(inside, places, places[:, :1])


def _in_place(known: Floats) -> Floats:
    """The bounds between equal states of the frontier, with an axis for the target's states."""
    states = min(known.shape)
    folded = known.reshape(known.shape[0] // states, states, -1, states)
    return numpy.asarray(folded.diagonal(axis1=1, axis2=3).max(axis=1))


def _paired(above: Floats, below: Floats, in_place: Floats) -> Floats:
    """The bound where weights above go to the same states of the frontier."""
    folded = above.reshape(len(above), *in_place.shape)
    totals = below.reshape(len(below), -1, in_place.shape[1]).sum(axis=1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        shares = numpy.where(folded > 0, folded * in_place, 0).sum(axis=1)
        support = _support(shares)
        ratios = numpy.take_along_axis(shares, support, axis=1) / totals[:, support]
    return numpy.asarray(ratios.max(axis=2).T)

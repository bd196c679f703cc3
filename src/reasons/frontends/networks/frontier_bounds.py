"""How far the rest of an instance can still move the odds.

With g(s) the likelihood of the rest at a position s, a bound is the most that g(s) / g(r) can be
over all completions, s of the state that is asked about and r of the others, or the other
way round. It is carried back step by step: a sum over s of weights a(s) is at most t times a sum over r of
weights b(r) if the a(s) can be dealt out over the r so that none gets more than t b(r). Two
ways to deal are tried: to all r alike, and only to those with the same states of the frontier.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from reasons.budget import Budget
from reasons.frontends.networks.frontier_steps import Step
from reasons.frontends.networks.network import Floats

_MOST = 1e200  # what is larger is no bound
_LEAST = 1e-150  # smaller bounds are made this large, so that products stay precise
_MOST_PAIRED = 256  # positions: looking at all pairs in place takes the cube of them


@dataclass(frozen=True, eq=False)
class Rest:
    """What is known of the rest from a level on: bounds, and positions that it never rules out.

    `own` and `others` are the positions with the state that is asked about, and without.
    """

    own: NDArray[numpy.int64]
    others: NDArray[numpy.int64]
    rise: Floats
    fall: Floats
    never_ruled_out: NDArray[numpy.bool_]

    def most(self, message: Floats, rises: bool) -> float:
        """The most that the own share of a message can be of the others', or the reverse."""
        pair = (self.own, self.others) if rises else (self.others, self.own)
        above, below = (message[places][None, :] for places in pair)
        return float(_bound(above, below, self.rise if rises else self.fall, True)[0, 0])


def rests(
    steps: Sequence[Step], classes: int, state: int, budget: Budget
) -> list[Rest]:
    """The rest from each step on, and after the last."""
    sizes = [classes, *(step.positions for step in steps)]
    own, others = _parted(sizes[-1], classes, state)
    ones = numpy.ones((len(own), len(others)))
    found = [Rest(own, others, ones, ones.T, numpy.ones(sizes[-1], dtype=bool))]
    for before, step in zip(sizes[-2::-1], reversed(steps), strict=True):
        budget.check("the bounds of the odds")
        found.append(_before(step, found[-1], _parted(before, classes, state)))
    return found[::-1]


def _parted(positions: int, classes: int, state: int) -> tuple[NDArray[numpy.int64], ...]:
    is_own = numpy.arange(positions) // (positions // classes) == state
    return numpy.flatnonzero(is_own), numpy.flatnonzero(~is_own)


def _before(step: Step, rest: Rest, parted: Sequence[NDArray[numpy.int64]]) -> Rest:
    own, others = parted
    rise, fall = numpy.zeros((len(own), len(others))), numpy.zeros((len(others), len(own)))
    never = numpy.ones(len(own) + len(others), dtype=bool)
    is_paired = len(own) <= _MOST_PAIRED
    for state in range(step.states):
        matrix = step.dense(state, len(never))
        ours, theirs = matrix[own][:, rest.own], matrix[others][:, rest.others]
        rise = numpy.maximum(rise, _bound(ours, theirs, rest.rise, is_paired))
        fall = numpy.maximum(fall, _bound(theirs, ours, rest.fall, is_paired))
        never &= ((matrix > 0) & rest.never_ruled_out).any(axis=1)
    return Rest(own, others, rise, fall, never)


def _bound(above: Floats, below: Floats, known: Floats, is_paired: bool) -> Floats:
    """Of each row of weights above, by each row below: the most that its sum can be of theirs."""
    found = numpy.zeros((len(above), len(below)))
    endless = numpy.isinf(known)
    dealt = above @ numpy.where(endless, 0, known)
    dealt[(above > 0).astype(float) @ endless.astype(float) > 0] = numpy.inf
    in_place = _in_place(known) if is_paired and known.size else None
    some = (above > 0).any(axis=1)
    for row, weights in enumerate(below):
        support = weights > 0
        if not support.any():
            found[:, row] = numpy.where(some, numpy.inf, 0)
            continue
        found[:, row] = dealt[:, support].max(axis=1) / weights.sum()
        if in_place is not None:
            found[:, row] = numpy.minimum(found[:, row], _paired(above, weights, in_place))
    found[found > _MOST] = numpy.inf
    return numpy.maximum(found, _LEAST)


def _in_place(known: Floats) -> Floats:
    """The bounds of the same states of the frontier, an axis for the target's states above."""
    states = min(known.shape)
    folded = known.reshape(known.shape[0] // states, states, -1, states)
    return numpy.asarray(folded.diagonal(axis1=1, axis2=3).max(axis=1))


def _paired(above: Floats, weights: Floats, in_place: Floats) -> Floats:
    """The bound where what is above is dealt out to the same states of the frontier."""
    folded = above.reshape(len(above), *in_place.shape)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        shares = numpy.where(folded > 0, folded * in_place, 0).sum(axis=1)
        ratios = shares / weights.reshape(-1, in_place.shape[1]).sum(axis=0)
    return numpy.asarray(numpy.where(shares > 0, ratios, 0).max(axis=1))

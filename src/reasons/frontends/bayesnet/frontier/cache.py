"""Cache of finished nodes, which are reused for every message that leads to the same labels.

A node is made for one message. Take another message of the same level, with the same positions at
0. The log-odds of any leaf below rise by at most the largest log-ratio of the two messages at the
query's state minus the smallest at the others, and fall likewise. If that is less than the leaves'
distance from the threshold, the node is right for both.
"""

import math
from bisect import bisect, insort
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from reasons.frontends.bayesnet.network import Floats

_NEAR = 16  # messages that are tried on each side
_PROPORTIONAL = 1e-9


@dataclass(frozen=True, slots=True)
class CachedNode:
    """A node, and by how much the log-odds of its leaves may rise and fall."""

    node: int
    rise: float = math.inf
    fall: float = math.inf


class NodeCache:
    """The finished nodes of one level, for messages that are above 0 in the same positions.

    `margin` bounds the rounding error of a log-ratio.
    """

    def __init__(self, is_own: NDArray[numpy.bool_], margin: float) -> None:
        self._own, self._others = numpy.flatnonzero(is_own), numpy.flatnonzero(~is_own)
        self._margin = margin
        self._logs = numpy.empty((4, len(is_own)))
        self._found: list[CachedNode] = []
        self._order: list[tuple[float, int]] = []

    def keep(self, logs: Floats, odds: float, node: CachedNode) -> None:
        """Keep a node for a message, by its logarithms and log-odds."""
        number = len(self._found)
        if number == len(self._logs):
            self._logs = numpy.concatenate([self._logs, numpy.empty_like(self._logs)])
        self._logs[number] = logs
        self._found.append(node)
        insort(self._order, (odds, number))

    def find(self, logs: Floats, odds: float) -> tuple[CachedNode | None, bool]:
        """A node that is right for a message; if there is none, whether one may be proportional."""
        place = bisect(self._order, (odds, -1))
        near = [number for _, number in self._order[max(0, place - _NEAR) : place + _NEAR]]
        if not near:
            return None, False
        if not len(self._own) or not len(self._others):
            return self._found[near[0]], False  # the positions above 0 decide alone
        moved = logs - self._logs[near]
        own, others = moved[:, self._own], moved[:, self._others]
        rises = (own.max(axis=1) - others.min(axis=1) + self._margin).tolist()
        falls = (others.max(axis=1) - own.min(axis=1) + self._margin).tolist()
        for number, rise, fall in zip(near, rises, falls, strict=True):
            cached = self._found[number]
            if rise < cached.rise and fall < cached.fall:
                return CachedNode(cached.node, cached.rise - rise, cached.fall - fall), False
        return None, any(r + f < _PROPORTIONAL for r, f in zip(rises, falls, strict=True))


def is_tight(cached: CachedNode) -> bool:
    """Whether rounding may separate even proportional messages."""
    return min(cached.rise, cached.fall) < _PROPORTIONAL

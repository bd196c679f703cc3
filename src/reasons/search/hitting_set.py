"""Minimum-cost hitting sets: the cheapest set that has a member of each of some sets."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from reasons.budget import Budget

_STAGE = "the smallest hitting set"


class HittingSet:
    """A cheapest hitting set of the sets added so far: by MaxSAT where python-sat is there."""

    def __init__(self, price: Mapping[int, float]) -> None:
        self._price, self._sets = price, list[frozenset[int]]()
        try:
            from pysat.examples.hitman import Hitman
        except ImportError:
            self._hitman = None
            return
        exact = {f: Fraction(cost) for f, cost in price.items()}
        unit = lcm(*(cost.denominator for cost in exact.values()))
        self._weights = {f: int(cost * unit) for f, cost in exact.items()}
        self._hitman = Hitman(solver="m22", htype="sorted")

    def add(self, members: frozenset[int]) -> None:
        """One more set to be hit; it is not empty."""
        self._sets.append(members)
        if self._hitman is not None:
            self._hitman.hit(sorted(members), weights=self._weights)

    def cheapest(self, budget: Budget) -> frozenset[int]:
        """A cheapest set that hits all of them."""
        budget.check(_STAGE)
        if self._hitman is None:
            return cheapest_hitting_set(self._sets, budget, self._price)
        return frozenset(self._hitman.get() if self._sets else ())


def cheapest_hitting_set(
    sets: Sequence[frozenset[int]], budget: Budget, costs: Mapping[int, float] | None = None
) -> frozenset[int]:
    """A cheapest set that hits all of the sets, by branch and bound; members cost 1 by default.

    Branches on the smallest set that is not hit; disjoint ones among those bound from below.
    """
    price = costs or dict.fromkeys(frozenset().union(*sets), 1.0)
    best = frozenset().union(*sets)
    least = sum(price[f] for f in best)
    frames: list[tuple[frozenset[int], frozenset[int]]] = [(frozenset(), frozenset())]
    while frames:
        budget.check(_STAGE)
        chosen, barred = frames.pop()
        spent = sum(price[f] for f in chosen)
        open_sets = [s - barred for s in sets if not s & chosen]
        if not open_sets:
            if spent < least:
                best, least = chosen, spent
            continue
        if not all(open_sets) or spent + _at_least(open_sets, price) >= least:
            continue
        smallest = min(open_sets, key=len)
        ranked = sorted(smallest, key=lambda f: sum(f in s for s in open_sets) / price[f])
        for rank, feature in enumerate(ranked):
            frames.append((chosen | {feature}, barred | frozenset(ranked[rank + 1 :])))
    return best


def _at_least(sets: Sequence[frozenset[int]], price: Mapping[int, float]) -> float:
    """What sets greedily chosen that share nothing cost: each needs an element of its own."""
    seen: set[int] = set()
    cost = 0.0
    for members in sorted(sets, key=len):
        if not members & seen:
            seen |= members
            cost += min(price[f] for f in members)
    return cost

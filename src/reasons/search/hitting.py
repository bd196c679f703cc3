"""Sets that meet all of some sets."""

from collections.abc import Mapping, Sequence

from reasons.budget import Budget


def cheapest_hitting_set(
    sets: Sequence[frozenset[int]], budget: Budget, costs: Mapping[int, float] | None = None
) -> frozenset[int]:
    """A cheapest set that meets all of the sets, by branch and bound; a member costs 1, or as told.

    Branches on the smallest set that is not met; disjoint ones among those bound from below.
    """
    price = costs or dict.fromkeys(frozenset().union(*sets), 1.0)
    best = frozenset().union(*sets)
    least = sum(price[f] for f in best)
    frames: list[tuple[frozenset[int], frozenset[int]]] = [(frozenset(), frozenset())]
    while frames:
        budget.check("the smallest set that meets all")
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

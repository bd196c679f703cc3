"""The cheapest change of an instance to another label, by search.

Whoever changes the label must break every sufficient reason. So a cheapest set of features
that meets all reasons known so far is tried: either changing it changes the label, and no
cheaper change does, or what stays contains another reason.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from reasons import _core
from reasons.backends.protocol import Limits
from reasons.budget import Budget
from reasons.circuits.circuit import native_budget
from reasons.search.box_oracle import Oracle
from reasons.search.hitting_set import Meeting


def cheapest_change(
    trees: Oracle,
    cells: Sequence[int],
    label: int,
    allowed: Limits,
    costs: Sequence[float],
    budget: Budget,
) -> tuple[list[int], float] | None:
    """The cheapest change within what is allowed, and its cost; None if there is none."""
    domain: dict[int, Sequence[int]] = {f: range(n) for f, n in enumerate(trees.domains)}
    domain |= dict(allowed)
    price = {f: costs[f] for f, values in domain.items() if set(values) != {cells[f]}}
    reasons: list[frozenset[int]] = []
    meeting = Meeting(price)
    while True:
        changed = meeting.cheapest(budget)
        found = trees.other(cells, label, _limits(cells, domain, changed), budget)
        if found is not None:
            cost = sum(costs[f] for f, cell in enumerate(found) if cell != cells[f])
            return found, cost
        often = Counter(f for reason in reasons for f in reason)
        kept = sorted(price.keys() - changed, key=lambda f: -often[f])  # rather other ones
        reason = _reason(trees, cells, label, domain, kept, changed, budget)
        if not reason:
            return None
        reasons.append(reason)
        meeting.add(reason)


def _limits(
    cells: Sequence[int], domain: Mapping[int, Sequence[int]], loose: frozenset[int]
) -> dict[int, Sequence[int]]:
    """Loose features take what is allowed, the others stay."""
    return {f: domain[f] if f in loose else [cell] for f, cell in enumerate(cells)}


def _reason(
    trees: Oracle,
    cells: Sequence[int],
    label: int,
    domain: Mapping[int, Sequence[int]],
    kept: Sequence[int],
    changed: frozenset[int],
    budget: Budget,
) -> frozenset[int]:
    """A subset-minimal part of the kept features, the first dropped first, that forces the label.

    Features that are neither kept nor changed may not move.
    """
    found = frozenset(kept)
    movable = found | changed
    sizes = trees.domains
    if all(len(domain[f]) == sizes[f] for f in movable):
        order = [*changed, *kept, *(f for f in domain if f not in movable)]
        native = native_budget(budget)
        return found & set(_core.sufficient(trees.native, list(cells), label, order, native))
    every = frozenset(domain)
    for feature in kept:
        budget.check("the cheapest change")
        fewer = found - {feature}
        stay = _limits(cells, domain, every - fewer)
        if trees.other(cells, label, stay, budget) is None:
            found = fewer
    return found

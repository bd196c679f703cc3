"""The cheapest change of an instance to another label: branch and bound, or hitting sets.

Where costs are whole numbers on a scale, the core searches lead and cost at once (Lagrangian
relaxation). Otherwise implicit hitting sets: whoever changes the label must break every
sufficient reason, so a cheapest set of features that hits all reasons known so far is tried.
Either changing it changes the label, and no cheaper change does, or what stays contains another
reason.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import lcm

from reasons import _core
from reasons.backends.protocol import Backend, Cells, Limits
from reasons.budget import Budget
from reasons.errors import BudgetExceeded
from reasons.features.feature import Feature
from reasons.features.values import Special, is_missing
from reasons.search.hitting_set import HittingSet

_MOST_CELLS = 2_000

Domain = Mapping[int, Sequence[int]]
"""For each feature, the cells that it may take."""


def whole_costs(costs: Sequence[float]) -> tuple[list[int], int] | None:
    """Costs as whole numbers and the number of them that is 1; None where they get too large."""
    exact = [Fraction(repr(cost)) for cost in costs]
    unit = lcm(*(cost.denominator for cost in exact))
    whole = [int(cost * unit) for cost in exact]
    return (whole, unit) if sum(whole) <= _core.MOST_COST else None


def hitting_change(
    backend: Backend,
    cells: Cells,
    label: int,
    allowed: Limits,
    costs: Sequence[float],
    budget: Budget,
) -> tuple[list[int], float] | None:
    """The cheapest change within what is allowed, and its cost; None if there is none."""
    domain = _domain(backend, allowed)
    price = {f: costs[f] for f, values in domain.items() if set(values) != {cells[f]}}
    reasons: list[frozenset[int]] = []
    hitting_set = HittingSet(price)
    while True:
        changed = hitting_set.cheapest(budget)
        other = backend.counterexample(cells, label, _limits(cells, domain, changed), budget)
        if other is not None:
            cost = sum(costs[f] for f, cell in enumerate(other) if cell != cells[f])
            return other, cost
        often = Counter(f for reason in reasons for f in reason)
        kept = sorted(price.keys() - changed, key=lambda f: -often[f])  # rather other ones
        reason = _reason(backend, cells, label, domain, kept, changed, budget)
        if not reason:
            return None
        reasons.append(reason)
        hitting_set.add(reason)


def _domain(backend: Backend, allowed: Limits) -> dict[int, Sequence[int]]:
    every = enumerate(backend.schema)
    domain: dict[int, Sequence[int]] = {f: range(len(feature.values)) for f, feature in every}
    return domain | {f: sorted(values) for f, values in allowed.items()}


def _limits(cells: Cells, domain: Domain, loose: frozenset[int]) -> Domain:
    """Loose features take what is allowed, the others stay."""
    return {f: domain[f] if f in loose else [cell] for f, cell in enumerate(cells)}


def _reason(
    backend: Backend,
    cells: Cells,
    label: int,
    domain: Domain,
    kept: Sequence[int],
    changed: frozenset[int],
    budget: Budget,
) -> frozenset[int]:
    """A subset-minimal part of the kept features, the first dropped first, that forces the label.

    Features that are neither kept nor changed may not move.
    """
    reason = frozenset(kept)
    movable = reason | changed
    if all(len(domain[f]) == len(backend.schema[f].values) for f in movable):
        order = [*changed, *kept, *(f for f in domain if f not in movable)]
        return reason & set(backend.sufficient_reason(list(cells), label, order, budget))
    every = frozenset(domain)
    for feature in kept:
        budget.check("the cheapest change")
        fewer = reason - {feature}
        limits = _limits(cells, domain, every - fewer)
        if backend.counterexample(cells, label, limits, budget) is None:
            reason = fewer
    return reason


def is_ordinary(feature: Feature, cell: int) -> bool:
    """Whether a cell is of values that are there, and known to the model."""
    value = feature.values[cell]
    return not isinstance(value, Special) and not is_missing(value)


def plausible_change(
    backend: Backend,
    own: Cells,
    label: int,
    changed: list[int],
    allowed: Limits,
    wanted: int | None = None,
) -> list[int]:
    """The same features changed to ordinary values; as it was where there are none.

    Of one feature the nearest such value. Where the time does not suffice, as it was.
    """
    domain = _domain(backend, allowed)
    given_up = [f for f, (new, old) in enumerate(zip(changed, own, strict=True)) if new != old]
    schema = backend.schema
    cells = {
        f: [c for c in domain[f] if c != own[f] and is_ordinary(schema[f], c)] for f in given_up
    }
    if len(given_up) == 1:
        return _nearest(backend, own, label, given_up[0], cells[given_up[0]], wanted) or changed
    if not all(cells.values()) or all(is_ordinary(schema[f], changed[f]) for f in given_up):
        return changed
    limits = {f: cells.get(f, [cell]) for f, cell in enumerate(own)}
    with suppress(BudgetExceeded):
        other = backend.counterexample(own, label, limits)
        if other is not None and wanted in (None, backend.decide(other)):
            return other
    return changed


def _nearest(
    backend: Backend,
    own: Cells,
    label: int,
    feature: int,
    cells: Sequence[int],
    wanted: int | None,
) -> list[int] | None:
    """The instance with the nearest cell of one feature that gives another label."""
    for cell in sorted(cells, key=lambda c: abs(c - own[feature]))[:_MOST_CELLS]:
        changed = [*own[:feature], cell, *own[feature + 1 :]]
        got = backend.decide(changed)
        if got not in (label, _core.IMPOSSIBLE) and wanted in (None, got):
            return changed
    return None

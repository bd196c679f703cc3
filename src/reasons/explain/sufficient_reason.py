"""One sufficient reason by greedy deletion, and its widening (an inflated explanation)."""

from collections.abc import Iterable, Mapping

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term


def sufficient_reason(
    backend: Backend,
    instance: Instance,
    label: int,
    prefer: Iterable[str] | str = (),
    general: bool = False,
    costs: Mapping[str, float] | None = None,
    budget: Budget | None = None,
) -> Term:
    """A subset-minimal property that forces the label, of preferred and cheap features."""
    order = _deletion_order(backend.schema, prefer, costs)
    features = backend.sufficient_reason(instance.cells, label, order, budget)
    if not general:
        return instance.term(features)
    backend.require(Capability.WIDENED_REASON)
    return _widened(backend, instance, label, features, budget)


def _deletion_order(
    schema: Schema, prefer: Iterable[str] | str, costs: Mapping[str, float] | None
) -> list[int]:
    """Features that are not preferred first, then the dearest; among equals from last to first."""
    place = {feature: i for i, feature in enumerate(schema.indices(prefer))}
    price = schema.costs(costs)
    order = {f: place.get(f, f) for f in range(len(schema))}
    return sorted(order, key=lambda f: (f in place, -price.get(f, 1.0), -order[f]))


def _widened(
    backend: Backend, instance: Instance, label: int, features: Iterable[int], budget: Budget | None
) -> Term:
    """A maximal box around the instance over features that suffice.

    For each feature all other values are admitted. A counterexample names one that must stay
    out, and so must all values that also change the label in its place.
    Cost: a counterexample query for each group of values that stays out.
    """
    clock = budget or Budget()
    limits = {f: {instance.cells[f]} for f in features}
    for feature in limits:
        inside = limits[feature]
        candidates = set(range(len(backend.schema[feature].values))) - inside
        while candidates:
            clock.check("widening a reason")
            limits[feature] = inside | candidates
            other = backend.counterexample(instance.cells, label, limits, budget)
            if other is None:
                break
            candidates = {c for c in candidates if _keeps(backend, other, feature, c, label)}
        limits[feature] = inside | candidates
    return Term(backend.schema, {f: tuple(sorted(cells)) for f, cells in limits.items()})


def _keeps(backend: Backend, cells: list[int], feature: int, cell: int, label: int) -> bool:
    changed = [*cells[:feature], cell, *cells[feature + 1 :]]
    return backend.decide(changed) in (label, _core.IMPOSSIBLE)

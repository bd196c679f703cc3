"""Widening: one general sufficient reason (inflated explanation) from a simple one."""

from collections.abc import Iterable

from reasons import _core
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.features.terms import Instance, Term


def widened(
    backend: Backend, instance: Instance, label: int, kept: Iterable[int], budget: Budget | None
) -> Term:
    """A maximal box around the instance over the kept features, which suffice.

    Feature by feature, all other values are let in; an instance with another label shows one
    that must stay out, and so must those that give it another label in that one's place.
    Cost: a question for a counter-example for each group of values that stays out.
    """
    clock = budget or Budget()
    limits = {f: {instance.cells[f]} for f in kept}
    for feature in limits:
        inside = limits[feature]
        open_cells = set(range(len(backend.schema[feature].values))) - inside
        while open_cells:
            clock.check("widening a reason")
            limits[feature] = inside | open_cells
            found = backend.counterexample(instance.cells, label, limits, budget)
            if found is None:
                break
            open_cells = {c for c in open_cells if _keeps(backend, found, feature, c, label)}
        limits[feature] = inside | open_cells
    return Term(backend.schema, {f: tuple(sorted(cells)) for f, cells in limits.items()})


def _keeps(backend: Backend, found: list[int], feature: int, cell: int, label: int) -> bool:
    changed = [*found[:feature], cell, *found[feature + 1 :]]
    return backend.decide(changed) in (label, _core.IMPOSSIBLE)

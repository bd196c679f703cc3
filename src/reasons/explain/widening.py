"""One general sufficient reason: the values of a simple one, widened as far as they go."""

from collections.abc import Iterable

from reasons import _core
from reasons.budget import Budget
from reasons.features.terms import Instance, Term
from reasons.search.backend import Trees
from reasons.search.union import Form


def widened(
    form: Form, instance: Instance, label: int, kept: Iterable[int], budget: Budget | None
) -> Term:
    """A maximal box around the instance over the kept features, which suffice.

    Feature by feature, all other values are let in; an instance with another label shows one
    that must stay out, and so must those that give it another label in that one's place.
    Cost: a question for a counter-example for each group of values that stays out.
    """
    budget = budget or Budget()
    limits = {f: {instance.cells[f]} for f in kept}
    for feature in limits:
        inside = limits[feature]
        open_cells = set(range(len(form.schema[feature].values))) - inside
        while open_cells:
            budget.check("widening a reason")
            limits[feature] = inside | open_cells
            found = _other(form, instance, label, limits, budget)
            if found is None:
                break
            open_cells = {c for c in open_cells if _keeps(form, found, feature, c, label)}
        limits[feature] = inside | open_cells
    return Term(form.schema, {f: tuple(sorted(cells)) for f, cells in limits.items()})


def _other(
    form: Form, instance: Instance, label: int, limits: dict[int, set[int]], budget: Budget
) -> list[int] | None:
    """An instance within the limits with another label; a search for it ends with the budget."""
    within = [(f, sorted(cells)) for f, cells in limits.items()]
    if isinstance(form, Trees):
        return form.other(instance.cells, label, dict(within), budget)
    return form.counterexample(instance.cells, label, within)


def _keeps(form: Form, found: list[int], feature: int, cell: int, label: int) -> bool:
    changed = [*found[:feature], cell, *found[feature + 1 :]]
    return _core.decide(form.native, changed) in (label, _core.IMPOSSIBLE)

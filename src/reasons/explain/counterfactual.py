"""The cheapest change to another decision, under constraints on what may change."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reasons import _core
from reasons.errors import InputError, PropertyError
from reasons.explain.plausible_values import ordinary
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term, instance_of
from reasons.features.values import Interval, is_missing
from reasons.render import html
from reasons.search.union import Form


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """A concrete instance with another label, and what it differs in.

    `instance` has raw values, `label` is what it gets, `given_up` are the characteristics
    that do not stay, `cost` is what the change costs; `proved` says that nothing is cheaper.
    """

    instance: Instance
    label: Any
    given_up: Term
    cost: float
    proved: bool = True

    def __str__(self) -> str:
        changed = ", ".join(f"{name}: {_shown(self.instance[name])}" for name in self.given_up)
        return f"{self.label} with {changed}"

    def _repr_html_(self) -> str:
        rows = [(name, _shown(self.instance[name])) for name in self.given_up]
        return html.boxed(html.table([("label", str(self.label)), *rows]))


def _shown(value: Any) -> str:
    return "missing" if is_missing(value) else repr(value)


class Wish:
    """Which cells each feature may take, and what leaving the instance's costs."""

    def __init__(
        self,
        schema: Schema,
        instance: Instance,
        immutable: Iterable[str] | str = (),
        increase: Iterable[str] | str = (),
        decrease: Iterable[str] | str = (),
        allowed: Mapping[str, Any] | None = None,
        costs: Mapping[str, float] | None = None,
    ) -> None:
        self.schema, self.cells = schema, instance.cells
        self.allowed = [set(range(len(feature.values))) for feature in schema]
        for index in schema.indices(immutable):
            self.allowed[index] &= {self.cells[index]}
        self._one_way(increase, 1)
        self._one_way(decrease, -1)
        self.listed: dict[int, list[Any]] = {}
        for name, values in (allowed or {}).items():
            index = schema.index(name)
            self.allowed[index] &= _cells(schema[index], values) | {self.cells[index]}
            self.listed[index] = _listed(values)
        price = schema.costs(costs)
        self.costs = [price.get(index, 1.0) for index in range(len(schema))]

    def _one_way(self, names: Iterable[str] | str, sign: int) -> None:
        for index in self.schema.indices(names):
            feature, own = self.schema[index], self.cells[index]
            if feature.kind == "categorical":
                raise InputError(f"{feature.name!r} has categories, which do not grow or shrink")
            self.allowed[index] &= {
                cell
                for cell in range(len(feature.values))
                if cell == own or ((cell - own) * sign > 0 and _is_ordered(feature, (cell, own)))
            }

    def chosen(self, changed: Instance, instance: Instance) -> Instance:
        """The changed instance with, where numbers were listed as allowed, the nearest of those."""
        values = dict(changed)
        for index, listed in self.listed.items():
            feature, cell = self.schema[index], changed.cells[index]
            numbers = [v for v in listed if not isinstance(v, Interval) and feature.cell(v) == cell]
            if feature.kind != "numeric" or cell == self.cells[index] or not numbers:
                continue
            old = instance[feature.name]
            values[feature.name] = (
                min(numbers, key=lambda v: abs(v - old))
                if (isinstance(old, int | float) and not is_missing(numbers[0]))
                else numbers[0]
            )
        return instance_of(self.schema, values)

    @property
    def limits(self) -> list[tuple[int, list[int]]]:
        """The features that may not take every cell, as the core takes them."""
        return [
            (index, sorted(cells))
            for index, cells in enumerate(self.allowed)
            if len(cells) < len(self.schema[index].values)
        ]


def _is_ordered(feature: Feature, cells: Iterable[int]) -> bool:
    """Whether the cells have a place on a line: a missing value has none."""
    return feature.kind == "boolean" or all(
        isinstance(feature.values[cell], Interval) for cell in cells
    )


def _cells(feature: Feature, values: Any) -> frozenset[int]:
    if not (listed := _listed(values)):
        raise InputError(f"feature {feature.name!r}: no value is allowed; use immutable=")
    return frozenset().union(*(feature.cells_of(value) for value in listed))


def _listed(values: Any) -> list[Any]:
    several = isinstance(values, list | tuple | set | frozenset | range)
    return list(values) if several else [values]


def cheapest(
    form: Form, instance: Instance, label: int, wish: Wish, wanted: int | None
) -> Counterfactual | None:
    """The cheapest changed instance with another label; replayed before it is returned."""
    if wanted == label:
        raise InputError(f"the decision is {form.labels[label]} already")
    found = form.cheapest_change(instance.cells, label, wish.limits, wish.costs, wanted)
    if found is None:
        return None
    allowed = {f: sorted(cells) for f, cells in enumerate(wish.allowed)}
    cells, cost = ordinary(form, instance.cells, label, found, allowed, wish.costs, wanted)
    got = _core.decide(form.native, cells)
    if got in (label, _core.IMPOSSIBLE) or wanted not in (None, got):
        raise PropertyError("a changed instance did not stand the replay; Circuit.check() says why")
    pairs = zip(cells, instance.cells, strict=True)
    given_up = Term(form.schema, {f: (old,) for f, (new, old) in enumerate(pairs) if new != old})
    changed = wish.chosen(instance.changed(cells), instance)
    return Counterfactual(changed, form.labels[got], given_up, cost)

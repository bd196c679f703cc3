"""Counterfactuals: the cheapest change to another decision, under constraints on the changes.

Among equally cheap changes, one to ordinary values is preferred to missing or unseen ones.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.protocol import Backend
from reasons.errors import InputError, Option, PropertyError
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term, instance_of
from reasons.features.values import Interval, is_missing
from reasons.render import html
from reasons.search.counterfactual import is_ordinary

_MOST_ASKED = 16  # features kept from missing one by one, where not all of them can be

Change = tuple[list[int], float]
"""A changed instance, and what it costs."""


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """A concrete instance with another label, and its differences.

    `instance` has raw values and gets `label`. `given_up` are the characteristics that change,
    `cost` is the cost of the change, and `proved` says that none is cheaper.
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


class Constraints:
    """Which cells each feature may take, and the cost of leaving its own."""

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
                raise InputError(
                    "{feature} has categories, which have no order",
                    feature=feature.name,
                )
            self.allowed[index] &= {
                cell
                for cell in range(len(feature.values))
                if cell == own or ((cell - own) * sign > 0 and _is_ordered(feature, (cell, own)))
            }

    def chosen(self, changed: Instance, instance: Instance) -> Instance:
        """The changed instance, with the nearest allowed numbers where such are listed."""
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


def _is_ordered(feature: Feature, cells: Iterable[int]) -> bool:
    """Whether the cells are ordered; a missing value is not."""
    return feature.kind == "boolean" or all(
        isinstance(feature.values[cell], Interval) for cell in cells
    )


def _cells(feature: Feature, values: Any) -> frozenset[int]:
    if not (listed := _listed(values)):
        raise InputError(
            "feature {feature}: no value is allowed; use {immutable} instead",
            feature=feature.name,
            immutable=Option("immutable"),
        )
    return frozenset().union(*(feature.cells_of(value) for value in listed))


def _listed(values: Any) -> list[Any]:
    several = isinstance(values, list | tuple | set | frozenset | range)
    return list(values) if several else [values]


def cheapest(
    backend: Backend,
    instance: Instance,
    label: int,
    constraints: Constraints,
    wanted: int | None,
) -> Counterfactual | None:
    """The cheapest changed instance with another label, decided again before it is returned."""
    if wanted == label:
        raise InputError("the decision is {label} already", label=backend.labels[label])
    if wanted is not None:
        backend.require(Capability.COUNTERFACTUAL_LABEL)
    query = _Query(backend, instance.cells, label, constraints, wanted)
    change = query.cheapest({})
    if change is None:
        return None
    cells, cost = query.plausible(change) if backend.one_pass else change
    got = backend.decide(cells)
    if got in (label, _core.IMPOSSIBLE) or wanted not in (None, got):
        raise PropertyError("a changed instance failed its check; Circuit.check() says why")
    pairs = zip(cells, instance.cells, strict=True)
    given_up = {f: (old,) for f, (new, old) in enumerate(pairs) if new != old}
    changed = constraints.chosen(instance.changed(cells), instance)
    return Counterfactual(changed, backend.labels[got], Term(backend.schema, given_up), cost)


class _Query:
    """Changes of one decision under constraints, as a backend finds them.

    To a backend, missing and `<other>` are ordinary cells and may be the nearest ones. They are
    no advice, so an equally cheap change to ordinary values is preferred.
    """

    def __init__(
        self,
        backend: Backend,
        own: Sequence[int],
        label: int,
        constraints: Constraints,
        wanted: int | None,
    ) -> None:
        self.backend, self.own, self.label = backend, own, label
        self.constraints, self.wanted = constraints, wanted

    def cheapest(self, narrower: Mapping[int, Collection[int]]) -> Change | None:
        """The cheapest change, with further limits on some features."""
        every = {**dict(enumerate(self.constraints.allowed)), **narrower}
        limits = {f: c for f, c in every.items() if len(c) < len(self.backend.schema[f].values)}
        return self.backend.cheapest_change(
            self.own, self.label, limits, self.constraints.costs, self.wanted
        )

    def plausible(self, change: Change) -> Change:
        """An equally cheap change without missing and other values, if there is one.

        Cost: a query for each feature that must be missing.
        """
        if not self._implausible(change):
            return change
        ordinary = {f: self._ordinary(f) for f in range(len(self.own))}
        allowed = self.constraints.allowed
        tries = [frozenset(f for f, cells in ordinary.items() if len(cells) < len(allowed[f]))]
        barred, seen = frozenset[int](), set[int]()
        while tries and len(seen) <= _MOST_ASKED:
            tried = tries.pop()
            other = self.cheapest({f: ordinary[f] for f in tried})
            if other is not None and other[1] <= change[1]:
                change, barred = other, tried
            left = [f for f in self._implausible(change) if f not in seen]
            if left:
                seen.add(left[0])
                tries = [barred | {left[0]}]
        return change

    def _ordinary(self, feature: int) -> list[int]:
        """The ordinary cells that are allowed, and the instance's own."""
        schema, own = self.backend.schema[feature], self.own[feature]
        allowed = sorted(self.constraints.allowed[feature])
        return [c for c in allowed if c == own or is_ordinary(schema, c)]

    def _implausible(self, change: Change) -> list[int]:
        """The features that a change makes missing or other."""
        pairs = enumerate(zip(change[0], self.own, strict=True))
        schema = self.backend.schema
        return [f for f, (new, old) in pairs if new != old and not is_ordinary(schema[f], new)]

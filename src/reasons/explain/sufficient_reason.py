"""One sufficient reason by greedy deletion, and its widening (an inflated explanation)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.errors import InputError, Option
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term
from reasons.features.values import Interval

General = bool | Literal["unions"]


def sufficient_reason(
    backend: Backend,
    instance: Instance,
    label: int,
    prefer: Iterable[str] | str = (),
    general: General = False,
    costs: Mapping[str, float] | None = None,
    budget: Budget | None = None,
    known: Term | None = None,
) -> Term:
    """A subset-minimal property that forces the label, of preferred and cheap features.

    `known` is that property where it was found before, and is only to be widened.
    """
    if general not in (False, True, "unions"):
        raise InputError(
            "{option} must be True, False or 'unions'", option=Option("general", general)
        )
    if known is None:
        order = _deletion_order(backend.schema, prefer, costs)
        features = backend.sufficient_reason(instance.cells, label, order, budget)
    else:
        features = list(known.limits)
    if not general:
        return instance.term(features)
    backend.require(Capability.WIDENED_REASON)
    numbers = {f: _numbers(backend, f, instance.cells[f], general) for f in features}
    limits = backend.widened_reason(instance.cells, label, numbers, budget)
    if limits is None:
        widening = _Widening(backend, instance, label, features, budget)
        for feature in features:
            widening.widen(feature, numbers[feature])
        limits = widening.limits
    return Term(backend.schema, {f: tuple(sorted(cells)) for f, cells in limits.items()})


def _numbers(backend: Backend, feature: int, own: int, general: General) -> int:
    """How many cells of a feature are in order and widen to one interval; 0 for a set of them."""
    values = backend.schema[feature].values
    if general == "unions" or not isinstance(values[own], Interval):
        return 0
    return sum(isinstance(value, Interval) for value in values)


def _deletion_order(
    schema: Schema, prefer: Iterable[str] | str, costs: Mapping[str, float] | None
) -> list[int]:
    """Features that are not preferred first, then the dearest; among equals from last to first."""
    place = {feature: i for i, feature in enumerate(schema.indices(prefer))}
    price = schema.costs(costs)
    order = {f: place.get(f, f) for f in range(len(schema))}
    return sorted(order, key=lambda f: (f in place, -price.get(f, 1.0), -order[f]))


class _Widening:
    """A box around the instance over features that suffice, widened feature by feature.

    A number takes one interval around its value, a category a set of values. A counterexample
    names a cell that must stay out. It is kept: it may say the same of another feature's cells.
    """

    def __init__(
        self,
        backend: Backend,
        instance: Instance,
        label: int,
        features: Iterable[int],
        budget: Budget | None,
    ) -> None:
        self.backend, self.cells, self.label = backend, instance.cells, label
        self.budget, self.clock = budget, budget or Budget()
        self.limits: dict[int, Collection[int]] = {f: (self.cells[f],) for f in features}
        self.counterexamples: list[list[int]] = []

    def widen(self, feature: int, numbers: int) -> None:
        """Admit as many values of a feature as suffice: an interval of the first ones, or a set.

        Cost: a counterexample query for each interval end or group of values that stays out.
        """
        if numbers:
            self._widen_interval(feature, numbers)
        else:
            self._widen_set(feature, len(self.backend.schema[feature].values))

    def _counterexample(self, feature: int, cells: Collection[int]) -> list[int] | None:
        """An instance with another label, the feature having one of the cells."""
        self.clock.check("widening a reason")
        limits = {**self.limits, feature: cells}
        return self.backend.counterexample(self.cells, self.label, limits, self.budget)

    def _changes(self, other: Sequence[int], feature: int, cell: int) -> bool:
        """Whether a counterexample stays one with another cell of a feature."""
        changed = [*other[:feature], cell, *other[feature + 1 :]]
        return self.backend.decide(changed) not in (self.label, _core.IMPOSSIBLE)

    def _widen_set(self, feature: int, size: int) -> None:
        own = self.cells[feature]
        candidates = [cell for cell in range(size) if cell != own]
        while candidates:
            other = self._counterexample(feature, [own, *candidates])
            if other is None:
                break
            candidates = [c for c in candidates if not self._changes(other, feature, c)]
        self.limits[feature] = sorted([own, *candidates])

    def _widen_interval(self, feature: int, numbers: int) -> None:
        own, first, last = self.cells[feature], 0, numbers - 1
        for other in self.counterexamples:
            if first <= other[feature] <= last and self._is_within(other, feature):
                first, last = _without(first, last, own, other[feature])
        while first < last:
            found = self._counterexample(feature, range(first, last + 1))
            if found is None:
                break
            self.counterexamples.append(found)
            nearer = self._nearer(found, feature)
            first, last = _without(first, last, own, nearer)
        self.limits[feature] = range(first, last + 1)

    def _is_within(self, other: Sequence[int], feature: int) -> bool:
        """Whether a counterexample is in the box but for one feature."""
        return all(other[f] in cells for f, cells in self.limits.items() if f != feature)

    def _nearer(self, other: Sequence[int], feature: int) -> int:
        """A cell near the instance's with which a counterexample stays one: by galloping."""
        own, cell = self.cells[feature], other[feature]
        side, step = (1, 1) if cell > own else (-1, 1)
        while own + side * step != cell and abs(cell - own) > step:
            if self._changes(other, feature, own + side * step):
                return own + side * step
            step *= 2
        return cell


def _without(first: int, last: int, own: int, cell: int) -> tuple[int, int]:
    """The interval around a cell without another cell and what lies beyond."""
    return (first, min(last, cell - 1)) if cell > own else (max(first, cell + 1), last)

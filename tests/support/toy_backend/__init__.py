"""A fourth backend in one folder: a truth table that answers by looking at every instance.

It shows what it takes to add a backend: this file, and nothing else. Slow on purpose.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, ClassVar

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.protocol import Backend, Cells, Limits, Pair
from reasons.backends.registry import register
from reasons.budget import Budget
from reasons.features.schema import Schema


@register
class TableBackend(Backend):
    """The label of each instance, by its cells; `_core.IMPOSSIBLE` where it is impossible."""

    title = "truth table, enumerated"
    method = "enumeration"
    claims: ClassVar[Mapping[Capability, str]] = dict.fromkeys(
        (
            Capability.DECIDE,
            Capability.SUFFICIENT_REASON,
            Capability.WIDENED_REASON,
            Capability.NECESSARY,
            Capability.COMPLETE_REASON,
            Capability.REASON_SETS,
            Capability.COUNTERFACTUAL,
            Capability.COUNTERFACTUAL_LABEL,
            Capability.DECISION_BIAS,
            Capability.CLASSIFIER_BIAS,
            Capability.BIAS_ESTIMATE,
            Capability.AUDIT,
        ),
        "",
    )

    def __init__(
        self, schema: Schema, labels: Sequence[Any], table: Mapping[tuple[int, ...], int]
    ) -> None:
        self.schema, self.labels, self.table = schema, tuple(labels), dict(table)

    @property
    def has_impossible(self) -> bool:
        return _core.IMPOSSIBLE in self.table.values()

    def describe_size(self) -> str:
        return f"{len(self.table)} rows"

    def content(self) -> bytes:
        return repr(self.table).encode()

    def decide(self, cells: Cells) -> int:
        return self.table[tuple(cells)]

    def decide_many(self, cells: NDArray[numpy.uint16]) -> NDArray[numpy.intp]:
        return numpy.array([self.table[tuple(row)] for row in cells.tolist()], numpy.intp)

    def _others(self, cells: Cells, label: int, limits: Limits) -> Iterator[list[int]]:
        """The allowed instances within limits that have another label, the nearest first."""
        sizes = (range(len(feature.values)) for feature in self.schema)
        box = [sorted(limits.get(f, every)) for f, every in enumerate(sizes)]

        def distance(other: tuple[int, ...]) -> int:
            return sum(a != b for a, b in zip(other, cells, strict=True))

        for other in sorted(product(*box), key=distance):
            if self.table[other] not in (label, _core.IMPOSSIBLE):
                yield list(other)

    def counterexample(
        self, cells: Cells, label: int, limits: Limits, budget: Budget | None = None
    ) -> list[int] | None:
        return next(self._others(cells, label, limits), None)

    def sufficient_reason(
        self, cells: Cells, label: int, drop_order: Sequence[int], budget: Budget | None = None
    ) -> list[int]:
        kept = set(range(len(cells)))
        for feature in drop_order:
            fewer = {f: (cells[f],) for f in kept - {feature}}
            if self.counterexample(cells, label, fewer) is None:
                kept.discard(feature)
        return sorted(kept)

    def contrastive_set(
        self, cells: Cells, label: int, kept: frozenset[int], budget: Budget
    ) -> frozenset[int] | None:
        other = self.counterexample(cells, label, {f: (cells[f],) for f in kept})
        if other is None:
            return None
        return frozenset(f for f, cell in enumerate(other) if cell != cells[f])

    def necessary(self, cells: Cells, label: int) -> list[int]:
        every = range(len(cells))
        return [f for f in every if self.differing_instance(cells, label, [f]) is not None]

    def enumerate_contrastive_sets(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> Iterator[frozenset[int]]:
        minimal: list[frozenset[int]] = []
        for size in range(1, len(cells) + 1):
            for changed in map(frozenset, combinations(range(len(cells)), size)):
                if any(smaller <= changed for smaller in minimal):
                    continue
                if self.differing_instance(cells, label, sorted(changed)) is not None:
                    minimal.append(changed)
        return iter(minimal)

    def complete_reason(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> _core.Reason:
        sets = [sorted(each) for each in self.enumerate_contrastive_sets(cells, label)]
        sizes = [len(feature.values) for feature in self.schema]
        return _core.reason_of_sets(sets, list(cells), sizes)

    def cheapest_change(
        self,
        cells: Cells,
        label: int,
        allowed: Limits,
        costs: Sequence[float],
        wanted: int | None,
    ) -> tuple[list[int], float] | None:
        priced = [
            (sum(costs[f] for f, cell in enumerate(other) if cell != cells[f]), other)
            for other in self._others(cells, label, allowed)
            if wanted in (None, self.decide(other))
        ]
        if not priced:
            return None
        cost, other = min(priced)
        return other, cost

    def differing_instance(
        self, cells: Cells, label: int, loose: Sequence[int]
    ) -> list[int] | None:
        fixed = {f: (cell,) for f, cell in enumerate(cells) if f not in loose}
        return self.counterexample(cells, label, fixed)

    def differing_pair(self, loose: Sequence[int], budget: Budget | None = None) -> Pair | None:
        for cells, label in self.table.items():
            if label != _core.IMPOSSIBLE:
                other = self.differing_instance(cells, label, loose)
                if other is not None:
                    return cells, other
        return None

    def allowed_instance(self, cells: Cells) -> list[int] | None:
        return next(self._others(cells, -1, {}), None)

"""Questions about one decision that the core answers in one pass, of circuits and clauses."""

from collections.abc import Iterable, Sequence
from typing import Any

from reasons import _core
from reasons.budget import Budget

Limits = Iterable[tuple[int, Sequence[int]]]


class Asked:
    """Answers by the core; what is searched instead (`reasons.search`) has the same methods."""

    native: Any

    def complete_reason(
        self, cells: Sequence[int], label: int, budget: Budget | None = None
    ) -> _core.Reason:
        """The simple complete reason: one pass, whatever the budget."""
        return _core.complete_reason(self.native, cells, label)

    def general_reason(self, cells: Sequence[int], label: int) -> _core.Reason:
        """The general complete reason."""
        return _core.general_reason(self.native, cells, label)

    def cheapest_change(
        self,
        cells: Sequence[int],
        label: int,
        allowed: Limits,
        costs: Sequence[float],
        wanted: int | None,
    ) -> tuple[list[int], float] | None:
        """The cheapest change within what is allowed, and its cost."""
        found: tuple[list[int], float] | None = _core.cheapest_counterfactual(
            self.native, cells, label, list(allowed), costs, wanted
        )
        return found

    def counterexample(self, cells: Sequence[int], label: int, limits: Limits) -> list[int] | None:
        """An instance within the limits with another label, or None."""
        return _core.counterexample(self.native, cells, label, list(limits))

    def biased(self, cells: Sequence[int], label: int, loose: Sequence[int]) -> list[int] | None:
        """An instance with another label that differs on loose features only, or None."""
        return _core.biased(self.native, cells, label, list(loose))

    def missed(
        self, cells: Sequence[int], label: int, kept: frozenset[int], budget: Budget
    ) -> frozenset[int] | None:
        """A contrastive set that avoids the kept features, or None if those suffice."""
        limits = [(f, [cells[f]]) for f in kept]
        found = self.cheapest_change(cells, label, limits, [1.0] * len(cells), None)
        if found is None:
            return None
        return frozenset(f for f, cell in enumerate(found[0]) if cell != cells[f])

"""Base of the circuit and CNF backends: one call of the core per query about a decision."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reasons import _core
from reasons.backends.native_budget import native_budget
from reasons.backends.protocol import Backend, Cells, Limits
from reasons.budget import Budget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class OnePassBackend(Backend):
    """What circuits and clauses share: the core has the same functions for both."""

    one_pass = True
    thread_safe = True
    native: Any

    def _explainer(self, label: int, budget: Budget | None = None) -> Any:
        """The object of the core that explains decisions with a label."""
        return self.native

    def decide(self, cells: Cells) -> int:
        """The label of an instance. Cost: O(depth) of circuits, O(literals) of clauses."""
        label: int = _core.decide(self.native, cells)
        return label

    def decide_many(self, cells: "NDArray[np.uint16]") -> "NDArray[np.intp]":
        """The labels of the rows of a matrix of cells."""
        import numpy as np

        return np.asarray(self.native.decide_all(cells.reshape(-1), len(cells)), np.intp)

    def sufficient_reason(
        self, cells: Cells, label: int, drop_order: Sequence[int], budget: Budget | None = None
    ) -> list[int]:
        """Greedy deletion. Cost: a pass for each feature at worst."""
        return _core.sufficient(
            self._explainer(label, budget), cells, label, drop_order, native_budget(budget)
        )

    def counterexample(
        self, cells: Cells, label: int, limits: Limits, budget: Budget | None = None
    ) -> list[int] | None:
        """An instance within the limits with another label. Cost: one pass."""
        listed = [(feature, sorted(allowed)) for feature, allowed in limits.items()]
        return _core.counterexample(self._explainer(label, budget), cells, label, listed)

    def contrastive_set(
        self, cells: Cells, label: int, kept: frozenset[int], budget: Budget
    ) -> frozenset[int] | None:
        """The features of a change of fewest features. Cost: one pass."""
        limits = {f: (cells[f],) for f in kept}
        changed = self.cheapest_change(cells, label, limits, [1.0] * len(cells), None)
        if changed is None:
            return None
        return frozenset(f for f, cell in enumerate(changed[0]) if cell != cells[f])

    def necessary(self, cells: Cells, label: int) -> list[int]:
        """The necessary features. Cost: one pass upward and one walk."""
        return _core.necessary(self._explainer(label), cells, label)

    def complete_reason(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> _core.Reason:
        """The simple complete reason. Cost: one pass, and compiling where it was put off."""
        return _core.complete_reason(self._explainer(label, budget), cells, label)

    def general_reason(self, cells: Cells, label: int) -> _core.Reason:
        """The general complete reason. Cost: one pass."""
        return _core.general_reason(self._explainer(label), cells, label)

    def cheapest_change(
        self,
        cells: Cells,
        label: int,
        allowed: Limits,
        costs: Sequence[float],
        wanted: int | None,
    ) -> tuple[list[int], float] | None:
        """The cheapest change within the allowed cells, and its cost. Cost: one pass."""
        listed = [(feature, sorted(values)) for feature, values in allowed.items()]
        return _core.cheapest_counterfactual(
            self._explainer(label), cells, label, listed, costs, wanted
        )

    def differing_instance(
        self, cells: Cells, label: int, loose: Sequence[int]
    ) -> list[int] | None:
        """A witness of bias: one pass."""
        return _core.biased(self._explainer(label), cells, label, list(loose))

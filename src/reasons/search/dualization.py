"""The sufficient reasons and contrastive sets of one decision, each the dual of the other.

The core proposes minimal hitting sets of the contrastive sets known so far. One that suffices is
a sufficient reason; from a counterexample to another comes a new contrastive set. When all minimal
hitting sets suffice, both families are complete (core/reason/dualization.hpp).
"""

from collections.abc import Iterator

from reasons import _core
from reasons.backends.native_budget import native_budget
from reasons.backends.protocol import Cells
from reasons.budget import Budget
from reasons.errors import BudgetExceeded

_STAGE = "the reasons of a decision"
_REASONS, _CHANGES = "sufficient reasons found", "contrastive sets found"
_MOST_AT_ONCE = 64  # the first ones come one by one


class Dual:
    """The explanations of one decision of an ensemble, found one after another."""

    def __init__(
        self, search: _core.BranchAndBound, cells: Cells, label: int, budget: Budget
    ) -> None:
        self._search, self._cells, self._label = search, list(cells), label
        self._budget = budget

    def sufficient_reasons(self) -> Iterator[frozenset[int]]:
        """The sufficient reasons, as they are found. Can explode: budgeted."""
        return (members for suffices, members in self._explanations() if suffices)

    def contrastive_sets(self) -> Iterator[frozenset[int]]:
        """The contrastive sets, as they are found. Can explode: budgeted."""
        return (members for suffices, members in self._explanations() if not suffices)

    def _explanations(self) -> Iterator[tuple[bool, frozenset[int]]]:
        """Each set of features, and whether it suffices: otherwise it is contrastive."""
        explanations = _core.AllReasons(self._search, self._cells, self._label)
        most, counts = 1, {_REASONS: 0, _CHANGES: 0}
        while True:
            try:
                self._budget.pause(_STAGE, sum(counts.values()))
                found = explanations.next(most, native_budget(self._budget, _STAGE))
            except BudgetExceeded as error:
                raise BudgetExceeded(error.stage, **error.spent, **counts) from None
            if not found:
                return
            for suffices, members in found:
                counts[_REASONS if suffices else _CHANGES] += 1
                yield suffices, frozenset(members)
            most = min(2 * most, _MOST_AT_ONCE)

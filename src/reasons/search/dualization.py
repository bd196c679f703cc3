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

_STAGE = "the reasons of a decision"
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
        done, most = 0, 1
        while True:
            self._budget.pause(_STAGE, done)
            found = explanations.next(most, native_budget(self._budget, _STAGE))
            if not found:
                return
            for suffices, members in found:
                yield suffices, frozenset(members)
            done += len(found)
            most = min(2 * most, _MOST_AT_ONCE)

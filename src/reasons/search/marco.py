"""Sufficient reasons and contrastive sets of one decision, each found from the others.

Every sufficient reason meets every contrastive set. A SAT solver keeps the map of what is not
settled: sets of features that include no reason known and meet every contrastive set known.
Each one it proposes either suffices, and is shrunk to a new reason, or an instance that agrees
with it and gets another label yields a new contrastive set. When the map is empty, both
families are complete (MARCO, Liffiton and others 2016).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import native_budget
from reasons.errors import PropertyError
from reasons.search.box_oracle import Oracle

_STAGE = "the reasons of a decision"


def contrastive(
    trees: Oracle, cells: Sequence[int], label: int, kept: frozenset[int], budget: Budget
) -> frozenset[int] | None:
    """A minimal contrastive set that avoids the kept features; None if those suffice."""
    found = trees.other(cells, label, {f: [cells[f]] for f in kept}, budget)
    if found is None:
        return None
    changed = [f for f, cell in enumerate(found) if cell != cells[f]]
    needed: list[int] = []
    while changed:  # what is in it for certain, and what is still to be tried
        budget.check(_STAGE)
        feature = changed.pop()
        free = {*needed, *changed}
        stay = {f: [cell] for f, cell in enumerate(cells) if f not in free}
        closer = trees.other(cells, label, stay, budget)
        if closer is None:
            needed.append(feature)
        else:
            changed = [f for f in changed if closer[f] != cells[f]]
    return frozenset(needed)


class Duality:
    """The explanations of one decision of a sum of trees, found one after another."""

    def __init__(self, trees: Oracle, cells: Sequence[int], label: int, budget: Budget) -> None:
        self.trees, self.cells, self.label, self.budget = trees, list(cells), label, budget

    def sufficient(self) -> Iterator[frozenset[int]]:
        """The sufficient reasons, as they are found. Can explode: budgeted."""
        return (found for suffices, found in self._found() if suffices)

    def contrastive(self) -> Iterator[frozenset[int]]:
        """The contrastive sets, as they are found. Can explode: budgeted."""
        return (found for suffices, found in self._found() if not suffices)

    def _found(self) -> Iterator[tuple[bool, frozenset[int]]]:
        features = range(len(self.cells))
        with _solver() as solver:
            solver.set_phases([f + 1 for f in features])  # rather propose many features
            done = 0
            while solver.solve():
                self.budget.check(_STAGE)
                self.budget.report(_STAGE, done)
                model = solver.get_model() or []
                absent = frozenset(-v - 1 for v in model if v < 0)
                kept = frozenset(features) - absent
                missed = contrastive(self.trees, self.cells, self.label, kept, self.budget)
                if missed is None:
                    reason = self._shrunk(kept)
                    solver.add_clause([-f - 1 for f in reason])
                    yield True, reason
                else:
                    solver.add_clause([f + 1 for f in missed])
                    yield False, missed
                done += 1

    def _shrunk(self, kept: frozenset[int]) -> frozenset[int]:
        others = [f for f in range(len(self.cells)) if f not in kept]
        order = [*others, *sorted(kept, reverse=True)]
        budget = native_budget(self.budget)
        found = _core.sufficient(self.trees.native, self.cells, self.label, order, budget)
        if not kept.issuperset(found):
            raise PropertyError("a reason with features that were dropped; please report this")
        return frozenset(found)


def _solver() -> Any:
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise PropertyError(
            "listing the reasons of a model that is answered by search needs python-sat: "
            "pip install 'reasons[exact]'"
        ) from None
    return Solver(name="minisat22")

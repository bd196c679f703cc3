"""MARCO: the sufficient reasons and contrastive sets of one decision (Liffiton et al. 2016).

Every sufficient reason hits every contrastive set. A SAT solver keeps the map of what is not
settled: sets of features that include no reason known and hit every contrastive set known.
Each one it proposes either suffices, and is shrunk to a new reason, or an instance that agrees
with it and gets another label yields a new contrastive set. When the map is empty, both
families are complete.
"""

from collections.abc import Iterator
from typing import Any

from reasons.backends.protocol import Backend, Cells
from reasons.budget import Budget
from reasons.errors import PropertyError

_STAGE = "the reasons of a decision"


def contrastive_set(
    backend: Backend, cells: Cells, label: int, kept: frozenset[int], budget: Budget
) -> frozenset[int] | None:
    """A minimal contrastive set that avoids the kept features; None if those suffice."""
    other = backend.counterexample(cells, label, {f: [cells[f]] for f in kept}, budget)
    if other is None:
        return None
    changed = [f for f, cell in enumerate(other) if cell != cells[f]]
    needed: list[int] = []
    while changed:  # what is in it for certain, and what is still to be tried
        budget.check(_STAGE)
        feature = changed.pop()
        free = {*needed, *changed}
        stay = {f: [cell] for f, cell in enumerate(cells) if f not in free}
        closer = backend.counterexample(cells, label, stay, budget)
        if closer is None:
            needed.append(feature)
        else:
            changed = [f for f in changed if closer[f] != cells[f]]
    return frozenset(needed)


class Enumeration:
    """The explanations of one decision, found one after another."""

    def __init__(self, backend: Backend, cells: Cells, label: int, budget: Budget) -> None:
        self.backend, self.cells, self.label, self.budget = backend, list(cells), label, budget

    def sufficient_reasons(self) -> Iterator[frozenset[int]]:
        """The sufficient reasons, as they are found. Can explode: budgeted."""
        return (members for suffices, members in self._explanations() if suffices)

    def contrastive_sets(self) -> Iterator[frozenset[int]]:
        """The contrastive sets, as they are found. Can explode: budgeted."""
        return (members for suffices, members in self._explanations() if not suffices)

    def _explanations(self) -> Iterator[tuple[bool, frozenset[int]]]:
        """Each set of features, and whether it suffices: otherwise it is contrastive."""
        features = range(len(self.cells))
        with map_solver() as solver:
            solver.set_phases([f + 1 for f in features])  # rather propose many features
            done = 0
            while solver.solve():
                self.budget.check(_STAGE)
                self.budget.report(_STAGE, done)
                model = solver.get_model() or []
                absent = frozenset(-v - 1 for v in model if v < 0)
                kept = frozenset(features) - absent
                missed = contrastive_set(self.backend, self.cells, self.label, kept, self.budget)
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
        reason = self.backend.sufficient_reason(self.cells, self.label, order, self.budget)
        if not kept.issuperset(reason):
            raise PropertyError("a reason with features that were dropped; please report this")
        return frozenset(reason)


def map_solver() -> Any:
    """A SAT solver for small maps of sets of features; a context manager."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise PropertyError(
            "listing the reasons of a model that is answered by search needs python-sat: "
            "pip install 'reasons[exact]'"
        ) from None
    return Solver(name="minisat22")

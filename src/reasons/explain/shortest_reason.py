"""The shortest sufficient reason (smallest AXp): from the diagram, or by implicit hitting sets.

If the diagram of all reasons is too large, two steps alternate. A smallest hitting set of the
known contrastive sets is a lower bound. If it suffices, it is a shortest reason; otherwise the
classifier yields a contrastive set that it misses (one pass).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.errors import BudgetExceeded
from reasons.explain.term_set import TermSet
from reasons.features.terms import Instance, Term
from reasons.search.hitting_set import cheapest_hitting_set

DIAGRAM_NODES = 2_000_000


@dataclass(frozen=True, slots=True)
class Shortest:
    """A sufficient reason, whether it is proved shortest, and a lower bound on the length."""

    term: Term
    proved: bool
    at_least: int


def shortest(
    backend: Backend,
    instance: Instance,
    label: int,
    reasons: Callable[[Budget], TermSet],
    budget: Budget,
) -> Shortest:
    """A shortest sufficient reason; the best one so far when the time is over."""
    nodes = min(DIAGRAM_NODES, budget.nodes or DIAGRAM_NODES)
    share = None if budget.seconds_left is None else max(budget.seconds_left / 2, 1e-3)
    try:
        term = reasons(replace(budget.renewed(), nodes=nodes, seconds=share)).shortest()
        return Shortest(term, True, len(term))
    except BudgetExceeded:
        return _ImplicitHittingSet(backend, instance, label, budget).run()


class _ImplicitHittingSet:
    def __init__(self, backend: Backend, instance: Instance, label: int, budget: Budget) -> None:
        self.backend, self.instance, self.label, self.budget = backend, instance, label, budget
        self.sets: list[frozenset[int]] = []
        self.best = self._completed(())

    def run(self) -> Shortest:
        bound = 0
        try:
            while True:
                hitting = cheapest_hitting_set(self.sets, self.budget)
                bound = len(hitting)
                missed = self.backend.contrastive_set(
                    self.instance.cells, self.label, hitting, self.budget
                )
                if missed is None:
                    return Shortest(self.instance.term(hitting), True, bound)
                self.sets.append(missed)
                self.best = min(self.best, self._completed(hitting), key=len)
                if len(self.best) == bound:
                    return Shortest(self.instance.term(self.best), True, bound)
        except BudgetExceeded:
            return Shortest(self.instance.term(self.best), False, bound)

    def _completed(self, kept: Sequence[int] | frozenset[int]) -> list[int]:
        """A sufficient reason for which the kept features are dropped last."""
        others = [f for f in range(len(self.backend.schema)) if f not in kept]
        return self.backend.sufficient_reason(
            self.instance.cells,
            self.label,
            [*others, *kept],
            Budget(progress=self.budget.progress),
        )

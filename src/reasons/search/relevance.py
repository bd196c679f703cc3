"""Relevance of features by counter-examples: MARCO on the sets without one feature.

A SAT solver proposes sets T without the feature that include no reason known and hit every
contrastive set known, the feature apart. Either T suffices, and yields a reason without the
feature. Or it misses a minimal contrastive set: if that has the feature, so has some reason. When
the map is empty, adding the feature to a set never makes it sufficient: no reason has it.
"""

from collections.abc import Iterable

from reasons.backends.protocol import Backend, Cells
from reasons.budget import Budget
from reasons.errors import BudgetExceeded, PropertyError
from reasons.search.marco import map_solver

_STAGE = "relevant features"


def is_sat_there() -> bool:
    """Whether python-sat is installed."""
    from importlib.util import find_spec

    return find_spec("pysat") is not None


class Relevance:
    """The reasons and contrastive sets of one decision that questions about features found."""

    def __init__(self, backend: Backend, cells: Cells, label: int, budget: Budget) -> None:
        self.backend, self.cells, self.label, self.budget = backend, list(cells), label, budget
        self.reasons: list[frozenset[int]] = []
        self.contrastive_sets: list[frozenset[int]] = []

    def relevant(self, features: Iterable[int]) -> frozenset[int]:
        """Those of the features that some reason has."""
        wanted = sorted(features)
        found = self.quickly_found(wanted)
        for at, feature in enumerate(wanted):
            self.budget.report(_STAGE, at, len(wanted))
            if feature not in found:
                found |= self.reason_with(feature) or frozenset()
        return found

    def quickly_found(self, features: Iterable[int]) -> frozenset[int]:
        """The features of greedy reasons, for each that none of them has one that keeps it last."""
        found = frozenset[int]()
        for feature in features:
            if feature not in found and self._can_vary(feature):
                found |= self._greedy(frozenset(range(len(self.cells))), feature)
        return found

    def reason_with(self, feature: int, rounds: int | None = None) -> frozenset[int] | None:
        """A sufficient reason that has the feature, or None if none has it.

        Raises `BudgetExceeded` after so many rounds. Cost: exponential at worst.
        """
        if not self._can_vary(feature):
            return None
        every = frozenset(range(len(self.cells)))
        if all(feature not in each for each in (*self.reasons, *self.contrastive_sets)):
            self._greedy(every, feature)
        for reason in self.reasons:
            if feature in reason:
                return reason
        for changed in self.contrastive_sets:
            if feature in changed:
                return self.shrunk(every - changed | {feature}, feature)
        return self._by_counterexamples(feature, rounds)

    def _by_counterexamples(self, feature: int, rounds: int | None) -> frozenset[int] | None:
        every = frozenset(range(len(self.cells)))
        with map_solver() as solver:
            solver.set_phases([-f - 1 for f in every])
            solver.add_clause([-feature - 1])
            for reason in self.reasons:
                solver.add_clause([-f - 1 for f in reason])
            for changed in self.contrastive_sets:
                solver.add_clause([f + 1 for f in changed])
            done = 0
            while solver.solve():
                self.budget.check(_STAGE)
                if rounds is not None and done >= rounds:
                    raise BudgetExceeded(_STAGE, rounds=done, limit=rounds)
                done += 1
                absent = frozenset(-v - 1 for v in solver.get_model() or [] if v < 0)
                kept = every - absent - {feature}
                missed = self.backend.contrastive_set(self.cells, self.label, kept, self.budget)
                if missed is None:
                    solver.add_clause([-f - 1 for f in self._greedy(kept, feature)])
                    continue
                self.contrastive_sets.append(missed)
                if feature in missed:
                    return self.shrunk(every - missed | {feature}, feature)
                solver.add_clause([f + 1 for f in missed])
        return None

    def shrunk(self, kept: frozenset[int], feature: int) -> frozenset[int]:
        """A reason among features that suffice, and do not without this one."""
        reason = self._greedy(kept, feature)
        if feature not in reason:
            raise PropertyError("a reason without a feature it needs; please report this")
        return reason

    def _greedy(self, kept: frozenset[int], feature: int) -> frozenset[int]:
        """A reason among features that suffice; the given feature is dropped last."""
        self.budget.check(_STAGE)
        others = [f for f in range(len(self.cells)) if f not in kept and f != feature]
        order = [*others, *sorted(kept - {feature}, reverse=True)]
        order = [*order, feature] if feature in kept else [feature, *order]
        reason = frozenset(
            self.backend.sufficient_reason(self.cells, self.label, order, self.budget)
        )
        if not kept >= reason:
            raise PropertyError("a reason with features that were dropped; please report this")
        self.reasons.append(reason)
        return reason

    def _can_vary(self, feature: int) -> bool:
        return len(self.backend.schema[feature].values) > 1

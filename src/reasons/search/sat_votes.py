"""Hard votes by SAT: another label in a box, and sufficient reasons, on clauses (vote_clauses.py).

Wins over branch and bound where there are many features of few cells, as yes-or-no columns; on few
features, and on numbers with many thresholds, it loses (docs/design/search.md). The answers are the
same. One solver for each label and rival is kept between questions, whose boxes are assumptions.
Phases follow the instance, so that models stay near it.
"""

import time
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

from reasons import _core
from reasons.backends.protocol import Cells, Limits
from reasons.budget import Budget
from reasons.ensembles.forest_arrays import ForestArrays
from reasons.errors import PropertyError
from reasons.search.vote_clauses import CellClauses, RivalClauses

_STAGE = "search"
_FIRST_CONFLICTS, _SLICE_SECONDS = 200, 0.05
_MOST_VOTES = 2_000
_LEAST_FEATURES, _MOST_CELLS = 100, 3  # cells of a feature, on average


def faster_by_sat(domains: Sequence[int]) -> bool:
    """Whether SAT is expected to win, by measurement, given how many cells each feature has."""
    return len(domains) >= _LEAST_FEATURES and sum(domains) <= _MOST_CELLS * len(domains)


def sat_votes(native: _core.BranchAndBound, ensemble: _core.Ensemble) -> "SatVotes | None":
    """The SAT way to a model, or None where its values are no votes or python-sat is not there."""
    if not ensemble.exact:
        return None
    try:
        import pysat.solvers  # noqa: F401
    except ImportError:
        return None
    forest = ForestArrays(native.content())
    return SatVotes(native, forest) if forest.is_vote(_MOST_VOTES) else None


class SatVotes:
    """The counterexamples of a vote, from a SAT solver for each label and rival."""

    def __init__(self, native: _core.BranchAndBound, forest: ForestArrays) -> None:
        self._native, self.forest = native, forest
        self._cells: CellClauses | None = None
        self._solvers: dict[tuple[int, int], Any] = {}

    def counterexample(
        self, cells: Cells, label: int, limits: Limits, budget: Budget
    ) -> list[int] | None:
        """An instance within the limits with another label, or None if there is none."""
        boxes = {f: self._box(f, sorted(allowed)) for f, allowed in limits.items()}
        self._stay_near(cells, label)
        model = self._model(label, [x for each in boxes.values() for x in each], budget)
        if model is None:
            return None
        groups = [self._range(f, model) for f in range(len(cells))]
        other = [_cell(group, cells[f], limits.get(f)) for f, group in enumerate(groups)]
        return self._replayed(other, label)

    def sufficient_reason(
        self, cells: Cells, label: int, drop_order: Sequence[int], budget: Budget
    ) -> list[int]:
        """What dropping features in this order leaves: the same as branch and bound finds.

        Of the features not yet settled, the first that cannot be dropped together with all before
        it is kept. Counterexamples say where it is at the latest, one proof that it is not earlier.
        """
        rank = {feature: at for at, feature in enumerate(drop_order)}
        fixed = [self._fixed(f, cell) for f, cell in enumerate(cells)]
        own = [(abs(x) - 1, x, f) for f, literals in enumerate(fixed) for x in literals]
        self._stay_near(cells, label)
        kept: list[int] = []
        changes: list[frozenset[int]] = []
        settled = 0
        while settled < len(drop_order):
            end = len(drop_order)  # what is kept next is before it, or there is nothing
            for change in changes:
                if change.isdisjoint(kept):
                    end = min(end, max(rank[f] for f in change))
            found = end < len(drop_order)
            while end > settled:
                stay = [*kept, *drop_order[: end - 1 : -1]]
                model = self._model(label, [x for f in stay for x in fixed[f]], budget)
                if model is None:
                    break
                changes.append(frozenset(f for at, x, f in own if model[at] != x))
                end, found = max(rank[f] for f in changes[-1]), True
            if not found:
                break
            kept.append(drop_order[end])
            settled = end + 1
        return sorted(kept)

    @property
    def _shared(self) -> CellClauses:
        if self._cells is None:
            self._cells = CellClauses(self.forest)
        return self._cells

    def _solver(self, label: int, rival: int) -> Any:
        """The solver of a label and a rival; None where the rival never has enough votes."""
        if (label, rival) not in self._solvers:
            from pysat.solvers import Solver

            cells = self._shared
            votes = RivalClauses(cells, label, rival)
            clauses = [*cells.clauses, *votes.clauses]
            solver = Solver(name="minisat22", bootstrap_with=clauses) if votes.possible else None
            self._solvers[label, rival] = solver
        return self._solvers[label, rival]

    def _stay_near(self, cells: Cells, label: int) -> None:
        """Have the solvers of a label try the values of an instance first."""
        each = zip(self._shared.below, cells, strict=True)
        near = [v if own < cut else -v for below, own in each for cut, v in below.items()]
        for solver in self._rivals(label):
            solver.set_phases(near)

    def _rivals(self, label: int) -> list[Any]:
        solvers = [self._solver(label, r) for r in range(self.forest.labels) if r != label]
        return [solver for solver in solvers if solver is not None]

    def _model(self, label: int, assumed: list[int], budget: Budget) -> list[int] | None:
        """The literals of a counterexample; None if there is none."""
        for solver in self._rivals(label):
            if _solved(solver, assumed, budget):
                model: list[int] = solver.get_model()
                return model
        return None

    def _range(self, feature: int, model: Sequence[int]) -> tuple[int, int]:
        """The cells of a feature that a model leaves; no test tells them apart."""
        begin = 0
        for cut, variable in self._shared.below[feature].items():
            if model[variable - 1] > 0:
                return begin, cut
            begin = cut
        return begin, self.forest.domains[feature]

    def _fixed(self, feature: int, cell: int) -> list[int]:
        return self._shared.between(feature, *self._shared.group(feature, cell))

    def _box(self, feature: int, allowed: list[int]) -> list[int]:
        """Assumptions that leave the allowed cells; sets with gaps need clauses for those."""
        groups = sorted({self._shared.group(feature, cell) for cell in allowed})
        inside = self._shared.between(feature, groups[0][0], groups[-1][1])
        gaps = [(a[1], b[0]) for a, b in pairwise(groups) if a[1] < b[0]]
        return [*inside, *(self._gap(feature, *gap) for gap in gaps)]

    def _gap(self, feature: int, begin: int, end: int) -> int:
        """The literal that a cell is not in a range."""
        return self._shared.outside(feature, begin, end, self._solvers.values())

    def _replayed(self, other: list[int], label: int) -> list[int]:
        if _core.decide(self._native, other) in (label, _core.IMPOSSIBLE):
            raise PropertyError("a counterexample that is none; please report this")
        return other


def _cell(group: tuple[int, int], own: int, allowed: Collection[int] | None) -> int:
    """An allowed cell of a group, the instance's own where it is one."""
    cells = [c for c in allowed if group[0] <= c < group[1]] if allowed else range(*group)
    return own if own in cells else cells[0]


def _solved(solver: Any, assumed: list[int], budget: Budget) -> bool:
    """Whether there is a model; in slices, so that the clock and Ctrl-C are heard."""
    conflicts = _FIRST_CONFLICTS
    while True:
        budget.check(_STAGE)
        started = time.monotonic()
        solver.conf_budget(conflicts)
        answer: bool | None = solver.solve_limited(assumptions=assumed)
        if answer is not None:
            return answer
        spent = max(time.monotonic() - started, 1e-4)
        conflicts = max(20, min(2 * conflicts, int(conflicts * _SLICE_SECONDS / spent)))

"""Hard votes by SAT: another label in a box, and sufficient reasons, on clauses (vote_clauses.py).

Branch and bound compares sums of trees; where each tree has one vote, its bounds are loose and a
SAT solver's learnt clauses win. One solver for each label and rival is kept between questions,
whose boxes are assumptions. Phases follow the instance, so that models stay near it.
"""

import time
from collections.abc import Sequence
from typing import Any

from reasons import _core
from reasons.backends.protocol import Cells, Limits
from reasons.budget import Budget
from reasons.ensembles.forest_arrays import ForestArrays
from reasons.errors import PropertyError
from reasons.search.vote_clauses import CellClauses, RivalClauses

_STAGE = "search"
_FIRST_CONFLICTS, _SLICE_SECONDS = 200, 0.05
MOST_VOTES = 2_000


def sat_votes(native: _core.BranchAndBound, ensemble: _core.Ensemble) -> "SatVotes | None":
    """The SAT way to a model, or None where its values are no votes or python-sat is not there."""
    if not ensemble.exact:
        return None
    try:
        import pysat.solvers  # noqa: F401
    except ImportError:
        return None
    forest = ForestArrays(native.content())
    return SatVotes(native, forest) if forest.is_vote(MOST_VOTES) else None


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
        found = self._model(cells, label, [x for each in boxes.values() for x in each], budget)
        if found is None:
            return None
        other = [
            self._cell(f, group, cells[f], limits.get(f)) for f, group in enumerate(found)
        ]
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
                stay = [*kept, *drop_order[:end - 1 : -1]]
                groups = self._model(cells, label, [x for f in stay for x in fixed[f]], budget)
                if groups is None:
                    break
                changes.append(self._changed(cells, groups))
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

    def _model(
        self, cells: Cells, label: int, assumed: list[int], budget: Budget
    ) -> list[tuple[int, int]] | None:
        """For each feature, the range of cells of a counterexample; None if there is none."""
        for rival in range(self.forest.labels):
            solver = self._solver(label, rival) if rival != label else None
            if solver is None:
                continue
            below = self._shared.below
            pairs = [(cut, v, own) for vs, own in zip(below, cells, strict=True) for cut, v in vs.items()]
            solver.set_phases([v if own < cut else -v for cut, v, own in pairs])
            if _solved(solver, assumed, budget):
                true = solver.get_model()
                return [self._range(f, true) for f in range(len(cells))]
        return None

    def _range(self, feature: int, model: Sequence[int]) -> tuple[int, int]:
        begin = 0
        for cut, variable in self._shared.below[feature].items():
            if model[variable - 1] > 0:
                return begin, cut
            begin = cut
        return begin, self.forest.domains[feature]

    def _changed(self, cells: Cells, groups: list[tuple[int, int]]) -> frozenset[int]:
        pairs = enumerate(zip(cells, groups, strict=True))
        return frozenset(f for f, (own, (begin, end)) in pairs if not begin <= own < end)

    def _fixed(self, feature: int, cell: int) -> list[int]:
        return self._shared.between(feature, *self._shared.group(feature, cell))

    def _box(self, feature: int, allowed: list[int]) -> list[int]:
        """Assumptions that leave the allowed cells; sets with gaps need clauses for those."""
        groups = sorted({self._shared.group(feature, cell) for cell in allowed})
        inside = self._shared.between(feature, groups[0][0], groups[-1][1])
        gaps = [(a[1], b[0]) for a, b in zip(groups, groups[1:], strict=False) if a[1] < b[0]]
        return [*inside, *(self._gap(feature, *gap) for gap in gaps)]

    def _gap(self, feature: int, begin: int, end: int) -> int:
        """The literal that a cell is not in a range."""
        return self._shared.outside(feature, begin, end, self._solvers.values())

    @staticmethod
    def _cell(
        feature: int, group: tuple[int, int], own: int, allowed: Any
    ) -> int:
        cells = range(*group) if allowed is None else [c for c in allowed if c in range(*group)]
        return own if own in cells else cells[0]

    def _replayed(self, other: list[int], label: int) -> list[int]:
        if _core.decide(self._native, other) in (label, _core.IMPOSSIBLE):
            raise PropertyError("a counterexample that is none; please report this")
        return other


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

"""A pair of instances that differ on some features only, by a SAT solver.

For circuits that are not ordered this is the exact way. Each instance is one set of
variables "feature has cell"; features that must agree share theirs. A variable for
each node says that the instance's way comes there, and leaves of unwanted labels
are never come to. Of a conjunction that must be 0, one input is chosen.
"""

import threading
from collections.abc import Iterator, Sequence
from itertools import count, permutations

from reasons.budget import Budget
from reasons.circuit import AllOf, Circuit, Leaf
from reasons.errors import PropertyError
from reasons.values import IMPOSSIBLE

Clauses = list[list[int]]


def differing_pair_by_sat(
    circuit: Circuit, loose: Sequence[int], budget: Budget | None = None
) -> tuple[list[int], list[int]] | None:
    """Two allowed instances with different labels that differ on `loose` features only."""
    budget = budget or Budget()
    for label, other in permutations(circuit.labels, 2):
        if circuit.labels.index(label) < circuit.labels.index(other):
            found = _Encoding(circuit, loose).solve(label, other, budget)
            if found is not None:
                return found
    return None


class _Encoding:
    def __init__(self, circuit: Circuit, loose: Sequence[int]) -> None:
        self.circuit = circuit
        self.fresh = count(1)
        self.clauses: Clauses = []
        first = [self._feature(len(f.values)) for f in circuit.schema]
        second = [
            self._feature(len(cells)) if f in set(loose) else cells for f, cells in enumerate(first)
        ]
        self.instances = (first, second)

    def _feature(self, cells: int) -> list[int]:
        """Variables of which exactly one is true."""
        names = [next(self.fresh) for _ in range(cells)]
        self.clauses.append(names)
        # A ladder: `before` says that the variable at hand or an earlier one is true.
        before = names[0]
        for name in names[1:]:
            self.clauses.append([-before, -name])
            now = next(self.fresh)
            self.clauses += [[-before, now], [-name, now]]
            before = now
        return names

    def solve(
        self, label: object, other: object, budget: Budget
    ) -> tuple[list[int], list[int]] | None:
        for cells, wanted in zip(self.instances, (label, other), strict=True):
            self.clauses += self._reaches(cells, wanted)
        model = _model(self.clauses, budget)
        if model is None:
            return None
        one, two = (self._cells(names, model) for names in self.instances)
        return one, two

    def _cells(self, names: list[list[int]], model: set[int]) -> list[int]:
        return [next(cell for cell, v in enumerate(f) if v in model) for f in names]

    def _reaches(self, cells: list[list[int]], wanted: object) -> Iterator[list[int]]:
        come = [next(self.fresh) for _ in range(len(self.circuit))]
        yield [come[self.circuit.root]]
        for here, node in zip(come, self.circuit, strict=True):
            if isinstance(node, Leaf):
                if node.label != wanted or node.label is IMPOSSIBLE:
                    yield [-here]
            elif isinstance(node, AllOf):
                if wanted:
                    yield from ([-here, come[i]] for i in node.inputs)
                else:
                    yield [-here, *(come[i] for i in node.inputs)]
            else:
                for arm in node.arms:
                    yield from ([-here, -cells[node.feature][c], come[arm.node]] for c in arm.cells)


def _model(clauses: Clauses, budget: Budget) -> set[int] | None:
    """The true variables of a solution, or None; the time limit and Ctrl-C interrupt it."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise PropertyError(
            "an exact answer for this circuit needs a SAT solver: pip install 'reasons[exact]'"
        ) from None
    with Solver(name="glucose4", bootstrap_with=clauses) as solver:
        answers: list[bool | None] = []
        ended = threading.Event()

        def work() -> None:
            try:
                answers.append(solver.solve_limited(expect_interrupt=True))
            finally:
                ended.set()

        threading.Thread(target=work, name="reasons-sat").start()
        try:
            while not ended.wait(0.02):  # free to hear Ctrl-C and the clock
                budget.check("the SAT search")
        finally:
            solver.interrupt()
            ended.wait()
        return {v for v in solver.get_model() if v > 0} if answers[0] else None

"""Instances that are decided differently, by a SAT solver.

For circuits that are not ordered this is the exact way. Each instance is one set of
variables "feature has cell"; features that must agree share theirs. A variable for
each node says that the instance's way comes there, and leaves of unwanted labels
are never come to. Of a conjunction that must be 0, one input is chosen.
"""

import threading
from collections.abc import Iterator, Sequence
from itertools import combinations, count
from typing import Any

from reasons.budget import Budget
from reasons.circuits.circuit import AllOf, Circuit, Leaf
from reasons.errors import PropertyError
from reasons.features.values import IMPOSSIBLE

_NODES_BETWEEN = 1_000  # looks at the clock

Clauses = list[list[int]]
Wanted = tuple[Circuit, Sequence[object]]
"""A circuit, and the labels that an instance may get there."""


def differing_pair_by_sat(
    circuit: Circuit, loose: Sequence[int], budget: Budget | None = None
) -> tuple[list[int], list[int]] | None:
    """Two allowed instances with different labels that differ on `loose` features only."""
    for label, other in combinations(circuit.labels, 2):
        found = _Encoding(circuit, loose).solve((circuit, (label,)), (circuit, (other,)), budget)
        if found is not None:
            return found
    return None


def differing_instance_by_sat(
    circuit: Circuit, other: Circuit, budget: Budget | None = None
) -> list[int] | None:
    """An instance that two circuits over the same features and labels decide differently.

    To be impossible is one of the decisions.
    """
    every = (*circuit.labels, IMPOSSIBLE)
    for label in every:
        others = tuple(each for each in every if each != label)
        found = _Encoding(circuit, ()).solve((circuit, (label,)), (other, others), budget)
        if found is not None:
            return found[0]
    return None


def false_model_by_sat(
    circuit: Circuit, clauses: Sequence[Sequence[int]], budget: Budget | None = None
) -> list[int] | None:
    """A model of clauses (literals as in DIMACS) for which a Boolean circuit is False."""
    if not all(clauses):
        return None
    encoding = _Encoding(circuit, ())
    cells = encoding.instances[0]
    encoding.clauses += [[cells[abs(x) - 1][x > 0] for x in clause] for clause in clauses]
    budget = budget or Budget()
    encoding.clauses += encoding._reaches(circuit, cells, (False,), budget)
    model = _model(encoding.clauses, budget)
    return None if model is None else encoding._cells(cells, model)


class _Encoding:
    def __init__(self, circuit: Circuit, loose: Sequence[int]) -> None:
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
        self, one: Wanted, other: Wanted, budget: Budget | None
    ) -> tuple[list[int], list[int]] | None:
        budget = budget or Budget()
        for cells, (circuit, labels) in zip(self.instances, (one, other), strict=True):
            self.clauses += self._reaches(circuit, cells, labels, budget)
        model = _model(self.clauses, budget)
        if model is None:
            return None
        first, second = (self._cells(names, model) for names in self.instances)
        return first, second

    def _cells(self, names: list[list[int]], model: set[int]) -> list[int]:
        return [next(cell for cell, v in enumerate(f) if v in model) for f in names]

    def _reaches(
        self, circuit: Circuit, cells: list[list[int]], wanted: Sequence[object], budget: Budget
    ) -> Iterator[list[int]]:
        come = [next(self.fresh) for _ in range(len(circuit))]
        yield [come[circuit.root]]
        for here, node in zip(come, circuit, strict=True):
            if here % _NODES_BETWEEN == 0:
                budget.check("writing clauses")
            if isinstance(node, Leaf):
                if node.label not in wanted:
                    yield [-here]
            elif isinstance(node, AllOf):
                inputs = [come[i] for i in node.inputs]
                yield from _together(here, inputs, True in wanted, False in wanted)
            else:
                for arm in node.arms:
                    yield from ([-here, -cells[node.feature][c], come[arm.node]] for c in arm.cells)


def _together(here: int, inputs: list[int], true: bool, false: bool) -> Iterator[list[int]]:
    """What must hold of the inputs of a conjunction that may be true, or false."""
    if true and not false:
        yield from ([-here, each] for each in inputs)
    elif not true:
        yield [-here, *(inputs if false else ())]


def _model(clauses: Clauses, budget: Budget) -> set[int] | None:
    """The true variables of a solution, or None; the time limit and Ctrl-C interrupt it."""
    with sat_solver(clauses) as solver:
        if not is_satisfiable(solver, budget):
            return None
        return {v for v in solver.get_model() if v > 0}


def sat_solver(clauses: Clauses) -> Any:
    """A solver that can be interrupted, with these clauses; a context manager."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise PropertyError(
            "an exact answer for this circuit needs a SAT solver: pip install 'reasons[exact]'"
        ) from None
    return Solver(name="glucose4", bootstrap_with=clauses)


def is_satisfiable(solver: Any, budget: Budget, assumptions: Sequence[int] = ()) -> bool:
    """Whether there is a solution; the time limit and Ctrl-C interrupt the solver."""
    answers: list[bool | None] = []
    ended = threading.Event()

    def work() -> None:
        try:
            answers.append(
                solver.solve_limited(assumptions=list(assumptions), expect_interrupt=True)
            )
        finally:
            ended.set()

    threading.Thread(target=work, name="reasons-sat").start()
    try:
        while not ended.wait(0.02):  # free to hear Ctrl-C and the clock
            budget.check("the SAT search")
    finally:
        solver.interrupt()
        ended.wait()
    solver.clear_interrupt()
    return bool(answers[0])

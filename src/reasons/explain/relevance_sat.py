"""Relevance by SAT: two copies of the monotone complete reason (Huang et al. 2023).

A feature is in some sufficient reason iff it is critical for a set S of features: S suffices, and
S without it does not. Both circuits are monotone, so each gate is encoded in one direction only.
"""

from collections.abc import Iterator
from types import TracebackType
from typing import Self

from reasons.budget import Budget
from reasons.counting.sat_encoding import Clauses, is_satisfiable, sat_solver
from reasons.explain.reason_circuit import ReasonCircuit

_STAGE = "relevance"
_GATES_BETWEEN = 10_000  # looks at the clock


class CriticalSets:
    """Sets of features that suffice, and do not without one of them; a context manager.

    Variable f + 1 says that S has feature f; two more for each feature say that the second set
    has it, and that both agree on it.
    """

    def __init__(self, reason: ReasonCircuit, budget: Budget) -> None:
        self.size, self.budget = len(reason.schema), budget
        clauses = [*self._agreement(), *self._circuits(reason)]
        self._solver = sat_solver(clauses)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._solver.delete()

    def set_with(self, feature: int) -> frozenset[int] | None:
        """A set that suffices, and does not without the feature; None if there is none."""
        n = self.size
        agree = [2 * n + f + 1 for f in range(n) if f != feature]
        assumed = [feature + 1, -(n + feature + 1), *agree]
        if not is_satisfiable(self._solver, self.budget, assumed):
            return None
        return frozenset(v - 1 for v in self._solver.get_model()[:n] if v > 0)

    def _agreement(self) -> Clauses:
        n = self.size
        clauses: Clauses = []
        for f in range(n):
            first, second, agree = f + 1, n + f + 1, 2 * n + f + 1
            clauses += [[-agree, -first, second], [-second, first]]
        return clauses

    def _circuits(self, reason: ReasonCircuit) -> Iterator[list[int]]:
        """The first set makes the reason true, the second makes it false."""
        native, n = reason.native, self.size
        variables = {node + 2: f + 1 for node, (f, _) in enumerate(reason.literals)}
        second = {node: variable + n for node, variable in variables.items()}
        last = 3 * n + 2  # of the variables; the last two are the constants
        yield from ([-(last - 1)], [last])
        variables |= {0: last - 1, 1: last}
        second |= {0: last - 1, 1: last}
        for count, node in enumerate(_used_gates(reason)):
            if count % _GATES_BETWEEN == 0:
                self.budget.check(_STAGE)
            is_conjunction, inputs = native.gate(node)
            last += 2
            variables[node], second[node] = last - 1, last
            ones, twos = [variables[i] for i in inputs], [second[i] for i in inputs]
            if is_conjunction:
                yield from ([-(last - 1), each] for each in ones)
                yield [last, *(-each for each in twos)]
            else:
                yield [-(last - 1), *ones]
                yield from ([last, -each] for each in twos)
        yield from ([variables[native.root]], [-second[native.root]])


def _used_gates(reason: ReasonCircuit) -> list[int]:
    """The gates below the root, inputs before users."""
    native, used = reason.native, {reason.root}
    for node in range(len(native) - 1, 1 + native.literals, -1):
        if node in used:
            used.update(native.gate(node)[1])
    return sorted(node for node in used if reason.is_gate(node))

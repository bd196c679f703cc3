"""Verification: whether a Boolean circuit implies each clause of a CNF.

One pass over the circuit checks thousands of clauses, with one bit for each in Python's integers.
The converse is hard: see `counting.sat_encoding.false_model_by_sat`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit

Clause = Sequence[int]
"""Literals as in DIMACS: feature number i, counted from 1, is i or -i."""

_STAGE = "comparing with the clauses"
_MOST_BITS = 1 << 30
_DECISION, _LEAF = 0, 1
_PAYLOAD_BITS = 30


def clauses_of(cnf: _core.Cnf) -> Iterator[list[int]]:
    """The clauses without tautologies, each literal once."""
    literals, first = memoryview(cnf.literals).cast("i"), memoryview(cnf.first).cast("Q")
    for number in range(len(cnf)):
        clause = dict.fromkeys(literals[first[number] : first[number + 1]])
        if not any(-literal in clause for literal in clause):
            yield list(clause)


def violated_clause(
    circuit: Circuit, clauses: Iterable[Clause], budget: Budget | None = None
) -> Clause | None:
    """The first clause that some model of the circuit violates, or None: exact.

    The circuit is Boolean and tests no feature twice on a path; no clause is a tautology.
    Cost: O(circuit) for each few thousand clauses.

    >>> import reasons
    >>> circuit = reasons.compile("a & (b | c)").circuit
    >>> violated_clause(circuit, [[1], [2, 3]]), violated_clause(circuit, [[1], [2]])
    (None, [2])
    """
    limits = budget or Budget()
    nodes = _Nodes(circuit.native)
    rest = iter(clauses)
    while some := list(islice(rest, max(64, _MOST_BITS // len(circuit)))):
        implied = nodes.implied(some, len(circuit.schema), limits)
        violated = ~implied & (1 << len(some)) - 1
        if violated:
            return some[(violated & -violated).bit_length() - 1]
    return None


class _Nodes:
    """The circuit's arrays as lists of integers."""

    def __init__(self, native: _core.Circuit) -> None:
        assert not native.has_retests
        arrays = native.to_arrays()
        self.heads, self.first, self.edges = (
            memoryview(arrays[name]).cast("I").tolist() for name in ("heads", "first", "edges")
        )
        self.splits = [native.split(number) for number in range(native.splits)]

    def implied(self, clauses: list[Clause], features: int, budget: Budget) -> int:
        """A bit for each clause, set where every model of the root satisfies it.

        Of a node: where the clause's negation leaves the node no model. Parts of a
        conjunction share no feature, so one without a model is enough.
        """
        every = (1 << len(clauses)) - 1
        # Clauses whose negation excludes False, or True, of a feature.
        barred = [[0] * features, [0] * features]
        for place, clause in enumerate(clauses):
            for literal in clause:
                barred[literal > 0][abs(literal) - 1] |= 1 << place
        implied: list[int] = []
        edges, mask = self.edges, (1 << _PAYLOAD_BITS) - 1
        for node, head in enumerate(self.heads):
            if not node & 0xFFF:
                budget.check(_STAGE)
            kind, start = head >> _PAYLOAD_BITS, self.first[node]
            if kind == _DECISION:
                feature, (low, high) = self.splits[head & mask]
                implied.append(
                    (implied[edges[start + low]] | barred[0][feature])
                    & (implied[edges[start + high]] | barred[1][feature])
                )
            elif kind == _LEAF:
                implied.append(0 if head & mask else every)
            else:
                bits = 0
                for source in edges[start : self.first[node + 1]]:
                    bits |= implied[source]
                implied.append(bits)
        return implied[-1]

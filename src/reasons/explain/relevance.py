"""Relevance: which features some sufficient reason mentions, without listing reasons.

One feature is asked about by counter-examples first (search/relevance.py). Where the complete
reason is cheap and a few of them do not settle it, one SAT call does (relevance_sat.py).
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain

from reasons import _core
from reasons.backends.native_budget import native_budget
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.circuits.circuit import AllOf, Circuit, Leaf
from reasons.errors import BudgetExceeded
from reasons.explain.prime_implicants import kept_ground, literal_variables
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.explain.relevance_sat import CriticalSets
from reasons.features.terms import Instance
from reasons.features.values import IMPOSSIBLE
from reasons.search.relevance import Relevance, is_sat_there

MOST_LEAVES = 20_000
_DIAGRAM_NODES = 200_000  # of the reason's diagram, before features are asked about one by one
_ROUNDS = 60  # counter-examples before the SAT call


def reason_with(
    reason: Callable[[], ReasonCircuit],
    backend: Backend,
    instance: Instance,
    label: int,
    feature: int,
    budget: Budget | None,
) -> frozenset[int] | None:
    """The features of a sufficient reason that has this one; None if none has it."""
    known = Relevance(backend, instance.cells, label, budget or backend.limit)
    if not backend.one_pass:
        return known.reason_with(feature)
    try:
        return known.reason_with(feature, rounds=_ROUNDS)
    except BudgetExceeded as error:
        if "rounds" not in error.spent:
            raise
    with CriticalSets(reason(), known.budget) as critical:
        return _critical_reason(known, critical, feature)


def _critical_reason(
    known: Relevance, critical: CriticalSets, feature: int
) -> frozenset[int] | None:
    kept = critical.set_with(feature)
    return None if kept is None else known.shrunk(kept, feature)


def relevant_features(
    reason: Callable[[], ReasonCircuit],
    backend: Backend,
    instance: Instance,
    label: int,
    budget: Budget | None,
) -> frozenset[int]:
    """The features that the complete reason really depends on.

    Polynomial on a tree: the reason is a conjunction of clauses, one for each leaf of another
    label (some feature on its path keeps its value). A feature is relevant iff it is in a minimal
    clause, which is a contrastive set. Likewise if a backend lists these sets in one pass.
    Otherwise it is read off the reduced diagram of the reason if that is small; if not, features
    are asked about one by one: budgeted.
    """
    known = Relevance(backend, instance.cells, label, budget or backend.limit)
    if not backend.one_pass:
        return known.relevant(range(len(backend.schema)))
    sets = backend.enumerate_contrastive_sets(instance.cells, label, budget)
    if sets is not None:
        return frozenset(chain.from_iterable(sets))
    circuit = backend.compiled_circuit
    if circuit is not None and len(circuit) <= MOST_LEAVES and is_tree(circuit):
        return _in_minimal_clauses(_clauses(circuit, instance, circuit.labels[label]), budget)
    if not is_sat_there():
        return _support(reason(), backend, instance, label, known.budget)
    nodes = min(_DIAGRAM_NODES, known.budget.nodes or _DIAGRAM_NODES)
    try:
        return _support(reason(), backend, instance, label, replace(known.budget, nodes=nodes))
    except BudgetExceeded:
        known.budget.check("relevant features")
    return _one_by_one(reason(), known)


def _one_by_one(reason: ReasonCircuit, known: Relevance) -> frozenset[int]:
    """Each feature that no reason found so far has: greedily, then by SAT."""
    candidates = sorted({feature for feature, _ in reason.literals})
    found = known.quickly_found(candidates)
    with CriticalSets(reason, known.budget) as critical:
        for at, feature in enumerate(candidates):
            known.budget.report("relevant features", at, len(candidates))
            if feature not in found:
                found |= _critical_reason(known, critical, feature) or frozenset()
    return found


def _support(
    reason: ReasonCircuit, backend: Backend, instance: Instance, label: int, budget: Budget
) -> frozenset[int]:
    """The features that the reduced diagram of the reason tests."""
    ground = kept_ground(backend, instance, label)
    variables = [literal_variables(f, cells, ground) for f, cells in reason.literals]
    limit = native_budget(budget, "relevant features")
    support = _core.support(reason.native, variables, len(ground.variables), limit)
    return frozenset(ground.variables[v][0] for v in support)


def is_tree(circuit: Circuit) -> bool:
    """Whether no test is shared and there are no conjunctions."""
    if circuit.native.has_conjunctions:
        return False
    kinds = [circuit.native.node(n) for n in range(min(len(circuit), MOST_LEAVES + 1))]
    users = [child for _, _, inputs in kinds for child in inputs if kinds[child][0] == 0]
    return len(users) == len(set(users))


def _clauses(circuit: Circuit, instance: Instance, label: object) -> set[int]:
    """For each leaf of another label, the features at which its path leaves the instance."""
    clauses = set()
    todo = [(circuit.root, 0)]
    while todo:
        number, left = todo.pop()
        node = circuit[number]
        if isinstance(node, Leaf):
            if node.label != label and node.label is not IMPOSSIBLE:
                clauses.add(left)
            continue
        if isinstance(node, AllOf):
            raise AssertionError("a tree has no conjunctions")
        for arm in node.arms:
            stays = instance.cells[node.feature] in arm.cells
            todo.append((arm.node, left if stays else left | 1 << node.feature))
    return clauses


def _in_minimal_clauses(clauses: set[int], budget: Budget | None) -> frozenset[int]:
    """The features of the clauses that include no other."""
    budget = budget or Budget()
    every = 0
    for clause in clauses:
        every |= clause
    kept: list[int] = []
    seen = 0
    for clause in sorted(clauses, key=int.bit_count):
        budget.check("relevant features")
        if seen == every:
            break
        if not any(small & clause == small for small in kept):
            kept.append(clause)
            seen |= clause
    return frozenset(f for f in range(every.bit_length()) if seen >> f & 1)

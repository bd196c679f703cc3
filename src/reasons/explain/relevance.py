"""Relevance: which features some sufficient reason mentions, without listing reasons."""

from collections.abc import Callable
from itertools import chain

from reasons import _core
from reasons.backends.native_budget import native_budget
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.circuits.circuit import AllOf, Circuit, Leaf
from reasons.explain.prime_implicants import kept_ground, literal_variables
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.features.terms import Instance
from reasons.features.values import IMPOSSIBLE

MOST_LEAVES = 20_000


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
    clause, which is a contrastive set. Likewise if a backend lists these sets. Otherwise it is
    read off the reduced diagram of the reason: budgeted.
    """
    sets = backend.enumerate_contrastive_sets(instance.cells, label, budget)
    if sets is not None:
        return frozenset(chain.from_iterable(sets))
    circuit = backend.compiled_circuit
    if circuit is not None and len(circuit) <= MOST_LEAVES and is_tree(circuit):
        return _in_minimal_clauses(_clauses(circuit, instance, circuit.labels[label]), budget)
    ground, native = kept_ground(backend, instance, label), reason().native
    variables = [literal_variables(f, cells, ground) for f, cells in reason().literals]
    support = _core.support(native, variables, len(ground.variables), native_budget(budget))
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

"""Prime implicants: all sufficient reasons and contrastive sets, as zero-suppressed diagrams.

Each is the set of minimal models of a monotone circuit, over variables that this module
chooses and orders; the core builds the diagram (core/zdd/minimal_models.cpp says how).
"""

from collections.abc import Callable, Iterable

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.native_budget import native_budget
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.errors import BudgetExceeded
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.explain.term_set import Ground, TermSet
from reasons.features.terms import Instance

MOST_FILTERED = 1_000_000


def feature_order(backend: Backend, label: int) -> list[int]:
    """The features in the backend's order, then those that it leaves out."""
    return list(dict.fromkeys((*backend.feature_order(label), *range(len(backend.schema)))))


def sufficient_reasons(
    reason: ReasonCircuit, backend: Backend, instance: Instance, label: int, budget: Budget | None
) -> TermSet:
    """The prime implicants of a simple complete reason."""
    backend.require(Capability.REASON_SETS)
    ground = kept_ground(backend, instance, label)
    return TermSet(ground, _family(reason, ground, False, budget))


def contrastive_sets(
    reason: Callable[[], ReasonCircuit],
    backend: Backend,
    instance: Instance,
    label: int,
    budget: Budget | None,
) -> TermSet:
    """The prime implicates of a simple complete reason.

    Where the backend lists them, no diagram of the reason is made, which can explode.
    """
    backend.require(Capability.REASON_SETS)
    ground = kept_ground(backend, instance, label)
    sets = backend.enumerate_contrastive_sets(instance.cells, label, budget)
    if sets is None:
        return TermSet(ground, _family(reason(), ground, True, budget))
    members = [sorted(ground.number[f, instance.cells[f]] for f in each) for each in sets]
    return TermSet(ground, _core.family_of(members, len(ground.variables), native_budget(budget)))


def kept_ground(backend: Backend, instance: Instance, label: int) -> Ground:
    """Variables that say that features keep the instance's value."""
    order = feature_order(backend, label)
    return Ground(backend.schema, tuple((f, instance.cells[f]) for f in order))


def _family(
    reason: ReasonCircuit, ground: Ground, implicates: bool, budget: Budget | None
) -> _core.Family:
    variables = [literal_variables(f, cells, ground) for f, cells in reason.literals]
    return _core.minimal_sets(
        reason.native, variables, len(ground.variables), implicates, native_budget(budget)
    )


def literal_variables(feature: int, cells: Iterable[int], ground: Ground) -> list[int]:
    """The variables that together make a literal true: its cell kept, or all others avoided."""
    if not ground.excludes:
        return [ground.number[feature, cell] for cell in cells if (feature, cell) in ground.number]
    every = range(len(ground.schema[feature].values))
    return [ground.number[feature, cell] for cell in set(every).difference(cells)]


def general_reasons(
    reason: ReasonCircuit,
    simple: ReasonCircuit,
    backend: Backend,
    instance: Instance,
    label: int,
    budget: Budget | None,
) -> TermSet:
    """The maximal boxes around the instance whose set of features is subset-minimal.

    Those sets are the features of the simple sufficient reasons: a box suffices only if
    keeping the values of its features does, and a simple reason widens to a maximal box.
    """
    order = feature_order(backend, label)
    avoided = [(f, c) for f in order for c in _others(backend, instance, f)]
    boxes = _family(reason, Ground(backend.schema, tuple(avoided), True), False, budget)
    groups = sufficient_reasons(simple, backend, instance, label, budget).family
    marked: list[tuple[int, int | None]] = []
    markers = []
    for feature in order:
        markers.append(len(marked))
        marked += [(feature, None), *((feature, c) for c in _others(backend, instance, feature))]
    ground = Ground(backend.schema, tuple(marked), True)
    rank = {feature: i for i, feature in enumerate(order)}
    family = boxes.marked(
        [rank[f] for f, _ in avoided],
        [ground.number[variable] for variable in avoided],
        markers,
        len(marked),
        groups,
        native_budget(budget),
    )
    return TermSet(ground, family)


def _others(backend: Backend, instance: Instance, feature: int) -> list[int]:
    own = instance.cells[feature]
    return [c for c in range(len(backend.schema[feature].values)) if c != own]


def prime_implicants(circuit: Circuit, label: int, budget: Budget | None) -> TermSet:
    """The minimal terms, each fixing one value a feature, that force a label.

    Terms that no allowed instance satisfies are not implicants here.
    """
    native = _core.implicant_circuit(circuit.native, label)
    cells = [range(len(feature.values)) for feature in circuit.schema]
    order = feature_order(circuit, label)
    ground = Ground(circuit.schema, tuple((f, c) for f in order for c in cells[f]))
    literals = [[ground.number[f, c]] for f in range(len(cells)) for c in cells[f]]
    family = _core.minimal_sets(
        native, literals, len(ground.variables), False, native_budget(budget)
    )
    # A set that fixes a feature twice satisfies the circuit vacuously, and is no term.
    rank = {feature: i for i, feature in enumerate(order)}
    groups = [rank[f] for f, _ in ground.variables]
    terms = TermSet(ground, family.one_of_each(groups, native_budget(budget)))
    return _possible(terms, circuit, budget) if circuit.native.has_impossible else terms


def _possible(terms: TermSet, circuit: Circuit, budget: Budget | None) -> TermSet:
    """The terms that some allowed instance satisfies, tested one by one."""
    budget = budget or Budget()
    if terms.count() > MOST_FILTERED:
        raise BudgetExceeded("prime implicants", terms=terms.count(), limit=MOST_FILTERED)
    start = [0] * len(circuit.schema)
    kept = []
    for term in terms:
        budget.check("prime implicants")
        # A label that does not exist: every allowed instance is a counterexample.
        if circuit.counterexample(start, len(circuit.labels), term.limits) is not None:
            kept.append(terms.ground.members(term) or [])
    variables = len(terms.ground.variables)
    return TermSet(terms.ground, _core.family_of(kept, variables, native_budget(budget)))

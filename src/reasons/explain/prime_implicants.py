"""All sufficient reasons, contrastive sets and prime implicants, as diagrams.

Each is the set of minimal models of a monotone circuit, over variables that this module
chooses and orders; the core builds the diagram (core/zdd/minimal_models.cpp says how).
"""

from collections.abc import Iterable

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.circuits.cnf import Clauses
from reasons.errors import BudgetExceeded
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.explain.term_set import Ground, TermSet
from reasons.features.terms import Instance
from reasons.search.union import Form

MOST_FILTERED = 1_000_000


def feature_order(form: Form) -> list[int]:
    """The features as the circuit or the clauses meet them, then those they do not mention."""
    return list(dict.fromkeys((*form.met, *range(len(form.schema)))))


def sufficient_reasons(
    reason: ReasonCircuit, form: Form, instance: Instance, budget: Budget | None
) -> TermSet:
    """The prime implicants of a simple complete reason."""
    return _kept(reason, form, instance, False, budget)


def contrastive_sets(
    reason: ReasonCircuit, form: Form, instance: Instance, budget: Budget | None
) -> TermSet:
    """The prime implicates of a simple complete reason; of clauses, the minimal ones of them."""
    if isinstance(form, Clauses):
        return _minimal_clauses(form, instance, budget)
    return _kept(reason, form, instance, True, budget)


def _minimal_clauses(clauses: Clauses, instance: Instance, budget: Budget | None) -> TermSet:
    """What the instance satisfies of each clause; no diagram of the reason, which can explode."""
    ground = kept_ground(clauses, instance)
    sets = clauses.native.minimal(instance.cells, native_budget(budget))
    members = [sorted(ground.number[f, instance.cells[f]] for f in each) for each in sets]
    family = _core.family_of(members, len(ground.variables), native_budget(budget))
    return TermSet(ground, family)


def kept_ground(form: Form, instance: Instance) -> Ground:
    """Variables that say that features keep the instance's value."""
    return Ground(form.schema, tuple((f, instance.cells[f]) for f in feature_order(form)))


def _kept(
    reason: ReasonCircuit,
    form: Form,
    instance: Instance,
    implicates: bool,
    budget: Budget | None,
) -> TermSet:
    ground = kept_ground(form, instance)
    return TermSet(ground, _family(reason, ground, implicates, budget))


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
    form: Form,
    instance: Instance,
    budget: Budget | None,
) -> TermSet:
    """The maximal boxes around the instance whose set of features is subset-minimal.

    Those sets are the features of the simple sufficient reasons: a box suffices only if
    keeping the values of its features does, and a simple reason widens to a maximal box.
    """
    order = feature_order(form)
    avoided = [(f, c) for f in order for c in _others(form, instance, f)]
    boxes = _family(reason, Ground(form.schema, tuple(avoided), True), False, budget)
    groups = sufficient_reasons(simple, form, instance, budget).family
    marked: list[tuple[int, int | None]] = []
    markers = []
    for feature in order:
        markers.append(len(marked))
        marked += [(feature, None), *((feature, c) for c in _others(form, instance, feature))]
    ground = Ground(form.schema, tuple(marked), True)
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


def _others(form: Form, instance: Instance, feature: int) -> list[int]:
    own = instance.cells[feature]
    return [c for c in range(len(form.schema[feature].values)) if c != own]


def prime_implicants(circuit: Circuit, label: int, budget: Budget | None) -> TermSet:
    """The minimal terms, each fixing one value a feature, that force a label.

    Terms that no allowed instance satisfies are not implicants here.
    """
    native = _core.implicant_circuit(circuit.native, label)
    cells = [range(len(feature.values)) for feature in circuit.schema]
    order = feature_order(circuit)
    ground = Ground(circuit.schema, tuple((f, c) for f in order for c in cells[f]))
    literals = [[ground.number[f, c]] for f in range(len(cells)) for c in cells[f]]
    family = _core.minimal_sets(
        native, literals, len(ground.variables), False, native_budget(budget)
    )
    # A term that fixes a feature twice satisfies the circuit idly; its subsets do not.
    rank = {feature: i for i, feature in enumerate(order)}
    groups = [rank[f] for f, _ in ground.variables]
    found = TermSet(ground, family.one_of_each(groups, native_budget(budget)))
    return _possible(found, circuit, budget) if circuit.native.has_impossible else found


def _possible(terms: TermSet, circuit: Circuit, budget: Budget | None) -> TermSet:
    """Without the terms that every allowed instance breaks, looked at one by one."""
    budget = budget or Budget()
    if terms.count() > MOST_FILTERED:
        raise BudgetExceeded("prime implicants", terms=terms.count(), limit=MOST_FILTERED)
    start = [0] * len(circuit.schema)
    kept = []
    for term in terms:
        budget.check("prime implicants")
        limits = [(f, sorted(cells)) for f, cells in term.limits.items()]
        # A label that does not exist: whatever allowed instance there is contradicts it.
        if _core.counterexample(circuit.native, start, len(circuit.labels), limits) is not None:
            kept.append(terms.ground.members(term) or [])
    variables = len(terms.ground.variables)
    return TermSet(terms.ground, _core.family_of(kept, variables, native_budget(budget)))

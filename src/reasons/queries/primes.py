"""All minimal terms, listed: the paper's Algorithm 1, made right and readable.

The algorithm of the paper has no case for literal leaves, takes positive decisions
only and knows Boolean features only. Run on the reason circuit instead, literals,
both polarities and many-valued features are the same three cases: a literal is one
term, a disjunction unites, a conjunction multiplies, and what another term subsumes
goes. It lists, so it can explode: hence the budget.
"""

from collections.abc import Iterable
from itertools import product

from reasons.budget import Budget
from reasons.circuit import AllOf, Circuit, Leaf, Test
from reasons.errors import BudgetExceeded
from reasons.features import IMPOSSIBLE
from reasons.monotone import Constant, Literal
from reasons.queries.termset import Ground, ListedTermSet, TermSet
from reasons.reason import ReasonCircuit
from reasons.terms import Instance

MOST_TERMS = 200_000

Masks = list[int]


def sufficient_reasons(
    reason: ReasonCircuit, circuit: Circuit, instance: Instance, budget: Budget | None = None
) -> TermSet:
    """The prime implicants of a simple complete reason."""
    ground = Ground(circuit.schema, tuple(enumerate(instance.cells)))
    return ListedTermSet(ground, minimal_models(reason, ground, budget))


def contrastive_sets(
    reason: ReasonCircuit, circuit: Circuit, instance: Instance, budget: Budget | None = None
) -> TermSet:
    """The prime implicates of a simple complete reason: primes of its dual."""
    ground = Ground(circuit.schema, tuple(enumerate(instance.cells)))
    return ListedTermSet(ground, minimal_models(reason, ground, budget, dual=True))


def general_reasons(
    reason: ReasonCircuit, circuit: Circuit, instance: Instance, budget: Budget | None = None
) -> TermSet:
    """The maximal boxes around the instance whose set of features is subset-minimal."""
    ground = Ground(
        circuit.schema,
        tuple(
            (f, cell)
            for f, feature in enumerate(circuit.schema)
            for cell in range(len(feature.values))
            if cell != instance.cells[f]
        ),
        excludes=True,
    )
    boxes = minimal_models(reason, ground, budget)
    features = [ground.mentioning(f) for f in range(len(circuit.schema))]
    constrained = {box: sum(1 << f for f, own in enumerate(features) if box & own) for box in boxes}
    minimal = set(without_subsumed(constrained.values(), budget or Budget()))
    return ListedTermSet(ground, (box for box in boxes if constrained[box] in minimal))


def minimal_models(
    reason: ReasonCircuit, ground: Ground, budget: Budget | None = None, *, dual: bool = False
) -> Masks:
    """The minimal sets of variables that make the reason (or its dual) true."""
    budget = budget or Budget()
    terms: dict[int, Masks] = {}
    for number, node in reason.nodes.items():
        if isinstance(node, Constant):
            terms[number] = [0] if node.value != dual else []
        elif isinstance(node, Literal):
            terms[number] = [_literal_mask(node, ground)]
        elif node.is_conjunction != dual:
            terms[number] = _joined([terms[i] for i in node.inputs], budget)
        else:
            united = (mask for i in node.inputs for mask in terms[i])
            terms[number] = without_subsumed(united, budget)
    return terms[reason.root]


def _literal_mask(literal: Literal, ground: Ground) -> int:
    """The variables that make a literal true: its cell kept, or all others avoided."""
    inside = set(literal.cells)
    return sum(
        1 << variable
        for variable, (feature, cell) in enumerate(ground.variables)
        if feature == literal.feature and (cell in inside) != ground.excludes
    )


def _joined(factors: list[Masks], budget: Budget) -> Masks:
    """The minimal unions of one term from each factor."""
    result = [0]
    for factor in sorted(factors, key=len):
        _require(len(result) * len(factor) / 16, budget)
        result = without_subsumed((a | b for a, b in product(result, factor)), budget)
    return result


def without_subsumed(masks: Iterable[int], budget: Budget) -> Masks:
    """The minimal members, smallest first."""
    kept: Masks = []
    for mask in sorted(set(masks), key=int.bit_count):
        if not any(small & mask == small for small in kept):
            kept.append(mask)
            if len(kept) % 256 == 0:
                _require(len(kept), budget)
    return kept


def _require(terms: float, budget: Budget) -> None:
    budget.check("listing terms")
    if terms > MOST_TERMS:
        raise BudgetExceeded("listing terms", terms=int(terms), limit=MOST_TERMS)


def prime_implicants(circuit: Circuit, label: object, budget: Budget | None = None) -> TermSet:
    """The minimal terms, each fixing one value a feature, that force a label.

    Terms that no allowed instance satisfies are not implicants here.
    """
    budget = budget or Budget()
    schema = circuit.schema
    ground = Ground(
        schema,
        tuple((f, cell) for f, feature in enumerate(schema) for cell in range(len(feature.values))),
    )
    listing = _Implicants(circuit, ground, label, budget)
    return ListedTermSet(ground, listing.of_root())


class _Implicants:
    """Prime implicants of every node, bottom-up.

    At a test, with C the terms that suffice in every arm, a prime implicant is one of
    C or fixes the tested feature and suffices in that arm. A feature may be tested
    again below: there a term may fix it too, and must then agree.
    """

    def __init__(self, circuit: Circuit, ground: Ground, label: object, budget: Budget) -> None:
        self.circuit, self.ground, self.label, self.budget = circuit, ground, label, budget
        self.number = {variable: i for i, variable in enumerate(ground.variables)}
        self.clash = [ground.mentioning(f) for f in range(len(circuit.schema))]

    def of_root(self) -> Masks:
        terms: list[Masks] = []
        for node in self.circuit:
            if isinstance(node, Leaf):
                terms.append([0] if node.label in (self.label, IMPOSSIBLE) else [])
            elif isinstance(node, AllOf):
                terms.append(self._all_of([terms[i] for i in node.inputs]))
            else:
                terms.append(self._test(node, [terms[arm.node] for arm in node.arms]))
        return [mask for mask in terms[-1] if self._is_possible(mask)]

    def _all_of(self, inputs: list[Masks]) -> Masks:
        if self.label:
            return _joined(inputs, self.budget)
        return without_subsumed((m for masks in inputs for m in masks), self.budget)

    def _test(self, node: Test, arms: list[Masks]) -> Masks:
        own = self.clash[node.feature]
        common = [[m for m in masks if not m & own] for masks in arms]
        found = self._consistent_product(common)
        for arm, masks in zip(node.arms, arms, strict=True):
            for cell in arm.cells:
                fixed = 1 << self.number[node.feature, cell]
                found += [m | fixed for m in masks if m & own in (0, fixed)]
        return without_subsumed(found, self.budget)

    def _consistent_product(self, factors: list[Masks]) -> Masks:
        result = [0]
        for factor in sorted(factors, key=len):
            _require(len(result) * len(factor) / 16, self.budget)
            pairs = (a | b for a, b in product(result, factor))
            result = without_subsumed((m for m in pairs if self._is_consistent(m)), self.budget)
        return result

    def _is_consistent(self, mask: int) -> bool:
        return all((mask & own).bit_count() < 2 for own in self.clash)

    def _is_possible(self, mask: int) -> bool:
        """Whether some allowed instance satisfies the term."""
        fixed = dict(self.ground.variables[i] for i in range(len(self.number)) if mask >> i & 1)
        reached = {self.circuit.root}
        for number in range(self.circuit.root, -1, -1):
            if number not in reached:
                continue
            node = self.circuit[number]
            if isinstance(node, Leaf):
                if node.label is not IMPOSSIBLE:
                    return True
            elif isinstance(node, AllOf):
                return True
            else:
                wanted = fixed.get(node.feature)
                reached.update(a.node for a in node.arms if wanted is None or wanted in a.cells)
        return False

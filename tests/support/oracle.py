"""Every notion of the paper by its definition, by trying everything.

This file is what the package is tested against, so it imports nothing from it
and is slow and obvious on purpose. Features are numbered, their values are the
cells 0, 1, 2, ...; a function is the sizes of the domains and a label for every
instance. An instance labelled IMPOSSIBLE cannot occur: a term is sufficient when
every *allowed* instance in it has the label, and changes, witnesses and counts
are about allowed instances only.

Each notion is computed from its own definition, never from a theorem about it,
so that test_oracle.py can check the theorems on the oracle itself.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import prod
from typing import Final, TypeVar

Label = Hashable
Instance = tuple[int, ...]
Characteristic = tuple[int, int]
"""A feature and its cell."""
Term = frozenset[Characteristic]
Box = tuple[frozenset[int], ...]
"""The cells that each feature may take."""
Condition = frozenset[Instance]
"""A condition is the set of instances, allowed or not, that satisfy it."""
Weights = Sequence[Sequence[Fraction]]
"""What each cell of each feature weighs, or costs."""
Member = TypeVar("Member")


class _Impossible:
    def __repr__(self) -> str:
        return "IMPOSSIBLE"


IMPOSSIBLE: Final = _Impossible()


@dataclass(frozen=True, eq=False)
class Function:
    """Domain sizes, and a label (or IMPOSSIBLE) for every instance."""

    domains: tuple[int, ...]
    table: Mapping[Instance, Label]

    def __post_init__(self) -> None:
        if set(self.table) != set(self.instances()):
            raise ValueError("the table must have one row for every instance, and no other")

    @property
    def features(self) -> range:
        return range(len(self.domains))

    def instances(self) -> Iterator[Instance]:
        """All instances, the impossible ones too."""
        return product(*(range(size) for size in self.domains))

    @cached_property
    def allowed(self) -> tuple[Instance, ...]:
        return tuple(x for x in self.instances() if self.table[x] is not IMPOSSIBLE)

    def label(self, instance: Instance) -> Label:
        """The decision; an impossible instance has none."""
        label = self.table[instance]
        if label is IMPOSSIBLE:
            raise ValueError(f"{instance} is impossible")
        return label

    def whole(self) -> Box:
        return tuple(frozenset(range(size)) for size in self.domains)


def subsets(items: Iterable[int]) -> Iterator[frozenset[int]]:
    """All subsets, the smaller first."""
    pool = list(items)
    for size in range(len(pool) + 1):
        yield from map(frozenset, combinations(pool, size))


def minimal(sets: Iterable[frozenset[Member]]) -> frozenset[frozenset[Member]]:
    """The sets that have no proper subset among the sets."""
    pool = frozenset(sets)
    return frozenset(s for s in pool if not any(other < s for other in pool))


def box_of(function: Function, term: Mapping[int, int | frozenset[int]]) -> Box:
    """The box of a term that gives one cell, or a set of cells, for some features."""
    box = list(function.whole())
    for feature, cells in term.items():
        box[feature] = frozenset({cells}) if isinstance(cells, int) else cells
    return tuple(box)


def holds(box: Box, instance: Instance) -> bool:
    """Whether the instance is in the box."""
    return all(cell in cells for cell, cells in zip(instance, box, strict=True))


def satisfies(term: Term, instance: Instance) -> bool:
    return all(instance[feature] == cell for feature, cell in term)


def properties(instance: Instance) -> Iterator[Term]:
    """Every property of the instance: its 2^m sets of characteristics."""
    for features in subsets(range(len(instance))):
        yield frozenset((feature, instance[feature]) for feature in features)


def terms(function: Function) -> Iterator[Term]:
    """Every term that fixes one cell for each of some features."""
    for features in subsets(function.features):
        chosen = sorted(features)
        for cells in product(*(range(function.domains[feature]) for feature in chosen)):
            yield frozenset(zip(chosen, cells, strict=True))


def forces(function: Function, box: Box, label: Label) -> bool:
    """Whether every allowed instance in the box has the label."""
    return all(function.table[x] == label for x in function.allowed if holds(box, x))


def differing(one: Instance, other: Instance) -> frozenset[int]:
    """The features on which two instances disagree."""
    return frozenset(f for f, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)


def is_sufficient(
    function: Function, instance: Instance, term: Mapping[int, int | frozenset[int]]
) -> bool:
    """Whether the term, which must be true of the instance, forces its decision."""
    box = box_of(function, term)
    if not holds(box, instance):
        raise ValueError(f"{term} is not a property of {instance}")
    return forces(function, box, function.label(instance))


@lru_cache(maxsize=100)
def sufficient_reasons(function: Function, instance: Instance) -> frozenset[Term]:
    """Subset-minimal properties of the instance that force the decision."""
    return minimal(
        term for term in properties(instance) if is_sufficient(function, instance, dict(term))
    )


def complete_reason(function: Function, instance: Instance) -> Condition:
    """The disjunction of all sufficient reasons."""
    reasons = sufficient_reasons(function, instance)
    return frozenset(x for x in function.instances() if any(satisfies(t, x) for t in reasons))


@lru_cache(maxsize=100)
def maximal_boxes(function: Function, instance: Instance) -> frozenset[Box]:
    """The boxes around the instance that force its decision and cannot be widened."""
    label = function.label(instance)
    choices = [
        [cells for cells in subsets(range(size)) if cell in cells]
        for size, cell in zip(function.domains, instance, strict=True)
    ]
    boxes = {box for box in product(*choices) if forces(function, box, label)}
    return frozenset(
        box for box in boxes if not any(is_inside(box, other) for other in boxes - {box})
    )


def is_inside(box: Box, other: Box) -> bool:
    return all(cells <= wider for cells, wider in zip(box, other, strict=True))


def general_complete_reason(function: Function, instance: Instance) -> Condition:
    """The disjunction of all maximal boxes around the instance."""
    boxes = maximal_boxes(function, instance)
    return frozenset(x for x in function.instances() if any(holds(box, x) for box in boxes))


def constrained(function: Function, box: Box) -> frozenset[int]:
    """The features that may not take all their cells in the box."""
    return frozenset(f for f in function.features if len(box[f]) < function.domains[f])


def general_sufficient_reasons(function: Function, instance: Instance) -> frozenset[Box]:
    """The maximal boxes whose set of constrained features is subset-minimal."""
    boxes = maximal_boxes(function, instance)
    least = minimal(constrained(function, box) for box in boxes)
    return frozenset(box for box in boxes if constrained(function, box) in least)


def necessary_property(function: Function, instance: Instance) -> Term:
    """The characteristics that are in every sufficient reason."""
    return frozenset.intersection(*sufficient_reasons(function, instance))


def necessary_reason(function: Function, instance: Instance) -> Term | None:
    """The necessary property, where it is the only sufficient reason."""
    necessary = necessary_property(function, instance)
    return necessary if sufficient_reasons(function, instance) == {necessary} else None


def because(function: Function, instance: Instance, term: Term) -> bool:
    """Whether the term, a property of the instance, is the only sufficient reason."""
    if not satisfies(term, instance):
        raise ValueError(f"{set(term)} is not a property of {instance}")
    return sufficient_reasons(function, instance) == {term}


def changed(instance: Instance, change: Mapping[int, int]) -> Instance:
    """The instance after a change, which must change every feature it names."""
    if any(instance[feature] == cell for feature, cell in change.items()):
        raise ValueError(f"{change} does not change {instance}")
    return tuple(change.get(feature, cell) for feature, cell in enumerate(instance))


def even_if_because(
    function: Function, instance: Instance, change: Mapping[int, int], term: Term
) -> bool:
    """Whether the decision sticks after the change, because of the term alone."""
    if not satisfies(term, instance):
        raise ValueError(f"{set(term)} is not a property of {instance}")
    if not {feature for feature, _ in term}.isdisjoint(change):
        return False
    after = changed(instance, change)
    return function.label(after) == function.label(instance) and because(function, after, term)


def contrastive_sets(function: Function, instance: Instance) -> frozenset[frozenset[int]]:
    """Subset-minimal sets of features some change of which changes the decision."""
    label = function.label(instance)
    return minimal(differing(instance, x) for x in function.allowed if function.table[x] != label)


def is_decision_biased(function: Function, instance: Instance, protected: frozenset[int]) -> bool:
    """Whether an allowed instance that differs on protected features only has another label."""
    label = function.label(instance)
    return any(
        function.table[x] != label and differing(instance, x) <= protected for x in function.allowed
    )


def biased_instances(
    function: Function, protected: frozenset[int], box: Box | None = None
) -> list[Instance]:
    """The allowed instances, in a box if one is given, whose decision is biased."""
    inside = function.whole() if box is None else box
    return [
        x
        for x in function.allowed
        if holds(inside, x) and is_decision_biased(function, x, protected)
    ]


def is_classifier_biased(function: Function, protected: frozenset[int]) -> bool:
    """Whether some decision is biased."""
    return any(is_decision_biased(function, x, protected) for x in function.allowed)


def relevant_features(function: Function, instance: Instance) -> frozenset[int]:
    """The features that some sufficient reason mentions."""
    return frozenset(f for t in sufficient_reasons(function, instance) for f, _ in t)


def implicants(function: Function, label: Label) -> frozenset[Term]:
    """The terms that some allowed instance satisfies, all of which have the label."""
    found = set()
    for term in terms(function):
        inside = [x for x in function.allowed if satisfies(term, x)]
        if inside and all(function.table[x] == label for x in inside):
            found.add(term)
    return frozenset(found)


def prime_implicants(function: Function, label: Label) -> frozenset[Term]:
    """The subset-minimal implicants of the label."""
    return minimal(implicants(function, label))


def models(function: Function, label: Label, box: Box | None = None) -> list[Instance]:
    """The allowed instances with the label, in a box if one is given."""
    inside = function.whole() if box is None else box
    return [x for x in function.allowed if function.table[x] == label and holds(inside, x)]


def count(function: Function, label: Label, box: Box | None = None) -> int:
    """How many allowed instances have the label."""
    return len(models(function, label, box))


def weight(instance: Instance, weights: Weights) -> Fraction:
    """The product of what the instance's cells weigh."""
    return prod((weights[f][cell] for f, cell in enumerate(instance)), start=Fraction(1))


def weighted_count(
    function: Function, label: Label, weights: Weights, box: Box | None = None
) -> Fraction:
    """The sum of the weights of the allowed instances with the label."""
    return sum((weight(x, weights) for x in models(function, label, box)), start=Fraction(0))


def weights_of_values(
    function: Function, label: Label, weights: Weights, box: Box | None = None
) -> list[list[Fraction]]:
    """For each feature and cell, the weight of the label's instances that have it."""
    found = models(function, label, box)
    return [
        [
            sum((weight(x, weights) for x in found if x[f] == cell), start=Fraction(0))
            for cell in range(size)
        ]
        for f, size in enumerate(function.domains)
    ]


def cheapest(
    function: Function, label: Label, costs: Weights, box: Box | None = None
) -> tuple[Fraction, list[Instance]] | None:
    """The least cost of an instance with the label, and all that cost it."""
    found = models(function, label, box)
    if not found:
        return None
    cost = {x: sum((costs[f][c] for f, c in enumerate(x)), start=Fraction(0)) for x in found}
    least = min(cost.values())
    return least, [x for x in found if cost[x] == least]


def violation(function: Function, label: Label, clause: Mapping[int, frozenset[int]]) -> bool:
    """Whether an instance with the label satisfies no literal of the clause."""
    return any(
        all(x[f] not in cells for f, cells in clause.items()) for x in models(function, label)
    )


def conditioned(function: Function, term: Term) -> Mapping[Instance, Label]:
    """The table that looks up every instance with the term's cells in place of its own."""
    fixed = dict(term)
    return {
        x: function.table[tuple(fixed.get(f, cell) for f, cell in enumerate(x))]
        for x in function.instances()
    }


def forgotten(function: Function, features: frozenset[int]) -> Mapping[Instance, Label]:
    """True where some change of the features gives True, else False where some gives False."""

    def label(instance: Instance) -> Label:
        found = [
            function.table[x] for x in function.instances() if differing(x, instance) <= features
        ]
        if any(each is True for each in found):
            return True
        return False if any(each is False for each in found) else IMPOSSIBLE

    return {x: label(x) for x in function.instances()}

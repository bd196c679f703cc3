"""Do two classifiers decide every instance alike? With an instance where they do not.

Where both are ordered alike, one walk down both settles it. Otherwise both are evaluated at
random points of a prime field (core/counting/modular_sum.hpp): equal functions have equal values
there, and different ones differ but for an unlucky point. Fixing feature by feature so that
the values go on to differ leads to an instance, which is decided by both before it is shown.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.counting.chinese_remainder import LARGEST_PRIME
from reasons.counting.sat_encoding import differing_instance_by_sat
from reasons.errors import InputError, PropertyError
from reasons.features.terms import Instance
from reasons.features.values import IMPOSSIBLE
from reasons.text import comma_list

_BITS_OF_DOUBT = 100
_FIXED_AT_ONCE = 16  # features, before the circuits are made smaller
_STAGE = "comparing two classifiers"


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two classifiers decide alike. Truthy if they do.

    Otherwise `witness` is an instance, and `labels` what the two make of it (`IMPOSSIBLE`
    where one does not allow it). `proof` is "exact", or says how unlikely it is that a
    difference was missed.
    """

    equal: bool
    witness: Instance | None = None
    labels: tuple[Any, Any] | None = None
    proof: str = "exact"

    def __bool__(self) -> bool:
        return self.equal


def equivalent(one: Circuit, other: Circuit, exact: bool, budget: Budget | None) -> Equivalence:
    """Whether the circuits map every instance to the same label."""
    budget = budget or Budget()
    _require_alike(one, other)
    swapped = other.native.has_conjunctions
    # Labels of conjunctions stay 0 and 1, so that the other circuit is renumbered.
    base, moved = (other, one) if swapped else (one, other)
    pair = _Pair(base, _renumbered(moved, base))
    order = _common_order(*pair)
    proof = "exact"
    if order is not None:
        cells = _core.differing_instance(
            pair.one.native, pair.other.native, order, native_budget(budget)
        )
    elif exact:
        cells = differing_instance_by_sat(pair.one, pair.other, budget)
    else:
        cells = _by_evaluation(pair, budget)
        doubt = f"a difference was missed with probability below 2^-{_BITS_OF_DOUBT}"
        proof = "exact" if cells else f"random evaluation; {doubt}"
    if cells is None:
        return Equivalence(True, proof=proof)
    labels = pair.labels(cells)
    if labels[0] == labels[1]:
        raise PropertyError("a witness did not stand the replay; see Circuit.check()")
    found = Instance.of_cells(base.schema, cells)
    ordered = [found[name] for name in one.schema.names]
    witness = Instance(one.schema, ordered, [found.cells[base.schema.index(n)] for n in found])
    return Equivalence(False, witness, labels[::-1] if swapped else labels)


def _require_alike(one: Circuit, other: Circuit) -> None:
    """Refuse classifiers of different features, domains or labels, and say what differs."""
    mine, theirs = set(one.schema.names), set(other.schema.names)
    if mine != theirs:
        raise InputError(
            "the classifiers have different features: "
            + comma_list(f"{name!r} is only in the {place}" for name, place in _alone(mine, theirs))
        )
    for feature in one.schema:
        twin = other.schema[other.schema.index(feature.name)]
        if feature != twin:
            raise InputError(
                f"feature {feature.name!r} has different domains: "
                f"{comma_list(feature.values)}, and {comma_list(twin.values)}"
            )
    if set(one.labels) != set(other.labels):
        raise InputError(
            f"the classifiers have different labels: {comma_list(one.labels)}, "
            f"and {comma_list(other.labels)}"
        )


def _alone(mine: set[str], theirs: set[str]) -> list[tuple[str, str]]:
    first = [(name, "first") for name in sorted(mine - theirs)]
    return first + [(name, "second") for name in sorted(theirs - mine)]


def _renumbered(circuit: Circuit, like: Circuit) -> Circuit:
    """The circuit with the features and labels of another, in the other's order."""
    features = [like.schema.index(name) for name in circuit.schema.names]
    labels = [like.labels.index(label) for label in circuit.labels]
    native = _core.renumber(circuit.native, features, labels)
    return Circuit(native, like.schema, like.labels)


def _common_order(one: Circuit, other: Circuit) -> list[int] | None:
    """An order of features that both circuits follow, if there is one."""
    if not (one.is_ordered and other.is_ordered):
        return None
    above: dict[int, set[int]] = {}
    for order in (one.native.order, other.native.order):
        for feature in order:
            above.setdefault(feature, set())
        for upper, lower in pairwise(order):
            above[lower].add(upper)
    try:
        return list(TopologicalSorter(above).static_order())
    except CycleError:
        return None


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two circuits with the same features and labels."""

    one: Circuit
    other: Circuit

    def __iter__(self) -> Any:
        return iter((self.one, self.other))

    def labels(self, cells: Sequence[int]) -> tuple[Any, Any]:
        """What the two make of an instance."""
        first, second = (_core.decide(circuit.native, list(cells)) for circuit in self)
        return self._label(first), self._label(second)

    @property
    def tested(self) -> list[int]:
        """The features that either tests, from the top down."""
        orders = (circuit.native.feature_order_from_root() for circuit in self)
        return list(dict.fromkeys(f for order in orders for f in order))

    def conditioned(self, fixed: list[tuple[int, int]], budget: Budget) -> "_Pair":
        """The two with some features fixed to cells."""
        one, other = (
            Circuit(_core.condition(c.native, fixed, native_budget(budget)), c.schema, c.labels)
            for c in self
        )
        return _Pair(one, other)

    def _label(self, label: int) -> Any:
        return IMPOSSIBLE if label == _core.IMPOSSIBLE else self.one.labels[label]


def _by_evaluation(pair: _Pair, budget: Budget) -> list[int] | None:
    # A round errs with probability below (features + 1) / 2^60.
    bits = 60 - (len(pair.one.schema) + 1).bit_length()
    equal = 0
    while equal * bits < _BITS_OF_DOUBT:
        cells = _Evaluation(pair, budget).witness()
        if cells is None:
            equal += 1
        else:
            labels = pair.labels(cells)
            if labels[0] != labels[1]:
                return cells
            # The point was unlucky (a sum of random weights was 0): it proves nothing.
    return None


class _Evaluation:
    """Both circuits at one random point, and at others where features have values."""

    def __init__(self, pair: _Pair, budget: Budget) -> None:
        self.pair, self.budget = pair, budget
        rng = random.SystemRandom()
        self.weights = [_weights(rng, len(feature.values)) for feature in pair.one.schema]
        plain = any(circuit.native.has_conjunctions for circuit in pair)
        count = len(pair.one.labels)
        self.leaves = list(range(count)) if plain else [_random(rng) for _ in range(count)]
        self.impossible = _random(rng)

    def _differ(self) -> bool:
        self.budget.check(_STAGE)
        flat = [weight for weights in self.weights for weight in weights]
        first, second = (
            _core.weighted_sum(c.native, flat, self.leaves, self.impossible, LARGEST_PRIME)
            for c in self.pair
        )
        return first != second

    def witness(self) -> list[int] | None:
        """An instance that is decided differently, unless the values here are equal.

        Features are fixed from the top down, and the circuits made smaller by it now and then.
        Cost: a pass over both circuits for each value of each feature at worst.
        """
        if not self._differ():
            return None
        fixed: dict[int, int] = {}
        while some := self.pair.tested[:_FIXED_AT_ONCE]:
            for feature in some:
                fixed[feature] = self._distinguishing(feature)
            self.pair = self.pair.conditioned(list(fixed.items()), self.budget)
        return [fixed.get(feature, 0) for feature in range(len(self.weights))]

    def _distinguishing(self, feature: int) -> int:
        """A value of a feature under which the two still differ."""
        last = len(self.weights[feature]) - 1
        for cell in range(last):
            self._fix(feature, cell)
            if self._differ():
                return cell
        # If none of the others, it is this: the weighted sum of all differed.
        self._fix(feature, last)
        return last

    def _fix(self, feature: int, cell: int) -> None:
        self.weights[feature] = [int(c == cell) for c in range(len(self.weights[feature]))]


def _random(rng: random.Random) -> int:
    return rng.randrange(LARGEST_PRIME)


def _weights(rng: random.Random, count: int) -> list[int]:
    """Random weights that sum to 1."""
    weights = [_random(rng) for _ in range(count - 1)]
    return [*weights, (1 - sum(weights)) % LARGEST_PRIME]

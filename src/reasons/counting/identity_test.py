"""Polynomial identity testing: do two circuits mean the same? (Schwartz 1980, Zippel 1979)

A circuit is evaluated at a random point of a prime field (core/counting/modular_sum.hpp): the
weights of a feature's values sum to 1, and labels have random values. Equal functions have equal
values there; different ones differ but for an unlucky point. Fixing feature by feature so that
the values go on to differ leads to an instance, which both circuits decide before it is shown.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reasons import _core
from reasons.backends.native_budget import native_budget
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting.chinese_remainder import LARGEST_PRIME

_BITS_OF_DOUBT = 100
_FIXED_AT_ONCE = 16  # features, before the circuits are made smaller
_STAGE = "evaluating circuits at random points"


def proof_of_equality(missed: str) -> str:
    """How "equal" is known: what was missed at most with which probability."""
    return f"random evaluation; a {missed} was missed with probability below 2^-{_BITS_OF_DOUBT}"


@dataclass(frozen=True, slots=True)
class CircuitPair:
    """Two circuits with the same features and labels."""

    one: Circuit
    other: Circuit

    def __iter__(self) -> Iterator[Circuit]:
        return iter((self.one, self.other))

    def differ_on(self, cells: Sequence[int]) -> bool:
        """Whether an instance is decided differently."""
        return self.one.decide(cells) != self.other.decide(cells)

    @property
    def tested(self) -> list[int]:
        """The features that either tests, from the top down."""
        orders = (circuit.native.feature_order_from_root() for circuit in self)
        return list(dict.fromkeys(f for order in orders for f in order))

    def conditioned(self, fixed: list[tuple[int, int]], budget: Budget) -> "CircuitPair":
        """The two with some features fixed to cells."""
        return CircuitPair(*(_conditioned(circuit, fixed, budget) for circuit in self))


def _conditioned(circuit: Circuit, fixed: list[tuple[int, int]], budget: Budget) -> Circuit:
    native = _core.condition(circuit.native, fixed, native_budget(budget))
    return Circuit(native, circuit.schema, circuit.labels)


class RandomPoint:
    """A random point of the prime field, some of whose features can be fixed to a cell.

    Labels of circuits with conjunctions have the values 0 and 1, which products need.
    """

    def __init__(self, circuits: Sequence[Circuit], budget: Budget) -> None:
        self.budget = budget
        rng = random.SystemRandom()
        schema, labels = circuits[0].schema, range(len(circuits[0].labels))
        self.weights = [_random_weights(rng, len(feature.values)) for feature in schema]
        boolean = any(circuit.native.has_conjunctions for circuit in circuits)
        self.leaves = [i if boolean else rng.randrange(LARGEST_PRIME) for i in labels]
        self.impossible = rng.randrange(LARGEST_PRIME)

    def value(self, circuit: Circuit) -> int:
        """The value of a circuit here. Cost: one pass."""
        self.budget.check(_STAGE)
        flat = [weight for weights in self.weights for weight in weights]
        return _core.weighted_sum(circuit.native, flat, self.leaves, self.impossible, LARGEST_PRIME)

    def differ(self, pair: CircuitPair) -> bool:
        """Whether two circuits have different values here."""
        return self.value(pair.one) != self.value(pair.other)

    def fix(self, feature: int, cell: int) -> None:
        """Move to where the feature has the cell."""
        self.weights[feature] = [int(c == cell) for c in range(len(self.weights[feature]))]

    def values_by_cell(self, circuit: Circuit, feature: int) -> list[int]:
        """The values of a circuit for each cell of a feature; the point does not move."""
        kept, values = self.weights[feature], []
        for cell in range(len(kept)):
            self.fix(feature, cell)
            values.append(self.value(circuit))
        self.weights[feature] = kept
        return values


def _random_weights(rng: random.Random, count: int) -> list[int]:
    """Random weights that sum to 1."""
    weights = [rng.randrange(LARGEST_PRIME) for _ in range(count - 1)]
    return [*weights, (1 - sum(weights)) % LARGEST_PRIME]


def differing_instance(pair: CircuitPair, budget: Budget) -> list[int] | None:
    """An instance that two circuits decide differently; None if they are equal, almost surely."""
    equal = 0
    while equal * _bits_a_round(pair.one) < _BITS_OF_DOUBT:
        point = RandomPoint(tuple(pair), budget)
        if not point.differ(pair):
            equal += 1
            continue
        cells = _witness(point, pair)
        if pair.differ_on(cells):
            return cells
        # The point was unlucky (a sum of random weights was 0): it proves nothing.
    return None


def differing_pair(
    circuit: Circuit, loose: Sequence[int], budget: Budget
) -> tuple[list[int], list[int]] | None:
    """Two instances that differ on one loose feature and get different labels.

    None if the circuit depends on none of them, almost surely. Requires that no instance is
    impossible: otherwise several features may have to differ.
    """
    equal = 0
    while equal * _bits_a_round(circuit) < _BITS_OF_DOUBT:
        point = RandomPoint((circuit,), budget)
        for feature in loose:
            pair = _pair_at(point, circuit, feature)
            if pair is None:
                continue
            if circuit.decide(pair[0]) != circuit.decide(pair[1]):
                return pair
            break  # the point was unlucky
        else:
            equal += 1
    return None


def _bits_a_round(circuit: Circuit) -> int:
    """A round errs with probability below (features + 1) / 2^60."""
    return 60 - (len(circuit.schema) + 1).bit_length()


def _pair_at(
    point: RandomPoint, circuit: Circuit, feature: int
) -> tuple[list[int], list[int]] | None:
    """Two instances that differ on the feature, if its cells have different values here."""
    values = point.values_by_cell(circuit, feature)
    other = next((cell for cell, value in enumerate(values) if value != values[0]), None)
    if other is None:
        return None
    sides = (_conditioned(circuit, [(feature, cell)], point.budget) for cell in (0, other))
    cells = _witness(point, CircuitPair(*sides))
    one, two = list(cells), list(cells)
    one[feature], two[feature] = 0, other
    return one, two


def _witness(point: RandomPoint, pair: CircuitPair) -> list[int]:
    """An instance that is decided differently, where the values at the point differ.

    Features are fixed from the top down, and the circuits made smaller by it now and then. The
    point moves. Cost: a pass over both circuits for each value of each feature at worst.
    """
    fixed: dict[int, int] = {}
    while features := pair.tested[:_FIXED_AT_ONCE]:
        for feature in features:
            fixed[feature] = _distinguishing_cell(point, pair, feature)
        pair = pair.conditioned(list(fixed.items()), point.budget)
    return [fixed.get(feature, 0) for feature in range(len(point.weights))]


def _distinguishing_cell(point: RandomPoint, pair: CircuitPair, feature: int) -> int:
    """A value of a feature under which the two still differ."""
    last = len(point.weights[feature]) - 1
    for cell in range(last):
        point.fix(feature, cell)
        if point.differ(pair):
            return cell
    # If none of the others, it is this: the weighted sum of all differed.
    point.fix(feature, last)
    return last

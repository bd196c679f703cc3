"""Exact (weighted) model counting: how many instances get a label, and which values they have.

All are sums over instances of products of weights, modulo primes (chinese_remainder.py): a
count weighs every value 1, and those that a condition rules out 0. One pass upward gives the
sum, one more downward the sums for all values of all features. Weights are scaled to sum to 1
for each feature, which makes features that a path does not test disappear from the sums; where
they sum to 0 they are moved by an unknown, and the sum, a polynomial of it, is read off at 0.
With thousands of Boolean features, counts without conditions keep shares of the domain as a
mantissa and a power of two instead: there most are short.
"""

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain
from math import comb, lcm, prod

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting.chinese_remainder import integers
from reasons.counting.weights import Weights
from reasons.features.terms import Term

_MANY_FEATURES = 1_000
_STAGE = "counting instances"

Share = tuple[int, int]  # mantissa, and how often it is halved
Rows = list[list[int]]


def count(circuit: Circuit, label: int, given: Term, budget: Budget | None = None) -> int:
    """The number of allowed instances of a term with the label.

    Cost: O(circuit) for each 60 bits of the number of instances.
    """
    budget = budget or Budget()
    sizes = [len(feature.values) for feature in circuit.schema]
    if not given and len(sizes) > _MANY_FEATURES and set(sizes) == {2}:
        mantissa, halved = _share_of_boolean(circuit, label, budget)
        return mantissa << (len(sizes) - halved)
    return int(weigh(circuit, label, Weights(circuit.schema).within(given), budget))


def weigh(circuit: Circuit, label: int, weights: Weights, budget: Budget) -> Fraction:
    """The sum of the weights of the instances with the label."""
    summed = _Sums(circuit, label, weights, [circuit.root])
    (found,) = integers(summed.remainders, weights.most, budget, _STAGE)
    return Fraction(found, weights.denominator)


def weigh_values(
    circuit: Circuit, label: int, weights: Weights, budget: Budget
) -> tuple[Fraction, list[list[Fraction]]]:
    """That sum, and for each value of each feature the sum over the instances that have it.

    Cost: two passes over the circuit for each 60 bits.
    """
    summed = _Sums(circuit, label, weights, [circuit.root], by_value=True)
    found = integers(summed.remainders, weights.most, budget, _STAGE)
    total, *values = (Fraction(number, weights.denominator) for number in found)
    return total, _cut(values, [len(feature.values) for feature in circuit.schema])


def shares_at(
    circuit: Circuit, label: int, within: Weights, nodes: Sequence[int], budget: Budget
) -> list[Fraction]:
    """The label's shares of the instances that reach some nodes.

    `within` weighs values 1 or 0. Below a test that only some values reach, a share is one
    of those, so that the common denominator holds the sizes of such sets too.
    """
    sizes = [sum(row) for row in within.integers]
    for split in range(circuit.native.splits):
        feature, arm_of = circuit.native.split(split)
        cells = zip(arm_of, within.integers[feature], strict=True)
        size = sum(weight for arm, weight in cells if arm != _core.NO_ARM)
        sizes[feature] = lcm(sizes[feature], size or 1)
    common = prod(sizes)
    summed = _Sums(circuit, label, within, nodes, common=common)
    found = integers(summed.remainders, common, budget, _STAGE)
    return [Fraction(number, common) for number in found]


def _cut(items: list[Fraction], sizes: list[int]) -> list[list[Fraction]]:
    ends = list(accumulate(sizes))
    return [items[end - size : end] for size, end in zip(sizes, ends, strict=True)]


class _Sums:
    """The sums of one label modulo primes."""

    def __init__(
        self,
        circuit: Circuit,
        label: int,
        weights: Weights,
        nodes: Sequence[int],
        *,
        by_value: bool = False,
        common: int | None = None,
    ) -> None:
        self.circuit, self.weights = circuit, weights
        self.nodes, self.by_value, self.common = list(nodes), by_value, common
        # Under conjunctions leaves are 0 and 1; what is 0 is all but what is 1.
        self.all_but = circuit.native.has_conjunctions and label == 0
        wanted = 1 if self.all_but else label
        self.leaves = [int(i == wanted) for i in range(len(circuit.labels))]

    def remainders(self, prime: int) -> list[int]:
        """The sums at the nodes, then those of all values, modulo a prime."""
        rows = [[weight % prime for weight in row] for row in self.weights.integers]
        moved = {f for f, row in enumerate(rows) if any(row) and sum(row) % prime == 0}
        while True:
            found = self._interpolated(rows, moved, prime)
            if isinstance(found, list):
                return found
            moved |= found

    def _interpolated(self, rows: Rows, moved: set[int], prime: int) -> list[int] | set[int]:
        """The sums where `moved` features' weights go to their place from elsewhere.

        Or the features that cancel and are not moved. With weights w + t d the sums are
        polynomials of t, of a degree that is the number of features moved.
        """
        if not moved:
            return self._at(rows, prime)
        rng = random.Random(prime)  # any direction does; the result does not depend on it
        steps = {f: [rng.randrange(prime) for _ in rows[f]] for f in sorted(moved)}
        points = range(1, len(moved) + 2)
        total: list[int] = []
        for point in points:
            there = [
                [(w + point * d) % prime for w, d in zip(row, steps[f], strict=True)]
                if f in steps
                else row
                for f, row in enumerate(rows)
            ]
            found = self._at(there, prime)
            if isinstance(found, set):
                return found
            # What the value at a point counts for in the value at 0 (Lagrange).
            scale = (-1) ** (point + 1) * comb(len(points), point)
            total = [
                (old + scale * new) % prime
                for old, new in zip(total or [0] * len(found), found, strict=True)
            ]
        return total

    def _at(self, rows: Rows, prime: int) -> list[int] | set[int]:
        scaled: list[int] = []
        whole = 1
        for row in rows:
            total, own = self._scaled(tuple(row), prime)
            whole = whole * total % prime
            scaled += own
        cancelling, shares, by_value = _core.field_sums(
            self.circuit.native, scaled, self.leaves, 0, prime, self.nodes, self.by_value
        )
        if cancelling:
            return set(cancelling)
        if self.all_but:
            shares = [1 - share for share in shares]
            by_value = [w - share for w, share in zip(scaled, by_value, strict=False)]
        if self.common is not None:
            whole = self.common % prime
        return [share * whole % prime for share in chain(shares, by_value)]

    @staticmethod
    @lru_cache(maxsize=4096)
    def _scaled(row: tuple[int, ...], prime: int) -> tuple[int, list[int]]:
        """The sum of a feature's weights, and the weights divided by it; most are alike."""
        total = sum(row) % prime
        inverse = pow(total, -1, prime) if total else 0
        return total, [weight * inverse % prime for weight in row]


def _share_of_boolean(circuit: Circuit, label: int, budget: Budget) -> Share:
    """The label's share of a domain of Boolean features, exactly."""
    shares: list[Share] = []
    conjoined = circuit.native.has_conjunctions
    wanted = 1 if conjoined else label
    for number in range(len(circuit)):
        if number % 4096 == 0:
            budget.check(_STAGE)
        kind, payload, inputs = circuit.native.node(number)
        if kind == 1:
            shares.append((int(payload == wanted), 0))
        elif kind == 2:
            parts = [shares[i] for i in inputs]
            shares.append((prod(m for m, _ in parts), sum(h for _, h in parts)))
        else:
            shares.append(_mean(shares[inputs[0]], shares[inputs[1]]))
    mantissa, halved = shares[-1]
    return ((1 << halved) - mantissa, halved) if conjoined and label == 0 else (mantissa, halved)


def _mean(one: Share, other: Share) -> Share:
    """Half of the sum of two shares, with an odd mantissa kept short."""
    if not one[0] or not other[0]:
        mantissa, halved = one if one[0] else other
        return (mantissa, halved + 1) if mantissa else (0, 0)
    deep = max(one[1], other[1])
    mantissa = (one[0] << (deep - one[1])) + (other[0] << (deep - other[1]))
    zeros = (mantissa & -mantissa).bit_length() - 1
    return mantissa >> zeros, deep + 1 - zeros

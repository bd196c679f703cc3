"""Queries about all instances with a label: counted, weighed, sampled and listed.

Instances that are declared impossible are in no answer.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from reasons.backends.capabilities import Capability
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting import enumeration, float_weight, min_cost, sampling
from reasons.counting.count import count, weigh, weigh_values
from reasons.counting.enumeration import Entailment
from reasons.counting.min_cost import CheapestInstances
from reasons.counting.weights import WeightMapping, Weights
from reasons.errors import InputError
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term, term_of
from reasons.text import comma_list, did_you_mean


def label_index(labels: tuple[Any, ...], label: Any) -> int:
    """The position of a label, or `InputError` that lists the ones there are."""
    with suppress(ValueError, TypeError):  # an array is neither equal nor unequal
        return labels.index(label)
    raise InputError(
        "there is no label {value}{hint}; the labels are: {labels}",
        value=label,
        hint=did_you_mean([label], labels),
        labels=comma_list(labels),
    )


class CountingQueries:
    """The part of `Classifier` that needs no instance: what it is about are its attributes."""

    backend: Backend
    schema: Schema
    labels: tuple[Any, ...]
    weights: WeightMapping | None

    def _circuit_for(self, capability: Capability, budget: Budget | None) -> Circuit:
        """The circuit, or the error that names the missing capability."""
        self.backend.require(capability)
        return self.backend.circuit_within(budget)

    def _goal(
        self, capability: Capability, label: Any, budget: Budget | None
    ) -> tuple[Circuit, int]:
        """The circuit and the position of a label."""
        circuit = self._circuit_for(capability, budget)
        return circuit, label_index(self.labels, label)

    def _term(self, given: Any) -> Term:
        return Term(self.schema, {}) if given is None else term_of(self.schema, given)

    def _weighed(self, weights: WeightMapping | None, given: Any) -> Weights:
        chosen = self.weights if weights is None else weights
        return Weights(self.schema, chosen).within(self._term(given))

    def count(self, label: Any, *, given: Any = None, budget: Budget | None = None) -> int:
        """How many allowed instances get the label, exactly. Cost: O(circuit) for each 60 bits.

        >>> import reasons
        >>> clf = reasons.compile("a & (b | c)")
        >>> clf.count(True), clf.count(True, given="~b")
        (3, 1)
        """
        return count(*self._goal(Capability.COUNTING, label, budget), self._term(given), budget)

    def counts(
        self, label: Any, *, given: Any = None, budget: Budget | None = None
    ) -> dict[str, dict[Any, int]]:
        """For each feature and value, how many instances with the label have it, exactly.

        Cost: two passes over the circuit for each 60 bits, for all features together.

        >>> import reasons
        >>> reasons.compile("a & (b | c)").counts(True)["b"]
        {False: 1, True: 2}
        """
        weights = Weights(self.schema).within(self._term(given))
        goal = self._goal(Capability.COUNTING, label, budget)
        _, numbers = weigh_values(*goal, weights, budget or Budget())
        return _by_value(self.schema, [[int(number) for number in row] for row in numbers])

    def weighted_count(
        self,
        label: Any,
        weights: WeightMapping | None = None,
        *,
        given: Any = None,
        exact: bool = True,
        budget: Budget | None = None,
    ) -> Fraction | float:
        """The weighted model count: the sum, over instances, of the products of their weights.

        `weights` maps features to values to numbers, which may be negative. Floats count as
        exact fractions; values without a weight weigh 1. Without `weights`, those of the
        classifier are used. With `exact=False` the answer is a float with a relative error of
        about 1e-12; beyond the range of floats it is infinite or 0.0, but
        `log_weighted_count` is not.

        Cost: O(circuit) for each 60 bits that the exact sum can have, times 1 more for each
        feature some of whose weights sum to 0; not exact: O(circuit).

        >>> import reasons
        >>> clf = reasons.compile("a | b")
        >>> clf.weighted_count(True, {"a": {True: 0.25, False: 0.75}})
        Fraction(5, 4)
        """
        goal = self._goal(Capability.COUNTING, label, budget)
        chosen, limit = self._weighed(weights, given), budget or Budget()
        if exact:
            return weigh(*goal, chosen, limit)
        return float_weight.plain(float_weight.weigh_floating(*goal, chosen, limit))

    def log_weighted_count(
        self,
        label: Any,
        weights: WeightMapping | None = None,
        *,
        given: Any = None,
        budget: Budget | None = None,
    ) -> float:
        """The natural logarithm of the weighted count, in floating point. Cost: O(circuit).

        >>> import reasons
        >>> clf = reasons.compile("a", features=["a", *(f"x{i}" for i in range(2000))])
        >>> round(clf.log_weighted_count(True) / 2000, 6)
        0.693147
        """
        goal = self._goal(Capability.COUNTING, label, budget)
        weighed = self._weighed(weights, given)
        number = float_weight.weigh_floating(*goal, weighed, budget or Budget())
        if number[0] < 0:
            raise InputError("the weighted count is negative, so it has no logarithm")
        return float_weight.logarithm(number)

    def marginals(
        self,
        label: Any,
        weights: WeightMapping | None = None,
        *,
        given: Any = None,
        budget: Budget | None = None,
    ) -> dict[str, dict[Any, Fraction]]:
        """For each feature and value, the share of the label's instances that have it.

        Shares are of the weight, where there are weights. Cost: as of `counts`, and as
        `weighted_count` says.

        >>> import reasons
        >>> reasons.compile("a & (b | c)").marginals(True)["b"]
        {False: Fraction(1, 3), True: Fraction(2, 3)}
        """
        goal = self._goal(Capability.COUNTING, label, budget)
        total, numbers = weigh_values(*goal, self._weighed(weights, given), budget or Budget())
        if not total:
            raise InputError(
                "the instances that are {label} weigh nothing: there are no shares", label=label
            )
        return _by_value(self.schema, [[number / total for number in row] for row in numbers])

    def sample(
        self,
        label: Any,
        n: int = 1,
        rng: Any = None,
        *,
        given: Any = None,
        budget: Budget | None = None,
    ) -> list[Instance]:
        """Independent uniform samples of the instances with the label, exactly uniform.

        Cost: O(circuit) once, then O(features) an instance.

        >>> import random, reasons
        >>> clf = reasons.compile("a & (b | c)")
        >>> [str(x) for x in clf.sample(True, 2, random.Random(1))]
        ['a, b, c', 'a, b, c']
        """
        goal = self._goal(Capability.ENUMERATION, label, budget)
        return sampling.sample(*goal, n, rng, self._term(given), budget)

    def instances(self, label: Any, *, given: Any = None) -> Iterator[Instance]:
        """The instances with the label, lazily, each once, always in the same order.

        Cost: O(circuit) for the first, then O(features) each at most.

        >>> import reasons
        >>> print(*reasons.compile("a & (b | c)").instances(True), sep="; ")
        a, ~b, c; a, b, ~c; a, b, c
        """
        goal = self._goal(Capability.ENUMERATION, label, None)
        return enumeration.instances(*goal, self._term(given))

    def cheapest_instances(
        self,
        label: Any,
        *,
        given: Any = None,
        costs: Mapping[str, Any] | None = None,
        budget: Budget | None = None,
    ) -> CheapestInstances | None:
        """The lowest cost of an instance with the label, the number of such instances, and one.

        Without `costs`, each Boolean feature that is True costs 1: minimum cardinality.
        `costs` maps a Boolean feature to the cost of True, or any feature to the costs of its
        values; floats count as exact fractions. None if no instance has the label.

        Cost: O(circuit), and for the count again for each 60 bits of the number of instances.

        >>> import reasons
        >>> cheapest = reasons.compile("a & (b | c)").cheapest_instances(True)
        >>> cheapest.cost, cheapest.count, str(cheapest.instance)
        (2, 2, 'a, ~b, c')
        """
        goal = self._goal(Capability.ENUMERATION, label, budget)
        return min_cost.cheapest_instances(*goal, self._term(given), costs, budget)

    def entails(self, clause: Any, label: Any = True) -> Entailment:
        """Whether every instance with the label satisfies a clause; if not, with a witness.

        A clause is a text such as "a | ~b | job in {clerk}", a mapping from features to
        values of which one must hold, or several literals. Cost: O(circuit).

        >>> import reasons
        >>> clf = reasons.compile("a & (b | c)")
        >>> bool(clf.entails("b | c")), str(clf.entails("b").witness)
        (True, 'a, ~b, c')
        """
        return enumeration.entails(*self._goal(Capability.ENUMERATION, label, None), clause)


def _by_value(schema: Schema, rows: list[list[Any]]) -> dict[str, dict[Any, Any]]:
    return {
        feature.name: dict(zip(feature.values, row, strict=True))
        for feature, row in zip(schema, rows, strict=True)
    }

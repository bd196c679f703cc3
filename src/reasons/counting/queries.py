"""What a circuit tells about all instances at once: the models of each label.

`Classifier` inherits these questions. `given` is a term, as text or mapping, and may leave a
feature several values; the answer is then about the instances that satisfy it. Instances that
were declared impossible are in no answer.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, Self

from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting import (
    count,
    enumeration,
    equivalence,
    float_weight,
    min_cost,
    sampling,
    transform,
)
from reasons.counting.enumeration import Entailment
from reasons.counting.equivalence import Equivalence
from reasons.counting.min_cost import CheapestInstances
from reasons.counting.weights import Given, Weights
from reasons.errors import InputError
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term, term_of
from reasons.text import comma_list, did_you_mean, short_repr


class Models:
    """Counting, weighing, drawing, listing and comparing the instances of a label."""

    schema: Schema
    labels: tuple[Any, ...]
    weights: Given | None

    @property
    def circuit(self) -> Circuit:
        """The circuit that answers."""
        raise NotImplementedError

    def _with_circuit(self, circuit: Circuit) -> Self:
        """The same classifier with another circuit over its features and labels."""
        raise NotImplementedError

    def label_index(self, label: Any) -> int:
        """The position of a label, or `InputError` that lists the ones there are."""
        with suppress(
            ValueError, TypeError
        ):  # it is none, or an array, which is not equal or unequal
            return self.labels.index(label)
        hint = did_you_mean([label], self.labels)
        raise InputError(
            f"there is no label {short_repr(label)}{hint}; the labels are: "
            f"{comma_list(self.labels)}"
        )

    def _given(self, term: Any) -> Term:
        return Term(self.schema, {}) if term is None else term_of(self.schema, term)

    def _weighed(self, weights: Given | None, given: Any) -> Weights:
        chosen = self.weights if weights is None else weights
        return Weights(self.schema, chosen).within(self._given(given))

    def count(self, label: Any, *, given: Any = None, budget: Budget | None = None) -> int:
        """How many allowed instances get the label, exactly. Cost: O(circuit) for each 60 bits.

        >>> import reasons
        >>> clf = reasons.compile("a & (b | c)")
        >>> clf.count(True), clf.count(True, given="~b")
        (3, 1)
        """
        return count.count(self.circuit, self.label_index(label), self._given(given), budget)

    def counts(
        self, label: Any, *, given: Any = None, budget: Budget | None = None
    ) -> dict[str, dict[Any, int]]:
        """For each feature and value, how many instances with the label have it, exactly.

        Cost: two passes over the circuit for each 60 bits, for all features together.

        >>> import reasons
        >>> reasons.compile("a & (b | c)").counts(True)["b"]
        {False: 1, True: 2}
        """
        weights = Weights(self.schema).within(self._given(given))
        position = self.label_index(label)
        _, found = count.weigh_values(self.circuit, position, weights, budget or Budget())
        return self._by_value([[int(number) for number in row] for row in found])

    def weighted_count(
        self,
        label: Any,
        weights: Given | None = None,
        *,
        given: Any = None,
        exact: bool = True,
        budget: Budget | None = None,
    ) -> Fraction | float:
        """What the instances with the label weigh together: the sum of products of weights.

        `weights` maps features to values to numbers, which may be negative; floats count as
        the fractions they are, and what is not given weighs 1. Without it, those that came
        with the classifier are used. With `exact=False` the answer is a float, some 1e-12
        off, and infinite or 0.0 where it is beyond floats; `log_weighted_count` never is.

        Cost: O(circuit) for each 60 bits that the exact sum can have, times 1 more for each
        feature some of whose weights sum to 0; not exact: O(circuit).

        >>> import reasons
        >>> clf = reasons.compile("a | b")
        >>> clf.weighted_count(True, {"a": {True: 0.25, False: 0.75}})
        Fraction(5, 4)
        """
        position, limits = self.label_index(label), budget or Budget()
        weighed = self._weighed(weights, given)
        if exact:
            return count.weigh(self.circuit, position, weighed, limits)
        return float_weight.plain(
            float_weight.weigh_floating(self.circuit, position, weighed, limits)
        )

    def log_weighted_count(
        self,
        label: Any,
        weights: Given | None = None,
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
        weighed = self._weighed(weights, given)
        number = float_weight.weigh_floating(
            self.circuit, self.label_index(label), weighed, budget or Budget()
        )
        if number[0] < 0:
            raise InputError("the weighted count is negative, so that it has no logarithm")
        return float_weight.logarithm(number)

    def marginals(
        self,
        label: Any,
        weights: Given | None = None,
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
        weighed = self._weighed(weights, given)
        total, found = count.weigh_values(
            self.circuit, self.label_index(label), weighed, budget or Budget()
        )
        if not total:
            raise InputError(f"the instances that are {label} weigh nothing: there are no shares")
        return self._by_value([[number / total for number in row] for row in found])

    def _by_value(self, rows: list[list[Any]]) -> dict[str, dict[Any, Any]]:
        return {
            feature.name: dict(zip(feature.values, row, strict=True))
            for feature, row in zip(self.schema, rows, strict=True)
        }

    def sample(
        self,
        label: Any,
        n: int = 1,
        rng: Any = None,
        *,
        given: Any = None,
        budget: Budget | None = None,
    ) -> list[Instance]:
        """Independent instances with the label, each as likely as any other, exactly.

        Cost: O(circuit) once, then O(features) an instance.

        >>> import random, reasons
        >>> clf = reasons.compile("a & (b | c)")
        >>> [str(x) for x in clf.sample(True, 2, random.Random(1))]
        ['a, b, c', 'a, b, c']
        """
        position = self.label_index(label)
        return sampling.sample(self.circuit, position, n, rng, self._given(given), budget)

    def instances(self, label: Any, *, given: Any = None) -> Iterator[Instance]:
        """The instances with the label, lazily, each once, always in the same order.

        Cost: O(circuit) for the first, then O(features) each at most.

        >>> import reasons
        >>> print(*reasons.compile("a & (b | c)").instances(True), sep="; ")
        a, ~b, c; a, b, ~c; a, b, c
        """
        return enumeration.instances(self.circuit, self.label_index(label), self._given(given))

    def cheapest_instances(
        self,
        label: Any,
        *,
        given: Any = None,
        costs: Mapping[str, Any] | None = None,
        budget: Budget | None = None,
    ) -> CheapestInstances | None:
        """The least that an instance with the label costs, how many cost that, and one.

        Without `costs`, each Boolean feature that is True costs 1: minimum cardinality.
        `costs` maps a Boolean feature to what True costs, or any feature to its values'
        costs; floats count as the fractions they are. None if nothing has the label.

        Cost: O(circuit), and for the count again for each 60 bits of the number of instances.

        >>> import reasons
        >>> found = reasons.compile("a & (b | c)").cheapest_instances(True)
        >>> found.cost, found.count, str(found.instance)
        (2, 2, 'a, ~b, c')
        """
        position, term = self.label_index(label), self._given(given)
        return min_cost.cheapest_instances(self.circuit, position, term, costs, budget)

    def entails(self, clause: Any, label: Any = True) -> Entailment:
        """Whether every instance with the label satisfies a clause; otherwise with a witness.

        A clause is a text such as "a | ~b | job in {clerk}", a mapping from features to
        values of which one is enough, or several literals. Cost: O(circuit).

        >>> import reasons
        >>> clf = reasons.compile("a & (b | c)")
        >>> bool(clf.entails("b | c")), str(clf.entails("b").witness)
        (True, 'a, ~b, c')
        """
        return enumeration.entails(self.circuit, self.label_index(label), clause)

    def equivalent(
        self, other: "Models", *, exact: bool = False, budget: Budget | None = None
    ) -> Equivalence:
        """Whether another classifier decides every instance alike; otherwise with a witness.

        Features must agree by name and domain, and labels; their order is free. An instance
        that only one of the two allows is a difference.

        Cost: O(circuits) where both test features in one order. Otherwise random evaluation
        (`.proof` bounds the error): O(circuits) to say "equal", O(circuits * values) to find
        the witness; with `exact`, SAT calls.

        >>> import reasons
        >>> one, other = reasons.compile("a -> b"), reasons.compile("~a | b")
        >>> bool(one.equivalent(other)), one.equivalent(other).proof
        (True, 'exact')
        >>> print(one.equivalent(reasons.compile("a & b")).witness)
        ~a, ~b
        """
        if not isinstance(other, Models):
            raise InputError(f"a classifier is compared with one, not {type(other).__name__}")
        return equivalence.equivalent(self.circuit, other.circuit, exact, budget)

    def condition(self, term: Any, *, budget: Budget | None = None) -> Self:
        """The classifier that decides as if the features of a term had these values.

        It keeps all features, so that instances are written as before, but depends on the
        fixed ones no more: a count is then over all their values. To ask about the
        instances of a term, use `given`. One value a feature. Cost: O(circuit).

        >>> import reasons
        >>> clf = reasons.compile("a & (b | c)").condition("~b")
        >>> clf.decide("a, b, ~c").label, clf.count(True)
        (False, 2)
        """
        return self._with_circuit(transform.condition(self.circuit, self._given(term), budget))

    def forget(self, names: Iterable[str] | str, *, budget: Budget | None = None) -> Self:
        """The classifier that is True wherever some values of these features make it so.

        Not conditioning: no value is chosen, and what is False needs them all to be. For
        the labels False and True only. It keeps all features and depends on these no more.
        An instance is impossible only if no values of theirs are allowed.

        Cost: on ordered circuits one pass of disjunctions, exponential at worst: budgeted.
        On others O(circuit) where each test of a forgotten feature has arms of which one
        is True, or all but one are False; otherwise `PropertyError`.

        >>> import reasons
        >>> reasons.compile("a & (b | c)").forget("a").equivalent(
        ...     reasons.compile("b | c", features=["a", "b", "c"])).equal
        True
        """
        indices = self.schema.indices(names)
        return self._with_circuit(transform.forget(self.circuit, indices, budget))

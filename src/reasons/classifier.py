"""`Classifier`: features, labels, and everything asked about all instances."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.circuits import file_format, transform
from reasons.circuits.circuit import Circuit
from reasons.counting import (
    bias_share,
    count,
    enumeration,
    equivalence,
    min_cost,
    queries,
    sampling,
)
from reasons.counting.bias_share import BiasShare
from reasons.counting.enumeration import Entailment
from reasons.counting.equivalence import Equivalence
from reasons.counting.min_cost import CheapestInstances
from reasons.counting.queries import label_index
from reasons.counting.weights import WeightMapping, Weights
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.explain import bias, prime_implicants
from reasons.explain.bias import Bias
from reasons.explain.term_set import TermSet
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.features.tables import cells_of_rows
from reasons.features.terms import Instance, Term, instance_of, term_of
from reasons.render.dot import dot
from reasons.render.layout.layout import LIMIT
from reasons.render.svg import svg
from reasons.text import comma_list
from reasons.views.notebook import classifier_html
from reasons.views.pictures import picture

_MOST_SHOWN = 60  # nodes that a notebook draws


class Classifier:
    """Features, labels, and a backend that maps every instance to a label.

    `given=` is a term, as text or mapping, that may leave a feature several values; the answer is
    then about the instances that satisfy it. `backend` is how the classifier is held, by
    positions of features, values and labels. `notes` say where a trained model came from and how
    it was compiled; `model_predict` is its own, on rows of raw values, and `model_options` are
    what it was compiled with.

    >>> import reasons
    >>> clf = reasons.compile("E & (~F | G | W)")
    >>> clf.decide("E, ~F, ~G, W").label
    True
    """

    def __init__(
        self,
        backend: Backend,
        *,
        wording: Wording | None = None,
        constraint: str | None = None,
        weights: WeightMapping | None = None,
        predict: Callable[[Sequence[Sequence[Any]]], Sequence[Any]] | None = None,
        notes: Iterable[str] = (),
        options: Any = None,
    ) -> None:
        self.backend = backend
        self.schema, self.labels = backend.schema, backend.labels
        self.wording = wording or Wording()
        self.constraint = constraint
        self.model_predict, self.notes, self.model_options = predict, tuple(notes), options
        self.weights = None if weights is None else Weights(backend.schema, weights).named

    def _with_circuit(self, circuit: Circuit) -> Self:
        """The same classifier with another circuit over its features and labels."""
        return type(self)(
            circuit, wording=self.wording, constraint=self.constraint, weights=self.weights
        )

    def within(self, budget: Budget, seconds: float) -> Self:
        """The same classifier, whose questions that name no budget end with this one.

        A search for one of them takes at most `seconds`; clauses are compiled within the budget.
        Of circuits it changes nothing: such a question is a pass or a few. Cost: O(1).
        """
        limited = object.__new__(type(self))  # copy() would pickle
        vars(limited).update(vars(self), backend=self.backend.within(budget, seconds))
        return limited

    @property
    def circuit(self) -> Circuit:
        """The circuit, compiled now if it was not. Can explode then: budgeted at loading."""
        return self.backend.circuit

    def _circuit_for(self, capability: Capability) -> Circuit:
        """The circuit, or the error that says which query needs it."""
        self.backend.require(capability)
        return self.backend.circuit

    def _goal(self, capability: Capability, label: Any) -> tuple[Circuit, int]:
        """The circuit and the position of a label, for a query about its instances."""
        circuit = self._circuit_for(capability)
        return circuit, label_index(self.labels, label)

    def _term(self, given: Any) -> Term:
        return Term(self.schema, {}) if given is None else term_of(self.schema, given)

    def _weighed(self, weights: WeightMapping | None, given: Any) -> Weights:
        chosen = self.weights if weights is None else weights
        return Weights(self.schema, chosen).within(self._term(given))

    @property
    def method(self) -> str:
        """How questions are answered: "compiled", "search", or "clauses" while they suffice."""
        return self.backend.method

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in order."""
        return tuple(self.schema)

    def __repr__(self) -> str:
        names = comma_list((feature.name for feature in self.features), most=6)
        size = self.backend.describe_size()
        return f"<Classifier of {names} to {comma_list(self.labels, most=6)}; {size}>"

    def _repr_html_(self) -> str:
        circuit = self.backend.compiled_circuit
        is_small = circuit is not None and len(circuit) <= _MOST_SHOWN
        return classifier_html(self, self.svg() if is_small else "")

    def svg(self, what: str = "graph", *, limit: int = LIMIT) -> str:
        """A drawing as an SVG document: the decision "graph", the "circuit" or the "consensus".

        Raises `BudgetExceeded` above `limit` vertices. Cost: O(circuit), and that of the layout.

        >>> import reasons
        >>> reasons.compile("a & b").svg()[:4]
        '<svg'
        """
        return svg(picture(self, None, what), limit=limit)

    def dot(self, what: str = "graph") -> str:
        """The same drawing in the DOT language of Graphviz."""
        return dot(picture(self, None, what))

    def decide(self, instance: Any) -> Decision:
        """The decision on an instance: a mapping, a sequence in feature order, or a text.

        Cost: O(depth); of clauses, O(literals).
        """
        return Decision(self, instance_of(self.schema, instance))

    def predict(self, rows: Any) -> Any:
        """The labels of a frame, an array or a list of instances, as a numpy array.

        Cost: O(rows * depth); of clauses, O(rows * literals / 64); plus reading the values.
        """
        import numpy

        cells, number = cells_of_rows(self.schema, rows)
        matrix = numpy.frombuffer(cells, numpy.uint16).reshape(number, len(self.schema))
        positions = self.backend.decide_many(matrix)
        impossible = numpy.flatnonzero(positions == _core.IMPOSSIBLE)
        if len(impossible):
            raise InputError(
                "row {row} is impossible under what was declared{constraint}",
                row=int(impossible[0]),
                constraint=f": {self.constraint}" if self.constraint else "",
            )
        labels = numpy.empty(len(self.labels), dtype=object)
        labels[:] = self.labels
        if {type(label) for label in self.labels} in ({bool}, {int}, {float}, {str}):
            labels = numpy.array(self.labels)
        return labels[positions]

    def prime_implicants(self, label: Any, *, budget: Budget | None = None) -> TermSet:
        """The minimal terms that force a label. Can explode: budgeted.

        >>> import reasons
        >>> print(reasons.compile("a & (b | c)").prime_implicants(True))
        a, b
        a, c
        """
        goal = self._goal(Capability.PRIME_IMPLICANTS, label)
        return prime_implicants.prime_implicants(*goal, budget)

    def bias(
        self, protected: Iterable[str] | str, *, exact: bool = False, budget: Budget | None = None
    ) -> Bias:
        """Whether some decision hangs on protected features; the witness is a pair of instances.

        Cost: O(depth) on ordered circuits, O(circuit) a feature otherwise.
        """
        indices = self.schema.indices(protected)
        return bias.classifier_bias(self.backend, indices, budget, exact)

    def bias_share(
        self,
        protected: Iterable[str] | str,
        *,
        given: Any = None,
        weights: WeightMapping | None = None,
        exact: bool = False,
        sample: int = 10_000,
        seed: int = 0,
        budget: Budget | None = None,
    ) -> BiasShare:
        """How many allowed instances have a biased decision, and of how many.

        `given` is a term: only instances that satisfy it are counted, while a witness may be any
        allowed instance. `weights`, as in `weighted_count`, add the share of the weight.
        Counted exactly on circuits where that fits the budget (`.exact` says so). Otherwise,
        and for models answered by search, `sample` instances are drawn and the share is
        estimated with a 99 % interval; with `exact` that raises instead.

        Cost: exponential in the circuit at worst, mostly a few times it; where the circuit is not
        ordered it is brought into an order first. An estimate: O(circuit * sample / 64).

        >>> import reasons
        >>> amount = reasons.compile("a & (b | c)").bias_share("b")
        >>> print(amount, amount.by_label)
        2 of 8 allowed instances (25.00%) {False: 1, True: 1}
        """
        chosen = self.weights if weights is None else weights
        question = bias_share.Question(
            tuple(dict.fromkeys(self.schema.indices(protected))),
            self._term(given),
            None if chosen is None else Weights(self.schema, chosen),
            sample,
            seed,
        )
        return bias_share.bias_share(self.backend, question, exact, budget)

    def count(self, label: Any, *, given: Any = None, budget: Budget | None = None) -> int:
        """How many allowed instances get the label, exactly. Cost: O(circuit) for each 60 bits.

        >>> import reasons
        >>> clf = reasons.compile("a & (b | c)")
        >>> clf.count(True), clf.count(True, given="~b")
        (3, 1)
        """
        return count.count(*self._goal(Capability.COUNTING, label), self._term(given), budget)

    def counts(
        self, label: Any, *, given: Any = None, budget: Budget | None = None
    ) -> dict[str, dict[Any, int]]:
        """For each feature and value, how many instances with the label have it, exactly.

        Cost: two passes over the circuit for each 60 bits, for all features together.

        >>> import reasons
        >>> reasons.compile("a & (b | c)").counts(True)["b"]
        {False: 1, True: 2}
        """
        return queries.counts(*self._goal(Capability.COUNTING, label), self._term(given), budget)

    def weighted_count(
        self,
        label: Any,
        weights: WeightMapping | None = None,
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
        goal = self._goal(Capability.COUNTING, label)
        return queries.weighted_count(*goal, self._weighed(weights, given), exact, budget)

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
        goal = self._goal(Capability.COUNTING, label)
        return queries.log_weighted_count(*goal, self._weighed(weights, given), budget)

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
        goal = self._goal(Capability.COUNTING, label)
        return queries.marginals(*goal, self._weighed(weights, given), budget)

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
        goal = self._goal(Capability.ENUMERATION, label)
        return sampling.sample(*goal, n, rng, self._term(given), budget)

    def instances(self, label: Any, *, given: Any = None) -> Iterator[Instance]:
        """The instances with the label, lazily, each once, always in the same order.

        Cost: O(circuit) for the first, then O(features) each at most.

        >>> import reasons
        >>> print(*reasons.compile("a & (b | c)").instances(True), sep="; ")
        a, ~b, c; a, b, ~c; a, b, c
        """
        goal = self._goal(Capability.ENUMERATION, label)
        return enumeration.instances(*goal, self._term(given))

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
        goal = self._goal(Capability.ENUMERATION, label)
        return min_cost.cheapest_instances(*goal, self._term(given), costs, budget)

    def entails(self, clause: Any, label: Any = True) -> Entailment:
        """Whether every instance with the label satisfies a clause; otherwise with a witness.

        A clause is a text such as "a | ~b | job in {clerk}", a mapping from features to
        values of which one is enough, or several literals. Cost: O(circuit).

        >>> import reasons
        >>> clf = reasons.compile("a & (b | c)")
        >>> bool(clf.entails("b | c")), str(clf.entails("b").witness)
        (True, 'a, ~b, c')
        """
        return enumeration.entails(*self._goal(Capability.ENUMERATION, label), clause)

    def equivalent(
        self, other: "Classifier", *, exact: bool = False, budget: Budget | None = None
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
        if not isinstance(other, Classifier):
            raise InputError(
                "a classifier is compared with one, not {type}", type=type(other).__name__
            )
        one, two = (each._circuit_for(Capability.EQUIVALENCE) for each in (self, other))
        return equivalence.equivalent(one, two, exact, budget)

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
        circuit = self._circuit_for(Capability.TRANSFORMATION)
        return self._with_circuit(transform.condition(circuit, self._term(term), budget))

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
        circuit, indices = self._circuit_for(Capability.TRANSFORMATION), self.schema.indices(names)
        return self._with_circuit(transform.forget(circuit, indices, budget))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a `.reasons` file, all or nothing."""
        file_format.write(path, self.circuit, self._about())

    def _about(self) -> dict[str, Any]:
        """What a file says beside the circuit."""
        wording = {
            "subject": self.wording.subject,
            "pronoun": self.wording.pronoun,
            "labels": [
                [label_index(self.labels, label), text]
                for label, text in self.wording.labels.items()
            ],
        }
        weights = None if self.weights is None else Weights(self.schema, self.weights).texts
        about: dict[str, Any] = {
            "wording": wording,
            "constraint": self.constraint,
            "weights": weights,
        }
        if self.notes:
            about["notes"] = list(self.notes)
        return about

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], budget: Budget | None = None) -> Self:
        """The classifier of a `.reasons` file. Cost: O(file)."""
        return cls._from_parts(*file_format.read(path, budget))

    @classmethod
    def _from_parts(cls, circuit: Circuit, about: Mapping[str, Any]) -> Self:
        """The classifier of a circuit and of what its file says beside."""
        wording = about.get("wording") or {}
        labels = {
            circuit.labels[index]: text if isinstance(text, str) else (text[0], text[1])
            for index, text in wording.get("labels", [])
        }
        return cls(
            circuit,
            wording=Wording(wording.get("subject", ""), wording.get("pronoun", ""), labels),
            constraint=about.get("constraint"),
            weights=about.get("weights"),
            notes=about.get("notes") or (),
        )

    def to_bytes(self) -> bytes:
        """What `save` writes."""
        return b"".join(file_format.packed(self.circuit, self._about()))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The classifier of what `to_bytes` gave or a `.reasons` file holds."""
        return cls._from_parts(*file_format.unpacked(memoryview(data), "<bytes>"))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its file; the trained model does not go with it."""
        self.backend.require(Capability.PICKLING)
        return (type(self).from_bytes, (self.to_bytes(),))

"""`Classifier`: features, labels, and queries about all instances."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from reasons import _core
from reasons.backends import file_format
from reasons.backends.capabilities import Capability
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.circuits import transform
from reasons.circuits.circuit import Circuit
from reasons.counting import bias_share, equivalence
from reasons.counting.bias_share import BiasShare
from reasons.counting.equivalence import Equivalence
from reasons.counting.queries import CountingQueries
from reasons.counting.weights import WeightMapping, Weights
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.explain import bias, prime_implicants
from reasons.explain.bias import Bias
from reasons.explain.term_set import TermSet
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.features.tables import cells_of_rows
from reasons.features.terms import instance_of
from reasons.render.dot import dot
from reasons.render.layout.layout import LIMIT
from reasons.render.svg import svg
from reasons.text import comma_list
from reasons.views.notebook import classifier_html
from reasons.views.pictures import picture

_MOST_SHOWN = 60  # nodes that a notebook draws


class Classifier(CountingQueries):
    """Features, labels, and a backend that maps every instance to a label.

    `given=` is a term, as text or mapping, that may leave a feature several values; the answer is
    then about the instances that satisfy it. `backend` represents the classifier by the positions
    of features, values and labels. `notes` say where a trained model came from and how it was
    compiled. `model_predict` is the `predict` of that model on rows of raw values, and
    `model_options` are the options of its compilation.

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
        """The same classifier, with a budget for all queries that are given none.

        A search for one of them takes at most `seconds`, and a CNF is compiled within the budget.
        A circuit is not limited: a query takes a few passes. Cost: O(1).
        """
        limited = object.__new__(type(self))  # copy() would pickle
        vars(limited).update(vars(self), backend=self.backend.within(budget, seconds))
        return limited

    @property
    def circuit(self) -> Circuit:
        """The circuit, compiled now if it was not. Can explode then: budgeted at loading."""
        return self.backend.circuit

    @property
    def method(self) -> str:
        """How queries are answered: "compiled", "search", or "clauses" while these suffice."""
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

        Cost: O(depth); for a CNF, O(literals).
        """
        return Decision(self, instance_of(self.schema, instance))

    def predict(self, rows: Any) -> Any:
        """The labels of a frame, an array or a list of instances, as a numpy array.

        Cost: O(rows * depth); for a CNF, O(rows * literals / 64); plus reading the values.
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
        goal = self._goal(Capability.PRIME_IMPLICANTS, label, budget)
        return prime_implicants.prime_implicants(*goal, budget)

    def bias(
        self, protected: Iterable[str] | str, *, exact: bool = False, budget: Budget | None = None
    ) -> Bias:
        """Whether protected features alone can change some decision; the witness is a pair.

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
        Circuits are counted exactly where that fits the budget (`.exact`). Otherwise, and for
        models answered by search, `sample` instances are drawn, and the share is estimated with a
        99 % interval. With `exact` that is an error instead.

        Cost: exponential in the circuit at worst, mostly a few times its size; a circuit that is
        not ordered is ordered first. An estimate: O(circuit * sample / 64).

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

    def equivalent(
        self, other: "Classifier", *, exact: bool = False, budget: Budget | None = None
    ) -> Equivalence:
        """Whether another classifier gives every instance the same label; if not, with a witness.

        Labels, and names and domains of features, must be the same, in any order. An instance
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
                "expected a classifier to compare with, got {type}", type=type(other).__name__
            )
        one, two = (each._circuit_for(Capability.EQUIVALENCE, budget) for each in (self, other))
        return equivalence.equivalent(one, two, exact, budget)

    def condition(self, term: Any, *, budget: Budget | None = None) -> Self:
        """The classifier that decides as if the features of a term had these values.

        It keeps all features, but no longer depends on the fixed ones: a count is over all their
        values. For queries about the instances of a term, use `given`. A term has one value a
        feature here. Cost: O(circuit).

        >>> import reasons
        >>> clf = reasons.compile("a & (b | c)").condition("~b")
        >>> clf.decide("a, b, ~c").label, clf.count(True)
        (False, 2)
        """
        circuit = self._circuit_for(Capability.TRANSFORMATION, budget)
        return self._with_circuit(transform.condition(circuit, self._term(term), budget))

    def forget(self, names: Iterable[str] | str, *, budget: Budget | None = None) -> Self:
        """Existential quantification: True wherever some values of these features give True.

        For the labels False and True only. The classifier keeps all features, but no longer
        depends on these. An instance is impossible only if it is so for all their values.

        Cost: on ordered circuits one pass of disjunctions, exponential at worst: budgeted.
        On others O(circuit) where each test of a forgotten feature has an arm that is True, or
        all arms but one are False; otherwise `PropertyError`.

        >>> import reasons
        >>> reasons.compile("a & (b | c)").forget("a").equivalent(
        ...     reasons.compile("b | c", features=["a", "b", "c"])).equal
        True
        """
        circuit, indices = (
            self._circuit_for(Capability.TRANSFORMATION, budget),
            self.schema.indices(names),
        )
        return self._with_circuit(transform.forget(circuit, indices, budget))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a `.reasons` file, all or nothing: the classifier without the trained model.

        A model that is answered by search is saved as its trees; loaded, it needs no library.
        """
        self.backend.require(Capability.SAVING)
        file_format.write(path, self.backend, self._about())

    def _about(self) -> dict[str, Any]:
        """The fields of a file beside the backend."""
        about: dict[str, Any] = {
            "wording": self.wording.packed(self.labels),
            "constraint": self.constraint,
            "weights": None if self.weights is None else Weights(self.schema, self.weights).texts,
        }
        return {**about, "notes": list(self.notes)} if self.notes else about

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], budget: Budget | None = None) -> Self:
        """The classifier of a `.reasons` file. Cost: O(file)."""
        return cls._from_parts(*file_format.read(path, budget))

    @classmethod
    def _from_parts(cls, backend: Backend, about: Mapping[str, Any]) -> Self:
        return cls(
            backend,
            wording=Wording.unpacked(about.get("wording") or {}, backend.labels),
            constraint=about.get("constraint"),
            weights=about.get("weights"),
            notes=about.get("notes") or (),
        )

    def to_bytes(self) -> bytes:
        """The bytes that `save` writes."""
        self.backend.require(Capability.SAVING)
        return b"".join(file_format.packed(self.backend, self._about()))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The classifier of the bytes of `to_bytes` or of a `.reasons` file."""
        return cls._from_parts(*file_format.unpacked(memoryview(data), "<bytes>"))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its file, without the trained model."""
        self.backend.require(Capability.PICKLING)
        return (type(self).from_bytes, (self.to_bytes(),))

"""The face of a classifier that users hold."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from reasons import _core
from reasons.budget import Budget
from reasons.circuits import file_format
from reasons.circuits.circuit import Circuit
from reasons.circuits.cnf import Clauses
from reasons.counting import bias_share
from reasons.counting.bias_share import BiasShare
from reasons.counting.queries import Models
from reasons.counting.weights import Given, Weights
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.explain import bias
from reasons.explain import prime_implicants as minimal
from reasons.explain.bias import Bias
from reasons.explain.sentences import Wording
from reasons.explain.term_set import TermSet
from reasons.features.encoding import cells_of_rows
from reasons.features.feature import Feature
from reasons.features.terms import instance_of
from reasons.render.svg import svg
from reasons.search.backend import Trees
from reasons.search.union import Form
from reasons.text import comma_list, plural
from reasons.views.notebook import classifier_html
from reasons.views.pictures import graph

_MOST_SHOWN = 60  # nodes that a notebook draws


class Classifier(Models):
    """Features, labels, and a circuit that maps every instance to a label.

    Of clauses that are not compiled, the circuit is made when a question first needs it.
    `notes` say where a trained model came from and how it was compiled; `model_predict` is its
    own, on rows of raw values, and `model_options` are what it was compiled with.

    >>> import reasons
    >>> clf = reasons.compile("E & (~F | G | W)")
    >>> clf.decide("E, ~F, ~G, W").label
    True
    """

    def __init__(
        self,
        form: Form,
        *,
        wording: Wording | None = None,
        constraint: str | None = None,
        weights: Given | None = None,
        predict: Callable[[Sequence[Sequence[Any]]], Sequence[Any]] | None = None,
        notes: Iterable[str] = (),
        options: Any = None,
    ) -> None:
        self._form = form
        self.schema, self.labels = form.schema, form.labels
        self.wording = wording or Wording()
        self.constraint = constraint
        self.model_predict, self.notes, self.model_options = predict, tuple(notes), options
        self.weights = None if weights is None else Weights(form.schema, weights).named

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
        form = self._form
        if isinstance(form, Circuit):
            return self
        hurried = form.within(budget, seconds) if isinstance(form, Trees) else form.within(budget)
        found = object.__new__(type(self))  # copy() would pickle
        vars(found).update(vars(self), _form=hurried)
        return found

    @property
    def circuit(self) -> Circuit:
        """The circuit, compiled now if it was not. Can explode then: budgeted at loading."""
        return self._form.circuit

    @property
    def method(self) -> str:
        """How questions are answered: "compiled", "search", or "clauses" while they suffice."""
        return self._form.method

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in order."""
        return tuple(self.schema)

    def __repr__(self) -> str:
        names = comma_list((feature.name for feature in self.features), most=6)
        size = plural(len(self._form), "node")
        if isinstance(self._form, Clauses):
            size = plural(len(self._form), "clause")
        if isinstance(self._form, Trees):
            size = f"{plural(self._form.trees, 'tree')}, searched"
        return f"<Classifier of {names} to {comma_list(self.labels, most=6)}; {size}>"

    def _repr_html_(self) -> str:
        small = self.method == "compiled" and len(self.circuit) <= _MOST_SHOWN
        return classifier_html(self, svg(graph(self.circuit)) if small else "")

    def label_of(self, cells: Sequence[int]) -> int:
        """The position of the label of an instance's cells, or `_core.IMPOSSIBLE`."""
        return _core.decide(self._form.native, cells)

    def explaining(self, label: int) -> Form:
        """What explains decisions with a label, by its position: the circuit, or clauses."""
        return self._form.explaining(label)

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
        found = self._form.native.decide_all(numpy.frombuffer(cells, numpy.uint16), number)
        if _core.IMPOSSIBLE in found:
            row = found.index(_core.IMPOSSIBLE)
            declared = f": {self.constraint}" if self.constraint else ""
            raise InputError(f"row {row} is impossible under what was declared{declared}")
        labels = numpy.empty(len(self.labels), dtype=object)
        labels[:] = self.labels
        if {type(label) for label in self.labels} in ({bool}, {int}, {float}, {str}):
            labels = numpy.array(self.labels)
        return labels[numpy.asarray(found, dtype=numpy.intp)]

    def prime_implicants(self, label: Any, *, budget: Budget | None = None) -> TermSet:
        """The minimal terms that force a label. Can explode: budgeted.

        >>> import reasons
        >>> print(reasons.compile("a & (b | c)").prime_implicants(True))
        a, b
        a, c
        """
        position = self.label_index(label)
        return minimal.prime_implicants(self.circuit, position, budget)

    def bias(
        self, protected: Iterable[str] | str, *, exact: bool = False, budget: Budget | None = None
    ) -> Bias:
        """Whether some decision hangs on protected features; the witness is a pair of instances.

        Cost: O(depth) on ordered circuits, O(circuit) a feature otherwise.
        """
        indices = self.schema.indices(protected)
        form = self._form if isinstance(self._form, Trees) else self.circuit
        return bias.classifier_bias(form, indices, budget, exact)

    def bias_share(
        self,
        protected: Iterable[str] | str,
        *,
        given: Any = None,
        weights: Given | None = None,
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
            self._given(given),
            None if chosen is None else Weights(self.schema, chosen),
            sample,
            seed,
        )
        form = self._form if isinstance(self._form, Trees) else self.circuit
        return bias_share.bias_share(form, question, exact, budget)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a `.reasons` file, all or nothing."""
        file_format.write(path, self.circuit, self._about())

    def _about(self) -> dict[str, Any]:
        """What a file says beside the circuit."""
        wording = {
            "subject": self.wording.subject,
            "pronoun": self.wording.pronoun,
            "labels": [
                [self.label_index(label), text] for label, text in self.wording.labels.items()
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
    def of_stored(cls, circuit: Circuit, about: Mapping[str, Any]) -> Self:
        """The classifier of a circuit and of what its file says beside."""
        said = about.get("wording") or {}
        labels = {
            circuit.labels[index]: text if isinstance(text, str) else (text[0], text[1])
            for index, text in said.get("labels", [])
        }
        return cls(
            circuit,
            wording=Wording(said.get("subject", ""), said.get("pronoun", ""), labels),
            constraint=about.get("constraint"),
            weights=about.get("weights"),
            notes=about.get("notes") or (),
        )

    def to_bytes(self) -> bytes:
        """What `save` writes."""
        return b"".join(file_format.packed(self.circuit, self._about()))

    @classmethod
    def of_bytes(cls, data: bytes) -> Self:
        """The classifier of what `to_bytes` gave or a `.reasons` file holds."""
        return cls.of_stored(*file_format.unpacked(memoryview(data), "<bytes>"))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its file; the trained model does not go with it."""
        if isinstance(self._form, Trees):
            raise InputError(
                f"this model is answered by search ({self._form.why}), and only compiled ones can "
                "be pickled or go to the workers of a cluster: compile it with a larger budget, "
                "or stay on this machine (an audit without engine=)"
            )
        return (type(self).of_bytes, (self.to_bytes(),))

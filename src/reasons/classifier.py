"""The two faces that users hold: a classifier, and a decision of it."""

import os
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

from reasons import _core, storage
from reasons.budget import Budget
from reasons.circuit import Circuit, native_budget
from reasons.errors import InputError, listed
from reasons.features import Feature
from reasons.notebook import decision_html
from reasons.queries import bias, change, count, minimal, relevance
from reasons.queries.bias import Bias
from reasons.queries.change import Change
from reasons.queries.shortest import Shortest, shortest
from reasons.queries.termset import TermSet
from reasons.reason import ReasonCircuit, complete_reason, general_reason
from reasons.rows import cells_of_rows
from reasons.statements import Wording, sentences
from reasons.terms import Instance, Term, instance_of, parse_term, term_of


class Classifier:
    """Features, labels, and a circuit that maps every instance to a label.

    `weights` are those of False and True of the features that a file gave some.

    >>> import reasons
    >>> clf = reasons.compile("E & (~F | G | W)")
    >>> clf.decide("E, ~F, ~G, W").label
    True
    """

    method = "compiled"

    def __init__(
        self,
        circuit: Circuit,
        *,
        wording: Wording | None = None,
        given: str | None = None,
        weights: Mapping[str, tuple[Fraction, Fraction]] | None = None,
    ) -> None:
        self.circuit = circuit
        self.wording = wording or Wording()
        self.given = given
        self.weights = dict(weights or {})

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in order."""
        return tuple(self.circuit.schema)

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels, in order."""
        return self.circuit.labels

    def __repr__(self) -> str:
        names = listed((feature.name for feature in self.features), most=6)
        return (
            f"<Classifier of {names} to {listed(self.labels, most=6)}; {len(self.circuit):,} nodes>"
        )

    def decide(self, instance: Any) -> "Decision":
        """The decision on an instance: a mapping, a sequence in feature order, or a text.

        Cost: O(depth).
        """
        return Decision(self, instance_of(self.circuit.schema, instance))

    def predict(self, rows: Any) -> Any:
        """The labels of a frame, an array or a list of instances, as a numpy array.

        Cost: O(rows * depth), plus reading the values.
        """
        import numpy

        cells, number = cells_of_rows(self.circuit.schema, rows)
        found = self.circuit.native.decide_all(numpy.frombuffer(cells, numpy.uint16), number)
        if _core.IMPOSSIBLE in found:
            row = found.index(_core.IMPOSSIBLE)
            declared = f": {self.given}" if self.given else ""
            raise InputError(f"row {row} is impossible under what was declared{declared}")
        labels = numpy.empty(len(self.labels), dtype=object)
        labels[:] = self.labels
        if {type(label) for label in self.labels} in ({bool}, {int}, {float}, {str}):
            labels = numpy.array(self.labels)
        return labels[numpy.asarray(found, dtype=numpy.intp)]

    def label_index(self, label: Any) -> int:
        """The position of a label, or `InputError` that lists the ones there are."""
        if label not in self.labels:
            raise InputError(f"there is no label {label!r}; the labels are: {listed(self.labels)}")
        return self.labels.index(label)

    def count(self, label: Any, *, budget: Budget | None = None) -> int:
        """How many allowed instances get the label, exactly. Cost: O(circuit) for each 60 bits.

        >>> import reasons
        >>> reasons.compile("a & (b | c)").count(True)
        3
        """
        return count.count(self.circuit, self.label_index(label), budget)

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
        indices = self.circuit.schema.indices(protected)
        return bias.classifier_bias(self.circuit, indices, budget, exact)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a `.reasons` file, all or nothing."""
        wording = {
            "subject": self.wording.subject,
            "pronoun": self.wording.pronoun,
            "labels": [
                [self.label_index(label), text] for label, text in self.wording.labels.items()
            ],
        }
        weights = {name: [str(w) for w in pair] for name, pair in self.weights.items()}
        about = {"wording": wording, "given": self.given, "weights": weights}
        storage.write(path, self.circuit, about)


class Decision:
    """A classifier applied to one instance: the label and everything asked about it."""

    def __init__(self, classifier: Classifier, instance: Instance) -> None:
        self.classifier, self.instance = classifier, instance
        self._circuit = classifier.circuit
        self._label = _core.decide(self._circuit.native, instance.cells)
        if self._label == _core.IMPOSSIBLE:
            raise InputError(
                f"the instance {instance} is impossible under what was declared"
                + (f": {classifier.given}" if classifier.given else "")
            )

    @property
    def label(self) -> Any:
        """What the classifier decided."""
        return self._circuit.labels[self._label]

    @property
    def cells(self) -> Term:
        """The instance as cells: numbers as the intervals they fall into."""
        return self._term(range(len(self._circuit.schema)))

    def _term(self, features: Iterable[int]) -> Term:
        return Term(self._circuit.schema, {f: (self.instance.cells[f],) for f in features})

    def __repr__(self) -> str:
        return f"<Decision {self.label} on {self.instance}>"

    def _repr_html_(self) -> str:
        return decision_html(self)

    @cached_property
    def reason(self) -> ReasonCircuit:
        """The complete reason: the disjunction of all sufficient reasons. Cost: O(circuit).

        >>> import reasons
        >>> print(reasons.compile("E & (~F | G | W)").decide("E, ~F, ~G, W").reason)
        E & (~F | W)
        """
        return complete_reason(self._circuit, self.instance, self._label)

    @cached_property
    def general_reason(self) -> ReasonCircuit:
        """The general complete reason: the disjunction of all maximal boxes. Cost: O(circuit)."""
        return general_reason(self._circuit, self.instance, self._label)

    def sufficient_reason(
        self,
        prefer: Iterable[str] | str = (),
        *,
        costs: Mapping[str, float] | None = None,
        budget: Budget | None = None,
    ) -> Term:
        """One subset-minimal property that forces the decision.

        Features not in `prefer` are dropped first, then those in it from last to first;
        within either, with `costs`, the dearest first. Greedy: subset-minimal, not always the
        shortest or cheapest. Cost: O(circuit * features) at worst.
        """
        schema = self._circuit.schema
        preferred = schema.indices(prefer)
        chosen = set(preferred)
        others = [f for f in range(len(schema)) if f not in chosen]
        price = schema.costs(costs)
        place = {feature: i for i, feature in enumerate(preferred)}
        order = sorted(others, key=lambda f: (-price.get(f, 1.0), -f))
        order += sorted(preferred, key=lambda f: (-price.get(f, 1.0), -place[f]))
        kept = _core.sufficient(
            self._circuit.native, self.instance.cells, self._label, order, native_budget(budget)
        )
        return self._term(kept)

    def sufficient_reasons(self, *, general: bool = False, budget: Budget | None = None) -> TermSet:
        """All sufficient reasons; with `general`, with values widened as far as they go.

        Can explode: budgeted.
        """
        if general:
            return minimal.general_reasons(
                self.general_reason, self.reason, self._circuit, self.instance, budget
            )
        return minimal.sufficient_reasons(self.reason, self._circuit, self.instance, budget)

    def shortest_reason(self, *, budget: Budget | None = None) -> Shortest:
        """A shortest sufficient reason: `.term`, `.proved`, and the bound `.at_least`.

        Within a budget of seconds this answers with the best found, and says if that is
        proved. Cost: exponential at worst.

        >>> import reasons
        >>> reasons.compile("a & b | c").decide("a, b, c").shortest_reason().term
        Term(c)
        """
        return shortest(
            self._circuit,
            self.instance,
            self._label,
            lambda limits: self.sufficient_reasons(budget=limits),
            budget or Budget(seconds=60),
        )

    def contrastive_sets(self, *, budget: Budget | None = None) -> TermSet:
        """The minimal sets of characteristics that must not all stay for another decision.

        Can explode: budgeted.
        """
        return minimal.contrastive_sets(self.reason, self._circuit, self.instance, budget)

    def contrastive_set(
        self,
        *,
        immutable: Iterable[str] | str = (),
        increase: Iterable[str] | str = (),
        decrease: Iterable[str] | str = (),
        allowed: Mapping[str, Any] | None = None,
        costs: Mapping[str, float] | None = None,
        label: Any = None,
    ) -> Change | None:
        """The cheapest change to another decision, or None if the constraints leave none.

        `immutable` features may not change, `increase` and `decrease` only that way,
        `allowed` lists the values a feature may change to, `costs` says what a change of a
        feature costs (1 by default, so that fewest changes win), `label` is the label wanted.
        Among equals the nearest values are taken. Proved cheapest. Cost: O(circuit).
        """
        wish = change.Wish(
            self._circuit.schema, self.instance, immutable, increase, decrease, allowed, costs
        )
        wanted = None if label is None else self.classifier.label_index(label)
        return change.cheapest(self._circuit, self.instance, self._label, wish, wanted)

    @cached_property
    def necessary_property(self) -> Term:
        """The characteristics that every sufficient reason has. Cost: O(circuit)."""
        return self._term(_core.necessary(self._circuit.native, self.instance.cells, self._label))

    @cached_property
    def necessary_reason(self) -> Term | None:
        """The necessary property, if it is sufficient: the only reason. Cost: O(circuit)."""
        term = self.necessary_property
        return term if self.counterexample(term) is None else None

    @cached_property
    def relevant_features(self) -> frozenset[str]:
        """The features that some sufficient reason mentions. Can explode: budgeted."""
        found = relevance.relevant_features(
            self.reason, self._circuit, self.instance, self._label, None
        )
        return frozenset(self._circuit.schema[f].name for f in found)

    def counterexample(self, term: Any) -> Instance | None:
        """An instance with these characteristics and another label, if there is one.

        Cost: O(circuit).
        """
        limits = [(f, sorted(cells)) for f, cells in self._property(term).limits.items()]
        cells = _core.counterexample(self._circuit.native, self.instance.cells, self._label, limits)
        return None if cells is None else self.instance.changed(cells)

    def is_sufficient(self, term: Any) -> bool:
        """Whether these characteristics alone force the decision. Cost: O(circuit).

        >>> import reasons
        >>> reasons.compile("a | b").decide("a, b").is_sufficient({"a": True})
        True
        """
        return self.counterexample(term) is None

    def because(self, term: Any) -> bool:
        """Whether the term is the complete reason: the only sufficient one. Cost: O(circuit)."""
        given = self._property(term)
        if any(len(cells) > 1 for cells in given.limits.values()):
            raise InputError(f"because takes values that the instance has, not sets: {given}")
        return self.necessary_reason is not None and given == self.necessary_reason

    def _property(self, term: Any) -> Term:
        """A term that is true of the instance, or `InputError`."""
        given = term_of(self._circuit.schema, term)
        for feature, cells in given.limits.items():
            if self.instance.cells[feature] not in cells:
                name = self._circuit.schema[feature].name
                raise InputError(
                    f"{self._circuit.schema[feature].says(cells)} is not true of the instance, "
                    f"where {name!r} is {self.instance[name]!r}"
                )
        return given

    def but(self, change: Any) -> "Decision":
        """The decision on the instance with some values changed; each must really change."""
        schema = self._circuit.schema
        values = dict(self.instance)
        for name, value in _changes(schema, change).items():
            index = schema.index(name)
            if schema[index].cell(value) == self.instance.cells[index]:
                raise InputError(f"{name!r} = {value!r} does not change the instance")
            values[name] = value
        return self.classifier.decide(values)

    def after(self, feature: int, cell: int) -> "Decision | None":
        """The decision after one feature moves to a cell; None where that is impossible."""
        cells = [*self.instance.cells[:feature], cell, *self.instance.cells[feature + 1 :]]
        if _core.decide(self._circuit.native, cells) == _core.IMPOSSIBLE:
            return None
        return Decision(self.classifier, self.instance.changed(cells))

    def even_if_because(self, change: Any, term: Any) -> bool:
        """Whether the decision sticks even if `change`, because `term`. Cost: O(circuit).

        The term must be true of this instance; it is the complete reason afterwards.
        """
        given = self._property(term)
        changed = self.but(change)
        if any(changed.instance.cells[f] not in cells for f, cells in given.limits.items()):
            return False
        return changed.because(given)

    def bias(self, protected: Iterable[str] | str) -> Bias:
        """Whether changing protected features alone can change the decision. Cost: O(circuit)."""
        indices = self._circuit.schema.indices(protected)
        return bias.decision_bias(self._circuit, self.instance, self._label, indices)

    def shows_classifier_bias(self, protected: Iterable[str] | str) -> bool:
        """Whether some sufficient reason mentions a protected feature (Theorem 5).

        If so the classifier is biased, even if this decision is not. Not the other way, and
        never where instances are declared impossible: the theorem needs all of them.
        """
        if self._circuit.native.has_impossible:
            return False
        names = {self._circuit.schema[i].name for i in self._circuit.schema.indices(protected)}
        return bool(self.relevant_features & names)

    def statements(self, *, protected: Iterable[str] | str = (), limit: int = 12) -> list[str]:
        """True sentences about the decision, at most `limit`, in the user's words.

        Cost: O(circuit) a sentence.
        """
        if limit < 0:
            raise InputError(f"limit={limit} must not be negative")
        return list(islice(sentences(self, protected), limit))


def _changes(schema: Any, change: Any) -> Mapping[str, Any]:
    if isinstance(change, str):
        parsed = parse_term(schema, change)
        for feature, (cells, _) in parsed.items():
            if len(cells) != 1:
                raise InputError(f"a change needs one value for {schema[feature].name!r}")
        return {schema[f].name: raw for f, (_, raw) in parsed.items()}
    if not isinstance(change, Mapping):
        raise InputError(f"a change is a mapping or a text, not {type(change).__name__}")
    return change

"""The face of a decision that users hold: a classifier applied to one instance."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import native_budget
from reasons.errors import InputError
from reasons.explain import bias, counterfactual, prime_implicants, relevance
from reasons.explain.bias import Bias
from reasons.explain.counterfactual import Counterfactual
from reasons.explain.reason_circuit import ReasonCircuit, complete_reason, general_reason
from reasons.explain.sentences import sentences
from reasons.explain.shortest_reason import Shortest, shortest
from reasons.explain.term_set import TermSet
from reasons.explain.widening import widened
from reasons.features.terms import Instance, Term, parse_term, term_of
from reasons.search.backend import Trees
from reasons.search.union import Form
from reasons.views.notebook import decision_html

if TYPE_CHECKING:
    from reasons.classifier import Classifier


class Decision:
    """A classifier applied to one instance: the label and everything asked about it."""

    def __init__(self, classifier: "Classifier", instance: Instance) -> None:
        self.classifier, self.instance = classifier, instance
        self._schema = classifier.schema
        self._widest: Term | None = None
        self._label = classifier.label_of(instance.cells)
        if self._label == _core.IMPOSSIBLE:
            raise InputError(
                f"the instance {instance} is impossible under what was declared"
                + (f": {classifier.constraint}" if classifier.constraint else "")
            )

    @property
    def label(self) -> Any:
        """What the classifier decided."""
        return self.classifier.labels[self._label]

    @property
    def _form(self) -> Form:
        """What answers questions about the decision: a circuit, or clauses it satisfies."""
        return self.classifier.explaining(self._label)

    @property
    def cells(self) -> Term:
        """The instance as cells: numbers as the intervals they fall into."""
        return self._term(range(len(self._schema)))

    def _term(self, features: Iterable[int]) -> Term:
        return Term(self._schema, {f: (self.instance.cells[f],) for f in features})

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
        return complete_reason(self._form, self.instance, self._label)

    def _within(self, budget: Budget | None) -> ReasonCircuit:
        """The complete reason; the budget matters where it takes a search."""
        if budget is None or not isinstance(self._form, Trees) or "reason" in vars(self):
            return self.reason
        return complete_reason(self._form, self.instance, self._label, budget)

    @cached_property
    def general_reason(self) -> ReasonCircuit:
        """The general complete reason: the disjunction of all maximal boxes. Cost: O(circuit)."""
        return general_reason(self._form, self.instance, self._label)

    def sufficient_reason(
        self,
        prefer: Iterable[str] | str = (),
        *,
        general: bool = False,
        costs: Mapping[str, float] | None = None,
        budget: Budget | None = None,
    ) -> Term:
        """One subset-minimal property that forces the decision.

        Features not in `prefer` are dropped first, then those in it from last to first;
        within either, with `costs`, the dearest first. Greedy: subset-minimal, not always the
        shortest or cheapest. With `general`, its values are then widened as far as they go.
        Cost: O(circuit * features) at worst, widened O(circuit * values); of models that are
        answered by search exponential at worst: budgeted.
        """
        schema = self._schema
        preferred = schema.indices(prefer)
        chosen = set(preferred)
        others = [f for f in range(len(schema)) if f not in chosen]
        price = schema.costs(costs)
        place = {feature: i for i, feature in enumerate(preferred)}
        order = sorted(others, key=lambda f: (-price.get(f, 1.0), -f))
        order += sorted(preferred, key=lambda f: (-price.get(f, 1.0), -place[f]))
        kept = _core.sufficient(
            self._form.native, self.instance.cells, self._label, order, native_budget(budget)
        )
        if general:
            return widened(self._form, self.instance, self._label, kept, budget)
        return self._term(kept)

    def widest_reason(self, budget: Budget | None = None) -> Term:
        """The sufficient reason with its values widened; kept, once it is found."""
        if self._widest is None:
            self._widest = self.sufficient_reason(general=True, budget=budget)
        return self._widest

    def each_sufficient_reason(self, *, budget: Budget | None = None) -> Iterator[Term]:
        """The sufficient reasons one after another: of circuits, shortest first.

        Of models that are answered by search, each as it is found; where not all of them fit
        the budget, the first ones may. Can explode: budgeted.
        """
        if isinstance(self._form, Trees):
            found = self._form.explanations(self.instance.cells, self._label, budget)
            return map(self._term, found.sufficient())
        return iter(self.sufficient_reasons(budget=budget))

    def each_contrastive_set(self, *, budget: Budget | None = None) -> Iterator[Term]:
        """The contrastive sets one after another, each as it is found. Can explode: budgeted."""
        if isinstance(self._form, Trees):
            found = self._form.explanations(self.instance.cells, self._label, budget)
            return map(self._term, found.contrastive())
        return iter(self.contrastive_sets(budget=budget))

    def sufficient_reasons(self, *, general: bool = False, budget: Budget | None = None) -> TermSet:
        """All sufficient reasons; with `general`, with values widened as far as they go.

        Can explode: budgeted.
        """
        if general:
            return prime_implicants.general_reasons(
                self.general_reason, self.reason, self._form, self.instance, budget
            )
        return prime_implicants.sufficient_reasons(
            self._within(budget), self._form, self.instance, budget
        )

    def shortest_reason(self, *, budget: Budget | None = None) -> Shortest:
        """A shortest sufficient reason: `.term`, `.proved`, and the bound `.at_least`.

        Within a budget of seconds this answers with the best found, and says if that is
        proved. Cost: exponential at worst.

        >>> import reasons
        >>> reasons.compile("a & b | c").decide("a, b, c").shortest_reason().term
        Term(c)
        """
        return shortest(
            self._form,
            self.instance,
            self._label,
            lambda limits: self.sufficient_reasons(budget=limits),
            budget or Budget(seconds=60),
        )

    def contrastive_sets(self, *, budget: Budget | None = None) -> TermSet:
        """The minimal sets of characteristics that must not all stay for another decision.

        Can explode: budgeted.
        """
        return prime_implicants.contrastive_sets(
            self._within(budget), self._form, self.instance, budget
        )

    def counterfactual(
        self,
        *,
        immutable: Iterable[str] | str = (),
        increase: Iterable[str] | str = (),
        decrease: Iterable[str] | str = (),
        allowed: Mapping[str, Any] | None = None,
        costs: Mapping[str, float] | None = None,
        label: Any = None,
    ) -> Counterfactual | None:
        """The cheapest change to another decision, or None if the constraints leave none.

        `immutable` features may not change, `increase` and `decrease` only that way,
        `allowed` lists the values a feature may change to, `costs` says what a change of a
        feature costs (1 by default, so that fewest changes win), `label` is the label wanted.
        Among equals the nearest values are taken, missing and other ones only where no ordinary
        ones do. Proved cheapest. Cost: O(circuit).
        """
        wish = counterfactual.Wish(
            self._schema, self.instance, immutable, increase, decrease, allowed, costs
        )
        wanted = None if label is None else self.classifier.label_index(label)
        return counterfactual.cheapest(self._form, self.instance, self._label, wish, wanted)

    @cached_property
    def necessary_property(self) -> Term:
        """The characteristics that every sufficient reason has. Cost: O(circuit)."""
        return self._term(_core.necessary(self._form.native, self.instance.cells, self._label))

    @cached_property
    def necessary_reason(self) -> Term | None:
        """The necessary property, if it is sufficient: the only reason. Cost: O(circuit)."""
        term = self.necessary_property
        return term if self.counterexample(term) is None else None

    @cached_property
    def relevant_features(self) -> frozenset[str]:
        """The features that some sufficient reason mentions. Can explode: budgeted."""
        found = relevance.relevant_features(
            self.reason, self._form, self.instance, self._label, None
        )
        return frozenset(self._schema[f].name for f in found)

    def counterexample(self, term: Any) -> Instance | None:
        """An instance with these characteristics and another label, if there is one.

        Cost: O(circuit).
        """
        limits = [(f, sorted(cells)) for f, cells in self._property(term).limits.items()]
        cells = self._form.counterexample(self.instance.cells, self._label, limits)
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
        given = term_of(self._schema, term)
        for feature, cells in given.limits.items():
            if self.instance.cells[feature] not in cells:
                name = self._schema[feature].name
                raise InputError(
                    f"{self._schema[feature].says(cells)} is not true of the instance, "
                    f"where {name!r} is {self.instance[name]!r}"
                )
        return given

    def replace(self, change: Any) -> "Decision":
        """The decision on the instance with some values changed; each must really change."""
        schema = self._schema
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
        if self.classifier.label_of(cells) == _core.IMPOSSIBLE:
            return None
        return Decision(self.classifier, self.instance.changed(cells))

    def even_if_because(self, change: Any, term: Any) -> bool:
        """Whether the decision sticks even if `change`, because `term`. Cost: O(circuit).

        The term must be true of this instance; it is the complete reason afterwards.
        """
        given = self._property(term)
        changed = self.replace(change)
        if any(changed.instance.cells[f] not in cells for f, cells in given.limits.items()):
            return False
        return changed._label == self._label and changed.because(given)

    def bias(self, protected: Iterable[str] | str) -> Bias:
        """Whether changing protected features alone can change the decision. Cost: O(circuit)."""
        indices = self._schema.indices(protected)
        return bias.decision_bias(self._form, self.instance, self._label, indices)

    def shows_classifier_bias(self, protected: Iterable[str] | str) -> bool:
        """Whether some sufficient reason mentions a protected feature (Theorem 5).

        If so the classifier is biased, even if this decision is not. Not the other way, and
        never where instances are declared impossible: the theorem needs all of them.
        """
        if self._form.has_impossible:
            return False
        names = {self._schema[i].name for i in self._schema.indices(protected)}
        return bool(self.relevant_features & names)

    def statements(
        self,
        *,
        protected: Iterable[str] | str = (),
        limit: int = 12,
        budget: Budget | None = None,
    ) -> list[str]:
        """True sentences about the decision, at most `limit`, in the user's words.

        Where the time of a budget runs out there are fewer. Cost: O(circuit) a sentence.
        """
        if limit < 0:
            raise InputError(f"limit={limit} must not be negative")
        return list(islice(sentences(self, protected, budget), limit))


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

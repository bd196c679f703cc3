"""`Decision`: a classifier applied to one instance; its queries are in explain/."""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.counting.queries import label_index
from reasons.errors import InputError, Option
from reasons.explain import bias, counterfactual, even_if, prime_implicants, relevance
from reasons.explain.bias import Bias
from reasons.explain.counterfactual import Counterfactual
from reasons.explain.reason_circuit import ReasonCircuit, complete_reason, general_reason
from reasons.explain.sentences import sentences
from reasons.explain.shortest_reason import Shortest, shortest
from reasons.explain.sufficient_reason import General, sufficient_reason
from reasons.explain.term_set import TermSet
from reasons.features.terms import Instance, Term
from reasons.render.dot import dot
from reasons.render.layout.layout import LIMIT
from reasons.render.svg import svg
from reasons.views.notebook import decision_html
from reasons.views.pictures import picture

if TYPE_CHECKING:
    from reasons.classifier import Classifier


class Decision:
    """A classifier applied to one instance: the label, and queries about why."""

    def __init__(self, classifier: "Classifier", instance: Instance) -> None:
        self.classifier, self.instance = classifier, instance
        self._schema = classifier.schema
        self._simple: Term | None = None
        self._widest: Term | None = None
        self._relevant: frozenset[int] | None = None
        self._label = self._backend.decide(instance.cells)
        if self._label == _core.IMPOSSIBLE:
            raise InputError(
                "the instance {instance} is impossible under what was declared{constraint}",
                instance=instance,
                constraint=f": {classifier.constraint}" if classifier.constraint else "",
            )

    @property
    def label(self) -> Any:
        """What the classifier decided."""
        return self.classifier.labels[self._label]

    @property
    def _backend(self) -> Backend:
        return self.classifier.backend

    @property
    def _subject(self) -> tuple[Backend, Instance, int]:
        """What queries of explain/ are about."""
        return self._backend, self.instance, self._label

    @property
    def cells(self) -> Term:
        """The instance as cells: numbers as the intervals they fall into."""
        return self.instance.term(range(len(self._schema)))

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
        return complete_reason(*self._subject)

    def _reason_within(self, budget: Budget | None) -> ReasonCircuit:
        """The complete reason, cached; the budget matters where it is searched."""
        if "reason" not in vars(self):
            vars(self)["reason"] = complete_reason(*self._subject, budget)
        return self.reason

    @cached_property
    def general_reason(self) -> ReasonCircuit:
        """The general complete reason: the disjunction of all maximal boxes. Cost: O(circuit)."""
        return general_reason(*self._subject)

    def sufficient_reason(
        self,
        prefer: Iterable[str] | str = (),
        *,
        general: General = False,
        costs: Mapping[str, float] | None = None,
        budget: Budget | None = None,
    ) -> Term:
        """One subset-minimal property that forces the decision.

        Features not in `prefer` are dropped first, then those in it from last to first; in
        both groups, with `costs`, the dearest first. The result is subset-minimal, but need not
        be shortest or cheapest. With `general`, its values are widened as far as possible: a
        number to an interval around it, a category to a set. With `general="unions"`, numbers
        are widened to unions of intervals too, missing values included.
        Cost: O(circuit * features) at worst, widened O(circuit * values). For models that are
        answered by search it is exponential at worst: budgeted.
        """
        if prefer or costs:
            return sufficient_reason(*self._subject, prefer, general, costs, budget)
        if self._simple is None:
            self._simple = sufficient_reason(*self._subject, budget=budget)
        return sufficient_reason(*self._subject, general=general, budget=budget, known=self._simple)

    def widest_reason(self, budget: Budget | None = None) -> Term:
        """The sufficient reason with its values widened, cached."""
        if self._widest is None:
            self._widest = self.sufficient_reason(general=True, budget=budget)
        return self._widest

    def each_sufficient_reason(self, *, budget: Budget | None = None) -> Iterator[Term]:
        """The sufficient reasons one after another: of circuits, shortest first.

        A search yields each as soon as it is found, so that the first ones may fit a budget that
        is too small for all. Can explode: budgeted.
        """
        cells = self.instance.cells
        terms = self._backend.enumerate_sufficient_reasons(cells, self._label, budget)
        if terms is not None:
            return map(self.instance.term, terms)
        return iter(self.sufficient_reasons(budget=budget))

    def each_contrastive_set(self, *, budget: Budget | None = None) -> Iterator[Term]:
        """The contrastive sets one after another, each as it is found. Can explode: budgeted."""
        cells = self.instance.cells
        terms = self._backend.enumerate_contrastive_sets(cells, self._label, budget)
        if terms is not None:
            return map(self.instance.term, terms)
        return iter(self.contrastive_sets(budget=budget))

    def sufficient_reasons(self, *, general: bool = False, budget: Budget | None = None) -> TermSet:
        """All sufficient reasons; with `general`, with values widened as far as possible.

        Can explode: budgeted.
        """
        if general:
            self._backend.require(Capability.GENERAL_REASON_SETS)
            simple = self.reason
            return prime_implicants.general_reasons(
                self.general_reason, simple, *self._subject, budget
            )
        reason = self._reason_within(budget)
        return prime_implicants.sufficient_reasons(reason, *self._subject, budget)

    def shortest_reason(self, *, budget: Budget | None = None) -> Shortest:
        """A shortest sufficient reason: `.term`, `.proved`, and the bound `.at_least`.

        When the time of a budget is over, the best reason so far is returned, with `.proved`
        false. Cost: exponential at worst.

        >>> import reasons
        >>> reasons.compile("a & b | c").decide("a, b, c").shortest_reason().term
        Term(c)
        """
        return shortest(
            *self._subject,
            lambda limits: self.sufficient_reasons(budget=limits),
            budget or Budget(seconds=60),
        )

    def contrastive_sets(self, *, budget: Budget | None = None) -> TermSet:
        """The minimal sets of characteristics that must change together for another decision.

        Can explode: budgeted.
        """
        return prime_implicants.contrastive_sets(
            lambda: self._reason_within(budget), *self._subject, budget
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
        budget: Budget | None = None,
    ) -> Counterfactual | None:
        """The cheapest change to another decision, or None if the constraints allow none.

        `immutable` features may not change; `increase` and `decrease` features only in that
        direction. `allowed` lists the values that a feature may change to. `costs` has the cost of
        changing a feature: 1 by default, so that the fewest changes win. `label` is the wanted
        label. Among equals the nearest values are taken, and missing or other values only if no
        ordinary ones do. Proved cheapest. Cost: O(circuit); for models that are answered by
        search it is exponential at worst: budgeted.
        """
        constraints = counterfactual.Constraints(
            self._schema, self.instance, immutable, increase, decrease, allowed, costs
        )
        wanted = None if label is None else label_index(self.classifier.labels, label)
        return counterfactual.cheapest(
            self._backend_within(budget), self.instance, self._label, constraints, wanted
        )

    def _backend_within(self, budget: Budget | None) -> Backend:
        """The backend, whose searches end with a budget if there is one."""
        if budget is None:
            return self._backend
        left = budget.seconds_left
        return self._backend.within(budget, math.inf if left is None else left)

    @cached_property
    def necessary_property(self) -> Term:
        """The characteristics that are in every sufficient reason. Cost: O(circuit)."""
        return self.instance.term(self._backend.necessary(self.instance.cells, self._label))

    @cached_property
    def necessary_reason(self) -> Term | None:
        """The necessary property, if it is sufficient: the only reason. Cost: O(circuit)."""
        term = self.necessary_property
        return term if self.counterexample(term) is None else None

    def relevant_features(self, *, budget: Budget | None = None) -> frozenset[str]:
        """The features that some sufficient reason mentions; cached. Can explode: budgeted."""
        if self._relevant is None:
            self._backend.require(Capability.COMPLETE_REASON)
            self._relevant = relevance.relevant_features(
                lambda: self._reason_within(budget), *self._subject, budget
            )
        return frozenset(self._schema[f].name for f in self._relevant)

    def is_relevant(self, feature: str, *, budget: Budget | None = None) -> Term | None:
        """A sufficient reason that mentions the feature; None if it is proved that none does.

        Needs python-sat unless the first try finds one. Cost: exponential at worst: budgeted.

        >>> import reasons
        >>> decision = reasons.compile("a & b | c").decide("a, b, ~c")
        >>> decision.is_relevant("b"), decision.is_relevant("c")
        (Term(a, b), None)
        """
        self._backend.require(Capability.COMPLETE_REASON)
        found = relevance.reason_with(
            lambda: self._reason_within(budget),
            *self._subject,
            self._schema.index(feature),
            budget,
        )
        return None if found is None else self.instance.term(found)

    def counterexample(self, term: Any) -> Instance | None:
        """An instance with these characteristics and another label, if there is one.

        Cost: O(circuit).
        """
        limits = self._property(term).limits
        cells = self._backend.counterexample(self.instance.cells, self._label, limits)
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
        reason = self._property(term)
        if any(len(cells) > 1 for cells in reason.limits.values()):
            raise InputError("because takes single values, not sets: {term}", term=reason)
        return self.necessary_reason is not None and reason == self.necessary_reason

    def _property(self, term: Any) -> Term:
        return even_if.property_of(self._schema, self.instance, term)

    def replace(self, change: Any) -> "Decision":
        """The decision on the instance with some values changed; each must really change."""
        values = even_if.replaced_values(self._schema, self.instance, change)
        return self.classifier.decide(values)

    def _after(self, feature: int, cell: int) -> "Decision | None":
        """The decision after one feature moves to a cell; None where that is impossible."""
        cells = [*self.instance.cells[:feature], cell, *self.instance.cells[feature + 1 :]]
        if self._backend.decide(cells) == _core.IMPOSSIBLE:
            return None
        return Decision(self.classifier, self.instance.changed(cells))

    def even_if_because(self, change: Any, term: Any) -> bool:
        """Whether the decision is the same even if `change`, because `term`. Cost: O(circuit).

        The term must be true of this instance; it is the complete reason after the change.
        """
        reason = self._property(term)
        changed = self.replace(change)
        if any(changed.instance.cells[f] not in cells for f, cells in reason.limits.items()):
            return False
        return changed._label == self._label and changed.because(reason)

    def bias(self, protected: Iterable[str] | str) -> Bias:
        """Whether changing protected features alone can change the decision. Cost: O(circuit)."""
        indices = self._schema.indices(protected)
        return bias.decision_bias(*self._subject, indices)

    def shows_classifier_bias(self, protected: Iterable[str] | str) -> bool:
        """Whether some sufficient reason mentions a protected feature (Theorem 5).

        If so, the classifier is biased, even if this decision is not. The converse does not hold.
        False where instances are declared impossible: the theorem does not cover them.
        """
        if self._backend.has_impossible:
            return False
        names = {self._schema[i].name for i in self._schema.indices(protected)}
        return bool(self.relevant_features() & names)

    def statements(
        self,
        *,
        protected: Iterable[str] | str = (),
        limit: int = 12,
        budget: Budget | None = None,
    ) -> list[str]:
        """True sentences about the decision, at most `limit`, with the user's phrases.

        There are fewer if the time of a budget runs out. Cost: O(circuit) a sentence.
        """
        if limit < 0:
            raise InputError("{option} must not be negative", option=Option("limit", limit))
        return list(islice(sentences(self, protected, budget), limit))

    def svg(self, what: str = "reason", *, limit: int = LIMIT) -> str:
        """A drawing of the decision as an SVG document.

        `what` is "reason", "graph" (the decision graph with the instance's path), or one of the
        paper's steps towards the reason: "circuit", "consensus", "filtered". Raises
        `BudgetExceeded` above `limit` vertices. Cost: O(circuit), and that of the layout.

        >>> import reasons
        >>> reasons.compile("a & b").decide("a, b").svg()[:4]
        '<svg'
        """
        return svg(picture(self.classifier, self, what), limit=limit)

    def dot(self, what: str = "reason") -> str:
        """The same drawing in the DOT language of Graphviz."""
        return dot(picture(self.classifier, self, what))

"""`Overview`: everything there is to say about one decision, found within one budget.

The shell, the server, the widget and notebooks all show this object; views/ makes its JSON. Each
part gets a share of the time. A part that the model or the budget leaves open is None or empty,
and `unanswered` has its error.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from reasons.backends.capabilities import Capability
from reasons.budget import Budget
from reasons.errors import BudgetExceeded, PropertyError
from reasons.explain.bias import Bias
from reasons.explain.counterfactual import Counterfactual
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.explain.term_set import TermSet
from reasons.features.terms import Term
from reasons.features.values import OTHER

if TYPE_CHECKING:
    from reasons.classifier import Classifier
    from reasons.decision import Decision

_MOST_STEPS = 20_000_000  # of counting shares: nodes of the diagram, once for each feature
_MOST_COUNTERFACTUALS = 12
_SECONDS_OF_SEARCH = 5.0  # for listing reasons by search, where the user has set no limit

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Unanswered:
    """A part of an overview that the model or the budget left open."""

    part: str
    error: BudgetExceeded | PropertyError

    @property
    def exceeded(self) -> bool:
        """Whether it was the budget."""
        return isinstance(self.error, BudgetExceeded)


@dataclass(frozen=True)
class FirstTerms:
    """The first terms of a set: how many there are (None: not known), and features' shares.

    A share is the part of all terms that mention a feature; features in no term are left out, and
    it is None where shares were not counted. `searched` terms come in no order, and `error` is
    what ended the search or the listing.
    """

    count: int | None
    terms: tuple[Term, ...] = ()
    shares: dict[str, float] | None = field(default_factory=dict)
    searched: bool = False
    error: BudgetExceeded | PropertyError | None = None

    @property
    def exceeded(self) -> bool:
        """Whether a budget ended before all terms were found."""
        return isinstance(self.error, BudgetExceeded)


@dataclass(frozen=True)
class BiasOverview:
    """Verdicts on protected features: of the decision, if there is one, and of the classifier.

    `classifier` is None where `error` says why it is not known.
    """

    protected: tuple[str, ...]
    decision: Bias | None
    classifier: Bias | None
    error: BudgetExceeded | None = None


@dataclass(frozen=True)
class Overview:
    """A decision and why: reasons, what is necessary, what would change it, bias, sentences.

    `widened` is the sufficient reason with its values widened, None where no feature has a third
    value. `general_reason` is None where all features are Boolean: it is the complete reason.
    """

    decision: "Decision"
    sufficient_reason: Term | None
    widened: Term | None
    complete_reason: ReasonCircuit | None
    general_reason: ReasonCircuit | None
    sufficient_reasons: FirstTerms
    contrastive_sets: FirstTerms
    necessary: Term | None
    necessary_reason: Term | None
    counterfactuals: tuple[Counterfactual, ...]
    sentences: tuple[str, ...]
    bias: BiasOverview | None
    unanswered: tuple[Unanswered, ...]

    @property
    def exceeded(self) -> tuple[str, ...]:
        """The parts for which the budget was too small."""
        sets = {"sufficient_reasons": self.sufficient_reasons}
        sets["contrastive_sets"] = self.contrastive_sets
        bias = ["bias"] if self.bias is not None and self.bias.error is not None else []
        open_parts = [each.part for each in self.unanswered if each.exceeded]
        return (*open_parts, *(name for name, found in sets.items() if found.exceeded), *bias)

    @property
    def unseen(self) -> dict[str, Any]:
        """The values that the model does not know, and decides as any other."""
        instance, features = self.decision.instance, self.decision.classifier.features
        return {
            feature.name: instance[feature.name]
            for feature, cell in zip(features, instance.cells, strict=True)
            if feature.values[cell] is OTHER and instance[feature.name] is not OTHER
        }


def overview(
    decision: "Decision",
    protected: Sequence[str] = (),
    limit: int = 20,
    budget: Budget | None = None,
    *,
    immutable: Sequence[str] = (),
    required: bool = False,
) -> Overview:
    """Everything about a decision, at most `limit` terms of each set.

    Counterfactuals leave `immutable` features as they are. With `required`, `BudgetExceeded` is
    raised where not even one sufficient reason fits the budget. Cost: O(circuit) a sentence;
    listing all reasons can explode and is cut off.
    """
    budget = budget or Budget()
    ask = _Questions(decision, budget)
    decision.classifier.schema.indices([*protected, *immutable])  # unknown names are errors
    reason, widened = ask.reason(required)
    return Overview(
        decision,
        sufficient_reason=reason,
        widened=widened,
        sufficient_reasons=ask.sufficient_reasons(limit),
        contrastive_sets=ask.contrastive_sets(limit),
        necessary=ask.tried("necessary", lambda: decision.necessary_property),
        necessary_reason=ask.tried("necessary_reason", lambda: decision.necessary_reason),
        counterfactuals=ask.tried("changes", lambda: counterfactuals(decision, budget, immutable))
        or (),
        sentences=ask.tried("sentences", lambda: ask.sentences(protected)) or (),
        complete_reason=ask.complete_reason(),
        general_reason=ask.general_reason(),
        bias=ask.tried(
            "bias", lambda: bias_overview(decision.classifier, decision, protected, budget)
        )
        if protected
        else None,
        unanswered=tuple(ask.unanswered),
    )


class _Questions:
    """Asks for one part after another, each within its share of the time."""

    def __init__(self, decision: "Decision", budget: Budget) -> None:
        self.decision, self.budget = decision, budget
        self.unanswered: list[Unanswered] = []
        self.is_searched = not decision.classifier.backend.one_pass

    def tried(self, part: str, answer: Callable[[], Answer]) -> Answer | None:
        """The answer, or None where the model or the time does not allow it."""
        try:
            self.budget.check("the questions before this one")
            return answer()
        except (BudgetExceeded, PropertyError) as error:
            self.unanswered.append(Unanswered(part, error))
            return None

    def reason(self, required: bool) -> tuple[Term | None, Term | None]:
        """A sufficient reason, and the same with its values widened, unless all have two."""
        decision, limit = self.decision, self.budget if required else _part(self.budget, 4)
        if required:
            reason: Term | None = decision.sufficient_reason(budget=limit)
        else:
            reason = self.tried(
                "sufficient_reason", lambda: decision.sufficient_reason(budget=limit)
            )
        if all(len(feature.values) <= 2 for feature in decision.classifier.features):
            return reason, None
        share = _part(self.budget, 4)
        return reason, self.tried("widened", lambda: decision.widest_reason(share))

    def sufficient_reasons(self, limit: int) -> FirstTerms:
        """The first sufficient reasons. Can explode: budgeted."""
        budget = self._listing(3)
        if self.is_searched:
            return found_by_search(self.decision.each_sufficient_reason(budget=budget), limit)
        return first_terms(lambda: self.decision.sufficient_reasons(budget=budget), limit, budget)

    def contrastive_sets(self, limit: int) -> FirstTerms:
        """The first contrastive sets, likewise."""
        budget = self._listing(2)
        if self.is_searched:
            return found_by_search(self.decision.each_contrastive_set(budget=budget), limit)
        return first_terms(lambda: self.decision.contrastive_sets(budget=budget), limit, budget)

    def _listing(self, of: int) -> Budget:
        budget = _part(self.budget, of)
        if self.is_searched and budget.seconds is None:
            return replace(budget, seconds=_SECONDS_OF_SEARCH)
        return budget

    def sentences(self, protected: Sequence[str]) -> tuple[str, ...]:
        """Sentences within half of the time that is left."""
        share = _part(self.budget, 2)
        return tuple(self.decision.statements(protected=protected, budget=share))

    def complete_reason(self) -> ReasonCircuit | None:
        """The complete reason; unanswered where that would take a search."""

        def reason() -> ReasonCircuit:
            if self.is_searched:
                raise PropertyError("not listed: the model is answered by search")
            return self.decision.reason

        return self.tried("complete_reason", reason)

    def general_reason(self) -> ReasonCircuit | None:
        """The general reason, where it is not the complete one and that is to be had."""
        features = self.decision.classifier.features
        if self.is_searched or all(feature.kind == "boolean" for feature in features):
            return None
        return self.tried("general_reason", lambda: self.decision.general_reason)


def _part(budget: Budget, of: int) -> Budget:
    """A budget with a part of the time that is left, so that no one question takes it all."""
    left = budget.seconds_left
    seconds = None if left is None else max(left / of, 1e-3)
    return replace(budget.renewed(), seconds=seconds)


def first_terms(make: Callable[[], TermSet], limit: int, budget: Budget) -> FirstTerms:
    """The first terms of a set, shortest first; an error where it outgrew its budget."""
    try:
        terms = make()
    except BudgetExceeded as error:
        return FirstTerms(None, shares=None, error=error)
    first = tuple(islice(terms, limit))
    steps = len(terms.family) * len(terms.ground.schema)
    if budget.seconds is not None and steps > _MOST_STEPS:
        return FirstTerms(terms.count(), first, None)
    shares = {name: share for name, share in terms.share().items() if share}
    return FirstTerms(terms.count(), first, shares)


def found_by_search(terms: Iterator[Term], limit: int) -> FirstTerms:
    """The first terms that a search finds; they are counted only where it finds all of them."""
    first: list[Term] = []
    try:
        for term in islice(terms, limit + 1):
            first.append(term)
    except (BudgetExceeded, PropertyError) as error:
        return FirstTerms(None, tuple(first[:limit]), None, searched=True, error=error)
    if len(first) > limit:
        return FirstTerms(None, tuple(first[:limit]), None, searched=True)
    names = sorted({name for term in first for name in term})
    shares = {name: sum(name in term for term in first) / len(first) for name in names}
    return FirstTerms(len(first), tuple(sorted(first, key=len)), shares, searched=True)


def bias_overview(
    classifier: "Classifier",
    decision: "Decision | None",
    protected: Sequence[str],
    budget: Budget | None = None,
) -> BiasOverview:
    """Whether a decision, and whether any, hangs on protected features."""
    own = None if decision is None else decision.bias(protected)
    try:
        verdict = classifier.bias(list(protected), budget=budget)
    except BudgetExceeded as error:
        return BiasOverview(tuple(protected), own, None, error)
    return BiasOverview(tuple(protected), own, verdict)


def counterfactuals(
    decision: "Decision", budget: Budget, immutable: Sequence[str] = ()
) -> tuple[Counterfactual, ...]:
    """The smallest change to each other label; of searched models with several, to any other.

    Cost: O(circuit) a label.
    """
    classifier = decision.classifier
    others = [label for label in classifier.labels if label != decision.label]
    to_each = classifier.backend.supports(Capability.COUNTERFACTUAL_LABEL)
    if len(classifier.labels) == 2 or not to_each:
        others = [None]
    found: list[Counterfactual] = []
    for label in others[:_MOST_COUNTERFACTUALS]:
        budget.check("changes")
        change = decision.counterfactual(label=label, immutable=immutable)
        found += [change] if change else []
    return tuple(sorted(found, key=lambda change: change.cost))

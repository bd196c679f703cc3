"""`Overview`: the answers to all queries about one decision, within one budget.

The shell, the server, the widget and notebooks show this object; views/ makes its JSON. Each part
gets a share of the time. A part that the model or the budget leaves open is None or empty, and
`unanswered` has its error.
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
    """The first terms of a set, their number if it is known, and the shares of features.

    A share is the fraction of all terms that mention a feature. Features in no term are left out;
    `shares` is None if they were not counted. `searched` terms have no order, and `error` is what
    ended the search or the listing.
    """

    count: int | None
    terms: tuple[Term, ...] = ()
    shares: dict[str, float] | None = field(default_factory=dict)
    searched: bool = False
    error: BudgetExceeded | PropertyError | None = None

    @property
    def exceeded(self) -> bool:
        """Whether the budget ended before the last term."""
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
    """A decision, its reasons, necessary parts, counterfactuals, bias, and sentences.

    `widened` is the sufficient reason with its values widened; None if no feature has a third
    value. `general_reason` is None if all features are Boolean: it is the complete reason.
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
        return (*open_parts, *(name for name, terms in sets.items() if terms.exceeded), *bias)

    @property
    def unseen(self) -> dict[str, Any]:
        """The values unknown to the model, which decides them as `<other>`."""
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
    """The answers about a decision, with at most `limit` terms of each set.

    Counterfactuals do not change `immutable` features. With `required`, `BudgetExceeded` is raised
    if not even one sufficient reason fits the budget. Cost: O(circuit) a sentence; listing all
    reasons can explode and is cut off.
    """
    budget = budget or Budget()
    ask = _Queries(decision, budget)
    decision.classifier.schema.indices([*protected, *immutable])  # unknown names are errors
    reason, widened = ask.reason(required)
    return Overview(
        decision,
        sufficient_reason=reason,
        widened=widened,
        sufficient_reasons=ask.terms(
            decision.each_sufficient_reason, decision.sufficient_reasons, 3, limit
        ),
        contrastive_sets=ask.terms(
            decision.each_contrastive_set, decision.contrastive_sets, 2, limit
        ),
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


class _Queries:
    """Answers one part after another, each within its share of the time."""

    def __init__(self, decision: "Decision", budget: Budget) -> None:
        self.decision, self.budget = decision, budget
        self.unanswered: list[Unanswered] = []
        self.is_searched = not decision.classifier.backend.one_pass

    def tried(self, part: str, answer: Callable[[], Answer]) -> Answer | None:
        """The answer, or None where the model or the time does not allow it."""
        try:
            self.budget.check("the queries before this one")
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

    def terms(
        self,
        each: Callable[..., Iterator[Term]],
        every: Callable[..., TermSet],
        of: int,
        limit: int,
    ) -> FirstTerms:
        """The first terms of a set, by search or from its diagram. Can explode: budgeted."""
        budget = _part(self.budget, of)
        if not self.is_searched:
            return _first_terms(lambda: every(budget=budget), limit, budget)
        if budget.seconds is None:
            budget = replace(budget, seconds=_SECONDS_OF_SEARCH)
        return _searched_terms(each(budget=budget), limit)

    def sentences(self, protected: Sequence[str]) -> tuple[str, ...]:
        """Sentences within half of the time that is left."""
        share = _part(self.budget, 2)
        return tuple(self.decision.statements(protected=protected, budget=share))

    def complete_reason(self) -> ReasonCircuit | None:
        """The complete reason; unanswered if it would take a search."""

        def reason() -> ReasonCircuit:
            if self.is_searched:
                raise PropertyError("not listed: the model is answered by search")
            return self.decision.reason

        return self.tried("complete_reason", reason)

    def general_reason(self) -> ReasonCircuit | None:
        """The general reason, unless it is the complete one or would take a search."""
        features = self.decision.classifier.features
        if self.is_searched or all(feature.kind == "boolean" for feature in features):
            return None
        return self.tried("general_reason", lambda: self.decision.general_reason)


def _part(budget: Budget, of: int) -> Budget:
    """A budget with a fraction of the time left, so that no query takes all of it."""
    left = budget.seconds_left
    seconds = None if left is None else max(left / of, 1e-3)
    return replace(budget.renewed(), seconds=seconds)


def _first_terms(make: Callable[[], TermSet], limit: int, budget: Budget) -> FirstTerms:
    """The first terms of a set, shortest first; or the error of its budget."""
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


def _searched_terms(terms: Iterator[Term], limit: int) -> FirstTerms:
    """The first terms of a search; they are counted only if it finds all of them."""
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
    """Whether protected features alone can change this decision, and whether any decision."""
    own = None if decision is None else decision.bias(protected)
    try:
        verdict = classifier.bias(list(protected), budget=budget)
    except BudgetExceeded as error:
        return BiasOverview(tuple(protected), own, None, error)
    return BiasOverview(tuple(protected), own, verdict)


def counterfactuals(
    decision: "Decision", budget: Budget, immutable: Sequence[str] = ()
) -> tuple[Counterfactual, ...]:
    """The smallest change to each other label; a searched model may have one to any other.

    Cost: O(circuit) a label.
    """
    classifier = decision.classifier
    others = [label for label in classifier.labels if label != decision.label]
    to_each = classifier.backend.supports(Capability.COUNTERFACTUAL_LABEL)
    if len(classifier.labels) == 2 or not to_each:
        others = [None]
    changes: list[Counterfactual] = []
    for label in others[:_MOST_COUNTERFACTUALS]:
        budget.check("changes")
        change = decision.counterfactual(label=label, immutable=immutable, budget=budget)
        changes += [change] if change else []
    return tuple(sorted(changes, key=lambda change: change.cost))

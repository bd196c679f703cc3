"""What is found out about one decision within a budget, before it is written anywhere.

The command line and the page ask the same questions here; each writes the answers its own way.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from reasons.backends.capabilities import Capability
from reasons.budget import Budget
from reasons.errors import BudgetExceeded, PropertyError
from reasons.explain.bias import Bias
from reasons.explain.counterfactual import Counterfactual
from reasons.explain.term_set import TermSet
from reasons.features.terms import Term

if TYPE_CHECKING:
    from reasons.classifier import Classifier
    from reasons.decision import Decision

_MOST_STEPS = 20_000_000  # of counting shares: nodes of the diagram, once for each feature


@dataclass(frozen=True)
class Some:
    """Some terms of a set: how many there are (None: not known), the first, and their shares.

    A share is the part of all terms that mention a feature; features in no term are left out.
    """

    count: int | None
    first: tuple[Term, ...]
    shares: dict[str, float]
    note: str | None = None


def some(make: Callable[[], TermSet], most: int, budget: Budget) -> Some:
    """The first terms of a set, shortest first; a note where it outgrew its budget."""
    try:
        terms = make()
    except BudgetExceeded as error:
        return Some(None, (), {}, str(error))
    first = tuple(islice(terms, most))
    steps = len(terms.family) * len(terms.ground.schema)
    if budget.seconds is not None and steps > _MOST_STEPS:
        return Some(terms.count(), first, {}, "shares are not counted: the set is too large")
    shares = {name: share for name, share in terms.share().items() if share}
    return Some(terms.count(), first, shares)


def found_one_by_one(terms: Iterator[Term], most: int) -> Some:
    """The first terms that a search finds; they are counted only where it finds all of them."""
    found: list[Term] = []
    try:
        for term in islice(terms, most + 1):
            found.append(term)
    except (BudgetExceeded, PropertyError) as error:
        return Some(None, tuple(found[:most]), {}, f"searched, not all of them: {error}")
    if len(found) > most:
        return Some(None, tuple(found[:most]), {}, "searched, not all of them; in no order")
    names = {name for term in found for name in term}
    shares = {name: sum(name in term for term in found) / len(found) for name in sorted(names)}
    return Some(len(found), tuple(sorted(found, key=len)), shares)


def sufficient_reasons(decision: "Decision", most: int, budget: Budget) -> Some:
    """The first sufficient reasons. Can explode: a budget that is spent is said in the note."""
    if not decision.classifier.backend.one_pass:
        return found_one_by_one(decision.each_sufficient_reason(budget=budget), most)
    return some(lambda: decision.sufficient_reasons(budget=budget), most, budget)


def contrastive_sets(decision: "Decision", most: int, budget: Budget) -> Some:
    """The first contrastive sets, as `sufficient_reasons`."""
    if not decision.classifier.backend.one_pass:
        return found_one_by_one(decision.each_contrastive_set(budget=budget), most)
    return some(lambda: decision.contrastive_sets(budget=budget), most, budget)


def classifier_bias(classifier: "Classifier", protected: list[str], budget: Budget) -> Bias | str:
    """The verdict on all decisions, or why it cannot be had within the budget."""
    try:
        return classifier.bias(protected, budget=budget)
    except BudgetExceeded as error:
        return str(error)


def changes(
    decision: "Decision", most: int, budget: Budget, immutable: Sequence[str] = ()
) -> list[Counterfactual]:
    """The smallest change to each other label; of searched models with several, to any other.

    Cost: O(circuit) a label.
    """
    classifier = decision.classifier
    others = [label for label in classifier.labels if label != decision.label][:most]
    to_each = classifier.backend.supports(Capability.COUNTERFACTUAL_LABEL)
    if len(classifier.labels) == 2 or not to_each:
        others = [None]
    found: list[Counterfactual] = []
    for label in others:
        budget.check("changes")
        change = decision.counterfactual(label=label, immutable=immutable)
        found += [change] if change else []
    return sorted(found, key=lambda change: change.cost)

"""One decision, as plain objects: what it is, why, and what would change it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from reasons.budget import Budget
from reasons.errors import BudgetExceeded, PropertyError
from reasons.explain import overview
from reasons.explain.counterfactual import Counterfactual
from reasons.explain.overview import Some
from reasons.explain.sentences import even_if_sentence
from reasons.features.schema import Schema
from reasons.features.terms import Term
from reasons.views.bias import bias
from reasons.views.graph import reason_graph
from reasons.views.values import (
    Object,
    characteristic,
    instance_told,
    json_value,
    raw_values,
    term_told,
    widened_told,
)

if TYPE_CHECKING:
    from reasons.decision import Decision

Found = TypeVar("Found")

MOST_CHANGES = 12
_MOST_TEXT = 2_000  # characters of a formula; longer ones nobody reads, and they take long to write


def decided(decision: "Decision") -> Object:
    """The label and the instance with its cells. Cost: O(features)."""
    schema, cells = decision.classifier.schema, decision.instance.cells
    return {
        **labelled(decision.label),
        "instance": instance_told(decision.instance),
        "cells": list(cells),
        "characteristics": [characteristic(schema, f, cell) for f, cell in enumerate(cells)],
    }


def labelled(label: Any) -> Object:
    """A label as a value and as text."""
    return {"label": json_value(label), "label_text": str(label)}


def explained(
    decision: "Decision",
    protected: Sequence[str],
    most: int,
    budget: Budget,
    *,
    immutable: Sequence[str] = (),
) -> Object:
    """Everything the page shows of a decision, at most `most` terms of each set.

    Changes leave `immutable` features as they are.
    A set that outgrows its share of the budget is left out, with a note. Cost: O(circuit) a
    sentence; listing all reasons can explode and is cut off.
    """
    classifier, schema, notes = decision.classifier, decision.classifier.schema, _Notes(budget)
    schema.indices([*protected, *immutable])  # a name that is no feature is an error, not a note
    reasons = overview.sufficient_reasons(decision, most, part(budget, 3))
    contrasts = overview.contrastive_sets(decision, most, part(budget, 2))
    necessary = notes.tried("what is necessary", lambda: decision.necessary_property)
    reason = notes.tried("the necessary reason", lambda: decision.necessary_reason)
    wide = notes.tried("the widened reason", lambda: _widened(decision, part(budget, 4)))
    changes = notes.tried(
        "changes", lambda: overview.changes(decision, MOST_CHANGES, budget, immutable)
    )
    said = notes.tried(
        "sentences", lambda: decision.statements(protected=protected, budget=part(budget, 2))
    )
    complete = notes.tried("the complete reason", lambda: _complete(decision, budget))
    verdict = None
    if protected:
        verdict = notes.tried("bias", lambda: bias(classifier, decision, protected, budget))
    return {
        **decided(decision),
        "sentences": said or [],
        "widened": None if wide is None else widened_told(schema, wide, decision.instance.cells),
        "complete_reason": complete,
        "sufficient_reasons": _some(schema, reasons),
        "necessary": _term_or_none(schema, necessary),
        "necessary_reason": _term_or_none(schema, reason),
        "changes": [_change(decision, change) for change in changes or ()],
        "contrastive_sets": _some(schema, contrasts),
        "bias": verdict,
        "notes": notes.texts,
    }


class _Notes:
    """What could not be answered, and why."""

    def __init__(self, budget: Budget) -> None:
        self.texts, self._budget = list[str](), budget

    def tried(self, what: str, ask: Callable[[], Found]) -> Found | None:
        """The answer, or None and a note where the model or the time does not allow it."""
        try:
            self._budget.check("the questions before this one")
            return ask()
        except (BudgetExceeded, PropertyError) as error:
            self.texts.append(f"{what}: {error}")
            return None


def _term_or_none(schema: Schema, term: Term | None) -> Object | None:
    return None if term is None else term_told(schema, term)


def _widened(decision: "Decision", budget: Budget) -> Term | None:
    """A sufficient reason with its values widened; None where no feature has a third value."""
    if all(len(feature.values) <= 2 for feature in decision.classifier.features):
        return None
    return decision.widest_reason(budget)


def part(budget: Budget, of: int) -> Budget:
    """A budget with a part of the time that is left, so that no one question takes it all."""
    left = budget.seconds_left
    seconds = None if left is None else max(left / of, 1e-3)
    return replace(budget.renewed(), seconds=seconds)


def _complete(decision: "Decision", budget: Budget) -> Object:
    """The complete reason; `PropertyError` where that would take a search."""
    if decision.classifier.method == "search":
        raise PropertyError("not listed: the model is answered by search")
    drawn = reason_graph(decision.reason, budget=budget)
    return {"graph": drawn, "text": decision.reason.written(_MOST_TEXT)}


def _some(schema: Schema, found: Some) -> Object:
    ranked = sorted(found.shares.items(), key=lambda item: -item[1])
    return {
        "count": None if found.count is None else str(found.count),
        "shown": [term_told(schema, term) for term in found.first],
        "shares": [{"feature": name, "share": share} for name, share in ranked],
        "note": found.note,
    }


def _change(decision: "Decision", change: Counterfactual) -> Object:
    return {
        **labelled(change.label),
        "instance": instance_told(change.instance),
        "changed": [
            {
                "feature": name,
                "from": json_value(decision.instance[name]),
                "to": json_value(change.instance[name]),
            }
            for name in change.given_up
        ],
    }


def even_if(decision: "Decision", change: Mapping[str, Any], budget: Budget) -> Object:
    """Whether the decision sticks after a change, and because of what.

    `because` are sufficient reasons afterwards that speak of unchanged characteristics only:
    one of them, which is there whenever any is. Cost: O(circuit * features) at worst.
    """
    schema = decision.classifier.schema
    changed = decision.replace(raw_values(schema, change))
    kept = [name for name in schema.names if name not in change]
    sticks = bool(changed.label == decision.label)
    reason = changed.sufficient_reason(prefer=kept, budget=budget)
    because = [reason] if sticks and not set(reason) & set(change) else []
    return {
        "before": json_value(decision.label),
        "after": json_value(changed.label),
        "sticks": sticks,
        "because": [term_told(schema, term) for term in because],
        "sentence": even_if_sentence(decision, changed, budget),
    }

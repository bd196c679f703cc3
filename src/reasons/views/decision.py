"""One decision as JSON objects: what it is, why, and what would change it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reasons.budget import Budget
from reasons.explain.counterfactual import Counterfactual
from reasons.explain.overview import FirstTerms, Overview, Unanswered
from reasons.explain.sentences import even_if_sentence
from reasons.features.schema import Schema
from reasons.features.terms import Term
from reasons.views.bias import bias_view
from reasons.views.graph import reason_graph
from reasons.views.values import (
    Object,
    changes_view,
    characteristic_view,
    instance_view,
    json_value,
    raw_values,
    term_view,
    utf8,
)

if TYPE_CHECKING:
    from reasons.decision import Decision

MOST_TEXT = 20_000  # characters of a formula; longer ones lose whole parts

_PARTS = {
    "sufficient_reason": "a sufficient reason",
    "widened": "the widened reason",
    "necessary": "what is necessary",
    "necessary_reason": "the necessary reason",
    "complete_reason": "the complete reason",
    "general_reason": "the general reason",
}
"""Parts of an overview in words; the others are words already."""


def decision_view(decision: "Decision") -> Object:
    """The label and the instance with its cells. Cost: O(features)."""
    schema, cells = decision.classifier.schema, decision.instance.cells
    return {
        **label_view(decision.label),
        "instance": instance_view(decision.instance),
        "cells": list(cells),
        "characteristics": [
            characteristic_view(schema, f, (cell,), cell) for f, cell in enumerate(cells)
        ],
    }


def label_view(label: Any) -> Object:
    """A label as a value and as text."""
    return {"label": json_value(label), "label_text": utf8(str(label))}


def overview_view(overview: Overview, budget: Budget | None = None) -> Object:
    """An overview, as the shell, the server and the widget give it."""
    decision = overview.decision
    classifier, own = decision.classifier, decision.instance.cells

    def term(found: Term | None) -> Object | None:
        return None if found is None else term_view(classifier.schema, found, own)

    complete = overview.complete_reason
    general = overview.general_reason
    verdict = overview.bias
    return {
        **decision_view(decision),
        "unseen": {name: json_value(value) for name, value in overview.unseen.items()},
        "method": classifier.method,
        "constraint": classifier.constraint,
        "sentences": list(overview.sentences),
        "sufficient_reason": term(overview.sufficient_reason),
        "widened": term(overview.widened),
        "complete_reason": None
        if complete is None
        else {
            "text": complete.written(MOST_TEXT),
            "graph": reason_graph(complete, budget=budget),
        },
        "general_reason": None if general is None else general.written(MOST_TEXT),
        "sufficient_reasons": _terms(classifier.schema, overview.sufficient_reasons, own),
        "necessary": term(overview.necessary),
        "necessary_reason": term(overview.necessary_reason),
        "changes": [_change(decision, change) for change in overview.counterfactuals],
        "contrastive_sets": _terms(classifier.schema, overview.contrastive_sets, own),
        "bias": None if verdict is None else bias_view(classifier, verdict),
        "unanswered": [each.part for each in overview.unanswered],
        "exceeded": list(overview.exceeded),
        "notes": [{"part": each.part, "text": note(each)} for each in overview.unanswered],
        "model_notes": list(classifier.notes),
    }


def note(unanswered: Unanswered) -> str:
    """What could not be answered, and why."""
    return f"{_PARTS.get(unanswered.part, unanswered.part)}: {unanswered.error}"


def terms_note(found: FirstTerms) -> str | None:
    """Why not all of a set of terms is known; None where it is."""
    if found.error is not None:
        return f"searched, not all of them: {found.error}" if found.searched else str(found.error)
    if found.count is None:
        return "searched, not all of them; in no order"
    return "shares are not counted: the set is too large" if found.shares is None else None


def _terms(schema: Schema, found: FirstTerms, own: Sequence[int]) -> Object:
    ranked = sorted((found.shares or {}).items(), key=lambda item: -item[1])
    return {
        "count": None if found.count is None else str(found.count),
        "shown": [term_view(schema, term, own) for term in found.terms],
        "shares": [{"feature": name, "share": share} for name, share in ranked],
        "exceeded": found.exceeded,
        "note": terms_note(found),
    }


def _change(decision: "Decision", change: Counterfactual) -> Object:
    return {
        **label_view(change.label),
        "instance": instance_view(change.instance),
        "changed": changes_view(decision.instance, change.instance),
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
        "because": [term_view(schema, term, changed.instance.cells) for term in because],
        "sentence": even_if_sentence(decision, changed, budget),
    }

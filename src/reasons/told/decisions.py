"""One decision, as plain objects: what it is, why, and what would change it."""

from collections.abc import Mapping, Sequence
from typing import Any

from reasons.budget import Budget
from reasons.decision import Decision
from reasons.features import Schema
from reasons.queries.change import Change
from reasons.statements import even_if_sentence
from reasons.told import explanation
from reasons.told.biases import bias
from reasons.told.explanation import Some
from reasons.told.graphs import reason_graph
from reasons.told.plain import (
    Object,
    characteristic,
    instance_told,
    json_value,
    raw_values,
    term_told,
)

MOST_CHANGES = 12


def decided(decision: Decision) -> Object:
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


def explained(decision: Decision, protected: Sequence[str], most: int, budget: Budget) -> Object:
    """Everything the page shows of a decision, at most `most` terms of each set.

    A set that outgrows its share of the budget is left out, with a note. Cost: O(circuit) a
    sentence; listing all reasons can explode and is cut off.
    """
    schema = decision.classifier.schema
    decision.classifier.schema.indices(protected)
    reason = decision.necessary_reason
    return {
        **decided(decision),
        "complete_reason": _complete(decision),
        "sufficient_reasons": _some(
            schema, explanation.sufficient_reasons(decision, most, part(budget, 3))
        ),
        "necessary": term_told(schema, decision.necessary_property),
        "necessary_reason": None if reason is None else term_told(schema, reason),
        "changes": [
            _change(decision, change) for change in explanation.changes(decision, MOST_CHANGES)
        ],
        "contrastive_sets": _some(
            schema, explanation.contrastive_sets(decision, most, part(budget, 2))
        ),
        "sentences": decision.statements(protected=protected, budget=part(budget, 2)),
        "bias": bias(decision.classifier, decision, protected, budget) if protected else None,
    }


def part(budget: Budget, of: int) -> Budget:
    """A budget with a part of the time that is left, so that no one question takes it all."""
    left = budget.seconds_left
    seconds = None if left is None else max(left / of, 1e-3)
    return Budget(nodes=budget.nodes, bytes=budget.bytes, seconds=seconds)


def _complete(decision: Decision) -> Object | None:
    """The complete reason; of a model that is searched, None."""
    if decision.classifier.method == "search":
        return None
    return {"text": str(decision.reason), "graph": reason_graph(decision.reason)}


def _some(schema: Schema, found: Some) -> Object:
    ranked = sorted(found.shares.items(), key=lambda item: -item[1])
    return {
        "count": None if found.count is None else str(found.count),
        "shown": [term_told(schema, term) for term in found.first],
        "shares": [{"feature": name, "share": share} for name, share in ranked],
        "note": found.note,
    }


def _change(decision: Decision, change: Change) -> Object:
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


def even_if(decision: Decision, change: Mapping[str, Any], budget: Budget) -> Object:
    """Whether the decision sticks after a change, and because of what.

    `because` are sufficient reasons afterwards that speak of unchanged characteristics only:
    one of them, which is there whenever any is. Cost: O(circuit * features) at worst.
    """
    schema = decision.classifier.schema
    changed = decision.but(raw_values(schema, change))
    kept = [name for name in schema.names if name not in change]
    sticks = bool(changed.label == decision.label)
    reason = changed.sufficient_reason(prefer=kept, budget=budget)
    because = [reason] if sticks and not set(reason) & set(change) else []
    return {
        "before": json_value(decision.label),
        "after": json_value(changed.label),
        "sticks": sticks,
        "because": [term_told(schema, term) for term in because],
        "sentence": even_if_sentence(decision, changed),
        "reason": _reason_graph(changed),
    }


def _reason_graph(decision: Decision) -> Object | None:
    if decision.classifier.method == "search":
        return None
    return reason_graph(decision.reason)

"""Verdicts on protected features, as plain objects with their evidence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reasons.budget import Budget
from reasons.explain.overview import classifier_bias
from reasons.views.values import Object, instance_told, json_value

if TYPE_CHECKING:
    from reasons.classifier import Classifier
    from reasons.decision import Decision


def bias(
    classifier: "Classifier",
    decision: "Decision | None",
    protected: Sequence[str],
    budget: Budget,
) -> Object:
    """Whether a decision, and whether any, hangs on protected features; with witnesses."""
    return {
        "protected": list(protected),
        "decision": None if decision is None else _of_decision(decision, protected),
        "classifier": _of_classifier(classifier, protected, budget),
    }


def _of_decision(decision: "Decision", protected: Sequence[str]) -> Object:
    found = decision.bias(protected)
    other = None if found.witness is None else decision.classifier.decide(found.witness)
    return {
        "biased": found.biased,
        "witness": None if other is None else instance_told(other.instance),
        "witness_label": None if other is None else json_value(other.label),
        "proof": found.proof,
    }


def _of_classifier(classifier: "Classifier", protected: Sequence[str], budget: Budget) -> Object:
    found = classifier_bias(classifier, list(protected), budget)
    if isinstance(found, str):
        return {"biased": None, "pair": None, "labels": [], "proof": None, "note": found}
    pair = [classifier.decide(instance) for instance in found.witness or ()]
    return {
        "biased": found.biased,
        "pair": [instance_told(one.instance) for one in pair] or None,
        "labels": [json_value(one.label) for one in pair],
        "proof": found.proof,
        "note": None,
    }

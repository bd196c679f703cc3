"""Verdicts on protected features as JSON objects, with their evidence."""

from typing import TYPE_CHECKING

from reasons.explain.bias import Bias
from reasons.explain.overview import BiasOverview
from reasons.views.values import Object, instance_view, json_value

if TYPE_CHECKING:
    from reasons.classifier import Classifier


def bias_view(classifier: "Classifier", overview: BiasOverview) -> Object:
    """Whether a decision, and whether any, depends on protected features; with witnesses."""
    return {
        "protected": list(overview.protected),
        "decision": None if overview.decision is None else _decision(classifier, overview.decision),
        "classifier": _classifier(classifier, overview),
    }


def _decision(classifier: "Classifier", bias: Bias) -> Object:
    other = None if bias.witness is None else classifier.decide(bias.witness)
    return {
        "biased": bias.biased,
        "witness": None if other is None else instance_view(other.instance),
        "witness_label": None if other is None else json_value(other.label),
        "proof": bias.proof,
    }


def _classifier(classifier: "Classifier", overview: BiasOverview) -> Object:
    bias = overview.classifier
    if bias is None:
        return {
            "biased": None,
            "pair": None,
            "labels": [],
            "proof": None,
            "exceeded": True,
            "note": str(overview.error),
        }
    pair = [classifier.decide(instance) for instance in bias.witness or ()]
    return {
        "biased": bias.biased,
        "pair": [instance_view(one.instance) for one in pair] or None,
        "labels": [json_value(one.label) for one in pair],
        "proof": bias.proof,
        "exceeded": False,
        "note": None,
    }

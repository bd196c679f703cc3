"""A classifier as a JSON object: its features with their values, its labels, its size."""

from typing import TYPE_CHECKING

from reasons.backends.capabilities import Capability
from reasons.budget import Budget
from reasons.features.feature import Feature
from reasons.features.values import Special
from reasons.views.values import Object, json_value, utf8

if TYPE_CHECKING:
    from reasons.classifier import Classifier

MOST_VALUES = 1_000


def classifier_view(classifier: "Classifier") -> Object:
    """Its features and labels; of a feature's values the first 1,000, and missing."""
    circuit = classifier.backend.compiled_circuit
    return {
        "method": classifier.method,
        "labels": [json_value(label) for label in classifier.labels],
        "label_texts": [utf8(str(label)) for label in classifier.labels],
        "nodes": None if circuit is None else len(circuit),
        "notes": list(classifier.notes),
        "constraint": classifier.constraint,
        "features": [_feature(feature) for feature in classifier.features],
    }


def size_view(classifier: "Classifier", budget: Budget | None = None) -> Object:
    """How large it is, and how many instances get each label.

    Cost: counting, O(circuit) a label. A model that is answered by search has no counts.
    """
    is_compiled = classifier.backend.supports(Capability.CIRCUIT)
    circuit = classifier.circuit if is_compiled else None
    counted = () if circuit is None else classifier.labels
    return {
        "instances": {
            utf8(str(label)): json_value(classifier.count(label, budget=budget))
            for label in counted
        },
        "nodes": None if circuit is None else len(circuit),
        "edges": None if circuit is None else circuit.edges,
        "ordered": None if circuit is None else circuit.is_ordered,
    }


def _feature(feature: Feature) -> Object:
    listed = [
        cell
        for cell, value in enumerate(feature.values)
        if cell < MOST_VALUES or isinstance(value, Special)
    ]
    return {
        "name": feature.name,
        "kind": feature.kind,
        "cells": len(feature.values),
        "cuts": [float(cut) for cut in feature.cuts[:MOST_VALUES]],
        "closed": feature.closed,
        "whole": feature.whole,
        "within": None if feature.within is None else [json_value(end) for end in feature.within],
        "values": [_value(feature, cell) for cell in listed],
    }


def _value(feature: Feature, cell: int) -> Object:
    return {
        "cell": cell,
        "text": feature.value_text(cell),
        "says": feature.says((cell,)),
        "raw": json_value(feature.example(cell)),
    }

"""A classifier, as a plain object: its features with their values, its labels, its size."""

from typing import TYPE_CHECKING

from reasons.features.feature import Feature
from reasons.features.values import Special
from reasons.views.values import Object, json_value

if TYPE_CHECKING:
    from reasons.classifier import Classifier

MOST_VALUES = 1_000


def model(classifier: "Classifier") -> Object:
    """What there is to choose from. The first 1,000 values of a feature are listed, and missing."""
    return {
        "method": classifier.method,
        "labels": [json_value(label) for label in classifier.labels],
        "label_texts": [str(label) for label in classifier.labels],
        "nodes": len(classifier.circuit) if classifier.method == "compiled" else None,
        "notes": list(classifier.notes),
        "constraint": classifier.constraint,
        "features": [_feature(feature) for feature in classifier.features],
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

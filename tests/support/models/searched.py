"""Ensembles that exceed their budget and are searched."""

from functools import cache
from typing import Any

import pytest

import reasons

pytest.importorskip("sklearn")

from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

TINY = reasons.Budget(nodes=5, seconds=None)


@cache
def table() -> tuple[Any, Any]:
    X, y = make_classification(
        300, 6, n_informative=5, n_redundant=0, n_classes=3, n_clusters_per_class=1, random_state=3
    )
    return X, y


def forest() -> Any:
    X, y = table()
    return RandomForestClassifier(12, max_depth=4, random_state=0).fit(X, y)


def boosted() -> Any:
    xgboost = pytest.importorskip("xgboost")
    X, y = table()
    return xgboost.XGBClassifier(n_estimators=6, max_depth=3, n_jobs=1).fit(X, y)


def two_labels() -> Any:
    xgboost = pytest.importorskip("xgboost")
    X, y = table()
    return xgboost.XGBClassifier(n_estimators=12, max_depth=3, n_jobs=1).fit(X, y == 1)


MODELS = {"forest": forest, "boosted, three labels": boosted, "boosted": two_labels}


@cache
def compiled(name: str, given: str | None = None) -> reasons.Classifier:
    classifier = reasons.compile(MODELS[name](), budget=TINY, constraint=given)
    assert classifier.method == "search"
    return classifier

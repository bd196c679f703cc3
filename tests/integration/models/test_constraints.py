"""Declared knowledge about a model's columns: reasons over the possible instances only."""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

import reasons
from reasons.frontends.options import Method

pytest.importorskip("sklearn")
pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")
pytest.importorskip("catboost")
pytest.importorskip("pysat")

import numpy

from tests.support.models.compare import (
    METHODS,
    compare_bias,
    compare_labels,
    compare_model,
    instances_of,
)
from tests.support.models.model_table import ModelSubject
from tests.support.models.small_models import NUMBERS, Fitted, of_arrays
from tests.support.oracle import IMPOSSIBLE

KINDS = ["tree", "random forest", "gradient boosting", "soft vote", "xgboost", "lightgbm"]
NAMES = ["a", "b", "c", "d"]
DOMAIN = {"a": range(3), "b": (0.25, 1.125), "c": {0.0, 1.5}}
GIVEN = "~(a = 2 & b < 0.375) & (c = 1.5 | a <= 1 | d > 0.625)"


def is_declared(row: Mapping[str, Any]) -> bool:
    """GIVEN in Python; no comparison holds of a number that is missing."""
    a, b, c, d = (math.nan if row[name] is None else row[name] for name in NAMES)
    return not (a == 2 and b < 0.375) and (c == 1.5 or a <= 1 or d > 0.625)


def model_of(name: str, seed: int) -> Fitted:
    rng = numpy.random.default_rng(seed)
    X = rng.integers(0, 4, (80, 4)) / 2
    y = (X @ [1, -1, 0.7, 0.9] + rng.normal(size=80) / 3 > 1.1).astype(int)
    model = NUMBERS[name](seed).fit(X, y)
    return Fitted(model, of_arrays(model))


def declared(found: Fitted, method: Method, **knowledge: Any) -> reasons.Classifier:
    classifier = reasons.compile(found.model, names=NAMES, method=method, **knowledge)
    assert classifier.method == method
    return classifier


@pytest.mark.parametrize("name", KINDS)
def test_a_declared_domain_leaves_only_its_cells(name: str) -> None:
    found = model_of(name, 1)
    for method in METHODS:
        classifier = declared(found, method, domain={**DOMAIN, "d": (0, 2)})
        numbers = [0, 1, 2], [0.25, 0.3, 0.7, 0.75, 1.125], [0.0, 1.5], [0, 0.2, 0.9, 1.3, 2.0]
        rows = [list(row) for row in product(*numbers)]
        assert classifier.predict(rows).tolist() == found.predict(rows)
        for wrong in ([3, 1, 0, 1], [0.5, 1, 0, 1], [1, 0.1, 0, 1], [1, 1, 0.5, 1], [1, 1, 0, 3]):
            with pytest.raises(reasons.InputError):
                classifier.decide(wrong)


@pytest.mark.parametrize("name", KINDS)
def test_reasons_are_about_what_is_possible(name: str) -> None:
    found = model_of(name, 2)
    subjects = [
        ModelSubject(
            declared(found, method, domain=DOMAIN, constraint=GIVEN),
            found.predict,
            possible=is_declared,
        )
        for method in METHODS
    ]
    assert IMPOSSIBLE in subjects[0].function.table.values()
    for subject in subjects:
        assert GIVEN in (subject.classifier.constraint or "")
        compare_labels(subject)
        compare_bias(subject)
    for x in instances_of(subjects[0], 2, 2):
        compiled, searched = (compare_model(subject, x) for subject in subjects)
        assert compiled == searched


def test_knowledge_changes_some_reasons() -> None:
    """Otherwise the test above would show nothing."""
    found = model_of("random forest", 2)
    for method in METHODS:
        with_it = declared(found, method, domain=DOMAIN, constraint=GIVEN)
        without = declared(found, method, domain=DOMAIN)
        assert GIVEN not in str(without.constraint)
        pairs = [
            (with_it.decide(x).sufficient_reasons(), without.decide(x).sufficient_reasons())
            for x in ([0, 1, 0.0, 1], [2, 1, 1.5, 0.2], [1, 0.3, 1.5, 1])
        ]
        assert any(set(one) != set(other) for one, other in pairs)


def test_a_row_that_is_declared_impossible_is_refused() -> None:
    found = model_of("tree", 3)
    for method in METHODS:
        classifier = declared(found, method, constraint=GIVEN)
        with pytest.raises(reasons.InputError, match="impossible"):
            classifier.decide([2, 0.3, 1.5, 1])
        with pytest.raises(reasons.InputError, match="impossible"):
            classifier.predict([[0, 1, 1.5, 1], [2, 0.3, 1.5, 1]])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 16))
@pytest.mark.parametrize("name", list(NUMBERS))
def test_more_declared_models(name: str, seed: int) -> None:
    found = model_of(name, seed)
    subjects = [
        ModelSubject(
            declared(found, method, domain=DOMAIN, constraint=GIVEN),
            found.predict,
            possible=is_declared,
            seed=seed,
        )
        for method in METHODS
    ]
    for subject in subjects:
        compare_labels(subject)
    for x in instances_of(subjects[0], 3, seed):
        compiled, searched = (compare_model(subject, x) for subject in subjects)
        assert compiled == searched

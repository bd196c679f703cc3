"""Linear models and naive Bayes: all answers, by both methods, against brute force.

The truth table is the library's own `predict` on one raw row of every cell.
"""

import pytest

import reasons

pytest.importorskip("sklearn")
pytest.importorskip("pysat")
pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")
pytest.importorskip("catboost")

from tests.support.models.compare import require_all_answers
from tests.support.models.small_scores import (
    BAYES,
    DENSE,
    EVERY,
    LINEAR,
    PIPELINES,
    Scored,
    fitted,
    piped,
)


def require(found: Scored, seed: int, instances: int = 2) -> None:
    require_all_answers(found.model, found.predict, seed, instances, **found.options)
    assert reasons.check(reasons.compile(found.model, **found.options), found.model, sample=50)


@pytest.mark.parametrize("name", EVERY)
def test_all_answers_over_declared_numbers(name: str) -> None:
    classes = 2 + len(name) % 2
    require(fitted(name, classes, classes), classes, instances=1)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_all_answers_through_pipelines(pipeline: str) -> None:
    name = ["logistic", "ridge", "Bernoulli"][len(pipeline) % 3]
    found = piped(name, pipeline, 1)
    assert [feature.name for feature in reasons.compile(found.model).features] == ["age", "job"]
    require(found, 1, instances=1)


@pytest.mark.parametrize("name", ["discriminant", "Gaussian", "categorical", "complement"])
def test_all_answers_through_dense_pipelines(name: str) -> None:
    require(piped(name, DENSE[name == "categorical"], 2, classes=3), 2, instances=1)


@pytest.mark.parametrize("name", BAYES)
def test_one_class(name: str) -> None:
    found = fitted(name, 3, 1)
    require(found, 3, instances=1)
    assert reasons.compile(found.model, **found.options).labels == (0,)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 20))
@pytest.mark.parametrize("name", EVERY)
def test_more_declared_numbers(name: str, seed: int) -> None:
    require(fitted(name, seed, 2 + seed % 4), seed, instances=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 13))
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", [*LINEAR, "Bernoulli", "Gaussian", "categorical"])
def test_more_pipelines(name: str, pipeline: str, seed: int) -> None:
    if pipeline not in DENSE and name in ("discriminant", "discriminant, shrunk", "Gaussian"):
        pytest.skip("it takes no sparse columns")
    if name == "categorical" and pipeline != "ordinals":
        pytest.skip("it takes codes")
    require(piped(name, pipeline, seed, 2 + seed % 2), seed)

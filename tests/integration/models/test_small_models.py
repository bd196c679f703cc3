"""Small random models of every class: all answers, by both methods, against brute force.

The truth table is the library's own `predict` on one raw row of every cell; tests/support/oracle.py
answers from it. Names of tests carry the seed.
"""

from math import prod

import pytest

import reasons
from tests.support.compare import compare_general

pytest.importorskip("sklearn")
pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")
pytest.importorskip("catboost")
pytest.importorskip("pysat")

from tests.support.models.compare import METHODS, instances_of, require_all_answers
from tests.support.models.model_table import ModelSubject
from tests.support.models.small_models import FILLED, MIXED, NUMBERS, SEVERAL, Fitted, fitted

EVERY = [*NUMBERS, *MIXED]
MOST_CELLS = 3_000


def small(name: str, seed: int, classes: int, gaps: bool = False, most: int = 600) -> Fitted:
    """The first model from a seed on that has at most so many cells."""
    for step in range(100):
        found = fitted(name, 1000 * seed + step, classes, gaps)
        sizes = [len(f.values) for f in reasons.compile(found.model, method="search").features]
        if prod(sizes) <= most and len(sizes) <= 6:
            return found
    raise AssertionError(f"no small model: {name}, seed {seed}")


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", EVERY)
def test_all_answers_are_those_of_brute_force(name: str, classes: int) -> None:
    require_all_answers(*small(name, classes, classes, most=250), classes, instances=2)


@pytest.mark.parametrize("name", [name for name in NUMBERS if name not in FILLED])
def test_missing_values_are_as_any_other(name: str) -> None:
    found = small(name, 5, 2, gaps=True, most=250)
    features = reasons.compile(found.model, method="search").features
    assert any(str(feature.values[-1]) == "<missing>" for feature in features)
    require_all_answers(*found, 5, instances=1)


@pytest.mark.parametrize("name", EVERY)
def test_ten_classes(name: str) -> None:
    require_all_answers(*small(name, 7, 10, most=250), 7, instances=1)


@pytest.mark.parametrize("name", [name for name in NUMBERS if name not in SEVERAL])
def test_one_class_has_one_reason_and_no_change(name: str) -> None:
    found = small(name, 3, 1)
    for method in METHODS:
        classifier = reasons.compile(found.model, method=method)
        assert classifier.labels == (0,)
        decision = classifier.decide([0.0] * len(classifier.features))
        assert [len(term) for term in decision.sufficient_reasons()] == [0]
        assert decision.contrastive_sets().count() == 0
        assert decision.counterfactual() is None
    require_all_answers(*found, 3, instances=1)


@pytest.mark.parametrize("name", EVERY)
def test_general_reasons_of_compiled_models(name: str) -> None:
    found = small(name, 11, 2, most=48)
    subject = ModelSubject(reasons.compile(found.model, method="compiled"), found.predict)
    for x in instances_of(subject, 2, 11):
        decision = subject.classifier.decide(subject.user_instance(x))
        compare_general(subject, decision, x)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", EVERY)
def test_more_models(name: str, seed: int) -> None:
    classes = [2, 2, 3, 4, 2, 10][seed]
    gaps = name in NUMBERS and name not in FILLED and seed % 2 == 0
    require_all_answers(*small(name, 20 + seed, classes, gaps, MOST_CELLS), seed, instances=2)

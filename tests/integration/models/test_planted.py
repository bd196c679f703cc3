"""Planted faults: what the tests of trained models must notice, and what compiling refuses."""

from typing import Any

import pytest

import reasons

pytest.importorskip("sklearn")
pytest.importorskip("pysat")
pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")
pytest.importorskip("catboost")

import numpy
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

from reasons import _core
from reasons.search.backend import EnsembleBackend
from tests.support.comparison import Mismatch
from tests.support.models.compare import METHODS, compare_labels, compare_model, instances_of
from tests.support.models.model_table import ModelSubject
from tests.support.models.small_models import fitted, of_arrays


def forest(seed: int = 0) -> tuple[Any, Any]:
    X, y = make_classification(150, 4, n_informative=4, n_redundant=0, random_state=seed)
    return RandomForestClassifier(5, max_depth=4, random_state=seed).fit(X.round(1), y), X


def hard_vote(model: Any) -> Any:
    """A predict that counts votes, as forests elsewhere do and this one does not."""

    def predict(table: Any) -> Any:
        votes = [each.predict(numpy.asarray(table, numpy.float32)) for each in model.estimators_]
        return model.classes_[(numpy.mean(votes, axis=0) > 0.5).astype(int)]

    return predict


@pytest.mark.parametrize("method", METHODS)
def test_a_predict_that_votes_is_refused_by_the_sample(method: Any) -> None:
    model, X = forest()
    reasons.compile(model, method=method)
    voted = hard_vote(model)
    assert (voted(X) != model.predict(X)).any()
    model.predict = voted
    with pytest.raises(reasons.PropertyError, match="instances differ"):
        reasons.compile(model, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_a_predict_that_votes_is_seen_by_the_comparison(method: Any) -> None:
    found = fitted("random forest", 4)
    classifier = reasons.compile(found.model, method=method)
    compare_labels(ModelSubject(classifier, found.predict))
    model = found.model
    model.predict = hard_vote(model)
    with pytest.raises(Mismatch):
        compare_labels(ModelSubject(classifier, of_arrays(model)))


def subject_of(method: Any) -> ModelSubject:
    found = fitted("gradient boosting", 3)
    return ModelSubject(reasons.compile(found.model, method=method), found.predict)


def noticed(subject: ModelSubject) -> bool:
    """Whether the comparison refuses some decision."""
    try:
        for x in instances_of(subject, 4, 0):
            compare_model(subject, x)
    except (Mismatch, reasons.PropertyError):
        return True
    return False


def test_a_search_that_overlooks_instances_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not noticed(subject_of("search"))
    search = EnsembleBackend.counterexample

    def blind(
        self: EnsembleBackend, cells: Any, label: int, limits: Any, budget: Any = None
    ) -> Any:
        found = search(self, cells, label, limits, budget)
        return None if found is not None and found[0] != cells[0] else found

    monkeypatch.setattr(EnsembleBackend, "counterexample", blind)
    assert noticed(subject_of("search"))


def test_a_change_that_is_not_the_cheapest_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def any_change(
        self: EnsembleBackend, cells: Any, label: int, allowed: Any, costs: Any, _: Any
    ) -> Any:
        found = self.counterexample(cells, label, allowed)
        if found is None:
            return None
        return found, sum(costs[f] for f, cell in enumerate(found) if cell != cells[f])

    monkeypatch.setattr(EnsembleBackend, "cheapest_change", any_change)
    assert noticed(subject_of("search"))


@pytest.mark.parametrize("method", METHODS)
def test_a_reason_with_too_much_in_it_is_noticed(
    method: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not noticed(subject_of(method))
    monkeypatch.setattr(_core, "sufficient", lambda native, cells, *_: list(range(len(cells))))
    assert noticed(subject_of(method))


@pytest.mark.parametrize("method", METHODS)
def test_another_truth_is_noticed(method: Any) -> None:
    """One cell of the table is decided otherwise: labels or reasons must differ from it."""
    subject = subject_of(method)
    x = instances_of(subject, 1, 0)[0]
    label = subject.function.table[x]
    subject.function.table[x] = next(k for k in (0, 1) if k != label)  # type: ignore[index]
    with pytest.raises(Mismatch):
        compare_labels(subject)

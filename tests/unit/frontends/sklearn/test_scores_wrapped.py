"""Thresholds, calibration, searches and regressors around linear models and naive Bayes."""

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import reasons

pytest.importorskip("sklearn")
pytest.importorskip("pysat")
pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")
pytest.importorskip("catboost")

from sklearn import calibration, linear_model, model_selection
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.frozen import FrozenEstimator
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.svm import LinearSVC

from tests.support.models.compare import METHODS, compare_labels
from tests.support.models.model_table import ModelSubject
from tests.support.models.small_scores import alone, counts, quietly, weighed

SHARES: dict[str, Callable[[], Any]] = {
    "logistic": linear_model.LogisticRegression,
    "log loss": lambda: linear_model.SGDClassifier(loss="log_loss", random_state=0),
    "huber": lambda: linear_model.SGDClassifier(loss="modified_huber", random_state=0),
    "discriminant": LinearDiscriminantAnalysis,
    "multinomial": MultinomialNB,
    "categorical": CategoricalNB,
    "Gaussian": GaussianNB,
    "Bernoulli": BernoulliNB,
}


def table() -> tuple[Any, Any, dict[str, Any]]:
    X, y = counts(3, 2)
    return X, numpy.array(["no", "yes"])[y], {f"x{at}": range(3) for at in range(X.shape[1])}


def require(model: Any, decide: Callable[[Any], Any], **options: Any) -> None:
    def predict(rows: list[list[Any]]) -> list[Any]:
        return list(numpy.asarray(decide(numpy.array(rows, dtype=float))).tolist())

    for method in METHODS:
        classifier = reasons.compile(model, method=method, **options)
        compare_labels(ModelSubject(classifier, alone(predict)))
        assert reasons.check(classifier, model, sample=100)


@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.87])
@pytest.mark.parametrize("name", SHARES)
def test_a_threshold_is_on_the_probability(name: str, threshold: float) -> None:
    X, y, domain = table()
    model = quietly(lambda: SHARES[name]().fit(X, y))
    declared = {} if name in ("categorical", "Bernoulli") else {"domain": domain}
    labels = model.classes_
    require(
        model,
        lambda rows: labels[(model.predict_proba(rows)[:, 1] >= threshold).astype(int)],
        threshold=threshold,
        **declared,
    )


@pytest.mark.parametrize("threshold", [0.5, 0.2689414213699951, 1.0, 0.0])
def test_a_threshold_that_scores_meet_exactly(threshold: float) -> None:
    found = weighed([1.0, -1.0, 40.0], 0.0)
    require(
        found.model,
        lambda rows: (found.model.predict_proba(rows)[:, 1] >= threshold).astype(int),
        threshold=threshold,
        domain={f"x{at}": range(3) for at in range(3)},
    )


@pytest.mark.parametrize(("name", "positive"), [("logistic", "yes"), ("multinomial", "no")])
def test_fixed_and_tuned_thresholds(name: str, positive: str) -> None:
    X, y, domain = table()
    fixed = model_selection.FixedThresholdClassifier(
        SHARES[name](), threshold=0.7, pos_label=positive
    ).fit(X, y)
    require(fixed, fixed.predict, domain=domain)
    tuned = model_selection.TunedThresholdClassifierCV(SHARES[name](), cv=3).fit(X, y)
    require(tuned, tuned.predict, domain=domain)


def test_a_threshold_on_the_decision() -> None:
    X, y, domain = table()
    model = model_selection.FixedThresholdClassifier(
        LinearSVC(random_state=0), threshold=0.3, response_method="decision_function"
    ).fit(X, y)
    require(model, model.predict, domain=domain)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibrated_scores(method: str) -> None:
    X, y, domain = table()
    inner = FrozenEstimator(LinearSVC(random_state=0).fit(X, y))
    model = calibration.CalibratedClassifierCV(inner, method=method).fit(X, y)
    require(model, model.predict, domain=domain)
    several = calibration.CalibratedClassifierCV(LinearSVC(), cv=3).fit(X, y)
    with pytest.raises(reasons.UnsupportedModel, match="ensemble=False"):
        reasons.compile(several, domain=domain)


def test_a_calibrated_naive_bayes_is_refused() -> None:
    X, y, domain = table()
    model = calibration.CalibratedClassifierCV(FrozenEstimator(MultinomialNB().fit(X, y)))
    with pytest.raises(reasons.UnsupportedModel, match="not a function of one sum"):
        reasons.compile(model.fit(X, y), domain=domain)


def test_searches_for_parameters() -> None:
    X, y, domain = table()
    grid = {"C": [0.1, 1.0]}
    model = model_selection.GridSearchCV(linear_model.LogisticRegression(), grid, cv=2).fit(X, y)
    require(model, model.predict, domain=domain)


REGRESSORS: dict[str, Callable[[], Any]] = {
    "least squares": linear_model.LinearRegression,
    "ridge": linear_model.Ridge,
    "lasso": lambda: linear_model.Lasso(alpha=0.05),
    "gradient": lambda: linear_model.SGDRegressor(random_state=0),
    "Bayesian": linear_model.BayesianRidge,
}


@pytest.mark.parametrize("name", REGRESSORS)
def test_a_cut_off_of_numbers(name: str) -> None:
    X, _, domain = table()
    model = REGRESSORS[name]().fit(X, X @ numpy.arange(X.shape[1]) + X[:, 0] ** 2)
    require(model, lambda rows: model.predict(rows) >= 2.5, threshold=2.5, domain=domain)


def test_bins_and_weights_in_a_file(tmp_path: Any) -> None:
    skops = pytest.importorskip("skops.io")
    X, y, _ = table()
    model = make_pipeline(KBinsDiscretizer(2, strategy="uniform"), MultinomialNB()).fit(X, y)
    skops.dump(model, tmp_path / "model.skops")
    classifier = reasons.load(tmp_path / "model.skops")
    assert (classifier.predict(X) == model.predict(X)).all()


def test_a_pipeline_behind_a_threshold() -> None:
    X, y, _ = table()
    X = X + numpy.random.default_rng(0).random(X.shape)
    bins = KBinsDiscretizer(2, strategy="uniform")
    pipeline = make_pipeline(bins, linear_model.LogisticRegression())
    model = model_selection.FixedThresholdClassifier(pipeline, threshold=0.6, pos_label="yes")
    model.fit(X, y)
    require(model, model.predict)
    pipeline = model.estimator_
    chosen = pipeline.classes_
    require(
        pipeline,
        lambda rows: chosen[(pipeline.predict_proba(rows)[:, 1] >= 0.3).astype(int)],
        threshold=0.3,
    )

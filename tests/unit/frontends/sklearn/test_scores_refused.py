"""Scores that are not compiled: raw numbers, odd weights, changed shapes; each says what to do."""

from collections.abc import Callable
from typing import Any

import numpy
import pandas
import pytest

import reasons

pytest.importorskip("sklearn")
pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")
pytest.importorskip("catboost")

from sklearn import naive_bayes
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import LinearSVC

from tests.support.models.small_scores import counts, ones, quietly, weighed


def people() -> tuple[Any, Any]:
    rng = numpy.random.default_rng(0)
    frame = pandas.DataFrame(
        {
            "age": rng.integers(18, 90, 100).astype(float),
            "pay": rng.normal(size=100),
            "job": rng.choice(["clerk", "nurse"], 100).astype(object),
        }
    )
    return frame, frame.age + 30 * (frame.job == "nurse") > 60


def test_raw_numbers_are_refused_by_name_with_a_pipeline_to_use() -> None:
    frame, y = people()
    model = LogisticRegression().fit(frame[["age", "pay"]], y)
    with pytest.raises(reasons.UnsupportedModel, match="age, pay") as refused:
        reasons.compile(model)
    for part in ("make_pipeline(", "KBinsDiscretizer", "OneHotEncoder", "domain={'age': range"):
        assert part in str(refused.value)


def test_only_the_numbers_that_are_left_raw_are_named() -> None:
    frame, y = people()
    prepared = make_column_transformer(
        (KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf"), ["age"]),
        (StandardScaler(), ["pay"]),
        (OneHotEncoder(), ["job"]),
    )
    model = make_pipeline(prepared, LogisticRegression()).fit(frame, y)
    with pytest.raises(reasons.UnsupportedModel, match=r"raw numeric columns: pay\. "):
        reasons.compile(model)
    with pytest.raises(reasons.UnsupportedModel, match=r"raw numeric columns: pay\. "):
        reasons.compile(model, domain={"pay": (0, 1)})
    few = reasons.compile(model, domain={"pay": {0.5, 1.25}})
    assert few.features[1].values == (0.5, 1.25)


def test_ones_by_hand_are_refused_with_their_group() -> None:
    frame = pandas.DataFrame({"job_clerk": [0, 1, 0, 1], "job_nurse": [1, 0, 0, 0]})
    model = LogisticRegression().fit(frame, [0, 1, 0, 1])
    with pytest.raises(reasons.UnsupportedModel, match=r"groups={'job': \['job_clerk', 'job_nurse"):
        reasons.compile(model)
    assert reasons.compile(model, groups={"job": ["job_clerk", "job_nurse"]}).schema.names == (
        "job",
    )


def with_infinity() -> Any:
    return weighed([1.0, numpy.inf], 0.0).model


def with_nan() -> Any:
    return weighed([1.0, 2.0], numpy.nan).model


def with_a_column_less() -> Any:
    found = weighed([1.0, 2.0], 0.0).model
    found.coef_ = found.coef_[:, :1]
    return found


def with_a_class_more() -> Any:
    found = weighed([1.0, 2.0], 0.0).model
    found.classes_ = numpy.array([0, 1, 2])
    return found


def with_one_class() -> Any:
    found = weighed([1.0, 2.0], 0.0).model
    found.classes_ = numpy.array([0])
    return found


def of_several_labels() -> Any:
    X, y = counts(0, 2)
    return RidgeClassifier().fit(X[:, :2], numpy.stack([y, 1 - y], axis=1))


def without_smoothing() -> Any:
    X = numpy.array([[0, 1], [0, 0], [1, 0], [1, 1]])
    model = naive_bayes.BernoulliNB(alpha=0, force_alpha=True)
    return quietly(lambda: model.fit(X, [0, 0, 1, 1]))


def of_two_numbers() -> Any:
    X, y = counts(0, 2)
    return LinearRegression().fit(X[:, :2], numpy.stack([y, 1 - y], axis=1))


ODD: dict[str, tuple[Callable[[], Any], dict[str, Any], str]] = {
    "infinite weights": (with_infinity, {}, "coefficients are not all finite"),
    "not a number": (with_nan, {}, "intercepts are not all finite"),
    "a column less": (with_a_column_less, {}, r"coef_ of the shape \(1, 1\)"),
    "a class more": (with_a_class_more, {}, r"\(3, 2\) and \(3,\) were expected"),
    "one class": (with_one_class, {}, "one class"),
    "several labels": (of_several_labels, {}, "several labels"),
    "no smoothing": (without_smoothing, {}, "alpha above 0"),
    "numbers without a threshold": (of_two_numbers, {}, "give threshold="),
    "several numbers": (of_two_numbers, {"threshold": 0.5}, "several numbers"),
    "half precision": (
        lambda: weighed(numpy.array([1.0, 2.0], numpy.float16), 0.0).model,
        {},
        "float16, not float64",
    ),
    "huge sums": (
        lambda: weighed([1e300, 1.0], 0.0).model,
        {"domain": {"x0": {1e9}, "x1": {0, 1}}},
        "finite",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_models_are_refused(name: str) -> None:
    made, options, message = ODD[name]
    with pytest.raises(reasons.UnsupportedModel, match=message):
        reasons.compile(made(), **({"domain": ones(2)} | options))


def test_shares_that_there_are_not() -> None:
    X, y = counts(0, 2)
    domain = {f"x{at}": range(3) for at in range(X.shape[1])}
    with pytest.raises(reasons.UnsupportedModel, match="no predict_proba"):
        reasons.compile(LinearSVC().fit(X, y), threshold=0.5, domain=domain)
    three = LogisticRegression().fit(X, counts(0, 3)[1])
    with pytest.raises(reasons.UnsupportedModel, match="two classes"):
        reasons.compile(three, threshold=0.5, domain=domain)
    with pytest.raises(reasons.InputError, match="too near to 0 or 1"):
        reasons.compile(naive_bayes.GaussianNB().fit(X, y), threshold=1.0, domain=domain)
    single = LogisticRegression().fit(X.astype(numpy.float32), y)
    calibrated = CalibratedClassifierCV(FrozenEstimator(single)).fit(X, y)
    cases: list[tuple[Any, dict[str, Any]]] = [(single, {"threshold": 0.4}), (calibrated, {})]
    for model, options in cases:
        with pytest.raises(reasons.UnsupportedModel, match="float32"):
            reasons.compile(model, domain=domain, **options)


def test_ensembles_of_scores() -> None:
    X, y = counts(0, 2)
    domain = {f"x{at}": range(3) for at in range(X.shape[1])}
    for model in (
        VotingClassifier([("a", LogisticRegression())], voting="soft"),
        BaggingClassifier(LogisticRegression(), n_estimators=2),
    ):
        with pytest.raises(reasons.UnsupportedModel, match="one by one"):
            reasons.compile(model.fit(X, y), domain=domain)
    inside = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    model = CalibratedClassifierCV(FrozenEstimator(inside)).fit(X, y)
    with pytest.raises(reasons.UnsupportedModel, match="put the pipeline around it"):
        reasons.compile(model, domain=domain)


def test_categories_that_naive_bayes_has_not_met() -> None:
    frame = pandas.DataFrame({"job": ["a", "b", "a", "b"]}, dtype=object)
    encoder = OrdinalEncoder(
        categories=[["a", "b", "c"]], handle_unknown="use_encoded_value", unknown_value=99
    )
    model = make_pipeline(encoder, naive_bayes.CategoricalNB()).fit(frame, [0, 1, 0, 1])
    with pytest.raises(reasons.UnsupportedModel, match="min_categories"):
        reasons.compile(model)
    known = reasons.compile(model, domain={"job": {"a", "b"}})
    assert known.decide({"job": "b"}).label == 1


def test_declarations_that_say_too_much() -> None:
    found = weighed([1.0, 2.0], 0.0)
    with pytest.raises(reasons.InputError, match="range of at most 65,534"):
        reasons.compile(found.model, domain={"x0": range(10**9), "x1": {0, 1}})
    with pytest.raises(reasons.InputError, match="too many values"):
        reasons.compile(found.model, domain={"x0": range(60_000), "x1": {0, 1}})
    with pytest.raises(reasons.InputError, match="takes numbers"):
        reasons.compile(found.model, domain={"x0": {"a"}, "x1": {0, 1}})
    with pytest.raises(reasons.InputError, match="cannot be <missing>"):
        reasons.compile(found.model, domain={"x0": {0, None}, "x1": {0, 1}})
    with pytest.raises(reasons.UnknownFeature):
        reasons.compile(found.model, domain={"x7": {0, 1}})


def test_a_model_that_is_not_fitted() -> None:
    with pytest.raises(reasons.InputError, match="not fitted"):
        reasons.compile(LogisticRegression())


class Stubborn(LogisticRegression):
    def predict(self, X: Any) -> Any:
        return numpy.zeros(len(X))


def test_a_class_that_decides_in_its_own_way() -> None:
    X, y = counts(0, 2)
    with pytest.raises(reasons.UnsupportedModel, match="own predict"):
        reasons.compile(Stubborn().fit(X, y))

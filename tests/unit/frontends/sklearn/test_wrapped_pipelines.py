"""Pipelines behind thresholds and searches: what people really decide, in their own columns."""

from typing import Any

import pytest

import reasons

pytest.importorskip("sklearn")
pytest.importorskip("pandas")

import numpy
import pandas
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def table() -> tuple[Any, Any]:
    rng = numpy.random.RandomState(0)
    frame = pandas.DataFrame(
        {
            "age": rng.randint(18, 80, 300),
            "income": rng.rand(300) * 100,
            "job": rng.choice(["clerk", "driver", "nurse"], 300),
        }
    )
    points = frame.age + frame.income + (frame.job == "clerk") * 30 + rng.randn(300) * 10
    return frame, numpy.where(points > 110, "yes", "no")


def forest() -> Any:
    return RandomForestClassifier(5, max_depth=3, random_state=0)


def pipeline(final: Any) -> Any:
    steps = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["job"]), (StandardScaler(), ["age", "income"])
    )
    return make_pipeline(steps, final)


def require_same(model: Any, frame: Any, expected: Any, **options: Any) -> None:
    for method in ("compiled", "search"):
        classifier = reasons.compile(model, method=method, **options)
        assert classifier.schema.names == ("age", "income", "job")
        assert (classifier.predict(frame) == expected).all()
        assert reasons.check(classifier, model, frame, sample=50)


def test_a_threshold_on_a_pipeline() -> None:
    frame, labels = table()
    model = pipeline(forest()).fit(frame, labels)
    second = (model.predict_proba(frame)[:, 1] >= 0.3).astype(int)
    assert (model.classes_[second] != model.predict(frame)).any()
    require_same(model, frame, model.classes_[second], threshold=0.3)


def test_a_frozen_pipeline() -> None:
    frame, labels = table()
    model = FrozenEstimator(pipeline(forest()).fit(frame, labels))
    require_same(model, frame, model.predict(frame))


def test_a_fixed_threshold_around_a_pipeline() -> None:
    frame, labels = table()
    model = FixedThresholdClassifier(pipeline(forest()), threshold=0.4, pos_label="yes").fit(
        frame, labels
    )
    require_same(model, frame, model.predict(frame))


def test_a_tuned_threshold_around_a_pipeline() -> None:
    frame, labels = table()
    model = TunedThresholdClassifierCV(pipeline(forest()), cv=3).fit(frame, labels)
    require_same(model, frame, model.predict(frame))


def test_a_search_for_parameters_around_a_pipeline() -> None:
    frame, labels = table()
    grid = {"randomforestclassifier__max_depth": [2, 3]}
    model = GridSearchCV(pipeline(forest()), grid, cv=2).fit(frame, labels)
    require_same(model, frame, model.predict(frame))


def test_a_cut_off_of_a_regressor_in_a_pipeline() -> None:
    frame, _ = table()
    model = pipeline(RandomForestRegressor(5, max_depth=3, random_state=0)).fit(frame, frame.income)
    require_same(model, frame, model.predict(frame) >= 50, threshold=50.0)

"""EBMs of interpret: every cell against `predict`, and all answers against brute force."""

import math
import pickle
import warnings
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reasons
from reasons.ensembles.ir import ABSENT

pytest.importorskip("pysat")
pytest.importorskip("pandas")
pytest.importorskip("interpret")

import numpy
import pandas
from interpret import glassbox
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from reasons.ensembles.ir import UNSEEN
from reasons.frontends.interpret import ebm as interpret_models
from tests.support.comparison import Mismatch
from tests.support.models.compare import (
    METHODS,
    compare_bias,
    compare_labels,
    compare_model,
    instances_of,
)
from tests.support.models.model_table import UNHEARD, ModelSubject
from tests.support.models.real_tables import bundled, fairness

KINDS: dict[str, list[Any]] = {
    "k": [1, 2, 3],
    "job": ["clerk", "nurse", "driver"],
    "half": [0.5, 1.0],
    "b": [True, False],
}


def mixed(seed: int, rows: int = 300) -> pandas.DataFrame:
    """Numbers and categories, some missing."""
    rng = numpy.random.default_rng(seed)
    kinds = {name: rng.choice(values, rows) for name, values in KINDS.items()}
    frame = pandas.DataFrame({"x": rng.normal(size=rows).round(2), "y": rng.integers(0, 9, rows)})
    for name in rng.permutation(list(kinds))[:2]:
        frame[str(name)] = kinds[name]
        frame[str(name)] = frame[str(name)].astype(object)
    frame.iloc[::7, 2] = None
    frame.loc[::11, "x"] = None
    return frame


def fitted(kind: Any, X: Any, y: Any, **told: Any) -> Any:
    small = {"outer_bags": 1, "max_rounds": 20, "n_jobs": 1, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # missing values are not drawn
        return kind(**{**small, "max_bins": 4, "interactions": 2, **told}).fit(X, y)


def answers(frame: pandas.DataFrame, seed: int, classes: int) -> Any:
    rng = numpy.random.default_rng(seed)
    texts = [str(value) for value in frame.iloc[:, 2]]
    codes = [sorted(set(texts)).index(text) for text in texts]
    total = frame["x"].fillna(-1) + (frame["y"] > 4) + codes + rng.normal(size=len(frame))
    edges = numpy.quantile(total, [k / classes for k in range(1, classes)])
    return numpy.array(["no", "maybe", "yes", "sure"])[numpy.digitize(total, edges)]


def classifier(seed: int, classes: int = 2, **told: Any) -> Any:
    frame = mixed(seed)
    types = ["continuous", "continuous", "nominal", "nominal"]
    y = answers(frame, seed, classes)
    kind = glassbox.ExplainableBoostingClassifier
    return fitted(kind, frame, y, feature_types=types, **told)


def narrow(kind: Any, seed: int, classes: int = 2, y: Any = None, **told: Any) -> Any:
    """A model of two columns, with few cells, a pair of them, and missing values."""
    frame = mixed(seed)
    y = answers(frame, seed, classes) if y is None else y
    types = ["continuous", "nominal"]
    options = {"max_bins": 5, "interactions": 1, "feature_types": types, **told}
    return fitted(kind, frame.iloc[:, [0, 2]], y, **options)


def plainly(predict: Any) -> Any:
    """A `predict` on rows of raw values."""
    return lambda rows: numpy.asarray(predict(numpy.array(rows, object))).tolist()


def require_all_answers(model: Any, predict: Any, seed: int, **told: Any) -> None:
    found = [
        ModelSubject(reasons.compile(model, method=method, **told), predict, seed=seed)
        for method in METHODS
    ]
    for subject, method in zip(found, METHODS, strict=True):
        assert subject.classifier.method == method
        compare_labels(subject)
        compare_bias(subject)
    for x in instances_of(found[0], 2, seed):
        compiled, searched = (compare_model(subject, x) for subject in found)
        assert compiled == searched


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(2))
def test_all_answers_are_those_of_brute_force(seed: int, classes: int) -> None:
    model = narrow(glassbox.ExplainableBoostingClassifier, seed, classes)
    assert max(map(len, model.term_features_)) == 2
    require_all_answers(model, plainly(model.predict), seed)


def compare_drawn(
    clf: reasons.Classifier, model: Any, predict: Any, seed: int, number: int = 2_000
) -> None:
    """Raw values on, before and after all cuts that the model has, whatever the cells are."""
    rng = Random(seed)
    values: list[list[Any]] = []
    for kind, levels in zip(model.feature_types_in_, model.bins_, strict=True):
        if kind == "continuous":
            cuts = [float(cut) for level in levels for cut in level]
            near = [math.nextafter(c, side) for c in cuts for side in (-math.inf, math.inf)]
            values.append([None, *cuts, *near, -1e300, 1e300])
        else:
            values.append([None, UNHEARD, *(text for level in levels for text in level)])
    rows = [[rng.choice(own) for own in values] for _ in range(number)]
    assert clf.predict(rows).tolist() == predict(rows)


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_raw_values_at_all_cuts(seed: int, classes: int) -> None:
    model = classifier(10 + seed, classes, max_bins=12, interactions=3)
    clf = reasons.compile(model, budget=reasons.Budget(seconds=2))
    compare_drawn(clf, model, plainly(model.predict), seed)


@pytest.mark.parametrize("threshold", [0.0, 0.2, 0.5, 0.999, 1.0])
def test_a_threshold_on_the_probability(threshold: float) -> None:
    model = classifier(3)

    def predict(rows: Any) -> list[str]:
        chance = model.predict_proba(numpy.array(rows, object))[:, 1]
        return [str(model.classes_[int(p >= threshold)]) for p in chance]

    for method in METHODS:
        clf = reasons.compile(model, threshold=threshold, method=method)
        compare_labels(ModelSubject(clf, predict))
        compare_drawn(clf, model, predict, 1, number=300)


def test_a_threshold_that_some_cell_meets_exactly() -> None:
    model = classifier(4)
    rows = mixed(4).to_numpy(object)[:25]
    for threshold in model.predict_proba(rows)[:, 1]:
        clf = reasons.compile(model, threshold=float(threshold))
        assert clf.predict(rows.tolist()).tolist() == [
            str(model.classes_[int(p >= threshold)]) for p in model.predict_proba(rows)[:, 1]
        ]


def test_a_sum_of_zero_is_the_first_class() -> None:
    model = classifier(5)
    for scores in model.term_scores_:
        numpy.copyto(scores, numpy.round(scores * 4) / 4)
    model.intercept_ = numpy.array([0.25])
    clf = reasons.compile(model)
    subject = ModelSubject(clf, plainly(model.predict))
    compare_labels(subject)
    rows = [list(subject.user_instance(x).values()) for x in subject.function.instances()]
    assert (model.decision_function(numpy.array(rows, object)) == 0).any()


@pytest.mark.parametrize("objective", ["rmse", "poisson_deviance"])
def test_a_regressor_with_a_threshold(objective: str) -> None:
    frame = mixed(6)
    y = numpy.abs(frame["x"].fillna(0) * 3).round()
    told = {"feature_types": ["continuous", "continuous", "nominal", "nominal"]}
    model = fitted(glassbox.ExplainableBoostingRegressor, frame, y, objective=objective, **told)
    with pytest.raises(
        reasons.UnsupportedModel, match="give threshold=: from it on the label is True"
    ):
        reasons.compile(model)
    some = model.predict(frame.to_numpy(object)[:10])
    for threshold in (*some.tolist(), -1.0, 0.0, 1e9):
        clf = reasons.compile(model, threshold=threshold)
        predict = plainly(lambda rows, t=threshold: model.predict(rows) >= t)
        compare_drawn(clf, model, predict, 2)
    small = narrow(type(model), 6, y=y, objective=objective)
    least = float(small.predict(frame.iloc[:, [0, 2]])[0])
    require_all_answers(small, plainly(lambda r: small.predict(r) >= least), 6, threshold=least)


def test_terms_of_three_columns() -> None:
    model = classifier(7, interactions=[(0, 1, 2), (1, 3)])
    assert max(map(len, model.term_features_)) == 3
    clf = reasons.compile(model)
    compare_labels(ModelSubject(clf, plainly(model.predict)))
    compare_drawn(clf, model, plainly(model.predict), 3)


def test_categories_are_given_as_they_were_in_the_data() -> None:
    model = classifier(1)
    frame = mixed(1)
    clf = reasons.compile(model)
    assert clf.predict(frame).tolist() == model.predict(frame).tolist()
    assert reasons.check(clf, rows=frame)
    for row in frame.to_dict("records")[:20]:
        assert clf.decide(row).label == str(model.predict(pandas.DataFrame([row]))[0])


def test_one_class() -> None:
    frame = mixed(0)[["x", "y"]]
    model = fitted(glassbox.ExplainableBoostingClassifier, frame, ["only"] * len(frame))
    clf = reasons.compile(model)
    assert clf.labels == ("only",)
    assert clf.decide([0.5, None]).sufficient_reason() == {}


def test_at_the_end_of_a_pipeline() -> None:
    X, y = make_classification(200, 3, n_informative=3, n_redundant=0, random_state=0)
    ebm = glassbox.ExplainableBoostingClassifier(outer_bags=1, max_rounds=20, max_bins=4, n_jobs=1)
    model = make_pipeline(StandardScaler(), ebm).fit(X * 100 + 7, y)
    clf = reasons.compile(model, names=["a", "b", "c"])
    compare_labels(ModelSubject(clf, lambda rows: model.predict(numpy.array(rows, float)).tolist()))


def test_behind_encoders_whose_numbers_it_takes_for_categories() -> None:
    frame = mixed(3)[["y"]].assign(job=[["a", "b", "c"][i % 3] for i in range(300)])
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    ebm = glassbox.ExplainableBoostingClassifier(
        outer_bags=1, max_rounds=20, n_jobs=1, feature_types=["nominal"] * 12
    )
    said = (frame["y"] > 4) ^ (frame["job"] == "a")
    model = make_pipeline(make_column_transformer((encoder, ["y", "job"])), ebm).fit(frame, said)
    clf = reasons.compile(model)
    assert clf.predict(frame).tolist() == model.predict(frame).tolist()
    assert reasons.check(clf)


def test_pickles_where_they_are_allowed(tmp_path: Path) -> None:
    model = classifier(2)
    path = tmp_path / "ebm.pkl"
    path.write_bytes(pickle.dumps(model))
    clf = reasons.load(path, allow_pickle=True)
    compare_labels(ModelSubject(clf, plainly(model.predict)))


def test_what_is_no_ebm_is_refused() -> None:
    X, y = make_classification(50, 4, random_state=0)
    with pytest.raises(reasons.InputError, match="is not fitted"):
        reasons.compile(glassbox.ExplainableBoostingClassifier())
    with pytest.raises(reasons.UnsupportedModel, match="EBMs are read, not ClassificationTree"):
        reasons.compile(glassbox.ClassificationTree().fit(X, y))
    model = classifier(2, 3)
    with pytest.raises(reasons.InputError, match="threshold= is for two classes; the model has 3"):
        reasons.compile(model, threshold=0.5)
    with pytest.raises(reasons.InputError, match="classes= is for models that do not know theirs"):
        reasons.compile(model, classes=[1, 2, 3])
    with pytest.raises(reasons.InputError, match="4 columns, and 1 names are given"):
        reasons.compile(model, names=["a"])


@pytest.mark.parametrize("damage", ["nan", "inf", "short", "cuts"])
def test_a_damaged_model_is_refused(damage: str) -> None:
    model = classifier(2, max_bins=8)
    if damage == "short":
        model.term_scores_[0] = model.term_scores_[0][:3]
    elif damage == "cuts":
        model.bins_[0][0] = model.bins_[0][0][::-1].copy()
    else:
        model.term_scores_[1][1] = float(damage)
    with pytest.raises((reasons.InputError, reasons.PropertyError)):
        reasons.compile(model)


def test_breast_cancer_is_decided_as_predict_does() -> None:
    X, y = bundled("breast_cancer")
    model = fitted(glassbox.ExplainableBoostingClassifier, X.iloc[:, :8], y, max_bins=16)
    clf = reasons.compile(model, budget=reasons.Budget(seconds=2))
    assert clf.predict(X).tolist() == model.predict(X.iloc[:, :8]).tolist()
    decision = clf.decide(X.iloc[0, :8].to_dict())
    assert reasons.check(decision)


def test_german_credit() -> None:
    frame, y = fairness("german")
    model = fitted(glassbox.ExplainableBoostingClassifier, frame.iloc[:, :7], y, max_bins=8)
    clf = reasons.compile(model, budget=reasons.Budget(seconds=2))
    assert clf.predict(frame).tolist() == model.predict(frame.iloc[:, :7]).tolist()
    assert reasons.check(clf)
    assert reasons.check(clf.decide(frame.iloc[3, :7].to_dict()))


def test_planted_a_cut_on_the_wrong_side_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    model = classifier(8)
    predict = plainly(model.predict)
    compare_drawn(reasons.compile(model), model, predict, 4)
    places = interpret_models._places

    def moved(column: Any, bins: Any) -> Any:
        """Numbers that equal a cut fall into the bin below it."""
        found = places(column, bins)
        return found if isinstance(bins, dict) else lambda x: found(numpy.nextafter(x, -numpy.inf))

    monkeypatch.setattr(interpret_models, "_places", moved)
    with pytest.raises((AssertionError, Mismatch, reasons.PropertyError)):
        compare_drawn(reasons.compile(model), model, predict, 4)


def test_planted_an_unseen_category_in_the_place_of_missing_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = classifier(8)
    assert UNSEEN != ABSENT
    monkeypatch.setattr(interpret_models, "UNSEEN", ABSENT)
    monkeypatch.setattr(interpret_models, "ABSENT", UNSEEN)
    with pytest.raises((AssertionError, Mismatch, reasons.PropertyError)):
        compare_drawn(reasons.compile(model), model, plainly(model.predict), 4)

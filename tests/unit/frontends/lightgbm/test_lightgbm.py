"""LightGBM's models decided cell by cell beside LightGBM's own `predict`."""

import math
import os
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

import reasons
from reasons.ensembles.discretize import over_cells
from reasons.ensembles.ir import TreeModel
from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.lightgbm import read as lightgbm_models
from reasons.frontends.lightgbm.read import read, read_file
from reasons.frontends.options import Options
from reasons.frontends.registry import LIBRARIES, library_of
from tests.support.models.tree_cells import disagreements
from tests.support.models.tree_walk import library_labels

os.environ.setdefault("OMP_NUM_THREADS", "1")
lightgbm = pytest.importorskip("lightgbm")

pytestmark = pytest.mark.filterwarnings("ignore:X does not have valid feature names")
ALWAYS = {"verbose": -1, "n_jobs": 1, "min_data_in_bin": 1}


def numbers(seed: int, rows: int = 80, columns: int = 3) -> numpy.ndarray:
    """Few different numbers, so that trees repeat tests and cells are few; some missing."""
    rng = numpy.random.default_rng(seed)
    X = rng.integers(-3, 4, (rows, columns)) / 2
    if seed % 3:
        X[rng.random(X.shape) < 0.1] = numpy.nan
    return X


def labels(seed: int, X: numpy.ndarray, classes: int = 2) -> numpy.ndarray:
    rng = numpy.random.default_rng(seed + 1)
    score = numpy.nan_to_num(X, nan=0.7) @ rng.normal(size=X.shape[1])
    rank = numpy.argsort(numpy.argsort(score + rng.normal(size=len(X)) / 3))
    return rank * classes // len(X)


def parameters(seed: int) -> dict[str, Any]:
    rng = Random(seed)
    kind = rng.choice(["gbdt", "gbdt", "dart", "rf"])
    chosen = {
        "boosting_type": kind,
        "num_leaves": rng.choice([2, 4, 8]),
        "learning_rate": rng.choice([0.1, 0.5, 1.0]),
        "n_estimators": rng.choice([1, 4, 9]),
        "min_child_samples": rng.choice([1, 5, 60]),
        "zero_as_missing": rng.random() < 0.3,
        "use_missing": rng.random() < 0.8,
        "random_state": seed,
        **ALWAYS,
    }
    if kind == "rf":
        chosen |= {"subsample": 0.7, "subsample_freq": 1}
    return chosen


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("objective", ["binary", "cross_entropy"])
def test_two_classes_are_decided_as_predict_does(objective: str, seed: int) -> None:
    X = numbers(seed)
    model = lightgbm.LGBMClassifier(objective=objective, **parameters(seed))
    if objective == "binary":
        model.set_params(sigmoid=[1.0, 0.3, 2.5][seed % 3])
    model.fit(
        X, numpy.array(["no", "yes"])[labels(seed, X)] if objective == "binary" else labels(seed, X)
    )
    ours = read(model)
    assert disagreements(ours) == []
    assert disagreements(read(model, Options(threshold=0.3))) == []


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("classes", [3, 10])
@pytest.mark.parametrize("objective", ["multiclass", "multiclassova"])
def test_several_classes_are_decided_as_predict_does(
    objective: str, classes: int, seed: int
) -> None:
    X = numbers(seed)
    model = lightgbm.LGBMClassifier(objective=objective, **parameters(seed))
    model.fit(X, labels(seed, X, classes))
    ours = read(model)
    assert ours.labels == tuple(range(classes))
    assert disagreements(ours, most=500) == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "objective", ["regression", "regression_l1", "huber", "quantile", "poisson", "gamma", "tweedie"]
)
def test_numbers_are_cut_at_a_threshold(objective: str, seed: int) -> None:
    X = numbers(seed)
    y = labels(seed, X) + 0.5
    chosen = {"reg_sqrt": True} if objective == "regression" and seed == 1 else {}
    model = lightgbm.LGBMRegressor(objective=objective, **parameters(seed), **chosen).fit(X, y)
    seen = numpy.unique(model.predict(X))
    for threshold in (0.5, float(seen[len(seen) // 2])):
        ours = read(model, Options(threshold=threshold))
        assert ours.labels == (False, True)
        assert disagreements(ours) == []


@pytest.mark.parametrize("seed", range(3))
def test_boosters_and_files_say_the_same_as_the_model(seed: int, tmp_path: Path) -> None:
    X = numbers(seed)
    model = lightgbm.LGBMClassifier(data_sample_strategy="goss", **ALWAYS, n_estimators=5)
    model.fit(X, labels(seed, X))
    path = tmp_path / "model.txt"
    model.booster_.save_model(path)
    ours = read(model)
    for other in (read(model.booster_), read_file(path), read_file(path.read_bytes())):
        assert other.tests == ours.tests
        assert other.cut == ours.cut
        assert other.labels == ours.labels
        for a, b in zip(ours.trees, other.trees, strict=True):
            assert (a.value == b.value).all()
        assert disagreements(other) == []


def test_predict_stops_at_the_best_round() -> None:
    X = numbers(4, 150)
    y = labels(4, X)
    model = lightgbm.LGBMClassifier(n_estimators=80, learning_rate=1.0, **ALWAYS)
    stop = lightgbm.early_stopping(2, verbose=False)
    model.fit(X[:90], y[:90], eval_X=(X[90:],), eval_y=(y[90:],), callbacks=[stop])
    ours = read(model)
    assert 0 < model.best_iteration_ == len(ours.trees) < 80
    assert disagreements(ours) == []


@pytest.mark.parametrize("seed", range(8))
def test_codes_of_categories_are_tested_as_sets(seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    X = numbers(seed, 200)
    X[:, 1] = rng.choice([0, 1, 2, 3, 5, 8, 40, 70], 200)
    X[::9, 1] = numpy.nan if seed % 2 else -4
    y = (numpy.isin(X[:, 1], [1, 3, 40]) ^ (numpy.nan_to_num(X[:, 0]) > 0.3)).astype(int)
    sets = {"min_data_per_group": 2, "cat_smooth": 1, "max_cat_to_onehot": 1 + seed % 4}
    model = lightgbm.LGBMClassifier(n_estimators=6, **ALWAYS, **sets)
    model.fit(X, y, categorical_feature=[1])
    ours = read(model)
    assert 40 in (ours.columns[1].categories or ())
    assert any(test.codes and len(test.codes) > 1 for test in ours.tests)
    assert disagreements(ours) == []
    odd = [[0.0, code, 0.5] for code in (4, 41, 69, 71, 1e5, 2.0**31, 1e300, -1, None)]
    assert decided(ours, odd) == library_labels(ours, odd)


@pytest.mark.parametrize("seed", range(3))
def test_categories_of_data_frames_are_the_users_own(seed: int) -> None:
    pandas = pytest.importorskip("pandas")
    rng = numpy.random.default_rng(seed)
    job = pandas.Categorical(rng.choice(["clerk", "nurse", "coöp", "smith"], 160))
    size = pandas.Categorical(rng.choice([3, 5, 8], 160))
    frame = pandas.DataFrame({"job": job, "age": rng.integers(0, 5, 160), "size": size})
    frame.loc[::11, "job"] = None
    y = ((job == "nurse") ^ (size == 5) ^ (frame.age > 2)).astype(int)
    model = lightgbm.LGBMClassifier(n_estimators=6, min_data_per_group=2, cat_smooth=1, **ALWAYS)
    model.fit(frame, y)
    ours = read(model)
    assert ours.columns[0].categories == ("clerk", "coöp", "nurse", "smith")
    assert ours.columns[2].categories == (3, 5, 8)
    assert disagreements(ours) == []
    rows = frame.astype(object).to_numpy().tolist()
    assert library_labels(ours, rows) == model.predict(frame).tolist()


@pytest.mark.parametrize("zero_as_missing", [False, True])
def test_numbers_next_to_zero_are_zero(zero_as_missing: bool) -> None:
    X = numpy.array([[-2.0], [-1], [0], [0], [1], [2]] * 10)
    y = numpy.array([0, 1, 1, 0, 0, 1] * 10)
    model = lightgbm.LGBMClassifier(
        n_estimators=8, min_child_samples=1, zero_as_missing=zero_as_missing, **ALWAYS
    ).fit(X, y)
    ours = read(model)
    assert disagreements(ours) == []
    tiny = float(numpy.float32(1e-35))
    near = [0.0, tiny, math.nextafter(tiny, 1), 1e-40, 1e-34]
    rows = [[sign * x] for x in near for sign in (1, -1)]
    assert decided(ours, rows) == library_labels(ours, rows)


def decided(model: TreeModel, rows: list[list[Any]]) -> list[Any]:
    schema, native = over_cells(model)
    cells = [[f.cell(v) for f, v in zip(schema, row, strict=True)] for row in rows]
    flat = numpy.array(cells, numpy.uint16).ravel()
    return [model.labels[i] for i in native.decide_all(flat, len(cells))]


def planted(leaf: float, sigmoid: float = 1.0) -> bytes:
    """A model file of one leaf."""
    X = numpy.zeros((40, 1))
    model = lightgbm.LGBMClassifier(n_estimators=1, sigmoid=sigmoid, **ALWAYS)
    text = model.fit(X, numpy.arange(40) % 2).booster_.model_to_string()
    text, count = re.subn(r"leaf_value=\S+", f"leaf_value={leaf!r}", text)
    assert count == 1
    return re.sub("tree_sizes=.*\n", "", text).encode()


@pytest.mark.parametrize("sigmoid", [1.0, 0.3])
def test_scores_next_to_the_cut_are_decided_as_the_library_does(sigmoid: float) -> None:
    for threshold in (None, 0.3, 0.7):
        cut = read_file(planted(0.0, sigmoid), Options(threshold=threshold)).cut
        for steps in (-3, -1, 0, 1, 3):
            leaf = float(numpy.float64(cut))
            for _ in range(abs(steps)):
                leaf = math.nextafter(leaf, math.copysign(math.inf, steps))
            ours = read_file(planted(leaf, sigmoid), Options(threshold=threshold))
            assert disagreements(ours) == []
            assert library_labels(ours, [[0.0]]) == [int(steps >= 0)]


@pytest.mark.parametrize("objective", ["binary", "multiclass", "multiclassova"])
def test_sums_that_round_are_those_of_the_library(objective: str) -> None:
    """Leaves of tenths, whose sums are often equal but for rounding."""
    found = 0
    for seed in range(6):
        rng, X = Random(seed), numbers(seed)
        chosen = {"n_estimators": 7, "min_child_samples": 3, **ALWAYS}
        model = lightgbm.LGBMClassifier(objective=objective, **chosen)
        model.fit(X, labels(seed, X, 2 if objective == "binary" else 3))
        lines = model.booster_.model_to_string().split("\n")
        for i, line in enumerate(lines):
            if line.startswith("leaf_value="):
                leaves = [repr(rng.randint(-3, 3) * 0.7) for _ in line.split()]
                lines[i] = f"leaf_value={' '.join(leaves)}"
        kept = [line for line in lines if not line.startswith("tree_sizes")]
        ours = read_file("\n".join(kept).encode())
        assert disagreements(ours, most=1000) == []
        found += bool(disagreements(replace(ours, sums="float32", added=True), most=1000))
    assert found


def test_breast_cancer_and_digits_are_decided_as_predict_does() -> None:
    from sklearn.datasets import load_breast_cancer, load_digits

    for load, rounds in ((load_breast_cancer, 50), (load_digits, 8)):
        X, y = load(return_X_y=True)
        model = lightgbm.LGBMClassifier(n_estimators=rounds, **ALWAYS).fit(X, y)
        assert decided(read(model), X.tolist()) == model.predict(X).tolist()


def test_a_file_is_enough_where_the_library_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X = numbers(1)
    model = lightgbm.LGBMClassifier(n_estimators=4, **ALWAYS).fit(X, labels(1, X))
    several = lightgbm.LGBMClassifier(n_estimators=2, objective="multiclassova", **ALWAYS)
    several.fit(X, labels(1, X, 3))
    texts = [each.booster_.model_to_string().encode() for each in (model, several)]
    monkeypatch.setattr(lightgbm_models, "version_of", lambda name: None)
    ours = read_file(texts[0])
    assert ours.predict is None
    assert decided(ours, X.tolist()) == model.predict(X).tolist()
    with pytest.raises(UnsupportedModel, match="install lightgbm"):
        read_file(texts[1])


def test_a_single_class_is_its_own_label() -> None:
    model = lightgbm.LGBMClassifier(n_estimators=2, **ALWAYS).fit(numbers(1), ["a"] * 80)
    ours = read(model)
    assert ours.labels == ("a",)
    assert disagreements(ours) == []


@pytest.mark.parametrize("wrong", ["closed", "cut", "missing", "trees"])
def test_the_comparison_can_fail(wrong: str) -> None:
    X = numbers(1)
    model = lightgbm.LGBMClassifier(n_estimators=5, min_child_samples=2, **ALWAYS)
    ours = read(model.fit(X, labels(1, X)))
    turned = tuple(replace(test, missing_left=not test.missing_left) for test in ours.tests)
    changes: dict[str, dict[str, Any]] = {
        "closed": {"closed": "left"},
        "cut": {"cut": 0.4},
        "missing": {"tests": turned},
        "trees": {"trees": ours.trees[1:]},
    }
    assert disagreements(ours) == []
    assert disagreements(replace(ours, **changes[wrong]))


def test_what_is_not_a_decision_is_refused() -> None:
    X = numbers(1)
    y = labels(1, X)
    model = lightgbm.LGBMRegressor(n_estimators=1, **ALWAYS).fit(X, y)
    with pytest.raises(InputError, match="give threshold="):
        read(model)
    linear = lightgbm.LGBMClassifier(n_estimators=2, linear_tree=True, **ALWAYS).fit(X, y)
    with pytest.raises(UnsupportedModel, match="linear_tree"):
        read(linear)
    own = lightgbm.LGBMClassifier(
        objective=lambda y, p: (p - y, numpy.ones(len(y))), n_estimators=1, **ALWAYS
    ).fit(X, y)
    with pytest.raises(UnsupportedModel, match="objective"):
        read(own)
    with pytest.raises(InputError, match="not fitted"):
        read(lightgbm.LGBMClassifier())
    assert library_of(model) is LIBRARIES["lightgbm"]
    assert library_of("model") is None


def test_spaces_in_the_names_of_columns_need_names() -> None:
    """LightGBM puts _ for them and forgets what they were."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"mean radius": range(40), "area": [1.0, 2.0] * 20})
    labels = [int(row >= 20) for row in range(40)]
    model = lightgbm.LGBMClassifier(n_estimators=2, verbose=-1, n_jobs=1).fit(frame, labels)
    with pytest.raises(InputError, match="names=list"):
        reasons.compile(model).predict(frame)
    named = reasons.compile(model, names=list(frame.columns))
    assert list(named.predict(frame)) == list(model.predict(frame))

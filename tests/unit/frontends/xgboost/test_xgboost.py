"""XGBoost's models decided cell by cell beside XGBoost's own `predict`."""

import json
import os
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

from reasons.ensembles.ir import TreeModel
from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.boosting import first_float
from reasons.frontends.options import Options
from reasons.frontends.registry import LIBRARIES, library_of
from reasons.frontends.xgboost import read as xgboost_models
from reasons.frontends.xgboost.link import formula, predictions
from reasons.frontends.xgboost.read import read, read_file
from tests.support.models.tree_cells import disagreements
from tests.support.models.tree_walk import library_labels

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads cost more than they bring here
xgboost = pytest.importorskip("xgboost")

BINARY = ["binary:logistic", "binary:hinge", "binary:logitraw"]
NUMBERS = [
    *("reg:squarederror", "reg:logistic", "reg:absoluteerror", "reg:pseudohubererror"),
    *("count:poisson", "reg:gamma", "reg:tweedie"),
]


def numbers(seed: int, rows: int = 80, columns: int = 3) -> numpy.ndarray:
    """Few different numbers, some missing, so that trees repeat tests and cells are few."""
    rng = numpy.random.default_rng(seed)
    X = rng.integers(-3, 4, (rows, columns)) / 2
    X[rng.random(X.shape) < 0.1] = numpy.nan
    return X


def labels(seed: int, X: numpy.ndarray, classes: int = 2) -> numpy.ndarray:
    """Labels that depend on the columns and on chance; every class occurs."""
    rng = numpy.random.default_rng(seed + 1)
    score = numpy.nan_to_num(X, nan=0.7) @ rng.normal(size=X.shape[1])
    rank = numpy.argsort(numpy.argsort(score + rng.normal(size=len(X)) / 3))
    return rank * classes // len(X)


def parameters(rng: Random) -> dict[str, Any]:
    return {
        "max_depth": rng.choice([1, 2, 3, 5]),
        "learning_rate": rng.choice([0.1, 0.3, 1.0]),
        "base_score": rng.choice([None, 0.5, 0.3, 0.77]),
        "min_child_weight": rng.choice([0, 1, 5]),
        "n_estimators": rng.choice([1, 3, 8]),
        "num_parallel_tree": rng.choice([1, 1, 3]),
        "subsample": rng.choice([0.5, 1]),
        "random_state": rng.randrange(1000),
        "n_jobs": 1,
    }


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("booster", ["gbtree", "dart"])
@pytest.mark.parametrize("objective", BINARY)
def test_two_classes_are_decided_as_predict_does(objective: str, booster: str, seed: int) -> None:
    X = numbers(seed)
    chosen = parameters(Random(seed)) | ({"rate_drop": 0.3} if booster == "dart" else {})
    model = xgboost.XGBClassifier(objective=objective, booster=booster, **chosen)
    model.fit(X, labels(seed, X))
    assert disagreements(read(model)) == []
    assert disagreements(read(model, Options(threshold=0.3))) == []


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("classes", [3, 10])
@pytest.mark.parametrize("objective", ["multi:softprob", "multi:softmax"])
def test_several_classes_are_decided_as_predict_does(
    objective: str, classes: int, seed: int
) -> None:
    X = numbers(seed)
    chosen = parameters(Random(seed)) | ({"booster": "dart", "rate_drop": 0.3} if seed % 3 else {})
    model = xgboost.XGBClassifier(objective=objective, **chosen).fit(X, labels(seed, X, classes))
    ours = read(model)
    assert ours.labels == tuple(range(classes))
    assert disagreements(ours) == []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("objective", NUMBERS)
def test_numbers_are_cut_at_a_threshold(objective: str, seed: int) -> None:
    X = numbers(seed)
    y = labels(seed, X) + (objective == "reg:gamma")
    chosen = parameters(Random(seed)) | {"base_score": 0.4 if seed % 2 else None}
    model = xgboost.XGBRegressor(objective=objective, **chosen).fit(X, y)
    seen = numpy.unique(model.predict(X))
    for threshold in (0.5, float(seen[len(seen) // 2])):
        ours = read(model, Options(threshold=threshold))
        assert ours.labels == (False, True)
        assert disagreements(ours) == []


def test_forests_of_one_round_are_decided_as_predict_does() -> None:
    X = numbers(3)
    model = xgboost.XGBRFClassifier(n_estimators=9, max_depth=3).fit(X, labels(3, X))
    assert disagreements(read(model)) == []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("booster", ["gbtree", "dart"])
def test_boosters_are_decided_as_their_predict_does(booster: str, seed: int) -> None:
    X = numbers(seed)
    data = xgboost.DMatrix(X, labels(seed, X))
    chosen = {"objective": "binary:logistic", "booster": booster, "rate_drop": 0.3}
    chosen = chosen if booster == "dart" else {"objective": "binary:logistic"}
    model = xgboost.train(chosen, data, 6)
    ours = read(model, Options(classes=["no", "yes"]))
    assert ours.labels == ("no", "yes")
    assert disagreements(ours) == []
    rows = X.tolist()
    mine = numpy.array(library_labels(ours, rows)) == "yes"
    assert (mine == (model.predict(data) > 0.5)).all()


def test_the_wrapper_stops_at_its_best_round_and_a_booster_does_not() -> None:
    X = numbers(5, 120)
    y = labels(5, X)
    model = xgboost.XGBClassifier(n_estimators=60, early_stopping_rounds=2, learning_rate=1)
    model.fit(X[:80], y[:80], eval_set=[(X[80:], y[80:])], verbose=False)
    assert model.best_iteration + 1 < model.get_booster().num_boosted_rounds()
    ours, whole = read(model), read(model.get_booster())
    assert len(ours.trees) == model.best_iteration + 1 < len(whole.trees)
    assert "best iteration" in whole.notes[0]
    assert disagreements(ours) == []
    assert disagreements(whole) == []


@pytest.mark.parametrize("missing", [0.0, -1.0, 0.1])
def test_a_number_may_count_as_missing(missing: float) -> None:
    X = numbers(7)
    X[X == 0.5] = missing
    model = xgboost.XGBClassifier(n_estimators=5, missing=missing).fit(X, labels(7, X))
    assert disagreements(read(model)) == []


def test_the_unit_in_the_last_place_of_a_threshold_matters() -> None:
    one = numpy.float32(1)
    above = numpy.nextafter(one, numpy.float32(2))
    X = numpy.array(
        [[one], [above], [numpy.nextafter(above, numpy.float32(2))]] * 20, numpy.float32
    )
    y = numpy.array([0, 1, 0] * 20)
    model = xgboost.XGBClassifier(n_estimators=3, tree_method="exact").fit(X, y)
    ours = read(model)
    cuts = sorted({test.threshold for test in ours.tests})
    assert numpy.float32(cuts[1]) == numpy.nextafter(numpy.float32(cuts[0]), numpy.float32(9))
    assert disagreements(ours) == []


def test_a_probability_of_one_half_is_the_first_class() -> None:
    """Margins up to about 6e-8 give a probability of 0.5 in float32."""
    cut = read(planted([0.0])).cut
    assert 5e-8 < cut < 1.3e-7
    for leaf, label in [(1e-9, 0), (5e-8, 0), (-1e-9, 0), (float(cut), 1), (2e-7, 1)]:
        ours = read(planted([leaf]))
        assert disagreements(ours) == []
        assert library_labels(ours, [[0.0]]) == [label]


def test_near_ties_of_several_classes_are_those_of_the_float32_softmax() -> None:
    rng = Random(4)
    equal = 0
    for _ in range(60):
        leaves = [rng.choice([0.0, 1.0]) + rng.choice([0, 3e-8, 6e-8, -6e-8]) for _ in range(12)]
        ours = read(planted(leaves, classes=4))
        assert disagreements(ours) == []
        single = numpy.array(leaves, numpy.float32)
        sums = [numpy.float32(single[k] + single[4 + k]) + single[8 + k] for k in range(4)]
        equal += library_labels(ours, [[0.0]]) != [int(numpy.argmax(sums))]
    assert equal > 1, "no tie is decided otherwise than by the largest sum"


def planted(leaves: list[float], classes: int = 0) -> Any:
    """A booster whose trees are single leaves of these values, one class after another."""
    X = numpy.zeros((20, 1))
    y = numpy.arange(20) % max(2, classes)
    objective = "multi:softprob" if classes else "binary:logistic"
    chosen = {"objective": objective, "base_score": 0.5, "max_depth": 1}
    chosen |= {"num_class": classes} if classes else {}
    model = xgboost.train(chosen, xgboost.DMatrix(X, y), len(leaves) // max(1, classes))
    stored = json.loads(bytes(model.save_raw("json")))
    trees = stored["learner"]["gradient_booster"]["model"]["trees"]
    for tree, leaf in zip(trees, leaves, strict=True):
        assert tree["left_children"] == [-1]
        tree["split_conditions"] = [leaf]
    return loaded(stored)


def loaded(stored: dict[str, Any]) -> Any:
    model = xgboost.Booster()
    model.load_model(bytearray(json.dumps(stored).encode()))
    return model


@pytest.mark.parametrize("seed", range(6))
def test_codes_of_categories_are_tested_as_sets(seed: int) -> None:
    X = numbers(seed)
    X[:, 1] = numpy.random.default_rng(seed).integers(0, 6, len(X))
    X[::9, 1] = numpy.nan
    y = (numpy.nan_to_num(X[:, 1]) % 2 + numpy.nan_to_num(X[:, 0]) > 0.6).astype(int)
    model = xgboost.XGBClassifier(
        n_estimators=6, enable_categorical=True, feature_types=["q", "c", "q"], max_cat_to_onehot=2
    ).fit(X, y)
    ours = read(model)
    assert ours.columns[1].unseen
    assert any(test.codes and len(test.codes) > 1 for test in ours.tests)
    assert disagreements(ours) == []
    assert disagreements(read(model.get_booster())) == []


@pytest.mark.parametrize("seed", range(4))
def test_categories_of_data_frames_are_the_users_own(seed: int) -> None:
    pandas = pytest.importorskip("pandas")
    rng = numpy.random.default_rng(seed)
    job = pandas.Categorical(rng.choice(["clerk", "nurse", "coop", "smith"], 120))
    size = pandas.Categorical(rng.choice([3, 5, 8], 120))
    frame = pandas.DataFrame({"age": rng.integers(0, 5, 120), "job": job, "size": size})
    frame.loc[::11, "job"] = None
    y = ((job == "nurse") ^ (size == 5) ^ (frame.age > 2)).astype(int)
    model = xgboost.XGBClassifier(
        n_estimators=6, enable_categorical=True, max_cat_to_onehot=1 + 4 * (seed % 2)
    ).fit(frame, y)
    ours = read(model)
    assert [column.name for column in ours.columns] == ["age", "job", "size"]
    assert set(ours.columns[1].categories or ()) == {"clerk", "nurse", "coop", "smith"}
    assert ours.columns[2].categories == (3, 5, 8)
    assert disagreements(ours) == []
    assert disagreements(read(model.get_booster())) == []
    rows = frame.astype(object).to_numpy().tolist()
    assert library_labels(ours, rows) == model.predict(frame).tolist()


def test_categories_that_xgboost_stores_wrongly_are_refused() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"job": pandas.Categorical(["é", "a", "b"] * 9)})
    model = xgboost.XGBClassifier(n_estimators=1, enable_categorical=True)
    model.fit(frame, (frame.job == "a").astype(int))
    with pytest.raises(UnsupportedModel, match="not ASCII"):
        read(model)


@pytest.mark.parametrize("form", ["json", "ubj"])
def test_files_say_the_same_as_the_model(form: str, tmp_path: Path) -> None:
    X = numbers(2)
    model = xgboost.XGBClassifier(n_estimators=4, max_depth=3).fit(X, labels(2, X, 3))
    path = tmp_path / f"model.{form}"
    model.save_model(path)
    ours, live = read_file(path), read(model)
    assert same(ours, live)
    assert disagreements(ours) == []
    assert same(read_file(path.read_bytes()), live)


def same(one: TreeModel, other: TreeModel) -> bool:
    fields = ("columns", "tests", "labels", "start", "rule", "cut", "library")
    return all(getattr(one, name) == getattr(other, name) for name in fields) and all(
        all((getattr(a, k) == getattr(b, k)).all() for k in ("test", "left", "right", "value"))
        for a, b in zip(one.trees, other.trees, strict=True)
    )


def test_files_of_older_versions_are_read() -> None:
    X = numbers(2)
    model = xgboost.train({"objective": "binary:logistic"}, xgboost.DMatrix(X, labels(2, X)), 4)
    stored = json.loads(bytes(model.save_raw("json")))
    param = stored["learner"]["learner_model_param"]
    param["base_score"] = param["base_score"].strip("[]")
    inner = stored["learner"]["gradient_booster"]["model"]
    for name in ("cats", "iteration_indptr"):
        del inner[name]
    for tree in inner["trees"]:
        for name in [name for name in tree if name.startswith(("categories", "split_type"))]:
            del tree[name]
        tree["default_left"] = [bool(left) for left in tree["default_left"]]
    stored["version"] = [1, 0, 0]
    assert same(read_file(json.dumps(stored).encode()), read(model))


@pytest.mark.parametrize("objective", ["binary:logistic", "count:poisson"])
def test_our_formulas_are_the_librarys(objective: str) -> None:
    rng = numpy.random.default_rng(0)
    margins = numpy.concatenate([rng.normal(size=500) * s for s in (1e-7, 1e-3, 1, 30, 200)])
    margins = margins.astype(numpy.float32)
    X = numbers(1)
    fitted = xgboost.XGBRegressor(objective=objective).fit(X, labels(1, X))
    model = read(fitted, Options(threshold=0.5))
    from reasons.frontends.xgboost.model_json import parse_model

    booster = xgboost.train({"objective": objective}, xgboost.DMatrix(X, labels(1, X)), 1)
    theirs = predictions(parse_model(bytes(booster.save_raw("json")), "x"))
    assert (theirs(margins) == formula(objective)(margins)).all()
    cut, steady = first_float(lambda m: formula(objective)(m) >= numpy.float32(0.5), True)
    assert steady
    assert cut == model.cut


def test_breast_cancer_and_digits_are_decided_as_predict_does() -> None:
    from sklearn.datasets import load_breast_cancer, load_digits

    for load, rounds in ((load_breast_cancer, 50), (load_digits, 8)):
        X, y = load(return_X_y=True)
        model = xgboost.XGBClassifier(n_estimators=rounds, max_depth=4, n_jobs=2).fit(X, y)
        ours = read(model)
        assert decided(ours, X.astype(numpy.float32)) == model.predict(X).tolist()


@pytest.mark.parametrize("classes", [2, 3])
def test_a_file_is_enough_where_the_library_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, classes: int
) -> None:
    X = numbers(1)
    model = xgboost.XGBClassifier(n_estimators=4, n_jobs=1).fit(X, labels(1, X, classes))
    data, live = bytes(model.get_booster().save_raw("json")), read(model)
    monkeypatch.setattr(xgboost_models, "version_of", lambda name: None)
    monkeypatch.setitem(sys.modules, "xgboost", None)
    ours = read_file(data)
    assert ours.predict is None
    assert (ours.start, ours.cut) == (live.start, live.cut)
    assert decided(ours, X) == library_labels(live, X.tolist())


def test_front_ends_load_no_library() -> None:
    names = ("xgboost.read", "xgboost.text_dump", "lightgbm.read", "catboost.read")
    lines = [f"import reasons.frontends.{name}" for name in names]
    program = "\n".join([*lines, "import sys", "print(*sys.modules)"])
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "reasons.frontends.catboost.read" in loaded
    assert not loaded & {"xgboost", "lightgbm", "catboost", "sklearn", "pandas"}


def decided(model: TreeModel, X: numpy.ndarray) -> list[Any]:
    from reasons.ensembles.discretize import over_cells

    schema, native = over_cells(model)
    cells = [[f.cell(float(v)) for f, v in zip(schema, row, strict=True)] for row in X]
    flat = numpy.array(cells, numpy.uint16).ravel()
    return [model.labels[i] for i in native.decide_all(flat, len(cells))]


@pytest.mark.parametrize(
    "wrong", [{"start": (0.0,)}, {"closed": "right"}, {"cut": -0.5}, {"trees": ()}]
)
def test_the_comparison_can_fail(wrong: dict[str, Any]) -> None:
    """Without the base score, with `<=` for `<`, another cut or a tree left out, cells differ."""
    X = numbers(6)
    model = xgboost.XGBClassifier(n_estimators=4, base_score=0.3, n_jobs=1).fit(X, labels(6, X))
    ours = read(model)
    wrong = wrong if "trees" not in wrong else {"trees": ours.trees[1:]}
    assert disagreements(ours) == []
    assert disagreements(replace(ours, **wrong))


@pytest.mark.parametrize("classes", [0, 3])
def test_sums_that_round_are_those_of_the_library(classes: int) -> None:
    """Leaves of tenths and of tiny numbers, whose sums are often zero but for rounding."""
    found = 0
    for seed in range(8):
        rng, X = Random(seed), numbers(seed)
        chosen = {"objective": "multi:softprob", "num_class": classes} if classes else {}
        chosen = {"objective": "binary:logistic", "base_score": 0.5, "nthread": 1} | chosen
        data = xgboost.DMatrix(X, labels(seed, X, max(2, classes)))
        stored = json.loads(bytes(xgboost.train(chosen, data, 7).save_raw("json")))
        for tree in stored["learner"]["gradient_booster"]["model"]["trees"]:
            for node, child in enumerate(tree["left_children"]):
                if child == -1:
                    tree["split_conditions"][node] = rng.randint(-3, 3) * 0.7
        ours = read(loaded(stored))
        assert disagreements(ours) == []
        found += bool(disagreements(replace(ours, sums="float64")))
    assert found > 2


def test_sums_in_double_precision_would_be_found_out() -> None:
    ours = read(planted([1.0, *[5e-8] * 20, -1.0]))
    assert disagreements(ours) == []
    assert disagreements(replace(ours, sums="float64"))


def test_what_is_not_a_decision_is_refused() -> None:
    X = numbers(1)
    y = labels(1, X)
    with pytest.raises(InputError, match="give threshold="):
        read(xgboost.XGBRegressor(n_estimators=1).fit(X, y))
    with pytest.raises(UnsupportedModel, match="several targets"):
        read(xgboost.XGBClassifier(n_estimators=1).fit(X, numpy.column_stack([y, 1 - y])))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        linear = xgboost.XGBClassifier(booster="gblinear", n_estimators=2).fit(X, y)
    with pytest.raises(UnsupportedModel, match="gbtree"):
        read(linear)
    leafy = xgboost.XGBClassifier(n_estimators=1, multi_strategy="multi_output_tree")
    with pytest.raises(UnsupportedModel):
        read(leafy.fit(numpy.nan_to_num(X), labels(1, X, 3)))
    model = xgboost.XGBClassifier(n_estimators=1).fit(X, labels(1, X, 3))
    with pytest.raises(InputError, match="two classes"):
        read(model, Options(threshold=0.5))
    with pytest.raises(InputError, match="3 classes, and 2 different ones are given"):
        read(model, Options(classes=["a", "b"]))
    with pytest.raises(InputError, match="3 columns, and 1 names"):
        read(model, Options(names=["a"]))
    with pytest.raises(InputError, match="not fitted"):
        read(xgboost.XGBClassifier())
    assert library_of(model) is LIBRARIES["xgboost"]
    assert library_of(3) is None

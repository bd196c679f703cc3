"""CatBoost's models decided cell by cell beside CatBoost's own `predict`."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

from reasons.ensembles.discretize import over_cells
from reasons.errors import InputError, ParseError, UnsupportedModel
from reasons.frontends.catboost.read import read, read_file
from reasons.frontends.options import Options
from reasons.frontends.registry import LIBRARIES, library_of
from tests.support.models.tree_cells import disagreements

catboost = pytest.importorskip("catboost")
ALWAYS = {"verbose": 0, "thread_count": 1, "allow_writing_files": False}


def numbers(seed: int, rows: int = 90, columns: int = 3) -> numpy.ndarray:
    rng = numpy.random.default_rng(seed)
    X = rng.integers(-3, 4, (rows, columns)) / 2
    if seed % 2:
        X[::9, 0] = numpy.nan
    return X


def labels(seed: int, X: numpy.ndarray, classes: int = 2) -> numpy.ndarray:
    rng = numpy.random.default_rng(seed + 1)
    score = numpy.nan_to_num(X, nan=0.7) @ rng.normal(size=X.shape[1])
    rank = numpy.argsort(numpy.argsort(score + rng.normal(size=len(X)) / 3))
    return rank * classes // len(X)


def parameters(seed: int) -> dict[str, Any]:
    rng = Random(seed)
    return {
        "iterations": rng.choice([1, 5, 20]),
        "depth": rng.choice([1, 2, 4]),
        "learning_rate": rng.choice([0.1, 0.5]),
        "nan_mode": rng.choice(["Min", "Max"]),
        "boost_from_average": False,
        **ALWAYS,
    }


@pytest.mark.parametrize("seed", range(8))
def test_two_classes_are_decided_as_predict_does(seed: int) -> None:
    X = numbers(seed)
    y = labels(seed, X)
    model = catboost.CatBoostClassifier(**parameters(seed))
    model.fit(X, y if seed % 3 else numpy.array(["no", "yes"])[y])
    ours = read(model)
    assert ours.labels == ((0, 1) if seed % 3 else ("no", "yes"))
    assert ours.columns[0].missing == bool(seed % 2)
    assert disagreements(ours) == []
    assert disagreements(read(model, Options(classes=["a", "b"]))) == []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("classes", [3, 10])
@pytest.mark.parametrize("loss", ["MultiClass", "MultiClassOneVsAll"])
def test_several_classes_are_decided_as_predict_does(loss: str, classes: int, seed: int) -> None:
    X = numbers(seed)
    chosen = parameters(seed) | {"loss_function": loss}
    del chosen["boost_from_average"]
    model = catboost.CatBoostClassifier(**chosen).fit(X, labels(seed, X, classes))
    assert disagreements(read(model)) == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("loss", ["RMSE", "MAE"])
def test_numbers_are_cut_at_a_threshold(loss: str, seed: int) -> None:
    X = numbers(seed)
    chosen = parameters(seed) | {"boost_from_average": True, "loss_function": loss}
    model = catboost.CatBoostRegressor(**chosen).fit(X, labels(seed, X))
    seen = numpy.unique(model.predict(X, thread_count=1))
    for threshold in (0.5, *(float(one) for one in seen)):
        assert disagreements(read(model, Options(threshold=threshold))) == []


def test_files_say_the_same_as_the_model(tmp_path: Path) -> None:
    X = numbers(1)
    model = catboost.CatBoostClassifier(**parameters(1)).fit(X, labels(1, X))
    model.save_model(tmp_path / "model.json", format="json")
    ours, live = read_file(tmp_path / "model.json"), read(model)
    assert (ours.tests, ours.labels, ours.cut) == (live.tests, live.labels, live.cut)
    assert disagreements(ours) == []


def test_breast_cancer_is_decided_as_predict_does() -> None:
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    X = X.astype(numpy.float32)
    model = catboost.CatBoostClassifier(iterations=40, depth=4, **ALWAYS).fit(X, y)
    schema, native = over_cells(read(model))
    cells = [[f.cell(float(v)) for f, v in zip(schema, row, strict=True)] for row in X]
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    assert list(ours) == model.predict(X).tolist()


@pytest.mark.parametrize("wrong", ["closed", "cut", "trees"])
def test_the_comparison_can_fail(wrong: str) -> None:
    X = numbers(2)
    model = catboost.CatBoostClassifier(iterations=9, depth=3, learning_rate=0.5, **ALWAYS)
    ours = read(model.fit(X, labels(2, X)))
    changes: dict[str, dict[str, Any]] = {
        "closed": {"closed": "left"},
        "cut": {"cut": 0.2},
        "trees": {"trees": ours.trees[1:]},
    }
    assert disagreements(ours) == []
    assert disagreements(replace(ours, **changes[wrong]))


def test_what_cannot_be_read_is_refused() -> None:
    X = numbers(2)
    y = labels(2, X)
    frame = [[*row, "ab"[i % 2]] for i, row in enumerate(X.tolist())]
    model = catboost.CatBoostClassifier(iterations=2, cat_features=[3], **ALWAYS).fit(frame, y)
    with pytest.raises(UnsupportedModel, match="categorical features"):
        read(model)
    model = catboost.CatBoostClassifier(iterations=2, grow_policy="Lossguide", **ALWAYS).fit(X, y)
    with pytest.raises(UnsupportedModel, match="SymmetricTree"):
        read(model)
    model = catboost.CatBoostRegressor(iterations=2, **ALWAYS).fit(X, y)
    with pytest.raises(InputError, match="threshold="):
        read(model)
    model = catboost.CatBoostClassifier(iterations=2, **ALWAYS).fit(X, y)
    model.set_probability_threshold(0.3)
    with pytest.raises(UnsupportedModel, match="set_probability_threshold"):
        read(model)
    assert library_of(model) is LIBRARIES["catboost"]
    assert library_of(X) is None


def test_members_that_change_never_crash(tmp_path: Path) -> None:
    X = numbers(1)
    model = catboost.CatBoostClassifier(iterations=2, depth=2, **ALWAYS).fit(X, labels(1, X))
    model.save_model(tmp_path / "model.json", format="json")
    data = (tmp_path / "model.json").read_bytes()

    def places(value: Any) -> Iterator[Any]:
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            if isinstance(value[key], dict | list):
                yield from places(value[key])

    random, refused = Random(1), 0
    odd: list[Any] = [None, -1, 2**31 - 1, 2**70, 1e39, float("nan"), "x", [], {}, [[]], True]
    count = sum(1 for _ in places({k: v for k, v in json.loads(data).items() if k != "model_info"}))
    for index in range(count):
        changed = json.loads(data)
        kept = {k: v for k, v in changed.items() if k != "model_info"}
        owner, key = list(places(kept))[index]
        owner[key] = random.choice(odd)
        text = json.dumps({**kept, "model_info": changed["model_info"]}).encode()
        try:
            over_cells(read_file(text))
        except InputError:
            refused += 1
    assert refused > count / 3
    for end in range(0, len(data) - 1, 97):
        with pytest.raises(ParseError, match="<bytes>"):
            read_file(data[:end])

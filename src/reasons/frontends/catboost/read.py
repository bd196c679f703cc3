"""CatBoost's oblivious trees over numbers, read from its JSON.

All nodes of a level share one test; true goes right. JSON holds categories as hashes, which do not
give the user's values back, so models with categories are refused.
"""

import math
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.inputs import Rows
from reasons.ensembles.ir import Column, Test, Tree, TreeModel
from reasons.errors import UnsupportedModel
from reasons.frontends.boosting import (
    Tests,
    library_table,
    renamed,
    single_leaf,
)
from reasons.frontends.json_reader import JsonNode, parsed
from reasons.frontends.libraries import bytes_of, version_of
from reasons.frontends.options import NO_OPTIONS, Options, threshold_missing

_BINARY = {"Logloss", "CrossEntropy"}
_SEVERAL = {"MultiClass", "MultiClassOneVsAll"}
_NUMBERS = {"RMSE", "MAE", "Quantile", "MAPE"}
_MOST_COLUMNS = 1_000_000
_MOST_DEPTH = 16


def read(model: Any, options: Options = NO_OPTIONS) -> TreeModel:
    """The trees of a fitted `CatBoostClassifier`, `CatBoostRegressor` or `CatBoost`.

    A classifier decides as its `predict` does with labels; a regressor decides whether its
    prediction is at least the threshold.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        data = path.read_bytes()
    trees = _model(data, "the CatBoost model", options)
    return replace(trees, predict=_predict(lambda: model, trees, options.threshold))


def read_file(source: str | os.PathLike[str] | bytes, options: Options = NO_OPTIONS) -> TreeModel:
    """The trees of a model file in JSON. CatBoost need not be installed."""
    data, name = bytes_of(source)
    trees = _model(data, name, options)
    if version_of("catboost") is None:
        return trees
    return replace(trees, predict=_predict(cache(lambda: _loaded(data)), trees, options.threshold))


def _loaded(data: bytes) -> Any:
    import catboost  # type: ignore[import-untyped, unused-ignore]

    model = catboost.CatBoost()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        path.write_bytes(data)
        model.load_model(str(path), format="json")
    return model


def _predict(
    load: Callable[[], Any], trees: TreeModel, threshold: float | None
) -> Callable[[Rows], list[Any]]:
    def predict(rows: Rows) -> list[Any]:
        data = library_table(trees.columns, rows, lambda _: False)
        if threshold is not None:
            scores = load().predict(data, prediction_type="RawFormulaVal", thread_count=1)
            return [trees.labels[int(score >= threshold)] for score in scores]
        chosen = load().predict(data, prediction_type="Class", thread_count=1)
        known = [str(label) for label in load().classes_]
        return [trees.labels[known.index(str(one))] for one in numpy.ravel(chosen)]

    return predict


def _model(data: bytes, source: str, options: Options) -> TreeModel:
    root = parsed(data, source)
    if "oblivious_trees" not in root:
        raise UnsupportedModel(f"{source}: train with grow_policy='SymmetricTree'")
    columns, places = _columns(root.child("features_info"), source)
    bias = _bias(root, source)
    tests = Tests()
    missing = {}
    for i, part in enumerate(root.child("features_info").children("float_features")):
        missing[places[i]] = part.text("nan_value_treatment") != "AsTrue"
    trees = [
        _tree(part, len(bias), tests, places, missing) for part in root.children("oblivious_trees")
    ]
    trees.append(single_leaf(bias))
    model = TreeModel(
        renamed(columns, options),
        tests.all(),
        tuple(trees),
        (),
        (0.0,) * len(bias),
        "cut",
        f"catboost {version_of('catboost') or 'file'}",
        cast="float32",
    )
    return _decided(model, root.child("model_info"), source, options)


def _columns(info: JsonNode, source: str) -> tuple[list[Column], dict[int, int]]:
    """Columns in the order of the data, and the position of each numeric feature among them."""
    for kind in ("categorical_features", "text_features", "embedding_features"):
        if kind in info and info.items(kind):
            raise UnsupportedModel(
                f"{source}: the model has {kind.replace('_', ' ')}, which its JSON has as hashes "
                "only; encode them as numbers before training"
            )
    columns: dict[int, Column] = {}
    places: dict[int, int] = {}
    for i, part in enumerate(info.children("float_features")):
        flat, kind = part.whole("flat_feature_index"), part.text("nan_value_treatment")
        if kind not in ("AsIs", "AsFalse", "AsTrue") or part.whole("feature_index") != i:
            part.fail("this does not describe a numeric feature")
        name = part.text("feature_id") if "feature_id" in part else ""
        columns[flat] = Column(name or f"f{flat}", missing=kind != "AsIs")
        places[i] = flat
    if sorted(columns) != list(range(len(columns))) or not 1 <= len(columns) <= _MOST_COLUMNS:
        info.fail("'flat_feature_index' does not number the columns")
    return [columns[i] for i in range(len(columns))], places


def _bias(root: JsonNode, source: str) -> list[float]:
    parts = root.items("scale_and_bias")
    pair = JsonNode(
        {"scale": parts[:1], "bias": parts[1] if len(parts) > 1 else []}, source, "bias"
    )
    if pair.numbers("scale", 1)[0] != 1:
        raise UnsupportedModel(f"{source}: the model is scaled; call set_scale_and_bias(1, ...)")
    bias = [float(number) for number in pair.numbers("bias")]
    if not 1 <= len(bias) <= 65_000:
        root.fail("'scale_and_bias' has no bias")
    return bias


def _tree(
    part: JsonNode, width: int, tests: Tests, places: dict[int, int], missing: dict[int, bool]
) -> Tree:
    splits = part.children("splits") if "splits" in part and part.raw("splits") is not None else []
    depth = len(splits)
    if depth > _MOST_DEPTH:
        part.fail(f"a tree of depth {depth}; {_MOST_DEPTH} is the most")
    numbers = [tests.number(_test(split, places, missing)) for split in splits]
    values = part.numbers("leaf_values", width << depth).reshape(1 << depth, width)
    inner = (1 << depth) - 1
    node = numpy.arange(inner + (1 << depth))
    level = numpy.floor(numpy.log2(node + 1)).astype(int)
    test = numpy.array([*numbers, -1])[level]
    value = numpy.zeros((len(node), width))
    value[inner:] = values[_leaf_numbers(depth)]
    is_inner = node < inner
    left = numpy.where(is_inner, 2 * node + 1, 0)
    right = numpy.where(is_inner, 2 * node + 2, 0)
    return Tree(
        test.astype(numpy.int32), left.astype(numpy.int32), right.astype(numpy.int32), value
    )


def _leaf_numbers(depth: int) -> NDArray[numpy.int64]:
    """CatBoost's number of each leaf from left to right: its lowest bit is the first test."""
    numbers = numpy.zeros(1, numpy.int64)
    for bit in reversed(range(depth)):
        numbers = numpy.concatenate([numbers, numbers | (1 << bit)])
    return numbers


def _test(split: JsonNode, places: dict[int, int], missing: dict[int, bool]) -> Test:
    kind = split.text("split_type")
    if kind != "FloatFeature":
        raise UnsupportedModel(
            f"{split.source}: {split.place} is a {kind}; encode categories before training"
        )
    index = split.whole("float_feature_index")
    if index not in places:
        split.fail(f"there is no numeric feature {index}")
    border = split.raw("border")
    checked = JsonNode({"border": [border]}, split.source, split.place).singles("border", 1)
    column = places[index]
    return Test(column, float(checked[0]), missing_left=missing[column])


def _decided(model: TreeModel, info: JsonNode, source: str, options: Options) -> TreeModel:
    loss = info.child("params").child("loss_function").text("type")
    several = len(model.start) > 1
    if loss in _NUMBERS and not several:
        if options.threshold is None:
            raise threshold_missing(source)
        labels = options.class_labels((False, True))
        return replace(model, labels=labels, cut=float(options.threshold))
    if loss not in (_SEVERAL if several else _BINARY):
        raise UnsupportedModel(f"{source}: loss function {loss!r} is not supported")
    if "binclass_probability_threshold" in info:
        raise UnsupportedModel(f"{source}: undo set_probability_threshold before compiling")
    if options.threshold is not None:
        raise UnsupportedModel(
            "{file}: {option} is for regressors of CatBoost only", file=source, option="threshold"
        )
    known = info.child("class_params").items("class_names")
    if len(known) != max(2, len(model.start)) or len({str(name) for name in known}) != len(known):
        info.fail("'class_names' does not fit the scores")
    labels = options.class_labels(known)
    if several:
        return replace(model, labels=labels, rule="largest")
    return replace(model, labels=labels, cut=math.nextafter(0.0, 1.0))

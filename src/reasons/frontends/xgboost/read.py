"""XGBoost's models: `XGBClassifier` and its kin, `Booster`, and the files that they save."""

import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy

from reasons.ensembles.inputs import Rows
from reasons.ensembles.ir import Column, Tree, TreeModel
from reasons.errors import InputError, Option, UnsupportedModel
from reasons.features.values import is_missing
from reasons.frontends.boosting import (
    LARGEST_SINGLE,
    decided_by_cut,
    library_table,
    refuse_threshold,
    renamed,
    single_leaf,
    with_predict,
)
from reasons.frontends.libraries import bytes_of, version_of
from reasons.frontends.options import NO_OPTIONS, Options, threshold_missing
from reasons.frontends.xgboost.link import SEVERAL, margins, predictions, probability, require_known
from reasons.frontends.xgboost.model_json import StoredModel, parse_model


@dataclass(frozen=True, slots=True)
class Use:
    """How a model is used: which trees, by which path of the library, for which labels."""

    source: str
    options: Options
    wrapped: bool  # by the scikit-learn interface, which stops early and predicts in place
    classifies: bool
    predict_labels: Callable[[Any], Any] | None = None  # the wrapper's, where it gives labels
    missing: float = math.nan  # a number that the wrapper takes for missing


def read(model: Any, options: Options = NO_OPTIONS) -> TreeModel:
    """The trees of a fitted `XGBClassifier`, `XGBRegressor`, `Booster` and so on.

    A classifier decides as its `predict` does, or for the second class where its probability
    is at least the threshold, compared in float32; a regressor decides whether its prediction is.
    """
    source, wrapped = "the XGBoost model", hasattr(model, "get_booster")
    booster = _fitted(model) if wrapped else model
    missing = _also_missing(model) if wrapped else None
    stored = parse_model(bytes(booster.save_raw("ubj")), source, missing)
    classifies = wrapped and hasattr(model, "n_classes_")
    if classifies and model.n_classes_ != max(2, stored.classes):
        raise UnsupportedModel(
            f"{source} has {model.n_classes_} classes and {stored.classes} scores; "
            "its predict gives no single label"
        )
    if missing is not None and any(c.categories is not None for c in stored.columns):
        raise UnsupportedModel(f"{source} has categories and missing={missing}; use NaN")
    labels = model.predict if classifies and options.threshold is None else None
    gap = math.nan if missing is None else missing
    use = Use(source, options, wrapped, classifies, labels, gap)
    return model_of(stored, use, lambda: booster, f"xgboost {version_of('xgboost')}")


def read_file(source: str | os.PathLike[str] | bytes, options: Options = NO_OPTIONS) -> TreeModel:
    """The trees of a model file, JSON or UBJSON, as the class that saved it decides.

    XGBoost need not be installed; where it is, `predict` loads the file when first called.
    """
    data, name = bytes_of(source)
    stored = parse_model(data, name)
    kind = stored.attributes.get("scikit_learn", "")
    use = Use(name, options, bool(kind), '"classifier"' in kind)
    installed = version_of("xgboost")
    load = None if installed is None else cache(lambda: _loaded(data))
    return model_of(stored, use, load, f"xgboost {installed or stored.version}")


def _loaded(data: bytes) -> Any:
    import xgboost

    booster = xgboost.Booster()
    booster.load_model(bytearray(data))
    return booster


def _fitted(model: Any) -> Any:
    try:
        return model.get_booster()
    except (ValueError, AttributeError) as error:  # scikit-learn's NotFittedError is both
        raise InputError(f"the XGBoost model is not fitted: {error}") from None


def _also_missing(model: Any) -> float | None:
    """The number, beside NaN, that the wrapper treats as missing."""
    if is_missing(model.missing):
        return None
    if not math.isfinite(model.missing):
        raise UnsupportedModel(f"missing={model.missing} is not supported; use NaN")
    return float(model.missing)


def model_of(
    stored: StoredModel, use: Use, booster: Callable[[], Any] | None, library: str
) -> TreeModel:
    """The trees of a stored model; `booster` is None where XGBoost is not installed."""
    require_known(stored, use.source)
    start = margins(stored, use.source)
    trees, rounds, notes = _used(stored, use)
    model = TreeModel(
        renamed(stored.columns, use.options),
        stored.tests,
        tuple(_weighed(trees, stored, start, use.wrapped)) or (single_leaf([0.0]),),
        (),
        start,
        "cut",
        library,
        sums="float32",
        cast="float32",
        closed="left",
        notes=notes,
    )
    model, label = (_several if stored.classes > 1 else _single)(model, stored, use)

    def predict(rows: Rows) -> list[Any]:
        data = library_table(stored.columns, rows, _is_named_category)
        if use.predict_labels is not None:
            return [model.labels[int(i)] for i in use.predict_labels(data)]
        assert booster is not None
        return [
            model.labels[int(i)] for i in label(_predicted(booster(), data, stored, use, rounds))
        ]

    return with_predict(model, None if booster is None else predict, use.source, "xgboost")


def _is_named_category(column: Column) -> bool:
    """Whether a column's categories are those of a data frame, rather than codes."""
    return column.categories is not None and not column.unseen


def _predicted(
    booster: Any, data: Any, stored: StoredModel, use: Use, rounds: tuple[int, int]
) -> Any:
    """The library's predictions, by the path that its scikit-learn interface takes or not."""
    if use.wrapped:
        return booster.inplace_predict(
            data, iteration_range=rounds, missing=use.missing, validate_features=False
        )
    import xgboost

    matrix = xgboost.DMatrix(
        data,
        feature_names=stored.names or None,
        feature_types=None if hasattr(data, "columns") else stored.types or None,
        enable_categorical=True,
        nthread=1,
    )
    return booster.predict(matrix, iteration_range=rounds)


def _used(stored: StoredModel, use: Use) -> tuple[list[Tree], tuple[int, int], tuple[str, ...]]:
    """The trees that `predict` uses: with early stopping, the wrapper stops at the best round."""
    best = stored.attributes.get("best_iteration")
    if best is None:
        return stored.trees, (0, 0), ()
    if not use.wrapped:
        return stored.trees, (0, 0), ("all trees are used, also those after the best iteration",)
    if not best.isdecimal() or int(best) + 1 >= len(stored.rounds):
        raise InputError(f"{use.source}: there is no round {best}, its best iteration")
    rounds = int(best) + 1
    return stored.trees[: stored.rounds[rounds]], (0, rounds), ()


def _weighed(
    trees: list[Tree], stored: StoredModel, start: tuple[float, ...], in_place: bool
) -> Iterable[Tree]:
    """The trees of dart with their weights; in place, XGBoost adds and takes the start first."""
    if stored.weights is None:
        yield from trees
        return
    for tree, weight in zip(trees, stored.weights, strict=False):
        value = tree.value.astype(numpy.float32)
        if in_place:
            base = numpy.float32(start[tree.score])
            value = (base + value) - base
        yield replace(tree, value=(value * weight).astype(numpy.float64))


def _several(
    model: TreeModel, stored: StoredModel, use: Use
) -> tuple[TreeModel, Callable[[Any], Any]]:
    refuse_threshold(use.options, use.source, stored.classes)
    labels = use.options.class_labels(range(stored.classes))
    if stored.objective == "multi:softmax":
        return replace(model, labels=labels, rule="largest"), lambda predicted: predicted
    rule = SEVERAL[stored.objective]
    assert rule == "softmax"
    return replace(model, labels=labels, rule="softmax"), lambda p: numpy.argmax(p, axis=1)


def _single(
    model: TreeModel, stored: StoredModel, use: Use
) -> tuple[TreeModel, Callable[[Any], Any]]:
    threshold, is_label = use.options.threshold, use.classifies or probability(stored)
    if threshold is None and not is_label:
        raise threshold_missing(use.source)
    if threshold is not None and not abs(threshold) <= LARGEST_SINGLE:
        raise InputError("{option} is not a finite float32", option=Option("threshold", threshold))

    def label(predicted: Any) -> Any:
        values = numpy.asarray(predicted, numpy.float32)
        return values > 0.5 if threshold is None else values >= numpy.float32(threshold)

    link = predictions(stored)
    labels = use.options.class_labels((0, 1) if is_label else (False, True))
    return decided_by_cut(model, lambda margin: label(link(margin)), labels, single=True), label

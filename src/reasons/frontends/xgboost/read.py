"""XGBoost's models: `XGBClassifier` and its kin, `Booster`, and the files that they save."""

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy

from reasons.ensembles.ir import Tree, TreeModel
from reasons.errors import InputError, Option, UnsupportedModel
from reasons.features.values import is_missing
from reasons.frontends.boosting_common import (
    LARGEST_SINGLE,
    class_labels,
    column_names,
    first_float,
    single_leaf,
)
from reasons.frontends.libraries import bytes_of, version_of, when_needed
from reasons.frontends.xgboost.link import SEVERAL, margins, predictions, probability, require_known
from reasons.frontends.xgboost.model_json import Stored, stored
from reasons.frontends.xgboost.rows import matrix

Rows = Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Use:
    """How a model is used: which trees, by which path of the library, for which labels."""

    source: str
    threshold: float | None
    names: Iterable[str] | None
    classes: Iterable[Any] | None
    wrapped: bool  # by the scikit-learn interface, which stops early and predicts in place
    classifies: bool
    own: Callable[[Any], Any] | None = None  # the wrapper's predict, where it gives labels


def read(
    model: Any,
    *,
    threshold: float | None = None,
    names: Iterable[str] | None = None,
    classes: Iterable[Any] | None = None,
) -> TreeModel:
    """The trees of a fitted `XGBClassifier`, `XGBRegressor`, `Booster` and so on.

    A classifier decides as its `predict` does, or for the second class where its probability
    is at least `threshold`, compared in float32; a regressor decides whether its prediction is.
    """
    wrapped = hasattr(model, "get_booster")
    booster = _fitted(model) if wrapped else model
    missing = _also_missing(model) if wrapped else None
    found = stored(bytes(booster.save_raw("ubj")), "the XGBoost model", missing)
    classifies = hasattr(model, "n_classes_") if wrapped else False
    own = model.predict if classifies and threshold is None else None
    use = Use("the XGBoost model", threshold, names, classes, wrapped, classifies, own)
    if classifies and model.n_classes_ != max(2, found.classes):
        raise UnsupportedModel(
            f"{use.source} has {model.n_classes_} classes and {found.classes} scores; "
            "its predict gives no single label"
        )
    if missing is not None and any(c.categories is not None for c in found.columns):
        raise UnsupportedModel(f"{use.source} has categories and missing={missing}; use NaN")
    gap = math.nan if missing is None else missing
    return model_of(found, use, lambda: booster, f"xgboost {version_of('xgboost')}", gap)


def read_file(
    source: str | os.PathLike[str] | bytes,
    *,
    threshold: float | None = None,
    names: Iterable[str] | None = None,
    classes: Iterable[Any] | None = None,
) -> TreeModel:
    """The trees of a model file, JSON or UBJSON, as the class that saved it decides.

    XGBoost need not be installed; where it is, `predict` loads the file when first called.
    """
    data, name = bytes_of(source)
    found = stored(data, name)
    kind = found.attributes.get("scikit_learn", "")
    use = Use(name, threshold, names, classes, bool(kind), '"classifier"' in kind)
    installed = version_of("xgboost")
    load = None if installed is None else when_needed(data, _loaded)
    return model_of(found, use, load, f"xgboost {installed or found.version}", math.nan)


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
    """The number, beside NaN, that the wrapper was told to take for missing."""
    if is_missing(model.missing):
        return None
    if not math.isfinite(model.missing):
        raise UnsupportedModel(f"missing={model.missing} is not supported; use NaN")
    return float(model.missing)


def model_of(
    found: Stored, use: Use, booster: Callable[[], Any] | None, library: str, missing: float
) -> TreeModel:
    require_known(found, use.source)
    names = column_names(use.names, [column.name for column in found.columns], len(found.columns))
    columns = tuple(replace(c, name=n) for c, n in zip(found.columns, names, strict=True))
    start = margins(found, use.source)
    trees, rounds, notes = _used(found, use)
    model = TreeModel(
        columns,
        found.tests,
        tuple(_weighed(trees, found, start, use.wrapped)) or (single_leaf([0.0]),),
        (),
        start,
        "cut",
        library,
        sums="float32",
        cast="float32",
        closed="left",
        notes=notes,
    )
    decide = _several if found.classes > 1 else _single
    model, label = decide(model, found, use)
    if booster is None:
        if not model.added:
            raise UnsupportedModel(f"{use.source}: install xgboost to read this model")
        return model

    def predict(rows: Rows) -> list[Any]:
        data = matrix(found, rows, missing)
        if use.own is not None:
            return [model.labels[int(i)] for i in use.own(data.data)]
        return [model.labels[int(i)] for i in label(data.predicted(booster(), use.wrapped, rounds))]

    return replace(model, predict=predict)


def _used(found: Stored, use: Use) -> tuple[list[Tree], tuple[int, int], tuple[str, ...]]:
    """The trees that `predict` uses: with early stopping, the wrapper's are the best round's."""
    best = found.attributes.get("best_iteration")
    if best is None:
        return found.trees, (0, 0), ()
    if not use.wrapped:
        return found.trees, (0, 0), ("all trees are used, also those after the best iteration",)
    if not best.isdecimal() or int(best) + 1 >= len(found.rounds):
        raise InputError(f"{use.source}: there is no round {best}, its best iteration")
    rounds = int(best) + 1
    return found.trees[: found.rounds[rounds]], (0, rounds), ()


def _weighed(
    trees: list[Tree], found: Stored, start: tuple[float, ...], in_place: bool
) -> Iterable[Tree]:
    """The trees of dart with their weights; in place, XGBoost adds and takes the start first."""
    if found.weights is None:
        yield from trees
        return
    for tree, weight in zip(trees, found.weights, strict=False):
        value = tree.value.astype(numpy.float32)
        if in_place:
            base = numpy.float32(start[tree.score])
            value = (base + value) - base
        yield replace(tree, value=(value * weight).astype(numpy.float64))


def _several(model: TreeModel, found: Stored, use: Use) -> tuple[TreeModel, Callable[[Any], Any]]:
    if use.threshold is not None:
        raise InputError(
            "{file}: {option} is for two classes, not {count}",
            file=use.source,
            option="threshold",
            count=found.classes,
        )
    labels = class_labels(use.classes, range(found.classes))
    if found.objective == "multi:softmax":
        return replace(model, labels=labels, rule="largest"), lambda predicted: predicted
    rule = SEVERAL[found.objective]
    assert rule == "softmax"
    return replace(model, labels=labels, rule="softmax"), lambda p: numpy.argmax(p, axis=1)


def _single(model: TreeModel, found: Stored, use: Use) -> tuple[TreeModel, Callable[[Any], Any]]:
    threshold = use.threshold
    if threshold is None and not (use.classifies or probability(found)):
        raise InputError(
            "{file} predicts numbers ({objective}); give {option}: from it on the label is True",
            file=use.source,
            objective=found.objective,
            option="threshold",
        )
    if threshold is not None and not abs(threshold) <= LARGEST_SINGLE:
        raise InputError("{option} is not a finite float32", option=Option("threshold", threshold))

    def label(predicted: Any) -> Any:
        values = numpy.asarray(predicted, numpy.float32)
        return values > 0.5 if threshold is None else values >= numpy.float32(threshold)

    link = predictions(found)
    cut, steady = first_float(lambda margin: label(link(margin)), single=True)
    known = (0, 1) if use.classifies or probability(found) else (False, True)
    labels = class_labels(use.classes, known)
    if steady:
        return replace(model, labels=labels, cut=cut), label
    slack = abs(cut) * 2.0**-10 + 2.0**-100
    return replace(model, labels=labels, cut=cut, added=False, slack=slack), label

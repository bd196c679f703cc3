"""LightGBM's models: `LGBMClassifier`, `LGBMRegressor`, `Booster`, and the files that they save."""

import math
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.inputs import Rows
from reasons.ensembles.ir import TreeModel
from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.boosting import (
    decided_by_cut,
    library_table,
    refuse_threshold,
    renamed,
    single_leaf,
    with_predict,
)
from reasons.frontends.libraries import bytes_of, version_of
from reasons.frontends.lightgbm.model_text import StoredModel, parse_model
from reasons.frontends.options import NO_OPTIONS, Options, threshold_missing

Link = Callable[[float], float]

_SIGMOID = {"binary", "cross_entropy"}
_EXPONENTIAL = {"poisson", "gamma", "tweedie"}
_IDENTITY = {
    *("regression", "regression_l1", "huber", "fair", "quantile", "mape"),
    *("lambdarank", "rank_xendcg"),
}


@dataclass(frozen=True, slots=True)
class _Use:
    source: str
    options: Options
    known: Sequence[Any] | None = None  # the classes of a classifier
    predict_labels: Callable[..., Any] | None = None  # the wrapper's, where it gives labels


def read(model: Any, options: Options = NO_OPTIONS) -> TreeModel:
    """The trees of a fitted `LGBMClassifier`, `LGBMRegressor` or `Booster`.

    A classifier decides as its `predict` does, or for the second class where its probability
    is at least the threshold; a regressor decides whether its prediction is. With early stopping
    the trees are those up to the best round, as `predict` has it.
    """
    source = "the LightGBM model"
    wrapped = hasattr(model, "booster_")
    if not wrapped and not hasattr(model, "model_to_string"):
        raise InputError(f"{source} is not fitted")
    if wrapped and callable(model.objective_):
        raise UnsupportedModel(f"{source} has a custom objective, so it predicts no label")
    booster = model.booster_ if wrapped else model
    known = list(model.classes_) if hasattr(model, "classes_") else None
    labels = model.predict if known is not None and options.threshold is None else None
    stored = parse_model(booster.model_to_string().encode(), source)
    use = _Use(source, options, known, labels)
    return _model(stored, use, lambda: booster, f"lightgbm {version_of('lightgbm')}")


def read_file(source: str | os.PathLike[str] | bytes, options: Options = NO_OPTIONS) -> TreeModel:
    """The trees of a model file. LightGBM need not be installed."""
    data, name = bytes_of(source)
    installed = version_of("lightgbm")
    load = None if installed is None else cache(lambda: _loaded(data))
    return _model(
        parse_model(data, name), _Use(name, options), load, f"lightgbm {installed or 'file'}"
    )


def _loaded(data: bytes) -> Any:
    import lightgbm

    return lightgbm.Booster(model_str=data.decode(), params={"verbose": -1})


def _model(
    stored: StoredModel, use: _Use, booster: Callable[[], Any] | None, library: str
) -> TreeModel:
    rounds = len(stored.trees) // stored.scores
    model = TreeModel(
        renamed(stored.columns, use.options),
        stored.tests,
        stored.trees or (single_leaf([0.0]),),
        (),
        (0.0,) * stored.scores,
        "cut",
        library,
        divisor=float(max(1, rounds)) if stored.average else 1.0,
    )
    if use.known is not None and len(use.known) == 1:
        only = use.options.class_labels(use.known)
        trees = (single_leaf([0.0]),)
        model = replace(model, labels=only, rule="largest", start=(0.0,), trees=trees, divisor=1.0)
        label: Callable[[Any], Any] = lambda p: [0] * len(p)  # noqa: E731
    else:
        model, label = (_several if stored.scores > 1 else _single)(model, stored, use)
    position = {value: i for i, value in enumerate(use.known or ())}

    def predict(rows: Rows) -> list[Any]:
        data = library_table(
            stored.columns, rows, lambda c: stored.framed and c.categories is not None
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            if use.predict_labels is not None:
                chosen = [position[value] for value in use.predict_labels(data, num_threads=1)]
            else:
                assert booster is not None
                chosen = label(booster().predict(data, num_threads=1))
        return [model.labels[int(i)] for i in chosen]

    return with_predict(model, None if booster is None else predict, use.source, "lightgbm")


def _several(
    model: TreeModel, stored: StoredModel, use: _Use
) -> tuple[TreeModel, Callable[[Any], Any]]:
    refuse_threshold(use.options, use.source, stored.scores)
    labels = use.options.class_labels(use.known or range(stored.scores))
    if len(labels) != stored.scores:
        raise UnsupportedModel(f"{use.source} has {stored.scores} scores, {len(labels)} classes")
    if stored.objective == "multiclass":
        model = replace(model, labels=labels, rule="softmax")
    elif stored.objective == "multiclassova":
        slack = _blur(model, stored.options.get("sigmoid", 1.0))
        model = replace(model, labels=labels, rule="largest", added=False, slack=slack)
    else:
        raise UnsupportedModel(f"{use.source}: objective {stored.objective!r} is not supported")
    return model, lambda predicted: numpy.argmax(predicted, axis=1)


def _blur(model: TreeModel, sigmoid: float) -> float:
    """The largest distance of two scores with the same sigmoid in double precision."""
    most = sum(float(numpy.abs(tree.value).max()) for tree in model.trees) / model.divisor
    steep = min(sigmoid * most, 700.0)
    return min(2 * most, 2.0**-48 * (1 + math.exp(steep)) ** 2 / math.exp(steep) / sigmoid)


def _single(
    model: TreeModel, stored: StoredModel, use: _Use
) -> tuple[TreeModel, Callable[[Any], Any]]:
    link, threshold = _link(stored, use), use.options.threshold
    is_chance = stored.objective in _SIGMOID
    if threshold is None and not is_chance:
        raise threshold_missing(use.source)

    def label(predicted: Any) -> Any:
        values = numpy.asarray(predicted, numpy.float64)
        return values > 1.0 - values if threshold is None else values >= threshold

    def says(scores: NDArray[Any]) -> Any:
        return label([link(float(score)) for score in scores])

    labels = use.options.class_labels(use.known or ((0, 1) if is_chance else (False, True)))
    return decided_by_cut(model, says, labels, single=False), label


def _link(stored: StoredModel, use: _Use) -> Link:
    """The function from a score to a prediction, by the C library as in LightGBM."""
    sigmoid = stored.options.get("sigmoid", 1.0)
    if not 0 < sigmoid < math.inf:
        raise InputError(f"{use.source}: sigmoid:{sigmoid} is not a positive number")
    if stored.objective in _SIGMOID:
        return lambda score: 1.0 / (1.0 + _exp(-sigmoid * score))
    if stored.objective in _EXPONENTIAL:
        return _exp
    if stored.objective in _IDENTITY:
        if "sqrt" in stored.options:
            return lambda score: math.copysign(score * score, score)
        return lambda score: score
    raise UnsupportedModel(f"{use.source}: objective {stored.objective!r} is not supported")


def _exp(number: float) -> float:
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf

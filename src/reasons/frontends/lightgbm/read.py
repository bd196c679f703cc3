"""LightGBM's models: `LGBMClassifier`, `LGBMRegressor`, `Booster`, and the files that they save."""

import math
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.ir import Column, TreeModel
from reasons.errors import InputError, Option, UnsupportedModel
from reasons.features.values import OTHER, is_missing
from reasons.frontends.boosting_common import class_labels, column_names, first_float, single_leaf
from reasons.frontends.libraries import bytes_of, version_of, when_needed
from reasons.frontends.lightgbm.model_text import Stored, stored

Rows = Sequence[Sequence[Any]]
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
    threshold: float | None
    names: Iterable[str] | None
    classes: Iterable[Any] | None
    known: Sequence[Any] | None = None  # the classes of a classifier


def read(
    model: Any,
    *,
    threshold: float | None = None,
    names: Iterable[str] | None = None,
    classes: Iterable[Any] | None = None,
) -> TreeModel:
    """The trees of a fitted `LGBMClassifier`, `LGBMRegressor` or `Booster`.

    A classifier decides as its `predict` does, or for the second class where its probability
    is at least `threshold`; a regressor decides whether its prediction is. With early stopping
    the trees are those up to the best round, as `predict` has it.
    """
    source = "the LightGBM model"
    wrapped = hasattr(model, "booster_")
    if not wrapped and not hasattr(model, "model_to_string"):
        raise InputError(f"{source} is not fitted")
    if wrapped and callable(model.objective_):
        raise UnsupportedModel(
            f"{source} has an objective of its own, so that it predicts no label"
        )
    booster = model.booster_ if wrapped else model
    known = list(model.classes_) if hasattr(model, "classes_") else None
    use = _Use(source, threshold, names, classes, known)
    found = stored(booster.model_to_string().encode(), source)
    own = model if known is not None and threshold is None else None
    return _model(found, use, lambda: booster, f"lightgbm {version_of('lightgbm')}", own)


def read_file(
    source: str | os.PathLike[str] | bytes,
    *,
    threshold: float | None = None,
    names: Iterable[str] | None = None,
    classes: Iterable[Any] | None = None,
) -> TreeModel:
    """The trees of a model file. LightGBM need not be installed."""
    data, name = bytes_of(source)
    found = stored(data, name)
    use = _Use(name, threshold, names, classes)
    installed = version_of("lightgbm")
    load = None if installed is None else when_needed(data, _loaded)
    return _model(found, use, load, f"lightgbm {installed or 'file'}", None)


def _loaded(data: bytes) -> Any:
    import lightgbm

    return lightgbm.Booster(model_str=data.decode(), params={"verbose": -1})


def _model(
    found: Stored, use: _Use, booster: Callable[[], Any] | None, library: str, own: Any
) -> TreeModel:
    names = column_names(use.names, [column.name for column in found.columns], len(found.columns))
    columns = tuple(replace(c, name=n) for c, n in zip(found.columns, names, strict=True))
    rounds = len(found.trees) // found.scores
    model = TreeModel(
        columns,
        found.tests,
        found.trees or (single_leaf([0.0]),),
        (),
        (0.0,) * found.scores,
        "cut",
        library,
        divisor=float(max(1, rounds)) if found.average else 1.0,
    )
    if use.known is not None and len(use.known) == 1:
        only = class_labels(use.classes, use.known)
        trees = (single_leaf([0.0]),)
        model = replace(model, labels=only, rule="largest", start=(0.0,), trees=trees, divisor=1.0)
        label: Callable[[Any], Any] = lambda p: [0] * len(p)  # noqa: E731
    else:
        model, label = (_several if found.scores > 1 else _single)(model, found, use)
    if booster is None:
        if not model.added:
            raise UnsupportedModel(f"{use.source}: install lightgbm to read this model")
        return model
    position = {value: i for i, value in enumerate(use.known or ())}

    def predict(rows: Rows) -> list[Any]:
        data = _frame(found, rows)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            if own is not None:
                chosen = [position[value] for value in own.predict(data, num_threads=1)]
            else:
                chosen = label(booster().predict(data, num_threads=1))
        return [model.labels[int(i)] for i in chosen]

    return replace(model, predict=predict)


def _several(model: TreeModel, found: Stored, use: _Use) -> tuple[TreeModel, Callable[[Any], Any]]:
    if use.threshold is not None:
        raise InputError(
            "{file}: {option} is for two classes, not {count}",
            file=use.source,
            option="threshold",
            count=found.scores,
        )
    labels = class_labels(use.classes, use.known or range(found.scores))
    if len(labels) != found.scores:
        raise UnsupportedModel(f"{use.source} has {found.scores} scores, {len(labels)} classes")
    if found.objective == "multiclass":
        model = replace(model, labels=labels, rule="softmax")
    elif found.objective == "multiclassova":
        slack = _blur(model, found.options.get("sigmoid", 1.0))
        model = replace(model, labels=labels, rule="largest", added=False, slack=slack)
    else:
        raise UnsupportedModel(f"{use.source}: objective {found.objective!r} is not supported")
    return model, lambda predicted: numpy.argmax(predicted, axis=1)


def _blur(model: TreeModel, sigmoid: float) -> float:
    """How far apart two scores can be and yet have one sigmoid in double precision."""
    most = sum(float(numpy.abs(tree.value).max()) for tree in model.trees) / model.divisor
    steep = min(sigmoid * most, 700.0)
    return min(2 * most, 2.0**-48 * (1 + math.exp(steep)) ** 2 / math.exp(steep) / sigmoid)


def _single(model: TreeModel, found: Stored, use: _Use) -> tuple[TreeModel, Callable[[Any], Any]]:
    link, threshold = _link(found, use), use.threshold
    chance = found.objective in _SIGMOID
    if threshold is None and not chance:
        raise InputError(
            "{file} predicts numbers ({objective}); give {option}: from it on the label is True",
            file=use.source,
            objective=found.objective,
            option="threshold",
        )
    if threshold is not None and not math.isfinite(threshold):
        raise InputError("{option} is not a finite number", option=Option("threshold", threshold))

    def label(predicted: Any) -> Any:
        values = numpy.asarray(predicted, numpy.float64)
        return values > 1.0 - values if threshold is None else values >= threshold

    def says(scores: NDArray[Any]) -> Any:
        return label([link(float(score)) for score in scores])

    cut, steady = first_float(says, single=False)
    labels = class_labels(use.classes, use.known or ((0, 1) if chance else (False, True)))
    if steady:
        return replace(model, labels=labels, cut=cut), label
    slack = abs(cut) * 2.0**-30 + 2.0**-900
    return replace(model, labels=labels, cut=cut, added=False, slack=slack), label


def _link(found: Stored, use: _Use) -> Link:
    """From a score to a prediction, by the functions of the C library as LightGBM has it."""
    sigmoid = found.options.get("sigmoid", 1.0)
    if not 0 < sigmoid < math.inf:
        raise InputError(f"{use.source}: sigmoid:{sigmoid} is not a positive number")
    if found.objective in _SIGMOID:
        return lambda score: 1.0 / (1.0 + _exp(-sigmoid * score))
    if found.objective in _EXPONENTIAL:
        return _exp
    if found.objective in _IDENTITY:
        if "sqrt" in found.options:
            return lambda score: math.copysign(score * score, score)
        return lambda score: score
    raise UnsupportedModel(f"{use.source}: objective {found.objective!r} is not supported")


def _exp(number: float) -> float:
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


def _frame(found: Stored, rows: Rows) -> Any:
    """Rows as LightGBM takes them: numbers and codes, or a data frame with categories."""
    values = list(zip(*rows, strict=True)) if rows else [()] * len(found.columns)
    if not found.framed:
        made = [_numbers(c, v) for c, v in zip(found.columns, values, strict=True)]
        return numpy.column_stack(made)
    import pandas

    return pandas.DataFrame(
        {
            column.name: _numbers(column, each)
            if column.categories is None
            else pandas.Categorical(
                [None if is_missing(v) or v is OTHER else v for v in each],
                categories=list(column.categories),
            )
            for column, each in zip(found.columns, values, strict=True)
        }
    )


def _numbers(column: Column, values: Sequence[Any]) -> NDArray[numpy.float64]:
    beyond = max(column.categories or (0,)) + 1
    known = [beyond if value is OTHER else value for value in values]
    return numpy.array([numpy.nan if is_missing(v) else float(v) for v in known], numpy.float64)

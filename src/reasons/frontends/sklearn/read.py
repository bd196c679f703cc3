"""Reader of scikit-learn models: sums of trees or of scores, decided exactly as `predict` does.

Sums of trees are decision trees, forests, gradient boosting of both kinds, AdaBoost over trees, and
Bagging and Voting of models with additive probabilities. Linear models and naive Bayes are scores
of columns. All may be behind thresholds, calibration by one monotone calibrator, searches and
frozen estimators. The reference is `predict` on one thread, and on one row where BLAS adds up.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from reasons.budget import UNLIMITED, Budget
from reasons.ensembles.inputs import Rows
from reasons.ensembles.ir import Column, ScoreModel, TreeModel
from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.boosting import Tests, single_leaf
from reasons.frontends.options import NO_OPTIONS, Options, threshold_missing
from reasons.frontends.sklearn.checks import (
    behind_threshold,
    family,
    library,
    one_thread,
    require_own,
    unwrapped,
    version,
)
from reasons.frontends.sklearn.gradient_boosting import codes_of, of_ada
from reasons.frontends.sklearn.linear import LinearScores, of_linear
from reasons.frontends.sklearn.naive_bayes import by_share, of_bayes
from reasons.frontends.sklearn.rows import Table, column_names, described
from reasons.frontends.sklearn.thresholds import (
    Response,
    cut,
    method_of,
    of_boosted,
    prediction,
    require_two,
    response,
)
from reasons.frontends.sklearn.trees import Numbers, SubModelContext, TreeScores
from reasons.frontends.sklearn.voting import additive_scores, adds_by_rows, hard_votes
from reasons.text import comma_list, short_repr

_LEAST = math.ulp(0.0)  # the least number above zero


@dataclass(frozen=True, slots=True, eq=False)
class _Decided:
    """Scores and the rule that turns them into a label; `predict` is the library's."""

    scores: TreeScores | LinearScores
    labels: tuple[Any, ...]
    predict: Callable[[Any], Any]
    rule: Literal["cut", "largest"] = "largest"
    cut: float = 0.0
    slack: float = 0.0


def read(
    model: Any, options: Options = NO_OPTIONS, budget: Budget = UNLIMITED
) -> TreeModel | ScoreModel:
    """A fitted scikit-learn model as a sum of trees, or of scores of its columns.

    With `threshold`, a classifier of two classes says the second where its probability is at
    least that, and a regressor becomes one of the labels False and True, True where the
    prediction is at least that. `names` are for columns that had none when it was fitted.
    What is neither raises `UnsupportedModel`. Cost: one pass over the nodes.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[1], [2], [3]], ["low", "low", "high"])
    >>> found = read(model, Options(names=["size"]))
    >>> found.tests[0].threshold, found.labels, found.predict([[2.5], [2.6]])
    (2.5, ('high', 'low'), ['low', 'high'])
    """
    model = unwrapped(model)
    require_own(model)
    fitted = _fitted(model)
    codes = codes_of(fitted) if hasattr(fitted, "_bin_mapper") else {}
    context = SubModelContext(Tests(), range(int(fitted.n_features_in_)), budget)
    decided = _decided(model, options.threshold, context)
    scores = decided.scores
    alone = isinstance(scores, LinearScores) or adds_by_rows(fitted)
    table = Table(fitted, codes)

    def predict(rows: Rows) -> list[Any]:
        labels: list[Any] = []
        with one_thread():
            for part in ([row] for row in rows) if alone else [rows] if rows else []:
                labels += decided.predict(table(part)).tolist()
        return labels

    names = column_names(fitted, options)
    shared: dict[str, Any] = {
        "labels": decided.labels,
        "start": scores.start,
        "rule": decided.rule,
        "library": version(),
        "cut": decided.cut,
        "predict": predict,
        "slack": decided.slack,
    }
    if isinstance(scores, LinearScores):
        known = {column: tuple(range(count)) for column, count in scores.categories.items()}
        return ScoreModel(
            columns=tuple(Column(name, known.get(at)) for at, name in enumerate(names)),
            parts=scores.parts,
            cuts=scores.cuts,
            sums=scores.sums,
            roundings=scores.roundings,
            **shared,
        )
    return TreeModel(
        columns=described(names, codes, scores.missing),
        tests=context.tests.all(),
        trees=scores.trees,
        divisor=float(scores.divisor),
        cast=scores.cast,
        added=decided.slack == 0,
        **shared,
    )


def _fitted(model: Any) -> Any:
    """The model that receives the rows, behind thresholds and calibration."""
    while True:
        model = unwrapped(model)
        if family(model) == "threshold":
            model = behind_threshold(model)
        elif len(getattr(model, "calibrated_classifiers_", ())) == 1:
            model = model.calibrated_classifiers_[0].estimator
        else:
            return model


def _decided(model: Any, threshold: float | None, context: SubModelContext) -> _Decided:
    if library("base").is_regressor(model):
        return _regression(model, threshold, context)
    if not library("base").is_classifier(model):
        raise UnsupportedModel(f"{type(model).__name__} is neither a classifier nor a regressor")
    if isinstance(model.classes_, list):
        raise UnsupportedModel("the model predicts several outputs; fit one model for each")
    if family(model) == "threshold":
        if threshold is not None:
            raise InputError(f"the {type(model).__name__} has a threshold of its own")
        return _own_threshold(model, context)
    if threshold is not None:
        return _threshold(model, threshold, context)
    return _classification(model, context)


def _regression(model: Any, threshold: float | None, context: SubModelContext) -> _Decided:
    if threshold is None:
        raise threshold_missing(type(model).__name__)
    return _by_cut(
        prediction(model, context),
        lambda number: number >= threshold,
        (False, True),
        lambda rows: model.predict(rows) >= threshold,
    )


def _threshold(model: Any, threshold: float, context: SubModelContext) -> _Decided:
    def predict(rows: Any) -> Any:
        return model.classes_[(model.predict_proba(rows)[:, 1] >= threshold).astype(int)]

    if family(model) == "naive bayes":
        return _bayes_share(model, threshold, 1, predict)
    chance = response(model, "predict_proba", 1, context)
    return _by_cut(chance, lambda number: number >= threshold, _labels(model), predict)


def _bayes_share(model: Any, threshold: float, positive: int, predict: Any) -> _Decided:
    require_two(model)
    scores = by_share(of_bayes(model), threshold, positive)
    return _Decided(scores, _labels(model), predict, slack=scores.slack)


def _own_threshold(model: Any, context: SubModelContext) -> _Decided:
    behind = behind_threshold(model)
    method = method_of(behind, model.response_method)
    if hasattr(model, "best_threshold_"):
        threshold, label = model.best_threshold_, model._curve_scorer._get_pos_label()
    else:
        threshold, label = model.threshold, model.pos_label
    if isinstance(threshold, str):
        threshold = 0.5 if method == "predict_proba" else 0.0
    labels = _labels(model)
    if label is not None and label not in labels:
        raise InputError(
            f"pos_label={short_repr(label)} is none of the classes {comma_list(labels)}"
        )
    positive = 1 if label is None else labels.index(label)
    if family(behind) == "naive bayes":
        return _bayes_share(behind, threshold, positive, model.predict)
    return _by_cut(
        response(behind, method, positive, context),
        lambda number: (number >= threshold) == bool(positive),
        labels,
        model.predict,
    )


def _classification(model: Any, context: SubModelContext) -> _Decided:
    labels, kind = _labels(model), family(model)
    if kind == "calibration":
        behind = response(model, "predict_proba", 1, context)
        return _by_cut(behind, lambda number: number > 1.0 - number, labels, model.predict)
    if kind == "adaboost":
        if len(labels) == 1:
            return _Decided(TreeScores((single_leaf([0.0]),), (0.0,)), labels, model.predict)
        return _raw(of_ada(model, context), labels, model.predict, _LEAST)
    if kind == "boosted classifier":
        least = _LEAST if hasattr(model, "_predictors") else 0.0
        return _raw(of_boosted(model, context), labels, model.predict, least)
    if kind == "linear":
        return _raw(of_linear(model), labels, model.predict, _LEAST)
    if kind == "naive bayes":
        scores = of_bayes(model)
        return _Decided(scores, labels, model.predict, slack=scores.slack)
    if kind == "voting classifier" and model.voting == "hard":
        return _Decided(hard_votes(model, context), labels, model.predict)
    additive = additive_scores(model, context)
    if additive is None:
        raise UnsupportedModel(
            f"{type(model).__name__} is neither a sum of trees nor a score of columns; trees, "
            "forests, boosted trees, Bagging and Voting of trees and forests, linear models and "
            "naive Bayes are"
        )
    return _Decided(additive, labels, model.predict, slack=additive.slack)


def _raw(
    scores: TreeScores | LinearScores, labels: tuple[Any, ...], predict: Any, least: float
) -> _Decided:
    """The second of two classes from `least` on; otherwise the first of the largest scores."""
    if len(scores.start) > 1 or len(labels) == 1:
        return _Decided(scores, labels, predict, slack=scores.slack)
    return _Decided(scores, labels, predict, "cut", least, scores.slack)


def _by_cut(
    response: Response, says: Callable[[Numbers], Any], labels: tuple[Any, ...], predict: Any
) -> _Decided:
    first = cut(response.scores, lambda score: says(response.of(score)), response.knots)
    return _Decided(first.scores, labels, predict, "cut", first.value, first.slack)


def _labels(model: Any) -> tuple[Any, ...]:
    return tuple(model.classes_.tolist())

"""Bagging and voting of scikit-learn: means and votes of models that are sums of trees."""

from dataclasses import replace
from typing import Any

import numpy

from reasons.ensembles.ir import Tree
from reasons.errors import UnsupportedModel
from reasons.frontends.sklearn.checks import family, require_own, unwrapped
from reasons.frontends.sklearn.gradient_boosting import codes_of, of_gradient, of_histogram
from reasons.frontends.sklearn.trees import (
    SubModelContext,
    TreeScores,
    mean,
    of_trees,
    votes_of_tree,
)


def additive_scores(model: Any, context: SubModelContext) -> TreeScores | None:
    """Probabilities of a classifier, or predictions of a regressor before the inverse of its link.

    None where they are not sums over trees.
    """
    model = unwrapped(model)
    require_own(model)
    kind = family(model)
    if kind in ("tree", "forest"):
        return of_trees(model, context)
    if kind == "gradient boosting regressor":
        return of_gradient(model, context)
    if kind == "histogram boosting regressor":
        return of_histogram(model, context)
    if kind in ("bagging classifier", "bagging regressor"):
        return _bagged(model, context)
    if kind == "voting regressor":
        scores = _averaged(model, context)
        # numpy chooses the order of these sums, also where each is a single tree.
        return replace(scores, roundings=scores.roundings or len(model.estimators_) + 8)
    if kind == "voting classifier" and model.voting == "soft":
        return _averaged(model, context)
    return None


def adds_by_rows(model: Any) -> bool:
    """Whether numpy adds up in an order that depends on how many rows there are."""
    model = unwrapped(model)
    if family(model) == "voting regressor":
        return True
    bagged = family(model) == "bagging regressor"
    return bagged and any(map(adds_by_rows, model.estimators_))


def hard_votes(model: Any, context: SubModelContext) -> TreeScores:
    """The weights of the trees that vote for each class."""
    weights = _weights(model) or [1.0] * len(model.estimators_)
    classes = range(len(model.classes_))
    trees: list[Tree] = []
    missing = True
    for voter, weight in zip(model.estimators_, weights, strict=True):
        part = unwrapped(voter)
        require_own(part)
        if family(part) != "tree":
            raise UnsupportedModel(
                f"a hard vote of {type(part).__name__} is not a sum of trees; "
                'use voting="soft" or compile the estimators one by one'
            )
        votes = votes_of_tree(part, context, classes, (weight, 0.0))
        trees += votes.trees
        missing = missing and votes.missing
    return TreeScores(tuple(trees), (0.0,) * len(classes), missing=missing)


def _bagged(model: Any, context: SubModelContext) -> TreeScores:
    if model.n_estimators != len(model.estimators_):
        raise UnsupportedModel(
            f"{type(model).__name__} was fitted with {len(model.estimators_)} estimators, but "
            f"n_estimators is {model.n_estimators}; fit it again"
        )
    parts = []
    for part, features in zip(model.estimators_, model.estimators_features_, strict=True):
        scores = _part(part, context.of(features))
        if hasattr(model, "classes_"):
            scores = _spread(scores, part.classes_.tolist(), len(model.classes_))
        parts.append(scores)
    return mean(parts, None, len(parts))


def _spread(scores: TreeScores, columns: list[int], width: int) -> TreeScores:
    """The scores of some classes among all; the others are zero."""

    def wide(tree: Tree) -> Tree:
        value = numpy.zeros((len(tree.value), width))
        value[:, columns] = tree.value
        return replace(tree, value=value)

    # Shares start at zero.
    return replace(scores, trees=tuple(map(wide, scores.trees)), start=(0.0,) * width)


def _averaged(model: Any, context: SubModelContext) -> TreeScores:
    parts = [_part(part, context) for part in model.estimators_]
    weights = _weights(model)
    total = float(len(parts)) if weights is None else float(numpy.sum(weights))
    if not total > 0:
        raise UnsupportedModel("the weights of the vote add up to nothing")
    return mean(parts, weights, total)


def _weights(model: Any) -> list[float] | None:
    weights = model._weights_not_none
    if weights is None:
        return None
    if min(weights) < 0:
        raise UnsupportedModel("a vote with negative weights is not read; use weights from 0 on")
    return [float(weight) for weight in weights]


def _part(part: Any, context: SubModelContext) -> TreeScores:
    """The scores of a model inside an ensemble."""
    part = unwrapped(part)
    is_histogram = family(part) == "histogram boosting regressor"
    if is_histogram and codes_of(part):
        raise UnsupportedModel(
            "categorical columns inside an ensemble are not read; compile the estimators one by one"
        )
    has_link = is_histogram and part.loss in ("poisson", "gamma")
    scores = None if has_link else additive_scores(part, context)
    if scores is None:
        raise UnsupportedModel(
            f"{type(part).__name__} is not a sum of trees, so neither is a mean of such models; "
            "compile the estimators one by one"
        )
    return scores

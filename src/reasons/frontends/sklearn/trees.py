"""scikit-learn's decision trees and forests, node by node.

They compare float32 numbers with float64 thresholds, which is the same as comparing them with
the largest float32 that is not above the threshold.
"""

from collections.abc import Sequence
from typing import Any

import numpy

from reasons.ensembles.ir import Test, Tree
from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.sklearn.tree_scores import Numbers, SubModelContext, TreeScores


def of_tree(model: Any, context: SubModelContext) -> TreeScores:
    """The shares of the classes in a tree's leaves, or its leaves' predictions."""
    value = model.tree_.value
    _require_one_output(value)
    tree = read_tree(model, context, value[:, 0, :], _accepts_missing(model))
    return TreeScores((tree,), (0.0,) * value.shape[2], missing=_accepts_missing(model))


def of_forest(model: Any, context: SubModelContext) -> TreeScores:
    """The sums of a forest's trees, over their number."""
    trees = model.estimators_
    _require_one_output(trees[0].tree_.value)
    missing = _accepts_missing(trees[0])
    read = [read_tree(tree, context, tree.tree_.value[:, 0, :], missing) for tree in trees]
    return TreeScores(tuple(read), (0.0,) * read[0].value.shape[1], len(trees), missing=missing)


def votes_of_tree(
    model: Any, context: SubModelContext, classes: Sequence[Any], votes: tuple[float, float]
) -> TreeScores:
    """A tree that adds one number to the class it predicts and another to the others."""
    _require_one_output(model.tree_.value)
    chosen = model.tree_.value[:, 0, :].argmax(axis=1)
    column = numpy.array([list(classes).index(label) for label in model.classes_.tolist()])
    value = numpy.full((len(chosen), len(classes)), float(votes[1]))
    value[numpy.arange(len(chosen)), column[chosen]] = votes[0]
    missing = _accepts_missing(model)
    return TreeScores(
        (read_tree(model, context, value, missing),), (0.0,) * len(classes), missing=missing
    )


def read_tree(
    model: Any, context: SubModelContext, value: Numbers, missing: bool = False, score: int = 0
) -> Tree:
    """The nodes of a fitted tree with these values in their leaves."""
    nodes = model.tree_
    require_sound(nodes.children_left, nodes.children_right, nodes.feature, len(context.columns))
    inner = numpy.flatnonzero(nodes.children_left >= 0)
    test = numpy.full(nodes.node_count, -1, numpy.int32)
    goes_left = nodes.missing_go_to_left[inner] if missing else numpy.zeros(len(inner))
    asked = zip(
        nodes.feature[inner].tolist(),
        _below(nodes.threshold[inner]).tolist(),
        goes_left.tolist(),
        strict=True,
    )
    test[inner] = [
        context.tests.number(Test(context.columns[feature], cut, missing_left=bool(left)))
        for feature, cut, left in asked
    ]
    return Tree(
        test,
        nodes.children_left.astype(numpy.int32),
        nodes.children_right.astype(numpy.int32),
        numpy.array(value, float),
        score,
    )


def require_sound(left: Any, right: Any, feature: Any, features: int) -> None:
    """Refuse nodes, as of a damaged file, that lead back, or to where nothing is."""
    inner = left >= 0
    number = numpy.flatnonzero(inner)
    children = numpy.concatenate([left[inner], right[inner]])
    asked = feature[inner]
    fits = (children > numpy.tile(number, 2)).all() and (children < len(left)).all()
    if not fits or (asked < 0).any() or (asked >= features).any():
        raise InputError("the nodes of a tree do not fit together; the model is damaged")


def _below(thresholds: Numbers) -> Numbers:
    """The largest float32 that is not above each threshold."""
    near = thresholds.astype(numpy.float32)
    down = numpy.nextafter(near, numpy.float32(-numpy.inf))
    return numpy.where(near > thresholds, down, near).astype(float)


def _accepts_missing(tree: Any) -> bool:
    return bool(tree._support_missing_values(numpy.zeros((1, 1), numpy.float32)))


def _require_one_output(value: Numbers) -> None:
    if value.shape[1] > 1:
        raise UnsupportedModel(
            f"the model predicts {value.shape[1]} outputs at once; fit one model for each output"
        )

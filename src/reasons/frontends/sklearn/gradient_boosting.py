"""scikit-learn's GradientBoosting and AdaBoost."""

import platform
from typing import Any

import numpy

from reasons.ensembles.ir import Tree
from reasons.errors import UnsupportedModel
from reasons.frontends.sklearn.checks import family
from reasons.frontends.sklearn.tree_scores import SubModelContext, TreeScores
from reasons.frontends.sklearn.trees import read_tree, votes_of_tree

# Elsewhere compilers fuse `sum += rate * value` into one rounding.
_ROUNDS_TWICE = platform.machine() in {"x86_64", "AMD64"}


def of_gradient(model: Any, context: SubModelContext) -> TreeScores:
    """The raw scores: those of `init`, and the leaves times the learning rate, in order."""
    rate = float(model.learning_rate)
    trees: list[Tree] = []
    for stage in model.estimators_:
        for score, tree in enumerate(stage):
            value = rate * tree.tree_.value[:, 0, :]
            trees.append(read_tree(tree, context, value, score=score))
    roundings = 0 if _ROUNDS_TWICE else 2 * len(model.estimators_) + 4
    return TreeScores(tuple(trees), _start(model), roundings=roundings)


def _start(model: Any) -> tuple[float, ...]:
    """What the library's own `init` says of any row, where it says the same of all."""
    init = model.init_
    known = family(init) == "dummy" or (isinstance(init, str) and init == "zero")
    if not known or getattr(init, "strategy", None) == "stratified":
        raise UnsupportedModel(
            f"GradientBoosting starts from {type(init).__name__}, whose predictions are not "
            'constant; fit it with init=None, init="zero" or a constant Dummy estimator'
        )
    row = numpy.zeros((1, model.n_features_in_), numpy.float32)
    return tuple(model._raw_predict_init(row)[0].tolist())


def of_ada(model: Any, context: SubModelContext) -> TreeScores:
    """The weighted votes of AdaBoost's trees; of two classes, only those for the second.

    Of two classes the votes for one are those for the other with the other sign, so that the
    library's decision is twice this score, exactly.
    """
    if getattr(model, "algorithm", "SAMME") == "SAMME.R":
        raise UnsupportedModel(
            'AdaBoost with algorithm="SAMME.R" adds logarithms; fit it with algorithm="SAMME"'
        )
    classes = model.classes_.tolist()
    total = float(model.estimator_weights_.sum())
    if not total > 0:
        raise UnsupportedModel("the weights of AdaBoost's estimators do not add up to more than 0")
    trees: list[Tree] = []
    for part, weight in zip(model.estimators_, model.estimator_weights_.tolist(), strict=False):
        if family(part) != "tree":
            raise UnsupportedModel(
                f"AdaBoost over {type(part).__name__} is no sum of trees; boost a decision tree"
            )
        votes = (weight, -1 / (len(classes) - 1) * weight)
        trees += votes_of_tree(part, context, classes, votes).trees
    scores = TreeScores(tuple(trees), (0.0,) * len(classes), total)
    return scores.column(1) if len(classes) == 2 else scores

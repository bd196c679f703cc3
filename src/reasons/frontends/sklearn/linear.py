"""scikit-learn's linear models: `X @ coef_.T + intercept_`, then the sign or the largest."""

import copy
from typing import Any

import numpy

from reasons.errors import UnsupportedModel
from reasons.frontends.sklearn.linear_scores import LinearScores, Numbers, products


def of_linear(model: Any) -> LinearScores:
    """The scores of a linear model: one for two classes and numbers, else one for each class."""
    name = type(model).__name__
    binarizer = getattr(model, "_label_binarizer", None)
    if binarizer is not None and binarizer.y_type_.startswith("multilabel"):
        raise UnsupportedModel(f"the {name} predicts several labels; fit one model for each")
    if not hasattr(model, "classes_") and numpy.ndim(model.coef_) != 1:
        raise UnsupportedModel(f"the {name} predicts several numbers; fit one model for each")
    dense = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
    weights = numpy.atleast_2d(dense)
    start = numpy.atleast_1d(model.intercept_)
    classes = len(model.classes_) if hasattr(model, "classes_") else 2
    if classes < 2:
        raise UnsupportedModel(f"the {name} was fitted on one class; fit it on two at least")
    scores = 1 if classes == 2 else classes
    if weights.shape != (scores, model.n_features_in_) or start.shape not in ((1,), (scores,)):
        raise UnsupportedModel(
            f"the {name} has coef_ of the shape {weights.shape} and intercept_ of the shape "
            f"{start.shape}; ({scores}, {model.n_features_in_}) and ({scores},) were expected"
        )
    return products(weights, numpy.broadcast_to(start, (scores,)))


def share_of_score(model: Any, positive: int) -> Any:
    """The library's own probability of one of two classes, as a function of the score.

    A model of one column whose weight is 1 has that column for its score.
    """
    bare = copy.copy(model)
    bare.coef_, bare.intercept_, bare.n_features_in_ = numpy.ones((1, 1)), numpy.zeros(1), 1
    if hasattr(bare, "feature_names_in_"):
        del bare.feature_names_in_

    def share(score: Numbers) -> Numbers:
        with numpy.errstate(all="ignore"):
            return numpy.asarray(bare.predict_proba(score[:, None])[:, positive], dtype=float)

    return share

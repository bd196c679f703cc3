"""Naive Bayes of scikit-learn: a sum of log-likelihoods for each class; the largest decides."""

import math
from dataclasses import replace
from typing import Any

import numpy

from reasons.ensembles.ir import Part
from reasons.errors import InputError, Option, UnsupportedModel
from reasons.frontends.sklearn.checks import known_class
from reasons.frontends.sklearn.linear import (
    Arrays,
    LinearScores,
    Numbers,
    precision_of,
    products,
    unit,
)


def of_bayes(model: Any) -> LinearScores:
    """A score for each class: its joint log-likelihood with all columns."""
    kind = known_class(model)
    if kind == "CategoricalNB":
        return _categorical(model)
    if kind == "GaussianNB":
        return _gaussian(model)
    _require_finite(model, model.feature_log_prob_)
    if kind == "BernoulliNB":
        return _bernoulli(model)
    prior = model.class_log_prior_
    if kind == "ComplementNB" and len(model.classes_) > 1:
        prior = numpy.zeros(len(model.classes_))
    return products(model.feature_log_prob_, prior)


def by_share(scores: LinearScores, threshold: float, positive: int) -> LinearScores:
    """Two scores shifted so that the second is larger where a class reaches this probability.

    The library computes the probability of a class as exp(s - log(exp(s) + exp(t))), with s its
    score and t the other. If m exceeds both and 1, the error of the logarithm is at most 16 m
    units. Its derivative in s - t is 1 - threshold, so s - t is in doubt up to that error divided
    by it.
    """
    if not 1e-9 <= threshold <= 1 - 1e-6:
        raise InputError(
            "{option} is too near to 0 or 1 for the probabilities of naive Bayes",
            option=Option("threshold", float(threshold)),
        )
    odds = math.log(threshold) - math.log1p(-threshold)
    doubt = math.ceil(64 / (1 - threshold))
    shifted = (scores.start[0] + (odds if positive else -odds), scores.start[1])
    return replace(
        scores,
        start=shifted,
        roundings=scores.roundings + doubt,
        slack=scores.slack + doubt * unit(scores.sums) * (1 + abs(odds)),
    )


def _require_finite(model: Any, *arrays: Any) -> None:
    if not all(numpy.isfinite(array).all() for array in arrays):
        raise UnsupportedModel(
            f"the {type(model).__name__} has probabilities whose logarithms are not finite; fit "
            "it with alpha above 0, and BernoulliNB with binarize= unless all columns are 0 or 1"
        )


def _bernoulli(model: Any) -> LinearScores:
    with numpy.errstate(divide="ignore", invalid="ignore"):
        absent = numpy.log(1 - numpy.exp(model.feature_log_prob_))
    _require_finite(model, absent)
    start = model.class_log_prior_ + absent.sum(axis=1)
    weights = model.feature_log_prob_ - absent
    if model.binarize is None:
        return products(weights, start)
    point = float(model.binarize)
    return products(weights, start, dict.fromkeys(range(weights.shape[1]), (point,)))


def _categorical(model: Any) -> LinearScores:
    _require_finite(model, model.class_log_prior_, *model.feature_log_prob_)

    def part(column: int, table: Numbers) -> Part:
        def value(arrays: Arrays) -> Numbers:
            if (arrays[0] < 0).any():
                raise UnsupportedModel(
                    "CategoricalNB met only {count} categories of its column {column}, and its "
                    "predict refuses others; fit it with min_categories=, or declare with "
                    "{option} which values there are",
                    count=table.shape[1],
                    column=column,
                    option="domain",
                )
            return table.T[arrays[0]]

        return Part((column,), value)

    tables = model.feature_log_prob_
    return LinearScores(
        tuple(part(column, table) for column, table in enumerate(tables)),
        tuple(model.class_log_prior_.tolist()),
        len(tables) + 4,
        sums=precision_of([model.class_log_prior_, *tables]),
        categories={column: table.shape[1] for column, table in enumerate(tables)},
    )


def _gaussian(model: Any) -> LinearScores:
    """Each column adds its squared distance from a class's mean over the variance.

    The relative error of an addend is a few units whatever the distance, since the mean is exact;
    the parts of the start can be larger than the start.
    """
    means, variances = model.theta_, model.var_
    with numpy.errstate(divide="ignore", invalid="ignore"):
        prior = numpy.log(model.class_prior_)
        widths = -0.5 * numpy.log(2.0 * numpy.pi * variances)
    if not (numpy.isfinite(prior).all() and numpy.isfinite(widths).all()):
        raise UnsupportedModel("the GaussianNB has priors or variances of 0")
    precision = precision_of([means, variances, model.class_prior_])
    size = float((abs(prior) + abs(widths).sum(axis=1)).max())

    def part(column: int) -> Part:
        def value(arrays: Arrays) -> Numbers:
            away = arrays[0][:, None] - means[:, column]
            return numpy.asarray(-0.5 * (away**2 / variances[:, column]))

        return Part((column,), value, lambda _: False)

    return LinearScores(
        tuple(map(part, range(means.shape[1]))),
        tuple((prior + widths.sum(axis=1)).tolist()),
        means.shape[1] + 12,
        (2 * means.shape[1] + 8) * unit(precision) * size,
        precision,
    )

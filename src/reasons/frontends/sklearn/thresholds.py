"""Thresholds on probabilities and decisions, as cuts of the score, by bisection over all floats.

scikit-learn compares a probability or a decision: a link or a calibrator of the score, monotone
except for its rounding. The cut is found by bisection through the library's own functions, and
floats around it at distances of all scales are tried. Where these disagree, the library decides
scores that near to the cut.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy
from numpy.typing import NDArray

from reasons.errors import UnsupportedModel
from reasons.features.floats import bisect_floats, floats_at, ranks_of
from reasons.frontends.sklearn.checks import (
    behind_threshold,
    family,
    require_own,
    unwrapped,
)
from reasons.frontends.sklearn.gradient_boosting import of_ada, of_gradient, of_histogram
from reasons.frontends.sklearn.linear import LinearScores, of_linear, share_of_score
from reasons.frontends.sklearn.trees import Numbers, SubModelContext, TreeScores
from reasons.frontends.sklearn.voting import additive_scores

Method = Literal["predict_proba", "decision_function"]
Function = Callable[[Numbers], Numbers]
Says = Callable[[Numbers], NDArray[numpy.bool_]]

_SCALES, _AT_EACH = 44, 64  # distances in floats: powers of two times 1 to 64


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """A score and the library's monotone function of it; `knots` are where its pieces meet."""

    scores: TreeScores | LinearScores
    of: Function
    knots: Numbers | None = None


def prediction(model: Any, context: SubModelContext) -> Response:
    """The prediction of a regressor."""
    if family(model) == "linear":
        return Response(of_linear(model), lambda score: score)
    scores = additive_scores(model, context)
    if scores is None:
        raise UnsupportedModel(
            f"{type(model).__name__} is not a sum of trees; trees, forests, GradientBoosting, "
            "HistGradientBoosting, and Bagging and Voting of these are"
        )
    if family(model) == "histogram boosting regressor":
        return Response(scores, model._loss.link.inverse)
    return Response(scores, lambda score: score)


def method_of(model: Any, wanted: str) -> Method:
    """The method whose numbers are compared; with "auto" the probabilities if there are any."""
    if wanted == "auto":
        return "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    if wanted not in ("predict_proba", "decision_function") or not hasattr(model, wanted):
        raise UnsupportedModel(f"{type(model).__name__} has no {wanted} to compare")
    return "predict_proba" if wanted == "predict_proba" else "decision_function"


def response(model: Any, method: Method, positive: int, context: SubModelContext) -> Response:
    """A binary classifier's number for its class `positive`, 0 or 1."""
    model = unwrapped(model)
    require_own(model)
    require_two(model)
    kind = family(model)
    if kind == "threshold":
        return response(behind_threshold(model), method, positive, context)
    if kind == "calibration":
        return _calibrated(model, positive, context)
    if kind == "adaboost":
        return _of_ada(model, method, positive, context)
    if kind == "boosted classifier":
        return _of_boosted(model, method, positive, context)
    if kind == "linear":
        return _of_linear(model, method, positive)
    scores = additive_scores(model, context) if method == "predict_proba" else None
    if scores is None:
        inside = "; put the pipeline around it" if type(model).__name__ == "Pipeline" else ""
        raise UnsupportedModel(
            f"the {method} of {type(model).__name__} is not a function of one sum over trees or "
            f"columns{inside}"
        )
    return Response(scores.column(positive), lambda score: score)


def require_two(model: Any) -> None:
    """Raise `UnsupportedModel` unless the model has two classes."""
    if len(model.classes_) != 2:
        raise UnsupportedModel(
            f"a threshold is for two classes; the model has {len(model.classes_)}"
        )


def of_boosted(model: Any, context: SubModelContext) -> TreeScores:
    """The raw scores of a classifier by gradient boosting."""
    histogram = hasattr(model, "_predictors")
    return of_histogram(model, context) if histogram else of_gradient(model, context)


def _of_boosted(model: Any, method: Method, positive: int, context: SubModelContext) -> Response:
    scores = of_boosted(model, context)
    if method == "decision_function":
        return Response(scores, _signed(positive))
    return Response(
        scores, lambda score: _column(model._loss.predict_proba(score[:, None]), positive)
    )


def _of_linear(model: Any, method: Method, positive: int) -> Response:
    scores = of_linear(model)
    if method == "decision_function":
        return Response(scores, _signed(positive))
    if not hasattr(model, "predict_proba"):
        raise UnsupportedModel(
            f"{type(model).__name__} has no predict_proba to compare with a threshold"
        )
    _require_double(scores, model)
    return Response(scores, share_of_score(model, positive))


def _require_double(scores: TreeScores | LinearScores, model: Any) -> None:
    if isinstance(scores, LinearScores) and scores.sums == "float32":
        raise UnsupportedModel(
            f"the {type(model).__name__} was fitted in float32, whose probabilities are not "
            "compared here; fit it in float64"
        )


def _of_ada(model: Any, method: Method, positive: int, context: SubModelContext) -> Response:
    scores, sign = of_ada(model, context), _signed(positive)
    if method == "decision_function":
        return Response(scores, lambda score: sign(score + score))

    def share(score: Numbers) -> Numbers:
        return _column(model._compute_proba_from_decision(score + score, 2), positive)

    return Response(scores, share)


def _signed(positive: int) -> Function:
    return (lambda score: score) if positive else (lambda score: -1 * score)


def _calibrated(model: Any, positive: int, context: SubModelContext) -> Response:
    """The calibrator's function of the one model that it calibrates."""
    calibrated = model.calibrated_classifiers_
    if len(calibrated) > 1:
        raise UnsupportedModel(
            f"the mean of {len(calibrated)} calibrated models is not a function of one sum; "
            "calibrate with ensemble=False"
        )
    part = calibrated[0]
    if part.method not in ("sigmoid", "isotonic"):
        raise UnsupportedModel(
            f"calibration by method={part.method!r} is not read; use sigmoid or isotonic"
        )
    calibrator, base = part.calibrators[0], unwrapped(part.estimator)
    if base.classes_.tolist() != model.classes_.tolist():
        raise UnsupportedModel("the calibrated model was fitted on other classes; fit it again")
    decides = hasattr(part.estimator, "decision_function")
    below = response(base, "decision_function" if decides else "predict_proba", 1, context)
    _require_double(below.scores, base)

    def share(score: Numbers) -> Numbers:
        second = calibrator.predict(below.of(score))
        number = second if positive else 1.0 - second
        return numpy.where((number > 1.0) & (number <= 1.0 + 1e-5), 1.0, number)

    knots = getattr(calibrator, "X_thresholds_", below.knots)
    if knots is not None and family(base) == "adaboost":
        knots = knots / 2  # its decision is twice its score
    return Response(below.scores, share, knots)


def _column(numbers: Any, column: int) -> Numbers:
    return numpy.asarray(numbers[:, column], dtype=float)


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Label 1 from `value` on; within `doubt` of it, the library decides."""

    scores: TreeScores | LinearScores
    value: float
    doubt: float = 0.0

    @property
    def slack(self) -> float:
        """The error of the library's score, before the division."""
        return self.scores.slack + 2 * self.doubt * self.scores.divisor


def cut(scores: TreeScores | LinearScores, says: Says, knots: Numbers | None = None) -> Cut:
    """The cut of one score; `says` gives the scores of label 1: from one on, or up to one.

    `knots` are scores at which the rounding of `says` may change.
    """
    low, high = scores.reach
    if not _at(says, high) and _at(says, low):
        mirrored = None if knots is None else -knots
        return cut(scores.negated(), lambda numbers: says(-numbers), mirrored)
    value = _first(says, low, high)
    return Cut(scores, value, _doubt(says, value, _around(value, low, high, knots)))


def _doubt(says: Says, value: float, tried: Numbers) -> float:
    """The largest distance from the cut of a tried score next to a wrong one."""
    wrong = says(tried) != (tried >= value)
    if not wrong.any():
        return 0.0
    if not math.isfinite(value):
        raise UnsupportedModel("the model's decision does not rise or fall with its score")
    beside = numpy.convolve(wrong, [1, 1, 1], mode="same") > 0
    return float(abs(tried[beside] - value).max())


def _first(says: Says, low: float, high: float) -> float:
    if _at(says, low):
        return -math.inf
    if not _at(says, high):
        return math.inf
    ends = ranks_of(numpy.array([low, high], float))
    _, above = bisect_floats(lambda table: says(table[0])[None], ends[:1], ends[1:])
    return float(floats_at(above)[0])


def _around(value: float, low: float, high: float, knots: Numbers | None) -> Numbers:
    parts = [numpy.linspace(low, high, 1001)]
    if math.isfinite(value):
        first, last, at = ranks_of(numpy.array([low, high, value], float)).tolist()
        steps = {j << k for k in range(_SCALES) for j in range(1, _AT_EACH + 1)}
        ranks = [at + step for size in steps for step in (size, -size)]
        near_ranks = [rank for rank in ranks if first <= rank <= last]
        parts.append(floats_at(numpy.array(near_ranks, numpy.int64)))
    if knots is not None:
        near = [knots]
        for side in (-numpy.inf, numpy.inf):
            step = knots
            for _ in range(4):
                step = numpy.nextafter(step, side)
                near.append(step)
        beside = numpy.concatenate(near)
        parts.append(beside[(beside >= low) & (beside <= high)])
    return numpy.unique(numpy.concatenate(parts))


def _at(says: Says, number: float) -> bool:
    return bool(says(numpy.array([number]))[0])

"""What scikit-learn compares with a threshold: a probability or a decision, of one score."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy

from reasons.errors import UnsupportedModel
from reasons.frontends.sklearn.checks import is_a
from reasons.frontends.sklearn.gradient_boosting import of_ada, of_gradient
from reasons.frontends.sklearn.hist_gradient_boosting import of_histogram
from reasons.frontends.sklearn.linear import is_linear, of_linear, share_of_score
from reasons.frontends.sklearn.linear_scores import Weighed
from reasons.frontends.sklearn.own_classes import require_own, unwrapped
from reasons.frontends.sklearn.tree_scores import Numbers, Place, Scores
from reasons.frontends.sklearn.voting import amounts, shares

Method = Literal["predict_proba", "decision_function"]
Function = Callable[[Numbers], Numbers]


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """A score and the library's monotone function of it; `knots` are where its pieces meet."""

    scores: Scores | Weighed
    of: Function
    knots: Numbers | None = None


def prediction(model: Any, place: Place) -> Response:
    """What a regressor predicts."""
    if is_linear(model):
        return Response(of_linear(model), lambda score: score)
    scores = amounts(model, place)
    if is_a(model, "ensemble", "HistGradientBoostingRegressor"):
        return Response(scores, model._loss.link.inverse)
    return Response(scores, lambda score: score)


def method_of(model: Any, wanted: str) -> Method:
    """The method whose numbers are compared; with "auto" the probabilities if there are any."""
    if wanted == "auto":
        return "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    if wanted not in ("predict_proba", "decision_function") or not hasattr(model, wanted):
        raise UnsupportedModel(f"{type(model).__name__} has no {wanted} to compare")
    return "predict_proba" if wanted == "predict_proba" else "decision_function"


def response(model: Any, method: Method, positive: int, place: Place) -> Response:
    """A binary classifier's number for its class `positive`, 0 or 1."""
    model = unwrapped(model)
    require_own(model)
    require_two(model)
    if is_threshold(model):
        return response(inner(model), method, positive, place)
    if is_a(model, "calibration", "CalibratedClassifierCV"):
        return _calibrated(model, positive, place)
    if is_a(model, "ensemble", "AdaBoostClassifier"):
        return _of_ada(model, method, positive, place)
    if is_boosted(model):
        return _of_boosted(model, method, positive, place)
    if is_linear(model):
        return _of_linear(model, method, positive)
    found = shares(model, place) if method == "predict_proba" else None
    if found is None:
        inside = "; put the pipeline around it" if type(model).__name__ == "Pipeline" else ""
        raise UnsupportedModel(
            f"the {method} of {type(model).__name__} is no function of one sum over trees or "
            f"columns{inside}"
        )
    return Response(found.column(positive), lambda score: score)


def require_two(model: Any) -> None:
    """Raise `UnsupportedModel` unless the model has two classes."""
    if len(model.classes_) != 2:
        raise UnsupportedModel(
            f"a threshold is for two classes; the model has {len(model.classes_)}"
        )


def is_boosted(model: Any) -> bool:
    """Whether it is a classifier by gradient boosting."""
    return is_a(model, "ensemble", "GradientBoostingClassifier", "HistGradientBoostingClassifier")


def of_boosted(model: Any, place: Place) -> Scores:
    """The raw scores of a classifier by gradient boosting."""
    histogram = hasattr(model, "_predictors")
    return of_histogram(model, place) if histogram else of_gradient(model, place)


def is_threshold(model: Any) -> bool:
    """Whether it compares another model's numbers with a threshold."""
    names = {base.__name__ for base in type(model).__mro__}
    return bool(names & {"FixedThresholdClassifier", "TunedThresholdClassifierCV"})


def inner(model: Any) -> Any:
    """The fitted model behind a threshold."""
    return getattr(model, "estimator_", None) or model.estimator


def _of_boosted(model: Any, method: Method, positive: int, place: Place) -> Response:
    scores = of_boosted(model, place)
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


def _require_double(scores: Scores | Weighed, model: Any) -> None:
    if isinstance(scores, Weighed) and scores.sums == "float32":
        raise UnsupportedModel(
            f"the {type(model).__name__} was fitted in float32, whose probabilities are not "
            "compared here; fit it in float64"
        )


def _of_ada(model: Any, method: Method, positive: int, place: Place) -> Response:
    scores, sign = of_ada(model, place), _signed(positive)
    if method == "decision_function":
        return Response(scores, lambda score: sign(score + score))

    def share(score: Numbers) -> Numbers:
        return _column(model._compute_proba_from_decision(score + score, 2), positive)

    return Response(scores, share)


def _signed(positive: int) -> Function:
    return (lambda score: score) if positive else (lambda score: -1 * score)


def _calibrated(model: Any, positive: int, place: Place) -> Response:
    """The calibrator's function of the one model that it calibrates."""
    found = model.calibrated_classifiers_
    if len(found) > 1:
        raise UnsupportedModel(
            f"the mean of {len(found)} calibrated models is no function of one sum of trees; "
            "calibrate with ensemble=False"
        )
    part = found[0]
    if part.method not in ("sigmoid", "isotonic"):
        raise UnsupportedModel(
            f"calibration by method={part.method!r} is not read; use sigmoid or isotonic"
        )
    calibrator, base = part.calibrators[0], unwrapped(part.estimator)
    if base.classes_.tolist() != model.classes_.tolist():
        raise UnsupportedModel("the calibrated model was fitted on other classes; fit it again")
    decides = hasattr(part.estimator, "decision_function")
    below = response(base, "decision_function" if decides else "predict_proba", 1, place)
    _require_double(below.scores, base)

    def share(score: Numbers) -> Numbers:
        second = calibrator.predict(below.of(score))
        number = second if positive else 1.0 - second
        return numpy.where((number > 1.0) & (number <= 1.0 + 1e-5), 1.0, number)

    knots = getattr(calibrator, "X_thresholds_", below.knots)
    if knots is not None and is_a(base, "ensemble", "AdaBoostClassifier"):
        knots = knots / 2  # its decision is twice its score
    return Response(below.scores, share, knots)


def _column(numbers: Any, column: int) -> Numbers:
    return numpy.asarray(numbers[:, column], dtype=float)

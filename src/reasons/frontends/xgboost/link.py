"""XGBoost's link functions in float32, between margins and predictions.

They are called through a model without trees where XGBoost is installed, and otherwise computed
with the C library's functions.
"""

import ctypes
import json
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import UnsupportedModel
from reasons.frontends.xgboost.model_json import StoredModel

Floats = NDArray[numpy.float32]

_SIGMOID = {"binary:logistic", "reg:logistic"}
_EXPONENTIAL = {"count:poisson", "reg:gamma", "reg:tweedie", "survival:cox"}
_IDENTITY = {
    *("reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:absoluteerror"),
    *("reg:pseudohubererror", "binary:logitraw", "rank:pairwise", "rank:ndcg", "rank:map"),
}
SEVERAL = {"multi:softprob": "softmax", "multi:softmax": "largest"}


def require_known(stored: StoredModel, source: str) -> None:
    """Raise `UnsupportedModel` for objectives without a known link."""
    one = _SIGMOID | _EXPONENTIAL | _IDENTITY | {"binary:hinge"}
    known = SEVERAL if stored.classes > 1 else one
    if stored.objective not in known:
        raise UnsupportedModel(
            f"{source}: objective {stored.objective!r} with {max(stored.classes, 1)} scores is not "
            f"supported; it may be {', '.join(sorted(known))}"
        )


def probability(stored: StoredModel) -> bool:
    """Whether predictions are probabilities or labels, which are compared with one half."""
    return stored.objective in _SIGMOID or stored.objective == "binary:hinge"


def margins(stored: StoredModel, source: str) -> tuple[float, ...]:
    """The scores before the first tree."""
    scores = [_margin(stored.objective, base) for base in stored.base]
    if any(margin is None or not math.isfinite(margin) for margin in scores):
        raise UnsupportedModel(
            f"{source}: the base score {stored.base} is not finite as a score of "
            f"{stored.objective}; train with base_score=0.5"
        )
    return tuple(float(margin) for margin in scores if margin is not None)


def _margin(objective: str, base: float) -> float | None:
    one = numpy.float32(1)
    if objective in _SIGMOID:
        if not 0 < base < 1:
            return None
        return -_function("logf")(float(one / numpy.float32(base) - one))
    if objective in _EXPONENTIAL:
        return _function("logf")(base) if base > 0 else None
    return base


def predictions(stored: StoredModel) -> Callable[[Floats], Floats]:
    """The library's predictions from margins of one score, computed by it if it is installed."""
    if stored.objective not in _SIGMOID | _EXPONENTIAL:
        return formula(stored.objective)
    try:
        return _from_library(stored.objective)
    except ImportError:
        return formula(stored.objective)


def _from_library(objective: str) -> Callable[[Floats], Floats]:
    import xgboost

    booster = xgboost.Booster({"nthread": 1})
    booster.load_model(bytearray(json.dumps(_empty(objective)).encode()))

    def predicted(margin: Floats) -> Floats:
        data = xgboost.DMatrix(numpy.zeros((len(margin), 1)), base_margin=margin, nthread=1)
        return numpy.asarray(booster.predict(data), numpy.float32)

    return predicted


def _empty(objective: str) -> dict[str, Any]:
    model = {
        "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "0"},
        "iteration_indptr": [0],
        "tree_info": [],
        "trees": [],
    }
    param = {"base_score": "5E-1", "num_class": "0", "num_feature": "1", "num_target": "1"}
    learner = {
        "attributes": {},
        "feature_names": [],
        "feature_types": [],
        "gradient_booster": {"name": "gbtree", "model": model},
        "learner_model_param": param,
        "objective": {"name": objective, **_PARAMETERS.get(objective, {})},
    }
    return {"learner": learner, "version": [2, 0, 0]}


_LOSS = {"reg_loss_param": {"scale_pos_weight": "1"}}
_PARAMETERS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(_SIGMOID, _LOSS),
    "count:poisson": {"poisson_regression_param": {"max_delta_step": "0.7"}},
    "reg:tweedie": {"tweedie_regression_param": {"tweedie_variance_power": "1.5"}},
}


def formula(objective: str) -> Callable[[Floats], Floats]:
    """The same by the C library's float32 functions, which XGBoost calls."""
    if objective in _IDENTITY:
        return lambda margin: margin
    if objective == "binary:hinge":
        return lambda margin: (margin > 0).astype(numpy.float32)
    if objective in _EXPONENTIAL:
        return _each(_function("expf"))
    return _each(_sigmoid)


def _sigmoid(margin: float) -> float:
    one, tiny = numpy.float32(1), numpy.float32(1e-16)
    power = numpy.float32(_function("expf")(min(-margin, float(numpy.float32(88.7)))))
    return float(one / (power + one + tiny))


def _each(function: Callable[[float], float]) -> Callable[[Floats], Floats]:
    return lambda margin: numpy.array([function(float(one)) for one in margin], numpy.float32)


@cache
def _function(name: str) -> Callable[[float], float]:
    """A float32 function of the C library, or the rounded double where there is none."""
    try:
        single = getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError, TypeError):
        double = {"expf": math.exp, "logf": math.log}[name]
        return lambda number: float(numpy.float32(double(number)))
    single.argtypes, single.restype = [ctypes.c_float], ctypes.c_float
    return lambda number: float(single(number))

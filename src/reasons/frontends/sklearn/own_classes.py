"""Models that are scikit-learn's own and fitted, and what is inside searches and the like."""

from typing import Any

from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.sklearn.checks import is_a, library

_METHODS = ("predict", "predict_proba", "decision_function")


def require_own(model: Any) -> None:
    """Refuse a model that is not fitted, or whose class decides in a way of its own."""
    kind = type(model)
    if not any(base.__module__.partition(".")[0] == "sklearn" for base in kind.__mro__):
        raise UnsupportedModel(f"{kind.__name__} is not a scikit-learn model")
    for method in _METHODS:
        home = getattr(getattr(kind, method, None), "__module__", "sklearn")
        if home.partition(".")[0] != "sklearn":
            raise UnsupportedModel(
                f"{kind.__name__} has its own {method} (in {home}), which is not read here; "
                "compile a model of scikit-learn's own class"
            )
    try:
        fixed = is_a(model, "model_selection", "FixedThresholdClassifier")
        needed = getattr(model, "estimator_", model.estimator) if fixed else model
        library("utils.validation").check_is_fitted(needed)
    except library("exceptions").NotFittedError:
        raise InputError(f"the {kind.__name__} is not fitted; call its fit first") from None


def unwrapped(model: Any) -> Any:
    """The model that decides: of a search the best one, of a frozen estimator itself."""
    while True:
        if is_a(model, "model_selection", "GridSearchCV", "RandomizedSearchCV"):
            if not hasattr(model, "best_estimator_"):
                raise InputError(
                    f"the {type(model).__name__} has no best estimator; fit it with refit=True"
                )
            model = model.best_estimator_
        elif type(model).__name__ == "FrozenEstimator":
            model = model.estimator
        else:
            return model

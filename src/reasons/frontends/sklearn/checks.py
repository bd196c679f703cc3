"""Checks of scikit-learn models: the family, that they are fitted, and that predict is its own.

The library is imported only for one of its models. A table gives the family of a model by the
names of its class and base classes.
"""

from importlib import import_module
from typing import Any

from reasons.errors import InputError, UnsupportedModel

_METHODS = ("predict", "predict_proba", "decision_function")

FAMILIES = {
    "DecisionTreeClassifier": "tree",
    "DecisionTreeRegressor": "tree",
    "RandomForestClassifier": "forest",
    "RandomForestRegressor": "forest",
    "ExtraTreesClassifier": "forest",
    "ExtraTreesRegressor": "forest",
    "GradientBoostingClassifier": "boosted classifier",
    "HistGradientBoostingClassifier": "boosted classifier",
    "GradientBoostingRegressor": "gradient boosting regressor",
    "HistGradientBoostingRegressor": "histogram boosting regressor",
    "AdaBoostClassifier": "adaboost",
    "BaggingClassifier": "bagging classifier",
    "BaggingRegressor": "bagging regressor",
    "VotingClassifier": "voting classifier",
    "VotingRegressor": "voting regressor",
    "LinearClassifierMixin": "linear",
    "LinearModel": "linear",
    "BaseSGDRegressor": "linear",
    "BernoulliNB": "naive bayes",
    "MultinomialNB": "naive bayes",
    "ComplementNB": "naive bayes",
    "CategoricalNB": "naive bayes",
    "GaussianNB": "naive bayes",
    "CalibratedClassifierCV": "calibration",
    "FixedThresholdClassifier": "threshold",
    "TunedThresholdClassifierCV": "threshold",
    "GridSearchCV": "search",
    "RandomizedSearchCV": "search",
    "DummyClassifier": "dummy",
    "DummyRegressor": "dummy",
}
"""The supported models, by the name of a class; derived classes are of the same family."""


def known_class(model: Any) -> str | None:
    """The name of the class in `FAMILIES` that a model is of or derives from, or None."""
    for base in type(model).__mro__:
        if base.__name__ in FAMILIES and base.__module__.partition(".")[0] == "sklearn":
            return base.__name__
    return None


def family(model: Any) -> str | None:
    """The family of a model, or None if it is not supported."""
    return FAMILIES.get(known_class(model) or "")


def library(module: str) -> Any:
    """A module of scikit-learn by its name; the library has no types to check against."""
    return import_module(f"sklearn.{module}")


def version() -> str:
    """The library's name and version."""
    return f"scikit-learn {import_module('sklearn').__version__}"


def one_thread() -> Any:
    """A context in which models use one thread, whatever their n_jobs."""
    return import_module("joblib").parallel_config(backend="sequential")


def require_own(model: Any) -> None:
    """Refuse a model that is not fitted, or whose class overrides how it predicts."""
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
        fixed = known_class(model) == "FixedThresholdClassifier"
        needed = getattr(model, "estimator_", model.estimator) if fixed else model
        library("utils.validation").check_is_fitted(needed)
    except library("exceptions").NotFittedError:
        raise InputError(f"the {kind.__name__} is not fitted; call its fit first") from None


def unwrapped(model: Any) -> Any:
    """The model that decides: of a search the best one, of a frozen estimator itself."""
    while True:
        if family(model) == "search":
            if not hasattr(model, "best_estimator_"):
                raise InputError(
                    f"the {type(model).__name__} has no best estimator; fit it with refit=True"
                )
            model = model.best_estimator_
        elif type(model).__name__ == "FrozenEstimator":
            model = model.estimator
        else:
            return model


def behind_threshold(model: Any) -> Any:
    """The fitted model whose numbers a threshold classifier compares."""
    return getattr(model, "estimator_", None) or model.estimator

"""Registry of front ends: the sources of `compile`, imported on first use.

A source is recognised by the packages of its class and base classes, so no library and no front
end is imported for that.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from reasons.errors import Option, UnsupportedModel
from reasons.frontends.options import LAYER_OPTIONS, MODEL_OPTIONS

EVALUATE_HINT = (
    "or list {features} if they have few values: its predict is then evaluated in every cell"
)


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A kind of source: what messages call it, the options it takes, and its compiler.

    `compiler` is `module:function` below `reasons.frontends`. The function takes the source, the
    options as keywords, `wording` and `budget`.
    """

    name: str
    options: tuple[str, ...]
    compiler: str


@dataclass(frozen=True, slots=True)
class Library:
    """A library whose objects are sources, and the reader of its trained models, if it has any.

    A `budgeted` reader takes a budget.
    """

    kind: SourceKind
    reader: str = ""
    takes_classes: bool = False
    budgeted: bool = False


FORMULA = SourceKind("a formula", ("features", "constraint"), "formula.compiler:compile_formula")
NETWORK = SourceKind(
    "a Bayesian network", ("target", "features", "threshold", "state"), "bayesnet.api:compile_model"
)
LAYERS = SourceKind("a neural network", LAYER_OPTIONS, "bnn.compiler:compile_layers")
MODEL = SourceKind("a trained model", MODEL_OPTIONS, "models:compile_trained")
FUNCTION = SourceKind(
    "a predict function",
    ("features", "constraint", "rows", "labels", "most_cells"),
    "models:compile_predict",
)

LIBRARIES = {
    "pyagrum": Library(NETWORK),
    "pyAgrum": Library(NETWORK),
    "pgmpy": Library(NETWORK),
    "torch": Library(LAYERS),
    "xgboost": Library(MODEL, "xgboost.read:read", takes_classes=True),
    "lightgbm": Library(MODEL, "lightgbm.read:read", takes_classes=True),
    "catboost": Library(MODEL, "catboost.read:read", takes_classes=True),
    "interpret": Library(MODEL, "interpret.ebm:read"),
    "sklearn": Library(MODEL, "sklearn.read:read", budgeted=True),
}
"""By a class's top-level package; scikit-learn is last, since others derive from its classes."""

_LAYER_MODULE = "reasons.frontends.bnn.layers"


def load_function(place: str) -> Any:
    """The function at `module:function` below `reasons.frontends`."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"reasons.frontends.{module}"), name)


def library_of(source: Any) -> Library | None:
    """The library that an object, or a class, comes from or is derived from.

    >>> library_of("a & b") is None
    True
    """
    packages = {module.partition(".")[0] for module in _modules(source)}
    return next((LIBRARIES[name] for name in LIBRARIES if name in packages), None)


def _modules(source: Any) -> list[str]:
    classes = (source if isinstance(source, type) else type(source)).__mro__
    return [str(each.__module__) for each in classes]


def kind_of(source: Any, has_features: bool = False) -> SourceKind:
    """The kind of a source, or `UnsupportedModel`.

    With a list of features, an object with a `predict` is a function to evaluate.
    """
    if isinstance(source, str):
        return FORMULA
    if isinstance(source, list | tuple) and any(_LAYER_MODULE in _modules(x) for x in source):
        return LAYERS
    library = library_of(source)
    if library and library.kind is not MODEL:
        return library.kind
    if has_features and _has_predict(source):
        return FUNCTION
    if library:
        return MODEL
    raise _unsupported(source)


def is_layers(source: Any) -> bool:
    """Whether a source is a neural network: a list of layers, or a torch module."""
    try:
        return kind_of(source) is LAYERS
    except UnsupportedModel:
        return False


def _has_predict(source: Any) -> bool:
    """Whether it is a function, or an object with a `predict`."""
    if isinstance(source, type):
        return False
    return callable(source) or callable(getattr(source, "predict", None))


def _unsupported(source: Any) -> UnsupportedModel:
    other = "or use reasons.Builder, from_table or from_rules"
    return UnsupportedModel(
        "cannot compile a {type}; give a formula as text, a fitted model of scikit-learn, XGBoost, "
        "LightGBM, CatBoost or interpret, a network of pyagrum or pgmpy, a list of layers or a "
        "torch Sequential, or a file to reasons.load; "
        + (EVALUATE_HINT if _has_predict(source) else other),
        type=f"{type(source).__module__}.{type(source).__name__}",
        features=Option("features", text="[...]"),
    )

"""The kinds of things that `compile` takes, each with the options that it takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reasons.classifier import Classifier
from reasons.errors import InputError, UnsupportedModel
from reasons.features.feature import Feature
from reasons.frontends.formula.compiler import compile_formula
from reasons.frontends.options import OF_LAYERS, OF_MODELS, Options, require_lists

_EVALUATE = (
    "or list features=[...] if they have few values: its predict is then evaluated in every cell"
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of source: what it is called, the options it takes, and what compiles it."""

    what: str
    options: tuple[str, ...]
    compile: Callable[..., Classifier]


def kind_of(source: Any, has_features: bool) -> Kind:
    """The kind of a source, or `UnsupportedModel`. What is not asked for is not imported."""
    from reasons.frontends.additive import is_model
    from reasons.frontends.bayesnet.readers.in_memory import is_network
    from reasons.frontends.bnn.layers import is_neural

    if isinstance(source, str):
        return FORMULA
    if is_network(source):
        return NETWORK
    if is_neural(source):
        return LAYERS
    if has_features and _has_predict(source):
        return FUNCTION
    if is_model(source):
        return MODEL
    can = _EVALUATE if _has_predict(source) else "or use reasons.Builder, from_table or from_rules"
    raise UnsupportedModel(
        f"cannot compile a {type(source).__module__}.{type(source).__name__}; give a formula as "
        "text, a fitted model of scikit-learn, XGBoost, LightGBM, CatBoost or interpret, a network "
        "of pyagrum or pgmpy, a list of layers or a torch Sequential, or a file to reasons.load; "
        f"{can}"
    )


def require_taken(kind: Kind, told: dict[str, Any]) -> None:
    """Raise `InputError` if options were given that the kind does not take."""
    odd = [f"{name}=" for name in told if name not in kind.options]
    if odd:
        takes = ", ".join(f"{name}=" for name in kind.options)
        raise InputError(f"{kind.what} takes no {', '.join(odd)}, but {takes}")
    require_lists(told, ("features", "names", "classes", "labels"))


def _has_predict(source: Any) -> bool:
    """Whether it is a function, or something fitted that can be asked for labels."""
    if isinstance(source, type):
        return False
    return callable(source) or callable(getattr(source, "predict", None))


def _network(source: Any, told: dict[str, Any], **more: Any) -> Classifier:
    from reasons.frontends.bayesnet.api import compile_in_memory

    return compile_in_memory(source, **told, **more)


def _layers(source: Any, told: dict[str, Any], **more: Any) -> Classifier:
    from reasons.frontends.bnn.compiler import compile_layers

    return compile_layers(source, Options(**told), **more)


def _model(source: Any, told: dict[str, Any], **more: Any) -> Classifier:
    from reasons.frontends.additive import compile_model

    try:
        return compile_model(source, Options(**told), **more)
    except UnsupportedModel as error:
        raise UnsupportedModel(f"{error}; {_EVALUATE}") from None


def _function(source: Any, told: dict[str, Any], **more: Any) -> Classifier:
    from reasons.frontends.additive import is_model, is_read
    from reasons.frontends.functions.compiler import compile_function

    told["features"] = list(told["features"])
    by_name = not any(isinstance(feature, Feature) for feature in told["features"])
    if is_model(source) and by_name and is_read(source, Options()):
        raise InputError(
            "this model's features are its columns; leave features= out, or give Feature.numeric("
            "...) and Feature.categorical(...) to have its predict evaluated in every cell"
        )
    return compile_function(source, **told, **more)


FORMULA = Kind(
    "a formula",
    ("features", "constraint"),
    lambda source, told, **more: compile_formula(source, **told, **more),
)
NETWORK = Kind("a Bayesian network", ("target", "features", "threshold", "state"), _network)
LAYERS = Kind("a neural network", OF_LAYERS, _layers)
FUNCTION = Kind(
    "a predict function", ("features", "constraint", "rows", "labels", "most_cells"), _function
)
MODEL = Kind("a trained model", OF_MODELS, _model)

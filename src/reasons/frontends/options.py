"""Options of trained models and neural networks: checked, with the names and labels they imply."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, Literal

from reasons.errors import InputError, Option, UnsupportedModel
from reasons.features.feature import is_list

Method = Literal["compiled", "search"]


def is_finite(number: Any) -> bool:
    """Whether it is a finite real number that fits a float."""
    if isinstance(number, bool) or not isinstance(number, Real):
        return False
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def require_lists(options: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raise `InputError` where one of these options is not a list."""
    for name in names:
        value = options.get(name)
        if value is not None and not is_list(value):
            raise InputError("{option} is a list, not {value}", option=name, value=value)


def threshold_missing(source: str) -> UnsupportedModel:
    """The error about a regressor without the option `threshold`."""
    return UnsupportedModel(
        "{file} predicts numbers; give {option}: from it on the label is True",
        file=source,
        option="threshold",
    )


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a trained model is used: what decides, and what its columns are."""

    threshold: float | None = None
    names: Sequence[str] | None = None
    classes: Sequence[Any] | None = None
    groups: Mapping[str, Sequence[str]] | None = None
    domain: Mapping[str, Any] | None = None
    data: Any = None
    constraint: str | None = None
    missing: bool | None = None
    method: Method | None = None
    region: Any = None
    inputs: str | None = None

    def __post_init__(self) -> None:
        require_lists(vars(self), ("names", "classes"))
        if self.threshold is not None and not is_finite(self.threshold):
            raise self._invalid("threshold", "a finite number")
        if self.missing not in (None, True, False):
            raise self._invalid("missing", "True or False")
        if self.inputs not in (None, "signs", "01"):
            raise self._invalid("inputs", "'signs' (-1 and 1) or '01'")
        if self.method not in (None, "compiled", "search"):
            raise self._invalid("method", "'compiled' or 'search'")

    def _invalid(self, name: str, expected: str) -> InputError:
        option = Option(name, getattr(self, name))
        return InputError("{option} must be {expected}", option=option, expected=expected)

    def column_names(self, known: Sequence[str]) -> list[str]:
        """The names of a model's columns: those of the option, as many, else those known."""
        names = list(known if self.names is None else self.names)
        if len(names) != len(known):
            raise InputError(
                "{option}: the model has {count} columns, and {listed} names are given",
                option="names",
                count=len(known),
                listed=len(names),
            )
        return names

    def class_labels(self, known: Sequence[Any]) -> tuple[Any, ...]:
        """The labels of a model's classes: those of the option, as many, else those known."""
        labels = tuple(known if self.classes is None else self.classes)
        if len(labels) != len(known) or len(set(labels)) != len(labels):
            raise InputError(
                "{option}: the model has {count} classes, and {listed} different ones are given",
                option="classes",
                count=len(known),
                listed=len(set(labels)),
            )
        return labels


NO_OPTIONS = Options()
_NAMES = tuple(field.name for field in fields(Options))
LAYER_OPTIONS = ("names", "classes", "threshold", "region", "inputs")
MODEL_OPTIONS = tuple(name for name in _NAMES if name not in ("region", "inputs"))

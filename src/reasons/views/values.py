"""Values as JSON holds them exactly, and back.

Missing is null. What JSON has no exact form for that every reader keeps is its text: infinite
numbers, whole numbers beyond 2^53, values that are no numbers or texts at all.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reasons.errors import InputError
from reasons.features.feature import Feature, Phrase
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term, instance_of
from reasons.features.values import is_missing
from reasons.text import short_repr

if TYPE_CHECKING:
    from reasons.classifier import Classifier

Plain = bool | int | float | str | None
Object = dict[str, Any]

_EXACT = 2**53


def json_value(value: Any) -> Plain:
    """A value as JSON holds it.

    >>> json_value(True), json_value(2.5), json_value(float("inf")), json_value(2**60)
    (True, 2.5, 'inf', '1152921504606846976')
    >>> json_value(float("nan")) is None
    True
    """
    if is_missing(value):
        return None
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) <= _EXACT:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    return str(value)


def json_tree(value: Any) -> Any:
    """Mappings and lists of values as JSON holds them.

    >>> json_tree({"count": 2**60, "share": float("nan")})
    {'count': '1152921504606846976', 'share': None}
    """
    if isinstance(value, Mapping):
        return {str(name): json_tree(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_tree(part) for part in value]
    return json_value(value)


def raw_value(feature: Feature, given: Plain) -> Any:
    """The raw value that a JSON value stands for.

    >>> raw_value(Feature.numeric("x", [1]), "inf")
    inf
    >>> raw_value(Feature.categorical("x", [(1, 2), "a"]), "(1, 2)")
    (1, 2)
    """
    if not isinstance(given, str) or given in feature.values:
        return given
    if feature.kind == "numeric":
        return _number(given)
    return next((v for v in feature.values if v is not None and json_value(v) == given), given)


def _number(text: str) -> Any:
    """The number that `json_value` wrote as this text; other texts stay texts."""
    if text in ("inf", "-inf"):
        return float(text)
    digits = text.removeprefix("-")
    return int(text) if digits.isdecimal() and digits.isascii() and len(digits) < 400 else text


def instance_told(instance: Instance) -> Object:
    """An instance: for each feature, its raw value."""
    return {name: json_value(value) for name, value in instance.items()}


def instance_read(schema: Schema, given: Mapping[str, Plain]) -> Instance:
    """The instance of an object such as `instance_told` makes."""
    return instance_of(schema, raw_values(schema, given))


def raw_values(schema: Schema, given: Mapping[str, Plain]) -> Object:
    """The raw values of some features, or `UnknownFeature`."""
    return {name: raw_value(schema[schema.index(name)], value) for name, value in given.items()}


def term_told(schema: Schema, term: Term) -> Object:
    """A simple term: its text, and its characteristics one by one."""
    limits = [(feature, next(iter(cells))) for feature, cells in term.limits.items()]
    return {
        "text": str(term),
        "characteristics": [characteristic(schema, feature, cell) for feature, cell in limits],
    }


def widened_told(schema: Schema, term: Term, own: Sequence[int]) -> Object:
    """A term of widened values: the texts say them; the cells are the instance's own, within."""
    told = [
        {"feature": schema[f].name, "text": schema[f].says(cells), "cell": own[f]}
        for f, cells in term.limits.items()
    ]
    return {"text": str(term), "characteristics": told}


def characteristic(schema: Schema, feature: int, cell: int) -> Object:
    """One feature with its value."""
    return {"feature": schema[feature].name, "text": schema[feature].says((cell,)), "cell": cell}


def require_utf8(classifier: "Classifier") -> None:
    """Raise `InputError` if a name, value, label or phrase cannot be written as JSON."""
    said, labels = classifier.wording, classifier.labels
    named = [
        (f"the feature {f.name!r}", (f.name, *f.values, *_texts(f.phrases)))
        for f in classifier.features
    ]
    words = ("the wording", (said.subject, said.pronoun, *_texts(said.labels)))
    for what, values in [*named, ("a label", labels), words]:
        for value in values:
            if utf8(str(value)) != str(value):
                message = (
                    f"{what} has half a character in {short_repr(value)}, which no UTF-8 text has"
                )
                raise InputError(message)


def _texts(phrases: Mapping[Any, Phrase]) -> list[str]:
    return [
        text for said in phrases.values() for text in ((said,) if isinstance(said, str) else said)
    ]


def utf8(text: str) -> str:
    """A text with a question mark for each character that UTF-8 cannot write.

    >>> utf8("m\\udcff")
    'm?'
    """
    return text.encode(errors="replace").decode()

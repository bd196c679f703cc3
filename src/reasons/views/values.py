"""Values, instances and terms as JSON holds them exactly, and back.

Missing is null. Values that not every JSON reader keeps exactly are texts: infinite numbers, whole
numbers beyond 2^53, dates, decimals, bytes. Half surrogates, which UTF-8 cannot encode, become
question marks.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reasons.errors import InputError
from reasons.features.feature import Feature, Phrase
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term, instance_of
from reasons.features.values import Interval, Special, is_missing

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
    value = python_value(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) <= _EXACT:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    return utf8(str(value))


def python_value(value: Any) -> Any:
    """A numpy scalar as Python's own type; other values as they are.

    numpy's times stay: in nanoseconds, their Python value would be a plain integer.
    """
    if getattr(value, "shape", None) != () or not hasattr(value, "item"):
        return value
    return value if getattr(value.dtype, "kind", "") in "mM" else value.item()


def json_tree(value: Any) -> Any:
    """Mappings, lists, sets and intervals of values as JSON holds them.

    >>> json_tree({"count": 2**60, "share": float("nan"), "age": Interval(25, 40)})
    {'count': '1152921504606846976', 'share': None, 'age': {'low': 25, 'high': 40, ...}}
    """
    if isinstance(value, Mapping):
        return {utf8(str(name)): json_tree(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_tree(part) for part in value]
    if isinstance(value, set | frozenset):
        return sorted(map(json_tree, value), key=str)
    return _interval(value) if isinstance(value, Interval) else json_value(value)


def _interval(value: Interval) -> Object:
    """An interval; a bound is null where it has none."""
    low, high = (None if math.isinf(end) else end for end in (value.low, value.high))
    return {"low": low, "high": high, "closed": value.closed}


def raw_value(feature: Feature, value: Plain) -> Any:
    """The raw value that a JSON value stands for.

    >>> raw_value(Feature.numeric("x", [1]), "inf")
    inf
    >>> raw_value(Feature.categorical("x", [(1, 2), "a"]), "(1, 2)")
    (1, 2)
    """
    if not isinstance(value, str) or value in feature.values:
        return value
    if feature.kind == "numeric":
        return _number(value)
    return next((v for v in feature.values if v is not None and json_value(v) == value), value)


def _number(text: str) -> Any:
    """The number that `json_value` wrote as this text; other texts stay texts."""
    if text in ("inf", "-inf"):
        return float(text)
    digits = text.removeprefix("-")
    return int(text) if digits.isdecimal() and digits.isascii() and len(digits) < 400 else text


def instance_view(instance: Instance) -> Object:
    """An instance: for each feature, its raw value."""
    return {utf8(name): json_value(value) for name, value in instance.items()}


def changes_view(before: Instance, after: Instance) -> list[Object]:
    """The features whose cells differ between two instances, with both values."""
    old, new = instance_view(before), instance_view(after)
    pairs = zip(old, before.cells, after.cells, strict=True)
    return [
        {"feature": name, "from": old[name], "to": new[name]}
        for name, one, other in pairs
        if one != other
    ]


def instance_read(schema: Schema, values: Mapping[str, Plain]) -> Instance:
    """The instance of an object such as `instance_view` makes."""
    return instance_of(schema, raw_values(schema, values))


def raw_values(schema: Schema, values: Mapping[str, Plain]) -> Object:
    """The raw values of some features, or `UnknownFeature`."""
    return {name: raw_value(schema[schema.index(name)], value) for name, value in values.items()}


def term_view(schema: Schema, term: Term, own: Sequence[int]) -> Object:
    """A term: its text, and its characteristics one by one; `own` are the instance's cells."""
    return {
        "text": utf8(str(term)),
        "characteristics": [
            characteristic_view(schema, feature, cells, own[feature])
            for feature, cells in term.limits.items()
        ],
    }


def characteristic_view(schema: Schema, feature: int, cells: Collection[int], own: int) -> Object:
    """One feature with its values: intervals, or values as they are; `cell` is the instance's."""
    tested = schema[feature]
    return {
        "feature": utf8(tested.name),
        "text": utf8(tested.says(cells)),
        "cell": own,
        "values": [cell_value(value) for value in _values(tested, cells)],
    }


def cell_value(value: Any) -> Plain | Object:
    """The value of a cell: an interval or a single value; a tuple is its text."""
    return _interval(value) if isinstance(value, Interval) else json_value(value)


def _values(feature: Feature, cells: Collection[int]) -> list[Any]:
    """The values of some cells, neighbouring intervals joined, in order."""
    if feature.kind != "numeric":
        return [feature.values[cell] for cell in sorted(cells)]
    joined = feature.merged(cells)
    parts = list(joined) if isinstance(joined, frozenset) else [joined]
    return sorted(parts, key=lambda part: (isinstance(part, Special), getattr(part, "low", 0)))


def require_utf8(classifier: "Classifier") -> None:
    """Raise `InputError` if a name, value, label or phrase cannot be written as JSON."""
    wording, labels = classifier.wording, classifier.labels
    named = [
        (f"the feature {f.name!r}", (f.name, *f.values, *_texts(f.phrases)))
        for f in classifier.features
    ]
    words = ("the wording", (wording.subject, wording.pronoun, *_texts(wording.labels)))
    for what, values in [*named, ("a label", labels), words]:
        for value in values:
            if utf8(str(value)) != str(value):
                message = "{what} has half a character in {value}, which UTF-8 cannot encode"
                raise InputError(message, what=what, value=value)


def _texts(phrases: Mapping[Any, Phrase]) -> list[str]:
    return [
        text
        for phrase in phrases.values()
        for text in ((phrase,) if isinstance(phrase, str) else phrase)
    ]


def utf8(text: str) -> str:
    """A text with a question mark for each character that UTF-8 cannot write.

    >>> utf8("m\\udcff")
    'm?'
    """
    return text.encode(errors="replace").decode()

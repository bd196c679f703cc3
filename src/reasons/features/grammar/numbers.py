"""Numbers, comparisons and intervals as people write them: `<= 25`, `[25, 40)`, `18 <= x < 25`."""

import math
import re

from reasons.features.grammar.conditions import Range

NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_BOUND = rf"{NUMBER}|[+-]?(?:inf|infinity|∞)"
_NUMBER = re.compile(_BOUND, re.IGNORECASE)
_INTERVAL = re.compile(rf"([\[(])\s*({_BOUND})\s*(?:,|;|~|\.\.)\s*({_BOUND})\s*([\])])", re.I)
_COMPARED = re.compile(rf"(<=|=<|>=|=>|[<>≤≥])\s*({NUMBER})")
_BETWEEN = re.compile(rf"({NUMBER})\s*(<=|[<≤])\s*+\w*+\s*+(<=|[<≤])\s*({NUMBER})")
_SIGNS = {"≤": "<=", "=<": "<=", "≥": ">=", "=>": ">="}


def number_of(text: str) -> float | None:
    """A finite or infinite number as people write it, or None.

    >>> number_of("-.5e3"), number_of("∞"), number_of("1_0"), number_of("nan")
    (-500.0, inf, None, None)
    """
    return _float(text) if _NUMBER.fullmatch(text) else None


def interval_of(text: str) -> Range | None:
    """The numbers of an interval, if a text is one.

    >>> interval_of("[25, 40)"), interval_of("(25; inf)").compared
    (Range(compared=(('>=', 25.0), ('<', 40.0))), (('>', 25.0), ('<=', inf)))
    """
    match = _INTERVAL.fullmatch(text)
    if match is None:
        return None
    left, low, high, right = match[1], _float(match[2]), _float(match[3]), match[4]
    # `(25, inf)` is how a cell is printed that an infinite number belongs to.
    lower = ">" if left == "(" and low > -math.inf else ">="
    upper = "<" if right == ")" and high < math.inf else "<="
    return Range(((lower, low), (upper, high)))


def range_of(text: str) -> Range | None:
    """The numbers of an interval, of a comparison, or between two comparisons.

    >>> range_of("≤ 25").compared, range_of("18 <= x < 25").compared
    ((('<=', 25.0),), (('>=', 18.0), ('<', 25.0)))
    """
    if match := _COMPARED.fullmatch(text):
        return Range(((_SIGNS.get(match[1], match[1]), _float(match[2])),))
    if match := _BETWEEN.fullmatch(text):
        lower = ">" if match[2] == "<" else ">="
        upper = "<" if match[3] == "<" else "<="
        return Range(((lower, _float(match[1])), (upper, _float(match[4]))))
    return interval_of(text)


def _float(text: str) -> float:
    return float(text.replace("∞", "inf"))

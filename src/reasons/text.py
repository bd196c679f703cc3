"""Texts for messages: short values, lists of names, plurals, percents, "did you mean"."""

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches


def short_repr(value: object, most: int = 80) -> str:
    """A value for an error message: its repr, cut short, or its type where it has none.

    >>> short_repr("a"), short_repr(list(range(1000)), most=10)
    ("'a'", '[0, 1, 2, ...')
    """
    try:
        text = repr(value)
    except Exception:
        return f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= most else f"{text[:most]}..."


def comma_list(names: Iterable[object], most: int = 12) -> str:
    """Names for an error message: the first few, and the number of others.

    >>> comma_list("abc")
    'a, b, c'
    """
    every = [str(name) for name in names]
    more = f", ... ({len(every) - most} more)" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def one_line(error: Exception, most: int = 300) -> str:
    """The message of another library's error in one line, cut."""
    return " ".join(str(error).split())[:most]


def capitalised(text: str) -> str:
    """A text with its first letter in upper case, and the others as they are."""
    return f"{text[:1].upper()}{text[1:]}"


def plural(number: int, what: str) -> str:
    """A number with its noun, in the singular or plural.

    >>> plural(1, "term"), plural(2_000, "term")
    ('1 term', '2,000 terms')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def closest(name: object, known: Iterable[object]) -> str | None:
    """The known name most like a misspelt one, or None; a difference in case counts least.

    >>> closest("ID", ["id", "sex"]), closest("incme", ["income"]), closest("x", ["income"])
    ('id', 'income', None)
    """
    every, text = [str(one) for one in known], str(name)
    alike = [one for one in every if one.casefold() == text.casefold()]
    return next(iter(alike or get_close_matches(text, every, n=1)), None)


def did_you_mean(names: Iterable[object], known: Iterable[object]) -> str:
    """The hint at the end of an error about unknown names; empty if no known name is close.

    >>> did_you_mean(["incme"], ["income", "sex"]), did_you_mean(["x"], ["income", "sex"])
    (" (did you mean 'income'?)", '')
    """
    every = list(known)
    close = dict.fromkeys(filter(None, (closest(name, every) for name in names)))
    return f" (did you mean {', '.join(map(repr, close))}?)" if close else ""


def shorten(text: str, most: int = 100) -> str:
    """A text of at most so many characters, with dots if it is cut.

    >>> shorten("abcdefgh", 6), shorten("abc", 6)
    ('abc...', 'abc')
    """
    return text if len(text) <= most else f"{text[: most - 3]}..."


def percent(share: float | None) -> str:
    """A share as text; a share that is not 0 or 1 is never written as such.

    >>> percent(0.25), percent(0.00001), percent(0.99999), percent(None)
    ('25.0%', 'less than 0.1%', 'more than 99.9%', 'not known')
    """
    if share is None:
        return "not known"
    if 0 < share < 0.001:
        return "less than 0.1%"
    if 0.999 < share < 1:
        return "more than 99.9%"
    return f"{share:.1%}"


_BIDIRECTIONAL = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def legible(text: str) -> str:
    """A text without control characters, which could control a terminal or reverse the text.

    >>> legible("a\\x1b[31m\\u202eb")
    'a\ufffd[31m\ufffdb'
    """
    return "".join("\ufffd" if _is_control(x) else x for x in text)


def _is_control(character: str) -> bool:
    turns = unicodedata.bidirectional(character) in _BIDIRECTIONAL
    return turns or unicodedata.category(character) in ("Cc", "Cs")

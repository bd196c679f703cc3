"""Words for messages: short values, lists of names, plurals, "did you mean"."""

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
    """Names for an error message: the first few, and how many more there are.

    >>> comma_list("abc")
    'a, b, c'
    """
    every = [str(name) for name in names]
    more = f", ... ({len(every) - most} more)" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def plural(number: int, what: str) -> str:
    """How many there are, in words that fit one of them.

    >>> plural(1, "term"), plural(2_000, "term")
    ('1 term', '2,000 terms')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def closest(name: object, known: Iterable[object]) -> str | None:
    """The one of the known names that was probably meant, if one is alike: first but for case.

    >>> closest("ID", ["id", "sex"]), closest("incme", ["income"]), closest("x", ["income"])
    ('id', 'income', None)
    """
    every, said = [str(one) for one in known], str(name)
    alike = [one for one in every if one.casefold() == said.casefold()]
    return next(iter(alike or get_close_matches(said, every, n=1)), None)


def did_you_mean(names: Iterable[object], known: Iterable[object]) -> str:
    """What to add to an error about unknown names: which were probably meant, or nothing.

    >>> did_you_mean(["incme"], ["income", "sex"]), did_you_mean(["x"], ["income", "sex"])
    (" (did you mean 'income'?)", '')
    """
    every = list(known)
    found = dict.fromkeys(filter(None, (closest(name, every) for name in names)))
    return f" (did you mean {', '.join(map(repr, found))}?)" if found else ""

"""Weights of literals in DIMACS files, as exact fractions."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from reasons.errors import ParseError

Weights = dict[str, dict[bool, Fraction]]
"""For each feature that has some: the weights of False and of True."""

_MOST_DIGITS = 5_000
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?|[+-]?\d+/0*[1-9]\d*")


def weight(text: str) -> Fraction:
    """The exact number in a text; `ValueError` if it is none, or too long.

    >>> weight("0.1"), weight("1e-2"), weight("1/3")
    (Fraction(1, 10), Fraction(1, 100), Fraction(1, 3))
    """
    if len(text) > _MOST_DIGITS or not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a weight")
    return Fraction(text)


def weights_by_name(
    weights: Iterable[tuple[int, bytes, int]], names: Sequence[str], source: str
) -> Weights:
    """The weights of a file, each a literal, a text and its line, by the names of features.

    Where a file weights one of two literals, the other has 1 minus that, as in the model counting
    competitions.
    """
    literals: dict[int, tuple[Fraction, int]] = {}
    for literal, text, line in weights:
        try:
            value = weight(text.decode("ascii"))
        except ValueError:
            raise ParseError("a weight is not a number", source=source, line=line) from None
        if literals.setdefault(literal, (value, line))[0] != value:
            raise ParseError(
                f"literal {literal} has another weight in line {literals[literal][1]}",
                source=source,
                line=line,
            )
    return {
        names[variable - 1]: {
            False: _weight(literals, -variable, source),
            True: _weight(literals, variable, source),
        }
        for variable in sorted({abs(literal) for literal in literals})
    }


def _weight(literals: dict[int, tuple[Fraction, int]], literal: int, source: str) -> Fraction:
    if literal in literals:
        return literals[literal][0]
    value, line = literals[-literal]
    if not 0 <= value <= 1:
        raise ParseError(
            f"literal {literal} has no weight, and 1 - {value} is not a weight",
            source=source,
            line=line,
        )
    return 1 - value

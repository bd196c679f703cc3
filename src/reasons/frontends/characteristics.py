"""Formulas over characteristics, such as `age > 25 & (job = clerk | ~member)`.

A characteristic such as `age < 18` is hidden from the parser of formulas behind a quoted name
of the same length, so that the places in its complaints stay right.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reasons.errors import ParseError
from reasons.frontends.formula.gates import Formula
from reasons.frontends.formula.parser import parse

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_ATOM = re.compile(
    rf"""(?P<name>{_QUOTED}
        |(?<![\w.-])(?!(?i:and|or|not|xor)\b)[^\W][\w.]*+(?:-(?!>)[\w.]*+)*+)
    \s*(?P<op><=(?!>)|>=|!=|==?(?![>=])|<(?!->|=)|>|\b(?:not\s+)?in\b|\bis(?:\s+not)?\b)
    \s*(?P<value>\{{(?:{_QUOTED}|[^{{}}"])*\}}|[(\[][^()\[\]]*[)\]]|{_QUOTED}|<\w+>
        |[^\s&|()^~!<>="]+)""",
    re.VERBOSE,
)
_ATOM_OR_NAME = re.compile(f"{_ATOM.pattern}|{_QUOTED}?", re.VERBOSE)
_FIRST_HIDDEN, _LAST_HIDDEN = 0xE000, 0xF8FF  # what Unicode leaves to private use
_HIDDEN_IN_MESSAGE = re.compile(r"""'"\\u([ef][0-9a-f]{3}) *(?:"|\.\.\.)'""")
_PRIVATE = re.compile("[\ue000-\uf8ff]")


@dataclass(frozen=True, slots=True)
class Characteristic:
    """A feature and how it is compared; with no operator, a Boolean feature that holds."""

    name: str
    operator: str = ""
    value: str = ""
    at: int = 0  # where in the text


def parse_condition(text: str, source: str) -> tuple[Formula, tuple[Characteristic, ...]]:
    """The gates of a condition, and the characteristics that its variables stand for.

    Raises `ParseError` with line and column.

    >>> formula, found = parse_condition("age >= 18 & ~member", "<text>")
    >>> [(each.name, each.operator, each.value) for each in found]
    [('age', '>=', '18'), ('member', '', '')]
    """
    if odd := _PRIVATE.search(text):
        raise ParseError.at(odd.start(), text, f"unexpected character {odd[0]!r}", source)
    found: list[Characteristic] = []

    def hide(match: re.Match[str]) -> str:
        if match["op"] is None:
            return match[0]
        if _FIRST_HIDDEN + len(found) > _LAST_HIDDEN:
            raise ParseError.at(match.start(), text, "too many comparisons in one text", source)
        operator, number = match["op"].replace("==", "="), len(found)
        negated = "not" in operator
        plain = ("in" if "in" in operator else "is") if negated else operator
        found.append(Characteristic(unquoted(match["name"]), plain, match["value"], match.start()))
        inside = chr(_FIRST_HIDDEN + number).ljust(len(match[0]) - 2 - negated)
        return f'{"~" * negated}"{inside}"'

    hidden = _ATOM_OR_NAME.sub(hide, text)
    try:
        formula = parse(hidden, source)
    except ParseError as error:
        raise _shown(error, text, found) from None
    return formula, tuple(_named(name, found) for name in formula.names)


def unquoted(text: str) -> str:
    """A name or value as it is meant."""
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text


def _named(name: str, found: Sequence[Characteristic]) -> Characteristic:
    number = ord(name[0]) - _FIRST_HIDDEN
    return found[number] if 0 <= number < len(found) else Characteristic(name)


def _shown(error: ParseError, text: str, found: Sequence[Characteristic]) -> ParseError:
    """A complaint about the hidden text, with what stands there in truth."""

    def bare(match: re.Match[str]) -> str:
        each = found[int(match[1], 16) - _FIRST_HIDDEN]
        return repr(f"{each.name} {each.operator} {each.value}")

    lines = text.splitlines() or [""]
    return ParseError(
        _HIDDEN_IN_MESSAGE.sub(bare, error.message),
        source=error.source,
        line=error.line,
        column=error.column,
        excerpt=lines[min(error.line or 1, len(lines)) - 1],
    )

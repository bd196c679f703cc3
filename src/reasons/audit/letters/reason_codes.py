"""The user's table of reason codes: what each feature is called in a letter."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reasons.errors import InputError, Option
from reasons.features.schema import Schema
from reasons.features.tables import require_columns
from reasons.formats.read_csv import read_csv
from reasons.text import comma_list, short_repr

NEVER = "never"
"""In place of a code: the feature is never to be cited."""
_COLUMNS = ("feature", "code", "text")


@dataclass(frozen=True)
class Code:
    """A reason code and its text."""

    code: str
    text: str


@dataclass(frozen=True)
class Codes:
    """The codes of the features that may be cited, in the user's order, and those never to be."""

    of: Mapping[str, Code]
    never: tuple[str, ...]


def codes_of(schema: Schema, given: Any) -> Codes:
    """The codes in a CSV file of feature, code, text, or in a mapping; complete, or `InputError`.

    A mapping goes from features to (code, text), or to None for what is never to be cited; in a
    file the code `never` says that.

    >>> codes_of(Schema(["E", "R"]), {"E": ("01", "The exam was not passed"), "R": None}).never
    ('R',)
    """
    if isinstance(given, str | os.PathLike):
        lines = list(_read(given))
    elif isinstance(given, Mapping):
        lines = [(name, *_pair(name, value)) for name, value in given.items()]
    else:
        raise InputError(
            "{given} must be a CSV file or a mapping from features", given=Option("codes", given)
        )
    found: dict[str, Code] = {}
    never: list[str] = []
    for name, code, text in lines:
        schema.index(name)
        if name in found or name in never:
            raise InputError(f"the table of codes has the feature {name!r} twice")
        if code.lower() == NEVER:
            never.append(name)
        elif not code or not text:
            raise InputError(
                f"the table of codes has no code or no text for {name!r}; the code {NEVER!r} is "
                "for features that must not be named"
            )
        else:
            found[name] = Code(code, text)
    absent = [name for name in schema.names if name not in found and name not in never]
    if absent:
        raise InputError(
            f"the table of codes lacks the features: {comma_list(absent)}; give each a code and a "
            f"text, or the code {NEVER!r} if it is never to be cited"
        )
    _require_one_text(found.values())
    return Codes(found, tuple(never))


def _pair(name: Any, value: Any) -> tuple[str, str]:
    if value is None:
        return NEVER, ""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise InputError(f"the code of {short_repr(name)} must be (code, text) or None")
    return str(value[0]).strip(), str(value[1]).strip()


def _read(path: str | os.PathLike[str]) -> Iterable[tuple[str, str, str]]:
    table = read_csv(path, skip_spaces=True, short_rows=True)
    names = [name.strip() for name in table.header.cells]
    require_columns(names, _COLUMNS, str(path))
    places = [names.index(name) for name in _COLUMNS]
    for row in table:
        name, code, text = (row.cells[place].strip() for place in places)
        yield name, code, text


def _require_one_text(codes: Iterable[Code]) -> None:
    """A code that several features share must say the same of each."""
    texts: dict[str, str] = {}
    for each in codes:
        if texts.setdefault(each.code, each.text) != each.text:
            raise InputError(f"the code {each.code!r} has two different texts")

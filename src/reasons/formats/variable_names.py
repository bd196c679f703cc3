"""Names for the numbered variables of a file.

Feature maps, as found beside classifiers compiled to SDDs and d-DNNFs, have lines
`feature:=value:literal` that say which literal stands for which value of which feature.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from reasons.errors import InputError, ParseError, UnsupportedModel
from reasons.formats.files import Path, contents
from reasons.text import short_repr

Names = Mapping[int, str] | Sequence[str] | str | os.PathLike[str]

MOST_VARIABLES = 1_000_000
_COMMENT = re.compile(rb"^c[ \t]+(\d{1,10})[ \t]+(\S[^\n]*)", re.MULTILINE)
_MAP_LINE = re.compile(r"(?P<feature>.+?):=(?P<value>.*):(?P<literal>-?\d{1,9})\s*")
_TRUE = ("1", "true", "True")
_LINE = re.compile(rb"(?:c[ \t]+)?(\d{1,10})[ \t]+(\S[^\n]*)")


def require_few(variables: int, path: Path) -> None:
    """Refuse a file with more variables than can reasonably become features."""
    if variables > MOST_VARIABLES:
        raise UnsupportedModel(
            f"{path} has {variables:,} variables; at most {MOST_VARIABLES:,} become features"
        )


def variable_names(
    variables: Sequence[int],
    names: Names | None = None,
    *,
    data: bytes = b"",
    path: Path = "<file>",
) -> list[str]:
    """A name for each variable: the one given, otherwise its number.

    `names` is a mapping from numbers, the names in order, the path of a file with lines
    `NUMBER NAME` or `c NUMBER NAME` or of a feature map (see `read_feature_map`), or "comments" for
    such lines in the file itself.

    >>> variable_names([1, 2, 3], {2: "sunny"})
    ['1', 'sunny', '3']
    """
    require_few(len(variables), path)
    found = dict(_given(len(variables), names, data))
    every = [found.pop(number, str(number)) for number in variables]
    if found:
        count = f"{len(variables):,}"
        raise InputError(f"{path} has {count} variables; there is no {min(found)} to name")
    seen: dict[str, int] = {}
    for number, name in zip(variables, every, strict=True):
        if seen.setdefault(name, number) != number:
            raise InputError(
                f"variables {seen[name]} and {number} are both named {short_repr(name)}"
            )
    return every


def _given(variables: int, names: Names | None, data: bytes) -> Iterator[tuple[int, str]]:
    if names is None:
        return
    if isinstance(names, Mapping):
        yield from _checked(names.items())
    elif isinstance(names, str) and names == "comments":
        yield from _once(_named(match) for match in _COMMENT.finditer(data))
    elif isinstance(names, str | os.PathLike):
        data = contents(names)
        is_map = b":=" in data
        yield from read_feature_map(names) if is_map else _once(_lines_of(data, names))
    else:
        every = list(names)
        if len(every) != variables:
            raise InputError(f"there are {len(every):,} names for {variables:,} variables")
        yield from _checked(enumerate(every, 1))


def _checked(pairs: object) -> Iterator[tuple[int, str]]:
    for number, name in pairs:  # type: ignore[attr-defined]
        if isinstance(number, bool) or not isinstance(number, int) or not isinstance(name, str):
            raise InputError(
                "{option} maps variable numbers to texts, not {value} to {name}",
                option="names",
                value=number,
                name=short_repr(name),
            )
        yield number, name


def _once(pairs: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    seen: dict[int, str] = {}
    for number, name in pairs:
        if seen.setdefault(number, name) != name:
            raise InputError(
                f"variable {number} has two names, {short_repr(seen[number])} and "
                f"{short_repr(name)}"
            )
        yield number, name


def _lines_of(data: bytes, path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ParseError(
                "a line of a file of names is 'NUMBER NAME'", source=str(path), line=number
            )
        yield _named(match)


def _named(match: re.Match[bytes]) -> tuple[int, str]:
    return int(match[1]), match[2].decode("utf-8", "replace").strip()


def read_feature_map(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """The name of each variable that a feature map mentions.

    A variable that is true where a feature is 1 is called by the feature; any other, such
    as one of several that stand for the values of a feature, `feature=value`.
    """
    found: dict[int, str] = {}
    lines = contents(path).decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, 1):
        if ":=" not in line:
            continue
        match = _MAP_LINE.fullmatch(line)
        if match is None:
            raise ParseError(
                "a line of a feature map is `feature:=value:literal`",
                source=str(path),
                line=number,
            )
        found[int(match["literal"])] = f"{match['feature']}={match['value']}"
    if not found:
        raise ParseError("no line `feature:=value:literal`", source=str(path), line=len(lines))
    return ((literal, _short(literal, found)) for literal in found if literal > 0)


def _short(literal: int, found: Mapping[int, str]) -> str:
    feature, _, value = found[literal].rpartition("=")
    return feature if value in _TRUE and -literal in found else found[literal]

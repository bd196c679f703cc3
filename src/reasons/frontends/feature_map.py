"""Names for the numbered variables of a file: a mapping, or a feature-map file.

A feature map, as found beside classifiers compiled to SDDs and d-DNNFs, says with lines
`feature:=value:literal` which literal stands for which value of which feature.
"""

import os
import re
from collections.abc import Iterable, Mapping

from reasons.errors import InputError, ParseError, shown
from reasons.frontends.files import contents

Names = Mapping[int, str] | str | os.PathLike[str]
_LINE = re.compile(r"(?P<feature>.+?):=(?P<value>.*):(?P<literal>-?\d{1,9})\s*")
_TRUE = ("1", "true", "True")


def variable_names(variables: Iterable[int], names: Names | None) -> list[str]:
    """A name for each variable: the one given, otherwise its number.

    >>> variable_names([1, 2], {2: "sunny"})
    ['1', 'sunny']
    """
    if names is None:
        return [str(variable) for variable in variables]
    given = names if isinstance(names, Mapping) else read_feature_map(names)
    for number, name in given.items():
        if not isinstance(number, int) or not isinstance(name, str):
            raise InputError(
                f"names= leads variable numbers to texts, not {shown(number)} to {shown(name)}"
            )
    return [given.get(variable, str(variable)) for variable in variables]


def read_feature_map(path: str | os.PathLike[str]) -> dict[int, str]:
    """The name of each variable that a feature map mentions.

    A variable that is true where a feature is 1 is called by the feature; any other, such
    as one of several that stand for the values of a feature, `feature=value`.
    """
    found: dict[int, str] = {}
    lines = contents(path).decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, 1):
        if ":=" not in line:
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise ParseError(
                "a line of a feature map is `feature:=value:literal`",
                source=str(path),
                line=number,
            )
        found[int(match["literal"])] = f"{match['feature']}={match['value']}"
    if not found:
        raise ParseError("no line `feature:=value:literal`", source=str(path), line=len(lines))
    return {literal: _short(literal, found) for literal in found if literal > 0}


def _short(literal: int, found: Mapping[int, str]) -> str:
    feature, _, value = found[literal].rpartition("=")
    return feature if value in _TRUE and -literal in found else found[literal]

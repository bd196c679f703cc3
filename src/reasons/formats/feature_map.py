"""Feature maps, as found beside classifiers compiled to SDDs and d-DNNFs.

Lines `feature:=value:literal` say which literal stands for which value of which feature.
"""

import os
import re
from collections.abc import Iterator, Mapping

from reasons.errors import ParseError
from reasons.formats.files import contents

_LINE = re.compile(r"(?P<feature>.+?):=(?P<value>.*):(?P<literal>-?\d{1,9})\s*")
_TRUE = ("1", "true", "True")


def read(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
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
    return ((literal, _short(literal, found)) for literal in found if literal > 0)


def _short(literal: int, found: Mapping[int, str]) -> str:
    feature, _, value = found[literal].rpartition("=")
    return feature if value in _TRUE and -literal in found else found[literal]

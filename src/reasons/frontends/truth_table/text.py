"""Truth tables as text: values between commas, semicolons, tabs or spaces, names first."""

import csv
import os
from typing import Any

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import ParseError
from reasons.formats.files import text_of
from reasons.frontends.rules.parser import label_of
from reasons.frontends.truth_table.table import from_table


def load_table(
    path: str | os.PathLike[str], *, budget: Budget | None, **options: Any
) -> Classifier:
    """The classifier of a file with a row for each instance, with the options of `from_table`."""
    return from_table(rows_of(text_of(path), str(path)), budget=budget, **options)


def rows_of(text: str, source: str) -> list[dict[str, Any]]:
    """The rows of a table; numbers, `true` and `false` are read as such.

    >>> rows_of("a b y\\n0 1 yes\\n", "<table>")
    [{'a': 0, 'b': 1, 'y': 'yes'}]
    """
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if _says_something(line)]
    if not lines:
        raise ParseError("the table is empty", source=source, line=1)
    between = next((sign for sign in ",;\t" if sign in lines[0][1]), None)
    names = _cells(lines[0][1], between)
    if len(set(names)) < len(names) or not all(names):
        raise ParseError("each column needs a name of its own", source=source, line=lines[0][0])
    rows = []
    for number, line in lines[1:]:
        cells = _cells(line, between)
        if len(cells) != len(names) or not all(cells):
            what = f"{len(names)} values are expected here, none of them empty"
            raise ParseError(what, source=source, line=number)
        rows.append(dict(zip(names, map(label_of, cells), strict=True)))
    if not rows:
        raise ParseError("the table has no rows", source=source, line=lines[0][0])
    return rows


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _cells(line: str, between: str | None) -> list[str]:
    if between is None:
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line], delimiter=between))]

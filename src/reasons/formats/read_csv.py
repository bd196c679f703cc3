"""CSV files: one dialect for all tables, and the reader of small ones.

The text is UTF-8 with or without a byte order mark. Between cells stand commas, semicolons or
tabs, whichever the header has most of; in .tsv files tabs. A cell that begins with a double quote
ends with one, and may hold line breaks; a quote within it is doubled. Empty lines are skipped, and
every row has as many cells as the header. Audits, which read large files with Arrow, share the
choice of the delimiter.

The standard module `csv` was rejected: its errors have no column, it accepts text after a closing
quote, and its limit for long cells is one for the whole process.
"""

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import NoReturn

from reasons.errors import InputError, ParseError
from reasons.formats.files import Path, text_of
from reasons.text import plural

_QUOTED = re.compile(r'"[^"]*"')
_INSIDE = re.compile(r'(?:[^"]|"")*+')
_MOST_CHARACTERS = 8 << 20  # of a row, as in audits


def delimiter_of(header: str, name: str = "") -> str | None:
    """What stands between the cells of a file with this header and name; None if nothing does.

    >>> delimiter_of('age;"income, net";job'), delimiter_of("age"), delimiter_of("age", "x.tsv")
    (';', None, '\\t')
    """
    if name.lower().removesuffix(".gz").endswith(".tsv"):
        return "\t"
    plain = _QUOTED.sub("", header)
    best = max(",;\t", key=plain.count)
    return best if best in plain else None


@dataclass(frozen=True, slots=True)
class CsvRow:
    """The cells of a row, and the line on which it begins."""

    source: str
    line: int
    cells: list[str]

    def fail(self, message: str) -> NoReturn:
        """Raise `ParseError` about this row."""
        raise ParseError(message, source=self.source, line=self.line)


class CsvTable:
    """The header of a table and its rows, which are read one after another.

    Where the header has no delimiter, `default` is taken, or spaces if that is None. With
    `skip_spaces`, spaces before a cell are left out; with `skip_blank`, rows without any text are;
    with `short_rows`, a row may lack its last cells, which are empty then.
    """

    def __init__(
        self,
        lines: Iterable[str],
        source: str,
        *,
        default: str | None = ",",
        skip_spaces: bool = False,
        skip_blank: bool = False,
        short_rows: bool = False,
    ) -> None:
        self.source, self._lines, self._number = source, iter(lines), 0
        self._skip_spaces, self._skip_blank, self._short_rows = skip_spaces, skip_blank, short_rows
        self._records = self._read(default)
        self.header = next(self._records, CsvRow(source, 1, []))

    def __iter__(self) -> Iterator[CsvRow]:
        width = len(self.header.cells)
        for row in self._records:
            lacking = width - len(row.cells)
            if lacking < 0 or (lacking and not self._short_rows):
                row.fail(
                    f"{plural(len(row.cells), 'cell')}, where the header has {width}; a "
                    "cell with the separator in it must stand in double quotes"
                )
            row.cells.extend([""] * lacking)
            yield row

    def _read(self, default: str | None) -> Iterator[CsvRow]:
        delimiter, is_known = default, False
        while line := self._next_line():
            plain, first = line.rstrip("\r\n"), self._number
            if not is_known and plain.strip():
                delimiter, is_known = delimiter_of(plain, self.source) or default, True
            if delimiter is None:
                cells = plain.split()
            elif '"' in line or self._skip_spaces:
                cells = self._cells(line, delimiter)
            else:
                cells = plain.split(delimiter)
            if plain and not (self._skip_blank and not any(map(str.strip, cells))):
                yield CsvRow(self.source, first, cells)

    def _cells(self, line: str, delimiter: str) -> list[str]:
        """The cells of the row that begins with this line."""
        cells, at = [], 0
        while True:
            if self._skip_spaces:
                at = len(line) - len(line[at:].lstrip(" "))
            if line.startswith('"', at):
                cell, line, at = self._quoted_cell(line, at)
                end = len(line.rstrip("\r\n"))
            else:
                end = len(line.rstrip("\r\n"))
                stop = line.find(delimiter, at, end)
                stop = end if stop < 0 else stop
                cell, at = line[at:stop], stop
            cells.append(cell)
            if at >= end:
                return cells
            if line[at] != delimiter:
                self._fail("a delimiter is missing here, after the closing quote", line, at)
            at += 1

    def _quoted_cell(self, line: str, start: int) -> tuple[str, str, int]:
        """The text of a quoted cell, the line on which it ends, and the place after it."""
        opened, parts, length, at = (line, start, self._number), [], 0, start + 1
        while True:
            inside = _INSIDE.match(line, at)
            assert inside is not None
            parts.append(inside[0].replace('""', '"'))
            if inside.end() < len(line):
                return "".join(parts), line, inside.end() + 1
            length += len(line)
            line, at = self._next_line() if length <= _MOST_CHARACTERS else "", 0
            if not line:
                long = f"the cell has more than {_MOST_CHARACTERS:,} characters"
                why = long if length > _MOST_CHARACTERS else "this quote is never closed"
                self._number = opened[2]
                self._fail(why, opened[0], opened[1])

    def _next_line(self) -> str:
        line = next(self._lines, "")
        self._number += 1
        if len(line) > _MOST_CHARACTERS:
            raise ParseError(
                f"a line has more than {_MOST_CHARACTERS:,} characters",
                source=self.source,
                line=self._number,
            )
        if "\0" in line:
            at = line.index("\0")
            self._fail("there is a NUL character here; save the file as UTF-8 text", line, at)
        return line

    def _fail(self, message: str, line: str, at: int) -> NoReturn:
        raise ParseError(
            message,
            source=self.source,
            line=self._number,
            column=at + 1,
            excerpt="".join(c if c.isprintable() else " " for c in line.rstrip("\r\n")),
        )


def read_csv(
    path: Path, *, skip_spaces: bool = False, skip_blank: bool = True, short_rows: bool = False
) -> CsvTable:
    """The table of a small file, which is read whole; it may be packed by gzip."""
    lines = io.StringIO(text_of(path), newline="")
    return CsvTable(
        lines, str(path), skip_spaces=skip_spaces, skip_blank=skip_blank, short_rows=short_rows
    )


@contextmanager
def open_csv(path: Path) -> Iterator[CsvTable]:
    """The table of a file or pipe of any size, of which no more rows are read than are used."""
    opened = gzip.open if str(path).lower().endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            yield CsvTable(iter(partial(file.readline, _MOST_CHARACTERS + 1), ""), str(path))
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {path}: it is not UTF-8 text ({error.reason})") from None
    except (OSError, EOFError, zlib.error, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot read {path}: {error}") from None

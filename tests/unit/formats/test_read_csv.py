"""The reader of small CSV files, against the standard library's and against Arrow's."""

import csv
import gzip
import io
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv as arrow

from reasons.errors import InputError, ParseError
from reasons.formats import read_csv as module
from reasons.formats.read_csv import CsvTable, delimiter_of, open_csv, read_csv

CELL = st.text(st.sampled_from('ab ,;\t"\n\r\u2028é'), max_size=5)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=5)
)


def cells_of(text: str, **options: Any) -> list[list[str]]:
    table = CsvTable(io.StringIO(text, newline=""), "<text>", **options)
    return [table.header.cells, *(row.cells for row in table)]


def written(rows: list[list[str]], delimiter: str, quoting: Any = csv.QUOTE_MINIMAL) -> str:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, quoting=quoting).writerows(rows)
    return file.getvalue()


@given(TABLES, st.sampled_from(",;\t"), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_what_the_standard_library_writes_is_read_back(
    rows: list[list[str]], delimiter: str, quoting: int
) -> None:
    names = [f"c{i}" for i in range(len(rows[0]))]
    table = [names, *rows]
    text = written(table, delimiter, quoting)
    assert cells_of(text, default=delimiter) == table


@given(TABLES)
def test_arrow_reads_the_same_cells(rows: list[list[str]]) -> None:
    names = [f"c{i}" for i in range(len(rows[0]) + 1)]
    text = written([names, *([*row, "end"] for row in rows)], ",")
    kinds = arrow.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))
    parse = arrow.ParseOptions(newlines_in_values=True)
    found = arrow.read_csv(
        pa.BufferReader(text.encode()), parse_options=parse, convert_options=kinds
    )
    assert cells_of(text)[1:] == [list(row.values()) for row in found.to_pylist()]


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ('a,b\n1,"2\n3\n', (2, 3), "this quote is never closed"),
        ('a,b\n"1"2,3\n', (2, 4), "a delimiter is missing here"),
        ('a,b\n"1\n2" ,3\n', (3, 3), "a delimiter is missing here"),
        ("a,b\n1\n", (2, None), "1 cell, where the header has 2"),
        ("a,b\n\n1,2,3\n", (3, None), "3 cells, where the header has 2"),
        ("a,b\n1,\0\n", (2, 3), "there is a NUL character here"),
        ('a,"b\n', (1, 3), "this quote is never closed"),
    ],
)
def test_errors_name_line_and_column(text: str, place: tuple[int, int | None], why: str) -> None:
    with pytest.raises(ParseError, match=why) as error:
        cells_of(text)
    assert (error.value.source, error.value.line, error.value.column) == ("<text>", *place)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_encodings_ends_of_lines_and_packing_make_no_difference(
    tmp_path: Path, end: str, packed: bool, mark: str
) -> None:
    path = tmp_path / ("x.csv.gz" if packed else "x.csv")
    data = f"{mark}a,b{end}{end}é,{'x' * 200_000}{end}".encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    wanted = ([["a", "b"]], [["é", "x" * 200_000]])
    small = read_csv(path)
    assert ([small.header.cells], [row.cells for row in small]) == wanted
    with open_csv(path) as large:
        assert ([large.header.cells], [row.cells for row in large]) == wanted


def test_spaces_blank_rows_and_short_rows_are_left_out_only_where_asked() -> None:
    text = 'a, b\n, \n"x", "y, z"\nw\n'
    assert cells_of('a,b\n, \n x," y"\n') == [["a", "b"], ["", " "], [" x", " y"]]
    found = cells_of(text, skip_spaces=True, skip_blank=True, short_rows=True)
    assert found == [["a", "b"], ["x", "y, z"], ["w", ""]]
    assert cells_of("a  b\n1 2\n", default=None) == [["a", "b"], ["1", "2"]]


@pytest.mark.parametrize("read", [lambda path: list(read_csv(path)), lambda path: streamed(path)])
@pytest.mark.parametrize(
    ("data", "why"),
    [(b"a\n\xff\n", "not UTF-8 text"), (b"\x1f\x8bbroken", "UTF-8|damaged|Not a gzipped")],
)
def test_files_that_are_no_text_are_refused(
    tmp_path: Path, read: Callable[[Path], Any], data: bytes, why: str
) -> None:
    (tmp_path / "x.csv").write_bytes(data)
    with pytest.raises(InputError, match=why):
        read(tmp_path / "x.csv")
    with pytest.raises(InputError, match="cannot read"):
        read(tmp_path / "none.csv")


def streamed(path: Path) -> list[Any]:
    with open_csv(path) as table:
        return list(table)


def test_a_pipe_is_read_as_far_as_it_is_used(tmp_path: Path) -> None:
    pipe = tmp_path / "x.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("a,b\n1,2\n3,4\n",))
    writer.start()
    with open_csv(pipe) as table:
        assert next(iter(table)).cells == ["1", "2"]
    writer.join()


def test_an_open_quote_ends_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CHARACTERS", 1000)
    rest = "x" * 10 + "\n"
    lines = iter(['a,"b\n', *[rest] * 200])
    with pytest.raises(ParseError, match="<text>:1:3: the cell has more than 1,000 characters"):
        CsvTable(lines, "<text>")
    assert len(list(lines)) > 100
    with pytest.raises(ParseError, match="<text>:2: a line has more than 1,000 characters"):
        list(CsvTable(iter(["a\n", "x" * 1001]), "<text>"))


@pytest.mark.parametrize(
    ("header", "name", "wanted"),
    [
        ("a;b;c,d", "x.csv", ";"),
        ("a,b;c", "x.csv", ","),
        ('"a,b,c"\td', "x.csv", "\t"),
        ("a", "x.csv", None),
        ("a, b", "X.TSV.gz", "\t"),
    ],
)
def test_the_delimiter_is_what_the_header_has_most_of(
    header: str, name: str, wanted: str | None
) -> None:
    assert delimiter_of(header, name) == wanted

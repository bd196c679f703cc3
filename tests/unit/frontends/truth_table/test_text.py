"""Truth tables as text files."""

from pathlib import Path

import pytest

import reasons
from reasons.errors import ParseError
from reasons.frontends.truth_table.text import rows_of

ROWS = [{"a": a, "b": b, "y": "yes" if a and b else "no"} for a in (0, 1) for b in (0, 1)]


@pytest.mark.parametrize("sign", [",", ";", "\t", " ", " , ", "  "])
def test_rows_are_read_whatever_stands_between_the_values(sign: str) -> None:
    lines = ["# a comment, with a comma", sign.join("aby"), ""]
    lines += [sign.join(map(str, row.values())) for row in ROWS]
    assert rows_of("\n".join(lines), "<table>") == ROWS


def test_values_may_stand_in_quotes(tmp_path: Path) -> None:
    path = tmp_path / "x.table"
    path.write_text('a,"y, of it"\n0,"no, never"\n1,yes\n')
    assert rows_of(path.read_text(), "x") == [
        {"a": 0, "y, of it": "no, never"},
        {"a": 1, "y, of it": "yes"},
    ]
    assert reasons.load(path, format="table").decide("~a").label == "no, never"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# nothing\n", "x:1: the table is empty"),
        ("a b\n", "x:1: the table has no rows"),
        ("\na a\n0 1\n", "x:2: each column needs a name of its own"),
        ("a,,b\n0,0,1\n", "x:1: each column needs a name of its own"),
        ("a b\n0 1 1\n", "x:2: 3 cells, where the header has 2"),
        ("a,b\n0,1\n1,\n", "x:3: 2 values are expected here, none of them empty"),
        ('a,b\n"0,1\n', "x:2:1: this quote is never closed"),
    ],
)
def test_bad_tables_are_refused_with_their_line(text: str, why: str) -> None:
    with pytest.raises(ParseError, match=why):
        rows_of(text, "x")


def test_a_table_says_which_row_has_no_label() -> None:
    rows = [{"a": 0, "y": 1.0}, {"a": 1, "y": float("nan")}]
    with pytest.raises(reasons.InputError, match="row 1"):
        reasons.from_table(rows)

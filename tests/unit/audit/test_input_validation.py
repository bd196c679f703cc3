"""Columns of texts where the model takes numbers: one error, or one problem for all such rows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import reasons
from reasons.formats.rows.source import PART
from tests.support.audit.loans import loans

TEXTS = ["43.0", "12", "30.5"]


def table(income: list[Any]) -> dict[str, list[Any]]:
    return {"income": income, "job": ["clerk"] * len(income), "sex": ["f"] * len(income)}


MAKE: dict[str, Callable[[list[Any], Path], Any]] = {
    "pandas": lambda income, path: pandas.DataFrame(table(income)),
    "pandas object": lambda income, path: pandas.DataFrame(table(income), dtype=object),
    "categories": lambda income, path: pandas.DataFrame(table(income)).astype("category"),
    "polars": lambda income, path: polars.DataFrame(table(income)),
    "arrow views": lambda income, path: pa.table(
        {**table(income), "income": pa.array(income, pa.string_view())}
    ),
    "mappings": lambda income, path: pa.table(table(income)).to_pylist(),
    "parquet": lambda income, path: written(pa.table(table(income)), path),
}


def written(rows: pa.Table, folder: Path) -> Path:
    pq.write_table(rows, folder / "rows.parquet")
    return folder / "rows.parquet"


@pytest.mark.parametrize("kind", MAKE)
def test_texts_in_every_row_are_one_error_that_says_what_to_do(kind: str, tmp_path: Path) -> None:
    with pytest.raises(reasons.InputError, match="'income' holds texts in every row") as error:
        reasons.audit(loans(), MAKE[kind](TEXTS, tmp_path), output=tmp_path / "out")
    assert "pandas.to_numeric" in str(error.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", MAKE)
def test_where_some_rows_have_no_value_the_others_share_one_problem(
    kind: str, tmp_path: Path
) -> None:
    found = reasons.audit(loans(), MAKE[kind]([*TEXTS, None], tmp_path))
    assert found.table["label"].to_pylist() == [None, None, None, "refused"]
    told = found.summary.as_dict()["problems"]
    assert [(x["rows"], "pandas.to_numeric" in x["problem"]) for x in told["most_frequent"]] == [
        (3, True)
    ]
    assert found.summary.findings[1].startswith("3 rows had a problem: column 'income' holds texts")


def test_a_value_that_is_absent_late_is_seen(tmp_path: Path) -> None:
    rows = pa.table(table(["1"] * (PART + 3) + [None]))
    found = reasons.audit(loans(), written(rows, tmp_path), ask="reason")
    assert found.table["label"].to_pylist().count(None) == PART + 3


def test_the_cure_that_is_named_helps() -> None:
    frame = pandas.DataFrame(table(TEXTS))
    frame["income"] = pandas.to_numeric(frame["income"])
    other = polars.DataFrame(table(TEXTS)).with_columns(polars.col("income").cast(polars.Float64))
    for data in (frame, other):
        found = reasons.audit(loans(), data).table
        assert found["label"].to_pylist() == ["refused", "refused", "refused"]
        assert found["problem"].null_count == 3


def test_cells_of_csv_files_are_read_as_ever(tmp_path: Path) -> None:
    pandas.DataFrame(table([*TEXTS, "many"])).to_csv(tmp_path / "rows.csv", index=False)
    found = reasons.audit(loans(), tmp_path / "rows.csv").table
    assert found["label"].to_pylist() == ["refused"] * 3 + [None]


def test_no_rows_and_no_values_are_no_texts() -> None:
    for income in ([], [None, None]):
        data = pa.table({**table(income), "income": pa.array(income, pa.string())})
        assert reasons.audit(loans(), data).table["problem"].null_count == len(income)


@pytest.mark.parametrize("data", ["frame", "mappings"])
def test_a_column_that_mixes_texts_and_numbers_is_named(data: str) -> None:
    income = ["43.0", 12.5]
    frame = pandas.DataFrame({**table(TEXTS[:2]), "income": pandas.Series(income, dtype=object)})
    rows = frame if data == "frame" else frame.to_dict("records")
    with pytest.raises(reasons.InputError, match=r"income.*pandas\.to_numeric"):
        reasons.audit(loans(), rows)


def test_two_columns_of_texts_are_named_together() -> None:
    clf = reasons.compile("a & b")
    features = [reasons.Feature.numeric(name, [0]) for name in ("x", "y")]
    build = reasons.Builder(features, clf.labels)
    tests = {reasons.Interval(float("-inf"), 0): build.leaf(False)}
    above = reasons.Interval(0, float("inf"))
    inner = build.decide("y", {**tests, above: build.leaf(True)})
    model = build.build(build.decide("x", {**tests, above: inner}))
    with pytest.raises(reasons.InputError, match="columns 'x', 'y' hold texts"):
        reasons.audit(model, pandas.DataFrame({"x": ["1"], "y": ["2"]}))

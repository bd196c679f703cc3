"""Columns in the names of folders, against what pyarrow, pandas and polars read and write."""

import json
from pathlib import Path
from typing import Any

import pandas
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import reasons
from reasons.formats.rows.hive_partitions import partition_values
from reasons.formats.rows.source import PART, source_of
from tests.support.audit.loans import ROWS, loans


def rows() -> pandas.DataFrame:
    """The rows of loans, one part of them in each folder of a town and a job."""
    frame = pandas.DataFrame(ROWS)
    frame["town"] = ["New York", "a=b", "50%", None, "x/y", "New York"]
    frame["year"] = [2024, 7, 2024, -3, 7, 7]
    return frame


def verdicts(found: reasons.Audit, key: str = "id") -> list[dict[str, Any]]:
    """The rows in an order that no folder changes, without their numbers."""
    told = sorted(found.table.to_pylist(), key=lambda row: row[key])
    return [{name: value for name, value in row.items() if name != "row"} for row in told]


@pytest.mark.parametrize(
    "columns", [["job"], ["job", "sex"], ["town", "job"], ["year", "town", "sex"]]
)
def test_a_folder_that_pandas_partitioned_is_audited_like_the_frame(
    columns: list[str], tmp_path: Path
) -> None:
    rows().to_parquet(tmp_path / "log", partition_cols=columns)
    options: dict[str, Any] = {
        "protected": "sex",
        "keep": ["id", "town", "year"],
        "logged": "decision",
    }
    wanted = verdicts(reasons.audit(loans(), rows(), groups="race", **options))
    found = reasons.audit(loans(), tmp_path / "log", groups="race", **options)
    assert verdicts(found) == wanted


def test_values_and_types_are_those_of_pyarrow(tmp_path: Path) -> None:
    columns = ["year", "town"]
    rows().to_parquet(tmp_path / "log", partition_cols=columns)
    theirs = ds.dataset(tmp_path / "log", partitioning="hive").to_table()
    (ours,) = source_of(tmp_path / "log").parts(["id", *columns])
    by_id = {row["id"]: row for row in theirs.to_pylist()}
    assert ours.to_pylist() == [
        {name: by_id[row["id"]][name] for name in ("id", *columns)} for row in ours.to_pylist()
    ]
    assert [str(kind) for kind in ours.schema.types] == ["int64", "int64", "string"]


def test_the_comparison_sees_a_column_of_another_folder(tmp_path: Path) -> None:
    rows().to_parquet(tmp_path / "log", partition_cols=["job"])
    (tmp_path / "log" / "job=clerk").rename(tmp_path / "log" / "job=nurse2")
    found = reasons.audit(loans(), tmp_path / "log", keep="id")
    assert verdicts(found) != verdicts(reasons.audit(loans(), rows(), keep="id"))


def test_numbers_of_the_model_may_come_from_folders(tmp_path: Path) -> None:
    for income in (10, 50):
        folder = tmp_path / "log" / f"income={income}"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"job": ["clerk"], "sex": ["f"]}), folder / "part.parquet")
    assert reasons.audit(loans(), tmp_path / "log").table["label"].to_pylist() == [
        "refused",
        "granted",
    ]
    (tmp_path / "log" / "income=10").rename(tmp_path / "log" / "income=ten")
    with pytest.raises(reasons.InputError, match="'income' holds texts in every row"):
        reasons.audit(loans(), tmp_path / "log")


def test_folders_of_csv_files_are_read_like_their_cells(tmp_path: Path) -> None:
    for income, job in (
        ("10.5", "nurse"),
        ("050", "clerk"),
        ("__HIVE_DEFAULT_PARTITION__", "nurse"),
    ):
        folder = tmp_path / "log" / f"income={income}" / f"job={job}"
        folder.mkdir(parents=True)
        (folder / "part.csv").write_text("sex,id\nf,1\nm,2\n")
    found = reasons.audit(loans(), tmp_path / "log", keep=["income", "job"]).table
    labels = dict(zip(found["income"].to_pylist(), found["label"].to_pylist(), strict=True))
    assert labels == {"10.5": "refused", "050": "granted", "": "refused"}
    assert found["problem"].null_count == len(found) == 6


def test_a_column_of_the_file_counts_before_that_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "job=nurse").mkdir()
    table = pa.table({"income": [30.0], "job": ["clerk"], "sex": ["f"]})
    pq.write_table(table, tmp_path / "job=nurse" / "part.parquet")
    found = reasons.audit(loans(), tmp_path, keep="job").table.to_pylist()
    assert [(row["job"], row["label"]) for row in found] == [("clerk", "refused")]


def test_files_and_patterns_are_read_like_the_folder(tmp_path: Path) -> None:
    rows().to_parquet(tmp_path / "log", partition_cols=["sex", "job"])
    wanted = reasons.audit(loans(), tmp_path / "log").table
    files = sorted((tmp_path / "log").rglob("*.parquet"))
    for data in (files, f"{tmp_path}/log/**/*.parquet", f"{tmp_path}/log/sex=*/job=*/*.parquet"):
        assert reasons.audit(loans(), data).table.equals(wanted)


def test_a_file_outside_such_folders_is_named(tmp_path: Path) -> None:
    rows().to_parquet(tmp_path / "log", partition_cols=["sex"])
    pq.write_table(pa.table({"income": [1.0], "job": ["clerk"]}), tmp_path / "log" / "z.parquet")
    with pytest.raises(reasons.InputError, match=r"z\.parquet lacks the columns: sex"):
        reasons.audit(loans(), tmp_path / "log")
    with pytest.raises(reasons.InputError, match=r"the columns: sex, racce \(did you mean 'race'"):
        reasons.audit(loans(), sorted((tmp_path / "log" / "sex=f").iterdir()), groups="racce")


def test_rows_of_many_parts_are_skipped_and_resumed(tmp_path: Path) -> None:
    for sex, number in (("f", PART + 100), ("m", 50)):
        (tmp_path / "log" / f"sex={sex}").mkdir(parents=True)
        table = pa.table({"income": [30.0] * number, "job": ["clerk"] * number})
        pq.write_table(
            table, tmp_path / "log" / f"sex={sex}" / "part.parquet", row_group_size=9_999
        )
    found = reasons.audit(loans(), tmp_path / "log", output=tmp_path / "out", ask="reason")
    labels = found.table["label"].to_pylist()
    assert labels == ["refused"] * (PART + 100) + ["granted"] * 50
    assert found.decision(PART + 120).label == "granted"
    (tmp_path / "out" / "part-00001.parquet").unlink(missing_ok=True)
    again = reasons.audit(loans(), tmp_path / "log", output=tmp_path / "out", ask="reason")
    assert again.table.equals(found.table)


def test_only_columns_of_folders_may_be_asked_for(tmp_path: Path) -> None:
    rows().to_parquet(tmp_path / "log", partition_cols=["sex", "job"])
    every = [batch.to_pylist() for batch in source_of(tmp_path / "log").parts(["job", "sex"])]
    assert sorted(map(json.dumps, every[0])) == sorted(
        json.dumps({"job": job, "sex": sex})
        for job, sex in zip(ROWS["job"], ROWS["sex"], strict=True)
    )


def zips(folder: Path, codes: list[str], suffix: str) -> Path:
    for code in codes:
        at = folder / f"zip={code}"
        at.mkdir(parents=True)
        table = pa.table({"id": [1]})
        if suffix == "csv":
            (at / "part.csv").write_text("id\n1\n")
        else:
            pq.write_table(table, at / "part.parquet")
    return folder


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_code_with_leading_zeros_is_a_text_and_keeps_them(suffix: str, tmp_path: Path) -> None:
    build = reasons.Builder([reasons.Feature.categorical("zip", ["01", "02", "11"])], ["no", "yes"])
    no, yes = build.leaf("no"), build.leaf("yes")
    clf = build.build(build.decide("zip", {"01": yes, "02": no, "11": no}))
    log = zips(tmp_path / "log", ["01", "02", "11"], suffix)
    found = reasons.audit(clf, log, keep="zip").table
    assert found["label"].to_pylist() == ["yes", "no", "no"]
    assert found["zip"].to_pylist() == ["01", "02", "11"]


@pytest.mark.parametrize(
    ("codes", "kind"),
    [
        (["1", "-2"], "int64"),
        (["0"], "int64"),
        *((["1", odd], "string") for odd in ("01", "-0", "-01", "00", "1.0", "1" * 30)),
    ],
)
def test_whole_numbers_are_those_that_are_written_as_numbers(
    codes: list[str], kind: str, tmp_path: Path
) -> None:
    source = source_of(zips(tmp_path / "log", codes, "parquet"))
    assert str(source.types(["zip"]).types[0]) == kind


def test_only_folders_below_what_is_named_tell_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = zips(tmp_path / "job=here" / "log", ["01", "02"], "parquet")
    files = sorted(log.rglob("*.parquet"))
    named: list[tuple[Any, list[str]]] = [
        (log, ["id", "zip"]),
        (f"{log}/zip=*/part.parquet", ["id", "zip"]),
        (files, ["id", "zip"]),
        ([log / "zip=01", log / "zip=02"], ["id", "zip"]),
        (tmp_path, ["id", "job", "zip"]),
        (files[0], ["id"]),
        (files[:1], ["id"]),
        (log / "zip=01", ["id"]),
        (f"{log}/zip=01/*.parquet", ["id"]),
    ]
    for data, columns in named:
        assert source_of(data).columns == columns, data
    monkeypatch.chdir(log / "zip=01")
    assert source_of("part.parquet").columns == ["id"]
    assert source_of("*.parquet").columns == ["id"]
    assert source_of("../zip=*/*.parquet").columns == ["id", "zip"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("a/b.csv", {}),
        ("a=1/b.csv", {"a": "1"}),
        ("a=/b=c=d/=x/e=f.csv", {"a": "", "b": "c=d"}),
        ("a=1/a=2/b.csv", {"a": "2"}),
        ("a%3Db=%C3%A9/b.csv", {"a=b": "é"}),
        ("a=__HIVE_DEFAULT_PARTITION__/b.csv", {"a": None}),
    ],
)
def test_names_of_folders_are_read(path: str, told: dict[str, str | None]) -> None:
    assert partition_values(Path(path)) == told

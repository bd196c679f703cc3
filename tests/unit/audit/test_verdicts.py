"""An audit against brute force: every column of every row, of random classifiers and frames."""

import gzip
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pandas
import polars
import pyarrow as pa
import pytest

import reasons
from reasons.formats.rows.source import PART
from tests.support.audit.loans import ROWS, loans
from tests.support.audit.verdicts import frame_of, require_true
from tests.support.comparison import Mismatch, Subject
from tests.support.generators import KINDS, random_case

EVERYTHING = ("bias", "witness", "necessary", "reason", "shortest", "count", "change")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_every_verdict_is_that_of_brute_force(kind: str, seed: int) -> None:
    rng = Random(f"{kind} {seed}")
    subject = Subject(*random_case(kind, seed))
    names = [feature.name for feature in subject.features]
    protected = rng.sample(names, rng.randint(1, len(names)))
    table = rng.choices(subject.instances, k=rng.choice([1, 40, 700]))
    found = reasons.audit(
        subject.classifier, frame_of(subject, table), protected, ask=EVERYTHING
    ).table.to_pylist()
    assert [row["row"] for row in found] == list(range(len(table)))
    for instance, row in zip(table, found, strict=True):
        require_true(subject, instance, row)


@pytest.mark.parametrize(
    ("column", "wrong"),
    [
        ("label", "flipped"),
        ("biased", "flipped"),
        ("necessary", "emptied"),
        ("reason", "emptied"),
        ("reasons", "more"),
        ("witness_label", "flipped"),
    ],
)
def test_the_comparison_sees_a_wrong_verdict(column: str, wrong: str) -> None:
    subject = Subject(*random_case("graph", 0))
    names = [feature.name for feature in subject.features]
    table = subject.instances
    found = reasons.audit(subject.classifier, frame_of(subject, table), names, ask=EVERYTHING)
    seen = 0
    for instance, row in zip(table, found.table.to_pylist(), strict=True):
        spoiled: dict[str, Callable[[Any], object]] = {
            "flipped": lambda x: not x,
            "emptied": lambda x: [],
            "more": lambda x: x + 1,
        }
        if row[column] in (None, []):
            continue
        with pytest.raises(Mismatch):
            require_true(subject, instance, {**row, column: spoiled[wrong](row[column])})
        seen += 1
    assert seen


def kinds_of_data(folder: Path) -> dict[str, Any]:
    """The same rows as frames and files of all kinds."""
    table = pa.table(ROWS)
    pandas.DataFrame(ROWS).to_csv(folder / "rows.csv", index=False)
    pandas.DataFrame(ROWS).to_csv(folder / "rows.csv.gz", index=False)
    pandas.DataFrame(ROWS).to_csv(folder / "rows.tsv", index=False, sep="\t")
    pandas.DataFrame(ROWS).to_parquet(folder / "rows.parquet", row_group_size=2)
    (folder / "several" / "deep").mkdir(parents=True)
    pandas.DataFrame(ROWS)[:2].to_csv(folder / "several" / "a.csv", index=False)
    pandas.DataFrame(ROWS)[2:5].to_csv(folder / "several" / "b.csv", index=False)
    pandas.DataFrame(ROWS)[5:].to_csv(folder / "several" / "deep" / "c.csv", index=False)
    polars.DataFrame(ROWS).write_ipc(folder / "rows.arrow")
    polars.DataFrame(ROWS).write_ipc_stream(folder / "rows.arrows")
    paths = ["rows.csv", "rows.csv.gz", "rows.tsv", "rows.parquet", "several", "rows.arrow"]
    files = {name: folder / name for name in [*paths, "rows.arrows", "several/**/*.csv"]}
    return {
        "pyarrow": table,
        "a batch": table.to_batches()[0],
        "pandas": pandas.DataFrame(ROWS),
        "pandas with Arrow's types": pandas.DataFrame(ROWS).convert_dtypes(dtype_backend="pyarrow"),
        "pandas categories": pandas.DataFrame(ROWS).astype({"job": "category", "sex": "category"}),
        "polars": polars.DataFrame(ROWS),
        "mappings": pandas.DataFrame(ROWS).astype(object).to_dict("records"),
        "files": [str(folder / "several" / name) for name in ("a.csv", "b.csv", "deep/c.csv")],
        **files,
    }


def test_the_same_rows_get_the_same_verdicts_from_wherever_they_come(tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "protected": ["sex"],
        "logged": "decision",
        "groups": "race",
        "favourable": "granted",
    }
    wanted = reasons.audit(loans(), pa.table(ROWS), **options).table.to_pylist()
    assert [row["label"] for row in wanted] == [
        "refused",
        "granted",
        "refused",
        "refused",
        None,
        "granted",
    ]
    assert [row["biased"] for row in wanted] == [False, True, False, False, None, False]
    assert wanted[1]["witness"] == ["sex = f"]
    assert [row["agrees"] for row in wanted] == [True, True, False, True, None, None]
    assert [row["group_race"] for row in wanted] == ["a", "a", "b", "b", None, "a"]
    assert "feature 'sex' has no value 'x'" in wanted[4]["problem"]
    assert "the logged decision 'maybe' is no label" in wanted[5]["problem"]
    for name, data in kinds_of_data(tmp_path).items():
        found = reasons.audit(loans(), data, **options).table.to_pylist()
        assert found == wanted, name


def test_sets_of_protected_features_have_names_of_their_own() -> None:
    found = reasons.audit(
        loans(), pa.table(ROWS), protected={"work": ["job", "income"], "sex": ["sex"]}, keep="id"
    ).table
    wanted = ["row", "id", "label", "group_job", "group_income", "group_sex"]
    for name in ("work", "sex"):
        wanted += [f"biased_{name}", f"witness_{name}", f"witness_label_{name}"]
    wanted += ["biased_job", "biased_income", "necessary", "reason", "problem", "unseen"]
    assert found.schema.names == wanted
    assert found.column("id").to_pylist() == ROWS["id"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"protected": ["sexe"]}, "did you mean 'sex'"),
        ({"protected": 3}, "must be a list of features"),
        ({"protected": {"job": ["sex"]}}, "named as a feature"),
        ({"protected": {"both": []}}, "must list features"),
        ({"ask": ["bias"]}, "name the protected features"),
        ({"ask": ["everything"]}, "is not known; ask for some of"),
        ({"favourable": "yes"}, "there is no label 'yes'"),
        ({"keep": ["no such"]}, "lacks the columns: no such"),
        ({"keep": ["income", "income"]}, "each once"),
        ({"logged": "no such"}, "lacks the columns"),
        ({"logged_as": {"ok": "granted"}}, "goes with logged="),
        ({"logged": "decision", "logged_as": {"ok": "fine"}}, "there is no label 'fine'"),
        ({"seconds": 0}, "positive number"),
        ({"engine": "carrier pigeons"}, "is not known"),
        ({"workers": 0}, "positive number"),
        ({"output": "verdicts.xlsx"}, "goes to a .parquet file"),
        ({"output": "no/such/folder/x.parquet"}, "there is no folder"),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, Any], what: str) -> None:
    with pytest.raises(reasons.InputError, match=what):
        reasons.audit(loans(), pa.table(ROWS), **options)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (pa.table({"income": [1.0]}), "the data lacks the columns: job, sex; it has: income"),
        (3, "cannot audit 'int'"),
        ("no such file.csv", "there is no file"),
        (pa.Table.from_arrays([pa.array([1])] * 4, ["income", "income", "job", "sex"]), "twice"),
        (pandas.DataFrame({"income": [1, "two"], "job": "clerk", "sex": "f"}), "through Arrow"),
    ],
)
def test_data_that_cannot_be_read_is_refused(data: Any, what: str) -> None:
    with pytest.raises(reasons.InputError, match=what):
        reasons.audit(loans(), data)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.csv", b"", "cannot read .*a.csv: Empty CSV file"),
        ("a.csv", b"income;job\n1;clerk\n", "a.csv lacks the columns: sex; it has: income, job"),
        ("a.csv", b"income;job;job;sex\n1;a;b;f\n", "a.csv has the column 'job' twice"),
        ("a.csv", b"income,job,sex\n1,clerk\n", "a.csv.*Expected 3 columns, got 2"),
        ("a.csv", b"income,job,sex\n1,\xff\xfe,f\n", "a.csv.*UTF8"),
        ("a.parquet", b"PAR1 and no more", "cannot read .*a.parquet"),
        ("a.arrow", b"ARROW1 and no more", "cannot read .*a.arrow"),
        ("a.arrows", b"not Arrow", "cannot read .*a.arrows"),
        ("a.txt", b"income\n", "data is read from"),
    ],
)
def test_files_that_are_broken_are_named(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(reasons.InputError, match=what):
        reasons.audit(loans(), tmp_path / name)


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_files_have_the_delimiter_of_their_header(tmp_path: Path, name: str, sign: str) -> None:
    if name == "a.tsv" and sign != "\t":
        return
    lines = [["job", "income, net; yearly", "sex", "income"], ["clerk", "", "f", "60"]]
    text = "\n".join(sign.join(f'"{x}"' if " " in x else x for x in line) for line in lines)
    data = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    found = reasons.audit(loans(), tmp_path / name).table
    assert found["label"].to_pylist() == [loans().decide(lines_of(lines)).label]


def lines_of(lines: list[list[str]]) -> dict[str, Any]:
    named = dict(zip(*lines, strict=True))
    return {"income": float(named["income"]), "job": named["job"], "sex": named["sex"]}


def test_zero_rows_are_a_table_without_rows(tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text("income,job,sex\n")
    for data in (pa.table(ROWS).slice(0, 0), tmp_path / "none.csv"):
        output = tmp_path / "none.parquet"
        for target in (None, output):
            found = reasons.audit(loans(), data, protected="sex", output=target)
            assert len(found) == 0
            assert found.table.schema.names[:2] == ["row", "label"]


def test_rows_of_many_parts_come_back_in_order_and_as_one_file(tmp_path: Path) -> None:
    rng = Random(3)
    rows = 2 * PART + 17
    data = pa.table(
        {
            "income": [rng.choice([5.0, 25.0, 60.0, None]) for _ in range(rows)],
            "job": [rng.choice(["clerk", "nurse", "pilot"]) for _ in range(rows)],
            "sex": [rng.choice("fm") for _ in range(rows)],
        }
    )
    inside = reasons.audit(loans(), data, protected="sex").table
    assert inside.column("row").to_pylist() == list(range(rows))
    assert inside.column("label").to_pylist() == loans().predict(data.to_pandas()).tolist()
    outside = reasons.audit(loans(), data, protected="sex", output=tmp_path / "x.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["x.parquet"]
    assert outside.table.to_pylist() == inside.to_pylist()


@pytest.mark.slow
def test_ten_thousand_columns_are_read() -> None:
    names = [f"x{i}" for i in range(10_000)]
    classifier = reasons.compile("x0 & (x17 | x9999)", features=names)
    data = pa.table({name: pa.array([True, False] * 300) for name in names})
    found = reasons.audit(classifier, data, protected=["x17"]).table
    assert found.column("necessary")[0].as_py() == ["x0"]
    assert found.column("reason").to_pylist()[:2] == [["x0", "x17"], ["~x0"]]


def test_a_decision_of_the_data_can_be_asked_everything_else(tmp_path: Path) -> None:
    pandas.DataFrame(ROWS).to_csv(tmp_path / "rows.csv", index=False)
    found = reasons.audit(loans(), tmp_path / "rows.csv", protected="sex")
    assert found.decision(1).bias("sex").witness["sex"] == "f"
    assert found.decision(1).instance["income"] == 30
    with pytest.raises(reasons.InputError, match="row 4: feature 'sex' has no value 'x'"):
        found.decision(4)
    with pytest.raises(reasons.InputError, match="there is no row 6"):
        found.decision(6)


def test_a_log_in_other_words_is_translated() -> None:
    data = pa.table(ROWS | {"decision": ["no", "ok", "ok", "no", "ok", None]})
    found = reasons.audit(
        loans(), data, logged="decision", logged_as={"ok": "granted", "no": "refused"}
    ).table
    assert found.column("logged").to_pylist()[:3] == ["refused", "granted", "granted"]
    assert found.column("agrees").to_pylist() == [True, True, False, True, None, None]


ODD: dict[str, Any] = {
    "float16": (pa.array([10.5, None, 50], pa.float16()), ["refused", "refused", "granted"]),
    "decimal": (pa.array(["10.5", "50"]).cast(pa.decimal128(5, 1)), ["refused", "granted"]),
    "uint64": (pa.array([2**64 - 1, 2**53, 0], pa.uint64()), [None, "granted", "refused"]),
    "nothing": (pa.nulls(2), ["refused", "refused"]),
    "infinite": (
        pa.array([float("inf"), float("-inf"), float("nan")]),
        ["granted", "refused", "refused"],
    ),
    "categories": (
        pa.DictionaryArray.from_arrays(pa.array([0, 127], pa.int8()), pa.array(range(128))),
        ["refused", "granted"],
    ),
    "texts": (pa.array(["10", "50", None]), [None, None, "refused"]),
    "dates": (pa.array([1, 2], pa.date32()), [None, None]),
}


@pytest.mark.parametrize("kind", ODD)
def test_columns_of_odd_types_are_read_or_reported_row_by_row(kind: str) -> None:
    column, wanted = ODD[kind]
    rows = len(column)
    data = pa.table({"income": column, "job": ["pilot"] * rows, "sex": ["f"] * rows})
    found = reasons.audit(loans(), data).table
    assert found.column("label").to_pylist() == wanted[:rows]
    assert found.column("problem").is_valid().to_pylist() == [
        label is None for label in wanted[:rows]
    ]


@pytest.mark.parametrize("option", [{}, {"logged": "income"}, {"groups": "income"}])
def test_columns_that_hold_no_single_values_are_refused(option: dict[str, Any]) -> None:
    data = pa.table({**ROWS, "income": [[1.0]] * 6})
    other = reasons.from_table([{"sex": "f", "y": 0}, {"sex": "m", "y": 1}])
    classifier = other if option else loans()
    with pytest.raises(reasons.InputError, match="column 'income': its type list"):
        reasons.audit(classifier, data, **option)

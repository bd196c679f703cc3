"""Odd files and odd arguments: read for what they are, or refused in words, never a traceback."""

import gzip
import math
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import reasons
from tests.support.audit.loans import ROWS, loans

HEAD = b"income,job,sex\n"
LABELS = ["refused", "granted", "refused", "refused", None, "granted"]


def table() -> pa.Table:
    return pa.table(ROWS)


def with_column(name: str, column: Any) -> pa.Table:
    if name in ROWS:
        return table().set_column(table().column_names.index(name), name, column)
    return table().append_column(name, column)


TEXTS: dict[str, tuple[bytes, list[Any]]] = {
    "byte order mark": (b"\xef\xbb\xbf" + HEAD + b"30,clerk,f\n", ["refused"]),
    "lines of Windows": (b"income,job,sex\r\n30,clerk,m\r\n,nurse,m\r\n", ["granted", "refused"]),
    "quotes": (b'"income","job","sex"\n"30","nurse","f"\n', ["granted"]),
    "a quote in a text": (HEAD + b'30,"nur""se",f\n', ["refused"]),
    "a line in a text": (HEAD + b'30,"nurse\nor so",f\n30,nurse,f\n', ["refused", "granted"]),
    "empty lines": (HEAD + b"30,clerk,f\n\n\n40,nurse,m\n\n", ["refused", "granted"]),
    "no last line end": (HEAD + b"30,clerk,m", ["granted"]),
    "spaces around a number": (HEAD + b" 30 ,clerk,m\n", ["granted"]),
    "spaces around a text": (HEAD + b"30, clerk,m\n30,clerk,m \n", [None, None]),
    "a column twice, not asked for": (b"x,income,x,job,sex\n1,30,2,nurse,f\n", ["granted"]),
    "words for nothing": (
        HEAD + b"NA,nurse,f\nnan,nurse,f\n,nurse,f\n",
        ["refused", "refused", "refused"],
    ),
    "numbers": (
        HEAD + b"1e2,nurse,f\n+30,nurse,f\n-inf,nurse,f\n",
        ["granted", "granted", "refused"],
    ),
    "a comma in a number": (HEAD + b'"1,5",clerk,f\n', [None]),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_csv_files_are_read_as_they_are_written(tmp_path: Path, kind: str) -> None:
    content, wanted = TEXTS[kind]
    (tmp_path / "x.csv").write_bytes(content)
    found = reasons.audit(loans(), tmp_path / "x.csv", protected="sex").table
    assert found.column("label").to_pylist() == wanted
    assert found.column("problem").is_valid().to_pylist() == [label is None for label in wanted]


def stream(kind: Any) -> bytes:
    sink = pa.BufferOutputStream()
    with kind(sink, table().schema) as writer:
        for _ in range(20):
            writer.write_table(table())
    return bytes(sink.getvalue())


def parquet(content: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(content, sink)
    return bytes(sink.getvalue())


ARROW, ARROWS, PARQUET = stream(pa.ipc.new_file), stream(pa.ipc.new_stream), parquet(table())
BROKEN: list[tuple[str, bytes, str]] = [
    ("x.csv", HEAD + b"30,clerk,f,9\n", "Expected 3 columns, got 4"),
    ("x.csv", HEAD + b"30,clerk,f\n" * 100_000 + b"30,clerk\n", "Expected 3 columns, got 2"),
    ("x.csv", b"\n\n", "Empty CSV file"),
    ("x.csv", "income,job,sex\n30,clerk,f\n".encode("utf-16"), "cannot read"),
    ("x.csv", HEAD + "30,café,f\n".encode("latin-1"), "UTF8"),
    ("x.csv", b"income,job,sex,sex\n30,clerk,f,m\n", "has the column 'sex' twice"),
    ("x.csv", HEAD + b"30," + b"x" * 20_000_000 + b",f\n", "block"),
    ("x.csv.gz", b"\x1f\x8b\x08junk", "cannot read"),
    ("x.csv.gz", gzip.compress(HEAD + b"30,clerk,f\n" * 10_000)[:-10], "Truncated"),
    *(("x.arrow", ARROW[:cut], "cannot read") for cut in (10, 100, len(ARROW) // 2, -5)),
    *(("x.arrows", ARROWS[:cut], "cannot read") for cut in (3, 100, len(ARROWS) // 2, -5)),
    *(("x.parquet", PARQUET[:cut], "cannot read") for cut in (3, 100, len(PARQUET) // 2, -5)),
    ("x.parquet", parquet(pa.table({})), "lacks the columns: income, job, sex"),
    ("x.parquet", parquet(with_column("income", pa.array([{"a": 1}] * 6))), "its type struct"),
]


@pytest.mark.parametrize(("name", "content", "what"), BROKEN)
def test_broken_files_are_refused_and_leave_no_output(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(reasons.InputError, match=f"{what}"):
        reasons.audit(loans(), tmp_path / name, output=tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()


COLUMNS: dict[str, tuple[str, Any, list[Any]]] = {
    "categories with null": (
        "job",
        pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 0, 0, 0]), pa.array(["clerk", None])),
        ["refused", None, None, "refused", None, "refused"],
    ),
    "categories named twice": (
        "sex",
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1, 0, 2]), pa.array(["f", "m", "f"])),
        ["refused", "granted", "refused", "refused", "granted", "granted"],
    ),
    "large texts": ("job", pa.array(ROWS["job"], pa.large_string()), LABELS),
    "views of texts": ("job", pa.array(ROWS["job"], pa.string_view()), LABELS),
    "one long text": ("job", pa.array(["x" * 5_000_000, *ROWS["job"][1:]]), LABELS),
    "truth values for texts": ("sex", pa.array([True] * 6), [None] * 6),
    "times for numbers": ("income", pa.array([1] * 6, pa.timestamp("ns", "UTC")), [None] * 6),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_are_read_for_their_values(kind: str) -> None:
    name, column, wanted = COLUMNS[kind]
    found = reasons.audit(loans(), with_column(name, column), protected="sex").table
    assert found.column("label").to_pylist() == wanted


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(5)])
def test_bytes_are_not_taken_for_other_texts(kind: pa.DataType) -> None:
    """Some programs write texts to Parquet as bytes: each would be an unseen category."""
    column = pa.array([job.encode() for job in ROWS["job"]], kind)
    for data in (column, column.dictionary_encode()):
        with pytest.raises(
            reasons.InputError, match=r"column 'job' holds bytes .*cast it to texts"
        ):
            reasons.audit(loans(), with_column("job", data))


KEPT = {
    "decimals": pa.array(["10.5"] * 6).cast(pa.decimal128(5, 1)),
    "times": pa.array([1] * 6, pa.timestamp("ns", "Europe/Paris")),
    "structs": pa.array([{"a": 1}] * 6),
    "nothing": pa.nulls(6),
    "half numbers": pa.array([1.5] * 6, pa.float16()),
    "views": pa.array(["x"] * 6, pa.string_view()),
    "runs": pa.RunEndEncodedArray.from_arrays([6], ["clerk"]),
    "categories of views": pa.array(["x"] * 6, pa.string_view()).dictionary_encode(),
}


@pytest.mark.parametrize("kind", KEPT)
def test_columns_of_any_type_are_kept(tmp_path: Path, kind: str) -> None:
    data = with_column("own", KEPT[kind])
    for output in (None, tmp_path / "x.parquet"):
        found = reasons.audit(loans(), data, keep="own", output=output).table
        assert found.column("own").to_pylist() == KEPT[kind].to_pylist()


@pytest.mark.parametrize(
    "column",
    [
        pa.array([(1, 2, 3)] * 6, pa.month_day_nano_interval()),
        pa.array([{}] * 6),
    ],
)
def test_what_parquet_cannot_hold_is_refused(tmp_path: Path, column: Any) -> None:
    with pytest.raises(reasons.InputError, match=r"Parquet cannot hold the column 'own' .*keep="):
        reasons.audit(
            loans(), with_column("own", column), keep="own", output=tmp_path / "x.parquet"
        )
    assert not list(tmp_path.iterdir())


def folder(path: Path, *tables: pa.Table) -> Path:
    path.mkdir()
    for number, content in enumerate(tables):
        pq.write_table(content, path / f"{number}.parquet")
    return path


def test_files_of_a_folder_that_differ_are_named(tmp_path: Path) -> None:
    texts = with_column("income", pa.array(["x"] * 6))
    less = table().drop_columns(["sex"])
    for name, other, what in [
        ("a", texts, r"1.parquet: the column 'income' is string, and double in files before"),
        ("b", less, r"1.parquet lacks the columns: sex"),
    ]:
        with pytest.raises(reasons.InputError, match=what):
            reasons.audit(loans(), folder(tmp_path / name, table(), other))


def labels_of(data: Any) -> list[Any]:
    labels: list[Any] = reasons.audit(loans(), data).table.column("label").to_pylist()
    return labels


WIDER = {
    "single and double": ("income", pa.float32(), pa.float64()),
    "double and single": ("income", pa.float64(), pa.float32()),
    "half and whole": ("income", pa.float16(), pa.int64()),
    "whole and double": ("income", pa.int64(), pa.float64()),
    "signs": ("income", pa.int64(), pa.uint64()),
    "narrow and wide": ("income", pa.int8(), pa.int32()),
    "categories and texts": ("job", pa.dictionary(pa.int8(), pa.string()), pa.string()),
    "texts and views": ("job", pa.string(), pa.string_view()),
    "categories": (
        "job",
        pa.dictionary(pa.int8(), pa.string()),
        pa.dictionary(pa.int32(), pa.string()),
    ),
}


@pytest.mark.parametrize("kind", WIDER)
def test_files_whose_types_differ_keep_their_values(tmp_path: Path, kind: str) -> None:
    """The labels are those that each file has alone, and kept values are the same."""
    name, *types = WIDER[kind]
    values = [10, 30, None, 45, 46, 30] if name == "income" else ROWS["job"]
    tables = [with_column(name, pa.array(values).cast(one)) for one in types]
    data = folder(tmp_path / "data", *tables)
    found = reasons.audit(loans(), data, keep=name).table
    assert found.column("label").to_pylist() == [x for one in tables for x in labels_of(one)]
    assert found.column(name).to_pylist() == values * 2


def test_a_double_after_singles_is_not_rounded(tmp_path: Path) -> None:
    """Of 45 and the next double the first is refused; as singles they are the same."""
    above = math.nextafter(45, 46)
    data = folder(
        tmp_path / "data",
        with_column("income", pa.array([45.0] * 6, pa.float32())),
        with_column("income", pa.array([above] * 6, pa.float64())),
    )
    jobs_of_pilots = 3
    assert labels_of(data)[jobs_of_pilots::6] == ["refused", "granted"]


@pytest.mark.parametrize("turned", [False, True])
def test_a_column_of_nothing_goes_with_any_type(tmp_path: Path, turned: bool) -> None:
    nothing = with_column("income", pa.nulls(6))
    tables = [table(), nothing][:: -1 if turned else 1]
    wanted = [label for one in tables for label in labels_of(one)]
    assert labels_of(folder(tmp_path / "data", *tables)) == wanted


APART = {
    "truth and whole": ([True] * 6, [2] * 6),
    "truth and numbers": ([True] * 6, [0.5] * 6),
    "numbers and texts": ([1.0] * 6, ["x"] * 6),
    "decimals and numbers": ([Decimal("1.5")] * 6, [1.5] * 6),
}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("kind", APART)
@pytest.mark.parametrize("options", [{}, {"keep": "own"}, {"logged": "own"}, {"groups": "own"}])
def test_files_whose_types_have_none_in_common_are_refused(
    tmp_path: Path, kind: str, turned: bool, options: dict[str, Any]
) -> None:
    """Columns of features, and those that are kept, logged or grouped by; others do not matter."""
    name = "own" if options else "income"
    columns = APART[kind][:: -1 if turned else 1]
    data = folder(tmp_path / "data", *(with_column(name, pa.array(own)) for own in columns))
    with pytest.raises(reasons.InputError, match=rf"1.parquet: the column '{name}' is .*one type"):
        reasons.audit(loans(), data, **options)
    if options:
        assert len(labels_of(data)) == 12


def test_whole_numbers_that_a_wider_type_would_round_are_refused(tmp_path: Path) -> None:
    whole = with_column("own", pa.array([2**53 + 1] * 6))
    data = folder(tmp_path / "data", with_column("own", pa.array([0.5] * 6)), whole)
    with pytest.raises(reasons.InputError, match=r"1.parquet: the column 'own' cannot be double"):
        reasons.audit(loans(), data, keep="own")


def test_csv_files_go_with_csv_files_alone(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", table())
    (data / "x.csv").write_bytes(HEAD + b",nurse,f\n")
    with pytest.raises(reasons.InputError, match=r"x.csv and .*0.parquet: .*audit them apart"):
        reasons.audit(loans(), data)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([2**53 + 1, -(2**53) - 1, 2**60, 2**53, None, 30]),
        pa.array([2**53 + 1, 2**64 - 1, 2**60, 2**53, None, 30], pa.uint64()),
        pa.array([Decimal(2**53 + 1), Decimal(-(2**60)), Decimal(2**70), Decimal(2**53), None, 30]),
    ],
)
def test_numbers_too_large_to_be_exact_are_problems(column: pa.Array) -> None:
    """A model rounds them to single precision, which is not the same when done in two steps."""
    data = with_column("income", column).set_column(3, "sex", pa.array(["f"] * 6))
    for given in (column, column.dictionary_encode()):
        data = data.set_column(1, "income", given)
        found = reasons.audit(loans(), data).table
        assert found.column("label").to_pylist() == [*[None] * 3, "granted", "refused", "granted"]
        assert all("too large to be exact" in why for why in found["problem"].to_pylist()[:3])


def test_a_folder_that_leads_into_itself_is_read_once(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", table())
    (data / "again").symlink_to(data)
    assert len(reasons.audit(loans(), data)) == 6


def test_names_that_are_no_files_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "self.csv").symlink_to("self.csv")
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    (tmp_path / "empty.csv").mkdir()
    for data, what in [
        (tmp_path / "pipe.csv", "not a file"),
        (tmp_path / "self.csv", "cannot read"),
        (tmp_path / "gone.csv", "there is no file"),
        (tmp_path / "empty.csv", "has no .parquet, .csv or .arrow files"),
        ("a\0b.csv", "cannot read"),
        ("x" * 5000 + ".csv", "cannot read"),
        ("", "is empty"),
        (["a.csv", 3], "cannot audit 'list'"),
        ([], "lacks the columns"),
    ]:
        with pytest.raises(reasons.InputError, match=what):
            reasons.audit(loans(), data)


def test_data_is_never_written_over(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", table())
    file = data / "0.parquet"
    before = file.read_bytes()
    (tmp_path / "link.parquet").symlink_to(file)
    for given, output, what in [
        (file, file, "it is the data"),
        (file, tmp_path / "link.parquet", "it is the data"),
        (str(data / "*.parquet"), file, "it is the data"),
        (data, data, "would be taken for data"),
        (data, data / "out.parquet", "would be taken for data"),
        (data, data / "deep" / "out", "would be taken for data"),
    ]:
        with pytest.raises(reasons.InputError, match=what):
            reasons.audit(loans(), given, output=output, restart=True)
    assert file.read_bytes() == before
    assert [path.name for path in data.iterdir()] == ["0.parquet"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"keep": 5}, "keep=5 must be a list of names"),
        ({"groups": None}, "groups=None must be a list of names"),
        ({"ask": 5}, "ask=5 must be a list of names"),
        ({"ask": [["bias"]]}, "must be a list of names"),
        ({"seconds": "1"}, "a positive number"),
        ({"seconds": float("nan")}, "a positive number"),
        ({"workers": "2"}, "positive number"),
        ({"workers": 2.5}, "positive number"),
        ({"engine": 5}, "engine=5 is not known"),
        ({"budget": 5}, "must be a reasons.Budget"),
        ({"logged": "decision", "logged_as": ["ok"]}, "must be a mapping"),
        ({"logged": 5}, "logged=5 must be the name of a column"),
        ({"output": 5}, "cannot write 5"),
        ({"output": ""}, "name a .parquet file or a folder"),
        ({"output": "y" * 300 + ".parquet"}, "cannot write"),
        ({"output": "/proc/x.parquet"}, "cannot write"),
        ({"scheduler": "tcp://x:1"}, "goes with engine="),
    ],
)
def test_odd_arguments_are_refused(options: dict[str, Any], what: str) -> None:
    with pytest.raises(reasons.InputError, match=what):
        reasons.audit(loans(), table(), **{"protected": "sex", **options})


def test_how_data_is_cut_does_not_show(tmp_path: Path) -> None:
    """Categories are numbered otherwise in every piece; the verdicts are the same bytes."""
    words = ["clerk", "nurse", "pilot", "clerk", None, "nurse"] * 50
    pieces = [pa.array(words[at : at + 7]).dictionary_encode() for at in range(0, 300, 7)]
    whole = pa.array(words).dictionary_encode()
    found = set()
    for number, job in enumerate([pa.chunked_array(pieces), pa.chunked_array([whole])]):
        data = pa.table({"income": [30.0] * 300, "job": job, "sex": ["f", "m", "m"] * 100})
        output = tmp_path / f"{number}.parquet"
        kept = reasons.audit(loans(), data, keep="job", output=output).table.column("job")
        assert kept.to_pylist() == words
        found.add(output.read_bytes())
    assert len(found) == 1

"""What an adversary found in audits: each of these was once a traceback, a loss or a wrong word."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import reasons
from reasons.audit.inputs import source
from reasons.cli.app import app

CODES = {"a": ("1", "A"), "b": ("2", "B")}


def two(yes: Any, no: Any) -> reasons.Classifier:
    """A classifier with any two labels, of which feature a alone decides."""
    return reasons.compile(lambda row: yes if row["a"] else no, features=["a", "b"], rows="mapping")


def rows(**columns: Any) -> pa.Table:
    return pa.table({"a": [True, False], "b": [True, True], **columns})


def logged(classifier: reasons.Classifier, path: Path, values: list[str], **told: Any) -> pa.Table:
    """The audit of a CSV file with these logged decisions, of rows that are all decided yes."""
    path.write_text("a,b,log\n" + "".join(f"1,1,{value}\n" for value in values))
    return reasons.audit(classifier, path, logged="log", **told).table


def test_a_logged_label_that_is_written_exactly_is_that_label(tmp_path: Path) -> None:
    found = logged(two("yes", "YES"), tmp_path / "x.csv", ["yes", "YES", "Yes"])
    assert found.column("logged").to_pylist() == ["yes", "YES", None]
    assert found.column("agrees").to_pylist() == [True, False, None]
    assert "may be any of" in found.column("problem").to_pylist()[2]


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, ["audit", *map(str, words)])


def test_the_command_line_takes_the_label_that_is_written_exactly(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,1\n0,1\n")
    model = tmp_path / "model.reasons"
    two("yes", "YES").save(model)
    for word in ("yes", "YES"):
        found = run(model, tmp_path / "x.csv", "--favourable", word, "--json")
        assert json.loads(found.stdout)["favourable"] == word
    assert (
        "ambiguous: it may be any of"
        in run(model, tmp_path / "x.csv", "--favourable", "Yes").stderr
    )


@pytest.mark.parametrize("labels", [(1, "1"), (True, "True"), (2.5, "2.5")])
def test_labels_that_are_written_alike_are_refused(labels: Any) -> None:
    with pytest.raises(reasons.InputError, match="two labels are written alike"):
        reasons.audit(two(*labels), rows())


@pytest.mark.parametrize(
    ("labels", "told", "values", "wanted"),
    [
        ((2, 1), {}, ["2.0", "1.0", "2", "0.5"], [2, 1, 2, None]),
        ((True, False), {}, ["1.0", "0", "TRUE", "2"], [True, False, True, None]),
        ((1, 2), {"x": True, "y": 2.0}, ["x", "y"], [1, 2]),
        ((True, False), {"x": 1, "y": 0}, ["x", "y"], [True, False]),
        ((True, False), {0: True, 1: False}, ["0", "1.0"], [True, False]),
        ((0.5, 1.5), {}, ["0.50", "1.5"], [0.5, 1.5]),
        (
            (2**53 + 1, 0),
            {},
            [str(2**53 + 1), str(2**53), "9007199254740993.0"],
            [2**53 + 1, None, None],
        ),
    ],
)
def test_logged_values_mean_the_label_that_they_equal(
    tmp_path: Path, labels: Any, told: Any, values: list[str], wanted: list[Any]
) -> None:
    found = logged(two(*labels), tmp_path / "x.csv", values, logged_as=told)
    assert found.column("logged").to_pylist() == wanted
    assert [type(x) for x in found.column("logged").to_pylist()] == [type(x) for x in wanted]
    assert found.column("problem").is_valid().to_pylist() == [x is None for x in wanted]


@pytest.mark.parametrize(
    ("kind", "wanted"), [(int, pa.int64()), (float, pa.float64()), (bool, pa.bool_())]
)
def test_labels_of_numpy_are_typed_as_those_of_python(kind: Any, wanted: Any) -> None:
    from lightgbm import LGBMClassifier

    frame = polars.DataFrame({"n": range(80), "log": [1] * 80})
    passed = np.arange(80) > 40
    model = LGBMClassifier(n_estimators=2, verbose=-1).fit(
        frame.select("n").to_pandas(), passed.astype(kind)
    )
    classifier = reasons.compile(model)
    assert isinstance(classifier.labels[0], np.generic)
    found = reasons.audit(classifier, frame, logged="log", favourable=1)
    assert found.table.column("label").type == wanted
    assert found.table.column("label").to_pylist() == found.table.column("agrees").to_pylist()
    rows = {line["label"]: line["rows"] for line in found.summary.as_dict()["labels"]}
    assert sum(rows.values()) == 80
    assert rows[1] == sum(model.predict(frame.select("n").to_pandas()))
    json.dumps(found.summary.as_dict(), allow_nan=False)


@pytest.mark.parametrize("label", [float("inf"), float("-inf"), 2**70])
def test_labels_that_no_typed_column_holds_are_texts(tmp_path: Path, label: Any) -> None:
    other = type(label)(5)
    found = reasons.audit(two(label, other), rows(), protected="a", favourable=label)
    assert found.table.column("label").to_pylist() == [str(label), str(other)]
    assert str(label) in {line["label"] for line in found.summary.as_dict()["labels"]}
    for file in found.report(tmp_path / "x.html"):
        assert file.stat().st_size


ODD: dict[str, tuple[dict[str, Any], str]] = {
    "a set that is a number": ({"protected": {"a": 5}}, "must be a list of names"),
    "a set that is nothing": ({"protected": {"a": None}}, "must be a list of names"),
    "columns of logged": ({"logged": ["a"]}, "must be the name of a column"),
    "an array wanted": ({"favourable": np.array([1, 2])}, "there is no label"),
    "a frame wanted": ({"favourable": polars.DataFrame({"a": [1]})}, "there is no label"),
    "a null in a name": ({"output": "a\0.parquet"}, "no null character"),
    "half a character in a name": ({"output": "\ud800.parquet"}, "cannot write"),
    "half a character in a set": ({"protected": {"\ud800": ["a"]}}, "written as UTF-8"),
    "half a character to translate": ({"logged": "a", "logged_as": {"\ud800": True}}, "UTF-8"),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_arguments_are_refused(kind: str) -> None:
    options, what = ODD[kind]
    with pytest.raises(reasons.InputError, match=what):
        reasons.audit(reasons.compile("a & b"), rows(), **options)


def test_a_label_with_half_a_character_is_refused() -> None:
    with pytest.raises(reasons.InputError, match="UTF-8"):
        reasons.audit(two("\ud800", "x"), rows())


def test_a_folder_that_may_not_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Any) -> Any:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(source, "expand_paths", denied)
    with pytest.raises(reasons.InputError, match=r"cannot read '/': .*Permission denied"):
        reasons.audit(reasons.compile("a & b"), "/")


def test_a_category_may_have_any_character() -> None:
    kinds = ["x\x1fy", "x", "y, z", " "]
    features = [reasons.Feature.categorical(name, kinds) for name in "kl"]
    classifier = reasons.compile(
        lambda row: row["k"] == kinds[0] and row["l"] == kinds[0], features=features, rows="mapping"
    )
    data = [{"k": one, "l": other} for one in kinds for other in kinds]
    found = reasons.audit(classifier, data, protected=["k", "l"])
    patterns = found.summary.tally.patterns
    assert sum(seen.rows for seen in patterns.values()) == len(data)
    for pattern, seen in patterns.items():
        row = found.table.slice(seen.first, 1).to_pylist()[0]
        assert list(pattern.after) == row["witness"]
        assert set(pattern.before) <= {row["group_k"], row["group_l"]}
        assert (pattern.label, pattern.other) == (row["label"], row["witness_label"])


def chunks(index: Any) -> pa.ChunkedArray:
    """Categories of which each chunk has fewer than a byte counts, and all together have more."""
    pieces = [[f"{start + i}" for i in range(100)] for start in range(0, 300, 100)]
    indices = pa.array(range(100), index)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(indices, piece) for piece in pieces])


@pytest.mark.parametrize("options", [{"keep": "k"}, {"groups": "k"}, {"protected": "k"}])
def test_chunks_may_have_more_categories_together_than_their_type_counts(options: Any) -> None:
    texts = [f"{i}" for i in range(300)]
    table = pa.table({"a": [True] * 300, "k": chunks(pa.int8())})
    features = [reasons.Feature.boolean("a"), reasons.Feature.categorical("k", texts)]
    if "protected" not in options:
        features.pop()
    classifier = reasons.compile(lambda row: row["a"], features=features, rows="mapping")
    found = reasons.audit(classifier, table, **options).table
    wanted = [f"k = {text}" for text in texts] if "protected" in options else texts
    assert found.column("k" if "keep" in options else "group_k").to_pylist() == wanted


COPIED: dict[str, Any] = {
    "texts of polars": pa.table(polars.DataFrame({"x": ["x", "y"]})).column(0),
    "categories of polars": pa.table(
        polars.DataFrame({"x": polars.Series(["x", "y"], dtype=polars.Categorical)})
    ).column(0),
    "views": pa.array(["x", None], pa.string_view()),
    "views of bytes": pa.array([b"x", b"y"], pa.binary_view()),
    "categories of views": pa.array(["x", "y"], pa.string_view()).dictionary_encode(),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([1, 2], pa.int32()), ["x", "y"]),
    "a category that is nothing": pa.DictionaryArray.from_arrays(
        pa.array([0, 1], pa.int8()), pa.array(["x", None])
    ),
}


@pytest.mark.parametrize("kind", COPIED)
def test_columns_of_any_type_are_copied_to_tables_and_letters(tmp_path: Path, kind: str) -> None:
    own = COPIED[kind].to_pylist()
    for output in (None, tmp_path / "x.parquet"):
        found = reasons.audit(
            reasons.compile("a & b"),
            rows(own=COPIED[kind]),
            keep="own",
            groups="own",
            output=output,
        )
        assert found.table.column("own").to_pylist() == own
        assert found.table.column("group_own").to_pylist() == [x and str(x) for x in own]
    for ending in ("csv", "jsonl", "parquet"):
        assert found.letters(tmp_path / f"letters.{ending}", CODES).rows == 1
    import pyarrow.parquet as pq

    letters = pq.read_table(tmp_path / "letters.parquet")
    assert letters.column("own").to_pylist() == [own[1]]


def test_a_column_that_cannot_be_copied_is_named(tmp_path: Path) -> None:
    late = rows(own=pa.array([2**62] * 2, pa.timestamp("s")))
    lists = rows(own=pa.array([["x"], ["y"]], pa.list_(pa.string_view())))
    one = reasons.compile("a & b")
    with pytest.raises(reasons.InputError, match="cannot hold the column 'own' of type timestamp"):
        reasons.audit(one, late, keep="own", output=tmp_path / "x.parquet")
    for data, file in ((late, "x.csv"), (late, "x.jsonl"), (late, "x.parquet"), (lists, "x.csv")):
        with pytest.raises(reasons.InputError, match="the column 'own' of type"):
            reasons.audit(one, data, keep="own").letters(tmp_path / file, CODES)
    assert not list(tmp_path.iterdir())


def test_groups_of_a_feature_that_the_model_does_not_use_are_the_data_s_own() -> None:
    from sklearn.tree import DecisionTreeClassifier

    sex, exam = [0, 1] * 40, [10, 60, 70, 20] * 20
    frame = polars.DataFrame({"exam": exam, "sex": sex})
    tree = DecisionTreeClassifier(max_depth=1).fit(frame.to_pandas(), [x > 40 for x in exam])
    found = reasons.audit(
        reasons.compile(tree), frame, protected={"sex": ["sex"], "both": ["sex", "exam"]}
    )
    assert found.table.column("group_sex").to_pylist() == [str(x) for x in sex]
    assert found.table.column("biased_sex").to_pylist() == [False] * 80
    told = found.summary.as_dict()
    column = next(x for x in told["impact"]["columns"] if x["column"] == "sex")
    for group in column["groups"]:
        own = [e for s, e in zip(sex, exam, strict=True) if str(s) == group["group"]]
        assert group["says"] == f"sex = {group['group']}"
        assert group["rate"] == sum(e > 40 for e in own) / len(own)
    assert [group["rows"] for group in column["groups"]] == [40, 40]
    for pattern, seen in found.summary.tally.patterns.items():
        first = found.table.column("label").to_pylist().index(pattern.label)
        assert seen.first == first


class SealedFolder:
    """A model, rows, and codes in a folder; nothing of it may change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "rows.csv").write_text("a,b\n1,1\n0,1\n")
        (path / "codes.csv").write_text("feature,code,text\na,1,A\nb,2,B\n")
        model = {"labels": ["no", "yes"]}
        (path / "m.json").write_text(json.dumps(model))
        reasons.compile("a & b").save(path / "m.reasons")
        (path / "link.csv").symlink_to("rows.csv")
        self.before = self.content()

    def content(self) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in self.path.iterdir() if file.is_file()}

    def refuses(self, what: str, work: Callable[[], Any]) -> None:
        with pytest.raises(reasons.InputError, match=what):
            work()
        assert self.content() == self.before


WRITTEN: list[tuple[list[str], str]] = [
    (["--letters", "rows.csv", "--codes", "codes.csv"], "the data that is audited"),
    (["--letters", "link.csv", "--codes", "codes.csv"], "the data that is audited"),
    (["--letters", "./codes.csv", "--codes", "codes.csv"], "read as well"),
    (["--letters", "x.parquet", "--codes", "codes.csv", "-o", "x.parquet"], "written as well"),
    (["--letters", "v/part-000000.parquet", "--codes", "codes.csv", "-o", "v"], "written as well"),
    (["--report", "x.pdf"], "name it .html"),
    (["--letters", "x.pdf", "--codes", "codes.csv"], "letters go to"),
]


@pytest.mark.parametrize(("options", "what"), WRITTEN)
def test_the_command_line_writes_over_nothing_that_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], what: str
) -> None:
    folder = SealedFolder(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("reasons.cli.audit.run_audit", None)  # refused before any work
    found = run("m.reasons", "rows.csv", *options)
    assert found.exit_code == 2
    assert what in found.stderr
    assert folder.content() == folder.before


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("m.json", ["--report", "m.html"]),
        ("m.parquet", ["-o", "m.parquet"]),
        ("m.jsonl", ["--letters", "m.jsonl", "--codes", "codes.csv"]),
    ],
)
def test_the_command_line_does_not_write_over_its_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, options: list[str]
) -> None:
    SealedFolder(tmp_path)
    (tmp_path / model).write_bytes(b"a model")
    monkeypatch.chdir(tmp_path)
    found = run(model, "rows.csv", *options)
    assert found.exit_code == 2
    assert "read as well" in found.stderr
    assert (tmp_path / model).read_bytes() == b"a model"


def test_an_audit_writes_over_nothing_that_it_reads(tmp_path: Path) -> None:
    folder = SealedFolder(tmp_path)
    found = reasons.audit(reasons.compile("a & b"), tmp_path / "rows.csv")
    codes = tmp_path / "codes.csv"
    folder.refuses("the data", lambda: found.letters(tmp_path / "rows.csv", codes))
    folder.refuses("read as well", lambda: found.letters(codes, codes))
    folder.refuses("null character", lambda: found.report("x\0.html"))
    every = reasons.audit(reasons.compile("a & b"), tmp_path / "rows.csv", output=tmp_path / "v")
    folder.before = folder.content()
    part = tmp_path / "v" / "part-000000.parquet"
    folder.refuses("written as well", lambda: every.letters(part, codes))
    assert len(every.table) == 2


def test_a_report_may_lie_beside_the_data(tmp_path: Path) -> None:
    SealedFolder(tmp_path)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "rows.csv").write_text("a,b\n1,1\n0,1\n")
    found = reasons.audit(reasons.compile("a & b"), tmp_path / "logs")
    assert [file.name for file in found.report(tmp_path / "logs" / "x.html")] == [
        "x.html",
        "x.json",
    ]
    with pytest.raises(reasons.InputError, match="taken for data"):
        found.letters(tmp_path / "logs" / "x.csv", CODES)


def test_a_feature_of_which_only_missing_values_matter_has_its_own_groups_and_witnesses() -> None:
    features = [
        reasons.Feature.boolean("a"),
        reasons.Feature.numeric("n", cuts=[], missing=True),
    ]
    classifier = reasons.compile(
        lambda row: row["a"] and row["n"] is None, features=features, rows="mapping"
    )
    data = pa.table({"a": [True, True, True, False], "n": [2.5, None, 7.0, None]})
    found = reasons.audit(classifier, data, protected="n", favourable=True)
    missing, number = classifier.features[1].says((1,)), classifier.features[1].says((0,))
    assert found.table.column("group_n").to_pylist() == ["2.5", missing, "7.0", missing]
    assert found.table.column("biased").to_pylist() == [True, True, True, False]
    told = {(p.before, p.after): seen for p, seen in found.summary.tally.patterns.items()}
    assert {pair: seen.rows for pair, seen in told.items()} == {
        ((number,), (missing,)): 2,
        ((missing,), (number,)): 1,
    }
    groups = found.summary.as_dict()["impact"]["columns"][0]["groups"]
    assert {group["says"]: group["rate"] for group in groups} == {
        "n = 2.5": 0.0,
        "n = 7.0": 0.0,
        missing: 0.5,
    }


def test_a_row_that_cannot_be_read_has_no_group() -> None:
    features = [reasons.Feature.boolean("a"), reasons.Feature.numeric("n", cuts=[])]
    classifier = reasons.compile(lambda row: row["a"], features=features, rows="mapping")
    data = pa.table({"a": [True, True, True], "n": ["1", "one", None]})
    found = reasons.audit(classifier, data, protected="n").table
    assert found.column("problem").is_valid().to_pylist()[1:] == [True, True]
    assert found.column("group_n").to_pylist()[1:] == [None, None]

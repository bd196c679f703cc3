"""Labels in logs, options and tables: which one is meant, and how it is written."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import reasons
from reasons.cli.app import app


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


def test_a_label_with_half_a_character_is_refused() -> None:
    with pytest.raises(reasons.InputError, match="UTF-8"):
        reasons.audit(two("\ud800", "x"), rows())

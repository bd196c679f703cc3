"""Audits of trained models, compiled and searched: every label is `predict`'s, all is replayed."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import reasons

pytest.importorskip("sklearn")

from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline

from tests.support.audit.trained_models import (
    MODELS,
    PROTECTED,
    TINY,
    classifier,
    decided,
    forest,
    log,
    people,
)

QUESTIONS = ("bias", "witness", "necessary", "reason", "change")


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("method", ["compiled", "search"])
def test_labels_are_those_of_predict_and_all_is_replayed_on_the_model(
    name: str, method: str
) -> None:
    rows, model = log(name), MODELS[name]()
    found = reasons.audit(classifier(name, method), rows, PROTECTED, QUESTIONS)
    assert found.table["problem"].null_count == len(rows)
    assert found.table["label"].to_pylist() == model.predict(rows).tolist()
    biased = found.table["biased"].to_pylist().count(True)
    assert 0 < biased < len(rows)
    checked = reasons.check(found, model, sample=len(rows))
    assert checked, str(checked)
    assert checked.compared >= 3 * len(rows) + biased


@pytest.mark.parametrize("name", MODELS)
def test_a_searched_model_gets_the_verdicts_of_its_circuit(name: str) -> None:
    tables = [
        reasons.audit(classifier(name, method), log(name), PROTECTED, QUESTIONS).table
        for method in ("compiled", "search")
    ]
    for column in ("label", "biased", "biased_age", "biased_job", "necessary", "reason"):
        ours, theirs = (table[column].to_pylist() for table in tables)
        assert ours == theirs, column
    changed = [[len(change) for change in table["change"].to_pylist()] for table in tables]
    assert changed[0] == changed[1]


@pytest.mark.parametrize(
    ("column", "wrong"),
    [("label", None), ("witness_label", None), ("witness", []), ("change", []), ("reason", [])],
)
def test_a_spoiled_table_does_not_stand_the_replay(column: str, wrong: Any, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.parquet"
    found = reasons.audit(
        classifier("forest", "compiled"), log("forest"), PROTECTED, QUESTIONS, output=path
    )
    assert reasons.check(found)
    table = pq.read_table(path)
    other = {"grant": "refuse", "refuse": "grant", None: None}
    spoiled = [
        value if value is None else other[value] if wrong is None else wrong
        for value in table[column].to_pylist()
    ]
    at = table.schema.get_field_index(column)
    field = table.schema.field(at)
    pq.write_table(table.set_column(at, field, pa.array(spoiled).cast(field.type)), path)
    checked = reasons.check(found)
    assert not checked
    assert "differ" in str(checked)


def test_the_parts_of_another_searched_model_are_not_gone_on_from(tmp_path: Path) -> None:
    rows, out = log("forest"), tmp_path / "out"
    first = reasons.audit(classifier("forest", "search"), rows, "age", "bias", output=out)
    again = reasons.audit(classifier("forest", "search"), rows, "age", "bias", output=out)
    assert again.table.equals(first.table)
    other = make_pipeline(forest()[0], RandomForestClassifier(9, max_depth=4, random_state=1))
    another = reasons.compile(other.fit(people(), decided()), budget=TINY)
    assert another.method == "search"
    with pytest.raises(reasons.InputError, match="parts of another audit"):
        reasons.audit(another, rows, "age", "bias", output=out)


def test_rows_are_asked_of_a_classifier_only() -> None:
    found = reasons.audit(classifier("forest", "compiled"), log("forest"), "age")
    with pytest.raises(reasons.InputError, match="rows= is for classifiers"):
        reasons.check(found, rows=log("forest"))

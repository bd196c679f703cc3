"""The same row gives the same JSON object in the shell, the server and the widget."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy
import pytest
from fastapi.testclient import TestClient

import reasons
from reasons.cli import main
from reasons.explain.overview import overview
from reasons.server.app import app_of
from reasons.server.schemas import Explained
from reasons.server.settings import Limits
from reasons.views.decision import overview_view
from reasons.views.values import instance_view, json_tree, json_value
from tests.support.audit.loans import loans
from tests.support.server.classifiers import MODELS

CLASSIFIERS = {
    "formula": (lambda: reasons.compile("E & (~F | G | W)"), {"E": 1, "F": 0, "G": 0, "W": 1}),
    "loans": (loans, {"income": 20_000, "job": "clerk", "sex": "f"}),
    "constraint": (
        lambda: reasons.compile("a | b & c", constraint="~a | ~b"),
        {"a": 0, "b": 1, "c": 1},
    ),
}


def shell(path: Path, row: dict[str, Any], capsys: Any, monkeypatch: Any) -> Any:
    data = path.with_suffix(".csv")
    data.write_text(",".join(row) + "\n" + ",".join(str(value) for value in row.values()) + "\n")
    words = ["explain", path, "--data", data, "--row", 0, "--protected", list(row)[-1], "--json"]
    monkeypatch.setattr(sys, "argv", ["reasons", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert not ended.value.code, err
    return json.loads(out)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_shell_server_and_widget_give_the_same_object(
    name: str, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, row = CLASSIFIERS[name]
    classifier = make()
    classifier.save(tmp_path / "model.reasons")
    decision = classifier.decide(row)
    protected = [list(row)[-1]]
    in_shell = shell(tmp_path / "model.reasons", row, capsys, monkeypatch)
    assert in_shell.pop("row")["number"] == 0
    client = TestClient(app_of(classifier), base_url="http://localhost")
    body = {"instance": instance_view(decision.instance), "protected": protected}
    in_server = client.post("/api/v1/explain", json=body).json()
    monkeypatch.setattr(import_module("reasons.widget.widget"), "_MOST_TERMS", 20)
    in_widget = json.loads(json.dumps(reasons.widget(decision, protected).answer))
    assert in_widget.pop("even_if") == ""
    in_python = json.loads(json.dumps(overview_view(overview(decision, protected))))
    assert in_shell == in_python
    assert in_widget == in_python
    assert without_nulls(in_server) == without_nulls(in_python)


def without_nulls(value: Any) -> Any:
    """The server's schema fills in what a node of a graph leaves out: null."""
    if isinstance(value, dict):
        return {name: without_nulls(part) for name, part in value.items() if part is not None}
    return [without_nulls(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", MODELS)
def test_the_object_has_exactly_the_documented_keys(name: str) -> None:
    make, instance = MODELS[name]
    view = overview_view(overview(make().decide(instance), budget=reasons.Budget(seconds=5)))
    assert set(view) == set(Explained.model_fields)
    text = Path(__file__).parents[3].joinpath("docs", "command-line.md").read_text()
    assert not [key for key in view if f"`{key}`" not in text]


def test_an_exceeded_budget_is_a_field() -> None:
    classifier = reasons.compile(" & ".join(f"(a{i} | b{i})" for i in range(30)))
    decision = classifier.decide({f.name: True for f in classifier.features})
    found = overview(decision, budget=reasons.Budget(nodes=10))
    assert found.exceeded == ("sufficient_reasons", "contrastive_sets")
    assert found.unanswered == ()
    view = overview_view(found)
    assert view["exceeded"] == ["sufficient_reasons", "contrastive_sets"]
    assert view["sufficient_reasons"]["exceeded"]
    assert view["sufficient_reasons"]["count"] is None
    api = TestClient(app_of(classifier, limits=Limits(nodes=10)), base_url="http://localhost")
    told = api.post("/api/v1/explain", json={"instance": view["instance"]}).json()
    assert told["exceeded"] == view["exceeded"]
    assert told["notes"] == ["a request has 10 seconds here: more with --seconds"]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (True, True),
        (numpy.bool_(True), True),
        (numpy.int64(3), 3),
        (numpy.float32(0.5), 0.5),
        (2**53, 2**53),
        (2**53 + 1, "9007199254740993"),
        (-(2**60), "-1152921504606846976"),
        (float("nan"), None),
        (numpy.float64("nan"), None),
        (float("-inf"), "-inf"),
        (None, None),
        (reasons.features.values.MISSING, None),
        (reasons.features.values.OTHER, "<other>"),
        (b"ab", "b'ab'"),
        ("m\udcff", "m?"),
        ((1, "a"), "(1, 'a')"),
        (numpy.str_("x"), "x"),
    ],
)
def test_a_value_is_written_alike_everywhere(value: Any, wanted: Any) -> None:
    found = json_value(value)
    assert found == wanted
    assert type(found) is type(wanted)
    if not isinstance(value, tuple):
        assert json_tree({"x": {value}}) == {"x": [wanted]}
    assert json.loads(json.dumps(found, allow_nan=False)) == wanted

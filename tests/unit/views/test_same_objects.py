"""The same row gives the same JSON object in the shell, the server, the widget and the report."""

import json
import sys
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy
import pytest
from fastapi.testclient import TestClient

import reasons
from reasons.audit.verdicts.schema import VerdictSchema
from reasons.cli import main
from reasons.explain.overview import overview
from reasons.render.graph import Style
from reasons.server.app import app_of
from reasons.server.schemas import Explained
from reasons.server.settings import Limits
from reasons.views.decision import overview_view
from reasons.views.graph import classifier_graph, reason_graph
from reasons.views.pictures import picture
from reasons.views.values import instance_view, json_tree, json_value
from tests.support.audit.loans import loans
from tests.support.server.classifiers import MODELS

CLASSIFIERS: dict[str, tuple[Callable[[], reasons.Classifier], dict[str, Any]]] = {
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
    words = ["explain", path, "--data", data, "--row", 0, "--protected", list(row)[-1]]
    return printed(words, capsys, monkeypatch)


def printed(words: list[object], capsys: Any, monkeypatch: Any) -> Any:
    """The object that a command prints."""
    monkeypatch.setattr(sys, "argv", ["reasons", *map(str, words), "--json"])
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
    hint = "a request has 10 seconds here: more with --seconds"
    assert told["notes"] == [{"part": None, "text": hint}]


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
        (reasons.MISSING, None),
        (reasons.OTHER, "<other>"),
        (b"ab", "b'ab'"),
        (-0.0, -0.0),
        (numpy.float64("-inf"), "-inf"),
        (numpy.uint64(2**63), "9223372036854775808"),
        (date(2026, 11, 18), "2026-11-18"),
        (datetime(2026, 11, 18, 4, 5), "2026-11-18 04:05:00"),
        (numpy.datetime64("2026-11-18"), "2026-11-18"),
        (numpy.datetime64("2026-11-18", "ns"), "2026-11-18T00:00:00.000000000"),
        (numpy.datetime64("NaT"), None),
        (Decimal("1.50"), "1.50"),
        (Decimal("NaN"), None),
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


ODD = {
    "large": 2**60,
    "exact": 2**53,
    "nan": float("nan"),
    "missing": None,
    "infinite": float("inf"),
    "negative zero": -0.0,
    "numpy int": numpy.int64(-7),
    "numpy float": numpy.float32(0.1),
    "numpy text": numpy.str_("m"),
    "date": date(2026, 11, 18),
    "time": datetime(2026, 11, 18, 4, 5),
    "decimal": Decimal("1.50"),
    "bytes": b"ab",
}


def odd_model(value: Any, labels: tuple[Any, Any] = ("no", "yes")) -> reasons.Classifier:
    """A number, or a category that is the odd value, beside a flag that decides."""
    if value is None or isinstance(value, int | float):
        x = reasons.Feature.numeric("x", [1], missing=True)
    else:
        x = reasons.Feature.categorical("x", [value, "else"], missing=True)
    build = reasons.Builder([x, "flag"], labels)
    no, yes = map(build.leaf, labels)
    by_flag = build.decide("flag", {True: yes, False: no})
    arms = dict.fromkeys(x.values, by_flag)
    if x.kind == "categorical":
        arms["else"] = no
    return build.build(build.decide("x", arms))


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_value_is_the_same_in_shell_server_widget_and_report(
    kind: str, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = ODD[kind]
    classifier = odd_model(value)
    decision = classifier.decide({"x": value, "flag": True})
    monkeypatch.setattr("reasons.cli.options.classifier_of", lambda *_, **__: classifier)
    monkeypatch.setattr("reasons.cli.commands.decision_of", lambda *_, **__: decision)
    wanted = {"x": json_value(value), "flag": True}
    in_shell = printed(["explain", "model", "--instance", "x, flag"], capsys, monkeypatch)
    client = TestClient(app_of(classifier), base_url="http://localhost")
    in_server = client.post("/api/v1/explain", json={"instance": wanted}).json()
    in_widget = json.loads(json.dumps(reasons.widget(decision).answer))
    own = None if kind == "large" else value  # tables compare whole numbers up to 2^53 only
    audited = reasons.audit(
        classifier, [{"x": own, "flag": True, "odd": value}], "flag", keep="odd"
    )
    _, beside = audited.report(tmp_path / "audit.html")
    case, *_ = json.loads(beside.read_text())["cases"]
    in_report = {**case["instance"], "x": case["kept"]["odd"]}
    assert case["instance"]["x"] == json_value(own)
    for found in (in_shell["instance"], in_server["instance"], in_widget["instance"], in_report):
        assert json.dumps(found, sort_keys=True) == json.dumps(wanted, sort_keys=True)
    assert in_shell["characteristics"] == in_server["characteristics"]
    assert in_shell["characteristics"] == in_widget["characteristics"]


@pytest.mark.parametrize(
    "labels", [(2**60, 5), (float("inf"), 0.5), (numpy.int64(2**60), 5), ((3, 4), b"ab")]
)
def test_an_odd_label_is_the_same_in_shell_server_and_report(
    labels: tuple[Any, Any], tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    classifier = odd_model("m", labels)
    monkeypatch.setattr("reasons.cli.options.classifier_of", lambda *_, **__: classifier)
    rows = [{"x": "m", "flag": flag} for flag in (True, False)]
    data = tmp_path / "rows.csv"
    data.write_text("x,flag\nm,1\nm,0\n")
    report = tmp_path / "audit.html"
    words = ["audit", "model", data, "--protected", "flag", "--report", report]
    in_shell = printed(words, capsys, monkeypatch)
    client = TestClient(app_of(classifier, rows=rows), base_url="http://localhost")
    in_server = client.post("/api/v1/audit", json={"protected": ["flag"]}).json()["summary"]
    in_report = json.loads(report.with_suffix(".json").read_text())
    found = reasons.audit(classifier, rows, "flag")
    wanted = found.summary.as_dict()
    texts = {str(label) for label in labels}
    assert {str(each["label"]) for each in wanted["labels"]} == texts
    for each in (in_shell, in_server, in_report):
        assert {name: each[name] for name in wanted} == wanted
    again = VerdictSchema.read(found.table.schema)
    assert again.label == found.verdict_schema.label
    own = found.verdict_schema.labels
    assert [*map(again.written, again.labels)] == [*map(found.verdict_schema.written, own)]


@pytest.mark.parametrize("name", ["formula", "loans", "constraint"])
def test_pictures_and_pages_label_edges_alike(name: str) -> None:
    make, instance = MODELS[name]
    classifier = make()
    decision = classifier.decide(instance)
    drawn = picture(classifier, decision, "graph")
    sent = classifier_graph(classifier.circuit, decision.instance.cells)
    ours = {(str(e.source), str(e.target), e.text, e.style is Style.PATH) for e in drawn.edges}
    assert ours == {(e["from"], e["to"], e["text"], e["on_path"]) for e in sent["edges"]}
    assert any(text for _, _, text, _ in ours)
    reason, page = decision.reason.drawing(), reason_graph(decision.reason)
    assert [(e.source, e.target) for e in reason.edges] == sorted(
        ((e["from"], e["to"]) for e in page["edges"]), key=lambda pair: int(pair[0])
    )
    assert {vertex.key for vertex in reason.vertices} == {node["id"] for node in page["nodes"]}

"""Errors of the API have one shape; hosts, sizes and times have bounds."""

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

import reasons
from reasons import Decision
from reasons.server.app import app_of
from reasons.server.settings import Limits
from reasons.server.static_files import style_hashes
from reasons.views.values import json_value
from tests.support.server.classifiers import MODELS, formula, loans, wide
from tests.support.server.client import assert_guarded, client_of, is_error, post

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("way", "body", "status", "kind"),
    [
        ("decide", {"instance": {"E": 1}}, 400, "InputError"),
        ("decide", {"instance": {"Q": 1}}, 400, "UnknownFeature"),
        ("decide", {"instance": {**MODELS["formula"][1], "E": "maybe"}}, 400, "InputError"),
        ("decide", {"instance": {**MODELS["formula"][1], "E": []}}, 422, "Malformed"),
        ("decide", {"instance": {}, "more": 1}, 422, "Malformed"),
        ("decide", [], 422, "Malformed"),
        ("decide", {}, 422, "Malformed"),
        ("explain", {"instance": MODELS["formula"][1], "limit": 201}, 422, "Malformed"),
        ("explain", {"instance": MODELS["formula"][1], "limit": -1}, 422, "Malformed"),
        (
            "explain",
            {"instance": MODELS["formula"][1], "protected": ["q"]},
            400,
            "UnknownFeature",
        ),
        ("bias", {"protected": []}, 422, "Malformed"),
        ("bias", {"protected": ["q"]}, 400, "UnknownFeature"),
        ("even-if", {"instance": MODELS["formula"][1], "change": {}}, 422, "Malformed"),
        ("even-if", {"instance": MODELS["formula"][1], "change": {"E": 1}}, 400, "InputError"),
        ("graph", {"what": "reason"}, 400, "InputError"),
        ("graph", {"what": "story"}, 422, "Malformed"),
        ("nothing", {}, 404, "NotFound"),
        ("model", {}, 405, "MethodNotAllowed"),
    ],
)
def test_errors_have_one_shape(
    client: TestClient, way: str, body: Any, status: int, kind: str
) -> None:
    is_error(client.post(f"/api/v1/{way}", json=body), status, kind)


def test_a_node_that_is_not_there_cannot_be_expanded() -> None:
    client = client_of(wide())
    for text in ("x", "-1", "99999999", "9" * 500, "1.5", "²"):
        is_error(client.post("/api/v1/graph", json={"expand": [text]}), 400, "InputError")


def test_a_number_of_thousands_of_digits_is_a_value_that_is_not_there() -> None:
    client = client_of(loans())
    body = b'{"instance": {"age": ' + b"9" * 4_000 + b', "job": "clerk", "home": true}}'
    is_error(client.post("/api/v1/decide", content=body, headers=JSON), 400, "InputError")


def test_a_parse_error_names_its_place() -> None:
    from reasons.server.errors import error_view

    with pytest.raises(reasons.ParseError) as caught:
        reasons.compile("a &\n& b")
    found = error_view(caught.value, Limits(), "")["error"]
    assert (found["kind"], found["line"], found["column"]) == ("ParseError", 2, 1)


def test_a_failure_of_our_own_is_told_without_details(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("reasons.views.decision.decision_view", broken)
    answer = client.post("/api/v1/decide", json={"instance": MODELS["formula"][1]})
    assert "secret" not in is_error(answer, 500, "InternalError")
    assert "secret" in caplog.text


def test_changes_leave_immutable_features_as_they_are_and_are_the_smallest_such() -> None:
    classifier = loans()
    client, names = client_of(classifier), classifier.schema.names
    raw = [
        [feature.example(i) for i in range(len(feature.values))] for feature in classifier.features
    ]
    every = [
        classifier.decide(dict(zip(names, values, strict=True)))
        for values in itertools.product(*raw)
    ]
    one = every[len(every) // 2]
    told = {name: json_value(value) for name, value in one.instance.items()}
    least = {}
    for fixed in itertools.chain.from_iterable(itertools.combinations(names, n) for n in range(4)):
        found = post(client, "explain", instance=told, immutable=list(fixed))["changes"]
        smallest: dict[Any, int] = {}
        for other in every:
            apart = {
                f
                for f, (a, b) in enumerate(
                    zip(one.instance.cells, other.instance.cells, strict=True)
                )
                if a != b
            }
            if other.label != one.label and not apart & set(classifier.schema.indices(fixed)):
                smallest[other.label] = min(len(apart), smallest.get(other.label, len(apart)))
        assert {each["label"]: len(each["changed"]) for each in found} == smallest
        least[fixed] = smallest
    assert len({str(sorted(each.items())) for each in least.values()}) > 2
    is_error(
        client.post("/api/v1/explain", json={"instance": told, "immutable": ["Q"]}),
        400,
        "UnknownFeature",
    )


def test_the_built_page_is_served_and_hides_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "index.html").write_text("<!doctype html><title>it</title>", "utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    monkeypatch.setattr("reasons.server.app.STATIC", tmp_path / "static")
    client = client_of(formula())
    page = client.get("/")
    assert "<title>it</title>" in page.text
    assert_guarded(page)
    is_error(client.post("/api/v1/model"), 405, "MethodNotAllowed")
    for path in ("/api/v1/model/", "/none", "/../secret.txt", "/%2e%2e/secret.txt"):
        is_error(client.get(path), 404, "NotFound")
    is_error(client.post("/"), 405, "MethodNotAllowed")


def test_a_page_that_is_built_after_the_start_is_found_and_its_style_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reasons.server.app.STATIC", tmp_path / "static")
    client = client_of(formula())
    before = client.get("/")
    assert "make webapp" in before.text
    assert_guarded(before)
    is_error(client.get("/page.js"), 404, "NotFound")
    (tmp_path / "static").mkdir()
    built = "<!doctype html><style>p { color: red }</style><body></body>"
    (tmp_path / "static" / "index.html").write_text(built, "utf-8")
    after = client.get("/")
    assert '<script type="application/json" id="model">' in after.text
    (style,) = style_hashes(built)
    assert style in after.headers["content-security-policy"]
    assert style not in before.headers["content-security-policy"]
    is_error(client.get("/page.js"), 404, "NotFound")


def test_every_way_has_a_group_that_is_described_and_a_summary_of_its_own() -> None:
    found = client_of(formula()).get("/api/v1/openapi.json").json()
    told = [each for path in found["paths"].values() for each in path.values()]
    assert {tag for each in told for tag in each["tags"]} == {x["name"] for x in found["tags"]}
    assert all(x["description"] for x in found["tags"])
    summaries = [each["summary"] for each in told]
    assert "The decision on an instance, and why" in summaries
    assert len(set(summaries)) == len(told) > 10
    assert all(len(each["tags"]) == 1 and "422" in each["responses"] for each in told)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("127.0.0.1:8765", 200),
        ("[::1]:8765", 200),
        ("box.example:8765", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example:8765", 421),
        ("localhost:8765@evil.example", 421),
        ("", 421),
        ("::1", 421),
        ("[::1]evil", 421),
    ],
)
def test_only_known_hosts_are_answered(host: str, status: int) -> None:
    client = client_of(formula(), hosts=["box.example"])
    answer = client.get("/api/v1/model", headers={"host": host})
    assert answer.status_code == status
    assert_guarded(answer)
    if status == 421:
        is_error(answer, 421, "WrongHost")


def test_two_hosts_are_none(client: TestClient) -> None:
    for pair in (("evil.example", "localhost"), ("localhost", "evil.example")):
        answer = client.get("/api/v1/model", headers=[("host", host) for host in pair])
        is_error(answer, 421, "WrongHost")


def test_every_answer_has_the_headers(client: TestClient) -> None:
    for path in ("/", "/api/v1/model", "/api/v1/openapi.json", "/api/docs", "/none", "/api/docs/x"):
        assert_guarded(client.get(path))
    assert_guarded(client.request("TRACE", "/api/v1/model"))
    assert client.get("/api/v1/model").headers["cache-control"] == "no-store"


def test_a_body_that_is_too_large_is_refused(client: TestClient) -> None:
    body = b'{"instance": {"E": "' + b"x" * (1 << 20) + b'"}}'
    is_error(client.post("/api/v1/decide", content=body, headers=JSON), 413, "TooLarge")


def test_a_body_without_a_length_is_counted_as_it_comes(client: TestClient) -> None:
    seen = 0

    def parts() -> Iterator[bytes]:
        nonlocal seen
        for _ in range(100):
            seen += 1
            yield b" " * (1 << 16)

    answer = client.post("/api/v1/decide", content=parts(), headers=JSON)
    assert "content-length" not in answer.request.headers
    is_error(answer, 413, "TooLarge")


@pytest.mark.parametrize("length", ["-1", "x", "1e3", "9" * 30])
def test_a_length_that_is_no_number_is_refused(client: TestClient, length: str) -> None:
    headers = {**JSON, "content-length": length}
    assert client.post("/api/v1/decide", content=b"{}", headers=headers).status_code == 413


def test_a_set_that_outgrows_its_budget_is_a_note_and_the_rest_is_answered() -> None:
    classifier = reasons.compile(" & ".join(f"(a{i} | b{i})" for i in range(30)))
    client = client_of(classifier, limits=Limits(nodes=10))
    instance = dict.fromkeys(classifier.schema.names, True)
    found = post(client, "explain", instance=instance)
    assert found["sufficient_reasons"]["count"] is None
    assert found["sufficient_reasons"]["shown"] == []
    assert "budget exceeded" in found["sufficient_reasons"]["note"]
    hint = "a request has 10 seconds here: more with --seconds"
    assert found["notes"][-1] == {"part": None, "text": hint}
    assert found["sentences"]
    text = found["complete_reason"]["text"]
    assert text == str(classifier.decide(instance).reason)
    assert text == " & ".join(f"(a{i} | b{i})" for i in range(30))


def test_work_that_has_no_budget_is_cut_off_from_its_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import time

    monkeypatch.setattr("reasons.server.executor._GRACE", 0.05)
    monkeypatch.setattr(Decision, "replace", lambda *_: time.sleep(0.5))
    client = client_of(formula(), limits=Limits(seconds=0.05, workers=1))
    body = {"instance": MODELS["formula"][1], "change": {"G": False}}
    message = is_error(client.post("/api/v1/even-if", json=body), 503, "BudgetExceeded")
    assert message == (
        "the request: not done within the 0.05 seconds that a request has on this server; start "
        "it with more --seconds"
    )


def test_a_limit_is_told_as_the_server_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a search that had a part of the time, and of limits other than time."""
    spent: dict[str, Any] = {"seconds": 0.02766, "limit": 0.02666}

    def exceeds(*_: Any, **__: Any) -> None:
        raise reasons.BudgetExceeded("compilation", **spent)

    monkeypatch.setattr("reasons.server.routes.overview", exceeds)
    monkeypatch.setattr("reasons.server.routes.audited", exceeds)
    client = client_of(formula(), limits=Limits(seconds=3), rows=[MODELS["formula"][1]])
    body = {"instance": MODELS["formula"][1]}
    message = is_error(client.post("/api/v1/explain", json=body), 503, "BudgetExceeded")
    assert "0.02" not in message
    assert "within the 3 seconds" in message
    assert "--seconds" in message
    asked = {"ask": ["reason"], "data": "rows"}
    message = is_error(client.post("/api/v1/audit", json=asked), 503, "BudgetExceeded")
    assert "within the 60 seconds that an audit" in message
    assert "--seconds" not in message
    spent = {"nodes": 11, "limit": 10}
    message = is_error(client.post("/api/v1/explain", json=body), 503, "BudgetExceeded")
    assert "nodes 11, limit 10; this is the limit of one request" in message


def test_hundreds_of_requests_at_once_are_all_answered() -> None:
    app = app_of(formula(), limits=Limits(workers=2))
    body = {"instance": MODELS["formula"][1]}

    async def asked() -> list[Any]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            ways = ["explain", "decide", "graph"] * 100
            return await asyncio.gather(*(client.post(f"/api/v1/{way}", json=body) for way in ways))

    answers = asyncio.run(asked())
    assert {answer.status_code for answer in answers} == {200}
    assert not app.state.work.is_busy


def test_a_listing_stops_at_its_limit() -> None:
    classifier = reasons.compile(" | ".join(f"x{i}" for i in range(300)))
    instance = dict.fromkeys(classifier.schema.names, True)
    found = post(client_of(classifier), "explain", instance=instance, limit=200)
    assert found["sufficient_reasons"]["count"] == "300"
    assert len(found["sufficient_reasons"]["shown"]) == 200


def test_counts_beyond_what_numbers_hold_are_exact_texts() -> None:
    text = " & ".join(f"(a{i} | b{i} | c{i})" for i in range(42))
    classifier = reasons.compile(text)
    instance = dict.fromkeys(classifier.schema.names, 1)
    found = post(client_of(classifier), "explain", instance=instance, limit=1)
    assert found["sufficient_reasons"]["count"] == str(3**42)

"""Audits through the API: the verdicts of the package, filtered as a loop over rows would."""

import itertools
from typing import Any

import pytest
from fastapi.testclient import TestClient

import reasons
from reasons.server.settings import Limits
from reasons.views.values import instance_view
from tests.support.server.classifiers import HOSTILE, forest, hostile, loans
from tests.support.server.client import client_of, is_error, post

ROWS = [
    {"age": age, "job": job, "home": home}
    for age, job, home in itertools.product((20, 33, 50, None), ("clerk", "driver", "x"), (1, 0))
]


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(loans(), rows=ROWS)


def every(client: TestClient, key: str, query: str = "") -> list[Any]:
    found = client.get(f"/api/v1/audit/{key}/rows?count=200{query}").json()
    assert found["total"] == len(found["rows"])
    return list(found["rows"])


def test_the_summary_and_the_verdicts_are_those_of_the_package(client: TestClient) -> None:
    found = post(client, "audit", protected=["home"], favourable="grant")
    own = reasons.audit(loans(), ROWS, ["home"], favourable="grant")
    assert found["rows"] == len(ROWS)
    assert found["summary"] == own.summary.as_dict()
    assert every(client, found["id"]) == own.table.to_pylist()


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"favourable": "ask"},
        {"protected": ["home", "job"], "favourable": "refuse"},
        {"protected": ["age"], "ask": ["bias"]},
        {"protected": ["age"], "ask": ["necessary"], "favourable": "grant"},
        {"ask": ["shortest", "count", "change"]},
    ],
    ids=str,
)
@pytest.mark.parametrize("model", [loans, forest])
def test_the_schema_of_summaries_leaves_nothing_out(model: Any, asked: dict[str, Any]) -> None:
    """Pydantic drops keys that a schema lacks, so that a key forgotten there is lost."""
    classifier, rows = model(), [*ROWS, {**ROWS[0], "home": 7}]
    if model is forest:
        rows = [{"a": a, "b": b, "c": 2, "d": 1} for a, b in itertools.product(range(4), range(3))]
        asked = {**asked, "protected": ["b"]} if "protected" in asked else asked
        asked = {**asked, "favourable": "yes"} if "favourable" in asked else asked
    found = post(client_of(classifier), "audit", data=rows, **asked)["summary"]
    own = reasons.audit(classifier, rows, **asked).summary.as_dict()
    assert found == own


def test_filters_agree_with_a_loop_over_the_rows(client: TestClient) -> None:
    key = post(client, "audit", protected=["home"], ask=["bias", "necessary", "reason", "change"])[
        "id"
    ]
    rows = every(client, key)
    for label in ("refuse", "ask", "grant"):
        assert every(client, key, f"&label={label}") == [r for r in rows if r["label"] == label]
    for biased in (True, False):
        told = every(client, key, f"&biased={str(biased).lower()}")
        assert told == [r for r in rows if r["biased"] is biased]
    for feature in loans().features:
        texts = {feature.says((cell,)) for cell in range(len(feature.values))}
        kept = [r for r in rows if texts & {*r["necessary"], *r["reason"], *(r["change"] or ())}]
        assert every(client, key, f"&feature={feature.name}") == kept
        both = [r for r in kept if r["label"] == "ask"]
        assert every(client, key, f"&feature={feature.name}&label=ask") == both
    part = client.get(f"/api/v1/audit/{key}/rows?start=5&count=3").json()
    assert (part["total"], part["rows"]) == (len(rows), rows[5:8])


def test_instances_can_be_sent_and_come_back_one_by_one(client: TestClient) -> None:
    sent = [{**ROWS[7], "age": "inf"}, ROWS[3]]
    key = post(client, "audit", data=sent)["id"]
    row = client.get(f"/api/v1/audit/{key}/rows/0").json()
    assert (row["instance"], row["label"]) == (sent[0] | {"home": False}, "ask")
    is_error(client.get(f"/api/v1/audit/{key}/rows/2"), 404, "NotFound")
    is_error(client.get("/api/v1/audit/none/rows"), 404, "NotFound")
    is_error(client.get("/api/v1/audit/none/rows/0"), 404, "NotFound")


def test_rows_with_problems_are_reported_not_refused(client: TestClient) -> None:
    key = post(client, "audit", data=[ROWS[0], {**ROWS[1], "home": 7}])["id"]
    good, bad = every(client, key)
    assert (good["label"], good["problem"]) == ("refuse", None)
    assert bad["label"] is None
    assert "home" in bad["problem"]
    assert client.get(f"/api/v1/audit/{key}/rows/1").json()["problem"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"data": []}, "InputError"),
        ({"data": [{"q": 1}]}, "InputError"),
        ({"ask": ["everything"]}, "InputError"),
        ({"ask": ["bias"]}, "InputError"),
        ({"protected": ["q"]}, "UnknownFeature"),
        ({"favourable": "no"}, "InputError"),
        ({"data": [{**ROWS[0], "age": 1}, {**ROWS[0], "age": "old"}]}, "InputError"),
    ],
)
def test_what_cannot_be_audited_is_said(client: TestClient, body: Any, kind: str) -> None:
    is_error(client.post("/api/v1/audit", json=body), 400, kind)


def test_a_filter_for_what_was_not_asked_is_an_error(client: TestClient) -> None:
    key = post(client, "audit", ask=["reason"])["id"]
    for query in ("biased=true", "label=none", "feature=none"):
        assert client.get(f"/api/v1/audit/{key}/rows?{query}").status_code == 400
    assert client.get(f"/api/v1/audit/{key}/rows?biased=perhaps").status_code == 422


def test_only_the_last_audits_are_kept() -> None:
    client = client_of(loans(), rows=ROWS, limits=Limits(audits=3))
    keys = [post(client, "audit", ask=["reason"])["id"] for _ in range(5)]
    found = [client.get(f"/api/v1/audit/{key}/rows").status_code for key in keys]
    assert found == [404, 404, 200, 200, 200]
    assert len(set(keys)) == 5


def test_more_rows_than_allowed_are_refused() -> None:
    client = client_of(loans(), limits=Limits(rows=10))
    is_error(client.post("/api/v1/audit", json={"data": ROWS[:11]}), 413, "TooLarge")
    is_error(client.post("/api/v1/audit", json={"data": "rows"}), 404, "NotFound")


def test_an_audit_may_have_a_larger_body(client: TestClient) -> None:
    spaces = b" " * (2 << 20)
    headers = {"content-type": "application/json"}
    body = b'{"ask": ["reason"]' + spaces + b"}"
    assert client.post("/api/v1/audit", content=body, headers=headers).status_code == 200
    answer = client.post("/api/v1/decide", content=body, headers=headers)
    is_error(answer, 413, "TooLarge")
    is_error(client.post("/api/v1/audit", content=spaces * 5, headers=headers), 413, "TooLarge")


def test_hostile_texts_are_audited_as_they_are() -> None:
    classifier = hostile()
    name = classifier.features[1].name
    client = client_of(classifier)
    key = post(client, "audit", data=[{HOSTILE: HOSTILE, name: True}], protected=[HOSTILE])["id"]
    (row,) = every(client, key, "&biased=false")
    assert row["label"] == HOSTILE
    assert every(client, key, f"&label={HOSTILE.replace('&', '%26')}") == [row]


def test_a_searched_model_is_audited() -> None:
    classifier = forest()
    rows = [{"a": a, "b": 3, "c": 2, "d": 1} for a in range(6)]
    client = client_of(classifier)
    key = post(client, "audit", data=rows, protected=["d"], ask=["bias", "necessary"])["id"]
    told = every(client, key)
    assert [row["label"] for row in told] == [str(x) for x in classifier.predict(rows)]
    for row, instance in zip(told, rows, strict=True):
        decision = classifier.decide(instance)
        assert row["biased"] == bool(decision.bias("d"))
        back = client.get(f"/api/v1/audit/{key}/rows/{row['row']}").json()
        assert back["instance"] == instance_view(decision.instance)

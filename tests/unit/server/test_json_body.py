"""Bodies: JSON that is announced as such, read strictly; all else is refused and says why."""

import gzip
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.server.classifiers import MODELS, formula, loans
from tests.support.server.client import client_of, is_error

JSON = {"content-type": "application/json"}
ASKED = json.dumps({"instance": MODELS["formula"][1]}).encode()


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(formula())


def sent(client: TestClient, body: bytes, **headers: str) -> Any:
    own = {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return client.post("/api/v1/decide", content=body, headers=own)


@pytest.mark.parametrize(
    "kind",
    ["application/json", "Application/JSON", 'application/json; charset="UTF-8"'],
)
def test_json_is_read_however_its_name_is_written(client: TestClient, kind: str) -> None:
    assert sent(client, ASKED, content_type=kind).json()["label"] is True


@pytest.mark.parametrize(
    "kind",
    [
        *("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"),
        *("", "text/plain; application/json", "application/jsonp", "application/x+json", "json"),
        "application/json; charset=utf-16",
    ],
)
@pytest.mark.parametrize("way", ["decide", "explain", "even-if", "bias", "graph", "audit"])
def test_what_is_not_called_json_is_not_read(client: TestClient, kind: str, way: str) -> None:
    """A page elsewhere can send texts and forms without asking, JSON it cannot."""
    headers = {"content-type": kind, "origin": "http://evil.example"}
    answer = client.post(f"/api/v1/{way}", content=ASKED, headers=headers)
    message = is_error(answer, 415, "NotJson")
    assert "send JSON, with the header content-type: application/json" in message or (
        "UTF-8" in message
    )


def test_a_body_without_a_type_is_told_to_have_one(client: TestClient) -> None:
    request = client.build_request("POST", "/api/v1/decide", content=ASKED)
    assert "content-type" not in request.headers
    assert "which is missing" in is_error(client.send(request), 415, "NotJson")


def test_a_body_that_is_compressed_is_told_to_be_sent_as_it_is(client: TestClient) -> None:
    for encoding, body in (("gzip", gzip.compress(ASKED)), ("br", ASKED), ("identity, gzip", b"")):
        answer = sent(client, body, content_encoding=encoding)
        assert "as it is" in is_error(answer, 415, "NotJson")
    assert sent(client, ASKED, content_encoding="identity").status_code == 200
    is_error(sent(client, gzip.compress(ASKED)), 422, "Malformed")


@pytest.mark.parametrize("body", [b"", b"  \r\n"])
def test_an_empty_body_is_said_to_be_so(client: TestClient, body: bytes) -> None:
    assert "empty" in is_error(sent(client, body), 422, "Malformed")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "not valid JSON"),
        (b"[" * 200_000, "not valid JSON"),
        (b'{"instance":' * 10_000, "not valid JSON"),
        (b'{"a":' * 100 + b"1" + b"}" * 100, "instance"),
        (b'{"instance": {"E": NaN}}', "not valid JSON"),
        (b'{"instance": {"E": Infinity}}', "not valid JSON"),
        (b'{"instance": {"E": -Infinity}}', "not valid JSON"),
        (b'{"instance": {"E": 1e999}}', "finite"),
        (b'{"instance": {"E": ' + b"9" * 5_000 + b"}}", "not valid JSON"),
        (b'{"instance": {"E": "\\ud800"}}', "not valid JSON"),
        (b'{"instance": {"\\udc00": 1}}', "not valid JSON"),
        (b'{"instance": {"E": "\xff\xfe"}}', "not valid JSON"),
        (b"\xff\xfe{\x00", "not valid JSON"),
        (b"\xef\xbb\xbf{}", "not valid JSON"),
        (b'{"instance": {"E": {"a": [1]}}}', "instance"),
        (b'{"instance": {}, "instance": {}}', "'instance' is there twice"),
        (b'{"instance": {"E": true, "\\u0045": false}}', "'E' is there twice"),
        (ASKED + b"{}", "not valid JSON"),
        (b"null", "object"),
        (b'"E"', "object"),
    ],
)
def test_what_is_no_proper_json_is_malformed(client: TestClient, body: bytes, said: str) -> None:
    assert said in is_error(sent(client, body), 422, "Malformed")


def test_a_number_of_thousands_of_digits_is_a_value_that_is_not_there() -> None:
    body = b'{"instance": {"age": ' + b"9" * 4_000 + b', "job": "clerk", "home": true}}'
    is_error(sent(client_of(loans()), body), 400, "InputError")

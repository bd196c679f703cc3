"""What is thrown at a server that anybody's browser may be made to ask: raw lines, odd hosts."""

import asyncio
import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import reasons
from reasons.server.settings import Limits
from tests.support.server.classifiers import HOSTILE, MODELS, formula, hostile, loans
from tests.support.server.client import assert_guarded, client_of, is_error, post, serving

HOST = b"Host: localhost\r\n"
IMPATIENT = "import reasons.server.timeouts as l; l.SECONDS_FOR_HEAD = 1; l.SECONDS_TO_READ = 1; "
IMPATIENT += (
    "import reasons.server.middleware as g; g._SECONDS_TO_SEND = 2; g._SECONDS_TO_LEAVE = 1; "
)


@pytest.fixture(scope="module")
def at() -> Iterator[tuple[str, int]]:
    with serving("E & (~F | G | W | R)", program=IMPATIENT) as found:
        yield found


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(formula())


class Raw:
    """An answer as it came over the line."""

    def __init__(self, received: bytes) -> None:
        head, _, self.body = received.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status_code = int(first.split()[1])
        self.headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
        self.text = self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


def received(line: socket.socket) -> bytes:
    parts = []
    while part := line.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def raw(at: tuple[str, int], request: bytes) -> Raw:
    with socket.create_connection(at, 10) as line:
        line.sendall(request)
        return Raw(received(line))


def asked(
    at: tuple[str, int], first: str, host: bytes = HOST, more: bytes = b"", body: bytes = b""
) -> Raw:
    length = b"Content-Length: %d\r\n" % len(body) if body else b""
    head = first.encode("latin-1") + b"\r\n" + host + b"Connection: close\r\n"
    return raw(at, head + more + length + b"\r\n" + body)


# Hosts


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *(("localhost", 200), ("LocalHost:8765", 200), ("127.0.0.1", 200), ("[::1]:80", 200)),
        *(("localhost.", 421), ("localhost.:80", 421), ("127.0.0.1.", 421), ("127.1", 421)),
        *(("0x7f.0.0.1", 421), ("2130706433", 421), ("0.0.0.0", 421), ("[::ffff:127.0.0.1]", 421)),
        *(("user@localhost", 421), ("localhost@evil.example", 421), ("localhost:80:80", 421)),
        *(("[::1]:80@evil.example", 421), ("localhost:", 421), ("localhost:x", 421), ("::1", 421)),
        *(("localhost, evil.example", 421), ("evil.example#localhost", 421), ("[::1", 421)),
        *(("localhost\xe9", 421), ("evil.example:localhost", 421), ("", 421)),
    ],
)
def test_the_host_is_one_of_a_few_names_and_nothing_like_them(
    at: tuple[str, int], host: str, status: int
) -> None:
    line = b"Host: " + host.encode("latin-1") + b"\r\n"
    answer = asked(at, "GET /api/v1/model HTTP/1.1", line)
    assert answer.status_code == status
    assert_guarded(answer)


def test_a_request_without_a_host_is_refused_in_both_versions_of_http(at: tuple[str, int]) -> None:
    is_error(asked(at, "GET /api/v1/model HTTP/1.0", b""), 421, "WrongHost")
    is_error(asked(at, "GET /api/v1/model HTTP/1.1", b""), 400, "BadRequest")
    assert asked(at, "GET /api/v1/model HTTP/1.0").status_code == 200


def test_a_whole_address_in_the_first_line_leads_nowhere(at: tuple[str, int]) -> None:
    for target in ("http://evil.example/api/v1/model", "http://localhost/api/v1/model", "*", "//"):
        is_error(asked(at, f"GET {target} HTTP/1.1"), 404, "NotFound")
    evil = b"Host: evil.example\r\n"
    is_error(asked(at, "GET http://localhost/api/v1/model HTTP/1.1", evil), 421, "WrongHost")


def test_what_a_proxy_would_say_changes_nothing(at: tuple[str, int]) -> None:
    more = b"X-Forwarded-Host: evil.example\r\nX-Forwarded-For: 8.8.8.8\r\nForwarded: host=e\r\n"
    assert asked(at, "GET /api/v1/model HTTP/1.1", more=more).status_code == 200
    forged = b"Host: evil.example\r\nX-Forwarded-Host: localhost\r\n"
    assert asked(at, "GET /api/v1/model HTTP/1.1", forged).status_code == 421


# Lines


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\x16\x03\x01\x02\x00\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"a b: c\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"a: \x00\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"a: " + b"b" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"a: b\r\n" * 20_000 + b"\r\n",
    ],
)
def test_what_is_no_http_is_an_error_like_any_other(at: tuple[str, int], nonsense: bytes) -> None:
    with socket.create_connection(at, 10) as line:
        line.sendall(nonsense[:60_000])
        try:
            line.sendall(nonsense[60_000:])
            found = received(line)
        except (BrokenPipeError, ConnectionResetError):  # hung up on in the middle
            found = b""
    if found or len(nonsense) < 60_000:
        is_error(Raw(found), 400, "BadRequest")
    assert asked(at, "GET /api/v1/model HTTP/1.1").status_code == 200


def test_whoever_does_not_finish_a_request_is_hung_up_on(at: tuple[str, int]) -> None:
    silent = socket.create_connection(at, 10)
    slow = socket.create_connection(at, 10)
    kept = socket.create_connection(at, 10)
    kept.sendall(b"GET /api/v1/none HTTP/1.1\r\n" + HOST + b"\r\n")
    assert kept.recv(100).startswith(b"HTTP/1.1 404")
    kept.sendall(b"GET /api")
    start, ended = time.monotonic(), dict[str, float]()
    while time.monotonic() - start < 6 and len(ended) < 3:
        for name, line in {"silent": silent, "slow": slow, "kept": kept}.items():
            if name in ended:
                continue
            line.settimeout(0.05)
            try:
                if name == "slow":
                    line.sendall(b"G")
                if not line.recv(1 << 16):
                    ended[name] = time.monotonic() - start
            except TimeoutError:
                pass
            except OSError:
                ended[name] = time.monotonic() - start
    for line in (silent, slow, kept):
        line.close()
    assert set(ended) == {"silent", "slow", "kept"}
    assert max(ended.values()) < 4
    assert asked(at, "GET /api/v1/model HTTP/1.1").status_code == 200


def test_whoever_does_not_read_the_answer_is_hung_up_on(at: tuple[str, int]) -> None:
    """A system's own buffers hold some megabytes; of more, the rest is never sent."""
    path, times = "/api/docs/swagger-ui-bundle.js", 20
    whole = len(asked(at, f"GET {path} HTTP/1.1").body)
    if whole < 1_000_000:
        pytest.skip("fastapi-offline, which brings a large file, is not installed")
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        line.settimeout(10)
        line.connect(at)
        line.sendall((f"GET {path} HTTP/1.1\r\n".encode() + HOST + b"\r\n") * times)
        time.sleep(2.5)
        got = read_to_the_end(line)
    assert got < (times - 2) * whole


def read_to_the_end(line: socket.socket) -> int:
    got = 0
    try:
        while part := line.recv(1 << 16):
            got += len(part)
    except ConnectionResetError:
        pass
    return got


def test_a_body_that_dribbles_is_not_awaited_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reasons.server.middleware._SECONDS_TO_SEND", 0.1)
    app: Any = client_of(formula()).app
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(0.03)
        return {"type": "http.request", "body": b" ", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/decide", "headers": headers}
    asyncio.run(app({**scope, "query_string": b"", "http_version": "1.1"}, receive, send))
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["error"]["kind"] == "TooSlow"


POST = b"POST /api/v1/decide HTTP/1.1\r\nContent-Type: application/json\r\n"
CHUNKED = HOST + b"Transfer-Encoding: chunked\r\n\r\n"
DRIPPED = {
    "a slow body": (POST + HOST + b"Content-Length: 9999\r\n\r\n{", b" ", 408),
    "a slow body of GET": (
        b"GET /api/v1/model HTTP/1.1\r\n" + HOST + b"Content-Length: 9999\r\n\r\n",
        b" ",
        408,
    ),
    "slow chunks": (POST + CHUNKED, b"1\r\n \r\n", 408),
    "a body too large": (POST + HOST + b"Content-Length: 9999999\r\n\r\n{", b" ", 413),
    "chunks too large": (
        POST + CHUNKED + b"100001\r\n" + b" " * 0x100001 + b"\r\n",
        b"1\r\n \r\n",
        413,
    ),
    "another host": (POST + b"Host: evil\r\nContent-Length: 9999\r\n\r\n{", b" ", 421),
}


@pytest.mark.parametrize("name", DRIPPED)
def test_whoever_sends_on_after_an_error_is_hung_up_on(at: tuple[str, int], name: str) -> None:
    first, drip, status = DRIPPED[name]
    found, ended = b"", None
    with socket.create_connection(at, 10) as line:
        line.sendall(first)
        line.settimeout(0.1)
        start = time.monotonic()
        while time.monotonic() - start < 8 and ended is None:
            try:
                part = line.recv(1 << 16)
                found += part
                ended = None if part else time.monotonic() - start
                line.sendall(drip)
            except TimeoutError:
                line.sendall(drip)
            except OSError:
                ended = time.monotonic() - start
    assert ended is not None, "still open"
    assert ended < 6
    assert Raw(found).status_code == status
    assert Raw(found).headers["connection"] == "close"


def test_who_sends_too_much_at_once_still_reads_why_it_is_refused(at: tuple[str, int]) -> None:
    body = b" " * (6 << 20)
    answer = asked(at, "POST /api/v1/decide HTTP/1.1", body=body)
    is_error(answer, 413, "TooLarge")


# Methods and kinds of requests


def test_a_websocket_is_not_opened(at: tuple[str, int]) -> None:
    more = b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n"
    head = b"GET /api/v1/model HTTP/1.1\r\n" + HOST + b"Connection: upgrade, close\r\n"
    answer = raw(at, head + more + b"\r\n")
    assert answer.status_code == 200
    assert_guarded(answer)
    assert "upgrade" not in answer.headers


def test_methods_that_are_not_there_are_refused_with_the_headers(at: tuple[str, int]) -> None:
    for method in ("OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT", "PATCH", "NONSENSE"):
        for path in ("/api/v1/decide", "/api/v1/model"):
            is_error(asked(at, f"{method} {path} HTTP/1.1"), 405, "MethodNotAllowed")
    for path in ("/", "/api/v1/model", "/none", "/api/docs"):
        answer = asked(at, f"HEAD {path} HTTP/1.1")
        assert answer.body == b""
        assert_guarded(answer)


def test_another_site_is_not_allowed_to_send_json(at: tuple[str, int]) -> None:
    """The browser asks first, and is told nothing that would allow it."""
    more = b"Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n"
    more += b"Access-Control-Request-Headers: content-type\r\n"
    answer = asked(at, "OPTIONS /api/v1/decide HTTP/1.1", more=more)
    is_error(answer, 405, "MethodNotAllowed")
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_form_of_another_site_does_nothing(at: tuple[str, int], kind: str | None) -> None:
    more = b"Origin: http://evil.example\r\n"
    more += f"Content-Type: {kind}\r\n".encode() if kind else b""
    body = json.dumps({"instance": MODELS["formula"][1]}).encode()
    for way in ("decide", "explain", "audit"):
        answer = asked(at, f"POST /api/v1/{way} HTTP/1.1", more=more, body=body)
        is_error(answer, 415, "NotJson")


# Files


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/../pyproject.toml",
            "/..%2fpyproject.toml",
            "/%2e%2e/%2e%2e/etc/passwd",
            "//etc/passwd",
        ),
        *("/..\\secret", "/static/../index.html", "/index.html/", "/index.html%00", "/./page.js"),
        *("/api/docs/../../../errors.py", "/api/docs/..%2f..%2ferrors.py", "/api/docs/%2e%2e"),
        *("/api/docs/index.html", "/api/docs//etc/passwd", "/INDEX.HTML", "/index.html;a", "/%"),
    ],
)
def test_only_the_files_of_the_page_are_served(at: tuple[str, int], path: str) -> None:
    is_error(asked(at, f"GET {path} HTTP/1.1"), 404, "NotFound")


def test_a_link_in_the_folder_is_not_a_way_out_of_it_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are read once, at the start: what is put there afterwards is not served."""
    (tmp_path / "index.html").write_text("<!doctype html>", "utf-8")
    monkeypatch.setattr("reasons.server.app.STATIC", tmp_path)
    client = client_of(formula())
    (tmp_path / "later.html").symlink_to("/etc/passwd")
    is_error(client.get("/later.html"), 404, "NotFound")


# Headers and memory


def test_no_header_carries_what_a_user_wrote() -> None:
    classifier = hostile()
    name = f"a\r\nX-Evil: 1\r\n{HOSTILE}"
    client = client_of(classifier, name=name)
    usual = {"content-type", "content-length", "cache-control", "allow", "retry-after"}
    for path in ("/api/v1/model", "/api/v1/none", "/api/v1/audit/x%0d%0aX-Evil:1/rows", "/"):
        answer = client.get(path)
        added = {key for key in answer.headers if key not in usual}
        assert added - {"etag"} == {
            *("content-security-policy", "x-content-type-options", "x-frame-options"),
            *("referrer-policy", "cross-origin-opener-policy", "cross-origin-resource-policy"),
        }
        assert not re.search("evil|script>", str(answer.headers), re.IGNORECASE)


def test_audits_are_forgotten_where_their_verdicts_are_too_large_together() -> None:
    rows = [{"age": 20 + i, "job": "clerk", "home": i % 2} for i in range(50)]
    size = reasons.audit(loans(), rows, ask=["reason"]).table.nbytes
    client = client_of(loans(), rows=rows, limits=Limits(audits_bytes=int(2.5 * size)))
    keys = [post(client, "audit", ask=["reason"])["id"] for _ in range(4)]
    found = [client.get(f"/api/v1/audit/{key}/rows").status_code for key in keys]
    assert found == [404, 404, 200, 200]
    small = client_of(loans(), rows=rows, limits=Limits(audits_bytes=1))
    key = post(small, "audit", ask=["reason"])["id"]
    assert small.get(f"/api/v1/audit/{key}/rows").status_code == 200
    assert all(re.fullmatch("[0-9a-f]{32}", key) for key in keys)

"""How the tests ask the API, and what they demand of every answer."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from fastapi.testclient import TestClient

from reasons import Classifier
from reasons.server.app import app_of

MAIN = "from reasons.cli import main; main()"


def client_of(classifier: Classifier, **options: Any) -> TestClient:
    app = app_of(classifier, **options)
    return TestClient(app, base_url="http://localhost:8765", raise_server_exceptions=False)


def post(client: TestClient, way: str, status: int = 200, **body: Any) -> Any:
    answer = client.post(f"/api/v1/{way}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def is_error(answer: Any, status: int, kind: str) -> str:
    """The message of an error, which has the one shape and the headers of every answer."""
    assert answer.status_code == status, answer.text
    found = answer.json()
    assert set(found) == {"error"}
    assert (
        {"kind", "message"}
        <= set(found["error"])
        <= {*("kind", "message", "source", "line", "column")}
    )
    assert found["error"]["kind"] == kind
    assert_guarded(answer)
    message: str = found["error"]["message"]
    return message


def assert_guarded(answer: Any) -> None:
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; ")
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in answer.headers


@contextmanager
def serving(*arguments: str, program: str = "") -> Iterator[tuple[str, int]]:
    """A server in a process of its own; it must end well when it is interrupted."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", program + MAIN, "serve", *arguments, "--port", "0"]
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        line = server.stdout.readline()
        try:
            assert line.startswith("http://"), line + server.stderr.read()
            found = urlsplit(line.split()[0])
            assert found.hostname is not None
            assert found.port is not None
            yield found.hostname, found.port
        finally:
            server.send_signal(signal.SIGINT)
            assert server.wait(20) == 0
            assert "Traceback" not in server.stderr.read()

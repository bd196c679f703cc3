"""How the tests ask the API, and what they demand of every answer."""

from typing import Any

from fastapi.testclient import TestClient

from reasons import Classifier
from reasons.web.app import app_of


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

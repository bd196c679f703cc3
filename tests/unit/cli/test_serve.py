"""`reasons serve` as a program: it says where it is, answers there, and ends when told."""

import http.client
import json
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.server.client import MAIN, serving

PROGRAM = [sys.executable, "-c", MAIN, "serve"]
FORMULA = "E & (~F | G | W | R)"


def asked(at: tuple[str, int], method: str, path: str, **options: Any) -> tuple[int, Any]:
    with closing(http.client.HTTPConnection(*at, timeout=20)) as connection:
        connection.request(method, path, **options)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def test_a_formula_with_rows_is_served_on_this_machine_only(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("E,F,G,W,R\n1,0,0,0,1\n0,1,1,1,1\n", encoding="utf-8")
    with serving(FORMULA, "--data", str(rows), "--protected", "R") as at:
        assert at[0] == "127.0.0.1"
        status, model = asked(at, "GET", "/api/v1/model")
        assert (status, model["name"], model["protected"]) == (200, FORMULA, ["R"])
        assert model["rows"] == 2
        _, found = asked(at, "GET", "/api/v1/rows")
        assert [row["label"] for row in found["rows"]] == [True, False]
        body = json.dumps({"instance": found["rows"][0]["instance"]})
        headers = {"content-type": "application/json"}
        status, decided = asked(at, "POST", "/api/v1/decide", body=body, headers=headers)
        assert (status, decided["label"]) == (200, True)
        status, refused = asked(at, "GET", "/api/v1/model", headers={"host": "evil.example"})
        assert (status, refused["error"]["kind"]) == (421, "WrongHost")


def test_a_body_in_chunks_is_cut_off_at_the_limit_by_the_real_server() -> None:
    headers = {"content-type": "application/json"}
    with serving(FORMULA) as at:
        parts = (b" " * 65_536 for _ in range(17))
        status, found = asked(at, "POST", "/api/v1/decide", body=parts, headers=headers)
        assert (status, found["error"]["kind"]) == (413, "TooLarge")
        assert asked(at, "GET", "/api/v1/model")[0] == 200


def test_what_is_no_http_is_refused_and_the_server_goes_on() -> None:
    with serving(FORMULA) as at:
        for nonsense in (
            b"\x16\x03\x01\x00\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        ):
            with socket.create_connection(at, 10) as line:
                line.sendall(nonsense)
                assert line.recv(100).startswith(b"HTTP/1.1 4")
        assert asked(at, "GET", "/api/v1/model")[0] == 200


def test_it_ends_in_the_middle_of_work() -> None:
    slow = (
        "import time; from reasons import Decision; Decision.replace = lambda *_: time.sleep(60); "
    )
    body = b'{"instance": {"a": true}, "change": {"a": false}}'
    head = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with (
        serving("a", program=slow) as at,
        socket.create_connection(at, 10) as line,
    ):
        line.sendall(b"POST /api/v1/even-if HTTP/1.1\r\nHost: localhost\r\n" + head + body)
        assert asked(at, "GET", "/api/v1/model")[0] == 200


def failed(*arguments: str) -> str:
    done = subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_port_that_is_taken_is_said_and_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        message = failed(FORMULA, "--port", port)
    assert f"cannot listen on 127.0.0.1:{port}" in message
    assert "--port 0" in message


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([FORMULA, "--protected", "Q"], "there is no feature 'Q'"),
        ([FORMULA, "--data", "nothing.csv"], "there is no file nothing.csv"),
        (["none.reasons"], "there is no file none.reasons"),
        ([FORMULA, "--host", "no.such.host.example"], "cannot listen on"),
    ],
)
def test_bad_input_ends_with_a_message(arguments: list[str], said: str) -> None:
    assert said in failed(*arguments, "--port", "0")


def test_without_fastapi_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from reasons.cli.options import Reading
    from reasons.cli.serve import serve
    from reasons.errors import InputError

    monkeypatch.setitem(sys.modules, "fastapi", None)
    with pytest.raises(InputError, match=r"reasons\[web\]"):
        serve(FORMULA, reading=Reading())

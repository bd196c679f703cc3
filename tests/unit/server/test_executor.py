"""Time: a request waits so long for its turn, then has its seconds, and its work ends with them."""

import asyncio
import random
import socket
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import httpx
import pytest

import reasons
from reasons import Budget, BudgetExceeded, Classifier
from reasons.counting.sat_encoding import differing_pair_by_sat
from reasons.server.app import app_of
from reasons.server.settings import Limits
from reasons.views.values import instance_view
from tests.support.server.classifiers import MODELS, formula
from tests.support.server.client import is_error, serving

LATE = 8.0
"""Seconds; the work ends in a tenth of it, but the machine may be busy with other tests."""
WAYS: dict[str, dict[str, Any]] = {
    "explain": {"limit": 200},
    "even-if": {},
    "bias": {},
    "graph": {"what": "reason", "all": True},
    "audit": {"ask": ["reason", "shortest", "count", "change", "bias"]},
}


def clauses_file(variables: int, clauses: int) -> Path:
    """Random clauses of three literals: the more variables, the slower is every question."""
    rng = random.Random(1)
    lines = [f"p cnf {variables} {clauses}"]
    for _ in range(clauses):
        chosen = rng.sample(range(1, variables + 1), 3)
        lines.append(" ".join(str(v * rng.choice((1, -1))) for v in chosen) + " 0")
    path = Path(mkdtemp()) / "knots.cnf"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@cache
def knots() -> Classifier:
    """A circuit that is not ordered, with very many reasons behind most decisions."""
    return reasons.load(clauses_file(56, 84))


def lazy() -> Classifier:
    """Clauses that are not compiled, and that nobody can."""
    return reasons.load(clauses_file(140, 210), compile=False)


@cache
def trees() -> Classifier:
    """A forest that is searched, each question for long."""
    import numpy
    import pandas
    from sklearn.ensemble import RandomForestClassifier

    rng = numpy.random.default_rng(0)
    rows = pandas.DataFrame(rng.random((2_000, 20)), columns=[f"f{i}" for i in range(20)])
    labels = rows.f0 + rows.f1 * rows.f2 > rows.f3 + 0.2
    model = RandomForestClassifier(60, max_depth=9, random_state=0).fit(rows, labels)
    return reasons.compile(model, budget=Budget(nodes=20))


def some_instances(classifier: Classifier, count: int) -> list[Any]:
    rng = random.Random(3)
    cells = [[rng.randrange(len(f.values)) for f in classifier.features] for _ in range(count)]
    return [instance_view(reasons.Instance.of_cells(classifier.schema, c)) for c in cells]


def body(classifier: Classifier, way: str, seed: int) -> dict[str, Any]:
    instances = some_instances(classifier, 60)
    one, name = instances[seed], classifier.features[seed].name
    other = next(each[name] for each in instances if each[name] != one[name])
    asked = {**WAYS[way]}
    if way != "graph":
        asked["protected"] = [feature.name for feature in classifier.features[:3]]
    if way == "even-if":
        del asked["protected"]
        asked["change"] = {name: other}
    return {**asked, "data": instances} if way == "audit" else {**asked, "instance": one}


async def ask(app: Any, asked: list[tuple[str, Any]]) -> list[tuple[float, httpx.Response]]:
    """The answers, all asked at once, and how long each took."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", timeout=60
    ) as client:

        async def one(way: str, body: Any) -> tuple[float, httpx.Response]:
            start = time.monotonic()
            answer = await client.post(f"/api/v1/{way}", json=body)
            return time.monotonic() - start, answer

        return await asyncio.gather(*(one(*each) for each in asked))


def seconds_until_idle(app: Any, most: float) -> float:
    """How long this process works on after its requests were answered."""
    start = time.monotonic()
    while time.monotonic() - start < most:
        spent, then = time.process_time(), time.monotonic()
        time.sleep(0.1)
        if time.process_time() - spent < 0.5 * (time.monotonic() - then) and not (
            app.state.work.is_busy
        ):
            return time.monotonic() - start
    return most


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", [knots, lazy, trees])
def test_slow_work_ends_soon_after_its_time(make: Callable[[], Classifier], way: str) -> None:
    classifier = make()
    app = app_of(classifier, limits=Limits(seconds=0.4, audit_seconds=0.4, workers=2))
    asked = [(way, body(classifier, way, seed)) for seed in range(4)]
    answers = asyncio.run(ask(app, asked))
    assert {answer.status_code for _, answer in answers} <= {200, 409, 503}
    assert max(took for took, _ in answers) < LATE
    assert seconds_until_idle(app, 4 * LATE) < LATE
    decide = ("decide", {"instance": some_instances(classifier, 1)[0]})
    ((took, answer),) = asyncio.run(ask(app, [decide]))
    assert (answer.status_code, took < LATE) == (200, True)


def test_some_of_these_questions_take_longer_than_they_may() -> None:
    """Otherwise the test above would see nothing."""
    for make, way in ((knots, "explain"), (lazy, "graph"), (trees, "audit"), (knots, "audit")):
        classifier = make()
        app = app_of(classifier, limits=Limits(seconds=0.4, audit_seconds=0.4))
        ((took, _),) = asyncio.run(ask(app, [(way, body(classifier, way, 0))]))
        assert took > 0.3, (make, way)


def test_a_classifier_that_is_not_ordered_is_asked_about_bias_within_a_budget() -> None:
    spent = Budget(seconds=1e-9)
    with pytest.raises(BudgetExceeded, match="evaluating"):
        knots().bias("1", budget=spent)
    with pytest.raises(BudgetExceeded, match="writing clauses"):
        differing_pair_by_sat(knots().circuit, [0], spent)


class Client:
    """A client that sends a request to the application, and goes when it is told to."""

    def __init__(self, app: Any, way: str, body: Any) -> None:
        self.app, self.gone, self.sent = app, asyncio.Event(), False
        self.content = httpx.Request("POST", "http://localhost", json=body).content
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        self.scope = {
            "type": "http",
            "method": "POST",
            "path": f"/api/v1/{way}",
            "query_string": b"",
            "headers": headers,
            "http_version": "1.1",
            "scheme": "http",
            "root_path": "",
        }

    async def ask(self) -> None:
        await self.app(self.scope, self._receive, self._send)

    async def _receive(self) -> Any:
        if self.sent:
            await self.gone.wait()
            return {"type": "http.disconnect"}
        self.sent = True
        return {"type": "http.request", "body": self.content, "more_body": False}

    async def _send(self, _: Any) -> None:
        pass


@pytest.mark.parametrize(("make", "way"), [(knots, "explain"), (lazy, "graph"), (trees, "audit")])
def test_work_ends_when_its_client_goes(make: Callable[[], Classifier], way: str) -> None:
    classifier = make()
    app = app_of(classifier, limits=Limits(seconds=30, audit_seconds=30))

    async def asked() -> float:
        client = Client(app, way, body(classifier, way, 0))
        work = asyncio.ensure_future(client.ask())
        await asyncio.sleep(0.3)
        assert app.state.work.is_busy
        client.gone.set()
        start = time.monotonic()
        await work
        return time.monotonic() - start

    assert asyncio.run(asked()) < LATE
    assert seconds_until_idle(app, 4 * LATE) < LATE


def test_a_client_of_the_real_server_that_hangs_up_leaves_no_work_behind() -> None:
    content = httpx.Request("POST", "http://a", json=body(lazy(), "graph", 0)).content
    head = "POST /api/v1/graph HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    request = head.encode() + f"Content-Length: {len(content)}\r\n\r\n".encode() + content
    # The command compiles clauses before it serves them; these nobody can.
    lazily = "import reasons.cli.options as s; own = s.classifier_of; "
    lazily += "s.classifier_of = lambda *a, **k: own(*a, **{**k, 'lazily': True}); "
    path = str(clauses_file(140, 210))
    with serving(path, "--seconds", "60", program=lazily) as at:
        for _ in range(2 * Limits().workers):
            with socket.create_connection(at, 10) as line:
                line.sendall(request)
                time.sleep(0.2)
        address = f"http://{at[0]}:{at[1]}/api/v1/"
        asked = {"instances": some_instances(lazy(), 1)}
        answer = httpx.post(address + "decide/many", json=asked, timeout=5)
        assert answer.status_code == 200


# Waiting


def test_a_request_that_waits_too_long_is_not_begun_and_is_told_that_the_server_is_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Any] = []

    def slow(decision: Any, change: Any, budget: Budget) -> Any:
        begun.append(change)
        time.sleep(0.6)
        return {"before": 1, "after": 1, "sticks": True, "because": [], "sentence": ""}

    monkeypatch.setattr("reasons.views.decision.even_if", slow)
    app = app_of(formula(), limits=Limits(patience=0.4, workers=1))
    asked = {"instance": MODELS["formula"][1], "change": {"G": False}}
    answers = asyncio.run(ask(app, [("even-if", asked)] * 5))
    (first, *others) = sorted(answers, key=lambda each: each[1].status_code)
    assert first[1].status_code == 200
    for took, answer in others:
        assert "busy" in is_error(answer, 503, "Busy")
        assert int(answer.headers["retry-after"]) >= 1
        assert 0.35 < took < 2.2
    time.sleep(0.3)
    assert len(begun) == 1
    assert not app.state.work.is_busy


def test_the_time_to_work_begins_with_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float] = []

    def slow(decision: Any, change: Any, budget: Budget) -> Any:
        left.append(budget.seconds_left or 0.0)
        time.sleep(1)
        return {"before": 1, "after": 1, "sticks": True, "because": [], "sentence": ""}

    monkeypatch.setattr("reasons.views.decision.even_if", slow)
    app = app_of(formula(), limits=Limits(seconds=2, workers=1))
    asked = {"instance": MODELS["formula"][1], "change": {"G": False}}
    answers = asyncio.run(ask(app, [("even-if", asked)] * 3))
    assert {answer.status_code for _, answer in answers} == {200}
    assert len(left) == 3
    assert min(left) > 1.5


def test_requests_beyond_the_queue_are_turned_away_at_once() -> None:
    app = app_of(formula(), limits=Limits(workers=1, waiting=-1))
    ((took, answer),) = asyncio.run(ask(app, [("explain", {"instance": MODELS["formula"][1]})]))
    assert "busy" in is_error(answer, 503, "Busy")
    assert "retry-after" in answer.headers
    assert took < 1

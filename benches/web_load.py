"""`reasons serve` under 1,000 requests at once on loopback, beside the same question in-process.

A thousand connections ask again as soon as they are answered, for 30 seconds, and then stop by
themselves. Every answer must have status 200 and be the same as the first one, byte by byte;
whatever else comes is an error. *Alone* is one connection by itself. Latencies are the client's,
which shares the machine with the server; with that many waiting, the median is about 1,000
over the requests a second. Memory is the server's peak: before, after half of the time and at
the end.

`python -m benches web_load`; BENCH_WEB_SECONDS=5 is shorter.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from benches.apart import ROOT, peak_of
from benches.timing import best, show, spelled

SECONDS = float(os.environ.get("BENCH_WEB_SECONDS", 30))
CONNECTIONS = 1000
ALONE = 200
FORMULA = "E & (~F | G | W | R)"
INSTANCE = {"E": True, "F": True, "G": True, "W": True, "R": True}
ASKED: dict[str, dict[str, Any]] = {
    "decide": {"instance": INSTANCE},
    "bias": {"instance": INSTANCE, "protected": ["R"]},
    "explain": {"instance": INSTANCE, "protected": ["R"]},
}
HEADER = [
    "question",
    "requests",
    "errors",
    "requests/s",
    "median",
    "99th",
    "alone",
    "in-process",
    "alone / in-process",
    "peak MB",
]


class Server(NamedTuple):
    """Where one listens, and its process."""

    host: str
    port: int
    process: int


class Load:
    """What a thousand connections got."""

    def __init__(self, expected: bytes) -> None:
        self.expected = expected
        self.latencies: list[float] = []
        self.errors: list[str] = []

    def add(self, status: int, body: bytes, seconds: float) -> None:
        self.latencies.append(seconds)
        if status != 200 or body != self.expected:
            self.errors.append(f"{status} {body[:80]!r}")


def run() -> None:
    """Print a line for each question."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        print(f"\nweb_load: {error.name} is not installed")
        return
    _allow_connections()
    lines = []
    for question, body in ASKED.items():
        with serving(FORMULA) as server:
            lines.append(_line(question, body, server))
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    title = f"{CONNECTIONS:,} connections for {SECONDS:g} s; load average {load}"
    show(title, HEADER, lines)


def _line(question: str, body: dict[str, Any], server: Server) -> list[str]:
    request = _request(server, question, json.dumps(body).encode())
    expected, alone = asyncio.run(_alone(server, request))
    peaks = [peak_of(str(server.process))]
    load = Load(expected)
    started = time.perf_counter()
    asyncio.run(_storm(server, request, load, peaks))
    took = time.perf_counter() - started
    if load.errors:
        print(f"\nweb_load: {question}: first error: {load.errors[0]}")
    ours = best(lambda: _in_process(question, body))
    return [
        question,
        f"{len(load.latencies):,}",
        str(len(load.errors)),
        f"{len(load.latencies) / took:,.0f}",
        spelled(median(load.latencies)),
        spelled(quantiles(load.latencies, n=100)[98]),
        spelled(alone),
        spelled(ours),
        f"{alone / ours:.3g}",
        " / ".join(f"{peak:.0f}" for peak in peaks),
    ]


def _in_process(question: str, body: dict[str, Any]) -> object:
    """The same answer as an object, without a server."""
    import reasons
    from reasons.told import biases, decisions

    decision = _classifier().decide(body["instance"])
    budget = reasons.Budget(seconds=10)
    if question == "decide":
        return decisions.decided(decision)
    if question == "bias":
        return biases.bias(_classifier(), decision, body["protected"], budget)
    return decisions.explained(decision, body["protected"], 20, budget)


_COMPILED: list[Any] = []


def _classifier() -> Any:
    import reasons

    if not _COMPILED:
        _COMPILED.append(reasons.compile(FORMULA))
    return _COMPILED[0]


def _request(server: Server, question: str, body: bytes) -> bytes:
    head = (
        f"POST /api/v1/{question} HTTP/1.1\r\nhost: {server.host}:{server.port}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _alone(server: Server, request: bytes) -> tuple[bytes, float]:
    """The first answer, and the median time of one request after the other."""
    reader, writer = await asyncio.open_connection(server.host, server.port)
    latencies = []
    for _ in range(ALONE):
        started = time.perf_counter()
        status, expected = await _asked(reader, writer, request)
        assert status == 200, expected
        latencies.append(time.perf_counter() - started)
    writer.close()
    return expected, median(latencies)


async def _storm(server: Server, request: bytes, load: Load, peaks: list[float]) -> None:
    until = time.perf_counter() + SECONDS
    everyone = [_one(server, request, load, until) for _ in range(CONNECTIONS)]
    waiting = asyncio.gather(*everyone)
    await asyncio.sleep(SECONDS / 2)
    peaks.append(peak_of(str(server.process)))
    await waiting
    peaks.append(peak_of(str(server.process)))


async def _one(server: Server, request: bytes, load: Load, until: float) -> None:
    """One connection, which asks until the time is over; it ends at its first failure."""
    try:
        reader, writer = await asyncio.open_connection(server.host, server.port)
        while (started := time.perf_counter()) < until:
            status, body = await _asked(reader, writer, request)
            load.add(status, body, time.perf_counter() - started)
        writer.close()
    except (OSError, EOFError) as error:
        load.errors.append(repr(error))


async def _asked(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
) -> tuple[int, bytes]:
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
    return int(head.split()[1]), await reader.readexactly(length)


@contextmanager
def serving(source: str) -> Iterator[Server]:
    """`reasons serve` in a process of its own."""
    program = "from reasons.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", source, "--port", "0", "--no-open"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        found = urlsplit(process.stdout.readline().split()[0])
        assert found.hostname is not None
        assert found.port is not None
        try:
            yield Server(found.hostname, found.port, process.pid)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def _allow_connections() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4 * CONNECTIONS)), hard))

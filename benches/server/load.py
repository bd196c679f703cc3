"""`reasons serve` under load: a thousand clients at once, each asking again once it is answered.

With so many clients an answer waits for all others: the median is a thousand times what one
takes, and the requests a second say what the server does. The ratio is the processor time that the
server spends on a request over that of the same question asked in this process: what HTTP, JSON and
FastAPI add, whatever else the machine does. Peak memory is the server's own. A request that would
wait longer than it may (10 s) is turned away (503): an error here, and no request answered. Alone:

    python -m benches server --clients 1000 --seconds 30
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import reasons
from benches.harness.timing import best, print_table
from reasons import Budget, Classifier
from reasons.explain.overview import overview
from reasons.views.decision import decision_view, overview_view
from reasons.views.values import instance_view


@dataclass
class Load:
    """What clients saw."""

    seconds: list[float] = field(default_factory=list)
    elapsed: float = 0.0
    errors: list[str] = field(default_factory=list)


def run(arguments: Sequence[str] = ()) -> None:
    """Print what the server did for small and larger questions."""
    parser = argparse.ArgumentParser(prog="python -m benches server", description=__doc__)
    parser.add_argument("--clients", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args(arguments)
    clients, seconds = options.clients, options.seconds
    rows = []
    for name, classifier in (("5 features", _small()), ("10^4 nodes", _large())):
        instance = instance_view(_instance(classifier))
        with _serving(classifier) as (port, server):
            for way in ("decide", "explain"):
                before = _spent(server)
                load = asyncio.run(_ask(port, way, {"instance": instance}, clients, seconds))
                each = (_spent(server) - before) / max(1, len(load.seconds) + len(load.errors))
                rows.append(_row(name, way, load, each, _here(classifier, way), server))
    heads = ("", "requests/s", "median s", "99 % s", "errors", "ms of CPU", "in process", "ratio")
    print_table(f"server, {clients:,} clients for {seconds:g} s each", [*heads, "peak MB"], rows)


def _small() -> Classifier:
    return reasons.compile("E & (~F | G | W | R)")


def _large() -> Classifier:
    """A formula of random terms whose circuit has some ten thousand nodes."""
    rng = random.Random(3)
    names = [f"x{i}" for i in range(26)]
    terms = ([rng.choice("~ ") + name for name in rng.sample(names, 5)] for _ in range(42))
    return reasons.compile(" | ".join(f"({' & '.join(term)})" for term in terms))


def _instance(classifier: Classifier) -> Any:
    rng = random.Random(1)
    return classifier.decide([rng.random() < 0.5 for _ in classifier.features]).instance


def _here(classifier: Classifier, way: str) -> float:
    """Seconds of the same question in this process."""
    instance = dict(_instance(classifier))
    if way == "decide":
        return best(lambda: decision_view(classifier.decide(instance)))
    return best(
        lambda: overview_view(overview(classifier.decide(instance), [], 20, Budget(seconds=10)))
    )


@contextmanager
def _serving(classifier: Classifier) -> Iterator[tuple[int, int]]:
    """The port and the process of a server."""
    program = "from reasons.cli import main; main()"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.reasons"
        classifier.save(path)
        command = [sys.executable, "-c", program, "serve", str(path), "--port", "0", "--no-open"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                line = server.stdout.readline() if server.stdout else ""
                yield int(line.split()[0].rstrip("/").rpartition(":")[2]), server.pid
            finally:
                server.send_signal(signal.SIGINT)


async def _ask(port: int, way: str, body: Any, clients: int, seconds: float) -> Load:
    """Ask again and again on as many connections as there are clients."""
    content = json.dumps(body).encode()
    head = f"POST /api/v1/{way} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    request = head.encode() + f"Content-Length: {len(content)}\r\n\r\n".encode() + content
    load, start = Load(), time.monotonic()
    await asyncio.gather(*(_client(port, request, start + seconds, load) for _ in range(clients)))
    load.elapsed = time.monotonic() - start
    return load


async def _client(port: int, request: bytes, end: float, load: Load) -> None:
    """One connection. HTTP by hand: a client library would be slower than the server."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.monotonic() < end:
            start = time.monotonic()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(x for x in head.lower().split(b"\r\n") if x.startswith(b"content-length"))
            await reader.readexactly(int(length.partition(b":")[2]))
            if head.startswith(b"HTTP/1.1 200"):
                load.seconds.append(time.monotonic() - start)
            else:
                load.errors.append(head[:12].decode())
        writer.close()
    except OSError as error:
        load.errors.append(type(error).__name__)


def _spent(pid: int) -> float:
    """Seconds of processor time that a process has spent."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> float:
    """The most memory that a process has had, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(x for x in lines if x.startswith("VmHWM")).split()[1]) / 1024


def _row(name: str, way: str, load: Load, each: float, here: float, server: int) -> list[str]:
    times = load.seconds
    return [
        f"{name}: {way}",
        f"{len(times) / load.elapsed:,.0f}",
        f"{median(times):.3f}" if times else "-",
        f"{quantiles(times, n=100)[-1]:.3f}" if len(times) > 1 else "-",
        f"{len(load.errors):,}",
        f"{each * 1e3:.2f}",
        f"{here * 1e3:.2f}",
        f"{each / here:.1f}",
        f"{_peak(server):,.0f}",
    ]

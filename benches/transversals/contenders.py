"""Hypergraphs, and contenders that find all their minimal transversals.

A transversal meets every edge. The sufficient reasons of a monotone CNF, where all
variables are true, are the minimal transversals of its clauses.

`python -m benches.transversals.contenders CONTENDER CASE` runs one and answers in JSON. Imports
and a first, trivial use are not timed, for any of them.
"""

import random
import sys
import time
from collections.abc import Callable
from functools import reduce
from typing import Any

from benches.harness.subprocess_runner import Line, report

Edges = list[tuple[int, ...]]

MOST_LISTED = 1_000_000

# Vertices, edges, edge size, and the window of neighbours that each edge lies in.
CASES = {
    "random 20/30/3": (20, 30, 3, 20),
    "random 30/39/3": (30, 39, 3, 30),
    "random 40/60/3": (40, 60, 3, 40),
    "banded 100/148/3": (100, 148, 3, 8),
    "banded 200/195/4": (200, 195, 4, 10),
}


def hypergraph(case: str) -> Edges:
    """The edges, each once, in order; the same ones at every call."""
    vertices, count, size, window = CASES[case]
    rng = random.Random(f"{vertices}/{count}/{size}")
    edges: set[tuple[int, ...]] = set()
    while len(edges) < count:
        start = rng.randrange(vertices - window + 1)
        edges.add(tuple(sorted(rng.sample(range(start, start + window), size))))
    return sorted(edges)


def with_reasons(edges: Edges) -> Line:
    """By this package: the formula compiled, the set built and counted, then listed too."""
    import reasons

    reasons.compile("a & b").decide("a, b").sufficient_reasons().count()
    text = " & ".join("(" + " | ".join(f"x{v}" for v in edge) + ")" for edge in edges)
    started = time.perf_counter()
    classifier = reasons.compile(text)
    compiled = time.perf_counter()
    decision = classifier.decide(dict.fromkeys(classifier.circuit.schema.names, True))
    found = decision.sufficient_reasons()
    count = found.count()
    built = time.perf_counter()
    line = {
        "count": count,
        "compile": compiled - started,
        "set": built - compiled,
        "seconds": built - started,
        "circuit": len(classifier.circuit.native),
        "diagram": len(found.family),
    }
    report(line)  # before the listing, whose memory is not the set's
    if count <= MOST_LISTED:
        assert sum(1 for _ in found) == count
        line["listed"] = time.perf_counter() - built
    return line


def with_hitting(edges: Edges) -> Line:
    """By Graphillion: all hitting sets, then the minimal ones."""
    setset = _universe(edges)
    return _timed(lambda: setset([set(edge) for edge in edges]).hitting().minimal().len())


def with_join(edges: Edges) -> Line:
    """By Graphillion: one edge after the other, minimal after each, which beats once at the end."""
    setset = _universe(edges)

    def count() -> Any:
        choices = [setset([{vertex} for vertex in edge]) for edge in edges]
        return reduce(lambda found, choice: found.join(choice).minimal(), choices).len()

    return _timed(count)


def _universe(edges: Edges) -> Any:
    from graphillion import setset

    setset.set_universe(sorted({vertex for edge in edges for vertex in edge}))
    return setset


def with_hitman(edges: Edges) -> Line:
    """By python-sat, one at a time; its SAT enumerator, the fastest of the three it has."""
    from pysat.examples.hitman import Hitman

    def count() -> int:
        with Hitman(bootstrap_with=edges, htype="sat", solver="mgh") as hitman:
            return sum(1 for _ in hitman.enumerate())

    return _timed(count)


def _timed(count: Callable[[], Any]) -> Line:
    started = time.perf_counter()
    return {"count": int(count()), "seconds": time.perf_counter() - started}


CONTENDERS = {
    "reasons": with_reasons,
    "hitting": with_hitting,
    "join": with_join,
    "hitman": with_hitman,
}

if __name__ == "__main__":
    try:
        report(CONTENDERS[sys.argv[1]](hypergraph(sys.argv[2])))
    except ImportError as error:
        report({"missing": error.name})

"""Clauses that are not compiled: deciding, the complete reason and one sufficient reason.

Random clauses of three literals, each satisfied by one known instance, so that there is a
positive decision to explain: about as many as no compiler could compile.
"""

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import reasons
from benches.harness.timing import format_seconds, print_table

SHAPES = [(1_000, 5_000), (10_000, 50_000), (100_000, 500_000)]


def run() -> None:
    """Print one row a size."""
    rows = [_row(variables, clauses) for variables, clauses in SHAPES]
    print_table("clauses, not compiled: CPU time", HEADER, rows)


HEADER = ["variables", "clauses", "load", "decide", "reason", "sufficient", "literals", "checked"]


def _row(variables: int, clauses: int) -> list[str]:
    signs, text = _satisfied(variables, clauses)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.cnf"
        path.write_text(text)
        classifier, load = _timed(lambda: reasons.load(path, compile=False))
    decision, decide = _timed(lambda: classifier.decide(signs))
    assert decision.label is True
    _, reason = _timed(lambda: decision.reason)
    term, sufficient = _timed(decision.sufficient_reason)
    is_sufficient, checked = _timed(lambda: decision.is_sufficient(term))
    assert is_sufficient
    assert classifier.method == "clauses"
    return [
        *(f"{variables:,}", f"{clauses:,}"),
        *map(format_seconds, (load, decide, reason, sufficient)),
        *(f"{len(term):,}", format_seconds(checked)),
    ]


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    started = time.thread_time()
    found = call()
    return found, time.thread_time() - started


def _satisfied(variables: int, clauses: int) -> tuple[list[bool], str]:
    """An instance, and the text of clauses that it satisfies."""
    rng = random.Random(variables)
    signs = [rng.random() < 0.5 for _ in range(variables)]
    lines = [f"p cnf {variables} {clauses}"]
    while len(lines) <= clauses:
        picked = [(v, rng.random() < 0.5) for v in rng.sample(range(variables), 3)]
        if any(signs[v] == sign for v, sign in picked):
            lines.append(" ".join(str(v + 1 if sign else -v - 1) for v, sign in picked) + " 0")
    return signs, "\n".join(lines) + "\n"

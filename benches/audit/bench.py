"""Audits of a million rows: rows a second, on one core and two, and against the memory.

Rows come in parts as in an audit. *Threads* is what an audit does, a part for each thread; *core*
is one table of all rows, which the core deals to its own threads. Rows a second are of one core
by CPU time, because the machine is shared; speed-ups are by the clock, so that neighbours spoil
them: beside them is how much of two free cores the CPU time leaves (2 is perfect).

*Swept* is what a plain sweep of the circuit would move: 2 bytes for each cell of a row, and, for
each 512 rows, 64 bytes read an edge and 64 written a node. It is set against copying a large array
(bytes read and written) in the same run. Above 1 means that caches, and leaving out what no row
meets, do more than the memory could.

`python -m benches audit`; then the whole audit against what people do instead, see
peers.py. BENCH_AUDIT_ROWS=100000 asks about fewer rows.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy

from benches.audit.models import SIZES, Case, case_of
from benches.harness.timing import Elapsed, measure, print_table

ROWS = int(os.environ.get("BENCH_AUDIT_ROWS", 1_000_000))
MOST_SECONDS = 10.0
HEADER = [
    "circuit",
    "question",
    "rows",
    "rows/s",
    "2 threads",
    "core's 2",
    "of CPU time",
    "swept GB/s",
    "/ copying",
]


def run() -> None:
    """Print a table of the questions, and one of the whole audit beside its rivals."""
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        print(f"\naudit: {error.name} is not installed")
        return
    from benches.audit.peers import run_peers

    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    copied = copied_a_second()
    print(f"\naudit: load average {load}; copying moves {copied / 1e9:.1f} GB/s on one core")
    lines = [line for name in SIZES for line in _lines(case_of(name), copied)]
    print_table("questions about many rows (speed-ups of two over one)", HEADER, lines)
    run_peers(ROWS)


def copied_a_second(megabytes: int = 256) -> float:
    """Bytes read and written a second by copying an array that no cache holds."""
    source = numpy.ones(megabytes << 17, dtype=numpy.float64)
    target = numpy.empty_like(source)
    took = min(measure(lambda: numpy.copyto(target, source)).cpu for _ in range(5))
    return 2 * source.nbytes / took


def _lines(case: Case, copied: float) -> list[list[str]]:
    cells = cells_of(case, ROWS)
    names = [f"{case.name}: {len(case.native):,} nodes, {_distinct(case, cells):.0%} distinct"]
    return [
        _line(names.pop() if names else "", case, cells, question, copied) for question in QUESTIONS
    ]


def cells_of(case: Case, count: int) -> numpy.ndarray:
    """The cells of random rows."""
    from reasons.features.tables import cells_of_batch

    (batch,) = case.table(case.rows(count)).combine_chunks().to_batches()
    cells, problems, _ = cells_of_batch(case.classifier.schema, batch)
    assert not problems
    return cells


def _distinct(case: Case, cells: numpy.ndarray) -> float:
    """The share of rows of a part that are the first of their kind."""
    part = cells[: _part()]
    first, _ = _rows(case, part, 1).distinct()
    return len(first) / 4 / len(part)


def _line(name: str, case: Case, cells: numpy.ndarray, question: str, copied: float) -> list[str]:
    asked = QUESTIONS[question]
    cells = cells[: _affordable(case, cells, asked)]
    one = _in_parts(case, cells, asked, 1)
    two = _in_parts(case, cells, asked, 2)
    core = [_at_once(case, cells, asked, threads) for threads in (1, 2)]
    rate = len(cells) / one.cpu
    swept = _swept(case, len(cells)) / one.cpu if question != "decide" else None
    return [
        name,
        question,
        f"{len(cells):,}",
        f"{rate:,.0f}",
        f"{one.clock / two.clock:.2f}",
        f"{core[0].clock / core[1].clock:.2f}",
        f"{2 * one.cpu / two.cpu:.2f}",
        f"{swept / 1e9:.1f}" if swept else "-",
        f"{swept / copied:.2g}" if swept else "-",
    ]


def _swept(case: Case, rows: int) -> float:
    """The bytes of cells, and of node values in a plain sweep of the whole circuit."""
    nodes, edges = len(case.native), case.native.edges
    return rows * 2 * len(case.classifier.schema) + rows / 512 * 64 * (nodes + edges)


def _rows(case: Case, cells: numpy.ndarray, threads: int) -> Any:
    from reasons import _core

    return _core.Rows(case.native, cells.reshape(-1), len(cells), threads, _unlimited())


def _unlimited() -> Any:
    from reasons import _core

    return _core.Budget(None, None, None)


Asked = Callable[[Case, Any], object]

QUESTIONS: dict[str, Asked] = {
    "decide": lambda case, rows: rows.labels(),
    "bias": lambda case, rows: rows.biased(case.protected, False, _unlimited()),
    "bias, witness": lambda case, rows: rows.biased(case.protected, True, _unlimited()),
    "necessary": lambda case, rows: rows.necessary(_unlimited()),
    "one reason": lambda case, rows: rows.sufficient(_last_first(case), _unlimited()),
}


def _last_first(case: Case) -> list[int]:
    return list(reversed(range(len(case.classifier.schema))))


def _part() -> int:
    from reasons.formats.rows.source import PART

    return PART


def _affordable(case: Case, cells: numpy.ndarray, asked: Asked) -> int:
    """As many rows, a multiple of two parts, as a few seconds allow."""
    few = cells[: 1 << 13]
    seconds = measure(lambda: asked(case, _rows(case, few, 1))).cpu / len(few)
    pairs = max(1, int(MOST_SECONDS / 4 / seconds) // (2 * _part()))
    return min(len(cells), pairs * 2 * _part())


def _in_parts(case: Case, cells: numpy.ndarray, asked: Asked, workers: int) -> Elapsed:
    """A part for each thread at a time, as the threads of an audit work."""
    starts = range(0, len(cells), _part())

    def one(start: int) -> None:
        asked(case, _rows(case, cells[start : start + _part()], 1))

    with ThreadPoolExecutor(workers) as pool:
        return measure(lambda: list(pool.map(one, starts)))


def _at_once(case: Case, cells: numpy.ndarray, asked: Asked, threads: int) -> Elapsed:
    """All rows in one table; making it is not counted but for deciding, which it does."""
    if asked is QUESTIONS["decide"]:
        return measure(lambda: _rows(case, cells, threads))
    rows = _rows(case, cells, threads)
    return measure(lambda: asked(case, rows))

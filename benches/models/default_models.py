"""Models as libraries train them by default, on four tables: ready when, answered when, and true.

Each model runs in a process of its own (measured_model.py), so that its peak memory, less what the
process held before compiling, is its own. Times are of the clock, median (worst); the last column
is CPU by the clock, which is below 1 where neighbours had the cores, and above where threads
helped. Every reason is replayed on `predict` with drawn completions, every counterfactual and
witness as it is, and of some reasons each feature is shown to be needed: a wrong answer ends the
bench. Below each table stand the aims, and by how much they are missed.

`python -m benches default_models --quick` asks 4 rows of each model rather than 10, and leaves out
the forests without a depth limit. Words that follow choose tables or models: `credit LightGBM`.
"""

import os
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from benches.harness.subprocess_runner import Line, run_python
from benches.harness.timing import print_table
from benches.models.aims import verdicts
from benches.models.tables import DATA, KINDS, TABLES

ROWS, QUICK_ROWS = 10, 4
LIMIT = 3600.0
ASKED = ("reason", "widened", "statements", "counterfactual")
HEADER = [
    *("", "compile", "memory", "first", *ASKED, "widened / reason", "bias"),
    *("save, load", "past 1 s", "replayed", "CPU / clock"),
]


def run(arguments: Sequence[str] = ()) -> None:
    """Print a table for each data set."""
    quick = "--quick" in arguments
    wanted = set(arguments) - {"--quick"}
    count = QUICK_ROWS if quick else ROWS
    for name, (path, *_) in TABLES.items():
        if wanted & set(TABLES) and name not in wanted:
            continue
        if not (DATA / path).exists():
            print(f"\ndefault_models: {path} is not in {DATA.name}")
            continue
        measured = {}
        for kind in _kinds(wanted, quick):
            command = ["-m", "benches.models.measured_model", name, kind, str(count)]
            measured[kind] = run_python(command, seconds=LIMIT).lines
        load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
        title = f"default models on {name}: seconds by the clock, {count} rows; load average {load}"
        print_table(title, HEADER, [_row(kind, lines) for kind, lines in measured.items()])
        for verdict in verdicts(measured):
            print(f"  {verdict}", flush=True)


def _kinds(wanted: set[str], quick: bool) -> Iterator[str]:
    for kind, (family, *_) in KINDS.items():
        if wanted & set(KINDS):
            if kind in wanted:
                yield kind
        elif not (quick and family == "default"):
            yield kind


def _row(kind: str, lines: list[Line]) -> list[str]:
    if _one(lines, "refused"):
        return [kind, "refused", *["-"] * (len(HEADER) - 2)]
    before, compiled = _one(lines, "before"), _one(lines, "compile")
    peak = max(line["peak"] for line in lines) - before["peak"]
    first = next((line for line in lines if line.get("question") == "reason"), None)
    return [
        kind,
        f"{compiled['compile']:.2f}",
        f"{peak:.0f} MB",
        f"{first['clock']:.3f}" if first else "-",
        *(_spread(_of(lines, question)) for question in ASKED),
        _widening(lines),
        _bias(_of(lines, "bias")),
        *_rest(lines),
        f"{sum(x.get('cpu', 0) for x in lines) / sum(map(_clock, lines)):.2f}",
    ]


def _one(lines: list[Line], key: str) -> Any:
    """The line with that key; an empty one where the child was stopped before."""
    return next((line for line in lines if key in line), {})


def _of(lines: list[Line], question: str) -> list[Line]:
    return [line for line in lines if line.get("question") == question]


def _clock(line: Line) -> float:
    return float(line.get("clock", line.get("compile", 0.0)))


def _spread(asked: list[Line]) -> str:
    """Median (worst), and how many were left open."""
    if not asked:
        return "-"
    seconds = [line["clock"] for line in asked]
    late = sum(line["open"] for line in asked)
    worst = f"{max(seconds):.3g}" + (f", {late} open" if late else "")
    return f"{statistics.median(seconds):.3g} ({worst})"


def _widening(lines: list[Line]) -> str:
    """The median of the ratios, row by row."""
    pairs = zip(_of(lines, "widened"), _of(lines, "reason"), strict=False)
    ratios = [wide["clock"] / simple["clock"] for wide, simple in pairs if not simple["open"]]
    return f"{statistics.median(ratios):.1f}" if ratios else "-"


def _bias(asked: list[Line]) -> str:
    """Milliseconds at the median, and in decisions of the engine."""
    if not asked:
        return "-"
    seconds = statistics.median(line["clock"] for line in asked)
    one = statistics.median(line["decide"] for line in asked)
    return f"{1e3 * seconds:.2f} ms = {seconds / one:.0f} decisions"


def _rest(lines: list[Line]) -> list[str]:
    saved, past, replayed = (_one(lines, key) for key in ("save", "overshoot", "completions"))
    files = f"{saved['save']:.2f}, {saved['load']:.2f}, {saved['bytes'] / 1e6:.1f} MB"
    worst = max(past["overshoot"], key=past["overshoot"].__getitem__) if past else ""
    return [
        files if saved else "-",
        f"{max(0.0, past['overshoot'][worst]):.2f} {worst}" if past else "-",
        f"{replayed['completions']:,} + {replayed['flips']}" if replayed else "-",
    ]

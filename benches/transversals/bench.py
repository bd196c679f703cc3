"""All minimal transversals of hypergraphs, beside Graphillion and python-sat's Hitman.

Hitman lists what the others count, so the ratio to our time with the listing stands beside
it, where there are few enough to list. What takes less than a second is run several times,
each in a new process since Graphillion remembers; the fastest counts.
"""

from typing import NamedTuple

from benches.harness.subprocess_runner import Line, run_python
from benches.harness.timing import format_seconds, print_table
from benches.transversals.contenders import CASES

LIMIT = 60.0
RUNS = 3
STARTING = 1.0  # seconds for the interpreter and the imports
AIM, LONG = 10.0, 1.0

PEERS = {
    "hitting": "Graphillion hitting + minimal",
    "join": "Graphillion join + minimal",
    "hitman": "Hitman",
}


class Run(NamedTuple):
    """The answer of a contender, None if it gave up or is not installed."""

    answer: Line | None
    peak: float
    missing: str = ""


def run() -> None:
    """Print our own figures, then each peer's beside them."""
    ours = {case: _run("reasons", case) for case in CASES}
    _show_ours(ours)
    for peer in PEERS:
        _show_peer(peer, ours)


def _run(contender: str, case: str) -> Run:
    """The fastest of a few runs, or of one that is long."""
    runs: list[Run] = []
    for _ in range(RUNS):
        runs.append(_once(contender, case))
        answer = runs[-1].answer
        if answer is None or answer["seconds"] > LONG:
            break
    return min(runs, key=lambda run: run.answer["seconds"] if run.answer else LIMIT)


def _once(contender: str, case: str) -> Run:
    arguments = ["-m", "benches.transversals.contenders", contender, case]
    lines, stopped, peak = run_python(arguments, seconds=LIMIT + STARTING)
    if not lines:
        return Run(None, peak)
    if "missing" in lines[0]:
        return Run(None, peak, lines[0]["missing"])
    if stopped or lines[0]["seconds"] > LIMIT:
        return Run(None, peak)
    return Run(lines[-1], lines[0]["peak"])


def _show_ours(ours: dict[str, Run]) -> None:
    print_table(
        "transversals: all minimal ones, by reasons (vertices/edges/edge size)",
        ["", "how many", "compile", "set", "total", "listing", "circuit", "diagram", "peak"],
        [[case, *_figures(run.answer), _memory(run.peak)] for case, run in ours.items()],
    )


def _figures(answer: Line | None) -> list[str]:
    if answer is None:
        return [_gave_up(), *["-"] * 6]
    times = [format_seconds(answer[part]) for part in ("compile", "set", "seconds")]
    listing = format_seconds(answer["listed"]) if "listed" in answer else "-"
    sizes = [f"{answer[part]:,} nodes" for part in ("circuit", "diagram")]
    return [_number(answer["count"]), *times, listing, *sizes]


def _show_peer(peer: str, ours: dict[str, Run]) -> None:
    rows = []
    for case, mine in ours.items():
        theirs = _run(peer, case)
        if theirs.missing:
            print(f"\ntransversals: {theirs.missing} is not installed")
            return
        if mine.answer and theirs.answer:
            assert mine.answer["count"] == theirs.answer["count"], f"{peer} differs on {case}"
        took = format_seconds(theirs.answer["seconds"]) if theirs.answer else _gave_up()
        compared = _compared(mine.answer, theirs.answer)
        rows.append([case, took, *compared, _memory(theirs.peak), _memory(mine.peak)])
    print_table(
        f"transversals, {PEERS[peer]}; aim: more than 1, and {AIM:g} where it takes over "
        f"{LONG:g} s",
        ["", "theirs", "theirs / ours", "/ with listing", "aim", "their peak", "our peak"],
        rows,
    )


def _compared(ours: Line | None, theirs: Line | None) -> tuple[str, str, str]:
    """The ratios of the times, and whether the first is what we aim at."""
    if ours is None:
        return "-", "-", "missed"
    seconds, mine = theirs["seconds"] if theirs else LIMIT, ours["seconds"]
    more = "" if theirs else "> "
    met = seconds / mine > (AIM if seconds > LONG else 1.0)
    listed = f"{more}{seconds / (mine + ours['listed']):.3g}" if "listed" in ours else "-"
    return f"{more}{seconds / mine:.3g}", listed, "met" if met else "missed"


def _gave_up() -> str:
    return f"gave up at {LIMIT:g} s"


def _memory(megabytes: float) -> str:
    return f"{megabytes:,.0f} MB"


def _number(count: int) -> str:
    return f"{count:,}" if count < 10**9 else f"{count:.3g}"

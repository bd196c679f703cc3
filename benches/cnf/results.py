"""Results of CNF compilation beside d4: one line an instance, geometric means in the end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

from benches.harness.timing import print_table

LEAST, LONG = 0.001, 0.1
_WIDTHS = (40, 9, 9, 9, 9, 11, 11, 7, 11, 11, 7)
TITLES = (
    *("", "variables", "ours, s", "d4, s", "ratio", "our arcs", "d4's arcs", "ratio"),
    *("our edges", "d4's edges", "ratio"),
)


@dataclass
class Result:
    """One instance; what is None was not had, within the limits or at all."""

    folder: str
    name: str
    variables: int | None = None
    seconds: float | None = None
    peer_seconds: float | None = None
    arcs: int | None = None
    peer_arcs: int | None = None
    peer_arcs_read: int | None = None
    edges: int | None = None
    peer_edges: int | None = None
    note: str = ""


def row(result: Result) -> list[str]:
    """The cells of one instance's line."""
    pairs = (
        (result.seconds, result.peer_seconds, ".3f"),
        (result.arcs, result.peer_arcs, ",d"),
        (result.edges, result.peer_edges, ",d"),
    )
    cells = [f"{result.folder}/{Path(result.name).stem}"[:40], _spelled(result.variables, "d")]
    for ours, theirs, form in pairs:
        cells += [_spelled(ours, form), _spelled(theirs, form), _spelled(_ratio(ours, theirs))]
    return [*cells, result.note]


def _spelled(number: float | None, form: str = ".3g") -> str:
    return "-" if number is None else format(number, form)


def aligned(cells: Sequence[str]) -> str:
    """One line of the table of instances."""
    first = f"{cells[0]:<{_WIDTHS[0]}}"
    rest = (f"{cell:>{width}}" for cell, width in zip(cells[1:], _WIDTHS[1:], strict=False))
    return " ".join([first, *rest, *cells[len(_WIDTHS) :]]).rstrip()


def _ratio(ours: float | None, theirs: float | None) -> float | None:
    if ours is None or theirs is None:
        return None
    least = 1 if isinstance(ours, int) else LEAST  # literals have no arcs
    return max(ours, least) / max(theirs, least)


def print_summary(results: list[Result], limit: float) -> None:
    """Print means by folder and over all."""
    parts = {r.folder: [x for x in results if x.folder == r.folder] for r in results}
    rows = [_means(name, some) for name, some in {**parts, "all": results}.items()]
    header = [
        *("", "instances", "ours", "d4", "of d4's", "alone", "d4 alone", "time", "worst"),
        *(f"d4 > {LONG:g} s", "arcs", "worst", "arcs, read", "worst", "edges", "worst"),
    ]
    print_table(
        f"cnf: solved in {limit:g} s; geometric means and worst of ours / d4's", header, rows
    )
    for who, alone in (("us", _alone(results, True)), ("d4", _alone(results, False))):
        print(f"solved by {who} alone: {', '.join(alone) or 'none'}")


def _alone(results: Iterable[Result], ours: bool) -> list[str]:
    return [
        f"{r.folder}/{r.name}"
        for r in results
        if (r.seconds is not None, r.peer_seconds is not None) == (ours, not ours)
    ]


def _means(name: str, results: list[Result]) -> list[str]:
    mine = sum(r.seconds is not None for r in results)
    theirs = [r for r in results if r.peer_seconds is not None]
    both = [r for r in theirs if r.seconds is not None]
    times = [_ratio(r.seconds, r.peer_seconds) for r in both]
    slow = [_ratio(r.seconds, r.peer_seconds) for r in both if (r.peer_seconds or 0) > LONG]
    arcs = [_ratio(r.arcs, r.peer_arcs) for r in both]
    read = [_ratio(r.arcs, r.peer_arcs_read) for r in both]
    edges = [_ratio(r.edges, r.peer_edges) for r in both]
    share = f"{len(both) / len(theirs):.0%}" if theirs else "-"
    return [
        *(name, f"{len(results)}", f"{mine}", f"{len(theirs)}", share),
        *(f"{mine - len(both)}", f"{len(theirs) - len(both)}"),
        *(_mean(times), _worst(times), _mean(slow), _mean(arcs), _worst(arcs)),
        *(_mean(read), _worst(read), _mean(edges), _worst(edges)),
    ]


def _mean(ratios: Iterable[float | None]) -> str:
    logs = [log(ratio) for ratio in ratios if ratio is not None]
    return f"{exp(sum(logs) / len(logs)):.3g}" if logs else "-"


def _worst(ratios: Iterable[float | None]) -> str:
    return _spelled(max((ratio for ratio in ratios if ratio is not None), default=None))

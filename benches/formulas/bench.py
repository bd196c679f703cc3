"""Compiling formulas, against OxiDD and CUDD used directly on the same ones.

Ours includes reading the text and searching for an order; the others get the parsed
gates and follow the written order (CUDD a second time while it reorders).
"""

import time
from collections.abc import Callable
from functools import partial

import reasons
from benches.formulas.peers import (
    MOST_NODES,
    MOST_SECONDS,
    GaveUp,
    Missing,
    with_cudd,
    with_cudd_reordering,
    with_oxidd,
)
from benches.formulas.workloads import cases
from benches.harness.timing import format_seconds, print_table
from reasons.frontends.formula.gates import Formula
from reasons.frontends.formula.parser import parse

ROUNDS = 2
PEERS: dict[str, Callable[[Formula], int]] = {
    "oxidd": with_oxidd,
    "cudd": with_cudd,
    "cudd, reordering": with_cudd_reordering,
}


def run() -> None:
    """Print the table of all formulas."""
    print_table(
        "formulas: seconds, nodes; a peer gives up at "
        f"{MOST_NODES:,} nodes or {MOST_SECONDS:g} s; cudd counts with complement edges",
        ["", "reasons", *PEERS],
        (_row(name, text) for name, text in cases()),
    )


def _row(name: str, text: str) -> list[str]:
    formula = parse(text)
    ours = _told(lambda: len(reasons.compile(text).circuit))
    return [name, ours, *(_told(partial(peer, formula)) for peer in PEERS.values())]


def _told(make: Callable[[], int]) -> str:
    """The best time of a few and the nodes, or why there are none."""
    seconds = []
    try:
        for _ in range(ROUNDS):
            started = time.perf_counter()
            nodes = make()
            seconds.append(time.perf_counter() - started)
    except GaveUp:
        return "gave up"
    except Missing:
        return "not installed"
    return f"{format_seconds(min(seconds))}, {nodes:,}"

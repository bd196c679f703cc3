"""Best-of-several times, and tables of them.

The best of several rounds is reported, because noise only ever adds time. A call
that is faster than a round is repeated within it. The mean lost: on a shared
machine it measures the neighbours. For the same reason what only computes is timed
by its thread's own clock, which stands still while others run.
"""

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

ROUND_SECONDS = 0.002


Clock = Callable[[], float]


def best(call: Callable[[], object], rounds: int = 7, clock: Clock = time.thread_time) -> float:
    """The least seconds one call took, over several rounds, after a warm-up."""
    with _no_collector():
        repeats = _repeats(call, clock)
        return min(_round(call, repeats, clock) for _ in range(rounds))


def best_of_each(
    calls: Sequence[Callable[[], object]], rounds: int = 7, clock: Clock = time.thread_time
) -> list[float]:
    """The least seconds of each call, their rounds taken in turns.

    Turns make a ratio of two of them fair where the machine's speed drifts.
    """
    with _no_collector():
        repeats = [_repeats(call, clock) for call in calls]
        least = [float("inf")] * len(calls)
        for _ in range(rounds):
            for i, call in enumerate(calls):
                least[i] = min(least[i], _round(call, repeats[i], clock))
        return least


def _repeats(call: Callable[[], object], clock: Clock) -> int:
    """How many calls fill a round; finding out warms up."""
    call()
    return max(1, int(ROUND_SECONDS / max(_round(call, 1, clock), 1e-9)))


def _round(call: Callable[[], object], repeats: int, clock: Clock) -> float:
    started = clock()
    for _ in range(repeats):
        call()
    return (clock() - started) / repeats


@contextmanager
def _no_collector() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Elapsed(NamedTuple):
    """Seconds by the clock, and of CPU in all threads."""

    clock: float
    cpu: float


def measure(call: Callable[[], object], rounds: int = 1) -> Elapsed:
    """What one call took, the least of several."""
    taken = []
    for _ in range(rounds):
        clock, cpu = time.perf_counter(), time.process_time()
        call()
        taken.append(Elapsed(time.perf_counter() - clock, time.process_time() - cpu))
    return Elapsed(min(t.clock for t in taken), min(t.cpu for t in taken))


def format_seconds(seconds: float) -> str:
    """A time with three digits and a unit that suits it.

    >>> format_seconds(0.00123)
    '1.23 ms'
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table, the first column to the left and numbers to the right."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    print(f"\n{title}")
    for line in lines:
        cells = [f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)]
        print("  ".join([f"{line[0]:<{widths[0]}}", *cells[1:]]).rstrip(), flush=True)

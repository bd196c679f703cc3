"""What the queries of one decision cost a node, against copying the node table once.

The copy is the least that a query reading every node could take. The calls are the
native ones; the last lines show what Python adds. One feature protected stays
near the instance's path and walks little; all but one walks the whole table.

Warm, one circuit is asked again and again: a small table is then copied within the
second-level cache, at several times the speed of memory. Cold, as many equal circuits as
exceed every cache take turns, for the copy and for the queries alike.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from statistics import median
from typing import Any

import numpy
from numpy.typing import NDArray

from benches.harness.timing import best, best_of_each, format_seconds, print_table
from benches.queries.thresholds import SHAPES, Threshold, threshold
from reasons import _core

AIM = 5
INSTANCES = 5
COLD_BYTES = 160 << 20

Call = Callable[[], object]
Figures = dict[str, tuple[float, float]]


def run() -> None:
    """Print the tables of all queries and sizes."""
    _show("warm", {size: _measured(threshold(size), copies=1) for size in SHAPES})
    cold = {size: COLD_BYTES // threshold(size).native.bytes for size in SHAPES}
    _show("cold", {size: _measured(threshold(size), copies) for size, copies in cold.items()})
    _show_python()


def _show(how: str, measured: dict[int, Figures]) -> None:
    sizes = [f"{len(threshold(size).native):,} nodes" for size in measured]
    rows = [
        [
            name,
            *(f"{figures[name][0]:.2f} ({figures[name][1]:.1f})" for figures in measured.values()),
            *_verdicts(name, measured),
        ]
        for name in next(iter(measured.values()))
    ]
    print_table(
        f"queries, {how}: ns a node (times copying the table); "
        f"aim: at most {AIM} for those of one pass, and flat",
        ["", *sizes, f"at most {AIM}", "slowest / fastest"],
        rows,
    )


def _verdicts(name: str, measured: dict[int, Figures]) -> tuple[str, str]:
    """Whether the aim is met at every size, and how far from flat the times are."""
    times = [figures[name][0] for figures in measured.values()]
    flat = f"{max(times) / min(times):.2f}"
    if name in _NOT_ONE_PASS:
        return "-", flat
    met = [figures[name][1] <= AIM for figures in measured.values()]
    return ", ".join("met" if one else "missed" for one in met), flat


def _measured(of: Threshold, copies: int) -> Figures:
    """For each query the median over instances of ns a node, and of the ratio to a copy."""
    nodes = len(of.native)
    circuits = [of.native] if copies == 1 else [_copied(of.native) for _ in range(copies)]
    tables = cycle([_table(circuit) for circuit in circuits])
    target = numpy.ones_like(_table(of.native))
    found: dict[str, list[tuple[float, float]]] = {}
    for cells, label in of.near_instances(INSTANCES):
        calls = {
            _COPY: lambda: numpy.copyto(target, next(tables)),
            **_calls(cycle(circuits), cells, label, with_long=copies == 1),
        }
        seconds = best_of_each(list(calls.values()))
        for name, took in zip(calls, seconds, strict=True):
            found.setdefault(name, []).append((took * 1e9 / nodes, took / seconds[0]))
    return {
        name: (median(ns for ns, _ in pairs), median(ratio for _, ratio in pairs))
        for name, pairs in found.items()
    }


def _table(native: _core.Circuit) -> NDArray[numpy.uint8]:
    """The whole node table as one array."""
    parts = native.to_arrays().values()
    return numpy.concatenate([numpy.frombuffer(part, numpy.uint8) for part in parts])


def _copied(native: _core.Circuit) -> _core.Circuit:
    """An equal circuit at another place in memory."""
    arrays: dict[str, Any] = {
        name: numpy.frombuffer(part, numpy.uint16 if name == "arm_of" else numpy.uint32)
        for name, part in native.to_arrays().items()
    }
    return _core.Circuit.from_arrays(**arrays, labels=native.labels)


_COPY, _LONG = "copy of the table", "one sufficient reason"
_NOT_ONE_PASS = (_COPY, "decide", _LONG)


def _calls(
    circuits: Iterator[_core.Circuit], cells: list[int], label: int, *, with_long: bool
) -> dict[str, Call]:
    """The queries, each call on the next circuit."""
    features = range(len(cells))
    middle = len(cells) // 2
    budget = _core.Budget(None, None, None)

    def bias(protected: Sequence[int]) -> Call:
        return lambda: _core.biased(next(circuits), cells, label, protected)

    calls: dict[str, Call] = {
        "decide": lambda: _core.decide(next(circuits), cells),
        "necessary property": lambda: _core.necessary(next(circuits), cells, label),
        "complete reason": lambda: _core.complete_reason(next(circuits), cells, label),
        "general reason": lambda: _core.general_reason(next(circuits), cells, label),
        "bias, one feature": bias([middle]),
        "bias, lower half": bias(features[middle:]),
        "bias, every second": bias(features[::2]),
        "bias, all but one": bias([f for f in features if f != middle]),
        "is_sufficient, one": lambda: _core.counterexample(
            next(circuits), cells, label, [(middle, [cells[middle]])]
        ),
    }
    if with_long:
        order = list(reversed(features))
        calls[_LONG] = lambda: _core.sufficient(next(circuits), cells, label, order, budget)
    return calls


def _show_python() -> None:
    """What a user waits for at the smallest size, against the native call within it."""
    of = threshold(min(SHAPES))
    (cells, label), classifier = of.near_instances(1)[0], of.classifier
    instance = [bool(cell) for cell in cells]
    names = [f"x{f}" for f in range(0, len(cells), 2)]
    pairs = {
        "decide(x).label": (
            lambda: classifier.decide(instance).label,
            lambda: _core.decide(of.native, cells),
        ),
        "decide(x).necessary_property": (
            lambda: classifier.decide(instance).necessary_property,
            lambda: _core.necessary(of.native, cells, label),
        ),
        "decide(x).reason": (
            lambda: classifier.decide(instance).reason,
            lambda: _core.complete_reason(of.native, cells, label),
        ),
        "decide(x).bias(every second)": (
            lambda: classifier.decide(instance).bias(names),
            lambda: _core.biased(of.native, cells, label, list(range(0, len(cells), 2))),
        ),
    }
    rows = [
        [name, format_seconds(best(outer)), format_seconds(best(inner))]
        for name, (outer, inner) in pairs.items()
    ]
    print_table(f"the same from Python, {len(of.native):,} nodes", ["", "Python", "native"], rows)

"""What the queries of one decision cost a node, against copying the node table once.

The copy is the least that a query reading every node could take. The calls are the
native ones; the last lines show what Python adds. One feature protected stays
near the instance's path and walks little; all but one walks the whole table.
"""

from collections.abc import Callable, Sequence
from statistics import median

import numpy

from benches.thresholds import SHAPES, Threshold, threshold
from benches.timing import best, best_of_each, show, spelled
from reasons import _core

AIM = 5
INSTANCES = 5
ONE_PASS = "one pass"
LONGER = "not one pass"

Call = Callable[[], object]


def run() -> None:
    """Print the table of all queries and sizes."""
    measured = {size: _measured(threshold(size)) for size in SHAPES}
    names = list(measured[min(SHAPES)])
    sizes = [f"{len(threshold(size).native):,} nodes" for size in SHAPES]
    rows = [
        [name, *(_cell(measured[size][name]) for size in SHAPES), _verdict(name, measured)]
        for name in names
    ]
    show(
        f"queries: ns a node (times copying the table); aim: at most {AIM} for those of one pass, "
        "and flat",
        ["", *sizes, "aim"],
        rows,
    )
    _show_python()


def _cell(figures: tuple[float, float]) -> str:
    nanoseconds, ratio = figures
    return f"{nanoseconds:.2f} ({ratio:.1f})"


def _verdict(name: str, measured: dict[int, dict[str, tuple[float, float]]]) -> str:
    if name in _OTHERS:
        return "-"
    worst = max(figures[name][1] for figures in measured.values())
    return "met" if worst <= AIM else f"missed: {worst:.1f}"


def _measured(of: Threshold) -> dict[str, tuple[float, float]]:
    """For each query the median over instances of ns a node, and of the ratio to a copy."""
    nodes = len(of.native)
    copy = copying(of.native)
    found: dict[str, list[tuple[float, float]]] = {}
    for cells, label in of.near_instances(INSTANCES):
        calls = {"copy of the table": copy, **_calls(of.native, cells, label)}
        seconds = best_of_each(list(calls.values()), rounds=5)
        for name, took in zip(calls, seconds, strict=True):
            found.setdefault(name, []).append((took * 1e9 / nodes, took / seconds[0]))
    return {
        name: (median(ns for ns, _ in pairs), median(ratio for _, ratio in pairs))
        for name, pairs in found.items()
    }


def copying(native: _core.Circuit) -> Call:
    """A copy of the node table into memory that is there already, as memcpy does it."""
    arrays = [numpy.frombuffer(part, numpy.uint8) for part in native.to_arrays().values()]
    table = numpy.concatenate(arrays)
    target = numpy.ones_like(table)
    return lambda: numpy.copyto(target, table)


_OTHERS = ("copy of the table", "decide", "one sufficient reason")


def _calls(native: _core.Circuit, cells: list[int], label: int) -> dict[str, Call]:
    features = range(len(cells))
    middle = len(cells) // 2
    budget = _core.Budget(None, None, None)

    def bias(protected: Sequence[int]) -> Call:
        return lambda: _core.biased(native, cells, label, protected)

    return {
        "decide": lambda: _core.decide(native, cells),
        "necessary property": lambda: _core.necessary(native, cells, label),
        "complete reason": lambda: _core.complete_reason(native, cells, label),
        "general reason": lambda: _core.general_reason(native, cells, label),
        "bias, one feature": bias([middle]),
        "bias, lower half": bias(features[middle:]),
        "bias, every second": bias(features[::2]),
        "bias, all but one": bias([f for f in features if f != middle]),
        "is_sufficient, one": lambda: _core.counterexample(
            native, cells, label, [(middle, [cells[middle]])]
        ),
        "one sufficient reason": lambda: _core.sufficient(
            native, cells, label, list(reversed(features)), budget
        ),
    }


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
        [name, spelled(best(outer)), spelled(best(inner))] for name, (outer, inner) in pairs.items()
    ]
    show(f"the same from Python, {len(of.native):,} nodes", ["", "Python", "native"], rows)

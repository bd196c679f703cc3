"""What a circuit of about 10^5 nodes tells about all instances at once.

The threshold functions of thresholds.py. Beside CUDD (through dd) for counting, where it is
installed: it builds the same function by its own operations first, which is not timed.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any

from benches.harness.timing import best, format_seconds, print_table
from benches.queries.thresholds import Threshold, threshold

SIZES = (10_000, 100_000)
LISTED = 1_000


def run() -> None:
    """Print one row a question."""
    found = {size: _calls(threshold(size)) for size in SIZES}
    rows = [
        [name, *(format_seconds(best(calls[name], rounds=3)) for calls in found.values())]
        for name in found[SIZES[0]]
    ]
    header = ["", *(f"{len(threshold(size).native):,} nodes" for size in SIZES)]
    print_table("models: CPU time", header, [*rows, _by_cudd()])


def _calls(of: Threshold) -> dict[str, Callable[[], Any]]:
    classifier = of.classifier
    name = classifier.features[0].name
    other = classifier.condition({name: True})
    weights = {f.name: {True: 0.25, False: 0.75} for f in classifier.features}
    assert classifier.count(True) + classifier.count(False) == 1 << len(classifier.features)
    assert not classifier.equivalent(other)
    assert classifier.equivalent(classifier)
    return {
        "count": lambda: classifier.count(True),
        "counts, all features": lambda: classifier.counts(True),
        "marginals, all features": lambda: classifier.marginals(True),
        "weighted count, floating": lambda: classifier.weighted_count(True, weights, exact=False),
        "weighted count, exact": lambda: classifier.weighted_count(True, weights),
        f"{LISTED:,} instances": lambda: list(islice(classifier.instances(True), LISTED)),
        f"{LISTED:,} drawn": lambda: classifier.sample(True, LISTED),
        "cheapest_instances": lambda: classifier.cheapest_instances(True),
        "equivalent, itself": lambda: classifier.equivalent(classifier),
        "equivalent, another": lambda: classifier.equivalent(other),
    }


def _by_cudd() -> list[str]:
    """CUDD's count of the same functions, which must agree with ours within floats."""
    try:
        from dd.cudd import BDD
    except ImportError:
        return ["count, CUDD", *("not installed" for _ in SIZES)]
    return [
        "count, CUDD",
        *(format_seconds(_cudd_seconds(threshold(size), BDD())) for size in SIZES),
    ]


def _cudd_seconds(of: Threshold, manager: Any) -> float:
    names = [f"x{i}" for i in range(len(of.weights))]
    manager.configure(reordering=False)
    manager.declare(*names)
    made = _diagram(of, manager, names)
    ours = of.classifier.count(True)
    theirs = manager.count(made, nvars=len(names))
    assert abs(theirs - ours) <= 1e-9 * ours, f"{theirs} but {ours}"
    return best(lambda: manager.count(made, nvars=len(names)), rounds=3)


def _diagram(of: Threshold, manager: Any, names: list[str]) -> Any:
    """The function by partial sums, the last feature first; what is settled is a constant."""
    below: dict[int, Any] = {}
    rest = 0
    for weight, name in zip(reversed(of.weights), reversed(names), strict=True):
        least, most = of.limit - rest - weight, of.limit
        above = sum(of.weights) - rest - weight

        def at(total: int, below: dict[int, Any] = below, rest: int = rest) -> Any:
            if total >= of.limit:
                return manager.true
            return manager.false if total + rest < of.limit else below[total]

        variable = manager.var(name)
        below = {
            total: manager.ite(variable, at(total + weight), at(total))
            for total in range(max(0, least), min(most, above + 1))
        }
        rest += weight
    return below[0]

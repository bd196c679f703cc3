"""Forests of 10, 100 and 1,000 trees: time to the first answer and memory, by the number of trees.

The credit-card data, trees of depth 6 and without a limit. Each forest runs in a process of its
own: compiling, then the first sufficient reason, and the peak memory less what the process held
before. The last columns are what ten times as many trees take more, of compiling, of memory, and
of the median reason: near 10 is linear. How hard a row is varies with the forest, so that the
median of five rows stands beside the first. Every reason is replayed on `predict`.

`python -m benches growth --quick` leaves out the forests of 1,000 trees without a limit.
"""

import statistics
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import reasons
from benches.harness.subprocess_runner import Line, report, run_python
from benches.harness.timing import print_table
from benches.models.measured_model import SECONDS, Timed, forget_peak
from benches.models.replay import Replay
from benches.models.tables import DATA, TABLES, table

TREES = (10, 100, 1000)
DEPTHS = (6, None)
ROWS = 5
LIMIT = 1800.0
HEADER = [
    *("", "compile", "CPU", "first answer", "median of 5", "worst", "memory", "leaves"),
    *("compile x", "memory x", "median x"),
]


def run(arguments: Sequence[str] = ()) -> None:
    """Print a row for each forest."""
    if not (DATA / TABLES["credit"][0]).exists():
        print("\ngrowth: the credit-card data are not there")
        return
    rows, quick = [], "--quick" in arguments
    for depth in DEPTHS:
        before: dict[str, float] = {}
        for trees in TREES:
            if quick and depth is None and trees == max(TREES):
                continue
            command = ["-m", "benches.models.growth", str(trees), str(depth or 0)]
            found = _figures(run_python(command, seconds=LIMIT).lines)
            name = f"{trees} x {depth or 'no limit'}"
            ratios = [_ratio(found, before, key) for key in ("compile", "memory", "median")]
            rows.append([name, *_cells(found), *ratios])
            before = found
    print_table("growth: forests on credit, seconds by the clock", HEADER, rows)


def _figures(lines: list[Line]) -> dict[str, float]:
    start, compiled, *answers = lines
    clocks = [line["clock"] for line in answers]
    return {
        "compile": compiled["clock"],
        "cpu": compiled["cpu"],
        "first": compiled["clock"] + clocks[0],
        "median": statistics.median(clocks),
        "worst": max(clocks),
        "memory": max(line["peak"] for line in lines) - start["peak"],
        "leaves": start["leaves"],
        "open": sum(line["open"] for line in answers),
    }


def _cells(found: dict[str, float]) -> list[str]:
    late = f", {found['open']:.0f} open" if found["open"] else ""
    return [
        *(f"{found[key]:.3g}" for key in ("compile", "cpu", "first", "median")),
        f"{found['worst']:.3g}{late}",
        f"{found['memory']:.0f} MB",
        f"{found['leaves']:,.0f}",
    ]


def _ratio(found: dict[str, float], before: dict[str, float], key: str) -> str:
    return f"{found[key] / before[key]:.1f}" if before else ""


def main(trees: int, depth: int) -> None:
    """Report the start, compiling, and the answers of some rows; each reason is replayed."""
    from sklearn.ensemble import RandomForestClassifier

    data = table("credit")
    model: Any = RandomForestClassifier(trees, max_depth=depth or None, random_state=0, n_jobs=1)
    model.fit(data.X, data.y)
    leaves = sum(int(tree.tree_.n_leaves) for tree in model.estimators_)
    forget_peak()
    report({"leaves": leaves})
    with Timed() as timed:
        classifier = reasons.compile(model, method="search")
    report({"clock": timed.clock, "cpu": timed.cpu})
    replay = Replay(model, data, classifier)
    answers = []
    for at in range(0, len(data.X), len(data.X) // ROWS):
        decision, reason = classifier.decide(data.X.iloc[at]), None
        with Timed() as timed:
            try:
                reason = decision.sufficient_reason(budget=reasons.Budget(seconds=SECONDS))
            except reasons.BudgetExceeded:
                reason = None
        report({"clock": timed.clock, "cpu": timed.cpu, "open": reason is None})
        answers.append((decision, reason))
    for decision, reason in answers:
        if reason is not None:
            replay.reason(decision, reason)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(int(sys.argv[1]), int(sys.argv[2]))

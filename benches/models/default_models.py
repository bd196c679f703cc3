"""Models as libraries train them by default, on the credit-card data: ready when, answered when.

CPU seconds, so that a busy machine changes little. Rows are taken at equal distances.
"""

import resource
import statistics
import time
from collections.abc import Callable
from typing import Any

import reasons
from benches.harness.subprocess_runner import ROOT
from benches.harness.timing import print_table

TABLE = ROOT.parent / "shared" / "data" / "credit" / "credit-card-clients.csv.gz"
ROWS, SECONDS = 10, 60.0
QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "one reason": lambda d: d.sufficient_reason(budget=reasons.Budget(seconds=SECONDS)),
    "widened": lambda d: d.sufficient_reason(general=True, budget=reasons.Budget(seconds=SECONDS)),
    "statements": lambda d: d.statements(),
    "counterfactual": lambda d: d.counterfactual(),
    "bias on SEX": lambda d: d.bias("SEX"),
}


def models() -> dict[str, Any]:
    """Default models, and a forest of limited depth."""
    from lightgbm import LGBMClassifier
    from sklearn.ensemble import RandomForestClassifier
    from xgboost import XGBClassifier

    return {
        "LightGBM": LGBMClassifier(verbose=-1, n_jobs=1),
        "XGBoost": XGBClassifier(n_jobs=1),
        "random forest 100 x depth 6": RandomForestClassifier(max_depth=6, random_state=0),
        "random forest": RandomForestClassifier(random_state=0),
    }


def run() -> None:
    """Print a row for each model: compile, then median and worst of each question."""
    if not TABLE.exists():
        print(f"skipped: {TABLE.name} is not there")
        return
    import pandas

    frame = pandas.read_csv(TABLE)
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    rows = [X.iloc[at] for at in range(0, len(X), len(X) // ROWS)][:ROWS]
    table = []
    for name, model in models().items():
        model.fit(X, y)
        started = time.process_time()
        classifier = reasons.compile(model)
        cells = [name, classifier.method, f"{time.process_time() - started:.2f}"]
        for question in QUESTIONS.values():
            cells.append(_answered([classifier.decide(row) for row in rows], question))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        table.append([*cells, f"{peak:.2f} GB"])
    title = "Default models on credit-card data: CPU seconds, median (worst)"
    print_table(title, ["", "method", "compile", *QUESTIONS, "peak so far"], table)


def _answered(decisions: list[Any], question: Callable[[Any], Any]) -> str:
    """Median and worst CPU seconds, and how many were not answered in time."""
    spent, open_ = [], 0
    for decision in decisions:
        started = time.process_time()
        try:
            question(decision)
        except reasons.BudgetExceeded:
            open_ += 1
        spent.append(time.process_time() - started)
    late = f", {open_} open" if open_ else ""
    return f"{statistics.median(spent):.3f} ({max(spent):.2f}{late})"

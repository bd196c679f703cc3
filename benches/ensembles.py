"""One sufficient reason for instances of the XGBoost models that XReason was measured on.

The text dumps and data in ../shared/data/ensembles: 50 trees a class, base score 0.5. XReason's
times are its published means (MaxSAT, on another machine), where they are known.
"""

import csv
import time
from pathlib import Path
from statistics import mean, median
from typing import Any

from benches.apart import ROOT
from benches.timing import show
from reasons import Budget, BudgetExceeded
from reasons.frontends.estimators import Options, classifier_of
from reasons.frontends.xgboost_text import read_text

FOLDER = ROOT.parent / "shared" / "data" / "ensembles"
PUBLISHED = {"sonar": 0.69, "spambase": 10.1}
INSTANCES = 100
LIMIT = 10.0
MOST_LATE = 3


def run() -> None:
    """Print one row a data set."""
    if not FOLDER.exists():
        print("\nensembles: there is no ../shared/data/ensembles")
        return
    rows = [_row(path) for path in sorted(FOLDER.glob("*/*.mod.txt"))]
    show(f"ensembles: CPU seconds of one sufficient reason, limit {LIMIT:g} s", HEADER, rows)


HEADER = [
    *("", "classes", "features", "instances", "mean", "median", "most", "late"),
    *("size", "XReason's mean", "/ ours"),
]


def _row(path: Path) -> list[str]:
    name = path.parent.name
    names, table, classes = _table(path.parent / f"{name}.csv")
    model = read_text(path, classes=classes, base_score=0.5, names=names)
    classifier = classifier_of(model, Options(method="search"), budget=Budget(seconds=LIMIT))
    seconds, sizes, late = [], [], 0
    for row in table[:INSTANCES]:
        started = time.thread_time()
        try:
            reason = classifier.decide(row).sufficient_reason(budget=Budget(seconds=LIMIT))
        except BudgetExceeded:
            late += 1
            if late == MOST_LATE:
                break
            continue
        seconds.append(time.thread_time() - started)
        sizes.append(len(reason))
    published = PUBLISHED.get(name)
    done = bool(seconds)
    return [
        *(name, str(len(classes)), str(len(names)), str(len(seconds))),
        *(f"{of(seconds):.4f}" if done else "-" for of in (mean, median, max)),
        str(late),
        f"{median(sizes):g}" if done else "-",
        f"{published:g}" if published else "-",
        f"{published / mean(seconds):,.0f}" if published and done else "-",
    ]


def _table(path: Path) -> tuple[list[str], list[list[float]], list[Any]]:
    """Column names, rows, and the classes: the sorted values of the last column."""
    with path.open(newline="") as file:
        header, *lines = [line for line in csv.reader(file) if line]
    rows = [[float(value) for value in line[:-1]] for line in lines]
    return header[:-1], rows, sorted({line[-1] for line in lines})

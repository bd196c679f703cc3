"""One sufficient reason for instances of the XGBoost models that XReason was measured on.

The text dumps and data in ../shared/data/ensembles: 50 trees a class, base score 0.5. XReason's
times are its published means (MaxSAT, on another machine), where they are known. Of some
instances the reasons are checked by a walk of the dump that knows nothing of the package: where
any feature is dropped, an instance with the rest gets another label, and random ones with
all of it do not.
"""

import csv
import random
import re
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

from numpy import float32

from benches.harness.timing import print_table
from benches.models.tables import DATA
from reasons import Budget, BudgetExceeded, Decision, Term
from reasons.frontends.models import classifier_of
from reasons.frontends.options import Options
from reasons.frontends.xgboost.text_dump import read_text

FOLDER = DATA / "ensembles"
PUBLISHED = {"sonar": 0.69, "spambase": 10.1, "wdbc": 0.42}
INSTANCES = 100
CHECKED, DRAWN = 10, 50
LIMIT = 10.0
MOST_LATE = 3


def run() -> None:
    """Print one row a data set."""
    if not FOLDER.exists():
        print("\nensembles: there is no ../shared/data/ensembles")
        return
    rows = [_row(path) for path in sorted(FOLDER.glob("*/*.mod.txt"))]
    print_table(f"ensembles: CPU seconds of one sufficient reason, limit {LIMIT:g} s", HEADER, rows)


HEADER = [
    *("", "classes", "features", "instances", "mean", "median", "most", "late", "checked"),
    *("size", "XReason's mean", "/ ours"),
]


def _row(path: Path) -> list[str]:
    name = path.parent.name
    names, table, classes = _table(path.parent / f"{name}.csv")
    model = read_text(path, Options(classes=classes, names=names), 0.5)
    classifier = classifier_of(model, Options(method="search"), budget=Budget(seconds=LIMIT))
    walk = Walk(path.read_text(), len(classes))
    seconds, sizes, late, checked = [], [], 0, 0
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
        if checked < CHECKED:
            _check(classifier.decide(row), reason, table, walk)
            checked += 1
    published = PUBLISHED.get(name)
    done = bool(seconds)
    return [
        *(name, str(len(classes)), str(len(names)), str(len(seconds))),
        *(f"{of(seconds):.4f}" if done else "-" for of in (mean, median, max)),
        *(str(late), str(checked)),
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


class Walk:
    """The label of a row by walking every tree, in the order of the dump."""

    def __init__(self, text: str, classes: int) -> None:
        self._classes = classes
        parts = re.split(r"booster\[\d+\]:?\n", text)[1:]
        self._trees = [
            dict(self._node(line) for line in part.split("\n") if line) for part in parts
        ]

    @staticmethod
    def _node(line: str) -> tuple[int, Any]:
        number, rest = line.strip().split(":", 1)
        if rest.startswith("leaf="):
            return int(number), float(rest[5:])
        found = re.fullmatch(r"\[f(\d+)<(.+)\] yes=(\d+),no=(\d+),missing=(\d+)", rest)
        assert found is not None, line
        return int(number), (int(found[1]), float32(found[2]), *map(int, found.groups()[2:]))

    def label(self, row: Sequence[Any]) -> int:
        """Its position: the largest sum, or whether the only one is above 0."""
        count = 1 if self._classes == 2 else self._classes
        sums = [0.0] * count
        for i, tree in enumerate(self._trees):
            node = tree[0]
            while isinstance(node, tuple):
                feature, bound, yes, no, missing = node
                value = row[feature]
                node = tree[missing if value is None else yes if float32(value) < bound else no]
            sums[i % count] += node
        return int(sums[0] > 0) if count == 1 else sums.index(max(sums))


def _check(decision: Decision, reason: Term, table: list[list[float]], walk: Walk) -> None:
    own = decision.instance
    label = walk.label(list(own.values()))
    assert decision.classifier.labels[label] == decision.label
    for dropped in reason:
        other = decision.counterexample({name: own[name] for name in reason if name != dropped})
        assert other is not None, f"{reason} needs no {dropped}"
        assert walk.label(list(other.values())) != label, f"{other} does not flip"
    rng = random.Random(len(reason))
    for _ in range(DRAWN):
        drawn = [rng.choice(column) for column in zip(*table, strict=True)]
        mixed = [own[name] if name in reason else x for name, x in zip(own, drawn, strict=True)]
        assert walk.label(mixed) == label, f"{reason} is not sufficient"

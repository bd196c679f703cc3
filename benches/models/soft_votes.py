"""Compiling random forests that average: nodes, seconds, and close calls settled.

Each is tried within `BUDGET`, its seconds by the clock; past that, `reasons.compile` would hand
over to search. Categories
are dummy columns, declared as groups, so that features are the user's. The COMPAS-like data
are made: eight features of few values, as that file has, which is not among the data here.
"""

import csv
import gzip
import time
from typing import Any

import numpy

import reasons
from benches.harness.subprocess_runner import ROOT
from benches.harness.timing import print_table
from reasons import _core
from reasons.circuits.circuit import native_budget
from reasons.ensembles.discretize import over_cells
from reasons.ensembles.inputs import own
from reasons.ensembles.one_hot import grouped
from reasons.frontends.options import Options
from reasons.frontends.sklearn.read import read

FAIRNESS = ROOT.parent / "shared" / "data" / "fairness"
SIZES = [(10, 3), (25, 3), (50, 3), (100, 3), (10, 4), (25, 4)]
BUDGET = {"nodes": 1_000_000, "seconds": 30.0}
HEADER = ["", "features", "nodes", "states", "settled", "CPU seconds", "method"]

Data = tuple[list[str], Any, Any, dict[str, list[str]]]  # names, rows, labels, groups


def run() -> None:
    """Print a table a data set."""
    try:
        from sklearn.ensemble import RandomForestClassifier
    except ImportError as error:
        print(f"\nsoft_votes: {error.name} is not installed")
        return
    for name, data in _all_data().items():
        rows = []
        for trees, depth in SIZES:
            forest = RandomForestClassifier(trees, max_depth=depth, random_state=0, n_jobs=1)
            rows.append(_row(f"{trees} x {depth}", forest.fit(data[1], data[2]), data))
        print_table(f"soft votes, {name}: at most {BUDGET}", HEADER, rows)


def _row(size: str, forest: Any, data: Data) -> list[str]:
    names, _, _, groups = data
    model = read(forest, Options(names=names))
    schema, native = over_cells(model, grouped(own(model), groups))
    stats = _core.CompileTreesStats()
    started = time.thread_time()
    try:
        circuit = _core.compile_trees(native, [], native_budget(reasons.Budget(**BUDGET)), stats)
        nodes, method = f"{len(circuit):,}", "compiled"
    except reasons.BudgetExceeded as error:
        nodes, method = "-", f"search: {error}"
    seconds = time.thread_time() - started
    counts = [f"{stats.states:,}", f"{stats.settled:,}"]
    return [size, str(len(schema)), nodes, *counts, f"{seconds:.2f}", method]


def _all_data() -> dict[str, Data]:
    from sklearn.datasets import load_breast_cancer, load_wine

    found = {
        name: ([f"x{i}" for i in range(rows.shape[1])], rows, labels, {})
        for name, (rows, labels) in {
            "like COMPAS": _like_compas(),
            "wine, 3 classes": load_wine(return_X_y=True),
            "breast cancer": load_breast_cancer(return_X_y=True),
        }.items()
    }
    if not FAIRNESS.exists():
        print("\nsoft_votes: there is no ../shared/data/fairness")
        return found
    with gzip.open(FAIRNESS / "adult" / "adult.data.gz", "rt") as file:
        adult = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    with (FAIRNESS / "german" / "german_data_credit.csv").open(newline="") as file:
        german = list(csv.reader(file))[1:]
    return {"Adult": _dummies(adult), "German": _dummies(german), **found}


def _like_compas() -> tuple[Any, Any]:
    rng = numpy.random.default_rng(0)
    values = numpy.array([3, 2, 6, 12, 10, 5, 4, 2])
    rows = rng.integers(0, values, (6000, len(values))).astype(float)
    score = (rows / values) @ rng.normal(size=len(values)) + rng.normal(scale=0.3, size=len(rows))
    return rows, (score > numpy.median(score)).astype(int)


def _dummies(lines: list[list[str]]) -> Data:
    """Numbers as they are, other columns one dummy column a value; the last is the label."""
    names: list[str] = []
    columns: list[Any] = []
    groups: dict[str, list[str]] = {}
    *inputs, labels = zip(*lines, strict=True)
    for i, texts in enumerate(inputs):
        if all(text.lstrip("-").isdigit() for text in texts):
            names.append(f"x{i}")
            columns.append(numpy.array(texts, dtype=float))
            continue
        groups[f"x{i}"] = [f"x{i}={value}" for value in sorted(set(texts))]
        names += groups[f"x{i}"]
        columns += [numpy.array([t == v for t in texts], float) for v in sorted(set(texts))]
    return names, numpy.stack(columns, axis=1), numpy.array(labels), groups

"""CPU seconds of two versions of the package on the same work, run in turns.

    python tools/compare_speed.py OLD/bin/python NEW/bin/python [--turns 3] [--only audit]
    OLD/bin/python tools/compare_speed.py work              # one version, as JSON

A turn is a fresh process of each version, so that a machine that slows down slows both. Reported
are medians over turns, their ratio, and the spread; CPU time, because neighbours steal the clock.
Only public names are used, and those that both versions have.
"""

import argparse
import json
import random
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SHARED_CNF = ("generated", "structured")
MOST_BYTES = 40_000
Work = Callable[[], object]


def works() -> dict[str, Callable[[], Work]]:
    """Names of work, and what prepares each."""
    return {
        "queries: decide": lambda: _asked(lambda d: d.label, 20_000),
        "queries: complete reason": lambda: _asked(lambda d: d.reason, 10_000),
        "queries: necessary": lambda: _asked(lambda d: d.necessary_property, 10_000),
        "queries: bias": lambda: _asked(lambda d: d.bias(["x0", "x7"]), 10_000),
        "queries: one reason": lambda: _asked(lambda d: d.sufficient_reason(), 2_000),
        "queries: all reasons": lambda: _asked(lambda d: d.sufficient_reasons().count(), 2_000),
        "audit: table in memory": _audit_table,
        "audit: CSV with report": _audit_file,
        "cnf: compile": _cnf,
        "formulas: compile": _formulas,
        "forest: compile and one reason": _forest,
        "printing: reasons": _printing,
    }


def threshold(features: int = 40) -> Any:
    """At least half of the features are true: a diagram of about a quarter of their square."""
    import reasons

    names = [f"x{i}" for i in range(features)]
    builder = reasons.Builder(names)
    leaves = builder.leaf(False), builder.leaf(True)
    row = [leaves[count >= features // 2] for count in range(features + 1)]
    for at in reversed(range(features)):
        row = [
            builder.decide(names[at], {False: row[count], True: row[count + 1]})
            for count in range(at + 1)
        ]
    return builder.build(row[0])


def _asked(ask: Callable[[Any], object], times: int) -> Work:
    classifier = threshold()
    rng = random.Random(0)
    rows = [[rng.random() < 0.5 for _ in classifier.features] for _ in range(20)]

    def work() -> None:
        for number in range(times):
            ask(classifier.decide(rows[number % len(rows)]))

    return work


def _loans(rows: int) -> tuple[Any, Any]:
    import numpy
    import pandas
    from sklearn.ensemble import GradientBoostingClassifier

    import reasons

    rng = numpy.random.default_rng(0)
    table = pandas.DataFrame(
        {
            "age": rng.integers(18, 80, rows),
            "income": rng.integers(10, 90, rows),
            "debt": rng.integers(0, 40, rows),
            "sex": rng.integers(0, 2, rows),
        }
    )
    labels = (table.income - table.debt + 5 * table.sex + table.age / 4 > 50)[:2_000]
    model = GradientBoostingClassifier(n_estimators=8, max_depth=3, random_state=0)
    return reasons.compile(model.fit(table[:2_000], labels)), table


def _audit_table() -> Work:
    import pyarrow

    import reasons

    classifier, table = _loans(300_000)
    rows = pyarrow.Table.from_pandas(table, preserve_index=False)
    return lambda: reasons.audit(classifier, rows, protected="sex")


def _audit_file() -> Work:
    import reasons

    classifier, table = _loans(300_000)
    folder = Path(tempfile.mkdtemp())
    table.to_csv(folder / "rows.csv", index=False)

    def work() -> None:
        found = reasons.audit(classifier, folder / "rows.csv", protected="sex")
        found.report(folder / "audit.html")

    return work


def _cnf() -> Work:
    import reasons

    paths = [
        path
        for folder in SHARED_CNF
        for path in sorted((DATA / "cnf" / folder).glob("*.cnf"))
        if path.stat().st_size < MOST_BYTES
    ]

    def work() -> None:
        for path in paths:
            try:
                reasons.load(path, compile=True, budget=reasons.Budget(nodes=200_000)).count(True)
            except reasons.BudgetExceeded:
                continue

    return work


def formula_texts(number: int = 24) -> list[str]:
    """Random formulas whose order of variables matters."""
    texts = []
    for seed in range(number):
        rng = random.Random(seed)
        names = [f"v{i}" for i in range(rng.randrange(24, 34))]
        parts = [" & ".join(rng.sample(names, 3)) for _ in range(rng.randrange(16, 26))]
        texts.append(" | ".join(f"({part})" for part in parts) + f" ^ {names[0]}")
    return texts


def _formulas() -> Work:
    import reasons

    return lambda: [reasons.compile(text) for text in formula_texts()]


def _wine() -> tuple[Any, Any]:
    """A small forest, and the rows it was fitted to."""
    from sklearn.datasets import load_wine
    from sklearn.ensemble import RandomForestClassifier

    table, labels = load_wine(return_X_y=True)
    return RandomForestClassifier(10, max_depth=3, random_state=0).fit(table, labels), table


def _forest() -> Work:
    import reasons

    model, table = _wine()
    return lambda: [reasons.compile(model).decide(row).sufficient_reason() for row in table[:5]]


def printed_decisions() -> list[Any]:
    """Decisions whose reasons are printed: of formulas and of small models."""
    import reasons

    classifier, table = _loans(2_000)
    some = [classifier.decide(table.iloc[at]) for at in range(0, 200, 20)]
    model, rows = _wine()
    some.append(reasons.compile(model, method="compiled").decide(rows[0]))
    for text in formula_texts(6):
        formula = reasons.compile(text)
        some.append(formula.decide([True] * len(formula.features)))
    return some


def _printing() -> Work:
    decisions = printed_decisions()
    return lambda: [str(decision.reason) for decision in decisions]


def measured(only: str) -> dict[str, float]:
    """CPU seconds of each work, best of three."""
    warnings.simplefilter("ignore")
    found = {}
    for name, prepare in works().items():
        if only not in name:
            continue
        work = prepare()
        found[name] = min(_cpu(work) for _ in range(3))
    return found


def _cpu(work: Work) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def turn(python: str, only: str) -> dict[str, float]:
    """One fresh process of one version."""
    command = [python, __file__, "work", "--only", only]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tempfile.gettempdir())
    if done.returncode:
        raise SystemExit(done.stderr[-3000:])
    times: dict[str, float] = json.loads(done.stdout)
    return times


def main() -> None:
    """Measure one version, or compare two."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("python", nargs="+", help="two interpreters, the old one first; or `work`")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", default="", help="a part of the names of the work wanted")
    options = parser.parse_args()
    if options.python == ["work"]:
        print(json.dumps(measured(options.only)))
        return
    old, new = options.python
    turns = [(turn(old, options.only), turn(new, options.only)) for _ in range(options.turns)]
    print(f"{'work':32} {'old s':>8} {'new s':>8} {'ratio':>6}   ratios of the turns")
    for name in turns[0][0]:
        before, after = (median(pair[at][name] for pair in turns) for at in (0, 1))
        each = " ".join(f"{pair[1][name] / pair[0][name]:.2f}" for pair in turns)
        print(f"{name:32} {before:8.3f} {after:8.3f} {after / before:6.2f}   {each}")


if __name__ == "__main__":
    main()

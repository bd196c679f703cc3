"""Budgets hold from the first instruction, and Ctrl-C ends every stage.

Limits are generous: what is caught here ran for a minute on a budget of one second.
"""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons import Budget, BudgetExceeded
from tests.support.folders import ROOT

SECONDS = 0.2
LATE = 2.0  # on a busy machine


def wide_points(features: int) -> list[dict[str, Any]]:
    """A points table of so many features with three bins each."""
    draw = random.Random(0).randrange
    return [
        {"feature": f"f{at}", "bin": bin, "points": draw(1, 1000)}
        for at in range(features)
        for bin in ("a", "b", "c")
    ]


def slow(rows: Any) -> Any:
    """A predict function that takes 13 seconds for all rows of 16 features."""
    time.sleep(len(rows) * 2e-4)
    return rows[:, 0]


def hard_clauses(folder: Path) -> str:
    """A DIMACS file that takes minutes to compile."""
    draw = random.Random(3)
    lines = [
        " ".join(str(draw.choice((v, -v))) for v in draw.sample(range(1, 301), 3)) + " 0"
        for _ in range(600)
    ]
    path = folder / "hard.cnf"
    path.write_text(f"p cnf 300 {len(lines)}\n" + "\n".join(lines))
    return str(path)


def large_forest() -> Any:
    """A forest without a depth limit, which takes seconds to read and discretise."""
    ensemble = pytest.importorskip("sklearn.ensemble")
    numpy = pytest.importorskip("numpy")
    rng = numpy.random.default_rng(0)
    rows = rng.normal(size=(4000, 20))
    labels = (rng.random(4000) < 0.5).astype(int)
    return ensemble.RandomForestClassifier(100, n_jobs=2, random_state=0).fit(rows, labels)


def require_in_time(work: Callable[[Budget], Any]) -> None:
    """The work must exceed a small budget, and soon."""
    started = time.monotonic()
    with pytest.raises(BudgetExceeded):
        work(Budget(seconds=SECONDS))
    assert time.monotonic() - started < SECONDS + LATE


def test_reading_and_discretising_a_forest_heed_seconds() -> None:
    forest = large_forest()
    require_in_time(lambda budget: reasons.compile(forest, budget=budget))


def test_progress_is_told_while_a_forest_is_read_and_discretised() -> None:
    told: list[str] = []
    budget = Budget(progress=lambda stage, done, total: told.append(stage))
    reasons.compile(large_forest(), method="search", budget=budget)
    assert {"reading trees", "discretising", "building the trees"} <= set(told)


def test_wide_sums_heed_seconds() -> None:
    rows = wide_points(3000)
    require_in_time(lambda budget: reasons.from_points(rows, threshold=1_500_000, budget=budget))


def test_the_order_of_a_wide_sum_is_found_at_once() -> None:
    started = time.monotonic()
    clf = reasons.from_points(wide_points(1200), threshold=600_000, budget=Budget(seconds=60))
    assert clf.labels == (False, True)
    assert time.monotonic() - started < 40


def test_a_slow_function_is_called_with_few_rows() -> None:
    names = [f"x{i}" for i in range(16)]
    require_in_time(
        lambda budget: reasons.compile(slow, features=names, rows="array", budget=budget)
    )


QUESTIONS: dict[str, Callable[[Any, Budget], Any]] = {
    "count": lambda clf, budget: clf.count(True, budget=budget),
    "counts": lambda clf, budget: clf.counts(True, budget=budget),
    "marginals": lambda clf, budget: clf.marginals(True, budget=budget),
    "sample": lambda clf, budget: clf.sample(True, 3, budget=budget),
    "prime implicants": lambda clf, budget: clf.prime_implicants(True, budget=budget),
    "bias": lambda clf, budget: clf.bias("1", budget=budget),
    "bias share": lambda clf, budget: clf.bias_share("1", budget=budget),
    "equivalence": lambda clf, budget: clf.equivalent(clf, budget=budget),
    "condition": lambda clf, budget: clf.condition({"1": True}, budget=budget),
    "forget": lambda clf, budget: clf.forget("1", budget=budget),
    "a reason": lambda clf, budget: clf.decide([False] * 300).sufficient_reason(budget=budget),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_clauses_are_compiled_within_the_budget_of_a_question(
    tmp_path: Path, question: str
) -> None:
    clf = reasons.load(hard_clauses(tmp_path), compile=False)
    require_in_time(lambda budget: QUESTIONS[question](clf, budget))


def test_an_error_names_the_seconds_that_were_given(tmp_path: Path) -> None:
    clf = reasons.load(hard_clauses(tmp_path), compile=False)
    with pytest.raises(BudgetExceeded, match=r"limit 0\.2$"):
        clf.count(True, budget=Budget(seconds=0.2))


def test_each_stops_a_loop() -> None:
    budget = Budget(seconds=0.05)
    with pytest.raises(BudgetExceeded, match="counting"):
        for _ in budget.each(iter(int, 1), "counting"):
            pass


def test_ctrl_c_in_the_shell_prints_no_traceback(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "reasons", "show", hard_clauses(tmp_path)]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        time.sleep(4)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert time.monotonic() - started < 10
    assert process.returncode == 130
    assert b"Traceback" not in errors


INTERRUPTED_IMPORT = """
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
from reasons.cli import main
main()
"""


def test_ctrl_c_while_importing_prints_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT], capture_output=True, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stderr, done.stdout) == (130, b"", b"")

"""One default model on one table, in a process of its own: times, memory, and replayed answers.

`python -m benches.models.measured_model TABLE MODEL ROWS` answers in lines of JSON. Each question
gets a decision of its own, because a decision remembers its reason. Seconds are of the clock, as a
budget's are, and of CPU in all threads beside them.
"""

import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import reasons
from benches.harness.subprocess_runner import report
from benches.models.replay import Replay
from benches.models.tables import KINDS, Table, table, trained

SECONDS = 60.0
MINIMAL, OVERSHOT = 2, 3  # rows whose reasons are shown minimal, and that get a second each

Question = Callable[[Any, reasons.Budget], Any]
QUESTIONS: dict[str, Question] = {
    "reason": lambda d, budget: d.sufficient_reason(budget=budget),
    "widened": lambda d, budget: d.sufficient_reason(general=True, budget=budget),
    "statements": lambda d, budget: d.statements(budget=budget),
    "counterfactual": lambda d, budget: d.counterfactual(budget=budget),
}


class Timed:
    """Seconds by the clock and of CPU of the call within."""

    def __enter__(self) -> "Timed":
        self._started = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.clock = time.perf_counter() - self._started[0]
        self.cpu = time.process_time() - self._started[1]


def main(name: str, kind: str, count: int) -> None:
    """Report compiling, each answer, saving, and what a budget of one second becomes."""
    data = table(name)
    model = trained(kind, data)
    options = dict(KINDS[kind].options) | ({"data": data.X} if KINDS[kind].with_data else {})
    forget_peak()
    report({"before": True})
    with Timed() as timed:
        try:
            classifier = reasons.compile(model, **options)
        except reasons.ReasonsError as error:
            report({"refused": str(error)})
            return
    report({"compile": timed.clock, "cpu": timed.cpu, "method": classifier.method})
    rows = [data.X.iloc[at] for at in range(0, len(data.X), len(data.X) // count)][:count]
    replay = Replay(model, data, classifier)
    for number, row in enumerate(rows):
        for question in QUESTIONS:
            _ask(classifier.decide(row), question, number, replay)
        _ask_bias(classifier, row, data, replay)
    report({"completions": replay.completions, "flips": replay.flips})
    _save(classifier, rows)
    _overshoot(model, options, classifier, rows[:OVERSHOT])


def _ask(decision: reasons.Decision, question: str, number: int, replay: Replay) -> None:
    """One answer within the budget, timed and then replayed."""
    answer = None
    with Timed() as timed, suppress(reasons.BudgetExceeded):
        answer = QUESTIONS[question](decision, reasons.Budget(seconds=SECONDS))
    said = {"question": question, "clock": timed.clock, "cpu": timed.cpu, "open": answer is None}
    report(said | ({"size": len(answer)} if question == "reason" and answer else {}))
    if answer is None or question == "statements":
        return
    if question == "counterfactual":
        replay.change(decision, answer)
        return
    replay.reason(decision, answer)
    if question == "reason" and number < MINIMAL:
        replay.minimal(decision, answer)


def _ask_bias(classifier: Any, row: Any, data: Table, replay: Replay) -> None:
    """Bias on the feature of two values, in decisions of the same row."""
    decision = classifier.decide(row)
    with Timed() as one:
        for _ in range(20):
            classifier.backend.decide(decision.instance.cells)
    with Timed() as asked:
        bias = decision.bias(data.two_valued)
    report({"question": "bias", "clock": asked.clock, "cpu": asked.cpu, "decide": one.clock / 20})
    replay.bias(decision, bias)


def _save(classifier: reasons.Classifier, rows: list[Any]) -> None:
    """Save, load, and find the same labels and the same first reason."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.reasons"
        with Timed() as saving:
            classifier.save(path)
        with Timed() as loading:
            loaded = reasons.load(path)
        size = path.stat().st_size
    for row in rows:
        assert loaded.decide(row).label == classifier.decide(row).label
    report({"save": saving.clock, "load": loading.clock, "bytes": size})


def _overshoot(model: Any, options: Any, classifier: Any, rows: list[Any]) -> None:
    """How far past one second compiling and each question go, at most."""
    worst = {"compile": _past(lambda budget: reasons.compile(model, budget=budget, **options))}
    for name, question in QUESTIONS.items():
        decisions = [classifier.decide(row) for row in rows]
        worst[name] = max(_past(partial(question, each)) for each in decisions)
    report({"overshoot": worst})


def _past(call: Callable[[reasons.Budget], Any]) -> float:
    started = time.perf_counter()
    with suppress(reasons.BudgetExceeded):
        call(reasons.Budget(seconds=1))
    return time.perf_counter() - started - 1


def forget_peak() -> None:
    """Training's memory is not ours. Where the system does not allow it, it is counted."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

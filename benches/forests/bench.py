"""One sufficient reason and one contrastive set of ensembles, beside PyXAI's, SHAP for scale.

Two problems, which are not the same. *Real*: the model as its library decides, over its columns;
only we answer that. *Tests*: what PyXAI answers (see models.py), which both answer here;
labels must agree, and our reasons there are literals as PyXAI's are. Of boosted trees PyXAI has
no sufficient reasons: its tree-specific ones are compared, which need not be minimal.

PyXAI's reasons are then held against the real model: one is *broken* if some instance has all
its literals and gets another label from the library. Missing values are left out of that,
though XGBoost takes them. Every answer of ours is checked by the library's `predict`: dropping
any feature of a reason lets the label flip, random rows that share the reason keep it, and
contrastive instances flip it.

CPU time, because the machine is shared; the limit of 10 s for a question is by the clock. After
one question out of time the rest of its kind is skipped.

`python -m benches forests`; with BENCH_FORESTS=rf10 only the models with that in their name.
"""

import json
import os
import pickle
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from benches.forests.checks import FATES, check_change, check_reason, fate, is_untrue
from benches.harness.peer_environment import pyxai_python
from benches.harness.subprocess_runner import ROOT, Line, run_python
from benches.harness.timing import print_table

LIMIT = 10.0
MOST_GIVEN_UP = 1
KINDS = ("sufficient", "contrastive")


def run() -> None:
    """Print a table of times a data set and kind, and one of what was checked."""
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        print(f"\nforests: {error.name} is not installed")
        return
    from benches.forests.models import cases

    peer = pyxai_python()
    print(f"\nforests: ms of CPU, median / most; limit {LIMIT:g} s a question", flush=True)
    for case in cases(os.environ.get("BENCH_FORESTS", "")):
        measured = Measured(case)
        theirs = _theirs(peer, case)
        print_table(f"{case.data}, {case.name}", HEADER, [_row(k, measured, theirs) for k in KINDS])
        print(f"  {measured.checked}; {_held(measured, theirs)}", flush=True)


HEADER = ["", "real", "size", "tests", "size", "PyXAI", "size", "PyXAI / tests"]


class Answers:
    """The answers to one kind of question, None where time ran out."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.sizes: list[int] = []
        self.given_up = 0

    def ask(self, call: Callable[[], Any]) -> Any:
        """The answer, timed; None if there is none in time, or too many took too long."""
        from reasons import BudgetExceeded

        if self.given_up == MOST_GIVEN_UP:
            return None
        started = time.process_time()
        try:
            found = call()
        except BudgetExceeded:
            self.given_up += 1
            return None
        self.seconds.append(time.process_time() - started)
        return found

    def add(self, size: int) -> None:
        self.sizes.append(size)

    def said(self) -> tuple[str, str]:
        late = f" +{self.given_up} late" if self.given_up else ""
        return spread(self.seconds) + late, sizes(self.sizes)


def spread(seconds: list[float]) -> str:
    """Median and most in ms."""
    if not seconds:
        return "-"
    return f"{1e3 * median(seconds):.3g} / {1e3 * max(seconds):.3g}"


def sizes(found: list[int]) -> str:
    """The median size."""
    return f"{median(found):g}" if found else "-"


class Measured:
    """Our answers on a case, real and by test, checked by the library."""

    def __init__(self, case: Any) -> None:
        import reasons
        from benches.forests.models import ByTest

        self.case = case
        budget = reasons.Budget(seconds=LIMIT)
        self.real = reasons.compile(case.model, method="search", budget=budget)
        self.by_test = ByTest(case, LIMIT)
        self.answers = {(p, k): Answers() for p in ("real", "tests") for k in KINDS}
        self._true = 0
        self._flips = 0
        for numbers in case.instances:
            self._explain("real", lambda numbers=numbers: self.real.decide(numbers))
            self._explain("tests", lambda numbers=numbers: self.by_test.decide(numbers))

    def _explain(self, problem: str, decide: Callable[[], Any]) -> None:
        from reasons import Budget

        reason, change = (self.answers[problem, kind] for kind in KINDS)
        found = reason.ask(lambda: decide().sufficient_reason(budget=Budget(seconds=LIMIT)))
        if found is not None:
            reason.add(len(found))
            if problem == "real":
                check_reason(decide(), found, self.case)
                self._true += 1
        changed = change.ask(lambda: decide().counterfactual())
        if changed is not None:
            change.add(len(changed.given_up))
            if problem == "real":
                check_change(decide(), changed, self.case)
                self._flips += 1

    @property
    def checked(self) -> str:
        return (
            f"ours: {self._true} reasons true and minimal by predict, "
            f"{self._flips} contrastive instances flip it"
        )


def _theirs(python: str | None, case: Any) -> list[Line]:
    """PyXAI's answers an instance, then SHAP's times; nothing without them."""
    if python is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("model.pickle" if case.is_forest else "model.json")
        if case.is_forest:
            path.write_bytes(pickle.dumps(case.model))
        else:
            case.model.save_model(path)
        task = {"model": str(path), "instances": case.instances.tolist(), "seconds": LIMIT}
        # -P: the benches beside that file must not hide packages of the same name
        arguments = ["-P", str(ROOT / "benches" / "forests" / "pyxai_peer.py")]
        return run_python(
            arguments, seconds=60 * LIMIT, python=python, stdin=json.dumps(task)
        ).lines


def _row(kind: str, ours: Measured, theirs: list[Line]) -> list[str]:
    tests = ours.answers["tests", kind]
    found = [line[kind] for line in theirs if "skipped" not in line.get(kind, {"skipped": True})]
    answered = [each for each in found if each["seconds"] is not None]
    seconds = [each["seconds"] for each in answered]
    late = f" +{len(found) - len(answered)} late" if len(found) > len(answered) else ""
    ratio = f"{median(seconds) / median(tests.seconds):.3g}" if seconds and tests.seconds else "-"
    return [
        kind,
        *ours.answers["real", kind].said(),
        *tests.said(),
        spread(seconds) + late,
        sizes([len(each["literals"]) for each in answered]),
        ratio,
    ]


def _held(ours: Measured, theirs: list[Line]) -> str:
    """What becomes of PyXAI's reasons on the real model, and on its own problem; and SHAP."""
    counts = dict.fromkeys(("found", *FATES, "untrue of its own problem", "other labels"), 0)
    for numbers, line in zip(ours.case.instances, theirs, strict=False):
        real, own = ours.real.decide(numbers), ours.by_test.decide(numbers)
        assert own.label == line["label"], f"{own.label} but {line}"
        counts["other labels"] += own.label != real.label
        literals = line["sufficient"].get("literals")
        if literals is None:
            continue
        counts["found"] += 1
        counts[fate(real, own.label, literals, ours.case)] += 1
        counts["untrue of its own problem"] += is_untrue(own, ours.by_test.term(literals))
    shap = [seconds for line in theirs for seconds in line.get("shap", [])]
    said = ", ".join(f"{number} {what}" for what, number in counts.items())
    return f"PyXAI's: {said}; SHAP {spread(shap)} ms" if theirs else "no PyXAI"

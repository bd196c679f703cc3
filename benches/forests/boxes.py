"""Another label in a box, and the largest score in a box, beside Veritas.

Models on the credit-card data, numbers only and none missing, as Veritas takes them. Both search
the same trees. A box keeps some features of a row and leaves the others free: those of a
sufficient reason, where no other label is left (a proof); the same less one feature, where there
is one; and a random half. Scores grow with the label that the row does not have.

Veritas maximises; we answer whether the label can change. So both are asked both: Veritas for a
first score above 0, and we for the largest, by bisection to a millionth of the range on the same
engine, which has no such question of its own. Building is counted for neither side, but in the
bisection it is part of each step. What does not end within the limit counts with what it took.

Where both end, the answers must agree. Every example is replayed on the library's `predict`.
"""

import json
import math
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import reasons
from benches.forests.margins import Margin, margin
from benches.harness.peer_environment import PEERS, peer_python
from benches.harness.subprocess_runner import ROOT, Line, run_python
from benches.harness.timing import print_table
from benches.models.tables import DATA, TABLES, Table, table, trained

LIMIT = 20.0
ROWS = 5
MODELS = ("forest 100 x 6", "LightGBM", "XGBoost")
KINDS = ("reason", "reason less one", "half")
HEADER = [
    *("", "boxes", "ours", "Veritas", "by median", "by sum", "most of ours"),
    *("open", "Veritas open"),
]


class Box(NamedTuple):
    """A row, the features of it that are kept, and what kind of box that is."""

    kind: str
    decision: reasons.Decision
    kept: list[str]

    @property
    def values(self) -> dict[int, float]:
        """What is kept, by column."""
        own = self.decision.instance
        return {i: float(own[name]) for i, name in enumerate(own) if name in self.kept}


def run() -> None:
    """Print a table for each model."""
    if not (DATA / TABLES["credit"][0]).exists():
        print("\nboxes: the credit-card data are not there")
        return
    python = peer_python(PEERS / "veritas", ["dtai-veritas==0.3.1"])
    data = table("credit")
    for name in MODELS:
        model = trained(name, data)
        classifier = reasons.compile(model, method="search", missing=False)
        boxes = _boxes(classifier.within(reasons.Budget(), LIMIT), data)
        measured = Measured(model, data, boxes, python)
        title = f"boxes, {name} on credit: seconds by the clock, limit {LIMIT:g} s"
        print_table(f"{title}, medians", HEADER, measured.rows())
        print(f"  {measured.checked}", flush=True)


def _boxes(classifier: reasons.Classifier, data: Table) -> list[Box]:
    rng = random.Random(0)
    boxes = []
    for at in range(0, len(data.X), len(data.X) // ROWS):
        decision = classifier.decide(data.X.iloc[at])
        reason = list(decision.sufficient_reason(budget=reasons.Budget(seconds=60)))
        less = [name for name in reason if name != reason[rng.randrange(len(reason))]]
        names = list(decision.instance)
        half = rng.sample(names, len(names) // 2)
        boxes += [Box(k, decision, x) for k, x in zip(KINDS, (reason, less, half), strict=True)]
    return boxes


class Measured:
    """Both sides' answers to both questions, held against `predict` and each other."""

    def __init__(self, model: Any, data: Table, boxes: list[Box], python: str | None) -> None:
        self._model, self._data, self._boxes = model, data, boxes
        self._replayed = self._equal = 0
        margins = {label: margin(_read(model), label) for label in (0, 1)}
        of_box = [margins[int(box.decision.label)] for box in boxes]
        self._ours = [self._answers(b, m) for b, m in zip(boxes, of_box, strict=True)]
        self._theirs: list[Line] = [{}] * len(boxes)
        if python is not None:
            for own in margins.values():
                places = [i for i, each in enumerate(of_box) if each is own]
                lines = _veritas(python, own, [boxes[i] for i in places])
                for i, line in zip(places, lines, strict=True):
                    self._theirs[i] = line
            for number, own in enumerate(of_box):
                self._compare(number, own)

    def _answers(self, box: Box, own: Margin) -> Line:
        term = {name: box.decision.instance[name] for name in box.kept}
        first = _timed(lambda: box.decision.counterexample(term))
        if first["answer"] is not None:
            self._replay(box, list(first["answer"].values()))
        return {"counterexample": first, "largest": _timed(lambda: _largest(own, box, term))}

    def _replay(self, box: Box, values: list[Any]) -> None:
        """The library gives the instance another label; what is kept is kept."""
        import pandas

        assert all(values[i] == x for i, x in box.values.items())
        frame = pandas.DataFrame([values], columns=list(self._data.X))
        assert self._model.predict(frame)[0] != box.decision.label
        self._replayed += 1

    def _compare(self, number: int, own: Margin) -> None:
        """Where both end: there is another label for both or for none; equal largest scores."""
        box, ours, theirs = self._boxes[number], self._ours[number], self._theirs[number]
        first, other = ours["counterexample"], theirs["counterexample"]
        if other["box"]:
            self._replay(box, _instance(box, other["box"]))
        if first["ended"] and other["ended"]:
            assert (first["answer"] is None) == (other["box"] is None), box
            self._equal += 1
        first, other = ours["largest"], theirs["largest"]
        if first["ended"] and other["ended"]:
            width = 2e-6 * (abs(own.most()) + abs(own.start) + 1)
            assert abs(first["answer"] - other["score"]) <= width, (box, first, other["score"])
            self._equal += 1

    def rows(self) -> list[list[str]]:
        """A row for each question and kind of box."""
        return [
            self._row(question, kind)
            for question in ("counterexample", "largest")
            for kind in KINDS
        ]

    def _row(self, question: str, kind: str) -> list[str]:
        places = [i for i, box in enumerate(self._boxes) if box.kind == kind]
        ours = [self._ours[i][question] for i in places]
        theirs = [self._theirs[i][question] for i in places if self._theirs[i]]
        own, other = ([x["clock"] for x in side] for side in (ours, theirs))
        ratios = [f"{of(other) / of(own):,.3g}" for of in (median, sum)] if other else ["-", "-"]
        late, late_other = (sum(not x["ended"] for x in side) for side in (ours, theirs))
        return [
            f"{question}, {kind}",
            str(len(places)),
            f"{median(own):.4f}",
            f"{median(other):.4f}" if other else "-",
            *ratios,
            f"{max(own):.2f}",
            str(late),
            str(late_other) if other else "-",
        ]

    @property
    def checked(self) -> str:
        return f"{self._replayed} examples flip predict; {self._equal} answers of both agree"


def _read(model: Any) -> Any:
    from reasons.frontends.lightgbm.read import read as read_lightgbm
    from reasons.frontends.sklearn.read import read as read_sklearn
    from reasons.frontends.xgboost.read import read as read_xgboost

    readers = {"lightgbm": read_lightgbm, "sklearn": read_sklearn, "xgboost": read_xgboost}
    return readers[type(model).__module__.partition(".")[0]](model)


def _timed(call: Callable[[], Any]) -> Line:
    started = time.perf_counter()
    try:
        answer, ended = call(), True
    except reasons.BudgetExceeded:
        answer, ended = None, False
    return {"answer": answer, "ended": ended, "clock": time.perf_counter() - started}


def _largest(own: Margin, box: Box, term: dict[str, Any]) -> float:
    """The largest score within a millionth of the range, by bisection over cuts."""
    deadline = time.monotonic() + LIMIT
    row = list(box.decision.instance.values())
    low, high = own.score(row), own.most()
    width = 1e-6 * (high - low)
    while high - low > width:
        left = deadline - time.monotonic()
        if left <= 0:
            raise reasons.BudgetExceeded("largest score", seconds=LIMIT, limit=LIMIT)
        cut = (low + high) / 2
        limited = own.above(cut).within(reasons.Budget(), left)
        found = limited.decide(row).counterexample(term)
        if found is None:
            high = cut
        else:
            low = max(own.score(list(found.values())), cut)
    return low


def _veritas(python: str, own: Margin, boxes: list[Box]) -> list[Line]:
    task = {
        "trees": own.trees,
        "start": own.start,
        "boxes": [box.values for box in boxes],
        "seconds": LIMIT,
    }
    # -P: the benches beside that file must not hide packages of the same name
    arguments = ["-P", str(ROOT / "benches" / "forests" / "veritas_peer.py")]
    seconds = 3 * LIMIT * len(boxes) + 60
    return run_python(arguments, seconds=seconds, python=python, stdin=json.dumps(task)).lines


def _instance(box: Box, found: dict[str, list[float]]) -> list[float]:
    """The row, with a value inside each interval [low, high) that it is not in."""
    values = [float(x) for x in box.decision.instance.values()]
    for column, (low, high) in found.items():
        if not low <= values[int(column)] < high:
            values[int(column)] = _inside(low, high)
    return values


def _inside(low: float, high: float) -> float:
    if math.isinf(low):
        return high - 1
    return low + 1 if math.isinf(high) else (low + high) / 2

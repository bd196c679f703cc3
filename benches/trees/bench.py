"""All sufficient reasons of decision trees' decisions, beside PyXAI's.

PyXAI explains with tests ("x3 <= 0.8"), so both get a tree whose every test is a Boolean
feature of its own and must find as many reasons. Our reasons over the numeric features
themselves are in columns of their own; they are fewer and are another question.

Most decisions have few reasons. So that the hard ones are seen too, points drawn at random
are ranked by how many they have, and those at fixed places of that ranking are explained.

PyXAI drags in a gigabyte of packages: it lives in an environment under build/peers.
"""

import json
from math import inf
from typing import Any

from benches.harness.peer_environment import pyxai_python
from benches.harness.subprocess_runner import ROOT, Line, run_python
from benches.harness.timing import format_seconds, print_table
from benches.trees.all_reasons import ByTest

LIMIT = 60.0
DRAWN = 500
PLACES = (0.0, 0.5, 0.75, 0.9, 1.0)
DEPTH = 8
AIM, LONG = 10.0, 1.0
WAYS = ("all", "d4")  # listing the reasons, and counting them with the compiler d4


def run() -> None:
    """Print a table a data set."""
    try:
        tasks = {name: _task(*data) for name, data in _data().items()}
    except ImportError as error:
        print(f"\ntrees: {error.name} is not installed")
        return
    peer = pyxai_python()
    for name, task in tasks.items():
        task_text = json.dumps(task)
        ours = run_python(["-m", "benches.trees.all_reasons"], seconds=2 * LIMIT, stdin=task_text)
        theirs, peak = _theirs(peer, task_text)
        _check(ours.lines, theirs)
        rows = [_row(place, *pair) for place, *pair in zip(PLACES, ours.lines, theirs, strict=True)]
        beside = f"PyXAI {peak:,.0f} MB" if peak else "PyXAI could not be installed"
        print_table(f"trees, {name}: peak {ours.peak:,.0f} MB, {beside}", HEADER, rows)


HEADER = [
    *("place", "reasons", "ours", "listed", "PyXAI all", "/ ours", "/ listed"),
    *("PyXAI d4", "/ ours", "aim", "by feature", "ours"),
]


def _data() -> dict[str, tuple[Any, Any]]:
    from sklearn.datasets import load_breast_cancer, load_digits, make_classification

    digits, digit = load_digits(return_X_y=True)
    return {
        "breast cancer": load_breast_cancer(return_X_y=True),
        "digits, odd or even": (digits, digit % 2),
        "make_classification 2000x20": make_classification(
            2000, 20, n_informative=14, n_redundant=0, random_state=0
        ),
    }


def _task(points: Any, labels: Any) -> Line:
    """A tree, and instances drawn from its data."""
    import numpy
    from sklearn.tree import DecisionTreeClassifier

    made = DecisionTreeClassifier(max_depth=DEPTH, random_state=0).fit(points, labels).tree_

    def tree(node: int) -> Any:
        if made.children_left[node] < 0:
            return int(made.value[node][0].argmax())
        children = (made.children_left[node], made.children_right[node])
        return [int(made.feature[node]), float(made.threshold[node]), *map(tree, children)]

    drawn = numpy.random.default_rng(0).choice(len(points), DRAWN, replace=False)
    # scikit-learn compares in single precision
    instances = points[drawn].astype(numpy.float32).tolist()
    return {"tree": tree(0), "instances": _ranked(tree(0), instances), "seconds": LIMIT}


def _ranked(tree: Any, instances: list[list[float]]) -> list[list[float]]:
    """The instances at the places of the ranking by their number of reasons."""
    model = ByTest(tree)

    def count(instance: list[float]) -> int:
        return model.classifier.decide(model.instance(instance)).sufficient_reasons().count()

    ranked = sorted(instances, key=count)
    return [ranked[round(place * (len(ranked) - 1))] for place in PLACES]


def _theirs(python: str | None, task: str) -> tuple[list[Line], float]:
    """PyXAI's answers, and its peak memory; no answers without PyXAI."""
    if python is None:
        return [{"skipped": True}] * len(PLACES), 0.0
    # -P: the benches beside that file must not hide packages of the same name
    arguments = ["-P", str(ROOT / "benches" / "trees" / "pyxai_peer.py")]
    lines, _, peak = run_python(arguments, seconds=6 * LIMIT, python=python, stdin=task)
    return [*lines, *([{"skipped": True}] * (len(PLACES) - len(lines)))], peak


def _check(ours: list[Line], theirs: list[Line]) -> None:
    """Both must have the same labels and as many reasons, wherever PyXAI finishes."""
    for mine, their in zip(ours, theirs, strict=True):
        if "skipped" in their:
            continue
        for way in WAYS:
            assert their[way]["count"] in (None, mine["count"]), f"{mine} but {their}"
        assert their["label"] == mine["label"], f"{mine} but {their}"


def _row(place: float, ours: Line, theirs: Line) -> list[str]:
    features = ours["by feature"]
    seconds, listed = ours["seconds"], ours.get("listed")
    everything, counted = (_seconds(theirs, way) for way in WAYS)
    return [
        *(
            f"{place:.0%}",
            f"{ours['count']:,}",
            format_seconds(seconds),
            format_seconds(listed) if listed else "-",
        ),
        *(_spelled(everything), _ratio(everything, seconds), _ratio(everything, listed)),
        *(_spelled(counted), _ratio(counted, seconds)),
        _verdict([everything, counted], seconds),
        *(f"{features['count']:,}", format_seconds(features["seconds"])),
    ]


def _seconds(line: Line, way: str) -> float | None:
    """What PyXAI took, `inf` if it gave up; None if it was not run or said nothing."""
    if "skipped" in line:
        return None
    took = line[way]
    if took["seconds"] is None:
        return inf
    return None if took["count"] is None else float(took["seconds"])


def _spelled(theirs: float | None) -> str:
    if theirs is None:
        return "no answer"
    return f"gave up at {LIMIT:g} s" if theirs == inf else format_seconds(theirs)


def _ratio(theirs: float | None, ours: float | None) -> str:
    if theirs is None or ours is None:
        return "-"
    return f"> {LIMIT / ours:,.0f}" if theirs == inf else f"{theirs / ours:,.3g}"


def _verdict(theirs: list[float | None], ours: float) -> str:
    """Whether we are ahead of both ways, and far ahead of a long one."""
    times = [min(seconds, LIMIT) for seconds in theirs if seconds is not None]
    if not times:
        return "-"
    met = all(seconds / ours > (AIM if seconds > LONG else 1.0) for seconds in times)
    return "met" if met else "missed"

"""The same by PyXAI: run as a file by the Python of its own environment, which has no `reasons`.

`Explainer.ALL` lists the reasons; `n_sufficient_reasons` counts them with the compiler d4.
An alarm stops the listing, not PyXAI's `time_limit`: that one starts a thread a reason.
"""

import json
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MOST_GIVEN_UP = 2


class GaveUp(Exception):
    """The alarm rang."""


def main() -> None:
    """Answer for each instance in turn."""
    task = json.loads(sys.stdin.read())
    tests = sorted(tests_of(task["tree"]))
    explainer = explained(task["tree"], {test: i + 1 for i, test in enumerate(tests)})
    given_up = 0
    for numbers in task["instances"]:
        if given_up == MOST_GIVEN_UP:
            report({"skipped": True})
            continue
        instance = tuple(int(numbers[feature] <= threshold) for feature, threshold in tests)
        answer = answered(explainer, instance, task["seconds"])
        given_up += answer["all"]["seconds"] is None
        report(answer)


def tests_of(tree: Any) -> set[tuple[int, float]]:
    """The features and thresholds that a tree tests."""
    if isinstance(tree, int):
        return set()
    feature, threshold, below, above = tree
    return {(feature, threshold)} | tests_of(below) | tests_of(above)


def explained(tree: Any, number: dict[tuple[int, float], int]) -> Any:
    """PyXAI's explainer of the tree over Boolean features, one a test."""
    from pyxai import Builder, Explaining

    def node(part: Any) -> Any:
        if isinstance(part, int):
            return part
        feature, threshold, below, above = part
        return Builder.DecisionNode(number[feature, threshold], left=node(above), right=node(below))

    made = Builder.DecisionTree(len(number), node(tree), force_features_equal_to_binaries=True)
    return Explaining.initialize(made)


def answered(explainer: Any, instance: tuple[int, ...], limit: float) -> dict[str, Any]:
    """The reasons' number and the time for them, listed and then counted.

    Where every literal is necessary, the counting forgets to say 1 and says None.
    """
    from pyxai import Explaining

    def listed() -> int:
        explainer.set_instance(instance)
        return len(explainer.sufficient_reason(n=Explaining.ALL))

    def counted() -> Any:
        explainer.set_instance(instance)
        return explainer.n_sufficient_reasons(time_limit=int(limit))

    return {
        "all": timed(listed, limit),
        "d4": timed(counted, limit),
        "label": int(explainer.target_prediction),
    }


def timed(call: Callable[[], Any], limit: float) -> dict[str, Any]:
    """The count and the best time, of three where it is short; no time after an alarm."""
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        seconds = []
        for _ in range(3):
            started = time.perf_counter()
            count = call()
            seconds.append(time.perf_counter() - started)
            if seconds[-1] > 1.0:
                break
        return {"count": count, "seconds": min(seconds)}
    except GaveUp:
        return {"count": None, "seconds": None}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def ring(*_: object) -> None:
    """Stop what is running."""
    raise GaveUp


def report(line: dict[str, Any]) -> None:
    """Print an answer, and the peak memory in MB so far."""
    status = Path("/proc/self/status").read_text().splitlines()
    peak = next(int(row.split()[1]) / 1024 for row in status if row.startswith("VmHWM:"))
    print("\n" + json.dumps({**line, "peak": peak}), flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, ring)
    main()

"""All sufficient reasons of a decision tree's decisions, by this package.

Run as `python -m benches.trees.all_reasons`; the task comes as JSON on standard input. A tree
is a label, or [feature, threshold, tree below, tree above]; a number that equals the
threshold goes below.
"""

import json
import sys
import time
from math import inf
from typing import Any

from benches.harness.subprocess_runner import Line, report
from benches.harness.timing import best
from reasons import Builder, Classifier, Decision, Feature, Interval

Tree = Any
Numbers = list[float]

MOST_LISTED = 1_000_000


def tests_of(tree: Tree) -> set[tuple[int, float]]:
    """The features and thresholds that a tree tests."""
    if isinstance(tree, int):
        return set()
    feature, threshold, below, above = tree
    return {(feature, threshold)} | tests_of(below) | tests_of(above)


class ByTest:
    """Every test is a Boolean feature, as PyXAI sees it."""

    def __init__(self, tree: Tree) -> None:
        self.tests = sorted(tests_of(tree))
        self._builder = Builder(map(_named, self.tests), (0, 1))
        self.classifier: Classifier = self._builder.build(self._node(tree))

    def _node(self, tree: Tree) -> int:
        if isinstance(tree, int):
            return self._builder.leaf(tree)
        feature, threshold, below, above = tree
        arms = {True: self._node(below), False: self._node(above)}
        return self._builder.decide(_named((feature, threshold)), arms)

    def instance(self, numbers: Numbers) -> dict[str, bool]:
        return {_named(test): numbers[test[0]] <= test[1] for test in self.tests}


def _named(test: tuple[int, float]) -> str:
    return f"x{test[0]} <= {test[1]!r}"


class ByFeature:
    """Features are numbers, cut where the tree tests them."""

    def __init__(self, tree: Tree) -> None:
        cuts: dict[int, list[float]] = {}
        for feature, threshold in tests_of(tree):
            cuts.setdefault(feature, []).append(threshold)
        self.features = sorted(cuts)
        numeric = [Feature.numeric(f"x{f}", cuts[f]) for f in self.features]
        self._builder = Builder(numeric, (0, 1))
        self.classifier: Classifier = self._builder.build(self._node(tree, {}))

    def _node(self, tree: Tree, reached: dict[int, tuple[float, float]]) -> int:
        """A node; on the way to it, features are known to lie between the reached bounds."""
        if isinstance(tree, int):
            return self._builder.leaf(tree)
        feature, threshold, below, above = tree
        low, high = reached.get(feature, (-inf, inf))
        arms = [
            (Interval(*bounds), self._node(child, {**reached, feature: bounds}))
            for child, bounds in ((below, (low, threshold)), (above, (threshold, high)))
        ]
        return self._builder.decide(f"x{feature}", arms)

    def instance(self, numbers: Numbers) -> dict[str, float]:
        return {f"x{f}": numbers[f] for f in self.features}


def answers(tree: Tree, instances: list[Numbers]) -> list[Line]:
    """How many reasons each instance has and what counting, and listing, them takes."""
    tests, features = ByTest(tree), ByFeature(tree)
    return [
        {
            **_measured(tests.classifier, tests.instance(numbers)),
            "by feature": _measured(features.classifier, features.instance(numbers)),
        }
        for numbers in instances
    ]


def _measured(classifier: Classifier, instance: dict[str, Any]) -> Line:
    def decided() -> Decision:
        return classifier.decide(instance)

    found = decided().sufficient_reasons()
    count = found.count()
    line = {
        "count": count,
        "label": decided().label,
        "diagram": len(found.family),
        "seconds": best(lambda: decided().sufficient_reasons().count(), 3, time.perf_counter),
    }
    if count <= MOST_LISTED:
        started = time.perf_counter()
        assert sum(1 for _ in decided().sufficient_reasons()) == count
        line["listed"] = time.perf_counter() - started
    return line


if __name__ == "__main__":
    task = json.loads(sys.stdin.read())
    for answer in answers(task["tree"], task["instances"]):
        report(answer)

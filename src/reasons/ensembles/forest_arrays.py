"""The arrays of a native ensemble, read back from its bytes."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.content import RULES, arrays_of


class ForestArrays:
    """A sum of trees as `BranchAndBound.content` writes it; guards are trees after the others.

    Fields are those of the core's `Forest` (core/forest/ensemble.hpp), in lists where they are
    walked node by node.
    """

    def __init__(self, content: bytes) -> None:
        arrays = arrays_of(content)
        self.values: NDArray[numpy.float64] = arrays["values"]
        lists: list[list[int]] = [
            arrays[name].tolist()
            for name in ("domains", "test_feature", "node_test", "node_left", "node_right")
        ]
        self.domains, self.test_feature, self.node_test, self.node_left, self.node_right = lists
        self._test_first, self._row_first = (
            arrays[name].tolist() for name in ("test_first", "row_first")
        )
        self._test_left = arrays["test_left"].reshape(-1, 2).tolist()
        self.trees = len(arrays["tree_first"])
        guards = arrays["guard_first"].tolist()
        self.roots = [*arrays["tree_first"].tolist(), *guards, len(self.node_test)]
        self._score, self._width = arrays["tree_score"].tolist(), arrays["tree_width"].tolist()
        self.start: list[float] = arrays["start"].tolist()
        self._divisor, self._cut, _ = arrays["numbers"].tolist()
        self.single, rule, self.labels = (int(each) for each in arrays["settings"])
        self.rule = RULES[rule]

    def left_ranges(self, test: int) -> list[list[int]]:
        """The ranges of cells that go left at a test."""
        first, end = self._test_first[test : test + 2]
        ranges: list[list[int]] = self._test_left[first:end]
        return ranges

    def is_vote(self, most: int) -> bool:
        """Whether all leaves have whole numbers, of which no sum can be above `most`."""
        if self.rule == "softmax" or not math.isfinite(self._cut):
            return False
        total = sum(map(abs, self.start)) + abs(self._cut * self._divisor)
        if not all(start.is_integer() for start in self.start):
            return False
        for tree in range(self.trees):
            leaves = self._leaves(tree)
            firsts = numpy.array([self._row_first[self.node_left[node]] for node in leaves])
            values = self.values[firsts[:, None] + numpy.arange(self._width[tree])]
            if (values != numpy.floor(values)).any():
                return False
            total += float(numpy.abs(values).max())
        return bool(total <= most)

    def _leaves(self, tree: int) -> list[int]:
        nodes = range(self.roots[tree], self.roots[tree + 1])
        return [node for node in nodes if self.node_test[node] < 0]

    def leads(self, tree: int, label: int, rival: int) -> dict[int, int]:
        """By leaf, how many votes more it gives a label than a rival; whole numbers only."""
        leads = {}
        for node in self._leaves(tree):
            row = self._row_first[self.node_left[node]]
            leads[node] = int(self._lead(tree, row, label, rival))
        return leads

    def _lead(self, tree: int, row: int, label: int, rival: int) -> float:
        score, values = self._score[tree], self.values[row : row + self._width[tree]].tolist()
        if self.rule == "cut":
            return float(values[0] if label == 1 else -values[0])
        votes = dict(enumerate(values, score))
        return float(votes.get(label, 0.0) - votes.get(rival, 0.0))

    def extremes(
        self, tree: int, leaf_values: Mapping[int, int] | Sequence[int]
    ) -> tuple[list[int], list[int]]:
        """The least and the largest value of the leaves below each node of a tree."""
        first, end = self.roots[tree], self.roots[tree + 1]
        least, largest = [0] * (end - first), [0] * (end - first)
        for node in range(end - 1, first - 1, -1):
            at = node - first
            if self.node_test[node] < 0:
                least[at] = largest[at] = leaf_values[node]
                continue
            left, right = self.node_left[node] - first, self.node_right[node] - first
            least[at] = min(least[left], least[right])
            largest[at] = max(largest[left], largest[right])
        return least, largest

    def leaf_values(self, tree: int, least: Sequence[int]) -> list[int]:
        """The values that leaves of a tree have, in order."""
        return sorted({least[node - self.roots[tree]] for node in self._leaves(tree)})

    def rival_limit(self, label: int, rival: int) -> int:
        """The most that the trees' leads may add up to where the rival keeps the label out."""
        if self.rule == "cut":
            lead = int(self.start[0]) - self._least_sum()
            return -1 - lead if label == 1 else lead
        tie = 0 if rival < label else -1  # the first of the largest wins
        return tie - int(self.start[label]) + int(self.start[rival])

    def _least_sum(self) -> int:
        """The least whole number that reaches the cut after the library's division."""
        real: Any = numpy.float32 if self.single else numpy.float64
        divisor, cut = real(self._divisor), real(self._cut)
        least = math.floor(self._cut * self._divisor) - 2
        while not real(least) / divisor >= cut:
            least += 1
        return int(least)

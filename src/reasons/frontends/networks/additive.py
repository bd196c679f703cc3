"""Networks of many small blocks as sums: logarithms of likelihoods add up over blocks.

Every block is a tree whose leaves are what it adds: where the target has two states, the
logarithm of their ratio; otherwise a logarithm for each state. Likelihoods are exact, and so is
what decides close calls. What rules a state out adds a number larger than all others together.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy

from reasons import _core
from reasons.budget import Budget
from reasons.frontends.networks.blocks import Block
from reasons.frontends.networks.exact import Exact
from reasons.frontends.networks.guards import guards_of
from reasons.frontends.networks.kinds import Kinds, Vector, all_kinds
from reasons.frontends.networks.network import Floats
from reasons.frontends.networks.question import Question
from reasons.trees.model import TreeModel
from reasons.trees.native import ensemble
from reasons.trees.score_trees import Tests, tree_of

_ERROR = 2.0**-50  # of a logarithm: absolute, and relative to it


def is_additive(question: Question, blocks: Sequence[Block], most: int) -> bool:
    """Whether a sum decides: blocks have at most so many cells, and sums are compared by two."""
    sizes = [len(feature.values) for feature in question.schema]
    largest = max(math.prod(sizes[f] for f in block.features) for block in blocks)
    compares_two = question.threshold is None or len(question.classes.states) == 2
    return largest <= most and compares_two


def sum_of_blocks(
    question: Question, blocks: Sequence[Block], exact: Exact, budget: Budget
) -> tuple[TreeModel, _core.Ensemble, bool]:
    """The sum as trees over cells, and whether some instances are impossible."""
    kinds = all_kinds(question, blocks, exact, budget)
    scores = _Scores(question, kinds)
    tests = Tests()
    model = TreeModel(
        columns=(),
        tests=(),
        trees=tuple(
            tree_of(tests, each.features, each.numbers, rows[each.numbers.ravel()])
            for each, rows in zip(kinds, scores.rows, strict=True)
        ),
        labels=question.labels,
        start=(0.0,) * scores.width,
        rule=scores.rule,
        library=question.network.source,
        cut=scores.cut,
        added=False,
        slack=scores.slack,
    )
    guards = guards_of(question, kinds)

    def settle(cells: Sequence[int]) -> int:
        label = exact.decide(question.states(cells))
        return 0 if label == _core.IMPOSSIBLE else label  # where it is, a guard says so

    native = ensemble(model, question.schema, tests.where, tests.masks, settle, guards)
    return model, native, bool(guards)


class _Scores:
    """What each kind of each block adds to the scores, and the rule that makes a label of them.

    Finite sums are below `limit`, and what rules a state out adds twice that.
    """

    def __init__(self, question: Question, kinds: Sequence[Kinds]) -> None:
        states = len(question.classes.states)
        self.rule: Literal["cut", "largest"] = "cut" if states == 2 else "largest"
        self.width = 1 if states == 2 else states
        self._wins = 1 if question.threshold is None else question.state
        plain = [numpy.array([self._row(v) for v in each.vectors]) for each in kinds]
        odds = _odds(question.threshold)
        finite = [abs(rows[numpy.isfinite(rows)]).max(initial=0.0) for rows in plain]
        limit = float(sum(finite)) + (abs(odds) if math.isfinite(odds) else 0.0) + 1
        self.rows: list[Floats] = [numpy.clip(rows, -2 * limit, 2 * limit) for rows in plain]
        self.cut = min(odds, limit)
        self.slack = 2 * _ERROR * (limit + len(kinds))

    def _row(self, vector: Vector) -> list[float]:
        if not any(vector):
            return [0.0] * self.width
        if self.rule == "cut":
            return [_log(vector[self._wins], vector[1 - self._wins])]
        return [_log(each, max(vector)) for each in vector]


def _odds(threshold: Fraction | None) -> float:
    """The logarithm of the odds from which on the label is the second."""
    if threshold is None:
        return 0.0
    part, whole = threshold.as_integer_ratio()
    return _log(part, whole - part)


def _log(one: int, other: int) -> float:
    """The logarithm of a ratio of whole numbers, infinite where one of them is 0."""
    if not other:
        return math.inf
    if not one:
        return -math.inf
    shift = one.bit_length() - other.bit_length()
    if abs(shift) < 900:
        return math.log(Fraction(one, other))
    return math.log(Fraction(one, other) / Fraction(2) ** shift) + shift * math.log(2)

"""Bayesian networks of small blocks as additive models: log-likelihoods add up over blocks.

Each block becomes a tree. A leaf holds the log-ratio of the target's two states, or one logarithm
for each state where there are more. Likelihoods are exact fractions, and exact arithmetic decides
close calls. A likelihood of 0 adds a number that is larger than all others together.

An instance is impossible if every state of the target has likelihood 0. Different blocks may
exclude different states, so there is one guard tree for every choice of a block per state.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Literal

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.budget import Budget
from reasons.ensembles.ir import TreeModel
from reasons.ensembles.native import Guard, ensemble
from reasons.ensembles.score_trees import CellTests, tree_of
from reasons.errors import Option, UnsupportedModel
from reasons.frontends.bayesnet.d_separation import Block
from reasons.frontends.bayesnet.exact import Exact
from reasons.frontends.bayesnet.integer_logs import log_ratio, odds_of, whole_scores
from reasons.frontends.bayesnet.network import Floats
from reasons.frontends.bayesnet.query import Query

MOST_CELLS_OF_BLOCK = 1 << 13
_MOST_GUARDS, _MOST_GUARD_CELLS = 1_000, 1 << 16
_ERROR = 2.0**-50  # of a logarithm: absolute, and relative to it

Vector = tuple[int, ...]
Numbers = NDArray[numpy.int64]


@dataclass(frozen=True, eq=False)
class CellClasses:
    """The cells of a block in classes: cells of one class have proportional likelihoods.

    `numbers` has an axis for each feature. `vectors` holds, for each class, the likelihoods of the
    target's states up to a factor.
    """

    features: tuple[int, ...]
    numbers: Numbers
    vectors: tuple[Vector, ...]

    def zero(self, state: int) -> NDArray[numpy.bool_]:
        """The cells in which a state has likelihood 0."""
        return numpy.array([vector[state] == 0 for vector in self.vectors])[self.numbers]


def is_additive(query: Query, blocks: Sequence[Block], most: int) -> bool:
    """Whether sums decide: blocks have at most `most` cells, and only two sums are compared."""
    sizes = [len(feature.values) for feature in query.schema]
    largest = max(math.prod(sizes[f] for f in block.features) for block in blocks)
    compares_two = query.threshold is None or len(query.classes.states) == 2
    return largest <= most and compares_two


def sum_of_blocks(
    query: Query, blocks: Sequence[Block], exact: Exact, budget: Budget
) -> tuple[TreeModel, _core.Ensemble, bool]:
    """The sum as trees over cells, and whether some instances are impossible."""
    kinds = all_classes(query, blocks, exact, budget)
    scores = _Scores(query, kinds)
    tests = CellTests()
    model = TreeModel(
        columns=(),
        tests=(),
        trees=tuple(
            tree_of(tests, each.features, each.numbers, rows[each.numbers.ravel()])
            for each, rows in zip(kinds, scores.rows, strict=True)
        ),
        labels=query.labels,
        start=(0.0,) * scores.width,
        rule=scores.rule,
        library=query.network.source,
        cut=scores.cut,
        added=scores.exact,
        slack=scores.slack,
    )
    guards = guards_of(query, kinds)

    def settle(cells: Sequence[int]) -> int:
        label = exact.decide(query.states(cells))
        return 0 if label == _core.IMPOSSIBLE else label  # where it is, a guard says so

    settled = None if scores.exact else settle
    native = ensemble(model, query.schema, tests.left_cells(), settled, guards)
    return model, native, bool(guards)


class _Scores:
    """The addend of each class of cells, and the rule that turns sums into a label.

    Finite sums are below `limit`; a likelihood of 0 adds twice that. Where `exact` is true, the
    sums alone decide.
    """

    def __init__(self, query: Query, kinds: Sequence[CellClasses]) -> None:
        states = len(query.classes.states)
        self.rule: Literal["cut", "largest"] = "cut" if states == 2 else "largest"
        self.width = 1 if states == 2 else states
        self._wins = 1 if query.threshold is None else query.state
        odds = (1, 1) if query.threshold is None else odds_of(query.threshold)
        whole = self._whole(kinds, odds) if states == 2 else None
        self.exact = whole is not None
        plain = whole or [numpy.array([self._row(v) for v in each.vectors]) for each in kinds]
        cut = float(plain.pop()[0, 0]) if whole else log_ratio(*odds)
        if whole and query.threshold is None:
            cut += 1  # the second label must be above, not equal
        finite = [abs(rows[numpy.isfinite(rows)]).max(initial=0.0) for rows in plain]
        limit = float(sum(finite)) + (abs(cut) if math.isfinite(cut) else 0.0) + 1
        self.rows: list[Floats] = [numpy.clip(rows, -2 * limit, 2 * limit) for rows in plain]
        self.cut = min(cut, limit)
        self.slack = 0.0 if self.exact else 2 * _ERROR * (limit + len(kinds))

    def _row(self, vector: Vector) -> list[float]:
        if not any(vector):
            return [0.0] * self.width
        if self.rule == "cut":
            return [log_ratio(vector[self._wins], vector[1 - self._wins])]
        return [log_ratio(each, max(vector)) for each in vector]

    def _whole(self, kinds: Sequence[CellClasses], odds: tuple[int, int]) -> list[Floats] | None:
        """The rows as whole numbers, the cut last; None where no such numbers are proved."""
        ratios = [[(v[self._wins], v[1 - self._wins]) for v in each.vectors] for each in kinds]
        ratios.append([odds])
        finite = [[ratio if all(ratio) else (1, 1) for ratio in each] for each in ratios]
        scores = whole_scores(finite)
        if scores is None:
            return None
        return [
            numpy.array([_replaced(*ratio, n) for ratio, n in zip(each, row, strict=True)])
            for each, row in zip(ratios, scores, strict=True)
        ]


def _replaced(one: int, other: int, number: float) -> list[float]:
    """A number, or infinity where a part of the ratio is 0."""
    return [number if (one and other) or one == other else log_ratio(one, other)]


def all_classes(
    query: Query, blocks: Sequence[Block], exact: Exact, budget: Budget
) -> list[CellClasses]:
    """The classes of cells of every block. Cost: one exact sum for each cell."""
    return [_classes(query, number, block, exact, budget) for number, block in enumerate(blocks)]


def _classes(query: Query, number: int, block: Block, exact: Exact, budget: Budget) -> CellClasses:
    sizes = [len(query.schema[feature].values) for feature in block.features]
    known: dict[Vector, int] = {}
    numbered = []
    cells_of_all = [0] * len(query.schema)
    for count, cells in enumerate(product(*map(range, sizes))):
        if count % 64 == 0:
            budget.check("the likelihoods of a block")
        for feature, cell in zip(block.features, cells, strict=True):
            cells_of_all[feature] = cell
        vector = exact.of_block(number, query.states(cells_of_all))
        common = math.gcd(*vector) or 1
        numbered.append(known.setdefault(tuple(each // common for each in vector), len(known)))
    numbers = numpy.array(numbered, dtype=numpy.int64).reshape(sizes)
    return CellClasses(block.features, numbers, tuple(known))


def guards_of(query: Query, kinds: Sequence[CellClasses]) -> list[Guard]:
    """The guards of all impossible instances, or `UnsupportedModel` where they are too many."""
    states = range(len(query.classes.states))
    ruling_out = [[each for each in kinds if each.zero(state).any()] for state in states]
    choices = list(islice(product(*ruling_out), _MOST_GUARDS + 1))
    if len(choices) > _MOST_GUARDS:
        raise _too_many(query)
    ruled_out = [_impossible(query, choice) for choice in choices]
    return [_guard(features, cells) for features, cells in ruled_out if cells.any()]


def _too_many(query: Query) -> UnsupportedModel:
    return UnsupportedModel(
        "too many combinations of blocks make instances of {file} impossible; "
        "fewer {features}, or probabilities a little above 0, make it work",
        file=query.network.source,
        features=Option("features", text="[...]"),
    )


def _impossible(query: Query, choice: Sequence[CellClasses]) -> tuple[tuple[int, ...], Numbers]:
    """The cells of the chosen blocks' features: 1 where each block excludes its state."""
    features = tuple(sorted({feature for each in choice for feature in each.features}))
    sizes = [len(query.schema[feature].values) for feature in features]
    if math.prod(sizes) > _MOST_GUARD_CELLS:
        raise _too_many(query)
    excluded = numpy.ones(sizes, dtype=bool)
    for state, each in enumerate(choice):
        shape = [size if f in each.features else 1 for f, size in zip(features, sizes, strict=True)]
        excluded &= each.zero(state).reshape(shape)
    return features, excluded.astype(numpy.int64)


def _guard(features: Sequence[int], cells: Numbers) -> Guard:
    tests = CellTests()
    tree = tree_of(tests, features, cells, cells.reshape(-1, 1).astype(float))
    parts = zip(
        tree.test.tolist(), tree.left.tolist(), tree.right.tolist(), tree.value, strict=True
    )
    return Guard(
        tuple(
            bool(value[0]) if test < 0 else (tests.where[test], tests.masks[test], left, right)
            for test, left, right, value in parts
        )
    )

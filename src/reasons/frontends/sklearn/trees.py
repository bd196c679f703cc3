"""Decision trees and forests of scikit-learn, node by node, and means of sums of trees.

Trees compare float32 numbers with float64 thresholds. That is the same as comparing them with the
largest float32 that is not above the threshold.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.budget import UNLIMITED, Budget
from reasons.ensembles.ir import Precision, Test, Tree
from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.boosting import Tests

Numbers = NDArray[numpy.float64]

_UNDERFLOW = 1e-300  # what rounding may lose where numbers are too small for relative errors


@dataclass(frozen=True, slots=True, eq=False)
class SubModelContext:
    """What a sub-model shares with the whole model: tests, columns of its features, the budget."""

    tests: Tests
    columns: Sequence[int]
    budget: Budget = UNLIMITED

    def of(self, features: Iterable[int]) -> "SubModelContext":
        """The context of a sub-model that sees only these features."""
        columns = [self.columns[feature] for feature in features]
        return SubModelContext(self.tests, columns, self.budget)


@dataclass(frozen=True, slots=True, eq=False)
class TreeScores:
    """Trees whose values are added to `start`, and the divisor of the sums.

    With `roundings` 0 the library adds value after value, and then divides. Otherwise its order is
    unknown, and `roundings` is the most often that it and we together round a value. `missing` says
    whether it accepts missing values.
    """

    trees: tuple[Tree, ...]
    start: tuple[float, ...]
    divisor: float = 1.0
    roundings: int = 0
    cast: Precision = "float32"
    missing: bool = False

    @property
    def slack(self) -> float:
        """A bound of the error of the library's difference of two sums.

        A value that is rounded n times has a relative error of at most n times 2^-52 (Higham's
        gamma_n, n < 2^51), so a sum has that share of the sum of the largest absolute values.
        """
        if not self.roundings:
            return 0.0
        return 2 * self.roundings * 2.0**-52 * self.most + _UNDERFLOW

    @property
    def most(self) -> float:
        """The largest absolute value of a sum."""
        largest = sum(float(abs(tree.value).max()) for tree in self.trees)
        return max(map(abs, self.start)) + largest

    @property
    def reach(self) -> tuple[float, float]:
        """Scores, after the division, that lie below and above all others."""
        low = self.start[0] + sum(float(tree.value.min()) for tree in self.trees)
        high = self.start[0] + sum(float(tree.value.max()) for tree in self.trees)
        room = 1e-9 * (self.most + 1)
        return (low - room) / self.divisor, (high + room) / self.divisor

    def column(self, score: int) -> "TreeScores":
        """One of the scores alone, where every tree adds to all of them."""
        trees = tuple(replace(tree, value=tree.value[:, [score]]) for tree in self.trees)
        return replace(self, trees=trees, start=(self.start[score],))

    def negated(self) -> "TreeScores":
        """The negated scores, with the same rounding."""
        trees = tuple(replace(tree, value=-tree.value) for tree in self.trees)
        return replace(self, trees=trees, start=tuple(-value for value in self.start))


def mean(
    parts: Sequence[TreeScores], weights: Sequence[float] | None, divisor: float
) -> TreeScores:
    """The sum of scores, each times its weight, over a divisor.

    Where each part is a single tree the library adds their values one by one.
    """
    if len({part.cast for part in parts}) > 1:
        raise UnsupportedModel(
            "the models in this ensemble read numbers in different precisions "
            "(histogram boosting in float64, others in float32); compile them one by one"
        )
    factors = [1.0] * len(parts) if weights is None else [float(weight) for weight in weights]
    pairs = list(zip(parts, factors, strict=True))
    plain = all(_is_one_tree(part) for part in parts)
    inner = max(part.roundings or len(part.trees) + 1 for part in parts)
    start = [
        sum(part.start[k] / part.divisor * factor for part, factor in pairs)
        for k in range(len(parts[0].start))
    ]
    return TreeScores(
        tuple(
            replace(tree, value=tree.value / part.divisor * factor)
            for part, factor in pairs
            for tree in part.trees
        ),
        tuple(map(float, start)),
        divisor,
        0 if plain else inner + 2 * len(parts) + 8,
        parts[0].cast,
        all(part.missing for part in parts),
    )


def _is_one_tree(part: TreeScores) -> bool:
    alone = len(part.trees) == 1 and not any(part.start)
    return alone and part.divisor == 1 and not part.roundings


def of_trees(model: Any, context: SubModelContext) -> TreeScores:
    """The leaves of a tree, or the sums of a forest's leaves over the number of its trees."""
    trees = getattr(model, "estimators_", [model])
    _require_one_output(trees[0].tree_.value)
    missing = _accepts_missing(trees[0])
    looked_at = context.budget.each(trees, "reading trees", len(trees))
    read = [read_tree(tree, context, tree.tree_.value[:, 0, :], missing) for tree in looked_at]
    return TreeScores(tuple(read), (0.0,) * read[0].value.shape[1], len(trees), missing=missing)


def votes_of_tree(
    model: Any, context: SubModelContext, classes: Sequence[Any], votes: tuple[float, float]
) -> TreeScores:
    """A tree that adds one number to the class it predicts and another to the others."""
    _require_one_output(model.tree_.value)
    chosen = model.tree_.value[:, 0, :].argmax(axis=1)
    column = numpy.array([list(classes).index(label) for label in model.classes_.tolist()])
    value = numpy.full((len(chosen), len(classes)), float(votes[1]))
    value[numpy.arange(len(chosen)), column[chosen]] = votes[0]
    missing = _accepts_missing(model)
    return TreeScores(
        (read_tree(model, context, value, missing),), (0.0,) * len(classes), missing=missing
    )


def read_tree(
    model: Any, context: SubModelContext, value: Numbers, missing: bool = False, score: int = 0
) -> Tree:
    """The nodes of a fitted tree with these values in their leaves."""
    context.budget.check("reading trees")
    nodes = model.tree_
    require_sound(nodes.children_left, nodes.children_right, nodes.feature, len(context.columns))
    inner = numpy.flatnonzero(nodes.children_left >= 0)
    test = numpy.full(nodes.node_count, -1, numpy.int32)
    goes_left = nodes.missing_go_to_left[inner] if missing else numpy.zeros(len(inner))
    splits = zip(
        nodes.feature[inner].tolist(),
        _below(nodes.threshold[inner]).tolist(),
        goes_left.tolist(),
        strict=True,
    )
    test[inner] = [
        context.tests.number(Test(context.columns[feature], cut, missing_left=bool(left)))
        for feature, cut, left in splits
    ]
    return Tree(
        test,
        nodes.children_left.astype(numpy.int32),
        nodes.children_right.astype(numpy.int32),
        numpy.array(value, float),
        score,
    )


def require_sound(left: Any, right: Any, feature: Any, features: int) -> None:
    """Refuse nodes of a damaged file: cycles, and children or features that do not exist."""
    inner = left >= 0
    number = numpy.flatnonzero(inner)
    children = numpy.concatenate([left[inner], right[inner]])
    tested = feature[inner]
    fits = (children > numpy.tile(number, 2)).all() and (children < len(left)).all()
    if not fits or (tested < 0).any() or (tested >= features).any():
        raise InputError("the nodes of a tree do not fit together; the model is damaged")


def _below(thresholds: Numbers) -> Numbers:
    """The largest float32 that is not above each threshold."""
    near = thresholds.astype(numpy.float32)
    down = numpy.nextafter(near, numpy.float32(-numpy.inf))
    return numpy.where(near > thresholds, down, near).astype(float)


def _accepts_missing(tree: Any) -> bool:
    return bool(tree._support_missing_values(numpy.zeros((1, 1), numpy.float32)))


def _require_one_output(value: Numbers) -> None:
    if value.shape[1] > 1:
        raise UnsupportedModel(
            f"the model predicts {value.shape[1]} outputs at once; fit one model for each output"
        )

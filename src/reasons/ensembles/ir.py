"""Intermediate representation of additive models: sums of trees or scores, as libraries add them.

Trees test *columns*, the inputs of the library's `predict`. Values, their order, their precision
and the rule are the library's, so repeating the sum repeats its decision to the last bit. Where the
order is unknown, as in a matrix product, a bound of the rounding error takes its place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy
from numpy.typing import NDArray

from reasons.features.floats import Closed

UNSEEN, ABSENT = -1, -2  # codes of an unknown category, and of a missing one

Precision = Literal["float32", "float64"]


@dataclass(frozen=True, slots=True)
class Column:
    """An input column of the model: a number, or a category by its code.

    `categories[code]` is the user's value. `missing` and `unseen` say whether the library's
    `predict` accepts a missing value, or a category that is not among them. With `as_text` it
    compares categories as texts, numbers as they are written. `closed` overrides the closed side of
    the model's intervals.
    """

    name: str
    categories: tuple[Any, ...] | None = None
    missing: bool = False
    unseen: bool = False
    as_text: bool = False
    closed: Closed | None = None


@dataclass(frozen=True, slots=True)
class Test:
    """The test of a node on a column; the answer is left or right.

    A number goes left if it is at most (closed "right") or below ("left") the threshold, which
    may be infinite, a category if its code is among `codes`. Numbers in the interval
    `missing_between`, closed as the model's cells are, count as missing.
    """

    __test__ = False

    column: int
    threshold: float = 0.0
    codes: frozenset[int] | None = None
    missing_left: bool = False
    unseen_left: bool = False
    missing_between: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Nodes by number, the root first and children after their parents; `test` -1 is a leaf.

    A leaf's row of `value` is added to the scores from `score` on.
    """

    test: NDArray[numpy.int32]
    left: NDArray[numpy.int32]
    right: NDArray[numpy.int32]
    value: NDArray[numpy.float64]
    score: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class TreeModel:
    """A sum of trees: columns, trees, and the rule that turns the sum into a label.

    `start` are the scores before the first tree; each tree's values are added in turn in the
    precision `sums`; then scores are divided by `divisor`. With the rule "cut" there is one
    score, and the label is the second from `cut` on; with "largest" it is that of the first
    of the largest scores, with "softmax" the same after a softmax.

    `predict` is the library's own, on rows of raw values in the order of the columns. Where the
    library does not add value by value (`added` is false), `predict` decides what is near the
    boundary; `slack` bounds the difference between its scores and these sums.
    """

    columns: tuple[Column, ...]
    tests: tuple[Test, ...]
    trees: tuple[Tree, ...]
    labels: tuple[Any, ...]
    start: tuple[float, ...]
    rule: Literal["cut", "largest", "softmax"]
    library: str
    cut: float = 0.0
    divisor: float = 1.0
    sums: Precision = "float64"
    cast: Precision = "float64"
    closed: Closed = "right"
    predict: Callable[[Sequence[Sequence[Any]]], Sequence[Any]] | None = None
    added: bool = True
    slack: float = 0.0
    notes: tuple[str, ...] = field(default=())


def _always(_: Sequence[NDArray[Any]]) -> bool:
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The addend of one or more columns to the scores.

    `value` takes an array for each of the columns: numbers, NaN where missing, or codes of
    categories, `UNSEEN` and `ABSENT` among them. It returns a row for each element, with the addend
    of every score. `is_exact` says of such arrays whether the library adds exactly these values;
    otherwise they are rounded first, as the products of a linear model.
    """

    columns: tuple[int, ...]
    value: Callable[[Sequence[NDArray[Any]]], NDArray[numpy.float64]]
    is_exact: Callable[[Sequence[NDArray[Any]]], bool] = _always


@dataclass(frozen=True, slots=True, eq=False)
class ScoreModel:
    """A sum of scores: columns, the addends of one or several of them, and the rule.

    Fields of `TreeModel` mean the same here. `cuts` are the points at which the parts of a numeric
    column can change, where the model has them. Other numbers must be discretised by a pipeline
    before the model, or by a declared domain.

    The library adds the values in an unknown order, in the precision `sums`. Where every sum is
    exact in any order, they are added here. Otherwise `predict` on one row decides what is near the
    boundary: `roundings` is the most often that it rounds a value on the way into a score, and
    `slack` bounds all further errors.
    """

    columns: tuple[Column, ...]
    parts: tuple[Part, ...]
    labels: tuple[Any, ...]
    start: tuple[float, ...]
    rule: Literal["cut", "largest"]
    library: str
    cut: float = 0.0
    cuts: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    closed: Closed = "right"
    cast: Precision = "float64"
    sums: Precision = "float64"
    predict: Callable[[Sequence[Sequence[Any]]], Sequence[Any]] | None = None
    roundings: int = 0
    slack: float = 0.0
    notes: tuple[str, ...] = ()

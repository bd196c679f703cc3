"""What a front end says of a model that adds up trees or scores, in the terms of its library.

The trees test *columns*, which are what the library's `predict` is given. Values, their
order, their precision and the rule are the library's own, so that repeating the sum
repeats the library's decision to the last bit. Where nobody can know the order, as of a
product of matrices, a bound of the rounding is said in its place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy
from numpy.typing import NDArray

from reasons.features.floats import Closed

UNSEEN, ABSENT = -1, -2  # codes of a category that is not known, and of a missing one

Precision = Literal["float32", "float64"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column that the model is given: a number, or a category by its code.

    `categories[code]` is the user's value. `missing` and `unseen` say whether the library's
    `predict` accepts a missing value, or a category that is not among them. With `as_text` it
    compares categories as texts, numbers as they are written. The intervals of a number are
    `closed` as the model's are, unless that is said here.
    """

    name: str
    categories: tuple[Any, ...] | None = None
    missing: bool = False
    unseen: bool = False
    as_text: bool = False
    closed: Closed | None = None


@dataclass(frozen=True, slots=True)
class Test:
    """What a node asks of a column; the answer is left or right.

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
    """Columns, trees, and how the sum of their values becomes a label.

    `start` are the scores before the first tree; each tree's values are added in turn in the
    precision `sums`; then scores are divided by `divisor`. With the rule "cut" there is one
    score, and the label is the second from `cut` on; with "largest" it is that of the first
    of the largest scores, with "softmax" the same after a softmax.

    `predict` is the library's own, on rows of raw values in the order of the columns. Where
    the library does not add up value by value (`added` is false), it settles what is
    near the boundary, `slack` saying how far its scores may be from these sums.
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
    """What one or two columns add to the scores.

    `value` takes an array for each of the columns: numbers, where missing ones are
    not-a-number, or codes of categories, `UNSEEN` and `ABSENT` among them. It gives a row for
    each of their elements, with what is added to every score. `is_exact` says of such arrays
    whether the library adds these very values; otherwise they are rounded on the way, as the
    products of a linear model.
    """

    columns: tuple[int, ...]
    value: Callable[[Sequence[NDArray[Any]]], NDArray[numpy.float64]]
    is_exact: Callable[[Sequence[NDArray[Any]]], bool] = _always


@dataclass(frozen=True, slots=True, eq=False)
class ScoreModel:
    """Columns, what each of them (or two together) adds to scores, and the rule.

    Words that `TreeModel` has mean the same here. `cuts` are, for those columns of numbers of
    which the model knows it, the points at which its parts can change; other numbers must be
    made discrete by what stands before the model or by what users declare.

    The library adds the values in an order that is its own, in the precision `sums`. Where every
    sum is exact in any order, they are added here. Otherwise its `predict` on one row settles
    what is near the boundary: `roundings` is how often it rounds a value at most until that is
    in a score, and `slack` how far scores may be off beyond that.
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

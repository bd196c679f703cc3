"""Boosted trees of XGBoost, LightGBM and CatBoost: what their readers share.

These are numbered tests, trees in the order of a walk, the cut of a score by bisection over all
floats, the table that `predict` is given, and the errors about thresholds.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.inputs import Rows, numbers
from reasons.ensembles.ir import Column, Test, Tree, TreeModel
from reasons.errors import InputError, UnsupportedModel
from reasons.features.floats import bisect_floats, floats_at, ranks_of
from reasons.features.values import OTHER, is_missing
from reasons.frontends.options import Options

Children = Callable[[int], tuple[int, int] | None]  # of a node; None: a leaf
Fail = Callable[[str], None]

LARGEST_SINGLE = float(numpy.finfo(numpy.float32).max)
_WINDOW = 2_000


class Tests:
    """Numbered tests, in the order of first use; equal tests share a number."""

    __test__ = False

    def __init__(self) -> None:
        self._number: dict[Test, int] = {}

    def number(self, test: Test) -> int:
        """The number of a test."""
        return self._number.setdefault(test, len(self._number))

    def all(self) -> tuple[Test, ...]:
        """Every test, by number."""
        return tuple(self._number)


def grown(
    children: Children,
    test: Callable[[int], int],
    value: Callable[[int], float],
    fail: Fail,
    score: int = 0,
) -> Tree:
    """The tree below node 0, without unreachable nodes.

    `fail` is called where a node is reached twice, so that cycles end.
    """
    tests: list[int] = []
    lefts: list[int] = []
    rights: list[int] = []
    values: list[float] = []
    waiting: list[tuple[int, int, bool]] = [(0, -1, False)]
    met = set()
    while waiting:
        node, parent, is_left = waiting.pop()
        if node in met:
            fail(f"node {node} is reached twice")
        met.add(node)
        here = len(tests)
        if parent >= 0:
            (lefts if is_left else rights)[parent] = here
        below = children(node)
        tests.append(-1 if below is None else test(node))
        values.append(value(node) if below is None else 0.0)
        lefts.append(0)
        rights.append(0)
        if below is not None:
            waiting += [(below[1], here, False), (below[0], here, True)]
    return Tree(
        numpy.array(tests, numpy.int32),
        numpy.array(lefts, numpy.int32),
        numpy.array(rights, numpy.int32),
        numpy.array(values, numpy.float64)[:, None],
        score,
    )


def single_leaf(values: Sequence[float], score: int = 0) -> Tree:
    """A tree of one leaf."""
    none = numpy.zeros(1, numpy.int32)
    return Tree(none - 1, none, none, numpy.array([values], numpy.float64), score)


def first_float(
    says: Callable[[NDArray[Any]], NDArray[numpy.bool_]], single: bool
) -> tuple[float, bool]:
    """The smallest float from which on `says` is true, and whether that holds for floats near it.

    Infinity if `says` is true of no finite float, minus infinity if it is true of all.
    """
    real = numpy.float32 if single else numpy.float64
    largest = int(ranks_of(numpy.array([numpy.finfo(real).max]))[0])
    ends = numpy.array([-largest - 1]), numpy.array([largest + 1])  # which are infinite
    # From above, so that the result is unique where rounding makes `says` change often.
    below, _ = bisect_floats(lambda table: ~says(0 - table[0])[None], *ends, precision=real)
    first = -int(below[0])
    around = numpy.arange(max(-largest, first - _WINDOW), min(largest, first + _WINDOW) + 1)
    steady = bool((says(floats_at(around, real)) == (around >= first)).all())
    if first == -largest:
        return -numpy.inf, steady
    return (
        float(floats_at(numpy.array([first]), real)[0]) if first <= largest else numpy.inf
    ), steady


def renamed(columns: Sequence[Column], options: Options) -> tuple[Column, ...]:
    """The columns under the names that a user gives them."""
    names = options.column_names([column.name for column in columns])
    return tuple(replace(c, name=n) for c, n in zip(columns, names, strict=True))


def refuse_threshold(options: Options, source: str, classes: int) -> None:
    """Raise `InputError` where a threshold is to decide between several classes."""
    if options.threshold is not None:
        raise InputError(
            "{file}: {option} is for two classes, not {count}",
            file=source,
            option="threshold",
            count=classes,
        )


def decided_by_cut(
    model: TreeModel,
    says: Callable[[NDArray[Any]], NDArray[numpy.bool_]],
    labels: tuple[Any, ...],
    single: bool,
) -> TreeModel:
    """The model with two labels, the second where `says` is true of its score.

    Where rounding makes `says` change more than once, the library decides what is near the cut.
    """
    cut, steady = first_float(says, single)
    if steady:
        return replace(model, labels=labels, cut=cut)
    slack = abs(cut) * 2.0**-10 + 2.0**-100 if single else abs(cut) * 2.0**-30 + 2.0**-900
    return replace(model, labels=labels, cut=cut, added=False, slack=slack)


def with_predict(
    model: TreeModel, predict: Callable[[Rows], list[Any]] | None, source: str, library: str
) -> TreeModel:
    """The model with the library's own `predict`, which is None where it is not installed."""
    if predict is None and not model.added:
        raise UnsupportedModel(f"{source}: install {library} to read this model")
    return replace(model, predict=predict)


def library_table(
    columns: Sequence[Column], rows: Rows, is_category: Callable[[Column], bool]
) -> Any:
    """Rows as a matrix of numbers and codes, or as a data frame if a column is a category."""
    values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    pairs = list(zip(columns, values, strict=True))
    if not any(map(is_category, columns)):
        return numpy.column_stack([_numbers(column, each) for column, each in pairs])
    import pandas

    def series(column: Column, each: Sequence[Any]) -> Any:
        if not is_category(column):
            return _numbers(column, each)
        known = [None if is_missing(value) or value is OTHER else value for value in each]
        return pandas.Categorical(known, categories=list(column.categories or ()))

    return pandas.DataFrame({column.name: series(column, each) for column, each in pairs})


def _numbers(column: Column, values: Sequence[Any]) -> NDArray[numpy.float64]:
    """Numbers and codes; a category that is not known is the code after the largest."""
    beyond = max(column.categories or (0,)) + 1
    return numbers([beyond if value is OTHER else value for value in values])

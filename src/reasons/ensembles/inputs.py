"""The user's columns, and the way from them to the columns that the trees test."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.ir import ScoreModel, TreeModel
from reasons.features.floats import Closed
from reasons.features.values import MISSING, OTHER, Special, is_missing

Rows = Sequence[Sequence[Any]]
Table = NDArray[Any]
Values = Sequence[Any] | NDArray[Any]
Image = Callable[[int, Values, Sequence[int]], Table]


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Numbers at which a column made of a user's number jumps: `of` it, at these points."""

    of: Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]]
    points: tuple[float, ...]
    closed: Closed


@dataclass(frozen=True, slots=True, eq=False)
class InputColumn:
    """A column that the user gives: a number, or one of the categories that are known.

    A `plain` one is compared as it is given (or, if it is missing, as what it is filled
    with); of one that is not `read`, any value will do. Categories may be compared `as_text`,
    and intervals of plain numbers `closed` otherwise than the model's.
    """

    name: str
    categories: tuple[Any, ...] | None = None
    plain: bool = True
    read: bool = True
    edges: tuple[Edges, ...] = ()
    as_text: bool = False
    closed: Closed | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """The user's columns and how a model's columns are made of them, each of one.

    `image(i, values, columns)` are these columns of the model where the user's column i
    takes the values, row by row; `source[j]` is the i that column j is made of, and
    `rising[j]` says whether column j never falls as that number grows. `accepts` says
    whether `predict`, which takes rows of raw values of the user's columns, takes a missing
    or unseen value of a column. `guess` is a cheap `image` of numbers in rising columns, which
    is not relied on.
    """

    columns: tuple[InputColumn, ...]
    source: tuple[int, ...]
    rising: tuple[bool, ...]
    image: Image
    accepts: Callable[[int, Special], bool]
    predict: Callable[[Rows], Sequence[Any]] | None
    guess: Image | None = None


def own(model: TreeModel | ScoreModel) -> Inputs:
    """The inputs of a model whose columns are the user's own."""
    columns = tuple(
        InputColumn(column.name, column.categories, as_text=column.as_text, closed=column.closed)
        for column in model.columns
    )

    def image(_: int, values: Values, wanted: Sequence[int]) -> Table:
        return numpy.array([values] * len(wanted), dtype=object).T

    def accepts(column: int, value: Special) -> bool:
        own_column = model.columns[column]
        return {MISSING: own_column.missing, OTHER: own_column.unseen}[value]

    return Inputs(
        columns, tuple(range(len(columns))), (True,) * len(columns), image, accepts, model.predict
    )


def numbers(values: Values) -> NDArray[numpy.float64]:
    """Raw numbers as floats; missing ones as not-a-number."""
    if isinstance(values, numpy.ndarray) and values.dtype != object:
        return values.astype(float)
    return numpy.array([numpy.nan if is_missing(v) else float(v) for v in values], dtype=float)

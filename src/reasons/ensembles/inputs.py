"""The user's columns, and how the model's columns are computed from them."""

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
    """Points at which a step function jumps, in terms of `of` the user's number."""

    of: Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]]
    points: tuple[float, ...]
    closed: Closed


@dataclass(frozen=True, slots=True, eq=False)
class InputColumn:
    """A column of the user: a number, or one of the known categories.

    A `plain` column is compared as it is (a missing value as its imputed one). A column that is not
    `read` may have any value. Categories may be compared `as_text`. Intervals of plain numbers may
    be `closed` on the other side than the model's.
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
    """The user's columns, and how each of the model's columns is computed from one of them.

    `image(i, values, columns)` are these columns of the model where the user's column i takes the
    values, row by row. Column j comes from the user's column `source[j]`; `rising[j]` says whether
    it is monotone in that number. `predict` takes rows of raw values of the user's columns;
    `accepts` says whether it takes a missing or unseen value of a column. `guess` is a cheap
    approximation of `image` for numbers in rising columns.
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

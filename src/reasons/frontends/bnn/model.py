"""Neural networks as their source computes them: stages of sums and functions of these."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

Floats = NDArray[numpy.float64]
Rows = NDArray[Any]
"""Rows of numbers in the source's own precision."""


@dataclass(frozen=True, eq=False)
class Stage:
    """Weighted sums of the values before, and the source's function of each.

    `after` is the source's own arithmetic on rows of sums; it is monotone in each sum. `added` is
    a number that the source adds within a sum, in an unknown order. `blur` bounds the error of
    `after` in terms of the sum, where the source does not always round alike.
    """

    place: str
    weights: Floats
    after: Callable[[Rows], Rows]
    added: Floats
    blur: Floats


@dataclass(frozen=True, eq=False)
class Units(Stage):
    """A stage whose units take one of few whole values, in ascending order."""

    values: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Scores(Stage):
    """A stage whose largest unit decides, the first of several.

    A score is `scale` times the sum plus `shift`, after at most `roundings` roundings of numbers
    that exceed the scaled sum by at most `size`.
    """

    scale: Floats
    shift: Floats
    size: Floats
    roundings: int


@dataclass(frozen=True, eq=False)
class NeuralModel:
    """Stages, and the source's own label, by number, for rows of Booleans.

    `settle` gives the label that the last stage makes of one row of the values before it.
    Where the last stage has one unit, the labels are False and True.
    """

    hidden: tuple[Units, ...]
    last: Units | Scores
    inputs: int
    low: int
    high: int
    precision: type[numpy.floating[Any]]
    decide: Callable[[NDArray[numpy.bool_]], NDArray[numpy.intp]]
    settle: Callable[[Rows], int]
    library: str

    @property
    def labels(self) -> int:
        """How many labels there are."""
        return max(2, len(self.last.weights))

"""A network as its source computes it: stages of sums, each with what follows its sums."""

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
    """Sums over the values before, and what the source makes of them.

    `after` is the source's own arithmetic, on rows of sums as it computes them; it rises or falls
    with each sum. `added` is what the source adds within a sum, where it does: then nobody knows in
    which order. `blur` is by how much `after` may misjudge a sum, where the source
    does not always round alike.
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

    A score is `scale` times the sum plus `shift`, after so many roundings, at most, of numbers
    that exceed the scaled sum by `size` at most.
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

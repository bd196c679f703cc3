"""How a network ends: in scores of labels, or in one unit that is True or False."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import InputError
from reasons.frontends.bnn.model import Floats, Rows, Scores, Stage, Units

Test = Callable[[Rows], Rows]


def truth(units: int, is_binary: bool, threshold: float | None) -> Test:
    """When one unit means True: a sum from the threshold on; one that is binary, at 1."""
    is_sum = units == 1 and not is_binary
    if threshold is not None and not is_sum:
        raise InputError(
            "{option} is for networks that end in the sum of one unit", option="threshold"
        )
    at = threshold or 0.0
    return (lambda made: made >= at) if is_sum else (lambda made: made > 0)


def labels_of(made: Rows, is_true: Test) -> NDArray[numpy.intp]:
    """The first of the largest; of one unit, whether it means True."""
    if made.shape[1] > 1:
        return numpy.asarray(made.argmax(axis=1))
    return numpy.asarray(is_true(made[:, 0])).astype(numpy.intp)


def in_blocks(
    decide: Callable[[Rows], NDArray[numpy.intp]], block: int = 1 << 16
) -> Callable[[Rows], NDArray[numpy.intp]]:
    """The same function of many rows, called on some at a time."""

    def decided(rows: Rows) -> NDArray[numpy.intp]:
        made = [decide(rows[first : first + block]) for first in range(0, len(rows), block)]
        return numpy.concatenate([numpy.zeros(0, numpy.intp), *made])

    return decided


@dataclass(frozen=True, eq=False)
class Affine:
    """Scores as multiples of sums, in a formula; `Scores` says what its parts are."""

    scale: Floats
    shift: Floats
    size: Floats
    roundings: int

    def normed(self, factor: Floats, mean: Floats, shift: Floats) -> "Affine":
        """After a batch norm."""
        return Affine(
            self.scale * factor,
            (self.shift - mean) * factor + shift,
            abs(factor) * (self.size + abs(mean)) + abs(shift),
            self.roundings + 12,
        )


def plain(units: int) -> Affine:
    """Scores that are sums."""
    return Affine(numpy.ones(units), numpy.zeros(units), numpy.zeros(units), 0)


def last_stage(
    stage: Stage, values: tuple[int, ...] | None, is_true: Test, affine: Affine
) -> Units | Scores:
    """The last stage of a network: one unit that is 0 or 1, binary units, or scores."""
    parts: dict[str, Any] = dict(vars(stage))
    if len(stage.weights) == 1:
        parts["after"] = lambda sums: is_true(stage.after(sums)).astype(sums.dtype)
        return Units(**parts, values=(0, 1))
    if values is not None:
        return Units(**parts, values=values)
    return Scores(**parts, **vars(affine))

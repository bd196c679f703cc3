"""Neural networks put together from their stages, whichever library they come from.

A network ends in scores of labels, or in one unit that is True or False.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import InputError
from reasons.frontends.bnn.model import Floats, NeuralModel, Rows, Scores, Stage, Units

Test = Callable[[Rows], Rows]

_BLOCK = 1 << 16  # rows that are decided at once


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


def network_of(
    stages: Sequence[Stage],
    values: Sequence[tuple[int, ...] | None],
    affine: Affine,
    run: Callable[[Rows], Rows],
    run_last: Callable[[Rows], Rows],
    *,
    low: int,
    high: int,
    precision: type[numpy.floating[Any]],
    threshold: float | None,
    library: str,
) -> NeuralModel:
    """The network of its stages, with the values of each that is binary.

    `affine` are the scores of the last stage. `run` computes the whole network on rows of numbers,
    `run_last` the last stage only.
    """
    *hidden, last = stages
    is_true = _truth(len(last.weights), values[-1] is not None, threshold)

    def decide(rows: NDArray[numpy.bool_]) -> NDArray[numpy.intp]:
        made = [numpy.zeros(0, numpy.intp)]
        for first in range(0, len(rows), _BLOCK):
            x = numpy.where(rows[first : first + _BLOCK], precision(high), precision(low))
            made.append(_labels(run(x), is_true))
        return numpy.concatenate(made)

    return NeuralModel(
        hidden=tuple(
            Units(**vars(stage), values=each or ())
            for stage, each in zip(hidden, values, strict=False)
        ),
        last=_last_stage(last, values[-1], is_true, affine),
        inputs=stages[0].weights.shape[1],
        low=low,
        high=high,
        precision=precision,
        decide=decide,
        settle=lambda row: int(_labels(run_last(row.astype(precision)), is_true)[0]),
        library=library,
    )


def _truth(units: int, is_binary: bool, threshold: float | None) -> Test:
    """When one unit means True: a sum from the threshold on; one that is binary, at 1."""
    is_sum = units == 1 and not is_binary
    if threshold is not None and not is_sum:
        raise InputError(
            "{option} is for networks that end in the sum of one unit", option="threshold"
        )
    at = threshold or 0.0
    return (lambda made: made >= at) if is_sum else (lambda made: made > 0)


def _labels(made: Rows, is_true: Test) -> NDArray[numpy.intp]:
    """The first of the largest; of one unit, whether it means True."""
    if made.shape[1] > 1:
        return numpy.asarray(made.argmax(axis=1))
    return numpy.asarray(is_true(made[:, 0])).astype(numpy.intp)


def _last_stage(
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

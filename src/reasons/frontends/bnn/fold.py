"""Folding: batch norms and activations of a network become thresholds over whole numbers.

Each unit has a sum from which on it is surely true, and one below which it is surely false. They
differ only where the order of rounding is unknown, and then by very little.

The operations after a sum are monotone, rounding included. So a unit changes once, and bisection
through the source's own arithmetic finds where, to the last bit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.errors import UnsupportedModel
from reasons.features.floats import bisect_floats, floats_at, ranks_of
from reasons.frontends.bnn.integer_weights import (
    Inputs,
    Wholes,
    common_bits,
    plain,
    scaled,
    slack,
    spread,
)
from reasons.frontends.bnn.model import Floats, NeuralModel, Scores, Stage, Units

_FAR = 1 << 60

_BEYOND = 1 << 61  # sums stay below 2^60
Test = Callable[[NDArray[Any]], NDArray[numpy.bool_]]


@dataclass(frozen=True, eq=False)
class Folded:
    """Layers and scores as the core takes them; `read` is what the last stage reads."""

    layers: list[_core.ThresholdLayer]
    labels: int
    scores: Wholes
    least_lead: Wholes
    read: Inputs


@dataclass(frozen=True)
class _Unit:
    """A threshold unit: true from one sum on, false below another."""

    weights: Wholes
    true_from: int
    false_below: int

    def is_same(self, other: "_Unit") -> bool:
        bounds = (self.true_from, self.false_below) == (other.true_from, other.false_below)
        return bounds and bool((self.weights == other.weights).all())


def fold(model: NeuralModel) -> Folded:
    """The network as threshold units, and how certain each is."""
    for stage in (*model.hidden, model.last):
        _require_moderate(stage, float(numpy.finfo(model.precision).max))
    bits = numpy.finfo(model.precision).nmant + 1
    inputs = plain(model.inputs, model.low, model.high)
    layers = []
    for stage in model.hidden:
        layer, inputs = _layer(stage, inputs, bits, model.precision)
        layers.append(layer)
    if isinstance(model.last, Scores):
        if layers:
            return Folded(layers, model.labels, *_scores(model.last, inputs, bits), inputs)
        return _pairs(model.last, inputs, bits)
    layer, after = _layer(model.last, inputs, bits, model.precision)
    scores, leads = _values_of(model.labels, after)
    return Folded([*layers, layer], model.labels, scores, leads, inputs)


def _require_moderate(stage: Stage, most: float) -> None:
    """Refuse units whose sums come near the largest float."""
    largest = numpy.maximum(abs(stage.weights).max(axis=1), abs(stage.added))
    if isinstance(stage, Scores):
        with numpy.errstate(over="ignore"):
            largest = largest * numpy.maximum(abs(stage.scale), 1) + stage.size
    room = most * 2.0**-40 / stage.weights.shape[1]
    for unit in numpy.argwhere(~(largest <= room))[:1, 0]:
        raise UnsupportedModel(f"{stage.place}, unit {unit}: its numbers overflow")


def _layer(
    stage: Units, inputs: Inputs, bits: int, precision: type[numpy.floating[Any]]
) -> tuple[_core.ThresholdLayer, Inputs]:
    """The threshold units of a stage: one for each value of a unit except the least."""
    off = slack(stage, inputs, bits) + stage.blur
    reach = 2 * (spread(stage.weights, inputs) + abs(stage.added) + off) + 1
    cuts = [
        first_change(stage, lambda made, v=value: made >= v, reach, precision)  # type: ignore[misc]
        for value in stage.values[1:]
    ]
    steps = numpy.diff(stage.values)
    made: list[_Unit] = []
    number: list[int] = []
    step: list[int] = []
    for unit in range(len(stage.weights)):
        first = len(made)
        for (at, rises), more in zip(cuts, steps, strict=True):
            one = _unit(stage, unit, inputs, float(at[unit]), bool(rises[unit]), float(off[unit]))
            if len(made) > first and one.is_same(made[-1]):
                step[-1] += int(more)
                continue
            made.append(one)
            number.append(unit)
            step.append(int(more))
    base = numpy.full(len(stage.weights), stage.values[0])
    return _native(made, len(inputs.step)), Inputs(base, numpy.array(number), numpy.array(step))


def _reachable(bound: int) -> int:
    """A bound, clipped to one that no sum of the core reaches."""
    return max(-_BEYOND, min(bound, _BEYOND))


def _native(units: Sequence[_Unit], inputs: int) -> _core.ThresholdLayer:
    return _core.ThresholdLayer(
        inputs,
        numpy.concatenate([unit.weights for unit in units]),
        [_reachable(unit.true_from) for unit in units],
        [_reachable(unit.false_below) for unit in units],
    )


def _unit(stage: Stage, unit: int, inputs: Inputs, at: float, rises: bool, off: float) -> _Unit:
    """The unit that is true from the sum `at` on, or below it where the unit falls."""
    row = scaled(stage.weights[unit], inputs)
    if at == -numpy.inf:
        bound = -_FAR if rises else _FAR
        return _Unit(numpy.zeros_like(row.weights), bound, bound)
    doubt = Fraction(off) + Fraction(row.rounding)
    middle = Fraction(at) - Fraction(float(stage.added[unit]))
    high, low = ((middle + d) * Fraction(2) ** row.bits for d in (doubt, -doubt))
    if rises:
        return _Unit(row.weights, ceil(high) - row.base, ceil(low) - row.base)
    return _Unit(-row.weights, floor(-low) + 1 + row.base, floor(-high) + 1 + row.base)


def _values_of(labels: int, last: Inputs) -> tuple[Wholes, Wholes]:
    """Scores that are the values of units; for one unit, those of False and True."""
    scores = numpy.zeros((labels, len(last.step)), numpy.int64)
    rows = last.number + (len(last.base) == 1)
    scores[rows, numpy.arange(len(last.step))] = last.step
    return scores.ravel(), _leads_of_whole(labels)


def _leads_of_whole(labels: int) -> Wholes:
    """The leads of exact scores: the first of the largest wins."""
    return numpy.tril(numpy.ones((labels, labels), numpy.int64)).ravel()


def _scores(stage: Scores, inputs: Inputs, bits: int) -> tuple[Wholes, Wholes]:
    """The scores on one scale, and the leads that decide for certain."""
    weights = stage.weights * stage.scale[:, None]
    common = min(common_bits(weights, inputs), max(scaled(row, inputs).bits for row in weights))
    rows = [scaled(row, inputs, common) for row in weights]
    measure = Fraction(2) ** common
    error = _errors(stage, inputs, bits)
    off = [Fraction(float(e)) + Fraction(row.rounding) for e, row in zip(error, rows, strict=True)]
    shift = [
        Fraction(float(b)) + Fraction(float(a)) * Fraction(float(c)) + row.base / measure
        for a, b, c, row in zip(stage.scale, stage.shift, stage.added, rows, strict=True)
    ]
    is_plain = (slack(stage, inputs, bits) == 0) & (stage.scale == 1) & (stage.blur == 0)
    is_plain &= numpy.array([row.rounding == 0 for row in rows])
    leads = numpy.empty((len(rows), len(rows)), numpy.int64)
    for a, b in product(range(len(rows)), repeat=2):
        need = (shift[b] - shift[a] + off[a] + off[b]) * measure
        if is_plain[a] and is_plain[b] and _shift_is_same(stage, a, b) and a < b:
            need = Fraction(rows[b].base - rows[a].base)  # equal sums are equal scores
        leads[a, b] = _reachable(ceil(need) if a < b else floor(need) + 1)
    return numpy.concatenate([row.weights for row in rows]), leads.ravel()


def _errors(stage: Scores, inputs: Inputs, bits: int) -> Floats:
    """Bounds of the rounding errors of the source's scores."""
    reach = spread(stage.weights, inputs) + abs(stage.added)
    sums = slack(stage, inputs, bits)
    after = 2 * stage.roundings * 2.0**-bits * (abs(stage.scale) * (reach + sums) + stage.size)
    if stage.roundings == 1:
        once = slack(replace(stage, added=stage.added + stage.shift), inputs, bits)
        after = numpy.where((once == 0) & (stage.scale == 1), 0, after)
    scaling = numpy.where(abs(stage.scale) == 1, 0, abs(stage.scale) * reach * 2.0**-50)
    return numpy.asarray(abs(stage.scale) * sums * (1 + 2.0**-20) + after + scaling)


def _pairs(stage: Scores, inputs: Inputs, bits: int) -> Folded:
    """Scores over the inputs: a unit for each pair of labels says which one leads."""
    scores, leads = _scores(stage, inputs, bits)
    labels = len(stage.weights)
    rows, lead = scores.reshape(labels, -1), leads.reshape(labels, labels)
    pairs = [(a, b) for a in range(labels) for b in range(a + 1, labels)]
    made = [_Unit(rows[a] - rows[b], int(lead[a, b]), 1 - int(lead[b, a])) for a, b in pairs]
    wins: NDArray[numpy.int64] = numpy.zeros((labels, len(pairs)), numpy.int64)
    for at, (a, b) in enumerate(pairs):
        wins[a, at], wins[b, at] = 1, -1
    layer = _native(made, len(inputs.step))
    ranks = numpy.arange(labels)
    apart = 1 + ranks[None, :] - ranks[:, None]  # label a is ahead of the a before it by default
    return Folded([layer], labels, wins.ravel(), apart.ravel(), inputs)


def _shift_is_same(stage: Scores, a: int, b: int) -> bool:
    return bool(stage.shift[a] == stage.shift[b] and stage.added[a] == stage.added[b])


def first_change(
    stage: Stage, is_true: Test, reach: Floats, precision: type[numpy.floating[Any]]
) -> tuple[Floats, NDArray[numpy.bool_]]:
    """The first sum of each unit where a test of its value changes, and whether it becomes true.

    Minus infinity means that it does not change within `reach`, which is symmetric; with "becomes
    true" the test is then always true.
    """

    def tested(sums: NDArray[Any]) -> NDArray[numpy.bool_]:
        with numpy.errstate(all="ignore"):
            made = stage.after(sums[None, :])[0]
        if not numpy.isfinite(made).all():
            unit = int(numpy.argwhere(~numpy.isfinite(made))[0, 0])
            raise UnsupportedModel(f"{stage.place}, unit {unit}: its numbers overflow")
        return is_true(made)

    ends = reach.astype(precision)
    at_low, at_high = tested(-ends), tested(ends)
    rises = at_high
    _, high = bisect_floats(
        lambda table: (tested(table[0]) == at_high)[None],
        ranks_of(-ends),
        ranks_of(ends),
        precision=precision,
    )
    changes = floats_at(high, precision).astype(numpy.float64)
    same = at_low == at_high
    return numpy.where(same, -numpy.inf, changes), rises

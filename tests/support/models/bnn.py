"""Random networks of binary units, and a plain forward pass of them, written apart."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy

import reasons

Rng = numpy.random.Generator


def forward(layers: Sequence[Any], rows: Any, dtype: Any = numpy.float64) -> Any:
    """What becomes of rows of inputs, layer after layer, as anyone would write it."""
    x = numpy.asarray(rows, dtype)
    for layer in layers:
        if isinstance(layer, reasons.bnn.Dense):
            weights = numpy.asarray(layer.weights, dtype)
            x = x @ (numpy.sign(weights) if layer.binarize else weights).T
            if layer.bias is not None:
                x = x + numpy.asarray(layer.bias, dtype)
        elif isinstance(layer, reasons.bnn.BatchNorm):
            mean, variance, scale, shift = (
                numpy.asarray(part, dtype)
                for part in (layer.mean, layer.variance, layer.scale, layer.shift)
            )
            x = (x - mean) / numpy.sqrt(variance + dtype(layer.epsilon)) * scale + shift
        elif isinstance(layer, reasons.bnn.Sign):
            x = numpy.array([[1 if v > 0 else -1 if v < 0 else layer.zero for v in r] for r in x])
            x = x.astype(dtype)
        else:
            x = numpy.array([[1 if v >= layer.at else 0 for v in row] for row in x], dtype)
    return x


def labels_of(layers: Sequence[Any], rows: Any, dtype: Any = numpy.float64) -> list[Any]:
    """The first of the largest outputs, or whether the only one is true."""
    out = forward(layers, rows, dtype)
    if out.shape[1] > 1:
        return [row.index(max(row)) for row in out.tolist()]
    if isinstance(layers[-1], reasons.bnn.Sign | reasons.bnn.Step):
        return [bool(row[0] > 0) for row in out]
    return [bool(row[0] >= 0) for row in out]


def all_rows(count: int) -> Any:
    """Every row of Booleans, the last varying fastest."""
    return (numpy.arange(1 << count)[:, None] >> numpy.arange(count)[::-1] & 1).astype(bool)


def encoded(rows: Any, inputs: str | None) -> Any:
    """Booleans as the numbers that a network is given."""
    return numpy.where(rows, 1, 0 if inputs == "01" else -1)


def random_layers(rng: Rng, inputs: int, outputs: int, *, real: bool = False) -> list[Any]:
    """A network with odd features: zero and negative scales, ties, zeros among the weights."""
    widths = [inputs, *(int(w) for w in rng.integers(1, 6, rng.integers(0, 3))), outputs]
    layers: list[Any] = []
    for before, after in pairwise(widths):
        layers.append(_dense(rng, before, after, real))
        if rng.random() < 0.6:
            layers.append(_norm(rng, after))
        layers.append(_activation(rng))
    if rng.random() < 0.7:
        layers.pop()
    return layers


def _dense(rng: Rng, before: int, after: int, real: bool) -> reasons.bnn.Dense:
    kind = rng.integers(3) if not real else 3
    if kind == 0:
        weights = rng.normal(size=(after, before)) * (rng.random((after, before)) > 0.1)
        return reasons.bnn.Dense(weights, _bias(rng, after), binarize=True)
    if kind == 1:
        return reasons.bnn.Dense(rng.choice([-1, 1], (after, before)), _bias(rng, after))
    if kind == 2:
        return reasons.bnn.Dense(rng.integers(-3, 4, (after, before)), _bias(rng, after))
    return reasons.bnn.Dense(rng.normal(size=(after, before)), _bias(rng, after))


def _bias(rng: Rng, width: int) -> Any:
    choice = rng.integers(4)
    if choice == 0:
        return None
    if choice == 1:
        return rng.integers(-2, 3, width)  # ties
    if choice == 2:
        return numpy.full(width, 0.1) + rng.integers(0, 2, width)  # ties up to rounding
    return rng.normal(size=width)


def _norm(rng: Rng, width: int) -> reasons.bnn.BatchNorm:
    scale = rng.choice([-1.5, -0.3, 0, 0.7, 2], width)
    mean = rng.choice([0, 1, -2, 0.3], width)
    shift = rng.choice([0, 0.5, -0.2], width)
    return reasons.bnn.BatchNorm(mean, rng.uniform(0, 4, width), scale, shift)


def _activation(rng: Rng) -> Any:
    return [
        reasons.bnn.Sign(),
        reasons.bnn.Sign(zero=-1),
        reasons.bnn.Sign(zero=0),
        reasons.bnn.Step(),
        reasons.bnn.Step(at=1.0),
    ][rng.integers(5)]

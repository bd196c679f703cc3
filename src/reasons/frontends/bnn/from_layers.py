"""Neural networks as lists of layers: checked, and read as stages of a numpy forward pass."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.bnn.layers import BatchNorm, Dense, Layer, Sign, Step
from reasons.frontends.bnn.model import NeuralModel, Rows, Stage
from reasons.frontends.bnn.output_layer import Affine, network_of, plain
from reasons.text import short_repr


@dataclass
class _Group:
    """A Dense layer, its place, and the layers up to the next one."""

    place: str
    dense: Dense
    after: list[Layer] = field(default_factory=list)

    @property
    def values(self) -> tuple[int, ...] | None:
        """The output values of the group, if it is binary."""
        end = self.after[-1] if self.after else None
        return end.values if isinstance(end, Sign | Step) else None


def read_layers(
    layers: Sequence[Layer], low: int, high: int, threshold: float | None
) -> NeuralModel:
    """The network of a list of layers, whose inputs are `low` or `high`."""
    groups = _groups(layers)
    single = all(part.dtype == numpy.float32 for layer in layers for part in _arrays(layer))
    precision = numpy.float32 if single else numpy.float64
    end = groups[-1]
    return network_of(
        [_stage(each) for each in groups],
        [each.values for each in groups],
        _affine(end),
        lambda x: _forward(layers, x),
        lambda x: _forward([end.dense, *end.after], x),
        low=low,
        high=high,
        precision=precision,
        threshold=threshold,
        library=f"layers in numpy, {numpy.dtype(precision)}",
    )


def _forward(layers: Sequence[Layer], x: Rows) -> Rows:
    with numpy.errstate(over="ignore", invalid="ignore"):
        for layer in layers:
            x = layer.apply(x)
    return x


def _arrays(layer: Layer) -> list[NDArray[Any]]:
    if isinstance(layer, Dense):
        return [layer.weights] if layer.bias is None else [layer.weights, layer.bias]
    if isinstance(layer, BatchNorm):
        return [layer.mean, layer.variance, layer.scale, layer.shift]
    return []


def _groups(layers: Sequence[Layer]) -> list[_Group]:
    """Each Dense layer with the layers after it; shapes are checked."""
    groups: list[_Group] = []
    for at, layer in enumerate(layers):
        place = f"layer {at}"
        if not isinstance(layer, Layer):
            raise InputError(f"{place} must be Dense, BatchNorm, Sign or Step: {short_repr(layer)}")
        if isinstance(layer, Dense):
            if groups:
                _require_binary(groups[-1], place, layer)
            groups.append(_Group(place, layer))
        elif not groups:
            raise UnsupportedModel(f"{place}: a network begins with Dense, not {short_repr(layer)}")
        else:
            _require_place(groups[-1], place, layer)
            groups[-1].after.append(layer)
    return groups


def _require_binary(before: _Group, place: str, dense: Dense) -> None:
    width, units = dense.weights.shape[1], len(before.dense.weights)
    if width != units:
        raise InputError(f"{place}: the weights take {width} inputs, but there are {units}")
    if before.values is None:
        raise UnsupportedModel(
            f"{place}: what a Dense layer reads must be binary; put Sign() or Step() before it"
        )


def _require_place(group: _Group, place: str, layer: Layer) -> None:
    if group.values is not None:
        raise UnsupportedModel(
            f"{place}: after Sign or Step comes Dense, not {type(layer).__name__}"
        )
    units = len(group.dense.weights)
    if isinstance(layer, BatchNorm) and len(layer.mean) != units:
        raise InputError(f"{place}: BatchNorm of {len(layer.mean)} units after {units}")


def _stage(group: _Group) -> Stage:
    bias, nothing = group.dense.bias, numpy.zeros(len(group.dense.weights))

    def after(sums: Rows) -> Rows:
        biased = sums if bias is None else sums + bias.astype(sums.dtype)
        return _forward(group.after, biased)

    weights = group.dense.used().astype(numpy.float64)
    return Stage(group.place, weights, after, nothing, nothing)


def _affine(group: _Group) -> Affine:
    """Scores as multiples of sums: a bias, then norms."""
    scores = plain(len(group.dense.weights))
    if group.dense.bias is not None:
        bias = group.dense.bias.astype(float)
        scores = replace(scores, shift=bias, size=abs(bias), roundings=1)
    for norm in group.after:
        if isinstance(norm, BatchNorm):
            mean, variance, scale, shift = (
                part.astype(float) for part in (norm.mean, norm.variance, norm.scale, norm.shift)
            )
            scores = scores.normed(scale / numpy.sqrt(variance + norm.epsilon), mean, shift)
    return scores

"""Networks as lists of layers: checked, and read as stages of a plain forward pass in numpy."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import InputError, UnsupportedModel, shown
from reasons.frontends.neural.layers import BatchNorm, Dense, Layer, Sign, Step
from reasons.frontends.neural.stages import Floats, NeuralModel, Rows, Scores, Stage, Units

_BLOCK = 1 << 16
Test = Callable[[Rows], Rows]


def read_layers(
    layers: Sequence[Layer], low: int, high: int, threshold: float | None
) -> NeuralModel:
    """The network of a list of layers, whose inputs are `low` or `high`."""
    for at, layer in enumerate(layers):
        if not isinstance(layer, Layer):
            raise InputError(f"layer {at} must be Dense, BatchNorm, Sign or Step: {shown(layer)}")
    groups = _groups(layers)
    single = all(part.dtype == numpy.float32 for layer in layers for part in _arrays(layer))
    precision = numpy.float32 if single else numpy.float64
    hidden = tuple(_units(at, group) for at, group in groups[:-1])
    is_true = _test(groups[-1][1], threshold)
    last = _last(*groups[-1], is_true)

    def decide(rows: NDArray[numpy.bool_]) -> NDArray[numpy.intp]:
        made = numpy.empty(len(rows), numpy.intp)
        for first in range(0, len(rows), _BLOCK):
            block = rows[first : first + _BLOCK]
            x = numpy.where(block, precision(high), precision(low))
            made[first : first + len(block)] = _labels(_forward(layers, x), is_true)
        return made

    def settle(values: Rows) -> int:
        return int(_labels(_forward(groups[-1][1], values.astype(precision)), is_true)[0])

    library = f"layers in numpy, {numpy.dtype(precision)}"
    width = hidden[0].weights.shape[1] if hidden else last.weights.shape[1]
    return NeuralModel(hidden, last, width, low, high, precision, decide, settle, library)


def _forward(layers: Sequence[Layer], x: Rows) -> Rows:
    with numpy.errstate(over="ignore", invalid="ignore"):
        for layer in layers:
            x = layer.apply(x)
    return x


def _test(group: Sequence[Layer], threshold: float | None) -> Test:
    """When one unit means True: a sum from the threshold on; after Sign or Step, 1."""
    dense, end = group[0], group[-1]
    assert isinstance(dense, Dense)
    is_sum = len(dense.weights) == 1 and not isinstance(end, Sign | Step)
    if threshold is not None and not is_sum:
        raise InputError("threshold= is for networks that end in the sum of one unit")
    at = threshold or 0.0
    return (lambda made: made >= at) if is_sum else (lambda made: made > 0)


def _labels(made: Rows, is_true: Test) -> NDArray[numpy.intp]:
    """The first of the largest; of one unit, whether it means True."""
    if made.shape[1] > 1:
        return numpy.asarray(made.argmax(axis=1))
    return numpy.asarray(is_true(made[:, 0])).astype(numpy.intp)


def _arrays(layer: Layer) -> list[NDArray[Any]]:
    if isinstance(layer, Dense):
        return [layer.weights] if layer.bias is None else [layer.weights, layer.bias]
    if isinstance(layer, BatchNorm):
        return [layer.mean, layer.variance, layer.scale, layer.shift]
    return []


def _groups(layers: Sequence[Layer]) -> list[tuple[int, list[Layer]]]:
    """Each Dense with what follows it up to the next, and its place; shapes are checked."""
    groups: list[tuple[int, list[Layer]]] = []
    width: int | None = None
    for at, layer in enumerate(layers):
        if isinstance(layer, Dense):
            if width not in (None, layer.weights.shape[1]):
                raise InputError(
                    f"layer {at}: the weights take {layer.weights.shape[1]} inputs, "
                    f"but there are {width}"
                )
            if groups and not isinstance(layers[at - 1], Sign | Step):
                raise UnsupportedModel(
                    f"layer {at}: what a Dense layer reads must be binary; "
                    "put Sign() or Step() before it"
                )
            width = len(layer.weights)
            groups.append((at, [layer]))
            continue
        if not groups:
            raise UnsupportedModel(f"layer 0: a network begins with Dense, not {shown(layer)}")
        _require_order(at, groups[-1][1], layer, width)
        groups[-1][1].append(layer)
    return groups


def _require_order(at: int, group: list[Layer], layer: Layer, width: int | None) -> None:
    if any(isinstance(before, Sign | Step) for before in group):
        raise UnsupportedModel(
            f"layer {at}: after Sign or Step comes Dense, not {type(layer).__name__}"
        )
    if isinstance(layer, BatchNorm) and len(layer.mean) != width:
        raise InputError(f"layer {at}: BatchNorm of {len(layer.mean)} units after {width}")


def _stage(at: int, group: Sequence[Layer]) -> dict[str, Any]:
    dense = group[0]
    assert isinstance(dense, Dense)
    nothing = numpy.zeros(len(dense.weights))

    def after(sums: Rows) -> Rows:
        kept = sums if dense.bias is None else sums + dense.bias.astype(sums.dtype)
        return _forward(group[1:], kept)

    return {
        "place": f"layer {at}",
        "weights": dense.used().astype(numpy.float64),
        "after": after,
        "added": nothing,
        "blur": nothing,
    }


def _units(at: int, group: Sequence[Layer]) -> Units:
    activation = group[-1]
    assert isinstance(activation, Sign | Step)
    return Units(**_stage(at, group), values=activation.values)


def _last(at: int, group: Sequence[Layer], is_true: Test) -> Units | Scores:
    parts = _stage(at, group)
    activation = group[-1]
    if isinstance(activation, Sign | Step) and len(parts["weights"]) > 1:
        return Units(**parts, values=activation.values)
    if len(parts["weights"]) == 1:
        whole = Stage(**parts)
        parts["after"] = lambda sums: is_true(whole.after(sums)).astype(sums.dtype)
        return Units(**parts, values=(0, 1))
    return Scores(**parts, **_affine(group))


def _affine(group: Sequence[Layer]) -> dict[str, Any]:
    """Scores as a multiple of the sum, a shift, and the size of what is rounded on the way."""
    dense = group[0]
    assert isinstance(dense, Dense)
    width = len(dense.weights)
    scale: Floats = numpy.ones(width)
    shift: Floats = numpy.zeros(width) if dense.bias is None else dense.bias.astype(float)
    size: Floats = abs(shift)
    roundings = 0 if dense.bias is None else 1
    for norm in group[1:]:
        assert isinstance(norm, BatchNorm)
        by = norm.scale.astype(float) / numpy.sqrt(norm.variance.astype(float) + norm.epsilon)
        size = abs(by) * (size + abs(norm.mean.astype(float))) + abs(norm.shift.astype(float))
        shift = (shift - norm.mean.astype(float)) * by + norm.shift.astype(float)
        scale, roundings = scale * by, roundings + 12
    return {"scale": scale, "shift": shift, "size": size, "roundings": roundings}

"""Neural networks of torch: a Sequential of Linear, BatchNorm1d and binary activations.

The modules themselves compute what follows a sum, and decisions are those of the whole module.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy

from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.bnn.model import Floats, NeuralModel, Rows, Stage
from reasons.frontends.bnn.output_layer import Affine, network_of, plain
from reasons.frontends.bnn.torch_modules import LinearPart, linear_parts
from reasons.frontends.libraries import version_of


def read_module(module: Any, low: int, high: int, threshold: float | None) -> NeuralModel:
    """The network of a torch module, whose inputs are `low` or `high`."""
    import torch

    if isinstance(module, type):
        raise InputError(f"{module.__name__} is a class; give a module of it")
    precision = _precision(module)
    parts = linear_parts(
        module, torch.float32 if precision is numpy.float32 else torch.float64, low
    )
    end = parts[-1]
    return network_of(
        [_stage(part, precision) for part in parts],
        [part.values for part in parts],
        _affine(end),
        lambda x: _run([module], x),
        lambda x: _run([end.linear, *end.after], x),
        low=low,
        high=high,
        precision=precision,
        threshold=threshold,
        library=f"torch {version_of('torch')}",
    )


def _run(modules: Sequence[Callable[[Any], Any]], rows: Rows) -> Rows:
    """The outputs of modules for rows."""
    import torch

    with torch.no_grad():
        x = torch.from_numpy(numpy.array(rows))
        for each in modules:
            x = each(x)
    return numpy.asarray(x.numpy())


def _precision(module: Any) -> Any:
    import torch

    tensors = [*module.parameters(), *(b for b in module.buffers() if b.is_floating_point())]
    kinds = {(tensor.dtype, tensor.device.type) for tensor in tensors}
    if len(kinds) != 1 or not kinds <= {(torch.float32, "cpu"), (torch.float64, "cpu")}:
        described = ", ".join(sorted(f"{kind} on {device}" for kind, device in kinds)) or "nothing"
        raise UnsupportedModel(
            f"the numbers must be all float32 or all float64 on cpu: {described}"
        )
    for name, tensor in module.state_dict().items():
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            raise InputError(f"{name} holds a number that is not finite")
    return numpy.float32 if kinds == {(torch.float32, "cpu")} else numpy.float64


def _stage(part: LinearPart, precision: Any) -> Stage:
    def after(sums: Rows) -> Rows:
        return _run(part.after, sums)

    return Stage(part.place, part.weights, after, part.bias, _blur(part, precision))


def _norm(module: Any) -> tuple[Floats, Floats, Floats]:
    """A batch norm as a factor, the mean subtracted before it, and the shift added after it."""
    import torch

    def floats(tensor: Any, usual: float) -> Floats:
        if tensor is None:
            return numpy.full(len(module.running_mean), usual)
        return numpy.asarray(tensor.detach().to(torch.float64).numpy())

    deviation = numpy.sqrt(floats(module.running_var, 1) + module.eps)
    return (
        floats(module.weight, 1) / deviation,
        floats(module.running_mean, 0),
        floats(module.bias, 0),
    )


def _blur(part: LinearPart, precision: Any) -> Floats:
    """How far a norm may be off near 0: torch rounds differently for different shapes."""
    blur = numpy.zeros(len(part.weights))
    for norm in part.norms:
        factor, mean, shift = _norm(norm)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            back = numpy.where(factor == 0, 0, abs(shift / factor))
        blur = blur + 8 * float(numpy.finfo(precision).eps) * (abs(mean) + back)
    return blur


def _affine(part: LinearPart) -> Affine:
    """Scores as multiples of sums: norms, then a softmax, which is monotone."""
    scores = plain(len(part.weights))
    for norm in part.norms:
        scores = scores.normed(*_norm(norm))
    if part.is_soft:
        reach = abs(part.weights).sum(axis=1) + abs(part.bias)
        size = scores.size + 2 * abs(scores.scale) * reach + len(reach)
        scores = replace(scores, size=size, roundings=scores.roundings + 32)
    return scores

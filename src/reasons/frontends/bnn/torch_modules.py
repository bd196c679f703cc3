"""Modules of torch: linear modules, norms and binary activations, recognised by trials.

A plain Linear uses its weights. For a derived class, a trial says whether its forward uses their
signs, and the signs of its inputs. A module counts as an activation if its class is named after
signs, binarizing or steps, and a trial finds no other outputs than -1, 0 and 1.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.bnn.model import Floats

_ACTIVATION = re.compile("sign|binar|step|heaviside", re.IGNORECASE)
_PASSED = ("Identity", "Dropout", "Flatten")
_SQUASHED = ("Hardtanh",)
_TRIALS = 64
_ADVICE = (
    "give a torch.nn.Sequential of Linear, BatchNorm1d and modules such as Sign or Step whose "
    "outputs are -1, 0 and 1, or the same as a list of reasons.bnn.Dense, BatchNorm, Sign, Step"
)


@dataclass
class LinearPart:
    """A linear module, the weights that it uses, and the modules that follow it."""

    place: str
    linear: Any
    weights: Floats
    bias: Floats
    after: list[Callable[[Any], Any]] = field(default_factory=list)
    norms: list[Any] = field(default_factory=list)
    values: tuple[int, ...] | None = None
    is_soft: bool = False

    def require_open(self, place: str) -> None:
        """Nothing follows what ends a part."""
        if self.values is not None or self.is_soft:
            raise UnsupportedModel(f"{place}: a Linear must come between; {_ADVICE}")


def _flat(module: Any, place: str = "") -> list[tuple[str, Any]]:
    if type(module).__name__ != "Sequential":
        return [(f"module {place or 0} ({type(module).__name__})", module)]
    return [
        pair
        for name, child in module.named_children()
        for pair in _flat(child, f"{place}.{name}" if place else name)
    ]


def linear_parts(module: Any, kind: Any, low: int) -> list[LinearPart]:
    """The linear modules, each with what follows it."""
    from torch import nn

    parts: list[LinearPart] = []
    for place, each in _flat(module):
        if isinstance(each, nn.Linear):
            _join(parts, place, each, kind, low)
        elif type(each).__name__ in _PASSED:
            if type(each).__name__ == "Dropout" and each.training:
                raise InputError(f"{place} is in training mode; call model.eval() first")
        elif not parts:
            raise UnsupportedModel(f"{place} comes before any Linear; {_ADVICE}")
        else:
            parts[-1].require_open(place)
            _follow(parts[-1], place, each, kind)
    if not parts:
        raise UnsupportedModel(f"there is no Linear; {_ADVICE}")
    return parts


def _join(parts: list[LinearPart], place: str, linear: Any, kind: Any, low: int) -> None:
    """Add a linear module; its inputs must be binary, unless it binarises them."""
    width = linear.weight.shape[1]
    if 0 in linear.weight.shape:
        raise InputError(f"{place} has weights of shape {tuple(linear.weight.shape)}")
    if parts and len(parts[-1].weights) != width:
        raise InputError(f"{place} takes {width} inputs, but there are {len(parts[-1].weights)}")
    part, binarizes = _linear(place, linear, kind)
    if binarizes is not None and parts and parts[-1].values is None:
        parts[-1].after.append(binarizes)
        parts[-1].values = (-1, 0, 1)
    if parts and (parts[-1].values is None or parts[-1].is_soft):
        raise UnsupportedModel(f"{place} reads what is not binary; {_ADVICE}")
    if not parts and binarizes is _sign_with_zero and low == 0:
        raise UnsupportedModel(f"{place} does not tell the inputs 0 and 1 apart")
    parts.append(part)


def _linear(place: str, linear: Any, kind: Any) -> tuple[LinearPart, Callable[[Any], Any] | None]:
    """The weights that a linear module uses, and how it binarises its inputs, if it does."""
    import torch

    weight = linear.weight.detach().clone()
    count, width = weight.shape
    bias = torch.zeros(count, dtype=kind) if linear.bias is None else linear.bias.detach().clone()
    used = weight
    binarizes = None
    if type(linear) is not torch.nn.Linear:
        generator = torch.Generator().manual_seed(0)
        x = torch.randint(0, 2, (_TRIALS, width), generator=generator).to(kind) * 2 - 1
        used = _used(place, linear, weight, bias, x)
        with torch.no_grad():
            if torch.equal(linear(x.clone() / 2), linear(x.clone())):
                at_zero = linear(torch.zeros(1, width, dtype=kind))[0]
                as_ones = torch.nn.functional.linear(torch.ones(1, width, dtype=kind), used, bias)
                is_sign = torch.allclose(at_zero, bias) or not torch.allclose(at_zero, as_ones[0])
                binarizes = torch.sign if is_sign else _sign_with_zero
    numbers = used.to(torch.float64).numpy(), bias.to(torch.float64).numpy()
    return LinearPart(place, linear, *numbers), binarizes


def _sign_with_zero(x: Any) -> Any:
    return (x >= 0).to(x.dtype) * 2 - 1


def _used(place: str, linear: Any, weight: Any, bias: Any, x: Any) -> Any:
    """The weights or their signs, whichever the module's forward agrees with."""
    import torch

    with torch.no_grad():
        made = linear(x.clone())
        for used in (weight, weight.sign(), _sign_with_zero(weight)):
            if torch.allclose(made, torch.nn.functional.linear(x, used, bias), 1e-4, 1e-4):
                return used
    raise UnsupportedModel(f"{place} uses neither its weights nor their signs; {_ADVICE}")


def _follow(part: LinearPart, place: str, module: Any, kind: Any) -> None:
    """Add a module after a linear one: a norm, an activation, or a monotone function."""
    from torch import nn

    name = type(module).__name__
    if isinstance(module, nn.BatchNorm1d):
        if module.training:
            raise InputError(f"{place} is in training mode; call model.eval() first")
        if module.running_mean is None or module.running_var is None:
            raise UnsupportedModel(f"{place} has no running statistics")
        if len(module.running_mean) != len(part.weights):
            count = len(module.running_mean)
            raise InputError(f"{place} has {count} units after {len(part.weights)}")
        part.norms.append(module)
    elif name in ("Softmax", "LogSoftmax"):
        part.is_soft = True
    elif _ACTIVATION.search(name):
        part.values = _values(place, module, len(part.weights), kind)
    elif name not in _SQUASHED:
        raise UnsupportedModel(f"{place} is not known; {_ADVICE}")
    part.after.append(module)


def _values(place: str, module: Any, width: int, kind: Any) -> tuple[int, ...]:
    """The output values of an activation, by trial."""
    import torch

    tried = torch.tensor([-1e30, -3, -1, -0.5, -1e-30, 0, 1e-30, 0.5, 1, 3, 1e30], dtype=kind)
    with torch.no_grad():
        made = module(tried[:, None].expand(-1, width).clone())
    outputs = set(made.unique().tolist()) if made.shape == (len(tried), width) else {None}
    if not outputs <= {-1.0, 0.0, 1.0} or bool((made.diff(dim=0) < 0).any()):
        raise UnsupportedModel(f"{place} does not rise from -1 or 0 to 1; {_ADVICE}")
    return (-1, 0, 1) if -1.0 in outputs else (0, 1)

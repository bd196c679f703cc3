"""Layers of binarised neural networks over Boolean inputs, as users write them.

Float32 numbers stay float32; all others become float64. A network computes in float32 if all its
numbers are float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from reasons.errors import InputError, Option

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[numpy.floating[Any]]


@dataclass(frozen=True, eq=False)
class Dense:
    """Sums of the layer before: a row of `weights` and a number of `bias` for each unit.

    With `binarize=True` the weights are latent: their signs are used, where 0 stays 0.
    """

    weights: Any
    bias: Any = None
    binarize: bool = False

    def __post_init__(self) -> None:
        weights = _numbers("Dense weights", self.weights, 2)
        if 0 in weights.shape:
            raise InputError(f"Dense weights of shape {weights.shape} leave a layer empty")
        object.__setattr__(self, "weights", weights)
        if self.bias is not None:
            bias = _numbers("Dense bias", self.bias, 1, len(weights))
            object.__setattr__(self, "bias", bias)

    def used(self) -> Array:
        """The weights, or their signs with `binarize`."""
        import numpy

        return numpy.sign(self.weights) if self.binarize else self.weights  # type: ignore[no-any-return]

    def apply(self, x: Array) -> Array:
        """The outputs for rows of inputs, in their precision."""
        sums = x @ self.used().astype(x.dtype).T
        return sums if self.bias is None else sums + self.bias.astype(x.dtype)


@dataclass(frozen=True, eq=False)
class BatchNorm:
    """`(x - mean) / sqrt(variance + epsilon) * scale + shift`, each a number for each unit."""

    mean: Any
    variance: Any
    scale: Any = None
    shift: Any = None
    epsilon: float = 1e-5

    def __post_init__(self) -> None:
        width = len(_numbers("BatchNorm mean", self.mean, 1))
        usual = {"scale": [1.0] * width, "shift": [0.0] * width}
        for name in ("mean", "variance", "scale", "shift"):
            value = getattr(self, name)
            numbers = usual.get(name) if value is None else value
            object.__setattr__(self, name, _numbers(f"BatchNorm {name}", numbers, 1, width))
        epsilon = _numbers("BatchNorm epsilon", [self.epsilon], 1)[0]
        if not (self.variance >= 0).all() or not (self.variance + epsilon > 0).all():
            raise InputError("BatchNorm variance + epsilon must be positive everywhere")

    def apply(self, x: Array) -> Array:
        """The outputs for rows of numbers, in their precision."""
        import numpy

        mean, variance, scale, shift = (
            part.astype(x.dtype) for part in (self.mean, self.variance, self.scale, self.shift)
        )
        deviation = numpy.sqrt(variance + x.dtype.type(self.epsilon))
        return (x - mean) / deviation * scale + shift  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Sign:
    """1 above 0, -1 below, and `zero` at 0, which is 1, -1, or 0 as in `numpy.sign`."""

    zero: int = 1

    def __post_init__(self) -> None:
        zero: Any = self.zero
        if not isinstance(zero, Real) or zero not in (-1, 0, 1):
            raise InputError("Sign {option} must be 1, -1 or 0", option=Option("zero", self.zero))

    def apply(self, x: Array) -> Array:
        """The outputs for rows of numbers."""
        import numpy

        return numpy.where(x == 0, x.dtype.type(self.zero), numpy.sign(x))

    @property
    def values(self) -> tuple[int, ...]:
        """The output values."""
        return (-1, 0, 1) if self.zero == 0 else (-1, 1)


@dataclass(frozen=True)
class Step:
    """1 from `at` on, otherwise 0."""

    at: float = 0.0

    def __post_init__(self) -> None:
        _numbers("Step at", [self.at], 1)

    def apply(self, x: Array) -> Array:
        """The outputs for rows of numbers."""
        return (x >= self.at).astype(x.dtype)

    @property
    def values(self) -> tuple[int, ...]:
        """The output values."""
        return (0, 1)


Layer = Dense | BatchNorm | Sign | Step


def _numbers(what: str, values: Any, dimensions: int, length: int | None = None) -> Array:
    """A read-only array of finite numbers."""
    import numpy

    try:
        array = numpy.array(values)
    except (ValueError, TypeError) as error:
        raise InputError(f"{what} must be an array of numbers: {error}") from None
    if array.dtype.kind not in "biuf" or array.ndim != dimensions:
        raise InputError(
            f"{what} must be numbers in {dimensions} dimension(s), "
            f"not {array.dtype} in {array.ndim}"
        )
    if length is not None and len(array) != length:
        raise InputError(f"{what} has {len(array)} numbers; {length} are expected")
    array = array if array.dtype == numpy.float32 else array.astype(numpy.float64)
    if not numpy.isfinite(array).all():
        at = tuple(int(i) for i in numpy.argwhere(~numpy.isfinite(array))[0])
        raise InputError(f"{what} at {list(at)} is {array[at]}, not a finite number")
    array.setflags(write=False)
    return array

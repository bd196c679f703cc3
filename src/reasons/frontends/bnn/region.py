"""Regions of inputs: within a Hamming distance of an image, or with some inputs fixed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reasons.errors import InputError, Option
from reasons.features.schema import Schema
from reasons.text import comma_list, short_repr

FREE = 2


@dataclass(frozen=True)
class Flips:
    """The inputs within a Hamming distance of an image: at most `flips` inputs differ.

    The image is a mapping from names, or a sequence or array in the order of the inputs, of
    True and False, 1 and 0, or 1 and -1.

    >>> Flips([1, 0, 1], 1)
    Flips(image=[1, 0, 1], flips=1)
    """

    image: Any
    flips: int

    def __post_init__(self) -> None:
        number = self.flips
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise InputError(f"Flips: {short_repr(number)} must be a number of inputs")


@dataclass(frozen=True)
class Region:
    """The value of each input (0, 1 or `FREE`), how many may flip, and the image."""

    fixed: list[int]
    flips: int | None
    centre: list[int]
    text: str | None


def region_of(region: Any, schema: Schema) -> Region:
    """The region that a user declares: Flips, a mapping from names to values, or nothing."""
    free = [FREE] * len(schema)
    if region is None:
        return Region(free, None, [], None)
    if isinstance(region, Flips):
        centre = _image(region.image, schema)
        if region.flips >= len(schema):
            return Region(free, None, [], None)
        shape = "".join(map(str, centre))
        return Region(free, region.flips, centre, f"within {region.flips} flips of {shape}")
    if not isinstance(region, Mapping):
        raise InputError(
            "{option} must be reasons.bnn.Flips(image, number) or a mapping from names to values",
            option=Option("region", region),
        )
    for name, value in region.items():
        free[schema.index(name)] = _bit(name, value)
    cube = comma_list(
        (f if bit else f"~{f}" for f, bit in zip(schema.names, free, strict=True) if bit != FREE),
        40,
    )
    return Region(free, None, [], cube or None)


def _image(image: Any, schema: Schema) -> list[int]:
    if isinstance(image, Mapping):
        absent = [name for name in schema.names if name not in image]
        if absent:
            raise InputError(f"Flips: the image lacks {comma_list(absent)}")
        for name in image:
            schema.index(name)
        values: Sequence[Any] = [image[name] for name in schema.names]
    else:
        flat = image.ravel() if hasattr(image, "ravel") else image
        if isinstance(flat, str) or not hasattr(flat, "__iter__"):
            raise InputError(f"Flips: an image is a mapping or a sequence, not {short_repr(image)}")
        values = list(flat)
    if len(values) != len(schema):
        raise InputError(f"Flips: the image has {len(values)} values, the network {len(schema)}")
    bits = [_bit(name, value) for name, value in zip(schema.names, values, strict=True)]
    if {-1, 0} <= {int(value) for value in values}:
        raise InputError("Flips: an image has the values 1 and 0, or 1 and -1, not all three")
    return bits


def _bit(name: str, value: Any) -> int:
    try:
        known = not getattr(value, "ndim", 0) and value in (-1, 0, 1)
    except (TypeError, ValueError):
        known = False
    if not known:
        raise InputError(
            f"region: {name!r} is True or False (1 or 0, 1 or -1), not {short_repr(value)}"
        )
    return int(value > 0)

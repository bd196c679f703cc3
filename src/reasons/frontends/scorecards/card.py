"""Cards: the points of every feature, and sums of them without rounding."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from reasons.errors import InputError
from reasons.features.values import OTHER, is_missing, text_of
from reasons.frontends.scorecards.bin_parser import Edge
from reasons.text import short_repr

Points = Fraction | None
"""None where a value has none, so that it is refused."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Points of a number: by stretches, each from an edge to the next, or where it is missing."""

    name: str
    edges: tuple[Edge, ...]
    points: tuple[Points, ...]
    missing: Points

    def of(self, value: Any) -> Points:
        """The points of a raw value."""
        if is_missing(value):
            return self.missing
        number = (float(value), 0.5)  # after the edge before it, before the edge after it
        return self.points[bisect_right(self.edges, number) - 1]

    @property
    def all(self) -> list[Fraction]:
        """The points that there are."""
        return [points for points in (*self.points, self.missing) if points is not None]


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """Points of a category by its text or its truth, of others, and where it is missing."""

    name: str
    points: Mapping[Any, Fraction]
    other: Points
    missing: Points

    def of(self, value: Any) -> Points:
        """The points of a raw value."""
        if is_missing(value):
            return self.missing
        known = value if self.is_truth or value is OTHER else text_of(value)
        return None if known is None else self.points.get(known, self.other)

    @property
    def is_truth(self) -> bool:
        """Whether the categories are true and false."""
        return bool(self.points) and set(self.points) <= {False, True}

    @property
    def all(self) -> list[Fraction]:
        """The points that there are."""
        return [*self.points.values(), *(p for p in (self.other, self.missing) if p is not None)]


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """The points that everyone gets, and those of each feature."""

    base: Fraction
    features: tuple[Numbers | Categories, ...]

    def sum(self, row: Sequence[Any]) -> Fraction:
        """The points of a row of raw values; `InputError` where a value has none."""
        total = self.base
        for feature, value in zip(self.features, row, strict=True):
            points = feature.of(value)
            if points is None:
                raise InputError(f"feature {feature.name!r} has no points for {short_repr(value)}")
            total += points
        return total

    @property
    def least(self) -> Fraction:
        """No sum is smaller."""
        return self.base + sum(min(feature.all) for feature in self.features)

    @property
    def numbers(self) -> list[Fraction]:
        """All points that are added."""
        return [self.base, *(points for feature in self.features for points in feature.all)]

"""Sets of cells as sorted ranges: what goes left at the tests of a feature.

A threshold sends a prefix of the cells left, and perhaps the cell of missing values. A flag for
each cell of each test takes gigabytes for a forest without a depth limit; ranges do not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

Masks = NDArray[numpy.bool_]  # a row for each set, a column for each cell
Integers = NDArray[numpy.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CellSets:
    """Sets of the cells of one feature: set k has the ranges `ends[first[k]:first[k + 1]]`.

    A range is a pair, its first cell and the cell after its last. The ranges of a set are in
    order and neither meet nor overlap.

    >>> sets = CellSets.of_masks(numpy.array([[True, True, False, True]]))
    >>> sets.ends.tolist(), sets.turns().tolist(), sets.take([0, 2, 3]).ends.tolist()
    ([[0, 2], [3, 4]], [False, True, True], [[0, 1], [2, 3]])
    """

    cells: int
    first: Integers
    ends: Integers

    def __len__(self) -> int:
        return len(self.first) - 1

    @staticmethod
    def of_masks(masks: Masks) -> "CellSets":
        """Sets from flags. Cost: O(flags)."""
        edges = numpy.zeros((len(masks), masks.shape[1] + 2), bool)
        edges[:, 1:-1] = masks
        rows, begins = numpy.nonzero(edges[:, 1:] & ~edges[:, :-1])
        ends = numpy.nonzero(edges[:, :-1] & ~edges[:, 1:])[1]
        first = numpy.searchsorted(rows, numpy.arange(len(masks) + 1))
        return CellSets(masks.shape[1], first, numpy.stack([begins, ends], axis=1))

    @staticmethod
    def of_ranges(cells: int, sets: Sequence[Integers], ends: Sequence[Integers]) -> "CellSets":
        """Sets from parts, each a number of a set and a range for it, which may meet but not
        overlap; empty ranges are left out. Every set has a part."""
        number, pairs = numpy.concatenate(sets), numpy.concatenate(ends)
        count = int(number.max(initial=-1)) + 1
        full = pairs[:, 0] < pairs[:, 1]
        number, pairs = number[full], pairs[full]
        order = numpy.lexsort((pairs[:, 0], number))
        number, pairs = number[order], pairs[order]
        meets = (number[1:] == number[:-1]) & (pairs[1:, 0] == pairs[:-1, 1])
        opens = numpy.concatenate([numpy.ones(min(len(pairs), 1), bool), ~meets])
        closes = numpy.concatenate([~meets, numpy.ones(min(len(pairs), 1), bool)])
        merged = numpy.stack([pairs[opens, 0], pairs[closes, 1]], axis=1)
        first = numpy.searchsorted(number[opens], numpy.arange(count + 1))
        return CellSets(cells, first, merged)

    def turns(self) -> NDArray[numpy.bool_]:
        """Of each cell but the last: whether some set parts it from the next."""
        flags = numpy.zeros(self.cells + 1, bool)
        flags[self.ends.ravel()] = True
        return flags[1 : self.cells]

    def take(self, kept: Sequence[int]) -> "CellSets":
        """The sets over some cells, in order, of which each stands for those up to the next."""
        places = numpy.asarray(kept, numpy.int64)
        ends = numpy.searchsorted(places, self.ends)
        numbers = numpy.repeat(numpy.arange(len(self)), numpy.diff(self.first))
        every = numpy.arange(len(self))  # a set may be left without cells
        empty = numpy.zeros((len(self), 2), numpy.int64)
        return CellSets.of_ranges(len(places), [every, numbers], [empty, ends])


@dataclass(frozen=True, slots=True, eq=False)
class LeftCells:
    """Tests of cells in the order of their numbers: the feature of each, and what goes left."""

    features: NDArray[numpy.uint32]
    first: Integers
    ends: Integers

    @staticmethod
    def of_features(parts: Iterable[tuple[int, Sequence[int], CellSets]]) -> "LeftCells":
        """Tests given by feature: the feature, the numbers of its tests, and their sets."""
        listed = [(f, numpy.asarray(numbers, numpy.int64), sets) for f, numbers, sets in parts]
        count = sum(len(numbers) for _, numbers, _ in listed)
        features = numpy.zeros(count, numpy.uint32)
        sizes = numpy.zeros(count, numpy.int64)
        for f, numbers, sets in listed:
            features[numbers] = f
            sizes[numbers] = numpy.diff(sets.first)
        first = numpy.concatenate([[0], numpy.cumsum(sizes)])
        ends = numpy.zeros((int(first[-1]), 2), numpy.int64)
        for _, numbers, sets in listed:
            own = numpy.diff(sets.first)
            shift = numpy.repeat(first[numbers] - sets.first[:-1], own)
            ends[numpy.arange(len(sets.ends)) + shift] = sets.ends
        return LeftCells(features, first, ends)

    @staticmethod
    def of_masks(features: Sequence[int], masks: Sequence[NDArray[Any]]) -> "LeftCells":
        """Tests given by flags, one after another."""
        sets = [CellSets.of_masks(mask[None]) for mask in masks]
        return LeftCells.of_features(
            (feature, [number], of)
            for number, (feature, of) in enumerate(zip(features, sets, strict=True))
        )

    def followed_by(self, other: "LeftCells") -> "LeftCells":
        """These tests, and the others with the next numbers."""
        return LeftCells(
            numpy.concatenate([self.features, other.features]),
            numpy.concatenate([self.first, other.first[1:] + self.first[-1]]),
            numpy.concatenate([self.ends, other.ends]),
        )

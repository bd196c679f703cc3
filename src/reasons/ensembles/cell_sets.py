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
    """Sets of the cells of one feature: set k has the ranges `ranges[first[k]:first[k + 1]]`.

    A range is a pair, its first cell and the cell after its last. The ranges of a set are in
    order and neither meet nor overlap.

    >>> sets = CellSets.of_masks(numpy.array([[True, True, False, True]]))
    >>> sets.ranges.tolist(), sets.turns().tolist(), sets.take([0, 2, 3]).ranges.tolist()
    ([[0, 2], [3, 4]], [False, True, True], [[0, 1], [2, 3]])
    """

    cells: int
    first: Integers
    ranges: Integers

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
    def of_ranges(cells: int, count: int, sets: Integers, ranges: Integers) -> "CellSets":
        """So many sets from ranges in any order, each with the number of its set.

        The ranges of a set may meet but not overlap; empty ones are left out.
        """
        full = ranges[:, 0] < ranges[:, 1]
        sets, ranges = sets[full], ranges[full]
        order = numpy.lexsort((ranges[:, 0], sets))
        sets, ranges = sets[order], ranges[order]
        meets = (sets[1:] == sets[:-1]) & (ranges[1:, 0] == ranges[:-1, 1])
        edge = numpy.zeros(min(len(ranges), 1), bool)
        opens, closes = ~numpy.concatenate([edge, meets]), ~numpy.concatenate([meets, edge])
        merged = numpy.stack([ranges[opens, 0], ranges[closes, 1]], axis=1)
        return CellSets(cells, numpy.searchsorted(sets[opens], numpy.arange(count + 1)), merged)

    def turns(self) -> NDArray[numpy.bool_]:
        """Of each cell but the last: whether some set parts it from the next."""
        flags = numpy.zeros(self.cells + 1, bool)
        flags[self.ranges.ravel()] = True
        return flags[1 : self.cells]

    @property
    def numbers(self) -> Integers:
        """The number of the set of each range."""
        return numpy.repeat(numpy.arange(len(self)), numpy.diff(self.first))

    def take(self, kept: Sequence[int]) -> "CellSets":
        """The sets over the kept cells only; each stands for those up to the next kept one."""
        ranges = numpy.searchsorted(numpy.asarray(kept, numpy.int64), self.ranges)
        return CellSets.of_ranges(len(kept), len(self), self.numbers, ranges)


@dataclass(frozen=True, slots=True, eq=False)
class LeftCells:
    """Tests of cells in the order of their numbers: the feature of each, and what goes left."""

    features: NDArray[numpy.uint32]
    first: Integers
    ranges: Integers

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
        ranges = numpy.zeros((int(first[-1]), 2), numpy.int64)
        for _, numbers, sets in listed:
            shift = (first[numbers] - sets.first[:-1])[sets.numbers]
            ranges[numpy.arange(len(sets.ranges)) + shift] = sets.ranges
        return LeftCells(features, first, ranges)

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
            numpy.concatenate([self.ranges, other.ranges]),
        )

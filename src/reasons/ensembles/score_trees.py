"""Tables of addends as trees whose tests halve the cells of a feature."""

from collections.abc import Callable, Sequence

import numpy

from reasons.ensembles.cell_sets import LeftCells
from reasons.ensembles.ir import Tree
from reasons.ensembles.native import Answers
from reasons.ensembles.score_tables import Kinds, Numbers
from reasons.errors import InputError

_MOST_CELLS = 1 << 28  # a byte for each cell of each test


class CellTests:
    """The tests of all trees: the feature of each, and the cells that go left."""

    def __init__(self) -> None:
        self.where: list[int] = []
        self.masks: list[Answers] = []
        self._cells = 0

    def expect(self, tests: int, cells: int) -> None:
        """Raise `InputError` if this many more tests of cells are too many."""
        self._cells += tests * cells
        if self._cells > _MOST_CELLS:
            raise InputError("columns have too many values; bin them, or declare fewer")

    def left_cells(self) -> LeftCells:
        """The tests in the order of their numbers."""
        return LeftCells.of_masks(self.where, self.masks)

    def number(self, feature: int, mask: Answers) -> int:
        """The number of a new test."""
        self.where.append(feature)
        self.masks.append(mask)
        return len(self.where) - 1


def tree_of(tests: CellTests, features: Sequence[int], kinds: Kinds, sums: Numbers) -> Tree:
    """The tree with one leaf for each class of equal cells; more for several features.

    `sums` has the values of the cells of the grid, equal within a class.
    """
    return _Grown(tests, features, kinds, sums).tree()


class _Grown:
    """Nodes as they are added, parents first."""

    def __init__(
        self, tests: CellTests, features: Sequence[int], kinds: Kinds, sums: Numbers
    ) -> None:
        self.tests, self.features = tests, features
        self.nodes: list[tuple[int, int, int]] = []
        self.values: list[Numbers] = []
        _, first = numpy.unique(kinds, return_index=True)
        self.sum_of = dict(zip(kinds.ravel()[first].tolist(), sums[first], strict=True))
        tests.expect(len(first), max(kinds.shape, default=1))
        self.empty = numpy.zeros(sums.shape[1])
        self._below(0, kinds)

    def tree(self) -> Tree:
        test, left, right = numpy.array(self.nodes, numpy.int32).T
        return Tree(test, left, right, numpy.array(self.values))

    def _below(self, depth: int, kinds: Kinds) -> int:
        """Add the subtree of the features from a depth on."""
        if not kinds.ndim:
            return self._node(self.sum_of[int(kinds)])
        rows = kinds.reshape(len(kinds), -1)
        _, first, alike = numpy.unique(rows, axis=0, return_index=True, return_inverse=True)
        place = first[alike.ravel()]  # for each cell, the first that equals it
        return self._parted(
            self.features[depth],
            place,
            sorted(first.tolist()),
            lambda cell: self._below(depth + 1, kinds[cell]),
        )

    def _parted(
        self, feature: int, place: Kinds, cells: list[int], below: Callable[[int], int]
    ) -> int:
        if len(cells) == 1:
            return below(cells[0])
        at = self._node(self.empty)
        half = len(cells) // 2
        test = self.tests.number(feature, numpy.isin(place, cells[:half]))
        left = self._parted(feature, place, cells[:half], below)
        right = self._parted(feature, place, cells[half:], below)
        self.nodes[at] = (test, left, right)
        return at

    def _node(self, values: Numbers) -> int:
        """A leaf, until it is made a test."""
        self.nodes.append((-1, 0, 0))
        self.values.append(values)
        return len(self.nodes) - 1

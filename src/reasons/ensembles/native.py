"""Conversion of trees over cells to the core's `Ensemble`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.budget import UNLIMITED, Budget
from reasons.ensembles.cell_sets import LeftCells
from reasons.ensembles.ir import TreeModel
from reasons.features.schema import Schema

Answers = NDArray[numpy.bool_]  # a row for each test of a feature, a column for each cell
Settle = Callable[[Sequence[int]], int]

_STAGE = "building the trees"


class Ensemble(_core.Ensemble):
    """The core's trees; `settle`, which decides their close calls, can be asked for."""

    def __init__(self, *, settle: Settle | None, **arrays: Any) -> None:
        super().__init__(**arrays, settle=settle)
        self.settle = settle


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A tree, parents first: (feature, left cells, left, right), or if a leaf is impossible."""

    nodes: tuple[tuple[int, Answers, int, int] | bool, ...]


@dataclass(slots=True)
class _Laid:
    """Guards as further nodes and tests after those of the trees."""

    first: list[int] = field(default_factory=list)
    test: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    where: list[int] = field(default_factory=list)
    masks: list[Answers] = field(default_factory=list)


def _laid_out(guards: Sequence[Guard], nodes: int, tests: int) -> _Laid:
    laid = _Laid()
    for guard in guards:
        base = nodes + len(laid.test)
        laid.first.append(base)
        for node in guard.nodes:
            if isinstance(node, bool):
                parts = (-1, int(node), int(node))
            else:
                feature, mask, left, right = node
                parts = (tests + len(laid.where), base + left, base + right)
                laid.where.append(feature)
                laid.masks.append(mask)
            for side, part in zip((laid.test, laid.left, laid.right), parts, strict=True):
                side.append(part)
    return laid


def ensemble(
    model: TreeModel,
    schema: Schema,
    tests: LeftCells,
    settle: Settle | None,
    guards: Sequence[Guard] = (),
    budget: Budget = UNLIMITED,
) -> Ensemble:
    """The core's form of a model over the cells of a schema.

    Guards are trees whose leaves say whether an instance is impossible. Leaves have their rows of
    values in the order of the nodes.
    """
    sizes = [len(tree.test) for tree in model.trees]
    first = numpy.concatenate([[0], numpy.cumsum(sizes)])[:-1]
    test = numpy.concatenate([tree.test for tree in model.trees])
    shift = numpy.repeat(first, sizes)
    is_leaf = test < 0
    widths = [tree.value.shape[1] for tree in model.trees]
    leaf_row = numpy.cumsum(is_leaf) - 1
    leaf_widths = numpy.repeat(widths, sizes)[is_leaf]
    row_first = numpy.concatenate([[0], numpy.cumsum(leaf_widths)])[:-1]
    children = [
        numpy.where(is_leaf, leaf_row, numpy.concatenate(side) + shift)
        for side in ([tree.left for tree in model.trees], [tree.right for tree in model.trees])
    ]
    budget.pause(_STAGE, 0, len(model.trees))
    laid = _laid_out(guards, len(test), len(tests.features))
    tests = tests.followed_by(LeftCells.of_masks(laid.where, laid.masks))
    values = numpy.concatenate([tree.value[tree.test < 0].ravel() for tree in model.trees])
    budget.check(_STAGE)
    return Ensemble(
        domains=[len(feature.values) for feature in schema],
        test_feature=tests.features,
        test_first=tests.first.astype(numpy.uint32),
        test_left=tests.ranges.ravel().astype(numpy.uint32),
        node_test=numpy.concatenate([test, laid.test]).astype(numpy.int32),
        node_left=numpy.concatenate([children[0], laid.left]).astype(numpy.uint32),
        node_right=numpy.concatenate([children[1], laid.right]).astype(numpy.uint32),
        tree_first=first.astype(numpy.uint32),
        tree_score=numpy.array([tree.score for tree in model.trees], numpy.uint32),
        tree_width=numpy.array(widths, numpy.uint32),
        values=values.astype(float),
        row_first=row_first.astype(numpy.uint64),
        start=list(model.start),
        divisor=model.divisor,
        single=model.sums == "float32",
        rule=model.rule,
        cut=model.cut,
        slack=model.slack,
        labels=len(model.labels),
        guard_first=laid.first,
        settle=settle,
    )

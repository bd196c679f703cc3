"""Trees over cells, in the form that the core takes."""

from collections.abc import Callable, Sequence

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.features import Schema
from reasons.trees.model import TreeModel

Answers = NDArray[numpy.bool_]  # a row for each test of a feature, a column for each cell
Settle = Callable[[Sequence[int]], int]


def ensemble(
    model: TreeModel,
    schema: Schema,
    where: Sequence[int],
    masks: Sequence[Answers],
    settle: Settle | None,
) -> _core.Ensemble:
    """The native form over the cells of a schema: of each test its feature and its left cells."""
    sizes = [len(tree.test) for tree in model.trees]
    first = numpy.concatenate([[0], numpy.cumsum(sizes)])[:-1]
    test = numpy.concatenate([tree.test for tree in model.trees])
    row = numpy.arange(len(test))
    shift = numpy.repeat(first, sizes)
    is_leaf = test < 0
    widths = [tree.value.shape[1] for tree in model.trees]
    row_first = numpy.concatenate([[0], numpy.cumsum(numpy.repeat(widths, sizes))])[:-1]
    children = [
        numpy.where(is_leaf, row, numpy.concatenate(side) + shift)
        for side in ([tree.left for tree in model.trees], [tree.right for tree in model.trees])
    ]
    empty = numpy.zeros(0, numpy.uint8)
    return _core.Ensemble(
        domains=[len(feature.values) for feature in schema],
        test_feature=numpy.array(where, numpy.uint32),
        test_left=numpy.concatenate([empty, *masks]).astype(numpy.uint8),
        node_test=test.astype(numpy.int32),
        node_left=children[0].astype(numpy.uint32),
        node_right=children[1].astype(numpy.uint32),
        tree_first=first.astype(numpy.uint32),
        tree_score=numpy.array([tree.score for tree in model.trees], numpy.uint32),
        tree_width=numpy.array(widths, numpy.uint32),
        values=numpy.concatenate([tree.value.ravel() for tree in model.trees]).astype(float),
        row_first=row_first.astype(numpy.uint64),
        start=list(model.start),
        divisor=model.divisor,
        single=model.sums == "float32",
        rule=model.rule,
        cut=model.cut,
        slack=model.slack,
        labels=len(model.labels),
        guard_first=[],
        settle=settle,
    )

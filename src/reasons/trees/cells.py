"""From columns to cells: features whose cells are what the trees can tell apart."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.features import Feature, Schema
from reasons.trees.model import Column, Test, TreeModel
from reasons.values import MISSING, OTHER

Left = Callable[[Test], NDArray[numpy.bool_]]  # of each cell of the test's feature


def schema_of(model: TreeModel) -> Schema:
    """The features of a model whose columns are the user's own."""
    tests: list[list[Test]] = [[] for _ in model.columns]
    for test in model.tests:
        tests[test.column].append(test)
    return Schema(_feature(model, c, t) for c, t in zip(model.columns, tests, strict=True))


def _feature(model: TreeModel, column: Column, tests: Iterable[Test]) -> Feature:
    if column.categories is not None:
        return Feature.categorical(
            column.name, column.categories, other=column.unseen, missing=column.missing
        )
    cuts = [cut for test in tests for cut in (test.threshold, *(test.missing_between or ()))]
    cuts = [cut for cut in cuts if math.isfinite(cut)]
    return Feature.numeric(column.name, cuts, closed=model.closed, missing=column.missing)


def lefts(feature: Feature, column: Column, test: Test) -> NDArray[numpy.bool_]:
    """Which cells of a feature a test sends to the left."""
    special = {OTHER: test.unseen_left, MISSING: test.missing_left}
    if column.categories is None:
        last = bisect_left(feature.cuts, test.threshold)
        known = [cell <= last for cell in range(len(feature.cuts) + 1)]
        if test.missing_between is not None:
            low, high = (bisect_left(feature.cuts, cut) for cut in test.missing_between)
            known[low + 1 : high + 1] = [test.missing_left] * (high - low)
    else:
        codes = test.codes or frozenset()
        known = [code in codes for code in range(len(column.categories))]
    extra = [special[value] for value in feature.values[len(known) :]]
    return numpy.array([*known, *extra], dtype=bool)


def plain(model: TreeModel) -> tuple[Schema, _core.Ensemble]:
    """A model whose columns are the user's own, over cells."""
    schema = schema_of(model)

    def left(test: Test) -> NDArray[numpy.bool_]:
        return lefts(schema[test.column], model.columns[test.column], test)

    def settle(cells: list[int]) -> int:
        assert model.predict is not None
        row = [feature.raw(cell) for feature, cell in zip(schema, cells, strict=True)]
        return model.labels.index(model.predict([row])[0])

    settler = None if model.added else settle
    return schema, ensemble(model, schema, lambda test: test.column, left, settler)


def ensemble(
    model: TreeModel, schema: Schema, feature_of: Callable[[Test], int], left: Left, settle: Any
) -> _core.Ensemble:
    """The native form over the cells of a schema."""
    tests = model.tests
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
    masks = [left(each) for each in tests]
    empty = numpy.zeros(0, numpy.uint8)
    return _core.Ensemble(
        domains=[len(feature.values) for feature in schema],
        test_feature=numpy.array([feature_of(each) for each in tests], numpy.uint32),
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

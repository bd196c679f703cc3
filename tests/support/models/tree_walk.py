"""A tree model beside its library on raw rows: a plain walk over it, and its native form.

The walk shares nothing with the cells or the core. Rows hold each threshold, the next number
above it in the precision that the library reads, missing values and unseen categories.
"""

import math
from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Any

import numpy

from reasons.ensembles.discretize import over_cells
from reasons.ensembles.ir import Test, TreeModel
from reasons.errors import InputError
from reasons.features.values import OTHER

WALKED = 300  # of the rows; the native form decides all


def raw_values(model: TreeModel, column: int) -> list[Any]:
    """Values of a column of which each cell has at least one."""
    about = model.columns[column]
    extra = [OTHER] * about.unseen + [None] * about.missing
    if about.categories is not None:
        return [*about.categories, *extra]
    kind = numpy.float32 if model.cast == "float32" else numpy.float64
    cuts = {t.threshold for t in model.tests if t.column == column and math.isfinite(t.threshold)}
    up = {float(numpy.nextafter(kind(cut), kind(numpy.inf))) for cut in cuts}
    return [*sorted(cuts | up or {0.0}), *extra]


def raw_rows(model: TreeModel, most: int, rng: Random) -> list[list[Any]]:
    """Every combination of the columns' values, or `most` drawn."""
    values = [raw_values(model, column) for column in range(len(model.columns))]
    if math.prod(map(len, values)) <= most:
        return [list(row) for row in product(*values)]
    return [[rng.choice(each) for each in values] for _ in range(most)]


def scores_of(model: TreeModel, row: list[Any]) -> numpy.ndarray:
    """The scores, added one by one and divided."""
    scores = numpy.array(model.start, float)
    for tree in model.trees:
        node = 0
        while tree.test[node] >= 0:
            goes = _goes_left(model, model.tests[tree.test[node]], row)
            node = tree.left[node] if goes else tree.right[node]
        scores[tree.score : tree.score + tree.value.shape[1]] += tree.value[node]
    return scores / model.divisor


def _goes_left(model: TreeModel, test: Test, row: list[Any]) -> bool:
    value, categories = row[test.column], model.columns[test.column].categories
    if value is None:
        return bool(test.missing_left)
    if categories is None:
        return float(value) <= test.threshold
    if value not in categories:
        return test.unseen_left
    assert test.codes is not None
    return categories.index(value) in test.codes


def walked(model: TreeModel, row: list[Any]) -> Any:
    """The label by the walk, or None where the library is to settle it."""
    scores = scores_of(model, row)
    room = 2 * model.slack / model.divisor + 1e-12 * (model.slack > 0)
    if model.rule == "cut":
        near = abs(scores[0] - model.cut) <= room
        label = int(scores[0] >= model.cut)
    else:
        order = numpy.sort(scores)
        near = len(order) > 1 and order[-1] - order[-2] <= room
        label = int(scores.argmax())
    return None if near and not model.added else model.labels[label]


def library_labels(model: TreeModel, rows: list[list[Any]]) -> list[Any]:
    """What the library decides."""
    assert model.predict is not None
    return list(model.predict(rows))


def differences(model: TreeModel, most: int = 2_000, seed: int = 0) -> list[tuple[Any, ...]]:
    """Rows on which the walk or the native form differ from the library."""
    rows = raw_rows(model, most, Random(seed))
    theirs = library_labels(model, rows)
    found = [
        ("native", row, mine, their)
        for row, mine, their in zip(rows, _native(model, rows) or theirs, theirs, strict=True)
        if not _same(mine, their)
    ]
    for row, their in list(zip(rows, theirs, strict=True))[:WALKED]:
        mine = walked(model, row)
        if mine is not None and not _same(mine, their):
            found.append(("walk", row, mine, their))
    return found


def _native(model: TreeModel, rows: list[list[Any]]) -> list[Any] | None:
    """The labels by the native form; None where its cells do not take infinite thresholds."""
    try:
        schema, native = over_cells(model)
    except InputError:
        assert any(math.isinf(test.threshold) for test in model.tests)
        return None
    cells = [[f.cell(v) for f, v in zip(schema, row, strict=True)] for row in rows]
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    return [model.labels[label] for label in ours]


def wrong_rows(model: TreeModel, table: Iterable[Iterable[float]], labels: Iterable[object]) -> int:
    """How many rows of real data the native form decides otherwise than `labels`."""
    schema, native = over_cells(model)
    kind = numpy.float32 if model.cast == "float32" else numpy.float64
    cells = [
        [f.cell(float(kind(value))) for f, value in zip(schema, row, strict=True)] for row in table
    ]
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    return sum(model.labels[mine] != label for mine, label in zip(ours, labels, strict=True))


def _same(ours: object, theirs: object) -> bool:
    return ours == theirs and type(ours) is type(theirs)

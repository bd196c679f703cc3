"""A tree model's cells beside its library: every cell, or many of them, must be decided alike."""

from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy

from reasons.ensembles.discretize import over_cells
from reasons.ensembles.ir import TreeModel


def disagreements(model: TreeModel, most: int = 5_000, seed: int = 0) -> list[tuple[Any, ...]]:
    """Raw rows, one of each cell (all, or `most` drawn), on which we and the library differ."""
    assert model.predict is not None
    schema, native = over_cells(model)
    sizes = [len(feature.values) for feature in schema]
    rng = Random(seed)
    if prod(sizes) <= most:
        cells = list(product(*map(range, sizes)))
    else:
        cells = [tuple(rng.randrange(size) for size in sizes) for _ in range(most)]
    rows = [[f.raw(c) for f, c in zip(schema, row, strict=True)] for row in cells]
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    theirs = model.predict(rows)
    return [
        (row, model.labels[mine], their)
        for row, mine, their in zip(rows, ours, theirs, strict=True)
        if model.labels[mine] != their
    ]

"""Forests of 20 trees to audit, and rows for them that are mostly unlike each other.

Two columns are protected, `sex` with two values and `region` with five, so that trying out every
combination takes ten calls of `predict`. The other columns are random numbers: after they are cut
into the cells of a model, few rows of a part are alike, and asking about equal rows once, which
would flatter an audit of real data, is of little help.
"""

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy

import reasons

PROTECTED = {"sex": range(2), "region": range(5)}
TREES = 20
TRAINED_ON = 4000


class Size(NamedTuple):
    """What makes a forest's circuit small or large."""

    columns: int
    depth: int
    leaves: int | None


SIZES = {"10^3": Size(12, 2, None), "10^4": Size(10, 3, None), "10^5": Size(8, 4, 12)}


class Case(NamedTuple):
    """A forest and the classifier that it was compiled to."""

    name: str
    model: Any
    classifier: reasons.Classifier

    @property
    def native(self) -> Any:
        return self.classifier.circuit.native

    @property
    def protected(self) -> list[int]:
        return list(self.classifier.schema.indices(tuple(PROTECTED)))

    def rows(self, count: int, seed: int = 1) -> numpy.ndarray:
        return random_rows(count, len(self.classifier.schema), seed)

    def table(self, numbers: numpy.ndarray) -> Any:
        """The rows as an Arrow table with the classifier's columns."""
        import pyarrow

        names = self.classifier.schema.names
        return pyarrow.table({name: numbers[:, i] for i, name in enumerate(names)})


@cache
def case_of(name: str) -> Case:
    """The forest whose circuit has about that many nodes."""
    from sklearn.ensemble import RandomForestClassifier

    size = SIZES[name]
    rows = random_rows(TRAINED_ON, size.columns, seed=0)
    score = rows[:, 2:].sum(axis=1) / size.columns**0.5 + 0.6 * rows[:, 0] - 0.3 * rows[:, 1]
    noise = numpy.random.default_rng(2).normal(scale=0.3, size=TRAINED_ON)
    forest = RandomForestClassifier(
        TREES, max_depth=size.depth, max_leaf_nodes=size.leaves, random_state=0, n_jobs=1
    )
    forest.fit(rows, (score + noise > 0).astype(int))
    names = [*PROTECTED, *(f"x{i}" for i in range(2, size.columns))]
    compiled = reasons.compile(
        forest, names=names, missing=False, method="compiled", budget=reasons.Budget(seconds=120)
    )
    return Case(name, forest, compiled)


def random_rows(count: int, columns: int, seed: int) -> numpy.ndarray:
    """Rows of numbers, the protected ones first."""
    rng = numpy.random.default_rng(seed)
    rows = rng.normal(size=(count, columns))
    for i, values in enumerate(PROTECTED.values()):
        rows[:, i] = rng.integers(0, len(values), count)
    return rows


def biased_by_trying(model: Any, rows: numpy.ndarray) -> numpy.ndarray:
    """What people do instead: whether some combination of protected values is decided otherwise."""
    own = model.predict(rows)
    found = numpy.zeros(len(rows), dtype=bool)
    changed = rows.copy()
    for values in product(*PROTECTED.values()):
        changed[:, : len(PROTECTED)] = values
        found |= model.predict(changed) != own
    return found

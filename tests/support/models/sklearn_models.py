"""Small models of scikit-learn, not fitted, and tables to fit them to."""

import math
from typing import Any

import numpy
import pytest

from reasons.ensembles.ir import TreeModel
from reasons.frontends.options import NO_OPTIONS, Options
from reasons.frontends.sklearn.read import read

ensemble = pytest.importorskip("sklearn.ensemble")
pandas = pytest.importorskip("pandas")
tree = pytest.importorskip("sklearn.tree")


def read_trees(model: Any, options: Options = NO_OPTIONS) -> TreeModel:
    """The sum of trees that a model is."""
    found = read(model, options)
    assert isinstance(found, TreeModel)
    return found


def soft(*parts: Any, weights: list[float] | None = None) -> Any:
    named = [(f"m{k}", part) for k, part in enumerate(parts)]
    return ensemble.VotingClassifier(named, voting="soft", weights=weights)


def trees(*depths: int | None) -> list[Any]:
    return [
        tree.DecisionTreeClassifier(max_depth=depth, max_features=2, random_state=k)
        for k, depth in enumerate(depths)
    ]


def data(seed: int, classes: int, missing: float = 0.0, rows: int = 50) -> tuple[Any, Any]:
    """Columns of few and of many values, with labels that follow them loosely."""
    rng = numpy.random.default_rng(seed)
    table = rng.normal(size=(rows, 4))
    table[:, 3] = rng.integers(0, 3, rows)
    score = table[:, 0] + table[:, 3] + rng.normal(size=rows)
    labels = numpy.argsort(numpy.argsort(score)) * classes // rows
    table[rng.random(table.shape) < missing] = numpy.nan
    return table, labels


CLASSIFIERS = {
    "tree": lambda: tree.DecisionTreeClassifier(max_depth=3),
    "forest": lambda: ensemble.RandomForestClassifier(4, random_state=0),
    "bagging": lambda: ensemble.BaggingClassifier(n_estimators=4, random_state=0),
    "vote": lambda: soft(*trees(3), ensemble.RandomForestClassifier(3, random_state=0)),
    "gradient": lambda: ensemble.GradientBoostingClassifier(n_estimators=4, max_depth=2),
    "exponential": lambda: ensemble.GradientBoostingClassifier(n_estimators=3, loss="exponential"),
    "histogram": lambda: ensemble.HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=4),
    "ada": lambda: ensemble.AdaBoostClassifier(
        tree.DecisionTreeClassifier(max_depth=2), n_estimators=4, random_state=0
    ),
}


def histogram(**options: Any) -> Any:
    return ensemble.HistGradientBoostingClassifier(
        max_iter=5, min_samples_leaf=4, random_state=0, **options
    )


def frame(seed: int, missing: bool) -> tuple[Any, Any]:
    rng = numpy.random.default_rng(seed)
    rows = 120
    job = rng.choice(["clerk", "nurse", "cook", "smith"], rows).astype(object)
    size = rng.integers(0, 5, rows) * 10
    amount = rng.normal(size=rows)
    labels = ((job == "cook") | (size > 30) | (amount > 0.5)) ^ (rng.random(rows) < 0.1)
    if missing:
        job[rng.random(rows) < 0.2] = None
        amount[rng.random(rows) < 0.2] = math.nan
    return pandas.DataFrame({"amount": amount, "job": job, "size": size}), labels.astype(int)

"""Ensembles to explain, and the problem that PyXAI makes of them.

PyXAI takes each test of a model for a Boolean feature of its own, as if x <= 1 and x > 2 could
both hold, and lets a forest's trees vote where scikit-learn averages. `by_test` is that problem:
the same trees over one column a test, each leaf of a forest a vote.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy

import reasons
from reasons.ensembles.ir import Column, Test, TreeModel
from reasons.frontends.models import classifier_of
from reasons.frontends.options import Options
from reasons.frontends.sklearn.read import read as read_sklearn
from reasons.frontends.xgboost.read import read as read_xgboost

FORESTS = [(trees, depth) for depth in (4, 6) for trees in (10, 25, 100)]
BOOSTED = [(trees, 3) for trees in (20, 50, 100)]
INSTANCES = 20
SINGLE = numpy.float32


@dataclass(frozen=True)
class Case:
    """A trained model and instances to explain."""

    data: str
    name: str
    model: Any
    rows: Any
    instances: Any

    @property
    def is_forest(self) -> bool:
        return self.name.startswith("rf")

    def predict(self, rows: Any) -> Any:
        """The labels of rows of raw values, by the library."""
        return self.model.predict(numpy.array(rows, dtype=numpy.float64))


def cases(wanted: str = "") -> Iterator[Case]:
    """All data sets and sizes; those only whose name has the wanted part."""
    from sklearn.ensemble import RandomForestClassifier

    for data, (rows, labels) in _data().items():
        chosen = numpy.random.default_rng(0).choice(len(rows), INSTANCES, replace=False)
        # libraries compare in single precision: so does PyXAI then
        instances = rows[chosen].astype(SINGLE).astype(numpy.float64)
        makers = {
            f"rf{trees}d{depth}": RandomForestClassifier(
                trees, max_depth=depth, random_state=0, n_jobs=1
            )
            for trees, depth in FORESTS
        }
        makers |= _boosted()
        for name, maker in makers.items():
            if wanted in f"{data} {name}":
                yield Case(data, name, maker.fit(rows, labels), rows, instances)


def _boosted() -> dict[str, Any]:
    try:
        from xgboost import XGBClassifier
    except ImportError:
        print("\nforests: xgboost is not installed")
        return {}
    return {
        f"xgb{trees}d{depth}": XGBClassifier(
            n_estimators=trees, max_depth=depth, random_state=0, n_jobs=1
        )
        for trees, depth in BOOSTED
    }


@cache
def _data() -> dict[str, tuple[Any, Any]]:
    from sklearn.datasets import load_breast_cancer, make_classification

    return {
        "breast cancer": load_breast_cancer(return_X_y=True),
        "make_classification": make_classification(
            2000, 20, n_informative=14, n_redundant=0, random_state=0
        ),
    }


class ByTest:
    """The trees of a case over their tests, one Boolean column each."""

    def __init__(self, case: Case, seconds: float) -> None:
        real = (read_sklearn if case.is_forest else read_xgboost)(case.model)
        self._closed = real.closed
        self._tests = list(dict.fromkeys((test.column, test.threshold) for test in real.tests))
        made = _over_tests(_voting(real) if case.is_forest else real)
        options = Options(method="search")
        budget = reasons.Budget(seconds=seconds)
        self.classifier = classifier_of(made, options, budget=budget)

    def decide(self, numbers: Any) -> reasons.Decision:
        """The decision on the tests of these numbers: 0 if they go left and 1 otherwise."""
        closed = self._closed == "right"
        pairs = [(numbers[column], bound) for column, bound in self._tests]
        lefts = [x <= bound if closed else x < bound for x, bound in pairs]
        return self.classifier.decide([int(not left) for left in lefts])

    def term(self, literals: list[list[Any]]) -> dict[str, int]:
        """PyXAI's literals in terms of these columns."""
        places = [self._place(feature, at) for feature, at, _ in literals]
        return {
            f"t{place}": int(above) for place, (_, _, above) in zip(places, literals, strict=True)
        }

    def _place(self, feature: int, threshold: float) -> int:
        """The test of a threshold, which may be rounded to single precision."""
        own = enumerate(self._tests)
        far = {i: abs(bound - threshold) for i, (column, bound) in own if column == feature}
        nearest = min(far, key=far.__getitem__)
        assert far[nearest] <= 1e-6 * abs(threshold), f"x{feature} has no test at {threshold}"
        return nearest


def _voting(model: TreeModel) -> TreeModel:
    """Each leaf votes for its likelier class, the first of equals; so does the forest."""
    trees = tuple(
        replace(tree, value=tree.value.argmax(axis=1).astype(numpy.float64)[:, None], score=0)
        for tree in model.trees
    )
    cut = len(trees) // 2 + 1
    return replace(model, trees=trees, start=(0.0,), rule="cut", cut=float(cut), divisor=1.0)


def _over_tests(model: TreeModel) -> TreeModel:
    """Tests of one threshold are one column: PyXAI does not know where missing values go."""
    place: dict[tuple[int, float], int] = {}
    for test in model.tests:
        place.setdefault((test.column, test.threshold), len(place))
    return replace(
        model,
        columns=tuple(Column(f"t{i}") for i in range(len(place))),
        tests=tuple(Test(place[test.column, test.threshold], 0.5) for test in model.tests),
        predict=None,
        added=True,
        slack=0.0,
    )

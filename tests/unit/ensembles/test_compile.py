"""Compiled forests through the binding: every cell is decided as the sum of the trees is."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy
import pytest

from reasons import _core
from reasons.circuits.circuit import Circuit
from reasons.ensembles.discretize import over_cells
from reasons.ensembles.ir import Column, Test, Tree, TreeModel
from reasons.errors import BudgetExceeded, InputError
from reasons.features.schema import Schema
from tests.support.folders import SHARED

datasets = pytest.importorskip("sklearn.datasets")
ensembles = pytest.importorskip("sklearn.ensemble")


def unlimited() -> _core.Budget:
    return _core.Budget(None, None, None)


def model_of(forest: Any) -> TreeModel:
    tests: dict[Test, int] = {}
    trees = []
    for estimator in forest.estimators_:
        tree = estimator.tree_
        numbers = [
            tests.setdefault(Test(int(feature), float(threshold)), len(tests)) if left >= 0 else -1
            for feature, threshold, left in zip(
                tree.feature, tree.threshold, tree.children_left, strict=True
            )
        ]
        value = tree.value[:, 0, :]
        trees.append(Tree(numpy.array(numbers), tree.children_left, tree.children_right, value))
    return TreeModel(
        columns=tuple(Column(f"x{i}") for i in range(forest.n_features_in_)),
        tests=tuple(tests),
        trees=tuple(trees),
        labels=tuple(forest.classes_.tolist()),
        start=(0.0,) * len(forest.classes_),
        rule="largest",
        library="scikit-learn",
        divisor=float(len(trees)),
        predict=lambda rows: forest.predict(numpy.array(rows)).tolist(),
    )


def small_forests() -> Iterator[tuple[Schema, _core.Ensemble, TreeModel]]:
    for seed in range(12):
        rng = Random(seed)
        features, labels = rng.randint(2, 5), rng.randint(2, 4)
        table = numpy.random.default_rng(seed)
        rows = table.integers(0, 4, (60, features)).astype(float)
        classes = (rows @ table.normal(size=features)).argsort().argsort() * labels // 60
        forest = ensembles.RandomForestClassifier(
            rng.randint(1, 7), max_depth=rng.randint(1, 4), random_state=seed
        ).fit(rows, classes)
        model = model_of(forest)
        yield (*over_cells(model), model)


def cells_of(schema: Schema, most: int = 20_000) -> numpy.ndarray:
    sizes = [len(feature.values) for feature in schema]
    if prod(sizes) <= most:
        return numpy.array(list(product(*map(range, sizes))), numpy.uint16)
    rng = numpy.random.default_rng(0)
    return rng.integers(0, sizes, (most, len(sizes))).astype(numpy.uint16)


def disagreements(schema: Schema, native: _core.Ensemble, circuit: _core.Circuit) -> int:
    cells = cells_of(schema)
    ours = circuit.decide_all(cells.ravel(), len(cells))
    return int((numpy.array(ours) != native.decide_all(cells.ravel(), len(cells))).sum())


def test_every_cell_of_a_small_forest_is_decided_as_its_sum_and_its_library_do() -> None:
    for schema, native, model in small_forests():
        circuit = _core.compile_trees(native, [], unlimited())
        assert disagreements(schema, native, circuit) == 0
        assert circuit.is_ordered or native.trees == 1
        cells = cells_of(schema, 1_000)
        rows = [[f.raw(int(c)) for f, c in zip(schema, row, strict=True)] for row in cells]
        labels = circuit.decide_all(cells.ravel(), len(cells))
        assert model.predict is not None
        assert [model.labels[label] for label in labels] == model.predict(rows)


def test_a_circuit_of_another_forest_is_told_apart() -> None:
    """The comparison can fail."""
    found = 0
    for schema, native, model in small_forests():
        backwards = tuple(
            Tree(tree.test, tree.left, tree.right, tree.value[:, ::-1]) for tree in model.trees
        )
        other = TreeModel(
            model.columns,
            model.tests,
            backwards,
            model.labels,
            model.start,
            model.rule,
            model.library,
        )
        _, turned = over_cells(other)
        found += disagreements(schema, native, _core.compile_trees(turned, [], unlimited())) > 0
    assert found > 6


def test_a_given_order_is_kept_and_the_chosen_one_is_told() -> None:
    for _, native, model in small_forests():
        features = len(model.columns)
        backwards = list(range(features))[::-1]
        stats = _core.CompileTreesStats()
        circuit = _core.compile_trees(native, backwards, unlimited(), stats)
        assert stats.order == backwards
        assert circuit.is_ordered
        _core.compile_trees(native, [], unlimited(), stats)
        assert stats.order == [] if native.trees == 1 else sorted(stats.order) == backwards[::-1]


def test_an_order_that_is_none_is_refused() -> None:
    _, native, model = next(small_forests())
    with pytest.raises(InputError, match="every feature once"):
        _core.compile_trees(native, [0] * len(model.columns), unlimited())


def test_a_compiled_forest_is_a_circuit_like_any_other() -> None:
    rows, classes = datasets.load_iris(return_X_y=True)
    forest = ensembles.RandomForestClassifier(10, max_depth=3, random_state=0).fit(rows, classes)
    model = model_of(forest)
    schema, native = over_cells(model)
    circuit = Circuit(_core.compile_trees(native, [], unlimited()), schema, model.labels)
    assert circuit.is_ordered
    assert disagreements(schema, native, circuit.native) == 0


def test_a_forest_that_is_too_large_raises() -> None:
    rows, classes = datasets.load_breast_cancer(return_X_y=True)
    forest = ensembles.RandomForestClassifier(50, max_depth=6, random_state=0).fit(rows, classes)
    _, native = over_cells(model_of(forest))
    with pytest.raises(BudgetExceeded) as raised:
        _core.compile_trees(native, [], _core.Budget(20_000, None, None))
    assert raised.value.spent["limit"] == 20_000


def test_ties_that_the_library_breaks_by_rounding_are_settled() -> None:
    """In doubles 0.1 + 0.2 + 0.3 is more than 0.6; our units cannot tell."""
    tests = tuple(Test(column, 0.5) for column in range(4))
    values = [(0.1, 0.0), (0.2, 0.0), (0.3, 0.0), (0.0, 0.6)]
    trees = tuple(
        Tree(
            numpy.array([number, -1, -1]),
            numpy.array([1, -1, -1]),
            numpy.array([2, -1, -1]),
            numpy.array([[0.0, 0.0], [0.0, 0.0], value]),
        )
        for number, value in enumerate(values)
    )
    columns = tuple(Column(f"x{i}") for i in range(4))
    model = TreeModel(columns, tests, trees, ("no", "yes"), (0.0, 0.0), "largest", "by hand")
    schema, native = over_cells(model)
    stats = _core.CompileTreesStats()
    circuit = _core.compile_trees(native, [], unlimited(), stats)
    assert disagreements(schema, native, circuit) == 0
    assert stats.settled > 0
    assert 0.1 + 0.2 + 0.3 > 0.6  # so that all four on is "no", by rounding alone
    everything = numpy.array([1, 1, 1, 1], numpy.uint16)
    assert circuit.decide_all(everything, 1) == [0]


def test_what_the_library_alone_can_tell_is_asked_of_it() -> None:
    asked = 0
    for _, _, model in small_forests():
        known = model.predict
        assert known is not None

        def counted(rows: Any, known: Any = known) -> Any:
            nonlocal asked
            asked += 1
            return known(rows)

        schema, native = over_cells(replace(model, predict=counted, added=False, slack=0.3))
        stats = _core.CompileTreesStats()
        asked = 0
        circuit = _core.compile_trees(native, [], unlimited(), stats)
        assert asked == stats.settled
        assert disagreements(schema, native, circuit) == 0
    assert asked > 0


@pytest.mark.skipif(not SHARED.exists(), reason="no ../shared/data")
def test_a_forest_on_german_credit_data() -> None:
    lines = (SHARED / "fairness" / "german" / "german.data").read_text().splitlines()
    table = [line.split() for line in lines]
    columns = []
    for column in zip(*table, strict=True):
        codes = {value: float(i) for i, value in enumerate(sorted(set(column)))}
        columns.append([codes[v] if v[0] == "A" else float(v) for v in column])
    rows, classes = numpy.array(columns[:-1]).T, numpy.array(columns[-1])
    forest = ensembles.RandomForestClassifier(10, max_depth=4, random_state=0).fit(rows, classes)
    schema, native = over_cells(model_of(forest))
    circuit = _core.compile_trees(native, [], unlimited())
    assert disagreements(schema, native, circuit) == 0
    in_column_order = _core.compile_trees(native, list(range(len(schema))), unlimited())
    assert disagreements(schema, native, in_column_order) == 0
    assert len(circuit) < len(in_column_order)

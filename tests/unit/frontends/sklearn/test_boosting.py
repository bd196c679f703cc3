"""GradientBoosting, HistGradientBoosting and AdaBoost, decided as their `predict` decides."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy
import pytest

from reasons.errors import InputError, UnsupportedModel
from tests.support.models.tree_walk import differences, library_labels, wrong_rows

datasets = pytest.importorskip("sklearn.datasets")
ensemble = pytest.importorskip("sklearn.ensemble")
pandas = pytest.importorskip("pandas")

from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from tests.support.models.sklearn_models import data, frame, histogram, read_trees

LEAST = math.ulp(0.0)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with threadpool_limits(1):
        yield


def gradient(**options: Any) -> Any:
    return ensemble.GradientBoostingClassifier(n_estimators=5, random_state=0, **options)


def ada(depth: int | None = 2) -> Any:
    base = DecisionTreeClassifier(max_depth=depth)
    return ensemble.AdaBoostClassifier(base, n_estimators=5, random_state=0)


MODELS: dict[str, Callable[[], Any]] = {
    "gradient": gradient,
    "from zero": lambda: gradient(init="zero"),
    "from the most frequent": lambda: gradient(init=DummyClassifier(strategy="most_frequent")),
    "subsampled": lambda: gradient(subsample=0.5, learning_rate=0.37),
    "histogram": histogram,
    "ada": ada,
    "ada of stumps": lambda: ada(1),
    "ada that fits at once": lambda: ada(None),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("classes", [2, 3, 10])
def test_decides_as_predict(name: str, classes: int) -> None:
    for seed in range(2):
        found = read_trees(MODELS[name]().fit(*data(seed, classes)))
        assert found.added
        assert differences(found, seed=seed) == [], seed


def test_one_class_is_always_that() -> None:
    for model in (histogram(), ada()):
        found = read_trees(model.fit(*data(0, 1)))
        assert found.labels == (0,)
        assert differences(found) == []


def test_exponential_loss() -> None:
    assert differences(read_trees(gradient(loss="exponential").fit(*data(0, 2)))) == []


@pytest.mark.parametrize(
    ("name", "least", "label"), [("gradient", 0.0, 1), ("histogram", LEAST, 0)]
)
def test_a_score_of_zero(name: str, least: float, label: int) -> None:
    model = MODELS[name]().fit(numpy.zeros((40, 1)), [0, 1] * 20)
    found = read_trees(model)
    assert (found.cut, library_labels(found, [[0.0]])) == (least, [label])
    assert differences(found) == []
    assert differences(replace(found, cut=LEAST - least))


def test_two_trees_of_ada_that_cancel_out_give_the_first_class() -> None:
    model = ada(1).fit(*data(0, 2))
    model.estimators_ = model.estimators_[:2]
    model.estimator_weights_ = numpy.array([0.7, 0.7])
    found = read_trees(model)
    assert differences(found) == []
    assert differences(replace(found, cut=0.0))


def test_missing_values_of_histograms() -> None:
    for classes in (2, 4):
        model = histogram().fit(*data(1, classes, missing=0.3))
        found = read_trees(model)
        assert all(column.missing for column in found.columns)
        assert differences(found) == []
        flipped = [replace(test, missing_left=not test.missing_left) for test in found.tests]
        assert differences(replace(found, tests=tuple(flipped)))


def test_other_boosters_refuse_missing_values() -> None:
    for model in (gradient(), ada()):
        found = read_trees(model.fit(*data(1, 2)))
        assert not any(column.missing for column in found.columns)
        with pytest.raises(ValueError, match="NaN"):
            library_labels(found, [[None] * 4])


def test_a_split_between_missing_and_not() -> None:
    table = numpy.array([[math.nan], [1.0]] * 20)
    found = read_trees(histogram().fit(table, [0, 1] * 20))
    assert found.tests[0].threshold == math.inf
    rows: list[list[Any]] = [[None], [-1e300], [5.0], [math.inf]]
    assert library_labels(found, rows) == [0, 1, 1, 1]
    assert differences(found) == []


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("as_category", [False, True])
def test_categories_by_their_values(missing: bool, as_category: bool) -> None:
    table, labels = frame(0, missing)
    if as_category:
        table = table.astype({"job": "category", "size": "category"})
        model = histogram(categorical_features="from_dtype")
    else:
        model = histogram(categorical_features=["job", "size"])
    model.fit(table, labels)
    found = read_trees(model)
    assert found.columns[1].categories == ("clerk", "cook", "nurse", "smith")
    assert found.columns[1].unseen
    assert found.columns[2].categories == (0, 10, 20, 30, 40)
    assert library_labels(found, table.to_numpy(object).tolist()) == model.predict(table).tolist()
    finite = [t for t in found.tests if t.codes is None]
    assert len(finite) < len(found.tests)
    assert differences(found) == []
    other = [replace(t, unseen_left=not t.unseen_left) for t in found.tests]
    assert differences(replace(found, tests=tuple(other)))


def test_categories_that_are_numbers_among_objects() -> None:
    table, labels = frame(2, True)
    table = table.assign(size=table["size"].astype(object).where(table.index % 7 > 0, None))
    found = read_trees(histogram(categorical_features=["job", "size"]).fit(table, labels))
    assert found.columns[2].categories == (0, 10, 20, 30, 40)
    assert differences(found) == []


def test_a_damaged_predictor_is_refused() -> None:
    model = histogram().fit(*data(0, 2))
    model._predictors[0][0].nodes["left"][0] = 10_000
    with pytest.raises(InputError, match="damaged"):
        read_trees(model)


def test_categories_of_an_array_and_its_columns_order() -> None:
    rng = numpy.random.default_rng(0)
    table = numpy.column_stack([rng.normal(size=90), rng.integers(0, 6, 90), rng.normal(size=90)])
    labels = (table[:, 1] % 2 == 0) ^ (table[:, 2] > 0.7)
    found = read_trees(histogram(categorical_features=[1]).fit(table, labels))
    assert [column.categories is None for column in found.columns] == [True, False, True]
    assert found.labels == (False, True)
    assert differences(found) == []


@pytest.mark.parametrize("load", ["load_iris", "load_wine", "load_breast_cancer", "load_digits"])
def test_real_data_on_all_rows(load: str) -> None:
    table, labels = getattr(datasets, load)(return_X_y=True)
    for make in (gradient, histogram, ada):
        model = make().fit(table[::2], labels[::2])
        assert wrong_rows(read_trees(model), table, model.predict(table)) == 0


def test_refusals_say_what_to_do() -> None:
    table, labels = data(0, 2)
    with pytest.raises(UnsupportedModel, match="init=None"):
        read_trees(gradient(init=DecisionTreeClassifier(max_depth=1)).fit(table, labels))
    with pytest.raises(UnsupportedModel, match="init=None"):
        read_trees(gradient(init=DummyClassifier(strategy="stratified")).fit(table, labels))
    forest = ensemble.RandomForestClassifier(2, max_depth=1)
    with pytest.raises(UnsupportedModel, match="boost decision trees"):
        read_trees(ensemble.AdaBoostClassifier(forest, n_estimators=2).fit(table, labels))

"""Trees, forests, Bagging and Voting of scikit-learn, decided as their `predict` decides."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy
import pytest

from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.options import Options
from tests.support.models.sklearn_models import data, read_trees, soft, trees
from tests.support.models.tree_walk import (
    differences,
    library_labels,
    raw_rows,
    scores_of,
    wrong_rows,
)

datasets = pytest.importorskip("sklearn.datasets")
ensemble = pytest.importorskip("sklearn.ensemble")
tree = pytest.importorskip("sklearn.tree")

from random import Random

from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier


def hard(*parts: Any, weights: list[float] | None = None) -> Any:
    named = [(f"m{k}", part) for k, part in enumerate(parts)]
    return ensemble.VotingClassifier(named, voting="hard", weights=weights)


MODELS: dict[str, Callable[[], Any]] = {
    "tree": lambda: tree.DecisionTreeClassifier(max_depth=5),
    "extra tree": lambda: tree.ExtraTreeClassifier(max_depth=5, random_state=0),
    "by leaves": lambda: tree.DecisionTreeClassifier(max_leaf_nodes=6),
    "pruned": lambda: tree.DecisionTreeClassifier(ccp_alpha=0.02),
    "random forest": lambda: ensemble.RandomForestClassifier(5, max_depth=3, random_state=0),
    "forest of pure leaves": lambda: ensemble.RandomForestClassifier(4, random_state=0),
    "extra trees": lambda: ensemble.ExtraTreesClassifier(3, max_depth=3, n_jobs=2, random_state=0),
    "bagging": lambda: ensemble.BaggingClassifier(n_estimators=4, random_state=0),
    "bagging of columns": lambda: ensemble.BaggingClassifier(
        n_estimators=4, max_features=2, max_samples=6, random_state=0
    ),
    "bagging of forests": lambda: ensemble.BaggingClassifier(
        ensemble.RandomForestClassifier(3, max_depth=2), n_estimators=3, random_state=0
    ),
    "soft vote of trees": lambda: soft(*trees(3, 4, None)),
    "weighted soft vote": lambda: soft(*trees(3, 4, None), weights=[0.1, 0.7, 0.3]),
    "soft vote of forests": lambda: soft(
        *trees(3), ensemble.RandomForestClassifier(3, random_state=0), weights=[1, 2]
    ),
    "hard vote": lambda: hard(*trees(2, 3, None)),
    "weighted hard vote": lambda: hard(*trees(2, 3, 4, None), weights=[0.1, 0.2, 0.3, 0.3]),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("classes", [1, 2, 10])
def test_decides_as_predict(name: str, classes: int) -> None:
    for seed in range(2):
        model = MODELS[name]().fit(*data(seed, classes))
        assert differences(read_trees(model), seed=seed) == [], seed


@pytest.mark.parametrize("name", MODELS)
def test_decides_as_predict_with_missing_values(name: str) -> None:
    model = MODELS[name]().fit(*data(3, 3, missing=0.2))
    found = read_trees(model)
    assert all(column.missing for column in found.columns)
    assert differences(found) == []


def test_missing_values_are_refused_where_predict_refuses_them() -> None:
    model = tree.ExtraTreeClassifier(splitter="best").fit(*data(0, 2))
    found = read_trees(model)
    assert not any(column.missing for column in found.columns)
    with pytest.raises(ValueError, match="NaN"):
        library_labels(found, [[None] * 4])


@pytest.mark.parametrize("size", [2, 4])
def test_ties_between_classes_go_to_the_first(size: int) -> None:
    table, labels = data(1, 3)
    model = ensemble.RandomForestClassifier(size, random_state=0).fit(table, labels)
    found = read_trees(model)
    scores = [numpy.sort(scores_of(found, row)) for row in raw_rows(found, 300, Random(0))]
    assert sum(each[-1] == each[-2] for each in scores) > 10
    assert differences(found) == []
    last = replace(
        found,
        labels=found.labels[::-1],
        trees=tuple(replace(t, value=t.value[:, ::-1]) for t in found.trees),
    )
    assert differences(last)


def test_a_forest_is_a_mean_and_not_a_vote() -> None:
    table, labels = data(2, 3)
    model = ensemble.RandomForestClassifier(5, max_depth=2, random_state=0).fit(table, labels)
    found = read_trees(model)
    assert differences(found) == []
    voted = [
        replace(t, value=numpy.eye(3)[t.value.argmax(axis=1)].astype(float)) for t in found.trees
    ]
    assert differences(replace(found, trees=tuple(voted)))


def test_thresholds_one_float32_apart() -> None:
    first = numpy.float32(100.1)
    steps = [first]
    for _ in range(7):
        steps.append(numpy.nextafter(steps[-1], numpy.float32(200)))
    table = numpy.array(steps, numpy.float32)[:, None]
    model = tree.DecisionTreeClassifier().fit(table, [0, 1, 0, 1, 1, 0, 1, 0])
    found = read_trees(model)
    assert len(found.tests) == 6
    assert wrong_rows(found, table, model.predict(table)) == 0
    assert differences(found) == []


def test_single_leaves_and_constant_columns() -> None:
    table = numpy.zeros((6, 2))
    for name, make in MODELS.items():
        if "columns" not in name:
            found = read_trees(make().fit(table, [0, 1, 1, 2, 2, 2]))
            assert found.tests == ()
            assert differences(found) == [], name


@pytest.mark.parametrize("labels", [["no", "yes"], [False, True], [-1.0, 7.0]])
def test_labels_are_those_of_the_model(labels: list[object]) -> None:
    table, codes = data(0, 2)
    for name, make in MODELS.items():
        found = read_trees(make().fit(table, numpy.array(labels)[codes]))
        assert found.labels == tuple(labels)
        assert [type(label) for label in found.labels] == [type(label) for label in labels]
        assert differences(found, 200) == [], name


@pytest.mark.parametrize("load", ["load_iris", "load_wine", "load_breast_cancer", "load_digits"])
def test_real_data_on_all_rows(load: str) -> None:
    table, labels = getattr(datasets, load)(return_X_y=True)
    kinds: list[Callable[[], Any]] = [
        lambda: tree.DecisionTreeClassifier(random_state=0),
        lambda: ensemble.RandomForestClassifier(10, random_state=0),
        lambda: ensemble.BaggingClassifier(n_estimators=4, max_features=0.5, random_state=0),
        lambda: soft(*trees(4), ensemble.ExtraTreesClassifier(4, random_state=0)),
    ]
    for make in kinds:
        model = make().fit(table[::2], labels[::2])
        assert wrong_rows(read_trees(model), table, model.predict(table)) == 0


def test_nested_means_are_settled_by_the_library() -> None:
    table, labels = data(5, 2, rows=30)
    model = soft(*(ensemble.RandomForestClassifier(3, random_state=k) for k in range(2)))
    found = read_trees(model.fit(table, labels))
    assert not found.added
    assert 0 < found.slack < 1e-12
    assert differences(found) == []


def test_sums_that_are_not_the_librarys_are_seen_without_its_help() -> None:
    wrong = 0
    for seed in range(6):
        table, labels = data(seed, 2, rows=30)
        parts = (ensemble.RandomForestClassifier(size, random_state=seed) for size in (5, 10))
        found = read_trees(soft(*parts).fit(table, labels))
        assert differences(found) == []
        wrong += len(differences(replace(found, added=True, slack=0.0)))
    assert wrong


def test_names_come_from_the_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    table, labels = data(0, 2)
    frame = pandas.DataFrame(table, columns=["a", "b", "c", "d"])
    for name, make in MODELS.items():
        found = read_trees(make().fit(frame, labels))
        assert [column.name for column in found.columns] == ["a", "b", "c", "d"]
        assert differences(found, 200) == [], name
    with pytest.raises(InputError, match="differ"):
        read_trees(make().fit(frame, labels), Options(names=["p", "q", "r", "s"]))


def test_names_may_be_given() -> None:
    model = MODELS["tree"]().fit(*data(0, 2))
    assert [column.name for column in read_trees(model).columns] == ["x0", "x1", "x2", "x3"]
    assert read_trees(model, Options(names=list("abcd"))).columns[3].name == "d"
    with pytest.raises(InputError, match="4 columns"):
        read_trees(model, Options(names=list("abc")))


def test_a_search_is_its_best_estimator() -> None:
    search = GridSearchCV(tree.DecisionTreeClassifier(), {"max_depth": [2, 3]}, cv=2)
    assert differences(read_trees(search.fit(*data(0, 3)))) == []
    kept = GridSearchCV(tree.DecisionTreeClassifier(), {"max_depth": [2]}, cv=2, refit=False)
    with pytest.raises(InputError, match="refit=True"):
        read_trees(kept.fit(*data(0, 3)))


class Stubborn(DecisionTreeClassifier):
    def predict(self, X: Any) -> Any:
        return numpy.zeros(len(X))


def refused() -> Iterator[Any]:
    table, labels = data(0, 2)
    both = numpy.column_stack([labels, labels])
    for kind in (tree.DecisionTreeClassifier, ensemble.RandomForestClassifier):
        yield "outputs", kind().fit(table, both)
    yield "threshold=", tree.DecisionTreeRegressor().fit(table, labels)
    yield "own predict", Stubborn().fit(table, labels)
    yield "neither a sum of trees", KNeighborsClassifier().fit(table, labels)
    yield "hard vote of Random", hard(ensemble.RandomForestClassifier(2)).fit(table, labels)
    boosted = ensemble.GradientBoostingClassifier(n_estimators=2)
    yield "one by one", soft(boosted).fit(table, labels)
    yield "one by one", ensemble.BaggingClassifier(boosted, n_estimators=2).fit(table, labels)
    yield "negative", soft(*trees(2, 3), weights=[-1, 2]).fit(table, labels)
    yield "not a scikit-learn model", object()
    changed = ensemble.BaggingClassifier(n_estimators=3).fit(table, labels)
    yield "fit it again", changed.set_params(n_estimators=2)


def test_refusals_say_what_to_do() -> None:
    for message, model in refused():
        with pytest.raises(UnsupportedModel, match=message):
            read_trees(model)
    with pytest.raises(InputError, match="not fitted"):
        read_trees(tree.DecisionTreeClassifier())


def test_a_damaged_tree_is_refused() -> None:
    model = tree.DecisionTreeClassifier().fit(*data(0, 2))
    model.tree_.children_left[0] = 0
    with pytest.raises(InputError, match="damaged"):
        read_trees(model)

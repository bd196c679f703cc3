"""Cells of plain columns, and hand-made 0/1 columns as one category."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from reasons.ensembles.discretize import over_cells
from reasons.ensembles.inputs import own
from reasons.ensembles.ir import Column, Test, Tree, TreeModel
from reasons.ensembles.one_hot import grouped, one_hot_suspects
from reasons.errors import InputError
from reasons.frontends.sklearn.pipeline import unwrap
from tests.support.models.pipelines import people
from tests.support.models.sklearn_trees import tree_model
from tests.support.models.tree_cells import disagreements

JOBS = ["job_clerk", "job_nurse", "job_pilot", "job_smith"]


def test_every_cell_of_plain_columns_is_decided_as_predicted() -> None:
    for seed in range(5):
        frame, y = people(seed, gaps=seed % 2 == 1)
        table = frame[["age", "pay", "rank"]].to_numpy(float)
        forest = RandomForestClassifier(3, max_depth=3, random_state=seed).fit(table, y)
        assert disagreements(tree_model(forest)) == []


def test_a_forgotten_cast_is_seen() -> None:
    frame, y = people(0)
    forest = RandomForestClassifier(5, max_depth=4, random_state=0)
    model = tree_model(forest.fit(frame[["pay"]].to_numpy(float), y))
    assert disagreements(model) == []
    assert disagreements(replace(model, cast="float64")) != []


def one_test(column: Column, test: Test, **options: object) -> TreeModel:
    tree = Tree(
        numpy.array([0, -1, -1]),
        numpy.array([1, 0, 0]),
        numpy.array([2, 0, 0]),
        numpy.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
    )
    made = TreeModel((column,), (test,), (tree,), ("left", "right"), (0.0, 0.0), "largest", "none")
    return replace(made, **options)  # type: ignore[arg-type]


def decided(model: TreeModel, values: Sequence[object]) -> list[str]:
    schema, native = over_cells(model)
    cells = numpy.array([schema[0].cell(value) for value in values], numpy.uint16)
    return [model.labels[label] for label in native.decide_all(cells, len(values))]


@pytest.mark.parametrize("closed", ["right", "left"])
def test_an_interval_can_count_as_missing(closed: str) -> None:
    test = Test(0, -3.0, missing_left=True, missing_between=(-0.5, 0.25))
    model = one_test(Column("x", missing=True), test, closed=closed)
    values = [-5, -3, -1, -0.5, 0, 0.25, 1, None]
    first, last = ("right", "left") if closed == "right" else ("left", "right")
    at_cut = "left" if closed == "right" else "right"
    expected = ["left", at_cut, "right", first, "left", last, "right", "left"]
    assert decided(model, values) == expected


def test_categories_that_are_unseen_or_missing_go_where_the_test_says() -> None:
    column = Column("job", ("clerk", "nurse"), missing=True, unseen=True)
    test = Test(0, codes=frozenset({1}), missing_left=True, unseen_left=False)
    values = ["clerk", "nurse", "pilot", None]
    assert decided(one_test(column, test), values) == ["right", "left", "right", "left"]
    test = replace(test, missing_left=False, unseen_left=True)
    assert decided(one_test(column, test), values) == ["right", "left", "left", "right"]


def test_a_test_of_missing_only_makes_no_cut() -> None:
    model = one_test(Column("x", missing=True), Test(0, float("inf"), missing_left=False))
    schema, _ = over_cells(model)
    assert schema[0].cuts == ()
    assert decided(model, [1e30, -5, None]) == ["left", "left", "right"]


def dummies(seed: int) -> tuple[list[str], numpy.ndarray, numpy.ndarray]:
    frame, y = people(seed, rows=200)
    ones = [(frame.job == name.removeprefix("job_")).to_numpy(float) for name in JOBS]
    names = ["age", JOBS[0], JOBS[1], "rank", JOBS[2], JOBS[3]]
    age, rank = frame.age.to_numpy(), frame["rank"].to_numpy(float)
    return names, numpy.array([age, ones[0], ones[1], rank, ones[2], ones[3]]).T, y


@pytest.mark.parametrize("scaled", [False, True])
def test_dummy_columns_are_one_category(scaled: bool) -> None:
    names, table, y = dummies(1)
    tree = RandomForestClassifier(5, max_depth=5, random_state=0)
    fitted = make_pipeline(StandardScaler(), tree).fit(table, y) if scaled else tree.fit(table, y)
    model = tree_model(tree)
    columns = tuple(replace(c, name=n) for c, n in zip(model.columns, names, strict=True))
    model = replace(model, columns=columns)
    _, inner = unwrap(fitted)
    inputs = inner or own(model)
    place = {name: column.name for name, column in zip(names, inputs.columns, strict=True)}
    inputs = grouped(inputs, {"job": [place[name] for name in JOBS]})
    schema, native = over_cells(model, inputs)
    job = schema[schema.index("job")]
    assert schema.names == (place["age"], "job", place["rank"])
    if not scaled:
        assert [str(v) for v in job.values] == ["clerk", "nurse", "pilot", "smith", "<other>"]
    cells = list(product(*(range(len(feature.values)) for feature in schema)))
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    wide = []
    for age, which, rank in cells:
        ones = [float(which == k) for k in range(4)]
        ages, ranks = schema[0].raw(age), schema[2].raw(rank)
        wide.append([ages, ones[0], ones[1], ranks, ones[2], ones[3]])
    theirs = fitted.predict(numpy.array(wide, float)).tolist()
    assert [model.labels[label] for label in ours] == theirs
    assert inputs.predict is not None
    raws = [[f.raw(c) for f, c in zip(schema, row, strict=True)] for row in cells]
    assert list(inputs.predict(raws)) == theirs
    assert any(
        len({mine for (a, _, r), mine in zip(cells, ours, strict=True) if (a, r) == (age, rank)})
        > 1
        for age, _, rank in cells
    )


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"job": ["job_clerk", "job_king"]}, "'job_king', which does not exist"),
        ({"job": "job_clerk"}, "needs a list"),
        ({"job": []}, "needs a list"),
        ({"job": JOBS, "work": ["job_clerk"]}, "is in 'job' and 'work'"),
        ({"age": JOBS}, "a column 'age' already"),
    ],
)
def test_groups_that_do_not_fit_are_refused(groups: dict[str, list[str]], message: str) -> None:
    names, table, y = dummies(2)
    model = tree_model(DecisionTreeClassifier(max_depth=3).fit(table, y))
    columns = tuple(replace(c, name=n) for c, n in zip(model.columns, names, strict=True))
    with pytest.raises(InputError, match=message):
        grouped(own(replace(model, columns=columns)), groups)


def test_columns_that_look_one_hot_are_named() -> None:
    names = ["job_a", "job_b", "age", "job_c", "town=X", "town=Y", "pay_1", "pay_2", "x_1"]
    columns = [Column(name) for name in names]
    tests = [Test(0, 0.5), Test(1, 0.5), Test(2, 0.5), Test(4, 1e-35), Test(5, 1.0)]
    tests += [Test(6, 0.2), Test(6, 0.4), Test(7, 0.5), Test(8, 0.5)]
    assert one_hot_suspects(columns, tests) == [["job_a", "job_b"], ["town=X", "town=Y"]]

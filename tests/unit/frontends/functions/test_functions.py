"""Functions and models of any kind, evaluated in every cell of the features that are listed."""

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reasons
from reasons import Feature
from reasons.frontends.functions.rows import within_cell
from tests.support.compare import compare_some
from tests.support.ctrl_c import require_ctrl_c_ends
from tests.support.oracle import IMPOSSIBLE
from tests.support.specs import Case, cell_of, features_for

SHAPES = ("frame", "array", "mappings", "mapping")
COLOURS = ("blue", "green", "red")


def plain(value: Any) -> Any:
    return None if value is None or value != value else value


def function_of(
    features: Sequence[Feature], table: dict[Any, Any], shape: str
) -> Callable[[Any], Any]:
    """A function that looks its answers up in a table of cells, however rows are given."""

    def one(values: Sequence[Any]) -> Any:
        pairs = zip(features, values, strict=True)
        return table[tuple(cell_of(f, plain(v)) for f, v in pairs)]

    def many(rows: Any) -> Any:
        if shape == "mapping":
            return one(list(rows.values()))
        if shape == "mappings":
            return [one(list(row.values())) for row in rows]
        every = rows.to_numpy(object) if shape == "frame" else rows
        return numpy.array([one(list(row)) for row in every], object)

    return many


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 1 << 30))
def test_every_answer_about_a_function_agrees_with_brute_force(sizes: list[int], seed: int) -> None:
    rng = Random(seed)
    features = features_for(sizes, rng)
    labels = rng.choice([(False, True), COLOURS, (1, 2.5)])
    table = {x: rng.choice(labels) for x in product(*map(range, sizes))}
    shape: Any = rng.choice(SHAPES)
    clf = reasons.compile(
        function_of(features, table, shape), features=features, rows=shape, labels=labels
    )
    compare_some(Case(clf, tuple(sizes), table), rng, most=1)
    assert reasons.check(clf)


def test_a_wrong_table_is_seen() -> None:
    """The comparison with brute force can fail."""
    table: dict[tuple[int, ...], bool] = {x: sum(x) % 2 == 0 for x in product(range(2), range(3))}
    features = features_for((2, 3))
    clf = reasons.compile(function_of(features, table, "frame"), features=features)
    table[1, 2] = not table[1, 2]
    with pytest.raises(AssertionError):
        compare_some(Case(clf, (2, 3), table), Random(0))
    assert not reasons.check(clf)


MIXED = [
    Feature.boolean("member"),
    Feature.categorical("job", ["clerk", "nurse"], other=True, missing=True),
    Feature.categorical("rooms", [1, 2], other=True),
    Feature.numeric("age", [25, 40], missing=True),
    Feature.numeric("children", [0, 1], whole=True, within=(0, 3)),
]


def by_mapping(row: dict[str, Any]) -> str:
    old = row["age"] is not None and row["age"] > 25
    points = old + (row["job"] == "nurse") + row["member"] + (row["rooms"] == 2)
    return "grant" if points > 1 and row["children"] < 2 else "refuse"


def by_frame(frame: pandas.DataFrame) -> pandas.Series:
    points = (frame.age > 25).astype(int) + (frame.job == "nurse") + frame.member
    good = (points + (frame.rooms == 2) > 1) & (frame.children < 2)
    return good.map({True: "grant", False: "refuse"})


def test_the_same_function_of_frames_and_of_mappings_is_the_same_classifier() -> None:
    one = reasons.compile(by_frame, features=MIXED)
    for clf in (
        reasons.compile(by_mapping, features=MIXED, rows="mapping"),
        reasons.compile(
            lambda rows: [by_mapping(row) for row in rows], features=MIXED, rows="mappings"
        ),
    ):
        assert clf.equivalent(one)
        assert clf.labels == ("grant", "refuse")
    ann = {"member": 1, "job": "pilot", "rooms": 7, "age": 33, "children": 1}
    assert one.decide(ann).label == "grant"
    assert one.decide(ann).is_sufficient("member, age > 25, children <= 1")
    assert reasons.check(one, rows=[list(ann.values())])
    assert "evaluated at one value in each of 288 cells" in one.notes[0]


def test_frames_have_columns_of_the_kinds_one_expects() -> None:
    seen: list[pandas.DataFrame] = []

    def look(frame: pandas.DataFrame) -> list[bool]:
        seen.append(frame)
        return [True] * len(frame)

    reasons.compile(look, features=MIXED)
    assert [seen[0][f.name].dtype.kind for f in MIXED] == ["b", "O", "i", "f", "i"]
    every = pandas.concat(seen)
    assert set(every.children) >= {0, 1, 2}
    jobs = every.job
    assert {"clerk", "nurse"} < set(jobs.dropna())
    assert all(isinstance(job, str) for job in jobs.dropna())
    assert jobs.isna().any()
    assert every.age.isna().any()


def test_arrays_are_numbers_where_all_features_are() -> None:
    kinds = []

    def look(rows: numpy.ndarray) -> numpy.ndarray:
        kinds.append((rows.dtype.kind, rows.shape[1]))
        return rows[:, 0] > 2

    reasons.compile(look, features=[Feature.numeric("x", [2.0]), "b"], rows="array")
    assert set(kinds) == {("f", 2)}


def test_labels_are_sorted_and_those_of_truths_are_false_and_true() -> None:
    features = [Feature.categorical("x", [3, 1, 2])]
    assert reasons.compile(lambda f: f.x * 10, features=features).labels == (10, 20, 30)
    assert reasons.compile(lambda f: f.x > 1, features=features).labels == (False, True)
    assert reasons.compile(lambda f: [1] * len(f), features=features).labels == (False, True)
    mixed = reasons.compile(lambda f: [1 if x == 1 else "a" for x in f.x], features=features)
    assert mixed.labels == ("a", 1)
    told = reasons.compile(lambda f: f.x > 1, features=features, labels=[True, False])
    assert told.decide([1]).label is False


GOOD = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda f: [True], "gave 1 labels for 8 rows"),
        (lambda f: numpy.zeros((len(f), 2)), "argmax"),
        (lambda f: numpy.zeros((len(f), 1)), "2 dimensions"),
        (lambda f: None, "gave None"),
        (lambda f: "yes", "gave 'yes'"),
        (lambda f: 1.0, "gave 1.0"),
        (lambda f: [float("nan")] * len(f), "cannot be missing"),
        (lambda f: [None] * len(f), r"for the row ~a, ~b, ~c: a label cannot be missing"),
        (lambda f: [[1]] * len(f), "cannot be a label"),
        (lambda f: [["x"] if a else 1 for a in f.a], r"row a, ~b, ~c: .* cannot be a label"),
        (lambda f: 1 / 0, "row ~a, ~b, ~c or one of|row ~a, ~b, ~c: ZeroDivisionError"),
        (lambda f: [1 / (1 - x) for x in f.a & f.b], "row a, b, ~c: ZeroDivisionError"),
        (lambda f: f["nothing"], "KeyError.*a data frame; see rows="),
    ],
)
def test_answers_that_are_none_are_refused(answer: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(reasons.InputError, match=message):
        reasons.compile(answer, features=GOOD)


def test_a_function_that_fails_on_one_row_of_many_names_it() -> None:
    def predict(row: dict[str, bool]) -> bool:
        if row["x3"] and row["x7"] and not row["x11"] and all(row[f"x{i}"] for i in range(3)):
            raise RuntimeError("no such customer")
        return row["x0"]

    names = [f"x{i}" for i in range(12)]
    with pytest.raises(reasons.InputError, match=r"row x0, x1, x2, x3, .*no such customer"):
        reasons.compile(predict, features=names, rows="mapping")


def test_a_function_that_is_none_is_refused() -> None:
    rng = numpy.random.default_rng(0)
    with pytest.raises(reasons.InputError, match="depend on nothing but the row"):
        reasons.compile(lambda f: rng.random(len(f)) > 0.5, features=GOOD)
    with pytest.raises(reasons.InputError, match="depend on nothing but the row"):
        reasons.compile(lambda f: numpy.arange(len(f)) > 3, features=GOOD)


@pytest.mark.parametrize(
    ("feature", "predict"),
    [
        (Feature.numeric("x", [25, 40]), lambda f: f.x > 30),
        (Feature.numeric("x", [25, 40]), lambda f: f.x >= 25),
        (Feature.numeric("x", [25, 40], closed="left"), lambda f: f.x <= 40),
        (Feature.numeric("x", [25, 40]), lambda f: f.x > 5_000),
        (Feature.numeric("x", [25, 40]), lambda f: f.x < -10_000),
        (Feature.numeric("x", []), lambda f: f.x < 0),
        (Feature.numeric("x", [2], whole=True, within=(0, 9)), lambda f: f.x > 8),
        (Feature.categorical("x", ["p", "q"], other=True), lambda f: f.x.str.startswith("a")),
    ],
)
def test_a_number_that_matters_within_its_cell_is_found_and_named(
    feature: Feature, predict: Callable[[Any], Any]
) -> None:
    with pytest.raises(reasons.InputError, match=r"feature 'x'.*both in the cell x"):
        reasons.compile(lambda f: predict(f) & f.b, features=["b", feature, "c"])


def test_values_within_a_cell_are_in_it_and_apart() -> None:
    for feature in (*MIXED, *features_for((3, 4, 2, 5), Random(1)), Feature.numeric("x", [])):
        for cell in range(len(feature.values)):
            values = within_cell(feature, cell)
            assert [feature.cell(value) for value in values] == [cell] * len(values)
    between = sorted(within_cell(Feature.numeric("x", [25, 40]), 1))
    assert (between[0], between[-1]) == (25.000000000000004, 40)
    assert max(high - low for low, high in pairwise(between)) < 1
    whole = Feature.numeric("x", [2], whole=True, within=(0, 9))
    assert sorted(within_cell(whole, 0)) == [0, 1, 2]
    assert {3, 9} <= set(within_cell(whole, 1)) <= set(range(3, 10))


def test_a_band_inside_a_cell_is_found() -> None:
    def is_fine(rows: Any) -> Any:
        return rows.bmi.between(19, 27) & ~rows.smokes

    for bmi in (
        Feature.numeric("bmi", [15, 40]),
        Feature.numeric("bmi", [15]),
        Feature.numeric("bmi", [15, 40], whole=True, within=(10, 60)),
    ):
        with pytest.raises(reasons.InputError, match=r"'bmi'.*both in the cell"):
            reasons.compile(is_fine, features=[bmi, "smokes"])


def test_check_looks_inside_cells() -> None:
    classifier = reasons.compile(lambda rows: rows.x > 0, features=[Feature.numeric("x", [0, 9])])

    def banded(rows: Any) -> list[bool]:
        return [(x > 0) != (2 < x < 5) for (x,) in rows]

    assert not reasons.check(classifier, banded)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_declared_impossible_is_never_asked_about(seed: int) -> None:
    rng = Random(seed)
    sizes = [2, 3, 2]
    features = features_for(sizes, rng)
    ruled_out = [
        (f.says(cells), cells)
        for f, n in zip(features, sizes, strict=True)
        if (cells := rng.sample(range(n), n - 1))
    ]
    given = " | ".join(f"~({text})" for text, _ in ruled_out)
    table: dict[Any, Any] = {
        x: IMPOSSIBLE
        if all(c in cells for c, (_, cells) in zip(x, ruled_out, strict=True))
        else rng.choice(COLOURS)
        for x in product(*map(range, sizes))
    }
    answer = function_of(features, table, "mapping")

    def predict(row: dict[str, Any]) -> Any:
        found = answer(row)
        assert found is not IMPOSSIBLE
        return found

    clf = reasons.compile(
        predict, features=features, rows="mapping", constraint=given, labels=COLOURS
    )
    compare_some(Case(clf, tuple(sizes), table), rng, most=1)
    assert clf.constraint == given


def test_a_condition_that_does_not_fit_is_refused() -> None:
    wrong = {"a & x > 3": "no feature 'x'", "a &": "<constraint>:1:3", "a & ~a": "no instance"}
    for declared, message in wrong.items():
        with pytest.raises(reasons.InputError, match=message):
            reasons.compile(lambda f: f.a, features=GOOD, constraint=declared)
    with pytest.raises(reasons.InputError, match=r"<constraint>:1:1.*not cut at `<= 3`"):
        reasons.compile(lambda f: f.x > 5, features=[Feature.numeric("x", [5])], constraint="x > 3")


def test_too_many_cells_are_refused_before_anything_is_evaluated() -> None:
    calls: list[Any] = []
    wide: list[Feature | str] = [
        Feature.categorical("zip", range(40_000)),
        *(f"x{i}" for i in range(15)),
    ]
    with pytest.raises(reasons.BudgetExceeded, match=r"'zip' has 40,000.*1,310,720,000") as caught:
        reasons.compile(calls.append, features=wide)
    assert not calls
    assert caught.value.spent == {"cells": 1_310_720_000, "limit": 1 << 24}
    with pytest.raises(reasons.BudgetExceeded):
        reasons.compile(lambda f: f.a, features=GOOD, most_cells=7)
    assert reasons.compile(lambda f: f.a, features=GOOD, most_cells=8).count(True) == 4
    with pytest.raises(reasons.InputError, match="most_cells"):
        reasons.compile(lambda f: f.a, features=GOOD, most_cells=0)


def test_seconds_are_heeded_and_progress_is_told() -> None:
    told = []
    names = [f"x{i}" for i in range(18)]
    listener = reasons.Budget(progress=lambda *what: told.append(what))
    reasons.compile(lambda f: f.x0, features=names, budget=listener)
    evaluated = [done for stage, done, total in told if total == 1 << 18]
    assert evaluated[0] == 0
    assert evaluated[-1] == 1 << 18
    assert evaluated == sorted(evaluated)
    with pytest.raises(reasons.BudgetExceeded):
        reasons.compile(lambda f: f.x0, features=names, budget=reasons.Budget(seconds=1e-6))


def test_ctrl_c_ends_it_between_chunks() -> None:
    require_ctrl_c_ends(
        "import reasons, time\n"
        "def predict(rows):\n"
        "    print('ready', flush=True) if not seen else time.sleep(0.2)\n"
        "    seen.append(1)\n"
        "    return rows[:, 0]\n"
        "seen = []\n"
        "reasons.compile(predict, features=[f'x{i}' for i in range(24)], rows='array')\n"
    )


def test_options_that_do_not_fit_are_refused() -> None:
    with pytest.raises(reasons.InputError, match="rows="):
        reasons.compile(lambda f: f.a, features=GOOD, rows="dicts")  # type: ignore[arg-type]
    with pytest.raises(reasons.InputError, match="threshold="):
        reasons.compile(lambda f: f.a, features=GOOD, threshold=0.5)
    with pytest.raises(reasons.InputError, match="features= is empty"):
        reasons.compile(lambda f: f.a, features=[])
    with pytest.raises(reasons.InputError, match=r"not among labels=: True"):
        reasons.compile(lambda f: f.a, features=GOOD, labels=[True])
    with pytest.raises(reasons.InputError, match="rows="):
        reasons.compile("a & b", rows="frame")
    with pytest.raises(reasons.UnsupportedModel, match=r"features=\[\.\.\.\]"):
        reasons.compile(lambda f: f.a)


def test_more_labels_than_a_classifier_has_are_refused() -> None:
    many = Feature.categorical("x", range(3_000))
    with pytest.raises(reasons.InputError, match="more than 1,000 different labels"):
        reasons.compile(lambda f: f.x / 7, features=[many])


def digits() -> tuple[pandas.DataFrame, numpy.ndarray, list[Feature]]:
    """Whole numbers of few values, so that every cell is one value."""
    rng = numpy.random.default_rng(3)
    frame = pandas.DataFrame(rng.integers(0, 4, (200, 4)), columns=list("pqrs"))
    features = [Feature.numeric(n, [0, 1, 2], whole=True, within=(0, 3)) for n in "pqrs"]
    return frame, (frame.sum(axis=1) > 6).map({True: "high", False: "low"}).to_numpy(), features


def unread_models() -> list[Any]:
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    network = MLPClassifier((8,), max_iter=150, random_state=0, solver="lbfgs")
    return [
        KNeighborsClassifier(3),
        SVC(),
        make_pipeline(StandardScaler(), network),
    ]


@pytest.mark.parametrize("model", unread_models(), ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("named", [True, False])
def test_a_fitted_model_of_any_kind_is_evaluated(model: Any, named: bool) -> None:
    frame, labels, features = digits()
    rows = frame if named else frame.to_numpy(float)
    model.fit(rows, labels)
    clf = reasons.compile(model, features=features)
    every = pandas.DataFrame(list(product(range(4), repeat=4)), columns=frame.columns)
    wanted = model.predict(every if named else every.to_numpy(float))
    assert (clf.predict(every) == wanted).all()
    assert reasons.check(clf, rows=frame)
    assert reasons.compile(model.predict, features=features).equivalent(clf)
    with pytest.raises(reasons.UnsupportedModel, match=r"features=\[\.\.\.\]"):
        reasons.compile(model)
    with pytest.raises(reasons.InputError, match="4 columns"):
        reasons.compile(model, features=features[:3])
    if named:
        with pytest.raises(reasons.InputError, match="must name these"):
            reasons.compile(model, features=features[::-1])


def test_a_model_of_numbers_that_matter_everywhere_is_refused() -> None:
    frame, labels, _ = digits()
    model = unread_models()[0].fit(frame, labels)
    with pytest.raises(reasons.InputError, match="both in the cell"):
        reasons.compile(model, features=[Feature.numeric(str(name), [1.5]) for name in frame])


def test_a_model_that_is_read_needs_no_features() -> None:
    from sklearn.tree import DecisionTreeClassifier

    frame, labels, features = digits()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(frame, labels)
    with pytest.raises(reasons.InputError, match="leave features= out"):
        reasons.compile(tree, features=[feature.name for feature in features])
    read, evaluated = reasons.compile(tree), reasons.compile(tree, features=features)
    assert (read.predict(frame) == evaluated.predict(frame)).all()

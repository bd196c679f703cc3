"""Declared domains: what is impossible has no cells or meets a guard, beside plain Python."""

import math
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import numpy
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import reasons
from reasons import _core
from reasons.ensembles.discretize import over_cells
from reasons.ensembles.domain import Domain, declared
from reasons.ensembles.inputs import own
from reasons.errors import InputError, ParseError
from reasons.features.schema import Schema
from reasons.frontends.sklearn.pipeline import unwrap
from tests.support.models.pipelines import (
    fitted,
    hot,
    on,
    people,
    predicted,
    user_frame,
)
from tests.support.models.sklearn_trees import tree_model

PREPARED = {
    "as they are": lambda: on(
        ("passthrough", ["age", "pay", "rank"]),
        (OneHotEncoder(handle_unknown="ignore"), ["job"]),
    ),
    "scaled": lambda: on((StandardScaler(), ["age", "pay", "rank"]), (OneHotEncoder(), ["job"])),
}
# Each formula and what it says, in Python.
GIVEN: dict[str, Callable[[Any], bool]] = {
    "~(age < 40 & job = pilot)": lambda r: not (r.age < 40 and r.job == "pilot"),
    "age >= 30.5 -> pay > 1000 | rank != 2": lambda r: (
        not r.age >= 30.5 or r.pay > 1000 or r["rank"] != 2
    ),
    "job in {clerk, nurse} <-> age in (30, 60]": lambda r: (
        (r.job in ("clerk", "nurse")) == (30 < r.age <= 60)
    ),
    "age not in {30, 40} & 25 < age <= 60 or job is clerk": lambda r: (
        (r.age not in (30, 40) and 25 < r.age <= 60) or r.job == "clerk"
    ),
    "(job != smith ^ rank = 3) & ~(age<25)": lambda r: (
        ((r.job != "smith") != (r["rank"] == 3)) and not r.age < 25
    ),
    "age < 20 | age in [30, 40) | age > 70 & age <= 71 | rank<=-5": lambda r: (
        r.age < 20 or 30 <= r.age < 40 or 70 < r.age <= 71 or r["rank"] <= -5
    ),
}
BORDERS = [20, 25, 30, 30.5, 40, 60, 70, 71]


def drawn(frame: Any, schema: Schema, rng: Random, count: int) -> list[list[Any]]:
    """Rows whose numbers are often at or one step from a cut, or a bound of a formula."""
    rows = []
    for _ in range(count):
        row = list(frame.iloc[rng.randrange(len(frame))])
        for at, feature in enumerate(schema):
            if feature.kind == "numeric" and rng.random() < 0.7:
                cut = rng.choice([*feature.cuts, *BORDERS, 1000, 2, 3])
                row[at] = rng.choice([cut, cut + 0.01, cut - 0.01, round(cut)])
        rows.append(row)
    return rows


def compared(model: Any, frame: Any, domain: Domain, allowed: Callable[[Any], bool]) -> int:
    """How many of 1,500 rows are decided otherwise than by `predict` and plain Python."""
    final, inputs = unwrap(model)
    assert inputs is not None
    trees = tree_model(final)
    schema, native = over_cells(trees, inputs, domain)
    rows = drawn(frame, schema, Random(1), 1_500)
    table = user_frame(schema.names, rows, frame)
    cells = [[f.cell(v) for f, v in zip(schema, row, strict=True)] for row in rows]
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    theirs = predicted(model, table)
    possible = [allowed(row) for _, row in table.iterrows()]
    assert 0 < sum(possible) < len(rows)
    wanted = [
        trees.labels.index(label) if fine else _core.IMPOSSIBLE
        for label, fine in zip(theirs, possible, strict=True)
    ]
    return sum(mine != want for mine, want in zip(ours, wanted, strict=True))


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("name", PREPARED)
def test_combinations_are_ruled_out_as_the_formula_says(name: str, given: str) -> None:
    frame, model = fitted(PREPARED[name](), 1, gaps=False, forest=True)
    domain = declared(constraint=given)
    assert domain.text == given
    assert compared(model, frame, domain, GIVEN[given]) == 0


def test_a_rule_that_is_read_wrongly_is_seen() -> None:
    frame, model = fitted(PREPARED["scaled"](), 1, gaps=False, forest=True)
    other = declared(constraint="~(age <= 40 & job = pilot)")
    assert compared(model, frame, other, GIVEN["~(age < 40 & job = pilot)"]) > 0


@pytest.mark.parametrize("name", PREPARED)
def test_whole_numbers_ranges_and_sets_leave_only_cells_that_there_are(name: str) -> None:
    _, model = fitted(PREPARED[name](), 2, gaps=False, forest=True)
    final, inputs = unwrap(model)
    assert inputs is not None
    trees = tree_model(final)
    domain = declared(
        {"age": range(18, 90), "pay": (500, None), "rank": {0, 2, 4}, "job": {"nurse"}}
    )
    schema, native = over_cells(trees, inputs, domain)
    assert domain.text == (
        "age whole from 18 to 89; pay from 500 to inf; rank in {0, 2, 4}; job in {nurse}"
    )
    age, pay, rank, job = schema[:4]
    assert all(isinstance(cut, int) and 18 <= cut < 89 for cut in age.cuts)
    assert (rank.values, job.values) == ((0, 2, 4), ("nurse",))
    for feature, value in [(age, 17), (age, 20.5), (pay, 499), (rank, 1), (job, "clerk")]:
        with pytest.raises(InputError, match=f"feature {feature.name!r} has no value"):
            feature.cell(value)
    rng = Random(3)
    for feature in (age, pay):
        for cell in range(len(feature.values)):
            near = rng.choice([18, 50, 89]) if feature is age else rng.uniform(500, 9_000)
            for raw in (feature.raw(cell), feature.raw(cell, near=near)):
                assert feature.cell(raw) == cell
    sizes = [len(feature.values) for feature in schema]
    cells = [tuple(map(rng.randrange, sizes)) for _ in range(1_000)]
    rows = [[f.raw(c) for f, c in zip(schema, row, strict=True)] for row in cells]
    every_age = [[n, 3_000.0, 2, "nurse", "X", "a"] for n in range(18, 90)]
    rows += every_age
    cells += [tuple(f.cell(v) for f, v in zip(schema, row, strict=True)) for row in every_age]
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    assert inputs.predict is not None
    assert [trees.labels[label] for label in ours] == inputs.predict(rows)


def test_whole_numbers_make_plain_cuts() -> None:
    _, model = fitted(PREPARED["scaled"](), 1, gaps=False, forest=False)
    final, inputs = unwrap(model)
    assert inputs is not None
    raw, _ = over_cells(tree_model(final), inputs)
    whole, _ = over_cells(tree_model(final), inputs, declared({"age": int}))
    assert any(cut != int(cut) for cut in raw[0].cuts)
    assert whole[0].cuts == tuple(sorted({math.floor(cut) for cut in raw[0].cuts}))


BAD: dict[str, tuple[Any, Any, str]] = {
    "no such column": ({"height": int}, None, "no feature 'height'"),
    "no such column in a formula": (None, "height > 3", "no feature 'height'"),
    "a range of a category": ({"job": (1, 2)}, None, "'job' is a category"),
    "no such value": ({"job": {"king"}}, None, "has no values king"),
    "words for a number": ({"age": {"old"}}, None, "takes numbers, not old"),
    "a missing value where there is none": ({"job": {"nurse", None}}, None, "cannot be <missing>"),
    "bounds the wrong way": ({"age": (3, 1)}, None, "declare `int`"),
    "something else": ({"age": "whole"}, None, "declare `int`"),
    "an empty set": ({"age": set()}, None, "empty set"),
    "a value there is not": (None, "job = king", "has no value 'king'"),
    "a comparison of words": (None, "job > 3", "no number is compared with"),
    "words beside a comparison": (None, "age > old", "cannot read 'old'"),
    "a set of numbers and words": (None, "age in {1, old}", "cannot read 'old' as a number"),
    "no formula": (None, "age > 3 &", "nothing on its right"),
    "no text": (None, 3, "a formula as text"),
    "a bare name": (None, "job", "needs a value"),
}


@pytest.mark.parametrize("case", BAD)
def test_declarations_that_cannot_be_meant_are_refused(case: str) -> None:
    domain, given, message = BAD[case]
    _, model = fitted(PREPARED["scaled"](), 1, gaps=False, forest=False)
    final, inputs = unwrap(model)
    assert inputs is not None
    with pytest.raises(InputError, match=message):
        over_cells(tree_model(final), inputs, declared(domain, given))


def test_complaints_about_a_formula_point_at_its_text() -> None:
    with pytest.raises(ParseError) as caught:
        declared(constraint='~(age < 18 & job = "a b") & & rank > 3')
    assert (caught.value.line, caught.value.column) == (1, 29)
    assert 'job = "a b"' in str(caught.value)


def test_numbers_as_categories_can_be_compared() -> None:
    frame, model = fitted(
        on((OrdinalEncoder(), ["rank"]), ("passthrough", ["age"])), 1, False, True
    )
    domain = declared(constraint="rank < 3 | age > 50")
    assert compared(model, frame, domain, lambda r: r["rank"] < 3 or r.age > 50) == 0


def test_missing_values_can_be_forbidden() -> None:
    frame, y = people(1, gaps=True)
    model = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=4))
    model.fit(frame[["age", "pay"]], y)
    final, inputs = unwrap(model)
    assert inputs is not None
    schema, native = over_cells(
        tree_model(final), inputs, declared(constraint="~(age is missing) | pay != 7")
    )
    missing = len(schema[0].values) - 1
    rows = [[missing, schema[1].cell(7)], [missing, schema[1].cell(8)], [0, schema[1].cell(7)]]
    ours = native.decide_all(numpy.array(rows, numpy.uint16).ravel(), 3)
    assert [label == _core.IMPOSSIBLE for label in ours] == [True, False, False]


def test_models_without_a_pipeline_take_a_domain() -> None:
    frame, y = people(5)
    table = frame[["age", "pay", "rank"]].to_numpy(float)
    forest = RandomForestClassifier(4, max_depth=4, random_state=0).fit(table, y)
    trees = tree_model(forest)
    schema, native = over_cells(trees, own(trees), declared({"x2": int}, "x0 > 30 | x2 = 1"))
    cells = [[f.cell(v) for f, v in zip(schema, row, strict=True)] for row in table]
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    for row, label, mine in zip(table, forest.predict(table), ours, strict=True):
        allowed = row[0] > 30 or row[2] == 1
        assert mine == (trees.labels.index(label) if allowed else _core.IMPOSSIBLE)


def test_rules_of_all_shapes_are_trees_that_mean_the_same() -> None:
    """Random formulas over one-column comparisons, on every cell."""
    frame, y = people(6)
    table = frame[["age", "rank"]].to_numpy(float)
    trees = tree_model(DecisionTreeClassifier(max_depth=2, random_state=0).fit(table, y))
    rng = Random(7)

    def formula(depth: int) -> tuple[str, Callable[[float, float], bool]]:
        if depth == 0:
            name, sign = rng.choice(["x0", "x1"]), rng.choice(["<", "<=", ">", ">=", "=", "!="])
            bound = rng.choice([20, 35, 50.5]) if name == "x0" else rng.choice([0, 2, 3])
            python = f"{'a' if name == 'x0' else 'b'} {'==' if sign == '=' else sign} {bound}"
            return f"{name} {sign} {bound}", eval(f"lambda a, b: {python}")
        (left, one), (right, two) = formula(depth - 1), formula(depth - 1)
        kind = rng.choice(["&", "|", "->", "^", "<->", "~"])
        if kind == "~":
            return f"~({left})", lambda a, b: not one(a, b)
        meanings: dict[str, Callable[[bool, bool], bool]] = {
            "&": lambda p, q: p and q,
            "|": lambda p, q: p or q,
            "->": lambda p, q: not p or q,
            "^": lambda p, q: p != q,
            "<->": lambda p, q: p == q,
        }
        return f"({left}) {kind} ({right})", lambda a, b: meanings[kind](one(a, b), two(a, b))

    seen = set()
    for _ in range(60):
        text, meaning = formula(rng.randint(1, 3))
        schema, native = over_cells(trees, own(trees), declared(constraint=text))
        cells = list(product(*(range(len(f.values)) for f in schema)))
        ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
        for row, mine in zip(cells, ours, strict=True):
            raw = [f.raw(c) for f, c in zip(schema, row, strict=True)]
            if None in raw:
                continue
            assert (mine != _core.IMPOSSIBLE) == meaning(*raw), (text, raw)
            seen.add(mine == _core.IMPOSSIBLE)
    assert seen == {True, False}


@pytest.mark.parametrize("text", ["~(job = zebra)", "job != zebra", "job in {clerk, zebra}"])
def test_a_value_that_is_not_listed_does_not_stand_for_all_such(text: str) -> None:
    frame, labels = people(0)
    model = make_pipeline(on((hot(), ["job"])), DecisionTreeClassifier(max_depth=3))
    model.fit(frame[["job"]], labels)
    with pytest.raises(InputError, match="names a value that 'job' does not list"):
        reasons.compile(model, constraint=text)
    assert reasons.compile(model, constraint="~(job = <other>)").constraint

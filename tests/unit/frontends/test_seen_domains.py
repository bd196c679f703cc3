"""Domains taken from data: ranges, whole numbers, categories and missing values that were seen."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy
import pandas
import pyarrow
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import reasons


def _frame(seed: int = 0, rows: int = 300) -> pandas.DataFrame:
    rng = numpy.random.default_rng(seed)
    return pandas.DataFrame(
        {
            "age": rng.integers(18, 27, rows),
            "rate": rng.integers(0, 40, rows) / 8,
            "rooms": rng.integers(1, 5, rows).astype(float),
        }
    )


def _fitted(frame: pandas.DataFrame, seed: int = 0) -> Any:
    labels = (frame["age"] * frame["rate"] > 50) ^ (frame["rooms"] > 2.5)
    return DecisionTreeClassifier(max_depth=4, random_state=seed).fit(frame, labels)


def test_whole_numbers_ranges_and_missing_values_are_those_seen() -> None:
    frame = _frame()
    model = _fitted(frame)
    frame["rooms"] = frame["rooms"].mask(frame["age"] == 20)
    age, rate, rooms = reasons.compile(model, data=frame.assign(target=1)).features
    assert (age.whole, age.within, reasons.MISSING in age.values) == (True, (18, 26), False)
    assert (rate.whole, rate.within) == (False, (0, 4.875))
    assert (rooms.whole, rooms.within, reasons.MISSING in rooms.values) == (True, (1, 4), True)
    assert all(float(cut).is_integer() for feature in (age, rooms) for cut in feature.cuts)


def test_missing_false_and_a_declared_domain_go_before_what_was_seen() -> None:
    frame = _frame()
    model = _fitted(frame)
    frame.loc[0, "rooms"] = numpy.nan
    clf = reasons.compile(model, data=frame, domain={"age": range(10, 100)}, missing=False)
    assert clf.features[0].range_text() == "whole number from 10 to 99"
    assert reasons.MISSING not in clf.features[2].values
    assert clf.constraint == (
        "values as in 300 rows of data; nothing is missing; age whole from 10 to 99"
    )


def test_every_source_of_the_same_rows_gives_the_same_features(tmp_path: Path) -> None:
    frame = _frame()
    model = _fitted(frame)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    table = pyarrow.Table.from_pandas(frame)
    every = [frame, table, frame.to_numpy(), tmp_path / "rows.csv", str(tmp_path / "rows.parquet")]
    schemas = [reasons.compile(model, data=data).schema for data in every]
    assert all(schema == schemas[0] for schema in schemas)


@pytest.mark.parametrize("method", ["compiled", "search"])
@pytest.mark.parametrize("seed", range(4))
def test_reasons_equal_brute_force_over_the_values_seen(seed: int, method: Any) -> None:
    frame = _frame(seed, 60)
    labels = (frame["age"] + frame["rate"] > 24) ^ (frame["rooms"] > 2)
    model = RandomForestClassifier(5, max_depth=3, random_state=seed).fit(frame, labels)
    clf = reasons.compile(model, data=frame, method=method)
    grid = list(product(*_values_seen(frame)))
    predicted = dict(
        zip(grid, model.predict(pandas.DataFrame(grid, columns=frame.columns)), strict=True)
    )
    for row in (tuple(map(float, each)) for each in frame.to_numpy()[:8]):
        found = {frozenset(term) for term in clf.decide(row).sufficient_reasons()}
        assert found == _sufficient(row, predicted, list(frame.columns))


def test_the_oracle_notices_a_range_that_is_one_too_wide() -> None:
    model = DecisionTreeClassifier().fit(pandas.DataFrame({"age": [1, 2, 3]}), [0, 0, 1])
    seen, wide = pandas.DataFrame({"age": [1, 2]}), pandas.DataFrame({"age": [1, 2, 3]})
    grid = {(float(age),): int(age > 2) for age in seen["age"]}
    expected = _sufficient((1.0,), grid, ["age"])
    for data, is_right in ((seen, True), (wide, False)):
        found = reasons.compile(model, data=data).decide([1]).sufficient_reasons()
        assert ({frozenset(term) for term in found} == expected) == is_right


def _values_seen(frame: pandas.DataFrame) -> list[list[float]]:
    """Whole numbers between the ends; of others, the ends and a fine grid between them."""
    whole = [range(int(frame[n].min()), int(frame[n].max()) + 1) for n in ("age", "rooms")]
    rate = frame["rate"]
    fine = numpy.arange(rate.min(), rate.max() + 1 / 32, 1 / 16)
    return [[*map(float, whole[0])], fine.tolist(), [*map(float, whole[1])]]


def _sufficient(row: Any, predicted: Any, names: list[str]) -> set[frozenset[str]]:
    """The minimal sets of columns that force the label of a row, by trying all of them."""
    forcing: list[frozenset[int]] = []
    for kept in sorted(product((0, 1), repeat=len(names)), key=sum):
        fixed = frozenset(at for at, is_kept in enumerate(kept) if is_kept)
        if any(smaller <= fixed for smaller in forcing):
            continue
        same = (x for x in predicted if all(x[at] == row[at] for at in fixed))
        if all(predicted[x] == predicted[row] for x in same):
            forcing.append(fixed)
    return {frozenset(names[at] for at in fixed) for fixed in forcing}


def test_categories_are_those_seen_also_where_the_model_knows_more() -> None:
    frame = pandas.DataFrame({"job": ["clerk", "nurse", "pilot"] * 20, "age": range(60)})
    encode = make_column_transformer((OneHotEncoder(), ["job"]), remainder="passthrough")
    labels = (frame["job"] == "nurse") & (frame["age"] > 30)
    model = make_pipeline(encode, DecisionTreeClassifier()).fit(frame, labels)
    job, age = reasons.compile(model, data=frame[frame["job"] != "pilot"]).features
    assert job.values == ("clerk", "nurse")
    assert (age.whole, age.within) == (True, (0, 58))


def test_a_one_hot_group_takes_the_values_that_are_set_in_some_row() -> None:
    ones = numpy.tile(numpy.eye(3, dtype=int), (9, 1))
    frame = pandas.DataFrame(ones, columns=["job_a", "job_b", "job_c"])
    model = DecisionTreeClassifier().fit(frame, frame["job_a"])
    groups = {"job": ["job_a", "job_b", "job_c"]}
    (job,) = reasons.compile(model, data=frame[frame["job_c"] == 0], groups=groups).features
    assert job.values == ("a", "b")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_frame().drop(columns="rate"), "lacks the columns: rate"),
        (
            _frame().assign(rate="high"),
            "column 'rate' holds 'high', where the model takes",
        ),
        (_frame().assign(rate=numpy.nan), "column 'rate' has no value in any row"),
        (_frame().assign(rate=numpy.inf), "column 'rate' holds an infinite number"),
        (_frame().iloc[:0], "no rows"),
        (numpy.zeros((3, 2)), "a column for each of the 3"),
    ],
)
def test_data_that_does_not_fit_names_the_column(data: Any, message: str) -> None:
    with pytest.raises(reasons.InputError, match=message):
        reasons.compile(_fitted(_frame()), data=data)


def test_a_value_outside_the_range_is_refused_with_the_range() -> None:
    clf = reasons.compile(_fitted(_frame()), data=_frame())
    with pytest.raises(reasons.InputError, match="'age' has no value 90; it takes a whole number"):
        clf.decide({"age": 90, "rate": 1.0, "rooms": 2})

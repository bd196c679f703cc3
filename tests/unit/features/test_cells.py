"""Rows to cells, three ways: one value, a frame, an Arrow batch. All against a slow obvious one."""

import math
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from typing import Any

import numpy
import pandas
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reasons
from reasons.errors import InputError
from reasons.features import cells
from reasons.features.csv_values import NA
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.tables import TEXTS, cells_of_batch, cells_of_rows, instance_at
from reasons.features.values import MISSING, OTHER

BIG = 2**53
NUMBERS = st.one_of(
    st.integers(-4, 4),
    st.sampled_from([BIG - 1, BIG, BIG + 1, BIG + 2, 2**60, 2**60 + 2**36 + 1, 2**63 - 1]),
    st.sampled_from([0.1, 0.5, 2.45, 1e300, -0.0, math.inf, -math.inf, math.nan, 2.0**60]),
    st.floats(-4, 4, width=32),
)
TEXTUAL = st.sampled_from(["a", "b", "1", "1.0", "", "NA", "True", " a", "x" * 300, "-3"])
ANY = st.one_of(NUMBERS, TEXTUAL, st.none(), st.booleans(), st.sampled_from([b"a", Decimal(1)]))


@st.composite
def numeric(draw: st.DrawFn) -> Feature:
    return Feature.numeric(
        "x",
        draw(st.lists(st.sampled_from([-2, 0, 0.1, 0.5, 2.45, 3, BIG, 2**60]), max_size=5)),
        closed=draw(st.sampled_from(["left", "right"])),
        cast=draw(st.sampled_from(["float64", "float32"])),
        missing=draw(st.booleans()),
        whole=draw(st.booleans()),
        within=draw(st.sampled_from([None, (-3, 3), (0, 2**61)])),
    )


@st.composite
def categorical(draw: st.DrawFn) -> Feature:
    as_text = draw(st.booleans())
    texts = ["a", "b", "1", str(2**60), repr(2.0**60)]
    pool = texts if as_text else ["a", "b", 1, 0.5, BIG, BIG + 1]
    values = draw(st.lists(st.sampled_from(pool), min_size=1, unique=True))
    other, missing = draw(st.booleans()), draw(st.booleans())
    return Feature.categorical("x", values, other=other, missing=missing, as_text=as_text)


FEATURES = st.one_of(numeric(), categorical(), st.just(Feature.boolean("x")))


def obvious(feature: Feature, value: Any) -> int | None:
    """The cell of a value by going through all of them, with exact comparisons."""
    if value is None or value != value:
        return feature.values.index(MISSING) if MISSING in feature.values else None
    if feature.kind == "numeric":
        return obvious_number(feature, value)
    if feature.as_text:
        if isinstance(value, bytes | Decimal):
            return None
        value = value if isinstance(value, str) else written(value)
    for cell, known in enumerate(feature.values):
        if known == value:
            return cell
    is_other = OTHER in feature.values and not isinstance(value, bytes)
    return feature.values.index(OTHER) if is_other else None


def written(value: float) -> str:
    if isinstance(value, int):
        return str(int(value))
    return repr(value + 0.0).removesuffix(".0")


def obvious_number(feature: Feature, value: Any) -> int | None:
    if isinstance(value, str | bytes):
        return None
    number = float(value)
    if feature.whole and number != math.floor(number) if math.isfinite(number) else feature.whole:
        return None
    if feature.within is not None and not feature.within[0] <= number <= feature.within[1]:
        return None
    sides = {number, value if isinstance(value, int) else number}
    if feature.cast == "float32":
        with numpy.errstate(over="ignore"):
            sides = {
                float(numpy.float32(number)),
                float(numpy.array([value]).astype(numpy.float32)[0]),
            }
    found = {
        sum(side > cut if feature.closed == "right" else side >= cut for cut in feature.cuts)
        for side in sides
    }
    return found.pop() if len(found) == 1 else None


def scalar(feature: Feature, value: Any) -> int | None:
    try:
        return feature.cell(value)
    except InputError:
        return None


@given(FEATURES, ANY)
def test_the_cell_of_one_value_is_the_obvious_one(feature: Feature, value: Any) -> None:
    assert scalar(feature, value) == obvious(feature, value)


@given(FEATURES, st.lists(ANY, min_size=1, max_size=6))
def test_a_column_of_objects_has_the_cells_of_its_values(feature: Feature, values: Any) -> None:
    check_frame(feature, pandas.DataFrame({"x": pandas.Series(values, dtype=object)}), values)


@given(FEATURES, st.data())
def test_a_typed_column_has_the_cells_of_its_values(feature: Feature, data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from(["float64", "float32", "int64", "uint64", "int8", "bool"]))
    kind = numpy.dtype(dtype)
    if kind.kind == "f":
        some = st.floats(width=32 if dtype == "float32" else 64) | st.sampled_from(
            [0.5, 3.0, math.nan]
        )
        values = data.draw(st.lists(some, max_size=6))
    elif kind.kind == "b":
        values = data.draw(st.lists(st.booleans(), max_size=6))
    else:
        low, high = numpy.iinfo(kind).min, numpy.iinfo(kind).max
        some = st.integers(int(low), int(high)) | st.integers(0, 4)
        values = data.draw(st.lists(some, max_size=6))
    column = numpy.array(values, dtype=kind)
    plain = column.tolist()
    check_frame(feature, pandas.DataFrame({"x": column}), plain)
    check_frame(feature, column[:, None], plain)
    check_batch(feature, pa.record_batch({"x": pa.array(column)}), plain)
    holes = [None if i % 2 else value for i, value in enumerate(plain)]
    check_batch(feature, pa.record_batch({"x": pa.array(holes, pa.from_numpy_dtype(kind))}), holes)


def check_frame(feature: Feature, rows: Any, values: list[Any]) -> None:
    """A table has the cells of its values, or is refused at the first that has none."""
    wanted = [obvious(feature, value) for value in values]
    if None not in wanted:
        assert cells_of_rows(Schema([feature]), rows)[0].tolist() == wanted
        return
    with pytest.raises(InputError, match=rf"^row {wanted.index(None)}: |holds texts"):
        cells_of_rows(Schema([feature]), rows)


def check_batch(feature: Feature, batch: pa.RecordBatch, values: list[Any]) -> None:
    """As `check_frame`, but other rows go on; whole numbers that a float rounds are a problem."""
    found = cells_of_batch(Schema([feature]), batch)
    for row, value in enumerate(values):
        rounded = isinstance(value, int) and abs(value) > BIG and not feature.as_text
        wanted = None if rounded else obvious(feature, value)
        assert (row in found.problems) == (wanted is None)
        if wanted is not None:
            assert found.cells[row, 0] == wanted
            assert instance_at(Schema([feature]), batch, row).cells == (wanted,)


@given(FEATURES, st.lists(TEXTUAL | NUMBERS.map(str) | st.none(), min_size=1, max_size=6))
def test_texts_of_a_file_have_the_same_cells_one_by_one_and_all_at_once(
    feature: Feature, texts: Any
) -> None:
    texts = ["" if text is None else text for text in texts]
    schema = Schema([feature])
    batch = pa.record_batch({"x": pa.array(texts)}).replace_schema_metadata({TEXTS: b""})
    found = cells_of_batch(schema, batch)
    for row, text in enumerate(texts):
        wanted = None
        with suppress(InputError):
            wanted = instance_at(schema, batch, row).cells[0]
        assert (row in found.problems) == (wanted is None)
        assert wanted is None or found.cells[row, 0] == wanted
        if text in NA and text not in feature.values:
            assert wanted == obvious(feature, None)
        elif feature.kind == "numeric" and wanted is not None and text != "True":
            assert wanted == obvious(feature, int(text) if text.isdecimal() else float(text))


@given(categorical(), st.lists(TEXTUAL | st.none(), min_size=1, max_size=8))
def test_unseen_values_are_those_that_are_not_listed(feature: Feature, texts: Any) -> None:
    batch = pa.record_batch({"x": pa.array(texts, pa.string())})
    unseen = cells_of_batch(Schema([feature]), batch).unseen
    rows, values = unseen.get(0, (numpy.zeros(0), []))
    wanted = [i for i, text in enumerate(texts) if text is not None and text not in feature.values]
    assert rows.tolist() == wanted
    assert values == [texts[i] if len(texts[i]) <= 200 else texts[i][:200] + "..." for i in wanted]


def test_equal_numbers_that_are_written_differently_are_different_texts() -> None:
    """Found: the first of 2**60 and 2.0**60 in a column decided for both."""
    feature = Feature.categorical("x", [str(2**60), repr(2.0**60)], as_text=True)
    for values in ([2**60, 2.0**60], [2.0**60, 2**60]):
        frame = pandas.DataFrame({"x": pandas.Series(values, dtype=object)})
        wanted = [feature.cell(value) for value in values]
        assert cells_of_rows(Schema([feature]), frame)[0].tolist() == wanted


def test_the_first_whole_number_that_a_float_rounds_is_a_problem_of_its_row() -> None:
    """Found: in a column of texts it was read as the number before it."""
    schema = Schema([Feature.numeric("x", [BIG])])
    texts = pa.array([str(BIG - 1), str(BIG), str(BIG + 1)])
    found = cells_of_batch(schema, pa.record_batch({"x": texts}, metadata={TEXTS: b""}))
    assert list(found.problems) == [2]
    assert "too large to be exact" in found.problems[2]


def test_bytes_are_no_other_category() -> None:
    feature = Feature.categorical("job", ["clerk"], other=True)
    assert feature.cell("nurse") == 1
    with pytest.raises(InputError, match="has no value b'clerk'"):
        feature.cell(b"clerk")


def test_a_frame_with_a_column_twice_is_refused() -> None:
    frame = pandas.DataFrame([[1, 0, 1]], columns=["a", "b", "a"])
    with pytest.raises(InputError, match="the frame has the column 'a' twice"):
        reasons.compile("a & b").predict(frame)


@pytest.mark.parametrize(
    ("name", "planted"),
    [
        ("rounded", lambda number, cast: number),
        ("bisect_left", lambda cuts, number: sum(number >= cut for cut in cuts)),
        ("is_missing", lambda value: value is None),
    ],
)
def test_a_wrong_rule_is_seen(
    monkeypatch: pytest.MonkeyPatch, name: str, planted: Callable[..., Any]
) -> None:
    features = [
        Feature.numeric("x", [2.45, 3], cast="float32", missing=True),
        Feature.numeric("x", [2.45, 3], closed="right", missing=True),
    ]
    values = [None, math.nan, 2.45, 3, 2.44999985, 2.4500000001]
    pairs = [(feature, value) for feature in features for value in values]
    assert all(scalar(*pair) == obvious(*pair) for pair in pairs)
    monkeypatch.setattr(cells, name, planted)
    assert any(scalar(*pair) != obvious(*pair) for pair in pairs)

"""Numbers that a model rounds to float32 before it compares them."""

import json
import math
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

import reasons
from reasons import Feature
from reasons.backends.file_header import feature_in, feature_out
from reasons.errors import InputError
from reasons.features.floats import Cast, Closed, cut_of, rounded, step
from reasons.features.schema import Schema
from reasons.features.tables import cells_of_rows
from reasons.features.terms import term_of
from reasons.features.values import Interval, number_text


def draws(seed: int, count: int = 3_000) -> list[float]:
    """Numbers of all sizes, many a step or half a step from a float32."""
    rng = Random(seed)
    found = [0.0, -0.0, 1e300, -1e300, 5e-324, 3.4028235e38, 3.4028236e38, 2.45, 16_777_217.0]
    for _ in range(count):
        number = rng.choice([rng.gauss(0, 1), rng.gauss(0, 1) * 10 ** rng.randint(-46, 37)])
        single = float(numpy.float32(number))
        half = (single + float(numpy.nextafter(numpy.float32(number), numpy.float32(1e38)))) / 2
        found += [number, single, half, math.nextafter(half, 9e99), math.nextafter(half, -9e99)]
    return found


def test_rounding_and_steps_are_those_of_numpy() -> None:
    with numpy.errstate(over="ignore"):
        for number in draws(1):
            single = numpy.float32(number)
            assert rounded(number, "float32") == float(single)
            for way in (math.inf, -math.inf):
                beyond = float(numpy.nextafter(single, numpy.float32(way)))
                assert step(float(single), way, "float32") == beyond


@pytest.mark.parametrize("closed", ["right", "left"])
def test_a_cut_is_the_same_test_as_its_threshold(closed: Closed) -> None:
    rng = Random(2)
    numbers = draws(3, 300)
    with numpy.errstate(over="ignore"):
        for threshold in numbers:
            cut = cut_of(threshold, closed, "float32")
            near = [cut, step(cut, 9e99, "float32"), step(cut, -9e99, "float32")]
            for number in [*near, *rng.sample(numbers, 20)]:
                single = float(numpy.float32(number))
                if closed == "right":
                    assert (single <= threshold) == (single <= cut)
                else:
                    assert (single < threshold) == (single < cut)


@pytest.mark.parametrize("closed", ["right", "left"])
def test_raw_values_fall_into_their_cells_and_terms_are_read_as_printed(
    closed: Closed,
) -> None:
    rng = Random(4)
    numbers = [n for n in draws(5, 300) if abs(n) < 3e38]
    for _ in range(300):
        cuts = rng.sample(numbers, rng.randint(1, 6))
        cuts += [step(rounded(cuts[0], "float32"), math.inf, "float32")]
        feature = Feature.numeric("x", cuts, closed=closed, cast="float32")
        schema = Schema([feature])
        for cell, value in enumerate(feature.values):
            near = rng.choice(numbers)
            for raw in (feature.raw(cell), feature.raw(cell, near=near)):
                assert feature.cell(raw) == cell
                assert raw in value
            some = frozenset(rng.sample(range(len(feature.values)), rng.randint(1, 2)))
            for cells in (frozenset((cell,)), some):
                assert term_of(schema, feature.says(cells)).limits == {0: cells}


def test_single_cuts_are_printed_short() -> None:
    single: Any = numpy.float32(2.45)  # any number will do
    feature = Feature.numeric("x", [single, 30], cast="float32")
    assert feature.says({0}) == "x <= 2.45"
    assert str(feature.values[1]) == "(2.45, 30]"
    assert number_text(feature.cuts[0]) == "2.450000047683716"
    assert feature.cells_of(Interval(2.45, math.inf)) == {1, 2}
    assert feature.cell(2.4500001) == 0  # rounds to the cut, which plain numbers are above
    assert Feature.numeric("x", [single]).cell(2.4500001) == 1


def test_too_large_numbers_are_infinite() -> None:
    feature = Feature.numeric("x", [0, 1e300], cast="float32")
    assert list(feature.cuts) == pytest.approx([0, 3.4028235e38])
    assert [feature.cell(n) for n in (-1e300, 3e38, 1e39, math.inf)] == [0, 1, 2, 2]
    assert feature.raw(2) == math.inf


def test_an_unknown_cast_is_refused() -> None:
    with pytest.raises(InputError, match="'float16' must be"):
        Feature.numeric("x", [1], cast="float16")  # type: ignore[arg-type]


def test_files_keep_the_cast(tmp_path: Path) -> None:
    clf = reasons.Builder([Feature.numeric("x", [2.45, 7], cast="float32")], labels=["a", "b"])
    built = clf.build(clf.decide("x", {0: clf.leaf("a"), 5: clf.leaf("b"), 9: clf.leaf("a")}))
    built.save(tmp_path / "x.reasons")
    again = reasons.load(tmp_path / "x.reasons")
    assert again.features == built.features
    assert again.features[0].cast == "float32"
    assert again.features != (Feature.numeric("x", [2.45, 7]),)


@pytest.mark.parametrize("cast", ["float32", "float64"])
@pytest.mark.parametrize("closed", ["right", "left"])
def test_columns_of_numbers_are_the_values_one_by_one(cast: Cast, closed: Closed) -> None:
    pandas = pytest.importorskip("pandas")
    numbers = [n for n in draws(6, 400) if abs(n) < 3e38]
    feature = Feature.numeric("x", numbers[::7], cast=cast, closed=closed, missing=True)
    schema = Schema([feature, "b"])
    values = [*numbers, math.nan, math.inf, -math.inf, 1e39]
    frame = pandas.DataFrame({"x": values, "b": [i % 2 for i in range(len(values))]})
    expected = [cell for x, b in zip(values, frame.b, strict=True) for cell in (feature.cell(x), b)]
    assert list(cells_of_rows(schema, frame)[0]) == expected
    assert list(cells_of_rows(schema, frame.to_numpy())[0]) == expected
    assert list(cells_of_rows(schema, frame.astype({"x": "Float64"}))[0]) == expected
    assert list(cells_of_rows(schema, frame.astype(object))[0]) == expected


def test_files_keep_whole_numbers_and_bounds_and_old_ones_have_none() -> None:
    bounded = Feature.numeric("x", [2.5, 7], whole=True, within=(0, math.inf), cast="float32")
    kept = json.loads(json.dumps(feature_out(bounded), allow_nan=False))
    again = feature_in(kept)
    assert again == bounded
    assert (again.cuts, again.whole, again.within) == ((2, 7), True, (0, math.inf))
    old = {key: kept[key] for key in ("name", "kind", "cuts", "closed", "missing", "other")}
    assert feature_in(old) == Feature.numeric("x", [2, 7])
    assert again != feature_in(old)


def test_columns_with_undeclared_numbers_are_refused_with_their_row() -> None:
    schema = Schema([Feature.numeric("x", [3], whole=True, within=(0, 9))])
    assert list(cells_of_rows(schema, numpy.array([[3.0], [4.0], [9.0]]))[0]) == [0, 1, 1]
    for bad in (3.5, 10, -1, math.inf):
        with pytest.raises(InputError, match=r"row 1: .* whole number from 0 to 9"):
            cells_of_rows(schema, numpy.array([[3.0], [bad]]))
    with pytest.raises(InputError, match="no number is within"):
        Feature.numeric("x", [3], whole=True, within=(3.2, 3.8))


def test_a_number_that_rounds_out_of_a_cell_finds_the_way_back() -> None:
    """Found: above the cut as it is given, not above it as a float32."""
    feature = Feature.numeric("x", cuts=[0.5], cast="float32")
    near = 0.5 + 1e-10
    assert feature.cell(near) == 0
    assert feature.cell(feature.raw(1, near=near)) == 1


def test_the_nearest_number_of_an_open_cell_is_finite_after_the_cast_too() -> None:
    lowest = Interval(-math.inf, 3.0, "right", "float32")
    assert lowest.nearest(-1e300) == -3.4028234663852886e38
    assert lowest.nearest(-1e300) in lowest

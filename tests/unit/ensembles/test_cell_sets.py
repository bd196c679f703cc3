"""Sets of cells as ranges, beside flags for every cell."""

import math
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reasons.ensembles import discretize
from reasons.ensembles.cell_sets import CellSets, LeftCells
from reasons.ensembles.ir import Column, Test, Tree, TreeModel

Masks = NDArray[numpy.bool_]


def masks() -> st.SearchStrategy[Masks]:
    """Flags of up to five sets of up to nine cells."""
    sizes = st.tuples(st.integers(0, 5), st.integers(1, 9))
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(st.booleans(), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        ).map(lambda rows: numpy.array(rows, bool).reshape(size))
    )


def flags(sets: CellSets) -> Masks:
    """The slow way back: a flag for each cell of each set."""
    made = numpy.zeros((len(sets), sets.cells), bool)
    for number in range(len(sets)):
        for begin, end in sets.ranges[sets.first[number] : sets.first[number + 1]]:
            assert begin < end
            assert not made[number, max(begin - 1, 0) : end + 1].any(), "ranges meet or overlap"
            made[number, begin:end] = True
    return made


@given(masks())
def test_ranges_have_the_cells_of_the_flags(table: Masks) -> None:
    sets = CellSets.of_masks(table)
    assert len(sets) == len(table)
    assert (flags(sets) == table).all()


@given(masks())
def test_cells_turn_where_some_flag_changes(table: Masks) -> None:
    expected = (table[:, 1:] != table[:, :-1]).any(axis=0)
    assert (CellSets.of_masks(table).turns() == expected).all()


@given(masks())
def test_cells_that_no_set_parts_can_be_merged(table: Masks) -> None:
    sets = CellSets.of_masks(table)
    cells = [0, *(numpy.flatnonzero(sets.turns()) + 1).tolist()]
    assert (flags(sets.take(cells)) == table[:, cells]).all()


@given(masks(), masks())
def test_tests_of_several_features_keep_their_numbers(one: Masks, other: Masks) -> None:
    count = len(one) + len(other)
    shuffled = numpy.random.default_rng(count).permutation(count)
    numbers = shuffled[: len(one)].tolist(), shuffled[len(one) :].tolist()
    parts = [(3, numbers[0], CellSets.of_masks(one)), (7, numbers[1], CellSets.of_masks(other))]
    left = LeftCells.of_features(parts)
    for feature, of_feature, table in ((3, numbers[0], one), (7, numbers[1], other)):
        for number, row in zip(of_feature, table, strict=True):
            ends = left.ranges[left.first[number] : left.first[number + 1]].tolist()
            assert left.features[number] == feature
            cells = [cell for begin, end in ends for cell in range(begin, end)]
            assert cells == row.nonzero()[0].tolist()


POINTS = (-math.inf, -2.0, -0.5, 0.0, 0.5, 1.0, 3.0, math.inf)
TESTS = st.builds(
    Test,
    st.just(0),
    st.sampled_from(POINTS),
    missing_left=st.booleans(),
    missing_between=st.none() | st.sampled_from([(-0.5, 0.5), (0.0, 0.0), (-2.0, 3.0)]),
)
CELLS = st.lists(st.sampled_from([*POINTS[1:-1], -1.0, 0.25, 2.0, 9.0]), unique=True, max_size=8)


def model_of(tests: list[Test], closed: Any, cast: Any) -> TreeModel:
    """A model that has these tests of one number; its only tree is a leaf."""
    none = numpy.zeros(1, numpy.int32)
    leaf = Tree(none - 1, none, none, numpy.zeros((1, 1)))
    return TreeModel(
        (Column("x", missing=True),),
        tuple(tests),
        (leaf,),
        (0, 1),
        (0.0,),
        "cut",
        "none",
        closed=closed,
        cast=cast,
    )


def left_flags(model: TreeModel, values: NDArray[Any]) -> Masks:
    """What goes left by the ranges."""
    of_test, ranges = discretize._left_ranges(model, model.tests, values)
    return flags(CellSets.of_ranges(len(values), len(model.tests), of_test, ranges))


def compared_flags(model: TreeModel, values: NDArray[Any]) -> Masks:
    """What goes left by comparing each value with each threshold."""
    return numpy.array([discretize.goes_left(model, test, values) for test in model.tests], bool)


@given(
    st.lists(TESTS, min_size=1, max_size=6),
    CELLS,
    st.integers(0, 2),
    st.sampled_from(["left", "right"]),
    st.sampled_from(["float32", "float64"]),
    st.booleans(),
)
def test_ranges_go_left_as_comparisons_say(
    tests: list[Test], cells: list[float], missing: int, closed: Any, cast: Any, rising: bool
) -> None:
    values = numpy.array([*(sorted(cells) if rising else cells), *[math.nan] * missing])
    model = model_of(tests, closed, cast)
    assert (left_flags(model, values) == compared_flags(model, values)).all()


def test_a_wrong_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    values = numpy.array([-1.0, 0.5, 2.0, math.nan])
    model = model_of([Test(0, 0.5)], "right", "float64")
    assert (left_flags(model, values) == compared_flags(model, values)).all()
    bisected = numpy.searchsorted

    def off_by_one(*arguments: Any) -> Any:
        return numpy.maximum(bisected(*arguments) - 1, 0)

    monkeypatch.setattr(numpy, "searchsorted", off_by_one)
    wrong = discretize._left_ranges(model, model.tests, values)
    monkeypatch.undo()
    monkeypatch.setattr(discretize, "_left_ranges", lambda *_: wrong)
    assert (left_flags(model, values) != compared_flags(model, values)).any()

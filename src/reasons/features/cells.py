"""Raw values to cells: the rules, for one value, for an array of numbers and for distinct values.

What is missing, what is unseen, which texts are numbers and how numbers are rounded is decided
here and nowhere else. Tables of rows (`tables.py`) use these three functions.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from reasons.errors import InputError
from reasons.features.floats import rounded, rounded_once
from reasons.features.values import MISSING, OTHER, Interval, Special, is_missing, text_of
from reasons.text import short_repr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reasons.features.feature import Feature

MAKE_NUMBERS = (
    "make numbers of them, with pandas.to_numeric(frame[column]), or in polars with "
    "frame[column].cast(polars.Float64)"
)
_LONGEST = 200  # characters of an unseen value that are kept


def cell_of(feature: "Feature", value: Any) -> int | None:
    """The cell of one raw value, or None where it has none.

    Raises `InputError` for a whole number that models decide in two ways.
    """
    if feature.kind == "numeric" and not isinstance(value, Interval | Special):
        return number_cell(feature, value)
    if feature.as_text and not isinstance(value, Special) and not is_missing(value):
        value = text_of(value)
        if value is None:
            return None
    try:
        known = feature._cell_of.get(value)
    except TypeError:
        return None
    if known is not None:
        return known
    if is_missing(value):
        return feature._cell_of.get(MISSING)
    return None if isinstance(value, Special | Interval | bytes) else feature._cell_of.get(OTHER)


def number_cell(feature: "Feature", value: Any) -> int | None:
    """The cell of a number or of a missing value; None of texts and of what is not allowed."""
    if is_missing(value):
        return feature._cell_of.get(MISSING)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if isinstance(value, str | bytes) or not feature.allows(number):
        return None
    side = bisect_left if feature.closed == "right" else bisect_right
    cell = side(feature.cuts, rounded(number, feature.cast))
    once = rounded_once(value, number, feature.cast)
    if once is not None and side(feature.cuts, once) != cell:
        raise InputError(
            f"feature {feature.name!r}: the number {value} is too large to be exact: the model "
            "decides it one way as a whole number and another way as a float; give a float"
        )
    return cell


def cells_of_numbers(feature: "Feature", values: "NDArray[Any]") -> "NDArray[Any] | None":
    """The cells of an array of numbers; None where they must be looked at one by one.

    That is where one of them has no cell, or is a whole number that a float may round across a
    cut. Cost: one binary search a value.
    """
    import numpy

    from reasons import _core

    numbers = numpy.ascontiguousarray(values, dtype=numpy.float64)
    if not _all_allowed(feature, numbers):
        return None
    if values.dtype.kind in "iu" and values.itemsize > 4 and _are_inexact(feature, values, numbers):
        return None
    cuts = numpy.array(feature.cuts, dtype=numpy.float64)
    below, single = feature.closed == "right", feature.cast == "float32"
    return numpy.frombuffer(_core.cells_of_numbers(numbers, cuts, below, single), numpy.uint16)


def _are_inexact(feature: "Feature", whole: Any, numbers: Any) -> bool:
    """Whether some whole numbers may be on another side of a cut once they are float64."""
    import numpy

    if feature.cast == "float32":
        return bool((whole.astype(numpy.float32) != numbers.astype(numpy.float32)).any())
    large = any(abs(cut) >= 2**53 for cut in feature.cuts)
    return large and bool((numpy.abs(numbers) >= 2.0**53).any())


def _all_allowed(feature: "Feature", numbers: Any) -> bool:
    """Whether `feature.allows` every number, and those that are none may be missing."""
    import numpy

    absent = numpy.isnan(numbers)
    if MISSING not in feature._cell_of and absent.any():
        return False
    if (
        feature.whole
        and not (numpy.isfinite(numbers) & (numbers == numpy.floor(numbers)))[~absent].all()
    ):
        return False
    low, high = feature.within or (-numpy.inf, numpy.inf)
    return bool((((low <= numbers) & (numbers <= high)) | absent).all())


class ValueCells(NamedTuple):
    """For distinct values by their places: cells, why some have none, and texts of unseen ones."""

    cells: dict[int, int]
    problems: dict[int, str]
    unseen: dict[int, str]


def cells_of_values(feature: "Feature", values: Mapping[int, Any]) -> ValueCells:
    """The cells of the distinct values of a column; an `InputError` is the problem of its place.

    The cell of a value that has none is 0.
    """
    found = ValueCells({}, {}, {})
    for place, value in values.items():
        found.cells[place] = 0
        try:
            if isinstance(value, InputError):
                raise value
            cell = cell_of(feature, value)
            if _is_unseen(feature, cell, value):
                found.unseen[place] = _cut(str(value))
            if cell is None:
                raise no_cell(feature, value)
            found.cells[place] = cell
        except InputError as error:
            found.problems[place] = str(error)
    return found


def no_cell(feature: "Feature", value: Any) -> InputError:
    """The error about a value that has no cell."""
    return InputError(
        f"feature {feature.name!r} has no value {short_repr(value)}; {feature.expected(value)}"
    )


def texts_for_numbers(feature: "Feature", values: Mapping[int, Any]) -> InputError | None:
    """The error about a column whose values, as far as there are any, are texts but not numbers."""
    present = [value for value in values.values() if not is_missing(value)]
    if feature.kind != "numeric" or not present or not all(isinstance(v, str) for v in present):
        return None
    return InputError(
        f"column {feature.name!r} holds texts, where the model takes a {feature.range_text()}: "
        f"{MAKE_NUMBERS}"
    )


def _is_unseen(feature: "Feature", cell: int | None, value: Any) -> bool:
    """Whether it is a category that the model does not have; a missing value is none."""
    if feature.kind != "categorical" or is_missing(value):
        return False
    return cell is None or feature.values[cell] is OTHER


def _cut(text: str) -> str:
    """A text cut short: memory must not depend on how long texts are."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."

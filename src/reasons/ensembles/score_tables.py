"""Tables of addends over cells, and whether their sums are exact in any order.

The parts of one feature become one table, so the one-hot columns of a category are one feature
again. Values stay separate by part until it is known whether the library can round their sum. If it
can, two cells are equal only if every part is.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.ir import Part, ScoreModel
from reasons.errors import InputError, UnsupportedModel
from reasons.text import comma_list

Numbers = NDArray[numpy.float64]
Kinds = NDArray[numpy.int64]  # an axis for each feature: cells with one number are equal

_DIGITS = {"float64": 53, "float32": 24}
_MOST_VALUES = 1 << 26
_UNDERFLOW = 1e-300  # absolute error where numbers are too small for relative errors


@dataclass(frozen=True, slots=True, eq=False)
class Addends:
    """The addends of some features; axes of `values` are parts, cells of the grid, scores."""

    features: tuple[int, ...]
    sizes: tuple[int, ...]
    values: Numbers
    exact: bool
    seen: Numbers  # for each cell, all values that the library's rounding can depend on

    @property
    def sums(self) -> Numbers:
        """The sums of the parts: a row for each cell of the grid."""
        if self.values.shape[0] == 1 or ((self.values != 0).sum(axis=0) <= 1).all():
            return numpy.asarray(self.values.sum(axis=0))
        rows = self.values.reshape(self.values.shape[0], -1).T
        return numpy.array([math.fsum(row) for row in rows]).reshape(self.values.shape[1:])

    @property
    def most(self) -> float:
        """The largest sum of absolute values."""
        return float(abs(self.values).sum(axis=0).max(initial=0.0))

    def kinds(self, exact: bool) -> Kinds:
        """Classes of equal cells: by their sums if these are exact, else by all values."""
        rows = numpy.ascontiguousarray((self.sums if exact else self.seen) + 0.0)
        if not rows.shape[1]:
            return numpy.zeros(self.sizes, numpy.int64)
        whole = rows.view(f"V{rows.shape[1] * rows.itemsize}").ravel()
        _, kinds = numpy.unique(whole, return_inverse=True)
        return kinds.reshape(self.sizes)


def addends(
    features: tuple[int, ...],
    parts: Sequence[Part],
    source: Sequence[int],
    columns: Mapping[int, NDArray[Any]],
    sizes: Sequence[int],
) -> Addends:
    """The addends of parts over the same features; `columns` are values by cells."""
    shape = tuple(sizes[feature] for feature in features)
    if math.prod(shape) * len(parts) > _MOST_VALUES:
        raise InputError(f"{math.prod(shape):,} cells times {len(parts):,} parts are too many")
    place = dict(zip(features, numpy.indices(shape).reshape(len(shape), -1), strict=True))
    inputs = [[columns[c][place[source[c]]] for c in part.columns] for part in parts]
    with numpy.errstate(all="ignore"):
        values = [
            numpy.asarray(part.value(arrays), dtype=float)
            for part, arrays in zip(parts, inputs, strict=True)
        ]
    exact = [part.is_exact(arrays) for part, arrays in zip(parts, inputs, strict=True)]
    seen = list(values)
    for arrays, is_exact, value in zip(inputs, exact, values, strict=True):
        if not is_exact:  # the inputs of an addend that is rounded; none where it is zero
            seen += [numpy.where(value.any(axis=1), array, 0)[:, None] for array in arrays]
    return Addends(
        features, shape, numpy.array(values), all(exact), numpy.concatenate(seen, axis=1)
    )


def require_finite(model: ScoreModel, tables: Sequence[Addends], names: Sequence[str]) -> None:
    """Raise `UnsupportedModel` where a value is infinite or not a number."""
    for table in tables:
        if not math.isfinite(table.most):
            features = comma_list([names[feature] for feature in table.features])
            raise UnsupportedModel(f"the model's values for {features} are not all finite numbers")
    if not math.isfinite(most(model, tables)):
        raise UnsupportedModel("the model's sums are not all finite numbers")


def is_exact(model: ScoreModel, tables: Sequence[Addends]) -> bool:
    """Whether every sum of the values, in any order, is a number of the library's precision.

    All values are whole multiples of a power of two, and so are their sums. Up to 2^53 multiples
    (in float32 2^24) are floats.
    """
    if model.slack or not all(table.exact for table in tables):
        return False
    arrays = [numpy.array(model.start), *(table.values.ravel() for table in tables)]
    finest = min(map(_exponent, arrays))
    return bool(most(model, tables) <= math.ldexp(1.0, min(finest + _DIGITS[model.sums], 1023)))


def slack(model: ScoreModel, tables: Sequence[Addends]) -> float:
    """A bound of the error of the library's difference of two scores.

    A value that is rounded n times has a relative error of at most n units in the last place
    (Higham's gamma_n, for n below half of 2^53), whatever the order of the sum. So a sum has that
    share of the sum of absolute values. Two more roundings are for the values themselves and for
    our sum of a feature's values.
    """
    unit = 2.0 ** (1 - _DIGITS[model.sums])
    return 2 * (model.slack + (model.roundings + 2) * unit * most(model, tables)) + _UNDERFLOW


def most(model: ScoreModel, tables: Sequence[Addends]) -> float:
    """The largest sum of absolute values, with the start score."""
    return max(map(abs, model.start)) + sum(table.most for table in tables)


def _exponent(values: Numbers) -> int:
    """The exponent of the largest power of two that divides all values."""
    mantissas, exponents = numpy.frexp(abs(values[values != 0]))
    digits = numpy.ldexp(mantissas, 53).astype(numpy.int64)
    _, lowest = numpy.frexp((digits & -digits).astype(float))
    return int((exponents - 53 + lowest - 1).min(initial=1023))

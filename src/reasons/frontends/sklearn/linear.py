"""Linear models of scikit-learn: `X @ coef_.T + intercept_`, then the sign or the largest.

BLAS does not fix the order in which it adds products, and it differs between one row and many.
Scores therefore carry a bound of their rounding error (Higham's gamma_n), and `predict` on one
row decides what is near a boundary. Naive Bayes adds up its columns in the same way.
"""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.ir import Part, Precision
from reasons.errors import UnsupportedModel

Numbers = NDArray[numpy.float64]
Arrays = Sequence[NDArray[Any]]

_LARGE = 1e300


@dataclass(frozen=True, slots=True, eq=False)
class LinearScores:
    """Parts that are added to `start`; the fields are those of `ScoreModel`.

    `categories` maps the columns that hold codes to the number of codes.
    """

    parts: tuple[Part, ...]
    start: tuple[float, ...]
    roundings: int
    slack: float = 0.0
    sums: Precision = "float64"
    cuts: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    categories: Mapping[int, int] = field(default_factory=dict)

    @property
    def divisor(self) -> float:
        """Nothing is divided."""
        return 1.0

    @property
    def reach(self) -> tuple[float, float]:
        """Scores below and above all others; the ranges of the columns are not known here."""
        return -_LARGE, _LARGE

    def negated(self) -> "LinearScores":
        """The negated scores, with the same rounding."""
        parts = tuple(replace(part, value=_negated(part.value)) for part in self.parts)
        return replace(self, parts=parts, start=tuple(-value for value in self.start))


def _negated(value: Callable[[Arrays], Numbers]) -> Callable[[Arrays], Numbers]:
    return lambda arrays: -value(arrays)


def products(
    weights: Any, start: Any, cuts: Mapping[int, tuple[float, ...]] | None = None
) -> LinearScores:
    """The sums of columns times weights, a row of weights for each score.

    A column with `cuts`, one for each, counts as 1 above it and as 0 otherwise.
    """
    table, first = _finite("coefficients", weights), _finite("intercepts", start)
    precision = precision_of([weights, start])
    parts = tuple(
        _product(column, row, (cuts or {}).get(column), precision)
        for column, row in enumerate(table.T)
        if row.any()
    )
    return LinearScores(
        parts,
        tuple(first.tolist()),
        table.shape[1] + 4,  # the product, all other sums, the intercept, and a reserve
        sums=precision,
        cuts=cuts or {},
    )


def _product(
    column: int, weights: Numbers, cut: tuple[float, ...] | None, precision: Precision
) -> Part:
    def given(arrays: Arrays) -> Numbers:
        return arrays[0] if cut is None else _above(arrays[0], cut[0])

    def value(arrays: Arrays) -> Numbers:
        return numpy.outer(given(arrays), weights)

    def is_exact(arrays: Arrays) -> bool:
        factors = (weights, given(arrays))
        most = sum(int(_digits(factor).max(initial=0)) for factor in factors)
        return most <= (53 if precision == "float64" else 24) and all(map(_is_tame, factors))

    return Part((column,), value, is_exact)


def _above(numbers: Numbers, cut: float) -> Numbers:
    """1 above the cut, otherwise 0, in either precision of the comparison."""
    nearest = float(numpy.float32(cut))
    if cut < nearest and (numbers == nearest).any():
        raise UnsupportedModel(
            f"{nearest} is above binarize={cut}, but not in float32; use binarize={nearest}"
        )
    return (numbers > cut).astype(float)


def _is_tame(numbers: Numbers) -> bool:
    """Whether no product of two such numbers underflows, zeros aside."""
    sizes = abs(numbers[numbers != 0])
    return bool(((sizes > 1e-15) & (sizes < 1e15)).all())


def _digits(numbers: Numbers) -> NDArray[numpy.int64]:
    """The number of significant bits of each number.

    A product has at most as many as both factors together.
    """
    mantissas, _ = numpy.frexp(abs(numbers))
    whole = numpy.ldexp(mantissas, 53).astype(numpy.int64)
    _, last = numpy.frexp((whole & -whole).astype(float))
    return numpy.where(whole == 0, 0, 54 - last)


def precision_of(arrays: Iterable[Any]) -> Precision:
    """The lowest precision in which sums of these numbers may be computed."""
    kinds = {numpy.asarray(array).dtype for array in arrays}
    odd = [k for k in kinds if k.kind not in "fiu" or k in (numpy.float16, numpy.longdouble)]
    if odd:
        raise UnsupportedModel(f"the model's numbers are {odd[0]}, not float64 or float32")
    return "float32" if numpy.dtype(numpy.float32) in kinds else "float64"


def unit(precision: Precision) -> float:
    """The distance from 1 to the next larger float."""
    return 2.0**-52 if precision == "float64" else 2.0**-23


def _finite(what: str, numbers: Any) -> Numbers:
    array = numpy.asarray(numbers, dtype=float)
    if not numpy.isfinite(array).all():
        raise UnsupportedModel(f"the model's {what} are not all finite numbers")
    return array


def of_linear(model: Any) -> LinearScores:
    """The scores of a linear model: one for two classes and numbers, else one for each class."""
    name = type(model).__name__
    binarizer = getattr(model, "_label_binarizer", None)
    if binarizer is not None and binarizer.y_type_.startswith("multilabel"):
        raise UnsupportedModel(f"the {name} predicts several labels; fit one model for each")
    if not hasattr(model, "classes_") and numpy.ndim(model.coef_) != 1:
        raise UnsupportedModel(f"the {name} predicts several numbers; fit one model for each")
    dense = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
    weights = numpy.atleast_2d(dense)
    start = numpy.atleast_1d(model.intercept_)
    classes = len(model.classes_) if hasattr(model, "classes_") else 2
    if classes < 2:
        raise UnsupportedModel(f"the {name} was fitted on one class; fit it on two at least")
    scores = 1 if classes == 2 else classes
    if weights.shape != (scores, model.n_features_in_) or start.shape not in ((1,), (scores,)):
        raise UnsupportedModel(
            f"the {name} has coef_ of the shape {weights.shape} and intercept_ of the shape "
            f"{start.shape}; ({scores}, {model.n_features_in_}) and ({scores},) were expected"
        )
    return products(weights, numpy.broadcast_to(start, (scores,)))


def share_of_score(model: Any, positive: int) -> Any:
    """The library's own probability of one of two classes, as a function of the score.

    A model of one column whose weight is 1 has that column for its score.
    """
    bare = copy.copy(model)
    bare.coef_, bare.intercept_, bare.n_features_in_ = numpy.ones((1, 1)), numpy.zeros(1), 1
    if hasattr(bare, "feature_names_in_"):
        del bare.feature_names_in_

    def share(score: Numbers) -> Numbers:
        with numpy.errstate(all="ignore"):
            return numpy.asarray(bare.predict_proba(score[:, None])[:, positive], dtype=float)

    return share

"""Explainable boosting machines (GA2M) of `interpret`: main effects, pairs, and larger terms.

`predict` bins every column, looks up a value for each term, and adds these to the intercept one
after another. Bins of numbers include their lower cut. The first place of a term is for missing
values, the last for unknown categories. Terms of several columns have their own, coarser bins.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.inputs import Rows
from reasons.ensembles.ir import ABSENT, UNSEEN, Column, Part, ScoreModel
from reasons.errors import InputError, UnsupportedModel
from reasons.features.values import OTHER, is_missing
from reasons.frontends.libraries import version_of
from reasons.frontends.options import NO_OPTIONS, Options, threshold_missing

Table = NDArray[Any]
Cuts = NDArray[numpy.float64]
Bins = Mapping[str, int] | Cuts  # the places of categories in a term, or the cuts of numbers

_LEAST = math.ulp(0.0)  # the least number above zero
_SHARE = 2.0**-46  # a generous relative error of the library's exponentials and quotients


def read(model: Any, options: Options = NO_OPTIONS) -> ScoreModel:
    """The terms of a fitted EBM.

    A classifier decides as its `predict` does, or for the second class where its probability is
    at least the threshold; a regressor decides whether its prediction is.
    """
    if not hasattr(model, "explain_global") or "ExplainableBoosting" not in type(model).__name__:
        raise UnsupportedModel(f"of interpret's models EBMs are read, not {type(model).__name__}")
    if not getattr(model, "has_fitted_", False):
        raise InputError(f"the {type(model).__name__} is not fitted")
    columns = _columns(model, options)
    decided = _decided(model, options.threshold)
    used = {} if decided.constant else _used(model)

    def predict(rows: Rows) -> list[Any]:
        return numpy.asarray(decided.predict(_table(columns, rows))).tolist() if rows else []

    return ScoreModel(
        columns=columns,
        parts=() if decided.constant else tuple(_parts(model, columns)),
        labels=decided.labels,
        start=decided.start,
        rule=decided.rule,
        library=f"interpret {version_of('interpret-core') or version_of('interpret')}",
        cut=decided.cut,
        cuts={
            at: tuple(sorted({float(cut) for bins in each for cut in bins}))
            for at, each in used.items()
            if columns[at].categories is None
        },
        closed="left",
        predict=predict,
        roundings=len(model.term_features_) + 1,
        slack=decided.slack,
    )


def _columns(model: Any, options: Options) -> tuple[Column, ...]:
    names = options.column_names([str(name) for name in model.feature_names_in_])
    return tuple(
        Column(name, missing=True)
        if kind == "continuous"
        else Column(name, _texts(levels), missing=True, unseen=True, as_text=True)
        for name, kind, levels in zip(names, model.feature_types_in_, model.bins_, strict=True)
    )


def _texts(levels: Sequence[Mapping[str, int]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for level in levels for text in level))


def _level(model: Any, feature: int, size: int) -> Bins:
    """A feature's bins in a term of `size` features."""
    levels = model.bins_[feature]
    bins: Bins = levels[min(len(levels), size) - 1]
    if not isinstance(bins, Mapping) and not (
        numpy.isfinite(bins).all() and (numpy.diff(bins) > 0).all()
    ):
        raise UnsupportedModel(f"the cuts of {model.feature_names_in_[feature]!r} do not rise")
    return bins


def _used(model: Any) -> dict[int, list[Bins]]:
    """The bins of each feature in all terms."""
    bins: dict[int, list[Bins]] = {}
    for features in model.term_features_:
        for feature in features:
            bins.setdefault(feature, []).append(_level(model, feature, len(features)))
    return bins


def _parts(model: Any, columns: Sequence[Column]) -> Iterable[Part]:
    for features, scores in zip(model.term_features_, model.term_scores_, strict=True):
        places = [_places(columns[f], _level(model, f, len(features))) for f in features]
        yield Part(tuple(features), _looked_up(numpy.asarray(scores, float), places))


def _places(column: Column, bins: Bins) -> Callable[[Table], NDArray[numpy.int64]]:
    """The places in a term of a column's values: numbers, or codes of categories."""
    if isinstance(bins, Mapping):
        known = [bins.get(text, -1) for text in column.categories or ()]
        by_code = {**dict(enumerate(known)), UNSEEN: -1, ABSENT: 0}
        return lambda codes: numpy.array([by_code[code] for code in codes.tolist()], int)
    return lambda numbers: numpy.where(
        numpy.isnan(numbers), 0, numpy.searchsorted(bins, numbers, side="right") + 1
    )


def _looked_up(
    scores: NDArray[numpy.float64], places: Sequence[Callable[[Table], NDArray[numpy.int64]]]
) -> Callable[[Sequence[Table]], NDArray[numpy.float64]]:
    def value(arrays: Sequence[Table]) -> NDArray[numpy.float64]:
        at = tuple(place(array) for place, array in zip(places, arrays, strict=True))
        try:
            return scores[at].reshape(len(at[0]), -1)
        except IndexError:
            raise UnsupportedModel("a term of the model has fewer scores than bins") from None

    return value


@dataclass(frozen=True, slots=True, eq=False)
class _Decided:
    """The rule that turns sums into a label, and the library's decision on a table."""

    labels: tuple[Any, ...]
    predict: Callable[[Table], Any]
    start: tuple[float, ...]
    cut: float = 0.0
    slack: float = 0.0
    constant: bool = False

    @property
    def rule(self) -> Any:
        return "cut" if len(self.start) == 1 and not self.constant else "largest"


def _decided(model: Any, threshold: float | None) -> _Decided:
    start = tuple(float(score) for score in numpy.ravel(model.intercept_))
    if not hasattr(model, "classes_"):
        return _regression(model, threshold, start)
    labels = tuple(numpy.asarray(model.classes_).tolist())
    if threshold is not None and (len(labels) != 2 or len(start) != 1):
        raise InputError(
            "{option} is for two classes; the model has {count}",
            option="threshold",
            count=len(labels),
        )
    if len(labels) == 1:
        return _Decided(labels, model.predict, (0.0,), constant=True)
    if threshold is None:
        return _Decided(labels, model.predict, start, cut=_LEAST)
    cut, slack = _of_chance(threshold)
    return _Decided(
        labels,
        lambda table: model.classes_[(model.predict_proba(table)[:, 1] >= threshold).astype(int)],
        start,
        cut,
        slack,
    )


def _regression(model: Any, threshold: float | None, start: tuple[float, ...]) -> _Decided:
    if threshold is None:
        raise threshold_missing(type(model).__name__)
    if model.link_ not in ("identity", "log"):
        raise UnsupportedModel(f"an EBM with the link {model.link_!r} is not read")
    cut, slack = (threshold, 0.0) if model.link_ == "identity" else _of_exponential(threshold)
    return _Decided(
        (False, True), lambda table: model.predict(table) >= threshold, start, cut, slack
    )


def _of_chance(threshold: float) -> tuple[float, float]:
    """The score at which the probability equals a threshold, and its error.

    The derivative of the probability p is p (1 - p), so the error of the score is that of p divided
    by it.
    """
    if not 0 < threshold <= 1:
        return (-math.inf if threshold <= 0 else math.inf), 0.0
    rest = max(1 - threshold, 2.0**-53)
    return math.log(threshold) - math.log(rest), _SHARE / (max(threshold, 1e-290) * rest)


def _of_exponential(threshold: float) -> tuple[float, float]:
    """The score whose exponential equals a threshold, and its error."""
    if threshold <= 0:
        return -math.inf, 0.0
    cut = math.log(threshold)
    return cut, _SHARE * (1 + abs(cut)) if threshold > 1e-290 else 64.0


def _table(columns: Sequence[Column], rows: Rows) -> Table:
    """Rows as `predict` takes them; an unseen category is an unknown text."""
    table = numpy.empty((len(rows), len(columns)), object)
    for at, column in enumerate(columns):
        unseen = "other" + "".join(column.categories or ())
        table[:, at] = [
            None if is_missing(row[at]) else unseen if row[at] is OTHER else row[at] for row in rows
        ]
    return table

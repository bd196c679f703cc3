"""A card as a model of scores: points times a whole number, so that floats add them exactly.

Several cut-offs c1 < c2 < ... make one label each: k points above the k-th. With the scores
k S - (c1 + ... + ck) of a sum S, the k-th leads the one before by S - ck, so the largest is that of
the last cut-off reached; of equal ones, the first, which is why the best label comes first.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.ir import ABSENT, UNSEEN, Column, Part, ScoreModel
from reasons.errors import InputError, Option
from reasons.features.floats import Closed
from reasons.features.values import MISSING, OTHER
from reasons.frontends.scorecards.bin_parser import Edge
from reasons.frontends.scorecards.card import Card, Categories, Numbers, Points
from reasons.frontends.scorecards.table import number_of
from reasons.text import comma_list, short_repr

_MOST_EXACT = 1 << 50


@dataclass(frozen=True, slots=True)
class CutOffs:
    """Labels from the lowest to the highest, and from how many points on all but the first are."""

    labels: tuple[Any, ...]
    points: tuple[Fraction, ...]
    least: Fraction | None = None  # no sum may be smaller

    def label(self, total: Fraction) -> Any:
        """The label of a sum of points."""
        return self.labels[sum(points <= total for points in self.points)]


def cut_offs(threshold: Any = None, labels: Any = None, grades: Any = None) -> CutOffs:
    """What a user says of labels, checked."""
    if (threshold is None) == (grades is None):
        raise InputError(
            "give either {threshold}, the points from which the second label is given, or "
            "{grades}, the points from which each label is given",
            threshold=Option("threshold"),
            grades=Option("grades"),
        )
    if grades is None:
        both = (False, True) if labels is None else labels
        if not isinstance(both, list | tuple) or len(both) != 2 or not _are_labels(both):
            raise InputError(
                "{option} must be two labels, the second of which is given from {threshold} on",
                option=Option("labels", labels),
                threshold=Option("threshold"),
            )
        return CutOffs(tuple(both), (number_of("threshold", threshold),))
    if labels is not None or not isinstance(grades, Mapping) or len(grades) < 2:
        raise InputError(
            "{option} is a mapping from labels, two or more, to points", option="grades"
        )
    if not _are_labels(list(grades)):
        raise InputError(f"grades: these are not labels: {short_repr(list(grades))}")
    return _graded(grades)


def _are_labels(values: Sequence[Any]) -> bool:
    """Whether they are distinct, hashable values."""
    try:
        return len(set(values)) == len(values) and all(value == value for value in values)
    except TypeError:
        return False


def _graded(grades: Mapping[Any, Any]) -> CutOffs:
    rest = [label for label, points in grades.items() if points is None]
    found = {
        label: number_of(f"grades: {label!r}", p) for label, p in grades.items() if p is not None
    }
    if len(rest) > 1 or len(set(found.values())) < len(found):
        raise InputError(
            f"grades: two are given from the same points on: {comma_list(grades.items())}"
        )
    ordered = sorted(found, key=lambda label: found[label])
    points = [found[label] for label in ordered]
    if rest:
        return CutOffs((rest[0], *ordered), tuple(points))
    return CutOffs(tuple(ordered), tuple(points[1:]), points[0])


def score_model(card: Card, offs: CutOffs) -> ScoreModel:
    """The model of a card; its `predict` adds fractions."""
    if offs.least is not None and card.least < offs.least:
        raise InputError(
            f"grades: sums below {offs.least}, down to {card.least}, have no label; "
            f"give {offs.labels[0]!r} from None on"
        )
    factor, most, exact = _factor(card, offs)
    ranks = [1] if len(offs.labels) == 2 else list(range(len(offs.labels)))[::-1]
    sums = [Fraction(0), *accumulate(offs.points)]
    starts = [card.base] if len(ranks) == 1 else [k * card.base - sums[k] for k in ranks]

    def predict(rows: Sequence[Sequence[Any]]) -> list[Any]:
        return [offs.label(card.sum(row)) for row in rows]

    return ScoreModel(
        columns=tuple(map(_column, card.features)),
        parts=tuple(
            _part(at, feature, [factor * k for k in ranks], exact)
            for at, feature in enumerate(card.features)
        ),
        labels=offs.labels if len(ranks) == 1 else offs.labels[::-1],
        start=tuple(float(start * factor) for start in starts),
        rule="cut" if len(ranks) == 1 else "largest",
        library="points table",
        cut=float(offs.points[0] * factor) if len(ranks) == 1 else 0.0,
        cuts={
            at: _cuts(feature.edges)
            for at, feature in enumerate(card.features)
            if isinstance(feature, Numbers)
        },
        predict=predict,
        slack=0.0 if exact else float(most) * 2.0**-50,  # what floats lose of the numbers
    )


def _factor(card: Card, offs: CutOffs) -> tuple[Fraction, Fraction, bool]:
    """What makes all numbers whole, the most that a sum is then, and whether floats have it.

    Where they have not, numbers stay as they are.
    """
    factor = Fraction(math.lcm(*(n.denominator for n in (*card.numbers, *offs.points))))
    most = len(offs.labels) * (
        sum(max(map(abs, feature.all)) for feature in card.features)
        + abs(card.base)
        + sum(map(abs, offs.points))
    )
    exact = most * factor <= _MOST_EXACT
    return (factor, most * factor, True) if exact else (Fraction(1), most, False)


def _closed(edges: Sequence[Edge]) -> Closed:
    """The side on which most intervals are closed."""
    sides = [after for number, after in edges if math.isfinite(number)]
    return "right" if 2 * sum(sides) > len(sides) else "left"


def _cuts(edges: Sequence[Edge]) -> tuple[float, ...]:
    """The edges as cuts that are closed as most are; the others are at the float beside it."""
    right = _closed(edges) == "right"
    return tuple(
        number if right == bool(after) else math.nextafter(number, math.inf if after else -math.inf)
        for number, after in edges
        if math.isfinite(number)
    )


def _column(feature: Numbers | Categories) -> Column:
    missing = feature.missing is not None
    if isinstance(feature, Numbers):
        return Column(feature.name, missing=missing, closed=_closed(feature.edges))
    return Column(
        feature.name,
        tuple(feature.points),
        missing=missing,
        unseen=feature.other is not None,
        as_text=not feature.is_truth,
    )


def _part(at: int, feature: Numbers | Categories, factors: Sequence[Fraction], exact: bool) -> Part:
    """What a feature adds to every score: its points times the scores' factors."""
    known = [] if isinstance(feature, Numbers) else list(feature.points)
    special = {UNSEEN: OTHER, ABSENT: MISSING}

    def points(raw: Any) -> Points:
        if isinstance(feature, Numbers):
            return feature.of(raw)
        return feature.of(special[raw] if raw in special else known[raw])

    def value(arrays: Sequence[NDArray[Any]]) -> NDArray[numpy.float64]:
        rows = [points(raw) for raw in arrays[0].tolist()]
        return numpy.array([[float(f * (p or 0)) for f in factors] for p in rows])

    return Part((at,), value, lambda _: exact)

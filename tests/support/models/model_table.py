"""A trained model beside its truth table: its own `predict` on one raw row of every cell.

Nothing here asks the package what a raw value of a cell is, or in which cell a raw value lies:
the bounds that it prints are all that is used.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import numpy

import reasons
from tests.support.comparison import Subject
from tests.support.oracle import IMPOSSIBLE, Instance, Label

Predict = Callable[[list[list[Any]]], list[Any]]
"""A library's own `predict`, on rows of raw values."""
UNHEARD = "unheard of"


def raw_values(feature: reasons.Feature, rng: Random) -> list[Any]:
    """One raw value of each cell; of numbers, often the last or first that lies in it."""
    return [_raw(feature, value, rng) for value in feature.values]


def _raw(feature: reasons.Feature, value: Any, rng: Random) -> Any:
    if str(value) in ("<missing>", "<other>"):
        return None if str(value) == "<missing>" else UNHEARD
    if not isinstance(value, reasons.Interval):
        return value
    kind = numpy.float32 if value.cast == "float32" else numpy.float64
    first, last = low, high = kind(value.low), kind(value.high)
    if value.closed == "right" and math.isfinite(low):
        first = numpy.nextafter(low, kind(math.inf))
    if value.closed == "left" and math.isfinite(high):
        last = numpy.nextafter(high, kind(-math.inf))
    lowest, highest = _declared(feature, float(first), float(last))
    chosen = rng.choice([lowest, highest, (lowest + highest) / 2])
    if feature.whole:
        chosen = math.floor(chosen)
    return min(max(chosen, lowest), highest)


def _declared(feature: reasons.Feature, first: float, last: float) -> tuple[float, float]:
    """The bounds of a cell within what is declared, and within what can be written."""
    if not math.isfinite(first):
        first = last - 2.5 if math.isfinite(last) else -1.0
    if not math.isfinite(last):
        last = first + 2.5
    if feature.whole:
        first, last = math.ceil(first), math.floor(last)
    if feature.within is not None:
        first, last = max(first, feature.within[0]), min(last, feature.within[1])
    return first, last


def cell_of(feature: reasons.Feature, value: Any) -> int:
    """The cell of a raw value, by the bounds of the cells."""
    absent = value is None or value != value
    if absent:
        return [str(v) for v in feature.values].index("<missing>")
    for cell, known in enumerate(feature.values):
        if isinstance(known, reasons.Interval):
            number = float(numpy.float32(value)) if known.cast == "float32" else float(value)
            above = number > known.low if known.closed == "right" else number >= known.low
            below = number <= known.high if known.closed == "right" else number < known.high
            if above and below:
                return cell
        elif known == value:
            return cell
    return [str(v) for v in feature.values].index("<other>")


class ModelSubject(Subject):
    """A compiled model beside its truth table, which its library's `predict` makes."""

    def __init__(
        self,
        classifier: reasons.Classifier,
        predict: Predict,
        *,
        seed: int = 0,
        possible: Callable[[Mapping[str, Any]], bool] | None = None,
    ) -> None:
        rng = Random(seed)
        self.predict = predict
        self.raw = [raw_values(feature, rng) for feature in classifier.features]
        domains = [len(raw) for raw in self.raw]
        super().__init__(classifier, domains, self._table(classifier, domains, possible))

    def _table(
        self,
        classifier: reasons.Classifier,
        domains: Sequence[int],
        possible: Callable[[Mapping[str, Any]], bool] | None,
    ) -> dict[Instance, Label]:
        cells = list(product(*map(range, domains)))
        rows = [[raw[cell] for raw, cell in zip(self.raw, x, strict=True)] for x in cells]
        names = [feature.name for feature in classifier.features]
        table = dict(zip(cells, self.predict(rows), strict=True))
        if possible is not None:
            for x, row in zip(cells, rows, strict=True):
                if not possible(dict(zip(names, row, strict=True))):
                    table[x] = IMPOSSIBLE
        return table

    def user_instance(self, instance: Instance) -> dict[str, object]:
        return self.user_change(dict(enumerate(instance)))

    def user_change(self, change: Mapping[int, int]) -> dict[str, object]:
        return {self.features[f].name: self.raw[f][cell] for f, cell in change.items()}

    def instance(self, witness: Mapping[str, object]) -> Instance:
        return tuple(cell_of(feature, witness[feature.name]) for feature in self.features)

    def predicted(self, witness: Mapping[str, object]) -> Label:
        """What the library decides on an instance that the package gave."""
        row = [witness[feature.name] for feature in self.features]
        label: Label = self.predict([[UNHEARD if str(v) == "<other>" else v for v in row]])[0]
        return label

"""Is a reason that somebody gave really sufficient? Counted exactly, and by drawing rows.

Rows hold numbers of single precision, as scikit-learn's trees see them. A reason is a mapping
from column to "kept" or to intervals (low, high], None where there is no bound; it is sufficient
if the model's `predict` gives every row that agrees with it the label of the explained one.
"""

import math
from typing import Any, NamedTuple

import numpy

import reasons
from reasons import Interval, Term

DRAWN = 10_000
Reason = dict[int, Any]
ANY = ((None, None),)


class Verdict(NamedTuple):
    """What became of a reason."""

    columns: int
    sufficient: bool
    minimal: bool
    refuted_by_rows: bool
    share: float


def judged(
    clf: reasons.Classifier, model: Any, rows: Any, instance: Any, reason: Reason
) -> Verdict:
    """The verdict on a reason; what refutes it is replayed on the model before it counts."""
    decision = clf.decide(instance.tolist())
    assert decision.label == model.predict([instance])[0]
    sufficient = _holds(decision, model, instance, reason)
    rest = [{c: v for c, v in reason.items() if c != dropped} for dropped in reason]
    minimal = sufficient and not any(_holds(decision, model, instance, each) for each in rest)
    drawn = _drawn(rows, instance, reason, numpy.random.default_rng(len(reason)))
    share = float((model.predict(drawn) == decision.label).mean())
    assert not (sufficient and share < 1), f"drawn rows refute {reason}, which was proved"
    return Verdict(len(reason), sufficient, minimal, share < 1, share)


def _holds(decision: reasons.Decision, model: Any, instance: Any, reason: Reason) -> bool:
    """Whether no row agrees with the reason and gets another label: exact, by search."""
    schema = decision.classifier.schema
    places = {}
    for column, limits in reason.items():
        cells = enumerate(schema[column].values)
        places[column] = {
            cell: at for cell, value in cells if (at := _number(value, limits)) is not None
        }
        if limits == "kept":
            own = decision.instance.cells[column]
            places[column] = {own: float(instance[column])}
    if any(decision.instance.cells[column] not in own for column, own in places.items()):
        return False
    other = decision.counterexample(Term(schema, {c: set(own) for c, own in places.items()}))
    if other is None:
        return True
    row = [
        places[c][cell] if c in places else _number(schema[c].values[cell], ANY)
        for c, cell in enumerate(other.cells)
    ]
    assert model.predict([row])[0] != decision.label, f"{row} does not refute {reason}"
    assert all(_agrees(row[c], instance[c], limits) for c, limits in reason.items())
    return False


def _number(cell: Interval, limits: Any) -> float | None:
    """A number of single precision in the cell and in one of the intervals, if there is one."""
    for bounds in () if limits == "kept" else limits:
        low = max(cell.low, -math.inf if bounds[0] is None else bounds[0])
        high = min(cell.high, math.inf if bounds[1] is None else bounds[1])
        if high < math.inf:
            found = _at_most(high)
        elif low > -math.inf:
            found = float(numpy.nextafter(numpy.float32(_at_most(low)), numpy.float32(math.inf)))
        else:
            found = 0.0
        if low < found <= high:
            return found
    return None


def _at_most(number: float) -> float:
    """The largest number of single precision that is no larger."""
    single = numpy.float32(number)
    if float(single) > number:
        single = numpy.nextafter(single, numpy.float32(-math.inf))
    return float(single)


def _agrees(value: float, own: float, limits: Any) -> bool:
    if limits == "kept":
        return value == own
    return any(
        (low is None or value > low) and (high is None or value <= high) for low, high in limits
    )


def _drawn(rows: Any, instance: Any, reason: Reason, rng: numpy.random.Generator) -> Any:
    """Rows that agree with the reason: each column from the data's own values, one by one."""
    found = numpy.empty((DRAWN, rows.shape[1]))
    for column in range(rows.shape[1]):
        limits = reason.get(column, ANY)
        own = instance[column]
        fitting = [value for value in rows[:, column] if _agrees(value, own, limits)]
        found[:, column] = rng.choice(fitting or [own], DRAWN)
    return found

"""Any function of few instances: evaluated in every cell, and stored as a graph.

A number is taken to matter only by its cell. That is the caller's promise; it is broken where
two values of one cell are found to get different labels, which is looked for on a sample.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import BudgetExceeded, InputError, Option
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.frontends.functions.constraints import Possible, possible_under
from reasons.frontends.functions.predictor import Cells, Predictor, row_text
from reasons.frontends.functions.rows import SHAPES, Rows, Shape, within_cell
from reasons.frontends.labels import ordered_labels
from reasons.frontends.truth_table.table import MOST_CELLS
from reasons.text import comma_list

_FEWEST, _MOST = 1 << 6, 1 << 16  # cells of a call
_CALL = 0.05  # seconds that a call should take
_MOST_EVER = 1 << 32
_SAMPLE = 2_000
_IMPOSSIBLE = 0xFFFF  # beyond the numbers of labels
_STAGE = "evaluating every cell"


def compile_function(
    model: Any,
    features: Iterable[Feature | str],
    *,
    rows: Shape | None = None,
    labels: Iterable[Any] | None = None,
    most_cells: int | None = None,
    constraint: str | None = None,
    wording: Wording | None = None,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier of a function, or of a model's `predict`, by its label in every cell.

    Cost: O(cells), and calls on all cells: many at a time, so that a call takes some 50 ms.
    """
    schema = Schema(features)
    budget = budget or Budget()
    _require_few(schema, MOST_CELLS if most_cells is None else most_cells)
    predict = model.predict if callable(getattr(model, "predict", None)) else model
    predictor = Predictor(predict, Rows(schema, _shape(model, schema, rows)), labels)
    values = _evaluated(predictor, schema, possible_under(constraint, schema), budget)
    if (values == _IMPOSSIBLE).all():
        raise InputError(
            "no instance is possible under {option}", option=Option("constraint", constraint)
        )
    compared = _require_constant_cells(predictor, schema, values, budget)
    found = list(predictor.known)
    truths = set(found) <= {False, True}
    ordered = tuple(found) if predictor.is_closed and not truths else ordered_labels(found)
    place = numpy.full(_IMPOSSIBLE + 1, _core.IMPOSSIBLE, numpy.uint32)
    place[: len(found)] = [ordered.index(label) for label in found]
    sizes, order = [len(feature.values) for feature in schema], list(range(len(schema)))
    native = _core.from_values(sizes, len(ordered), order, place[values], native_budget(budget))
    return Classifier(
        Circuit(native, schema, ordered).sifted(budget),
        wording=wording,
        constraint=constraint,
        predict=predictor.raw,
        notes=_notes(model, int((values != _IMPOSSIBLE).sum()), compared),
    )


def _notes(model: Any, cells: int, compared: int) -> list[str]:
    name = getattr(model, "__qualname__", None) or type(model).__name__
    return [
        f"{name}, evaluated at one value in each of {cells:,} cells",
        f"{compared:,} sampled instances with other values of the same cells get the same label",
    ]


def _require_few(schema: Schema, most: int) -> None:
    if not len(schema):
        raise InputError("{option} is empty", option="features")
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= _MOST_EVER:
        raise InputError(
            "{option} must be a whole number from 1 to {largest}",
            option=Option("most_cells", most),
            largest=f"{_MOST_EVER:,}",
        )
    cells = prod(len(feature.values) for feature in schema)
    if cells > most:
        largest = sorted(schema, key=lambda feature: -len(feature.values))[:3]
        sizes = comma_list(f"{feature.name!r} has {len(feature.values):,}" for feature in largest)
        stage = f"{_STAGE}, of which {sizes} values; see the option most_cells"
        raise BudgetExceeded(stage, cells=cells, limit=most)


def _shape(model: Any, schema: Schema, rows: Shape | None) -> Shape:
    """The form of rows that the function takes; by default, what its model was fitted on."""
    fitted = getattr(model, "__self__", model)
    count = getattr(fitted, "n_features_in_", len(schema))
    if count != len(schema):
        raise InputError(
            "the model has {count} columns, and {option} lists {number}",
            count=count,
            option="features",
            number=len(schema),
        )
    names = getattr(fitted, "feature_names_in_", None)
    if names is not None and tuple(map(str, names)) != schema.names:
        raise InputError(
            "the model's columns are {names}; {option} must name these",
            names=list(names),
            option="features",
        )
    if rows is not None:
        if rows not in SHAPES:
            raise InputError(
                "{option} must be one of: {known}",
                option=Option("rows", rows),
                known=comma_list(SHAPES),
            )
        return rows
    if names is None and callable(getattr(fitted, "predict", None)):
        return "array"
    try:
        import pandas  # noqa: F401
    except ImportError:
        return "array"
    return "frame"


def _evaluated(
    predictor: Predictor, schema: Schema, possible: Possible | None, budget: Budget
) -> NDArray[Any]:
    """The number of the label of every instance, the last feature varying fastest."""
    total = prod(len(feature.values) for feature in schema)
    values = numpy.full(total, _IMPOSSIBLE, numpy.uint16)
    for start, cells in _chunks(schema, total):
        budget.pause(_STAGE, start, total)
        chunk = values[start : start + len(cells[0])]
        if possible is None:
            chunk[:] = predictor.labels_of(cells)
        elif len(places := numpy.flatnonzero(possible(cells))):
            chunk[places] = predictor.labels_of([column[places] for column in cells])
    budget.report(_STAGE, total, total)
    return values


def _chunks(schema: Schema, total: int) -> Iterator[tuple[int, list[NDArray[Any]]]]:
    """Where chunks begin, and their cells; sizes follow the time that the last one took."""
    start, size = 0, _FEWEST
    while start < total:
        began = time.monotonic()
        places = numpy.arange(start, min(start + size, total))
        yield start, cells_at(schema, places)
        start += size
        faster = _CALL / max(time.monotonic() - began, 1e-9)
        size = int(min(max(size * min(faster, 8), _FEWEST), _MOST))


def cells_at(schema: Schema, places: NDArray[Any]) -> list[NDArray[Any]]:
    """The cells of instances by their places in the table of all, feature by feature."""
    columns = []
    for feature in reversed(schema):
        # Twice a division and no remainder: numpy divides by a constant four times as fast.
        rest = places // len(feature.values)
        columns.append(places - rest * len(feature.values))
        places = rest
    return columns[::-1]


def _require_constant_cells(
    predictor: Predictor, schema: Schema, values: NDArray[Any], budget: Budget
) -> int:
    """How many rows got the same label again, and with other values of the same cells.

    Raises `InputError` where a row gets another label when it is evaluated again, among other
    rows, or one with other values of its cells does.
    """
    rng = numpy.random.default_rng(0)
    places = numpy.flatnonzero(values != _IMPOSSIBLE)
    places = rng.permutation(places) if len(places) <= _SAMPLE else rng.choice(places, _SAMPLE)
    cells, wanted = cells_at(schema, places), values[places]
    again = numpy.concatenate(
        [
            predictor.labels_of([column[part] for column in cells])
            for part in _parts(len(places), budget)
        ]
    )
    for row in numpy.flatnonzero(again != wanted)[:1]:
        raise InputError(
            f"predict gave {_label(predictor, wanted[row])!r} and then "
            f"{_label(predictor, again[row])!r} "
            f"for the row {row_text(schema, cells, row)}; it must depend on nothing but the row"
        )
    budget.check(_STAGE)
    others = [[within_cell(f, cell) for cell in range(len(f.values))] for f in schema]
    repeats = -(-_SAMPLE // len(places))
    cells, wanted = [numpy.tile(c, repeats) for c in cells], numpy.tile(wanted, repeats)
    raw = _drawn(others, cells, rng)
    found = numpy.concatenate(
        [
            predictor.labels_of([c[part] for c in cells], predictor.rows.of_values(raw[part]))
            for part in _parts(len(raw), budget)
        ]
    )
    for row in numpy.flatnonzero(found != wanted)[:1]:
        raise _broken(predictor, schema, [int(c[row]) for c in cells], raw[row])
    return len(raw)


def _parts(count: int, budget: Budget) -> Iterator[slice]:
    for start in budget.each(range(0, count, _FEWEST), _STAGE, count):
        yield slice(start, start + _FEWEST)


def _drawn(others: list[list[list[Any]]], cells: Cells, rng: Any) -> list[list[Any]]:
    """Rows of raw values drawn from all over the cells."""
    columns = []
    for values, column in zip(others, cells, strict=True):
        turns = rng.random(len(column))
        columns.append(
            [values[c][int(t * len(values[c]))] for c, t in zip(column, turns, strict=True)]
        )
    return [list(row) for row in zip(*columns, strict=True)]


def _label(predictor: Predictor, number: int) -> Any:
    return list(predictor.known)[number]


def _broken(
    predictor: Predictor, schema: Schema, cells: Sequence[int], raw: list[Any]
) -> InputError:
    """Which feature it is whose value matters within its cell, found one by one."""
    row = [feature.raw(cell) for feature, cell in zip(schema, cells, strict=True)]
    label = predictor.raw([row])[0]
    for at, feature in enumerate(schema):
        before, row[at] = row[at], raw[at]
        other = predictor.raw([row])[0]
        if other != label:
            return InputError(
                f"feature {feature.name!r}: {before!r} and {raw[at]!r} are both in the cell "
                f"{feature.says((cells[at],))}, but predict gives {label!r} and {other!r} where "
                f"all else is equal; cut it there, or declare which values there are"
            )
    return InputError("predict gives different labels for one row; it must depend on the row only")

"""Truth tables: the label of every instance, row by row."""

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from math import prod
from typing import Any, Never

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import BudgetExceeded, InputError, require_options
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.tables import cells_of_rows
from reasons.features.values import IMPOSSIBLE, is_missing
from reasons.frontends.labels import ordered_labels
from reasons.text import comma_list, did_you_mean, short_repr

MOST_CELLS = 1 << 24
_ABSENT = object()


def from_table(
    table: Any,
    *,
    label: str | None = None,
    otherwise: Any = _ABSENT,
    features: Iterable[Feature | str] | None = None,
    wording: Wording | None = None,
    budget: Budget | None = None,
    **misspelt: Never,
) -> Classifier:
    """The classifier of a truth table: a frame or a list of mappings, an instance a row.

    `label` names the column with the labels, by default the last. Instances that are not
    in the table get the label `otherwise`, or are impossible with `IMPOSSIBLE`; without it
    every instance must be there. Features are read off the columns unless given.
    Cost: O(instances), at most 2^24 of them, and sifting the graph to a good order.

    >>> rows = [{"a": a, "b": b, "y": a and not b} for a in (0, 1) for b in (0, 1)]
    >>> print(from_table(rows).decide("a, ~b").reason)
    a & ~b
    """
    require_options("from_table", misspelt, from_table.__kwdefaults__ or ())
    columns = columns_of(table)
    if not columns:
        raise InputError("the table has no columns")
    label = list(columns)[-1] if label is None else label
    if label not in columns:
        hint = did_you_mean([label], columns)
        raise InputError(
            f"there is no column {label!r}{hint}; the columns are: {comma_list(columns)}"
        )
    answers = columns.pop(label)
    for name, column in {**columns, label: answers}.items():
        _require_hashable(name, column)
    if any(is_missing(answer) for answer in answers):
        row = next(i for i, answer in enumerate(answers) if is_missing(answer))
        raise InputError(f"row {row} has no label in column {label!r}")
    schema = Schema([_feature(n, c) for n, c in columns.items()] if features is None else features)
    labels = _labels(answers, otherwise)
    values = _values(schema, columns, answers, labels, otherwise)
    domains, order = [len(feature.values) for feature in schema], list(range(len(schema)))
    native = _core.from_values(
        domains, len(labels), order, values.reshape(-1), native_budget(budget)
    )
    return Classifier(Circuit(native, schema, labels).sifted(budget), wording=wording)


def columns_of(table: Any) -> dict[str, list[Any]]:
    if hasattr(table, "columns"):
        names = [str(name) for name in table.columns]
        if len(set(names)) != len(names):
            raise InputError(f"two columns have the same name: {comma_list(names)}")
        return {str(name): list(table[name]) for name in table.columns}
    try:
        rows = list(table)
    except TypeError:
        raise InputError(
            f"a table is a frame or a list of mappings, not {type(table).__name__}"
        ) from None
    if not rows:
        raise InputError("the table has no rows")
    if not hasattr(rows[0], "keys"):
        raise InputError(f"row 0 is a {type(rows[0]).__name__}, not a mapping")
    names = list(rows[0])
    for number, row in enumerate(rows):
        if not hasattr(row, "keys") or list(row.keys()) != names:
            raise InputError(
                f"row {number} does not have the columns of row 0: {comma_list(names)}"
            )
    return {str(name): [row[name] for row in rows] for name in names}


def _require_hashable(name: str, column: Sequence[Any]) -> None:
    for row, value in enumerate(column):
        if not isinstance(value, Hashable):
            raise InputError(f"row {row}, column {name!r}: {short_repr(value)} cannot be a value")


def _feature(name: str, column: Sequence[Any]) -> Feature:
    """Boolean where only true and false occur, otherwise the values in order of appearance."""
    values = list(dict.fromkeys(v.item() if hasattr(v, "item") else v for v in column))
    if set(values) <= {False, True}:
        return Feature.boolean(name)
    with suppress(TypeError):
        values = sorted(values)
    return Feature.categorical(name, values)


def _labels(answers: Sequence[Any], otherwise: Any) -> tuple[Any, ...]:
    more = [] if otherwise in (_ABSENT, IMPOSSIBLE) else [otherwise]
    return ordered_labels(v.item() if hasattr(v, "item") else v for v in [*answers, *more])


def _values(
    schema: Schema,
    columns: dict[str, list[Any]],
    answers: Sequence[Any],
    labels: tuple[Any, ...],
    otherwise: Any,
) -> Any:
    """The label of every instance as an array with an axis a feature."""
    import numpy

    shape = tuple(len(feature.values) for feature in schema)
    if prod(shape) > MOST_CELLS:
        raise BudgetExceeded("a truth table", instances=prod(shape), limit=MOST_CELLS)
    unknown = len(labels)
    values = numpy.full(shape, unknown, dtype=numpy.uint32)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    cells, count = cells_of_rows(schema, rows or [{}] * len(answers))
    width = len(schema)
    for row in range(count):
        at = tuple(cells[row * width : (row + 1) * width])
        wanted = labels.index(answers[row])
        if values[at] not in (unknown, wanted):
            raise InputError(f"row {row} contradicts an earlier row for the same instance")
        values[at] = wanted
    missing = numpy.argwhere(values == unknown)
    if len(missing) and otherwise is _ABSENT:
        example = ", ".join(f.says((int(c),)) for f, c in zip(schema, missing[0], strict=True))
        raise InputError(
            "{count} instances are not in the table, such as {example}; "
            "add them, or give their label with {option}",
            count=f"{len(missing):,}",
            example=example,
            option="otherwise",
        )
    fill = _core.IMPOSSIBLE if otherwise in (_ABSENT, IMPOSSIBLE) else labels.index(otherwise)
    values[values == unknown] = fill
    return values

"""Pipelines of scikit-learn: from the columns of the last step back to the user's columns."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from reasons.ensembles.inputs import InputColumn, Inputs, Rows, Table, Values, numbers
from reasons.errors import InputError, UnsupportedModel
from reasons.features.values import OTHER, Special, is_missing
from reasons.frontends.sklearn.checks import family, unwrapped
from reasons.frontends.sklearn.rows import own_names, table_of, unseen_value
from reasons.frontends.sklearn.transformers import Reading, Slot, Slots, follow, quiet, value_at


def opened(model: Any, threshold: float | None) -> tuple[Any, Inputs | None]:
    """The model at the end of a pipeline, inside searches and thresholds, and its inputs."""
    model = unwrapped(model)
    inner = getattr(model, "estimator_", None)
    if family(model) == "threshold" and type(inner).__name__ == "Pipeline":
        final, inputs = unwrap(inner, model.predict)
        bare = copy.copy(model)
        bare.estimator_ = final
        return bare, inputs
    if threshold is None:
        return unwrap(model)

    def above(table: Any) -> Any:
        if not hasattr(model, "predict_proba"):
            return model.predict(table) >= threshold
        classes = numpy.asarray(model.classes_)
        return classes[(model.predict_proba(table)[:, 1] >= threshold).astype(int)]

    return unwrap(model, above)


def unwrap(model: Any, predict: Callable[[Any], Any] | None = None) -> tuple[Any, Inputs | None]:
    """The estimator at the end of a fitted pipeline, and the user's columns before it.

    A model that is not a pipeline is returned as it is, with None. Steps may be pipelines, column
    transformers, one-hot and ordinal encoders, binning, simple imputing, scaling, and selection of
    columns. Any other raises `UnsupportedModel` with its name. `predict` decides a table of raw
    values; by default it is the model's own.
    """
    steps: list[tuple[str, Any]] = []
    final = model
    while type(final).__name__ == "Pipeline" and type(final).__module__.startswith("sklearn."):
        steps += final.steps[:-1]
        final = final.steps[-1][1]
    if final is model:
        return model, None
    if final is None or isinstance(final, str):
        raise UnsupportedModel("the pipeline ends with no classifier")
    steps = [(name, step) for name, step in steps if step not in (None, "passthrough")]
    return final, _Steps(predict or model.predict, final, steps).inputs()


class _Steps:
    """A fitted pipeline: its last step, and the steps before it except passthroughs."""

    def __init__(
        self, decide: Callable[[Any], Any], final: Any, steps: list[tuple[str, Any]]
    ) -> None:
        self.decide, self.final, self.steps = decide, final, steps
        first = steps[0][1] if steps else final
        count = getattr(first, "n_features_in_", None)
        if count is None:
            raise InputError("fit the pipeline before it is compiled")
        self.fitted_names = own_names(first)
        self.names = self.fitted_names or tuple(f"x{i}" for i in range(count))
        self.readings = [Reading() for _ in self.names]
        self.slots = self._followed()

    def _followed(self) -> Slots:
        slots = [Slot(source) for source in range(len(self.names))]
        for name, step in self.steps:
            slots = follow(step, slots, self.readings, name)
        for slot in slots:
            self.readings[slot.source].touched = True
            if slot.odd and slot.state in ("raw", "number"):
                raise UnsupportedModel(
                    f"column {self.names[slot.source]!r}: an imputer replaces a number; "
                    "let its missing_values be NaN"
                )
        expected = getattr(self.final, "n_features_in_", len(slots))
        if expected != len(slots):
            raise UnsupportedModel(
                f"the last step sees {expected} columns, but {len(slots)} were expected"
            )
        return slots

    def inputs(self) -> Inputs:
        """The user's columns, with the real steps behind them."""
        columns = tuple(map(self._given, range(len(self.names))))
        rising = tuple(slot.state in ("raw", "number") for slot in self.slots)
        source = tuple(slot.source for slot in self.slots)
        for at, column in enumerate(columns):
            self._require_one_reading(at, column)
        guess = self.guess
        return Inputs(columns, source, rising, self.image, self.accepts, self.predict, guess)

    def _given(self, at: int) -> InputColumn:
        reading = self.readings[at]
        states = {slot.state for slot in self.slots if slot.source == at}
        return InputColumn(
            self.names[at],
            None if reading.categories is None else tuple(reading.categories),
            plain=states <= {"raw"} and not reading.edges,
            read=reading.touched,
            edges=tuple(reading.edges),
        )

    def _require_one_reading(self, at: int, column: InputColumn) -> None:
        states = {slot.state for slot in self.slots if slot.source == at}
        if column.categories is None or not (states & {"raw", "number"} or column.edges):
            return
        if self.accepts(at, OTHER):
            raise UnsupportedModel(
                f"column {column.name!r} is used both as a number and as a category that "
                "accepts unknown values; use handle_unknown='error'"
            )

    def predict(self, rows: Rows) -> list[Any]:
        """The pipeline's own decisions on rows of raw values."""
        if not len(rows):
            return []
        every = enumerate(zip(*rows, strict=True))
        columns = [self._column(at, column) for at, column in every]
        with quiet():
            return list(numpy.asarray(self.decide(table_of(columns, self.fitted_names))).tolist())

    def accepts(self, at: int, value: Special) -> bool:
        """Whether the pipeline decides a row with a missing or unseen value."""
        row: list[Any] = [self._default(i) for i in range(len(self.names))]
        row[at] = value
        if value is OTHER and self.readings[at].categories is None:
            return False
        try:
            self.predict([row])
        except (ValueError, TypeError, IndexError):
            return False
        return True

    def image(self, at: int, values: Values, wanted: Sequence[int]) -> Table:
        """The inputs of the last step, where one of the user's columns takes these values."""
        columns = [
            self._column(i, values)
            if i == at
            else self._column(i, [self._default(i)]).repeat(len(values))
            for i in range(len(self.names))
        ]
        table: Any = table_of(columns, self.fitted_names)
        with quiet():
            for _, step in self.steps:
                table = step.transform(table)
        if hasattr(table, "iloc"):
            return numpy.asarray(table.iloc[:, list(wanted)])
        chosen = table[:, list(wanted)]
        return numpy.asarray(chosen.toarray() if hasattr(chosen, "toarray") else chosen)

    def guess(self, _: int, values: Values, wanted: Sequence[int]) -> Table:
        """The same for numbers, by the transformers of these columns only."""
        floats = numbers(values)
        return numpy.array([value_at(self.slots[column].path, floats) for column in wanted]).T

    def _default(self, at: int) -> Any:
        categories = self.readings[at].categories
        return next(iter(categories)) if categories else 0.0

    def _column(self, at: int, values: Values) -> Table:
        """Raw values as the pipeline was fitted with them."""
        reading = self.readings[at]
        if reading.touched and reading.categories is None:
            return numbers(values)
        categories = list(reading.categories or ())
        is_number = all(isinstance(c, int | float) and not isinstance(c, bool) for c in categories)
        unseen = unseen_value(categories, numeric=bool(categories) and is_number)
        plain = [
            reading.missing if is_missing(v) else unseen if v is OTHER else _python(v)
            for v in values
        ]
        kinds = {type(v) for v in (*plain, *categories)}
        if kinds <= {int, float} or kinds <= {bool}:
            return numpy.array(plain)
        column = numpy.empty(len(plain), dtype=object)
        column[:] = plain
        return column


def _python(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value

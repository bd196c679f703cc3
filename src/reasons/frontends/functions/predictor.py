"""What a predict function answers: one label a row, or an error that says what it is instead."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import InputError, Option
from reasons.features.schema import Schema
from reasons.features.terms import Instance
from reasons.frontends.functions.rows import Rows
from reasons.frontends.labels import require_label
from reasons.text import short_repr

MOST_LABELS = 1_000
_LABELS = Option("labels")

Cells = Sequence[NDArray[Any]]


class Predictor:
    """A predict function over cells; labels become numbers in order of appearance."""

    def __init__(
        self, predict: Callable[[Any], Any], rows: Rows, labels: Iterable[Any] | None
    ) -> None:
        self.predict, self.rows = predict, rows
        self.known: dict[Any, int] = {}
        for label in labels or ():
            self._number(label)
        self.is_closed = labels is not None

    def labels_of(self, cells: Cells, table: Any = None) -> NDArray[numpy.uint32]:
        """The numbers of the labels of rows, given by their cells; `table` has other values."""
        answers = self._answers(cells, self.rows.of_cells(cells) if table is None else table)
        try:
            found = map(self.known.__getitem__, answers)
            return numpy.fromiter(found, numpy.uint32, len(answers))
        except (KeyError, TypeError):
            return numpy.array(
                [self._met(answer, cells, row) for row, answer in enumerate(answers)],
                numpy.uint32,
            )

    def raw(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """The labels of rows of raw values."""
        if not len(rows):
            return []
        answers = self._called(self.rows.of_values(rows))
        return _listed(answers, len(rows))

    def _called(self, table: Any) -> Any:
        if self.rows.shape == "mapping":
            return [self.predict(row) for row in table]
        found = self.predict(table)
        return list(found) if isinstance(found, Iterator) else found  # an iterator may fail later

    def _answers(self, cells: Cells, table: Any) -> list[Any]:
        try:
            found = self._called(table)
        except Exception as error:
            raise self._failed(cells, table, error) from error
        return _listed(found, len(cells[0]))

    def _failed(self, cells: Cells, table: Any, error: Exception) -> InputError:
        """Which row it is that the function fails on, found by halving."""
        start, stop = 0, len(cells[0])
        while stop - start > 1:
            middle = (start + stop) // 2
            if self._fails(table, start, middle):
                stop = middle
            elif self._fails(table, middle, stop):
                start = middle
            else:
                break
        where = row_text(self.rows.schema, cells, start)
        more = f" or one of the {stop - start - 1:,} after it" if stop - start > 1 else ""
        return InputError(
            "predict fails on the row {where}{more}: {error}. It was given {rows}; see {option}",
            where=where,
            more=more,
            error=f"{type(error).__name__}: {error}",
            rows=_KINDS[self.rows.shape],
            option="rows",
        )

    def _fails(self, table: Any, start: int, stop: int) -> bool:
        part = table.iloc[start:stop] if hasattr(table, "iloc") else table[start:stop]
        try:
            self._called(part)
        except Exception:
            return True
        return False

    def _met(self, answer: Any, cells: Cells, row: int) -> int:
        with suppress(KeyError, TypeError):
            return self.known[answer]
        where = f"the row {row_text(self.rows.schema, cells, row)}"
        if self.is_closed:
            raise InputError(
                "predict gave {value} for {where}, which is not among {option}: {known}",
                value=answer,
                where=where,
                option="labels",
                known=self.known,
            )
        return self._number(answer, f"predict, for {where}")

    def _number(self, label: Any, where: str | Option = _LABELS) -> int:
        plain = label.item() if hasattr(label, "item") and not hasattr(label, "__len__") else label
        require_label(plain, where)
        if len(self.known) >= MOST_LABELS:
            raise InputError(
                f"predict gave more than {MOST_LABELS:,} different labels; "
                "turn what it gives into few, by comparing it with a threshold for instance"
            )
        return self.known.setdefault(plain, len(self.known))


_KINDS = {
    "frame": "a data frame",
    "array": "a two-dimensional array",
    "mappings": "a list of mappings",
    "mapping": "one mapping",
}


def row_text(schema: Schema, cells: Cells, row: int) -> str:
    """A row in the words of an instance."""
    return str(Instance.of_cells(schema, [int(column[row]) for column in cells]))


def _listed(answers: Any, rows: int) -> list[Any]:
    """The answers as a list with one for each row."""
    many = getattr(answers, "ndim", 1)
    if many != 1:
        raise InputError(
            f"predict gave an array of {many} dimensions, not one label for each row; "
            "of scores, take argmax(axis=1)"
        )
    if isinstance(answers, str | bytes | dict | set) or not hasattr(answers, "__iter__"):
        raise InputError(
            f"predict gave {short_repr(answers)}, not a list or array with a label a row"
        )
    found = answers.tolist() if hasattr(answers, "tolist") else list(answers)
    if len(found) != rows:
        raise InputError(f"predict gave {len(found):,} labels for {rows:,} rows")
    return found

"""The user's rows, kept in memory and shown a few at a time."""

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any

from reasons.auditing.binning import TEXTS, value_of
from reasons.auditing.inputs import source_of
from reasons.classifier import Classifier
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.terms import Instance, instance_of
from reasons.told.decisions import labelled
from reasons.told.plain import Object, instance_told

_MOST_TRIED = 1_000


class UserRows:
    """The first rows of a frame or of files; `more` says that there are others.

    Cost: memory for the values of at most `most` rows.
    """

    def __init__(self, classifier: Classifier, data: Any, most: int) -> None:
        import pyarrow as pa

        self.classifier, kept, rows = classifier, [], 0
        self.more = False
        for batch in source_of(data).parts(classifier.schema.names):
            taken = batch.slice(0, most - rows)
            kept.append(taken)
            rows += taken.num_rows
            if taken.num_rows < batch.num_rows:
                self.more = True
                break
        self.table = pa.Table.from_batches(kept)
        self._in_text = TEXTS in (kept[0].schema.metadata or {})

    @property
    def note(self) -> str:
        """How many rows there are to see."""
        return f"{len(self):,} rows" + (": the first ones, more are not kept" if self.more else "")

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def instance(self, row: int) -> Instance:
        """A row as an instance, or `InputError` that says what is wrong with it."""
        if not 0 <= row < len(self):
            raise InputError(f"there is no row {row}; there are {len(self):,}, counted from 0")
        schema = self.classifier.schema
        values = [
            value_of(feature, self.table.column(feature.name)[row].as_py(), self._in_text)
            for feature in schema
        ]
        return instance_of(schema, values)

    def first_possible(self) -> int | None:
        """The first row that can be decided, among the first thousand."""
        for row in range(min(len(self), _MOST_TRIED)):
            with suppress(InputError):
                self.classifier.decide(self.instance(row))
                return row
        return None

    def shown(self, row: int) -> Object:
        """A row with its label, or with its problem."""
        return row_told(row, lambda: self.classifier.decide(self.instance(row)))

    def page(self, start: int, count: int) -> Object:
        """Some rows from a place on."""
        numbers = islice(range(start, len(self)), count)
        return {
            "total": len(self),
            "start": start,
            "columns": list(self.classifier.schema.names),
            "rows": [self.shown(row) for row in numbers],
        }


def row_told(row: int, decide: Callable[[], Decision]) -> Object:
    """A row with its label, or with its problem."""
    try:
        decision = decide()
    except InputError as error:
        return {"row": row, "problem": str(error)}
    return {"row": row, "instance": instance_told(decision.instance), **labelled(decision.label)}

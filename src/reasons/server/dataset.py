"""The user's rows, kept in memory and shown a few at a time."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from reasons.classifier import Classifier
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.features.tables import instance_at
from reasons.features.terms import Instance
from reasons.formats.rows.source import Source, source_of
from reasons.views.decision import label_view
from reasons.views.values import Object, Plain, instance_view, json_value

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_OTHERS = 20
_LONGEST = 200
_MOST_TRIED = 1_000


class UserRows:
    """The first rows of a frame or of files; `more` says that there are others.

    `others` are the first 20 columns that are not features; they identify a row to a person.
    Cost: memory for the values of at most `most` rows.
    """

    def __init__(self, classifier: Classifier, data: Any, most: int) -> None:
        import pyarrow as pa

        self.classifier, source, names = classifier, source_of(data), classifier.schema.names
        self.others = [name for name in source.columns if name not in names][:_MOST_OTHERS]
        try:
            kept, self.more = _first(source, [*names, *self.others], most)
        except InputError:  # columns that are only looked at must not be what stops it
            self.others = []
            kept, self.more = _first(source, names, most)
        whole = pa.Table.from_batches(kept)
        self.table, self._beside = whole.select(list(names)), whole.select(self.others)

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
        return instance_at(self.classifier.schema, self.table, row)

    def first_possible(self) -> int | None:
        """The first row that can be decided, among the first thousand."""
        for row in range(min(len(self), _MOST_TRIED)):
            with suppress(InputError):
                self.classifier.decide(self.instance(row))
                return row
        return None

    def shown(self, row: int) -> Object:
        """A row with its label, or with its problem, and with its other columns."""
        view = row_view(row, lambda: self.classifier.decide(self.instance(row)))
        return {**view, "others": {name: _plain(self._beside[name][row]) for name in self.others}}

    def page(self, start: int, count: int) -> Object:
        """Some rows from a place on."""
        numbers = islice(range(start, len(self)), count)
        return {
            "total": len(self),
            "start": start,
            "columns": list(self.classifier.schema.names),
            "others": self.others,
            "rows": [self.shown(row) for row in numbers],
        }


def _first(
    source: Source, columns: Sequence[str], most: int
) -> "tuple[list[pa.RecordBatch], bool]":
    """The first rows of a source, and whether there are more."""
    kept: list[Any] = []
    rows = 0
    for batch in source.parts(columns):
        taken = batch.slice(0, most - rows)
        kept.append(taken)
        rows += taken.num_rows
        if taken.num_rows < batch.num_rows:
            return kept, True
    return kept, False


def _plain(value: "pa.Scalar") -> Plain:
    """A value that is only shown: as JSON holds it, a long text cut."""
    try:
        plain = json_value(value.as_py())
    except (ValueError, OverflowError, TypeError):  # times and numbers that Python cannot hold
        return "(cannot be shown)"
    if isinstance(plain, str) and len(plain) > _LONGEST:
        return f"{plain[:_LONGEST]}…"
    return plain


def row_view(row: int, decide: Callable[[], Decision]) -> Object:
    """A row with its label, or with its problem."""
    try:
        decision = decide()
    except InputError as error:
        return {"row": row, "problem": str(error)}
    return {"row": row, "instance": instance_view(decision.instance), **label_view(decision.label)}

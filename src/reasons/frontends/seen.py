"""Seen domains: what the columns of data hold, as limits of the kind that `domain=` declares.

Whole numbers stay whole, numbers keep to the range seen, categories to those seen, and a value may
be missing only where one was.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from reasons.ensembles.domain import Limit, limit_of
from reasons.ensembles.inputs import InputColumn
from reasons.errors import InputError
from reasons.features.cells import MAKE_NUMBERS
from reasons.features.csv_values import EXACT, stored_value
from reasons.features.feature import Feature
from reasons.features.tables import TEXTS, encoded, require_columns
from reasons.features.values import OTHER, is_missing
from reasons.formats.rows.source import source_of
from reasons.text import short_repr

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

_MOST_CATEGORIES = 65_534


def seen_limits(
    data: Any, columns: Sequence[InputColumn], groups: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Limit], int]:
    """The limit of each column that the model reads, and the number of rows.

    `data` is a frame, an Arrow table, an array in the order of the columns, a file or a folder.
    Columns that the model does not have are ignored. Raises `InputError` for a column that is not
    there or does not fit. Cost: one pass over the rows.
    """
    read = [column for column in columns if column.read]
    if hasattr(data, "ndim") and not hasattr(data, "columns"):
        data = _framed(data, columns, groups)
    source = source_of(data)
    wanted = [name for column in read for name in groups.get(column.name, [column.name])]
    require_columns(source.columns, wanted, source.name)
    seen = {column.name: _collector(column, groups.get(column.name)) for column in read}
    rows = 0
    for batch in source.parts(wanted):
        rows += batch.num_rows
        in_text = TEXTS in (batch.schema.metadata or {})
        for each in seen.values():
            each.add(batch, in_text)
    if not rows:
        raise InputError("{option}: there are no rows", option="data")
    return {name: each.limit() for name, each in seen.items()}, rows


def _framed(
    data: Any, columns: Sequence[InputColumn], groups: Mapping[str, Sequence[str]]
) -> "pa.Table":
    """An array as a table with the names of the columns."""
    import pyarrow as pa

    names = [name for column in columns for name in groups.get(column.name, [column.name])]
    if data.ndim != 2 or data.shape[1] != len(names):
        raise InputError(
            "{option}: an array has a column for each of the {count} of the model",
            option="data",
            count=len(names),
        )
    return pa.table({name: data[:, at].tolist() for at, name in enumerate(names)})


def _collector(column: InputColumn, members: Sequence[str] | None) -> "_Numbers | _Values | _Group":
    if members is not None:
        return _Group(column, members)
    return _Numbers(column) if column.categories is None else _Values(column)


class _Numbers:
    """The range of a column of numbers."""

    def __init__(self, column: InputColumn) -> None:
        self.name, self.feature = column.name, Feature.numeric(column.name, [], missing=True)
        self.low, self.high = math.inf, -math.inf
        self.whole, self.missing = True, False

    def add(self, batch: "pa.RecordBatch", in_text: bool) -> None:
        """Take the values of one more batch."""
        column = batch.column(batch.schema.get_field_index(self.name))
        numbers = None if in_text else _floats(column)
        if numbers is not None:
            self._take_all(numbers)
            return
        places, values = encoded(column, self.name)
        for place in set(places.tolist()):
            self._take(stored_value(self.feature, values[place], in_text))

    def _take_all(self, numbers: "NDArray[numpy.float64]") -> None:
        absent = numpy.isnan(numbers)
        present = numbers[~absent]
        self.missing = self.missing or bool(absent.any())
        if len(present):
            for end in (present.min(), present.max()):
                self._take(float(end))
            self.whole = self.whole and bool((present == numpy.floor(present)).all())

    def _take(self, value: Any) -> None:
        if is_missing(value):
            self.missing = True
            return
        try:
            number = math.nan if isinstance(value, str | bytes) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if math.isnan(number):
            raise InputError(
                f"data: column {self.name!r} holds {short_repr(value)}, where the model takes a "
                f"number; {MAKE_NUMBERS}"
            )
        if math.isinf(number):
            raise InputError(f"data: column {self.name!r} holds an infinite number; leave it out")
        self.low, self.high = min(self.low, number), max(self.high, number)
        self.whole = self.whole and number.is_integer() and abs(number) <= EXACT

    def limit(self) -> Limit:
        """What was seen."""
        if self.low > self.high:
            raise InputError(f"data: column {self.name!r} has no value in any row")
        return Limit(whole=self.whole, within=(self.low, self.high), missing=self.missing)


def _floats(column: "pa.Array") -> "NDArray[numpy.float64] | None":
    """A column of plain numbers as floats, missing ones not-a-number; None of other columns."""
    import pyarrow as pa

    kind = column.type
    is_small = pa.types.is_integer(kind) and kind.bit_width < 64
    if not (is_small or pa.types.is_float32(kind) or pa.types.is_float64(kind)):
        return None
    return numpy.asarray(column.to_numpy(zero_copy_only=False), dtype=float)


class _Values:
    """The categories of a column."""

    def __init__(self, column: InputColumn) -> None:
        self.column, self.values = column, dict[Any, None]()
        self.feature = Feature.categorical(
            column.name, column.categories or (), other=True, missing=True, as_text=column.as_text
        )

    def add(self, batch: "pa.RecordBatch", in_text: bool) -> None:
        """Take the values of one more batch."""
        name = self.column.name
        places, values = encoded(batch.column(batch.schema.get_field_index(name)), name)
        for place in set(places.tolist()):
            value = stored_value(self.feature, values[place], in_text)
            self.values[None if is_missing(value) else value] = None
        if len(self.values) > _MOST_CATEGORIES:
            raise InputError(f"data: column {name!r} has more than {_MOST_CATEGORIES:,} values")

    def limit(self) -> Limit:
        """What was seen, in the model's spelling."""
        known = {value: value for value in self.column.categories or ()}
        return limit_of(self.column.name, {known.get(value, value) for value in self.values})


class _Group:
    """The columns of a one-hot group that are 1 in some row."""

    def __init__(self, column: InputColumn, members: Sequence[str]) -> None:
        self.column, self.members, self.values = column, members, set[Any]()

    def add(self, batch: "pa.RecordBatch", in_text: bool) -> None:
        """Take the values of one more batch."""
        places = []
        for member in self.members:
            column = _Numbers(InputColumn(member))
            column.add(batch, in_text)
            column.limit()
            at = batch.schema.get_field_index(member)
            read = [stored_value(column.feature, v, in_text) for v in batch.column(at).to_pylist()]
            if not {0, 1}.issuperset(read):
                raise InputError(f"data: column {member!r} of the group is not always 0 or 1")
            places.append(read)
        for ones in set(zip(*places, strict=True)):
            if sum(ones) > 1:
                raise InputError(f"data: a row has two ones in the group {self.column.name!r}")
            known = self.column.categories or ()
            self.values.add(known[ones.index(1)] if any(ones) else OTHER)

    def limit(self) -> Limit:
        """What was seen."""
        return limit_of(self.column.name, self.values)

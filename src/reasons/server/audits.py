"""Audits of the user's rows: the latest are kept, and their verdicts served page by page."""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from reasons.audit.api import audit
from reasons.audit.audit import Audit
from reasons.audit.engines import Finished, Numbered, Work
from reasons.audit.engines.threads import Threads
from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import InputError
from reasons.text import comma_list
from reasons.views.values import Object, Plain, json_value, raw_values

if TYPE_CHECKING:
    import pyarrow as pa

_MENTIONING = ("necessary", "reason", "shortest", "change")


@dataclass(frozen=True)
class RowFilter:
    """Which rows of an audit are shown: those that meet every condition."""

    label: str | None = None
    biased: bool | None = None
    feature: str | None = None


class Audits:
    """The latest audits by random ids, up to a number and up to bytes of verdicts."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes, self._lock = most, most_bytes, Lock()
        self._kept: OrderedDict[str, Audit] = OrderedDict()

    def add(self, made: Audit) -> str:
        """Keep an audit and drop the oldest where there are too many; the new one stays."""
        key = secrets.token_hex(16)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > 1 and self._is_full():
                self._kept.popitem(last=False)
        return key

    def _is_full(self) -> bool:
        size = sum(made.table.nbytes for made in self._kept.values())
        return len(self._kept) > self._most or size > self._most_bytes

    def get(self, key: str) -> Audit | None:
        """The audit of an id, if it is still kept."""
        with self._lock:
            return self._kept.get(key)


def audited(
    classifier: Classifier,
    data: Any,
    protected: Sequence[str],
    ask: Sequence[str] | None,
    favourable: Plain,
    budget: Budget,
) -> Audit:
    """The audit of a table, or of instances as JSON objects."""
    if isinstance(data, list):
        data = list(_instances(classifier, data))
    wanted = None if favourable is None else _label(classifier, favourable)
    left = budget.seconds_left
    seconds = None if left is None else max(left / 30, 0.1)
    return audit(
        classifier,
        data,
        protected,
        ask,
        favourable=wanted,
        seconds=seconds,
        budget=budget,
        engine=_Within(budget),
    )


@dataclass(frozen=True)
class _Within:
    """The engine of threads, which stops in the middle of a part when the budget ends."""

    budget: Budget

    def __call__(self, work: Work, batches: Iterable[Numbered]) -> Finished:
        return Threads()(_Stopping(work, self.budget), batches)


@dataclass(frozen=True)
class _Stopping:
    work: Work
    budget: Budget

    @property
    def one_at_a_time(self) -> bool:
        return self.work.one_at_a_time

    def __call__(
        self, number: int, batch: "pa.RecordBatch", stopped: Callable[[], bool]
    ) -> "pa.RecordBatch":
        def ended() -> bool:
            self.budget.check("the audit")
            return stopped()

        return self.work(number, batch, ended)


def _instances(classifier: Classifier, data: Sequence[Mapping[str, Plain]]) -> Iterator[Object]:
    for number, instance in enumerate(data):
        try:
            yield raw_values(classifier.schema, instance)
        except InputError as error:
            raise InputError(f"instance {number}: {error}") from None


def _label(classifier: Classifier, value: Plain) -> Any:
    """The label of a JSON value."""
    for label in classifier.labels:
        if json_value(label) == value and isinstance(value, bool) == isinstance(label, bool):
            return label
    raise InputError(f"there is no such label; the labels are: {comma_list(classifier.labels)}")


def shown(made: Audit, wanted: RowFilter, start: int, count: int) -> Object:
    """A page of the verdicts that a filter selects, and how many it selects."""
    table = _filtered(made, wanted)
    fields = [{"name": field.name, "kind": _kind(field.type)} for field in table.schema]
    rows = table.slice(start, count).to_pylist()
    return {
        "total": table.num_rows,
        "start": start,
        "columns": fields,
        "rows": [{name: _plain(value) for name, value in row.items()} for row in rows],
    }


def _filtered(made: Audit, wanted: RowFilter) -> "pa.Table":
    import pyarrow.compute as pc

    table = made.table
    if wanted.label is not None:
        labels = [x for x in made.verdict_schema.labels if str(x) == wanted.label]
        if not labels:
            raise InputError(f"there is no label {wanted.label!r}")
        table = table.filter(
            pc.equal(table.column("label"), made.verdict_schema.written(labels[0]))
        )
    if wanted.biased is not None:
        if "biased" not in table.column_names:
            raise InputError("this audit has no bias verdicts: name protected features")
        table = table.filter(pc.equal(table.column("biased"), wanted.biased))
    if wanted.feature is not None:
        table = table.take(_mentioning(made, table, wanted.feature))
    return table


def _mentioning(made: Audit, table: "pa.Table", name: str) -> Any:
    """The rows where a reason, a necessary characteristic or a change mentions a feature."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    index, columns = made.classifier.schema.index(name), made.verdict_schema
    first = columns.offsets[index]
    texts = pa.array(columns.texts[first : first + columns.sizes[index]], pa.string())
    rows = [np.empty(0, np.int64)]
    for column in (c for c in _MENTIONING if c in table.column_names):
        lists = table.column(column).combine_chunks()
        speaks = pc.is_in(pc.list_flatten(lists).cast(pa.string()), texts)
        rows.append(np.asarray(pc.list_parent_indices(lists).filter(speaks)))
    return np.unique(np.concatenate(rows))


def _kind(of: "pa.DataType") -> str:
    import pyarrow as pa

    if pa.types.is_boolean(of):
        return "boolean"
    if pa.types.is_integer(of) or pa.types.is_floating(of):
        return "number"
    return "list" if pa.types.is_list(of) else "text"


def _plain(value: Any) -> Any:
    return [str(one) for one in value] if isinstance(value, list) else json_value(value)

"""Columns that come from the data itself: logged decisions, groups, unseen values."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reasons.audit.verdicts.passthrough import copied
from reasons.audit.verdicts.schema import VerdictSchema, joined
from reasons.features.grammar.tokens import quoted
from reasons.features.tables import TEXTS, Problems, Unseen, encoded
from reasons.features.values import is_missing
from reasons.text import comma_list, did_you_mean, short_repr

if TYPE_CHECKING:
    import pyarrow as pa


def logged_of(
    verdict_schema: VerdictSchema, batch: "pa.RecordBatch", labels: "pa.Array", problems: Problems
) -> dict[str, "pa.Array"]:
    """The logged decisions as labels, and which agree with ours; null where there is none."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    name = verdict_schema.options.logged
    if name is None:
        return {}
    places, values = encoded(copied(batch.column(name), name), name)
    in_text = TEXTS in (batch.schema.metadata or {})
    found = [_labels(verdict_schema, value, in_text) for value in values]
    unknown = [i for i, own in enumerate(found) if len(own) != 1 and not _absent(values[i])]
    for row in np.flatnonzero(np.isin(places, unknown)) if unknown else ():
        place = places[row]
        problems.setdefault(int(row), _complaint(verdict_schema, values[place], found[place]))
    written = [verdict_schema.written(own[0]) if len(own) == 1 else None for own in found]
    logged = pa.array(written, verdict_schema.label).take(pa.array(places))
    return {"logged": logged, "agrees": pc.equal(logged, labels)}


def _absent(value: Any) -> bool:
    return value == "" or is_missing(value)


def _labels(verdict_schema: VerdictSchema, value: Any, in_text: bool) -> list[Any]:
    """The labels that a logged value may mean: by `logged_as`, or because it names them."""
    meanings = verdict_schema.options.logged_as
    if keys := named(value, meanings, in_text):
        return list(dict.fromkeys(meanings[key] for key in keys))
    return named(value, verdict_schema.labels, in_text)


def named(value: Any, known: Iterable[Any], in_text: bool) -> list[Any]:
    """The known values that a value names: an equal one; for a text, by number or in any case.

    Several if it is ambiguous.

    >>> named("yes", ["YES", "yes"], True), named("Yes", ["YES", "yes"], True)
    (['yes'], ['YES', 'yes'])
    >>> named("1.0", [0, 1], True), named("1.0", [False, True], True), named("1.0", [1], False)
    ([1], [True], [])
    """
    every = list(known)
    found = [one for one in every if value == one][:1]
    if found or not in_text or not isinstance(value, str):
        return found
    text = value.strip()
    return (
        [one for one in every if text == str(one)]
        or [one for one in every if _is_number(text, one)]
        or [one for one in every if text.lower() == str(one).lower()]
    )


def _is_number(text: str, one: Any) -> bool:
    """Whether a text is that number, which must be read exactly."""
    try:
        return isinstance(one, int | float) and one == float(text) and abs(one) <= 2**53
    except ValueError:
        return False


def _complaint(verdict_schema: VerdictSchema, value: Any, own: list[Any]) -> str:
    known = [*verdict_schema.labels, *verdict_schema.options.logged_as]
    what = (
        f"may be any of {comma_list(own)}" if own else f"is no label{did_you_mean([value], known)}"
    )
    return (
        f"the logged decision {short_repr(value)} {what}; the labels are: "
        f"{comma_list(verdict_schema.labels)}; map other values to labels with logged_as"
    )


def groups_of(names: tuple[str, ...], batch: "pa.RecordBatch") -> dict[str, "pa.Array"]:
    """Columns to group by, as texts."""
    import pyarrow as pa

    found = {}
    for name in names:
        places, values = encoded(copied(batch.column(name), name), name)
        texts = [None if _absent(value) else str(value) for value in values]
        found[joined("group", name)] = pa.array(texts, pa.string()).take(pa.array(places))
    return found


def unseen_of(verdict_schema: VerdictSchema, unseen: Unseen, rows: int) -> "pa.Array":
    """The unseen values of each row, feature by feature; null where there are none."""
    import numpy as np
    import pyarrow as pa

    texts, at = list[str](), np.zeros(0, dtype=np.int64)
    for feature, (where, values) in unseen.items():
        texts += [f"{verdict_schema.names[feature]} = {quoted(value)}" for value in values]
        at = np.concatenate([at, where])
    order, offsets = np.argsort(at, kind="stable"), np.zeros(rows + 1, dtype=np.int32)
    np.cumsum(np.bincount(at, minlength=rows), out=offsets[1:])
    return pa.ListArray.from_arrays(
        pa.array(offsets),
        pa.array(texts, pa.string()).take(pa.array(order)),
        mask=pa.array(np.diff(offsets) == 0),
    )

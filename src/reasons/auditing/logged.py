"""The columns that come from the data beside the cells: logged decisions, and groups."""

from typing import TYPE_CHECKING, Any

from reasons.auditing.binning import TEXTS, Problems, encoded
from reasons.auditing.columns import Layout, joined
from reasons.errors import listed, shown
from reasons.values import is_missing

if TYPE_CHECKING:
    import pyarrow as pa


def logged_of(
    layout: Layout, batch: "pa.RecordBatch", labels: "pa.Array", problems: Problems
) -> dict[str, "pa.Array"]:
    """The logged decisions as labels, and which agree with ours; null where there is none."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    name = layout.questions.logged
    if name is None:
        return {}
    places, values = encoded(batch.column(name), name)
    in_text = TEXTS in (batch.schema.metadata or {})
    found = [_label(layout, value, in_text) for value in values]
    unknown = [i for i, label in enumerate(found) if label is None and not _absent(values[i])]
    for row in np.flatnonzero(np.isin(places, unknown)) if unknown else ():
        problems.setdefault(int(row), _complaint(layout, values[places[row]]))
    written = [None if label is None else layout.written(label[0]) for label in found]
    logged = pa.array(written, layout.label).take(pa.array(places))
    return {"logged": logged, "agrees": pc.equal(logged, labels)}


def _absent(value: Any) -> bool:
    return value == "" or is_missing(value)


def _label(layout: Layout, value: Any, in_text: bool) -> tuple[Any] | None:
    """The label that a logged value names, if any: by what was said, or because it equals it."""
    translated = layout.questions.logged_as
    if value in translated:
        return (translated[value],)
    for label in layout.labels:
        if value == label or (in_text and str(value).strip().lower() == str(label).lower()):
            return (label,)
    truth = {"1": True, "1.0": True, "0": False, "0.0": False}.get(str(value).strip())
    return (truth,) if in_text and truth is not None and truth in layout.labels else None


def _complaint(layout: Layout, value: Any) -> str:
    return (
        f"the logged decision {shown(value)} is no label; the labels are: "
        f"{listed(layout.labels)}; logged_as= says what else stands for them"
    )


def groups_of(names: tuple[str, ...], batch: "pa.RecordBatch") -> dict[str, "pa.Array"]:
    """Columns to group by, as texts."""
    import pyarrow as pa

    found = {}
    for name in names:
        places, values = encoded(batch.column(name), name)
        texts = [None if _absent(value) else str(value) for value in values]
        found[joined("group", name)] = pa.array(texts, pa.string()).take(pa.array(places))
    return found

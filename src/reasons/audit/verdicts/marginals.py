"""Marginals: how often each value of each feature occurs in the rows that could be read.

A worker counts cells while it makes the verdicts of a part, and sends the counts in the metadata
of its batch. So the data is read and binned once, whatever the engine.
"""

from typing import TYPE_CHECKING, Any

from reasons.features.schema import Schema
from reasons.features.tables import Problems

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

_KEY = b"reasons.marginals"

Marginals = dict[str, dict[Any, int]]
"""Feature -> value -> rows."""


def cell_counts(schema: Schema, cells: "np.ndarray", problems: Problems) -> "np.ndarray":
    """The rows in each cell, one feature after another; rows with a problem are left out."""
    import numpy as np

    sound = np.delete(cells, list(problems), axis=0) if problems else cells
    columns = zip(schema, sound.T, strict=True)
    counts = [np.bincount(column, minlength=len(feature.values)) for feature, column in columns]
    return np.concatenate([np.zeros(0, dtype=np.int64), *counts])


def attach_counts(batch: "pa.RecordBatch", counts: "np.ndarray") -> "pa.RecordBatch":
    """A batch of verdicts that carries the counts of its rows."""
    own = {_KEY: counts.astype("<i8").tobytes()}
    return batch.replace_schema_metadata({**(batch.schema.metadata or {}), **own})


def detach_counts(batch: "pa.RecordBatch") -> "tuple[pa.RecordBatch, bytes]":
    """The batch without its counts, and these; empty where none were taken."""
    metadata = dict(batch.schema.metadata or {})
    counts = metadata.pop(_KEY, b"")
    return batch.replace_schema_metadata(metadata), counts


class MarginalCounts:
    """The sum of the counts of all parts, each added once."""

    def __init__(self, schema: Schema) -> None:
        import numpy as np

        self._schema = schema
        self._counts = np.zeros(sum(len(feature.values) for feature in schema), dtype=np.int64)

    def add(self, counts: bytes) -> None:
        """Add the counts of a part."""
        import numpy as np

        if counts:
            self._counts += np.frombuffer(counts, "<i8")

    def marginals(self) -> Marginals | None:
        """The rows of each value of each feature; None where no row could be read."""
        if not self._counts.any():
            return None
        left = iter(self._counts.tolist())
        return {
            feature.name: {value: next(left) for value in feature.values}
            for feature in self._schema
        }

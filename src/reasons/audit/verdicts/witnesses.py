"""Witnesses with values that the model has seen, wherever a decision has one.

A witness of the core may take the value <other> or <missing>. Few readers care that a decision
would change for a sex that nobody has. So such a witness stays only where no other exists: then the
decision depends on unseen or missing values alone. A witness may keep any value of its row, but
what it changes must become a value that was seen.

Few combinations of seen values are tried for all kinds of rows together. Where there are many, a
sweep of the circuit finds a witness for each kind. A circuit without the unseen values lost: it
would be compiled anew for every set of values that the rows have.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import prod
from typing import TYPE_CHECKING

from reasons.audit.verdicts.answers import Answers, Biased, CircuitAnswers, require_replayed
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.values import Special

if TYPE_CHECKING:
    import numpy as np

FEW = 32
"""Combinations of values above which a sweep of a circuit is cheaper than trying them."""
_CHUNK = 1 << 21  # cells that are decided at once


def unseen_cells(feature: Feature) -> list[int]:
    """The cells of <other> and <missing>.

    >>> unseen_cells(Feature.categorical("sex", ["f", "m"], other=True, missing=True))
    [2, 3]
    """
    return [cell for cell, value in enumerate(feature.values) if isinstance(value, Special)]


def has_unseen(schema: Schema, protected: Sequence[int]) -> bool:
    """Whether a witness on these features can take an unseen or a missing value."""
    return any(unseen_cells(schema[f]) for f in protected)


def prefers_seen(schema: Schema, protected: Sequence[int], is_circuit: bool) -> bool:
    """Whether every witness on these features has seen values if such a witness exists.

    A search tries no more combinations than it does for bias; a circuit has no such limit.
    """
    from reasons.search.batch import MOST_COMBINATIONS

    most = MOST_COMBINATIONS
    return (
        is_circuit or not has_unseen(schema, protected) or _combinations(schema, protected) <= most
    )


def _seen(feature: Feature) -> list[int]:
    return sorted(set(range(len(feature.values))) - set(unseen_cells(feature)))


def _combinations(schema: Schema, protected: Sequence[int]) -> int:
    """How many combinations there are of a row's own values and seen ones."""
    return prod(1 + len(_seen(schema[f])) for f in protected)


def prefer_seen_values(
    schema: Schema, answers: Answers, protected: Sequence[int], bias: Biased
) -> Biased:
    """The same verdicts, with witnesses of seen values for all kinds of rows that have one.

    Cost: for the kinds whose witness is of others, a decision for each combination of seen
    values, or a sweep of the circuit for each.
    """
    import numpy as np

    is_circuit = isinstance(answers, CircuitAnswers)
    if not has_unseen(schema, protected) or not prefers_seen(schema, protected, is_circuit):
        return bias
    unseen = np.zeros(len(bias.yes), dtype=bool)
    for f in protected:
        after = bias.cells[:, f]
        unseen |= (after != answers.cells[:, f]) & np.isin(after, unseen_cells(schema[f]))
    left = np.flatnonzero(bias.yes & unseen)
    if not len(left):
        return bias
    if isinstance(answers, CircuitAnswers) and _combinations(schema, protected) > FEW:
        found = _swept(schema, answers, protected, left)
    else:
        found = _tried(schema, answers, protected, left)
    cells, labels = bias.cells.copy(), bias.labels.copy()
    for kinds, others in found:
        cells[kinds], labels[kinds] = others, answers.decided(others)
        require_replayed(answers.labels[kinds], labels[kinds])
    return replace(bias, cells=cells, labels=labels)


def _tried(
    schema: Schema, answers: Answers, protected: Sequence[int], left: "np.ndarray"
) -> "Iterator[tuple[np.ndarray, np.ndarray]]":
    """Kinds and their witnesses: of all combinations, those with fewest changes first."""
    import numpy as np

    from reasons.search.batch import steps

    tables = [np.array([0, *_seen(schema[f])], dtype=np.uint16) for f in protected]
    ways = steps([len(table) for table in tables])
    at_once = max(1, _CHUNK // len(schema))
    while len(left) and (taken := list(islice(ways, max(1, at_once // len(left))))):
        moved = np.array(taken)
        found = np.zeros(len(left), dtype=bool)
        for start in range(0, len(left), at_once):
            part = left[start : start + at_once]
            cells = np.repeat(answers.cells[part], len(moved), axis=0)
            for f, table, turned in zip(protected, tables, moved.T, strict=True):
                every = np.tile(turned, len(part))
                cells[:, f] = np.where(every == 0, cells[:, f], table[every])
            labels = answers.decided(cells).reshape(len(part), len(moved))
            other = (labels != answers.labels[part][:, None]) & (labels >= 0)
            has, first = other.any(axis=1), other.argmax(axis=1)
            found[start : start + at_once] = has
            rows = np.flatnonzero(has) * len(moved) + first[has]
            if len(rows):
                yield part[has], cells[rows]
        left = left[~found]


def _swept(
    schema: Schema, answers: CircuitAnswers, protected: Sequence[int], left: "np.ndarray"
) -> "Iterator[tuple[np.ndarray, np.ndarray]]":
    """Kinds and their witnesses, a sweep of the circuit for each."""
    import numpy as np

    loose = {f: _seen(schema[f]) for f in protected}
    for kind in left:
        own = answers.cells[kind].tolist()
        allowed = [(f, sorted({*loose.get(f, ()), cell})) for f, cell in enumerate(own)]
        other = answers.other(own, int(answers.labels[kind]), allowed)
        if other is not None:
            yield np.array([kind]), np.array([other], dtype=np.uint16)

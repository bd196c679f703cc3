"""The questions of an audit about a matrix of cells, asked of a circuit or by search.

Rows with the same cells get the same answers, so that each kind of row is asked about once:
`cells` are those of each kind, `kind_of` is the kind of each row, and every answer has a line for
each kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from reasons import _core
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.errors import PropertyError

if TYPE_CHECKING:
    import numpy as np

_THREADS = 1  # an engine works on several parts at once instead


@dataclass(frozen=True)
class Flags:
    """A yes or no for each kind of row, or for each and every feature.

    `failed` says of some kinds why there is no answer.
    """

    yes: "np.ndarray"
    failed: dict[int, str] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True)
class Biased(Flags):
    """Which kinds are biased, the cells of their witnesses, and the labels of these or -1."""

    cells: "np.ndarray"
    labels: "np.ndarray"


class Answers(Protocol):
    """Answers about kinds of rows."""

    cells: "np.ndarray"
    kind_of: "np.ndarray"
    labels: "np.ndarray"

    def biased(self, protected: Sequence[int], witness: bool) -> Biased:
        """Which kinds are biased, with witnesses on request."""

    def necessary(self) -> Flags:
        """Which features are necessary."""

    def sufficient(self, dropped: Sequence[int] | None = None) -> Flags:
        """Which features one sufficient reason mentions, if they are dropped in that order.

        Without an order, from the last to the first: the reason that `Decision` gives.
        """

    def decided(self, cells: "np.ndarray") -> "np.ndarray":
        """The positions of the labels of other cells, -1 where they are impossible."""


class CircuitAnswers:
    """The answers of a circuit, by the core. `cells` are those of the kinds of rows."""

    def __init__(self, circuit: Circuit, cells: "np.ndarray", budget: Budget) -> None:
        import numpy as np

        self._circuit, self._budget = circuit, budget
        self._native = _core.Rows(
            circuit.native, cells.reshape(-1), len(cells), _THREADS, native_budget(budget)
        )
        self.kind_of = np.frombuffer(self._native.distinct()[1], np.uint32)
        self.labels = _positions(np.frombuffer(self._native.labels(), np.uint32))
        known = np.frombuffer(self._native.cells(), np.uint16)
        self.cells = known.reshape(len(self.labels), cells.shape[1])

    def biased(self, protected: Sequence[int], witness: bool) -> Biased:
        """Which kinds are biased; every witness is decided again."""
        import numpy as np

        words, changed = self._native.biased(list(protected), witness, native_budget(self._budget))
        found, other = self._bits(words, 1)[:, 0], self.cells
        after = np.full(len(other), -1, dtype=np.int64)
        if witness:
            values = np.frombuffer(changed, np.uint16).reshape(len(other), len(protected))
            other = other.copy()
            other[:, protected] = values
            after[found] = self.decided(other[found])
            require_replayed(self.labels[found], after[found])
        return Biased(found, other, after)

    def decided(self, cells: "np.ndarray") -> "np.ndarray":
        """The positions of the labels of other cells, -1 where they are impossible."""
        import numpy as np

        decided = self._circuit.native.decide_all(cells.reshape(-1), len(cells))
        return _positions(np.asarray(decided, dtype=np.uint32))

    def other(
        self, cells: list[int], label: int, allowed: list[tuple[int, list[int]]]
    ) -> list[int] | None:
        """Cells within what is allowed that have another label. Cost: a sweep."""
        return _core.counterexample(self._circuit.native, cells, label, allowed)

    def necessary(self) -> Flags:
        """Which features are necessary."""
        found = self._native.necessary(native_budget(self._budget))
        return Flags(self._bits(found, self.cells.shape[1]))

    def sufficient(self, dropped: Sequence[int] | None = None) -> Flags:
        """Which features one sufficient reason mentions."""
        order = _last_first(self.cells) if dropped is None else list(dropped)
        found = self._native.sufficient(order, native_budget(self._budget))
        return Flags(self._bits(found, self.cells.shape[1]))

    def _bits(self, words: bytes, columns: int) -> "np.ndarray":
        """A column of Booleans for each run of words."""
        import numpy as np

        rows = len(self.labels)
        packed = np.frombuffer(words, np.uint8).reshape(columns, -(-rows // 64) * 8)
        return np.unpackbits(packed, axis=1, count=rows, bitorder="little").view(bool).T


def _positions(labels: "np.ndarray") -> "np.ndarray":
    """Labels of the core by position; -1 where a row is impossible."""
    import numpy as np

    return np.where(labels == _core.IMPOSSIBLE, -1, labels.astype(np.int64))


def require_replayed(labels: "np.ndarray", after: "np.ndarray") -> None:
    """Raise `PropertyError` if a witness is decided like its row, or is impossible."""
    if ((after == labels) | (after < 0)).any():
        raise PropertyError(
            "the replay of a witness failed; the circuit breaks an invariant "
            "(Circuit.check() says which)"
        )


class SearchAnswers:
    """The answers of a model that is not compiled: by its own `predict`, and by search."""

    def __init__(
        self,
        backend: Backend,
        cells: "np.ndarray",
        predict: Any,
        budget: Budget,
        seconds: float | None,
    ) -> None:
        import numpy as np

        from reasons.search.batch import SearchedRows

        self.cells, self.kind_of = np.unique(cells, axis=0, return_inverse=True)
        self._rows = SearchedRows(
            backend, self.cells, predict=predict, budget=budget, seconds=seconds
        )
        self.labels = _positions(self._rows.labels)

    def biased(self, protected: Sequence[int], witness: bool) -> Biased:
        """Which kinds are biased; every witness is decided again."""
        import numpy as np

        found, other = self._rows.biased(protected), self.cells.copy()
        after = np.full(len(other), -1, dtype=np.int64)
        if witness:
            assert found.witness is not None
            other[:, protected] = found.witness
            after[found.yes] = self.decided(other[found.yes])
            require_replayed(self.labels[found.yes], after[found.yes])
        return Biased(found.yes, other, after, failed=found.failed)

    def necessary(self) -> Flags:
        """Which features are necessary."""
        return Flags(self._rows.necessary())

    def sufficient(self, dropped: Sequence[int] | None = None) -> Flags:
        """Which features one sufficient reason mentions."""
        order = _last_first(self.cells) if dropped is None else list(dropped)
        found = self._rows.sufficient(order)
        return Flags(found.yes, failed=found.failed)

    def decided(self, cells: "np.ndarray") -> "np.ndarray":
        """The positions of the labels of other cells, as the model's own `predict` has them."""
        return _positions(self._rows.decided(cells))


def _last_first(cells: "np.ndarray") -> list[int]:
    """The order in which features are dropped."""
    return list(reversed(range(cells.shape[1])))

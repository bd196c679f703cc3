"""The questions of an audit about a matrix of cells, asked of a circuit or by search.

Rows with the same cells get the same answers, so that each kind of row is asked about once: `first`
is a row of each kind, `kind_of` the kind of each row, and every answer has a line for each kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from reasons import _core
from reasons.budget import Budget
from reasons.circuit import Circuit, native_budget
from reasons.errors import PropertyError

if TYPE_CHECKING:
    import numpy as np

_THREADS = 1  # an engine works on several parts at once instead


@dataclass(frozen=True)
class Biased:
    """Which kinds are, the cells of witnesses, and what these are decided, -1 without."""

    found: "np.ndarray"
    cells: "np.ndarray"
    labels: "np.ndarray"


class Answers(Protocol):
    """What is known about rows; `failed` says of some kinds why a question has no answer."""

    cells: "np.ndarray"
    kind_of: "np.ndarray"
    labels: "np.ndarray"
    failed: dict[int, str]

    def biased(self, protected: Sequence[int], witness: bool) -> Biased:
        """Which are; with witnesses if they are asked for."""

    def necessary(self) -> "np.ndarray":
        """Which features are necessary: a line of Booleans for each kind of row."""

    def sufficient(self) -> "np.ndarray":
        """Which features one sufficient reason mentions."""


class CircuitAnswers:
    """The answers of a circuit, by the core. `cells` are those of the kinds of rows."""

    def __init__(self, circuit: Circuit, cells: "np.ndarray", budget: Budget) -> None:
        import numpy as np

        self._circuit, self._budget, self._rows = circuit, budget, len(cells)
        self._native = _core.Rows(
            circuit.native, cells.reshape(-1), len(cells), _THREADS, native_budget(budget)
        )
        first, kind_of = self._native.distinct()
        self._first, self.kind_of = (
            np.frombuffer(first, np.uint32),
            np.frombuffer(kind_of, np.uint32),
        )
        self.cells = cells[self._first]
        self.labels = _positions(np.frombuffer(self._native.labels(), np.uint32)[self._first])
        self.failed: dict[int, str] = {}

    def biased(self, protected: Sequence[int], witness: bool) -> Biased:
        """Which are; a witness is decided again before it leaves."""
        import numpy as np

        words, changed = self._native.biased(list(protected), witness, native_budget(self._budget))
        found, other = self._bits(words, 1)[:, 0], self.cells
        after = np.full(len(other), -1, dtype=np.int64)
        if witness:
            values = np.frombuffer(changed, np.uint16).reshape(self._rows, len(protected))
            other = other.copy()
            other[:, protected] = values[self._first]
            after[found] = self._decided(other[found])
            require_replayed(self.labels[found], after[found])
        return Biased(found, other, after)

    def _decided(self, cells: "np.ndarray") -> "np.ndarray":
        import numpy as np

        decided = self._circuit.native.decide_all(cells.reshape(-1), len(cells))
        return _positions(np.asarray(decided, dtype=np.uint32))

    def necessary(self) -> "np.ndarray":
        """Which features are necessary: a line of Booleans for each kind of row."""
        found = self._native.necessary(native_budget(self._budget))
        return self._bits(found, self.cells.shape[1])

    def sufficient(self) -> "np.ndarray":
        """Which features one sufficient reason mentions: the one that `Decision` gives."""
        order = list(reversed(range(self.cells.shape[1])))
        found = self._native.sufficient(order, native_budget(self._budget))
        return self._bits(found, self.cells.shape[1])

    def _bits(self, words: bytes, columns: int) -> "np.ndarray":
        """A column of Booleans for each run of words."""
        import numpy as np

        packed = np.frombuffer(words, np.uint8).reshape(columns, -(-self._rows // 64) * 8)
        bits = np.unpackbits(packed, axis=1, count=self._rows, bitorder="little")
        return bits[:, self._first].T.astype(bool)


def _positions(labels: "np.ndarray") -> "np.ndarray":
    """Labels of the core by position; -1 where a row is impossible."""
    import numpy as np

    return np.where(labels == _core.IMPOSSIBLE, -1, labels.astype(np.int64))


def require_replayed(labels: "np.ndarray", after: "np.ndarray") -> None:
    """Raise `PropertyError` if a witness is decided like its row, or is impossible."""
    if ((after == labels) | (after < 0)).any():
        raise PropertyError(
            "a witness did not stand the replay; the circuit breaks an invariant "
            "(Circuit.check() says which)"
        )

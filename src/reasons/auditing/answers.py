"""The questions of an audit about a matrix of cells, asked of a circuit or by search."""

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
    """Which rows are, the cells of witnesses, and what these are decided, -1 without."""

    found: "np.ndarray"
    cells: "np.ndarray"
    labels: "np.ndarray"


class Answers(Protocol):
    """What is known about rows; `failed` says of some why a question has no answer."""

    failed: dict[int, str]

    def labels(self) -> "np.ndarray":
        """Positions of labels; -1 where a row is impossible."""

    def biased(self, protected: Sequence[int], witness: bool) -> Biased:
        """Which rows are; with witnesses if they are asked for."""

    def necessary(self) -> "np.ndarray":
        """Which features are necessary: a row of Booleans for each row."""

    def sufficient(self) -> "np.ndarray":
        """Which features one sufficient reason mentions."""


class CircuitAnswers:
    """The answers of a circuit, by the core."""

    def __init__(self, circuit: Circuit, cells: "np.ndarray", budget: Budget) -> None:
        self._circuit, self._cells, self._budget = circuit, cells, budget
        self.failed: dict[int, str] = {}

    def labels(self) -> "np.ndarray":
        """Positions of labels; -1 where a row is impossible."""
        return self._decided(self._cells)

    def _decided(self, cells: "np.ndarray") -> "np.ndarray":
        import numpy as np

        found = np.asarray(
            self._circuit.native.decide_all(cells.reshape(-1), len(cells)), dtype=np.int64
        )
        return np.where(found == _core.IMPOSSIBLE, -1, found)

    def biased(self, protected: Sequence[int], witness: bool) -> Biased:
        """Which rows are; a witness is decided again before it leaves."""
        import numpy as np

        words, changed = _core.biased_rows(
            *self._asked, list(protected), witness, _THREADS, native_budget(self._budget)
        )
        found, other = self._bits(words)[:, 0], self._cells
        after = np.full(len(other), -1)
        if witness:
            other = other.copy()
            other[:, protected] = np.frombuffer(changed, np.uint16).reshape(-1, len(protected))
            after[found] = self._decided(other[found])
            require_replayed(self.labels()[found], after[found])
        return Biased(found, other, after)

    def necessary(self) -> "np.ndarray":
        """Which features are necessary: a row of Booleans for each row."""
        budget = native_budget(self._budget)
        return self._bits(_core.necessary_rows(*self._asked, _THREADS, budget))

    def sufficient(self) -> "np.ndarray":
        """Which features one sufficient reason mentions: the one that `Decision` gives."""
        order = list(reversed(range(len(self._circuit.schema))))
        budget = native_budget(self._budget)
        return self._bits(_core.sufficient_rows(*self._asked, order, _THREADS, budget))

    @property
    def _asked(self) -> tuple[_core.Circuit, "np.ndarray", int]:
        return self._circuit.native, self._cells.reshape(-1), len(self._cells)

    def _bits(self, words: bytes) -> "np.ndarray":
        """A column of Booleans for each run of words."""
        import numpy as np

        rows = len(self._cells)
        each = -(-rows // 64) * 8
        if not each:
            return np.zeros((0, max(1, self._cells.shape[1])), dtype=bool)
        packed = np.frombuffer(words, np.uint8).reshape(-1, each)
        return np.unpackbits(packed, axis=1, count=rows, bitorder="little").T.astype(bool)


def require_replayed(labels: "np.ndarray", after: "np.ndarray") -> None:
    """Raise `PropertyError` if a witness is decided like its row, or is impossible."""
    if ((after == labels) | (after < 0)).any():
        raise PropertyError(
            "a witness did not stand the replay; the circuit breaks an invariant "
            "(Circuit.check() says which)"
        )

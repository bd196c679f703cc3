"""A better variable order for a finished diagram, by sifting.

Every variable is moved through all levels and left where the diagram was
smallest (Rudell 1993), the ones with most nodes first, until time is up or a
round gains nothing. A manager of its own, because OxiDD empties its apply cache
at each reordering: with a tiny cache a swap takes microseconds, not a
millisecond.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from reasons.frontends.formula.deep_stack import OutOfTime, Pulse

if TYPE_CHECKING:
    from oxidd.bdd import BDDManager

_TINY_CACHE = 1 << 8
_GROWTH = 1.2
_WORTHWHILE = 0.99


class Sifter:
    """A diagram read from a DDDMP file, to be reordered."""

    def __init__(self, path: Path, levels: int, nodes: int) -> None:
        from oxidd.bdd import BDDManager
        from oxidd.util import DDDMPFile

        # A swap at most triples the diagram, which may have grown by _GROWTH.
        self.manager: BDDManager = BDDManager(4 * nodes + 4 * levels + 1024, _TINY_CACHE, 1)
        self.manager.add_vars(levels)
        with DDDMPFile(str(path)) as file:
            (self.function,) = self.manager.import_dddmp(file)
        self.order = list(range(levels))

    @property
    def size(self) -> int:
        """Inner nodes at present; OxiDD drops dead ones while it swaps."""
        return int(self.manager.num_inner_nodes())

    def improve(self, heaviest: list[int], pulse: Pulse) -> None:
        """Sift these variables until nothing is gained or the pulse's deadline passes."""
        before = math.inf
        try:
            while self.size < before * _WORTHWHILE:
                before = float(self.size)
                for variable in heaviest:
                    self._sift(variable, pulse)
        except OutOfTime:
            return

    def _sift(self, variable: int, pulse: Pulse) -> None:
        """Move one variable to the level where the diagram is smallest."""
        start = best = self.order.index(variable)
        least, last = self.size, len(self.order) - 1
        try:
            for end in (0, last) if start < last - start else (last, 0):
                at = self.order.index(variable)
                while at != end and self.size <= least * _GROWTH + 2:
                    pulse.check()
                    at += 1 if end else -1
                    self._move(variable, at)
                    if self.size < least:
                        least, best = self.size, at
                self._move(variable, best)
        finally:
            self._move(variable, best)

    def _move(self, variable: int, to: int) -> None:
        """Put one variable at a level; the others keep their sequence."""
        self.order.remove(variable)
        self.order.insert(to, variable)
        self.manager.set_var_order(self.order)

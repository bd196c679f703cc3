"""The competition of several variable orders for a formula's smallest diagram.

Orders are tried below a small node cap that grows for all of them together, so
that one bad order cannot eat the budget. Once a diagram exists, the other orders
and then sifting get a bounded time to find a smaller one.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from reasons.budget import Budget
from reasons.errors import BudgetExceeded
from reasons.frontends.formula.deep_stack import OutOfTime, Pulse
from reasons.frontends.formula.gates import Formula
from reasons.frontends.formula.oxidd_build import OutOfNodes, OxiddBuild
from reasons.frontends.formula.oxidd_export import Table, exported
from reasons.frontends.formula.oxidd_sift import Sifter

SEARCH_SECONDS = 1.5
"""At most this long is spent on a better order once a diagram exists."""

_SEARCH_SHARE = 0.25
_LEAST_SEARCH, _SEARCH_PER_BUILD = 0.02, 10
_SMALL = 50
_LARGE = 1_000_000
_FIRST_CAP, _CAP_GROWTH, _CAP_LIMIT = 1 << 14, 8, 1 << 28
# Measured: 37, with unique tables and apply cache, at 3.7 million nodes.
_BYTES_PER_NODE = 48


class Found(NamedTuple):
    """A diagram, the order it is in, and the file it was exported to."""

    table: Table
    order: list[int]
    path: Path

    @property
    def size(self) -> int:
        return len(self.table.variables)


class OrderSearch:
    """One formula and the orders to try, each a list of all variables it reads."""

    def __init__(self, formula: Formula, orders: list[list[int]], pulse: Pulse) -> None:
        self.formula, self.orders, self.pulse = formula, orders, pulse
        self._files = 0

    def first(self) -> Found:
        """The diagram in the first order that fits; nothing is improved."""
        with tempfile.TemporaryDirectory(prefix="reasons-") as folder:
            return self._first(Path(folder))[0]

    def best(self) -> Found:
        """The smallest diagram found before the time for search is over."""
        with tempfile.TemporaryDirectory(prefix="reasons-") as folder:
            started = time.monotonic()
            found, cap, others = self._first(Path(folder))
            # What is quickly built is not worth a long search.
            patience = _LEAST_SEARCH + _SEARCH_PER_BUILD * (time.monotonic() - started)
            seconds = min(_search_seconds(self.pulse.budget), patience)
            self.pulse.deadline = time.monotonic() + seconds / 2
            for order in others:
                if not self._is_small(found):
                    found = self._smaller(found, order, cap)
            self.pulse.deadline += seconds / 2
            return found if self._is_small(found) else self._sifted(found)

    def _first(self, folder: Path) -> tuple[Found, int, list[list[int]]]:
        """A diagram, the cap it fitted below, and the orders not tried below it."""
        for cap in self._caps():
            for count, order in enumerate(self.orders, 1):
                try:
                    return self._built(order, cap, folder), cap, self.orders[count:]
                except OutOfNodes:
                    continue
        raise BudgetExceeded(
            self.pulse.stage, nodes=_most_nodes(self.pulse.budget), orders=len(self.orders)
        )

    def _built(self, order: list[int], cap: int, folder: Path) -> Found:
        built = OxiddBuild(self.formula, order, cap, self.pulse)
        self._files += 1
        path = folder / f"{self._files}.dddmp"
        return Found(exported(built.manager, built.function, path, order), order, path)

    def _smaller(self, found: Found, order: list[int], cap: int) -> Found:
        """The diagram in another order, if there is time to make it and it is smaller."""
        try:
            return min(found, self._built(order, cap, found.path.parent), key=lambda it: it.size)
        except (OutOfNodes, OutOfTime):
            return found

    def _sifted(self, found: Found) -> Found:
        """The diagram after sifting, unless it is too large for that to get anywhere."""
        if found.size > _LARGE:
            return found
        level = {variable: level for level, variable in enumerate(found.order)}
        heaviest = [level[variable] for variable, _ in Counter(found.table.variables).most_common()]
        sifter = Sifter(found.path, len(found.order), found.size)
        sifter.improve(heaviest, self.pulse)
        if sifter.size >= found.size:
            return found
        table = exported(sifter.manager, sifter.function, found.path, found.order)
        return Found(table, [found.order[place] for place in sifter.order], found.path)

    def _is_small(self, found: Found) -> bool:
        return found.size <= max(_SMALL, 2 * len(found.order))

    def _caps(self) -> Iterator[int]:
        """Node caps, growing up to the budget's."""
        most = _most_nodes(self.pulse.budget)
        cap = _FIRST_CAP + 4 * len(self.orders[0])
        while cap < most:
            yield cap
            cap *= _CAP_GROWTH
        yield most


def _most_nodes(budget: Budget) -> int:
    """The node cap that the budget's nodes and bytes allow."""
    limits = [_CAP_LIMIT]
    if budget.nodes is not None:
        limits.append(budget.nodes)
    if budget.bytes is not None:
        limits.append(max(1, budget.bytes // _BYTES_PER_NODE))
    return min(limits)


def _search_seconds(budget: Budget) -> float:
    left = budget.seconds_left
    return SEARCH_SECONDS if left is None else min(SEARCH_SECONDS, _SEARCH_SHARE * left)

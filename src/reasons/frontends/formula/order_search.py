"""The competition of several variable orders for a formula's smallest diagram.

Orders are tried below a small node limit that grows for all of them together, so
that one bad order cannot eat the budget. Once a diagram exists, the other orders get
a bounded time to find a smaller one.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple

from reasons.budget import Budget
from reasons.errors import BudgetExceeded
from reasons.frontends.formula.deep_stack import OutOfTime, Pulse
from reasons.frontends.formula.gates import Formula
from reasons.frontends.formula.oxidd import NodeTable, OutOfNodes, OxiddBuild

SEARCH_SECONDS = 0.75
"""At most this long is spent on a better order once a diagram exists."""

_SEARCH_SHARE = 0.125
_LEAST_SEARCH, _SEARCH_PER_BUILD = 0.01, 5
_SMALL = 50
_FIRST_CAP, _CAP_GROWTH, _CAP_LIMIT = 1 << 14, 8, 1 << 28
# Measured: 37, with unique tables and apply cache, at 3.7 million nodes.
_BYTES_PER_NODE = 48


class OrderedTable(NamedTuple):
    """The nodes of a diagram, and the order that it is in."""

    nodes: NodeTable
    order: list[int]

    @property
    def size(self) -> int:
        """The number of inner nodes."""
        return len(self.nodes.variables)


class OrderSearch:
    """One formula and the orders to try, each a list of all variables it reads."""

    def __init__(self, formula: Formula, orders: list[list[int]], pulse: Pulse) -> None:
        self.formula, self.orders, self.pulse = formula, orders, pulse

    def first(self) -> OrderedTable:
        """The diagram in the first order that fits; nothing is improved."""
        return self._first()[0]

    def best(self) -> OrderedTable:
        """The smallest diagram found before the time for search is over."""
        started = time.monotonic()
        smallest, cap, others = self._first()
        # What is quickly built is not worth a long search.
        patience = _LEAST_SEARCH + _SEARCH_PER_BUILD * (time.monotonic() - started)
        seconds = min(_search_seconds(self.pulse.budget), patience)
        self.pulse.deadline = time.monotonic() + seconds
        for order in others:
            if not is_small(smallest.size, len(order)):
                smallest = self._smaller(smallest, order, cap)
        return smallest

    def _first(self) -> tuple[OrderedTable, int, list[list[int]]]:
        """A diagram, the cap it fitted below, and the orders not tried below it."""
        for cap in self._caps():
            for count, order in enumerate(self.orders, 1):
                try:
                    return self._built(order, cap), cap, self.orders[count:]
                except OutOfNodes:
                    continue
        raise BudgetExceeded(
            self.pulse.stage, nodes=_most_nodes(self.pulse.budget), orders=len(self.orders)
        )

    def _built(self, order: list[int], cap: int) -> OrderedTable:
        return OrderedTable(OxiddBuild(self.formula, order, cap, self.pulse).table(), order)

    def _smaller(self, smallest: OrderedTable, order: list[int], cap: int) -> OrderedTable:
        """The diagram in another order, if there is time to make it and it is smaller."""
        try:
            return min(smallest, self._built(order, cap), key=lambda table: table.size)
        except (OutOfNodes, OutOfTime):
            return smallest

    def _caps(self) -> Iterator[int]:
        """Node caps, growing up to the budget's."""
        most = _most_nodes(self.pulse.budget)
        cap = _FIRST_CAP + 4 * len(self.orders[0])
        while cap < most:
            yield cap
            cap *= _CAP_GROWTH
        yield most


def is_small(nodes: int, variables: int) -> bool:
    """Whether a diagram is so small that a better order would not gain much."""
    return nodes <= max(_SMALL, 2 * variables)


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

"""Enumeration: the label of every instance of a network, where there are few enough."""

import math
from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.budget import Budget
from reasons.frontends.bayesnet.contraction import NOTHING_LOST, Contraction, Likelihoods, least
from reasons.frontends.bayesnet.d_separation import Block
from reasons.frontends.bayesnet.exact import Exact
from reasons.frontends.bayesnet.network import Floats
from reasons.frontends.bayesnet.query import Query

Labels = NDArray[numpy.uint32]
Truths = NDArray[numpy.bool_]
_CHUNK = 1 << 20
_MOST_TABLE = 1 << 25
_ROUNDING = 2.0**-52
_SMALL = 2.0**-900  # products above this keep full precision
_NO_AXIS = -1
_KEPT = 100  # bits by which a number must exceed the underflow error


class Cells:
    """The labels of all instances of some features, computed in chunks.

    `settled` counts the close calls, which are decided in exact arithmetic.
    """

    def __init__(self, query: Query, blocks: Sequence[Block], exact: Exact, budget: Budget) -> None:
        self._query, self._exact, self._budget = query, exact, budget
        self.places = sorted({place for block in blocks for place in block.features})
        self._axes = [query.features[place] for place in self.places]
        sizes = [len(query.network.nodes[node].states) for node in self._axes]
        self._shape = [*sizes, 1]  # arrays need an axis even without features
        self._fixed = self._axes[: self._head(blocks)]
        self._blocks = [Contraction(query, block, self._fixed, budget) for block in blocks]
        self._tables: list[Likelihoods] = []
        self.settled = 0

    def _head(self, blocks: Sequence[Block]) -> int:
        """How many leading features to fix so that no block's table is too large."""
        classes, head = len(self._query.classes.states), 0
        sizes = dict(zip(self.places, self._shape, strict=False))
        while (
            classes
            * max(
                math.prod(
                    sizes[place] for place in block.features if place not in self.places[:head]
                )
                for block in blocks
            )
            > _MOST_TABLE
        ):
            head += 1
        return head

    def labels(self) -> Labels:
        """An array with an axis, in states, for each feature of `places`."""
        labels = numpy.empty(self._shape, dtype=numpy.uint32)
        head = next(h for h in range(len(self._shape) + 1) if math.prod(self._shape[h:]) <= _CHUNK)
        head = max(head, len(self._fixed))
        states: tuple[int, ...] | None = None
        for start in numpy.ndindex(*self._shape[:head]):
            self._budget.check("the labels of all instances")
            if states != start[: len(self._fixed)]:
                states = start[: len(self._fixed)]
                self._contract(dict(zip(self._fixed, states, strict=True)))
            labels[start] = self._chunk(start)
        return labels.reshape(self._shape[:-1])

    def _contract(self, states: dict[int, int]) -> None:
        """The tables where the first features have these states."""
        if self._tables:
            pairs = zip(self._blocks, self._tables, strict=True)
            self._tables = [block.at(states) if block.fixed else table for block, table in pairs]
        else:
            self._tables = [block.at(states) for block in self._blocks]
        depth = sum(least(table.values) - 1 for table in self._tables)
        self._is_deep = depth < math.log2(_SMALL)

    def _chunk(self, start: tuple[int, ...]) -> Labels:
        """The labels of the instances whose first features have these states."""
        sizes = self._shape[len(start) :]
        product: Floats = numpy.ones((len(self._query.classes.states), *([1] * len(sizes))))
        doubt: Truths = numpy.zeros([1] * len(sizes), dtype=bool)
        for table in self._tables:
            part = self._part(table, start)
            if table.lost > NOTHING_LOST:
                doubt = doubt | (part < 2.0 ** (table.lost + _KEPT)).any(axis=0)
            product = _scaled(product * _scaled(part))
            if self._is_deep:
                doubt = doubt | (product < _SMALL).any(axis=0)
        product = numpy.broadcast_to(product, (len(product), *sizes))
        labels, close = self._decided(product)
        self._settle(labels, close | doubt, start)
        return labels

    def _part(self, table: Likelihoods, start: tuple[int, ...]) -> Floats:
        """A table where the first features are fixed, with axes for the target and the others."""
        fixed = dict(zip(self._axes, start, strict=False))
        at: Any = tuple(fixed.get(axis, slice(None)) for axis in table.axes)
        sizes = dict(zip(table.axes, table.values.shape, strict=True))
        left = [self._query.target, *self._axes[len(start) :], _NO_AXIS]
        return numpy.reshape(table.values[at], [sizes.get(axis, 1) for axis in left])

    def _decided(self, product: Floats) -> tuple[Labels, Truths]:
        """Labels, and where rounding may have changed them."""
        query = self._query
        impossible = product.max(axis=0) == 0
        if query.threshold is None:
            labels = product.argmax(axis=0).astype(numpy.uint32)
            first, second = _two_largest(product)
            close = second * (1 + self._error) >= first
        else:
            own = product[query.state] * float(1 - query.threshold)
            others = numpy.delete(product, query.state, axis=0).sum(axis=0)
            others *= float(query.threshold)
            labels = (own >= others).astype(numpy.uint32)
            close = abs(own - others) <= self._error * (own + others)
            if query.threshold == 1:  # the others must be 0, which is exact
                close[:] = False
        labels[impossible] = _core.IMPOSSIBLE
        return labels, close & ~impossible

    @property
    def _error(self) -> float:
        """The relative error of the difference between two sides."""
        roundings = sum(table.roundings + 2 for table in self._tables)
        roundings += 2 * len(self._query.classes.states)
        return roundings * _ROUNDING + 2.0**-60

    def _settle(self, labels: Labels, close: Truths, start: tuple[int, ...]) -> None:
        """Decide close calls exactly."""
        states = [0] * len(self._query.features)
        doubtful = numpy.argwhere(numpy.broadcast_to(close, labels.shape))
        for count, rest in enumerate(doubtful.tolist()):
            if count % 64 == 0:
                self._budget.check("the instances near the threshold")
            for place, state in zip(self.places, (*start, *rest), strict=False):
                states[place] = state
            labels[tuple(rest)] = self._exact.decide(states)
        self.settled += len(doubtful)


def _scaled(values: Floats) -> Floats:
    """Each instance's numbers times the power of two that makes the largest near 1."""
    return numpy.asarray(numpy.ldexp(values, -numpy.frexp(values.max(axis=0))[1]))


def _two_largest(product: Floats) -> tuple[Floats, Floats]:
    if len(product) == 1:
        return product[0], numpy.full_like(product[0], -1)
    parted = numpy.partition(product, len(product) - 2, axis=0)
    return parted[-1], parted[-2]

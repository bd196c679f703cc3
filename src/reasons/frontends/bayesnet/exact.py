"""Exact inference by variable elimination in integers, for instances that floats cannot decide.

A node's table is its fractions times their common denominator. The factor is the same for all
rows, so posteriors do not change.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.frontends.bayesnet.d_separation import Block
from reasons.frontends.bayesnet.network import Node
from reasons.frontends.bayesnet.query import Query

Whole = NDArray[numpy.object_]
Part = tuple[tuple[int, ...], Whole]


class Exact:
    """Decides instances of a query block by block, and remembers the likelihoods of each."""

    def __init__(self, query: Query, blocks: Sequence[Block]) -> None:
        self._query = query
        self._blocks = [_ExactBlock(query, block) for block in blocks]

    def decide(self, states: Sequence[int]) -> int:
        """The position of the label of an instance, or `_core.IMPOSSIBLE`."""
        return label_of(self._query, self.likelihoods(states))

    def likelihoods(self, states: Sequence[int]) -> list[int]:
        """The likelihood of each state of the target with the instance, up to a factor."""
        product = [1] * len(self._query.classes.states)
        for block in self._blocks:
            product = [a * b for a, b in zip(product, block.at(states), strict=True)]
        return product

    def of_block(self, number: int, states: Sequence[int]) -> list[int]:
        """The likelihoods of one block alone."""
        return self._blocks[number].at(states)

    def posterior(self, states: Sequence[int]) -> list[Fraction] | None:
        """The probability of each state of the target given the instance, if it is possible."""
        likelihoods = self.likelihoods(states)
        total = sum(likelihoods)
        return [Fraction(each, total) for each in likelihoods] if total else None


def label_of(query: Query, likelihoods: Sequence[int]) -> int:
    """The label of exact likelihoods, or `_core.IMPOSSIBLE` where they are all 0."""
    total = sum(likelihoods)
    if not total:
        return _core.IMPOSSIBLE
    if query.threshold is None:
        return likelihoods.index(max(likelihoods))
    part, whole = query.threshold.as_integer_ratio()
    return int(likelihoods[query.state] * whole >= total * part)


class _ExactBlock:
    """A block's likelihoods of the target's states, one instance at a time."""

    def __init__(self, query: Query, block: Block) -> None:
        self._query, self._block = query, block
        self._known: dict[tuple[int, ...], list[int]] = {}

    def at(self, states: Sequence[int]) -> list[int]:
        """A number for each state of the target."""
        key = tuple(states[place] for place in self._block.features)
        if key not in self._known:
            self._known[key] = self._summed(key)
        return self._known[key]

    def _summed(self, key: tuple[int, ...]) -> list[int]:
        query, nodes = self._query, self._query.network.nodes
        fixed = {
            query.features[p]: state for p, state in zip(self._block.features, key, strict=True)
        }
        parts = [sliced(nodes[number], number, table, fixed) for number, table in self._tables]
        for hidden in self._order:
            inside = [part for part in parts if hidden in part[0]]
            parts = [part for part in parts if hidden not in part[0]]
            parts.append(_without(hidden, inside))
        count = len(query.classes.states)
        product = [1] * count
        for axes, values in parts:
            column = values.ravel().tolist() * (1 if axes else count)
            product = [a * b for a, b in zip(product, column, strict=True)]
        return product

    @cached_property
    def _tables(self) -> list[tuple[int, Whole]]:
        nodes = self._query.network.nodes
        return [(number, whole_table(nodes[number])) for number in self._block.nodes]

    @cached_property
    def _order(self) -> list[int]:
        """Min-width elimination order: next the hidden node whose tables share the fewest axes."""
        nodes, hidden = self._query.network.nodes, set(self._block.hidden)
        scopes = [hidden & {*nodes[number].parents, number} for number in self._block.nodes]
        order = []
        while hidden:
            joined = {
                node: set().union(*(scope for scope in scopes if node in scope)) for node in hidden
            }
            best = min(hidden, key=lambda node: (len(joined[node]), node))
            scopes = [scope for scope in scopes if best not in scope] + [joined[best] - {best}]
            hidden.remove(best)
            order.append(best)
        return order


def whole_table(node: Node) -> Whole:
    """A node's fractions times their common denominator."""
    entries: list[Fraction] = node.exact.ravel().tolist()
    factor = lcm(*(entry.denominator for entry in entries))
    whole = numpy.empty(len(entries), dtype=object)
    whole[:] = [int(entry * factor) for entry in entries]
    return whole.reshape(node.table.shape)


def sliced(
    node: Node, number: int, table: NDArray[Any], fixed: Mapping[int, int]
) -> tuple[tuple[int, ...], NDArray[Any]]:
    """A table where some nodes have fixed states, and the nodes of its other axes."""
    scope = (*node.parents, number)
    at: Any = tuple(fixed.get(axis, slice(None)) for axis in scope)
    axes = tuple(axis for axis in scope if axis not in fixed)
    return axes, numpy.asarray(table[at], dtype=table.dtype)


def _without(hidden: int, parts: list[Part]) -> Part:
    """The product of tables, summed over a hidden node."""
    axes = tuple({axis: None for part in parts for axis in part[0]})
    product: Any = 1
    for scope, values in parts:
        order = [scope.index(axis) for axis in axes if axis in scope]
        shape = [values.shape[scope.index(axis)] if axis in scope else 1 for axis in axes]
        product = product * values.transpose(order).reshape(shape)
    place = axes.index(hidden)
    return (*axes[:place], *axes[place + 1 :]), numpy.asarray(product.sum(axis=place), dtype=object)

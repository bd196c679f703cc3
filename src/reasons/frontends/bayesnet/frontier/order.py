"""Orders of a network's tables with small frontiers, by randomised greedy search.

The frontier at a point of the order are the nodes that tables before and after it share, and the
target. A feature is decided just before the first of its tables.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from reasons.budget import Budget
from reasons.frontends.bayesnet.d_separation import Block
from reasons.frontends.bayesnet.query import Query

MOST_POSITIONS = 1 << 10  # of the target and the frontier together
_TRIALS = 20  # for each pull
_PULLS = (0.0, 0.5, 3.0)  # bits of cost for each link of distance from the target
_NOISES = (0.1, 1.0, 2.0, 3.0)  # bits of random cost in a trial
_KNOWN = 0.3  # cost of a bit of a decided feature, whose value is known


@dataclass(frozen=True)
class Level:
    """A feature that is decided, if any, and the table that is multiplied in, if any.

    `frontier` are the nodes of the messages afterwards, the target first.
    """

    feature: int | None
    table: int | None
    frontier: tuple[int, ...]


def orders_of(query: Query, blocks: Sequence[Block], budget: Budget) -> list[list[Level]]:
    """Different orders with small frontiers from random trials; none if all are too large.

    The number of messages of an order is not known in advance. So the best order is kept for each
    weight of the distance from the target, and the first of them backwards.
    """
    trial, rng = _Trial(query, blocks), Random(0)
    orders: list[list[int]] = []
    for pull in _PULLS:
        tried = []
        for _ in range(_TRIALS):
            budget.check("an order of the tables")
            tried.append(trial.run(rng, rng.choice(_NOISES), pull))
        made = [each for each in tried if each is not None]
        orders += [min(made)[2]] if made else []
    orders += [orders[0][::-1]] if orders else []
    levels = [_levels(query, order) for order in orders]
    different = {tuple(each): each for each in levels if _fits(query, each)}
    return list(different.values())


def _fits(query: Query, levels: Sequence[Level]) -> bool:
    sizes = [len(node.states) for node in query.network.nodes]
    return all(
        math.prod(sizes[node] for node in level.frontier) <= MOST_POSITIONS for level in levels
    )


class _Trial:
    """Orders found greedily: next the table that leaves the smallest frontier, but for noise."""

    def __init__(self, query: Query, blocks: Sequence[Block]) -> None:
        nodes = query.network.nodes
        self._tables = sorted(number for block in blocks for number in block.nodes)
        scopes = {number: {*nodes[number].parents, number} for number in self._tables}
        self._scopes = {number: scope - {query.target} for number, scope in scopes.items()}
        self._bits = [math.log2(len(node.states)) for node in nodes]
        for feature in query.features:
            self._bits[feature] *= _KNOWN
        self._most = math.log2(MOST_POSITIONS / len(query.classes.states))
        self._distances = _distances(query)
        self._uses: dict[int, set[int]] = {}
        for number, scope in self._scopes.items():
            for node in scope:
                self._uses.setdefault(node, set()).add(number)

    def run(self, rng: Random, noise: float, pull: float) -> tuple[float, float, list[int]] | None:
        """The most bits of a frontier, what all of them cost, and the tables in order."""
        left, frontier, order = set(self._tables), set[int](), list[int]()
        uses = {node: set(tables) for node, tables in self._uses.items()}
        most = cost = 0.0
        while left:
            near = {number for node in frontier for number in uses[node]} or left
            tries = {
                number: self._bits_after(number, frontier, uses)
                + noise * rng.random()
                + pull * self._distances[number]
                for number in sorted(near)
            }
            best = min(tries, key=lambda number: (tries[number], number))
            for node in self._scopes[best]:
                uses[node].discard(best)
            frontier = {node for node in frontier | self._scopes[best] if uses[node]}
            bits = sum(self._bits[node] for node in frontier)
            most, cost = max(most, bits), cost + 2**bits
            if most > self._most:
                return None
            left.remove(best)
            order.append(best)
        return most, cost, order

    def _bits_after(self, number: int, frontier: set[int], uses: dict[int, set[int]]) -> float:
        last = {number}
        return sum(
            self._bits[node] for node in frontier | self._scopes[number] if uses[node] != last
        )


def _distances(query: Query) -> list[int]:
    """How many links away from the target each node is, whatever their direction."""
    network = query.network
    distances = [len(network.nodes)] * len(network.nodes)
    distances[query.target] = 0
    waiting = [query.target]
    for node in waiting:
        for near in (*network.nodes[node].parents, *network.children[node]):
            if distances[near] > distances[node] + 1:
                distances[near] = distances[node] + 1
                waiting.append(near)
    return distances


def _levels(query: Query, order: Sequence[int]) -> list[Level]:
    """The features and tables of an order of tables, one by one."""
    nodes, target = query.network.nodes, query.target
    scopes = {number: (*nodes[number].parents, number) for number in order}
    last = {node: at for at, number in enumerate(order) for node in scopes[number]}
    levels: list[Level] = []
    frontier: tuple[int, ...] = (target,)
    undecided = set(query.features)
    for at, number in enumerate(order):
        new = [node for node in scopes[number] if node in undecided]
        undecided.difference_update(new)
        for feature in new[:-1]:
            frontier = (*frontier, feature)
            levels.append(Level(feature, None, frontier))
        met = dict.fromkeys((*frontier, *scopes[number]))
        frontier = tuple(node for node in met if node == target or last[node] > at)
        levels.append(Level(new[-1] if new else None, number, frontier))
    return levels

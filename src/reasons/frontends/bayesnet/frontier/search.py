"""Frontier search: compiles networks in which few nodes separate one part from the next.

After Shih, Choi and Darwiche, "Compiling Bayesian network classifiers into decision graphs" (AAAI
2019). Features are decided one after the other, and a message summarises the values so far. Partial
instances merge where their messages are proportional, or so near that no decision below changes.
They end where no completion can cross the threshold. The work grows with the number of messages
that really differ.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.errors import BudgetExceeded
from reasons.frontends.bayesnet.d_separation import Block
from reasons.frontends.bayesnet.frontier.bounds import rests
from reasons.frontends.bayesnet.frontier.cache import CachedNode, NodeCache, is_tight
from reasons.frontends.bayesnet.frontier.messages import Step, steps_of
from reasons.frontends.bayesnet.frontier.order import Level, orders_of
from reasons.frontends.bayesnet.integer_logs import log_ratio, odds_of
from reasons.frontends.bayesnet.network import Floats
from reasons.frontends.bayesnet.query import Query

MOST_STATES = 30_000
_ROUNDING = 2.0**-52
_LOGARITHMS = 1e-11  # rounding error of sums of a few logarithms


def by_frontier(
    query: Query, blocks: Sequence[Block], budget: Budget
) -> tuple[Circuit, list[str]] | None:
    """The circuit, if there are two labels and an order that keeps the frontier small."""
    if query.threshold is None and len(query.classes.states) != 2:
        return None
    orders = orders_of(query, blocks, budget)
    if not orders:
        return None
    search, native = _first_to_end(_Search(query, levels, budget) for levels in orders)
    circuit = Circuit(native, query.schema, query.labels).sifted(budget)
    notes = [f"{search.states:,} states, {search.settled:,} close calls settled"]
    return circuit, notes


def _first_to_end(searches: "Iterable[_Search]") -> "tuple[_Search, _core.Circuit]":
    """The first search to finish: all run for a while, and those that are furthest continue."""
    for limit in (MOST_STATES // 100, MOST_STATES // 10, MOST_STATES):
        tried = []
        for search in searches:
            native = search.circuit(limit)
            if native is not None:
                return search, native
            tried.append(search)
        searches = sorted(tried, key=lambda each: -each.done)[: len(tried) // 3 + 1]
    raise tried[0].exceeded()


class _State:
    """A message at a level, its finished children, and how far the odds may move."""

    def __init__(self, level: int, parent: "_State | None", state: int) -> None:
        self.level, self.parent, self.state = level, parent, state
        self.whole: tuple[int, ...] | None = None
        self.children: list[int] = []
        self.messages: list[Floats] = []
        self.rise = self.fall = math.inf
        self.logs: Floats
        self.odds: float
        self.cache: NodeCache

    def take(self, child: CachedNode) -> None:
        """One more child is finished."""
        self.children.append(child.node)
        self.rise, self.fall = min(self.rise, child.rise), min(self.fall, child.fall)


class _Search:
    """Depth-first search over messages; `states` counts the expanded ones."""

    def __init__(self, query: Query, levels: Sequence[Level], budget: Budget) -> None:
        self._query, self._budget = query, budget
        classes, target = len(query.classes.states), query.target
        self._own = query.state if query.threshold is not None else 0
        self._threshold = Fraction(1, 2) if query.threshold is None else query.threshold
        self._labels = (1, 0) if query.threshold is None else (0, 1)
        self._steps = steps_of(query.network, levels, target)
        self._rests = rests(self._steps, classes, self._own, budget)
        roundings = sum(step.roundings + 2 * step.positions + 8 for step in self._steps)
        self._margin = 4 * roundings * _ROUNDING + _LOGARITHMS
        self._odds = log_ratio(*odds_of(self._threshold))
        domains = [len(feature.values) for feature in query.schema]
        self._builder = _core.Builder(domains, len(query.labels), native_budget(budget))
        self._caches: dict[tuple[int, bytes], NodeCache] = {}
        self._same: dict[tuple[int, tuple[int, ...]], CachedNode] = {}
        self.states = self.settled = self._bytes = 0
        self._stack: list[_State] = []
        self._met = self._meet(numpy.ones(classes), _State(0, None, 0))

    def circuit(self, limit: int) -> _core.Circuit | None:
        """The circuit of all instances, or None if that takes more states; it can go on later."""
        stack = self._stack
        while True:
            if self.states >= limit:
                return None
            if isinstance(self._met, _State):
                stack.append(self._met)
            elif stack:
                stack[-1].take(self._met)
            else:
                return self._builder.build(self._met.node)
            top = stack[-1]
            state = len(top.children)
            if state < len(top.messages):
                self._met = self._meet(top.messages[state], _State(top.level + 1, top, state))
            else:
                self._met = self._finished(stack.pop())

    @property
    def done(self) -> float:
        """The share of the instances that is done."""
        share = 1.0
        total = 0.0
        for state in self._stack:
            share /= len(state.messages)
            total += share * len(state.children)
        return total

    def exceeded(self) -> BudgetExceeded:
        """The complaint that there are too many states."""
        stage = f"{self._query.describe()}: fewer features or another threshold may fit"
        return BudgetExceeded(stage, states=self.states, limit=MOST_STATES)

    def _meet(self, message: Floats, at: _State) -> CachedNode | _State:
        """The cached node for a message, or the state to expand."""
        while at.level < len(self._steps) and self._steps[at.level].feature is None:
            message = self._steps[at.level].messages(message)[0]
            at = _State(at.level + 1, at, 0)
        rest = self._rests[at.level]
        own, others = message[rest.own].sum(), message[rest.others].sum()
        if own == others == 0:
            return CachedNode(self._builder.impossible())
        if at.level == len(self._steps):
            return self._leaf(float(own), float(others), at)
        known = self._certain(message, at.level) or self._known(message, at)
        return known or self._opened(message, at)

    def _leaf(self, own: float, others: float, at: _State) -> CachedNode:
        """The label where all features are decided; exact where floats are too close."""
        if others == 0 or own == 0 or self._threshold == 1:
            return CachedNode(self._label(others == 0))
        odds = math.log(own) - math.log(others) - self._odds
        if abs(odds) > self._margin:
            return self._within(odds)
        self.settled += 1
        whole = self._whole(at)
        rest = self._rests[at.level]
        ours, theirs = (sum(whole[p] for p in places) for places in (rest.own, rest.others))
        reached = ours * (1 - self._threshold) >= theirs * self._threshold
        return CachedNode(self._label(reached), *((math.inf, 0.0) if reached else (0.0, math.inf)))

    def _within(self, odds: float) -> CachedNode:
        """A label with odds at this distance from the threshold, which they must not cross."""
        if odds > 0:
            return CachedNode(self._label(True), math.inf, odds - self._margin)
        return CachedNode(self._label(False), -odds - self._margin, math.inf)

    def _label(self, reached: bool) -> int:
        return self._builder.leaf(self._labels[int(reached)])

    def _certain(self, message: Floats, level: int) -> CachedNode | None:
        """The label of all completions, if the bounds prove it and none is impossible."""
        rest = self._rests[level]
        if self._threshold == 1 or not (message[rest.never_ruled_out] > 0).any():
            return None
        for rises in (True, False):
            bound = rest.most(message, rises)
            odds = math.log(bound) + (-self._odds if rises else self._odds)
            if odds < -self._margin:
                return self._within(odds if rises else -odds)
        return None

    def _known(self, message: Floats, at: _State) -> CachedNode | None:
        """A finished node that is right for the message too; notes in the state what to cache."""
        support = message > 0
        rest = self._rests[at.level]
        key = at.level, support.tobytes()
        if key not in self._caches:
            is_own = numpy.zeros(len(message), dtype=bool)
            is_own[rest.own] = True
            self._caches[key] = NodeCache(is_own[support], self._margin)
        at.cache, at.logs = self._caches[key], numpy.log(message[support])
        own, others = message[rest.own].sum(), message[rest.others].sum()
        at.odds = math.log(own) - math.log(others) if own > 0 and others > 0 else 0.0
        cached, may_be_same = at.cache.find(at.logs, at.odds)
        return self._same.get((at.level, self._whole(at))) if may_be_same else cached

    def _opened(self, message: Floats, at: _State) -> _State:
        self.states += 1
        if self.states % 64 == 0:
            nodes = len(self._builder)
            self._budget.check("the messages of a network", nodes, self._bytes)
            self._budget.report("states", self.states)
        at.messages = self._steps[at.level].messages(message)
        return at

    def _finished(self, at: _State) -> CachedNode:
        step = self._steps[at.level]
        feature = self._query.features.index(step.feature or 0)
        cells = [at.children[state] for state in self._query.to_state[feature]]
        node = CachedNode(self._builder.decide(feature, cells), at.rise, at.fall)
        at.cache.keep(at.logs, at.odds, node)
        self._bytes += 2 * at.logs.nbytes
        if is_tight(node):
            self._same[at.level, self._whole(at)] = node
        return node

    def _whole(self, at: _State) -> tuple[int, ...]:
        """The exact message of a state, from the nearest one above that knows its own."""
        path = [at]
        while path[-1].whole is None and path[-1].parent is not None:
            path.append(path[-1].parent)
        above = path.pop()
        whole = above.whole or (1,) * len(self._query.classes.states)
        above.whole = whole
        for below in reversed(path):
            step: Step = self._steps[below.level - 1]
            below.whole = whole = step.exactly(whole, below.state)
        return whole

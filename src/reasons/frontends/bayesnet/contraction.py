"""The likelihoods of all instances of a block at once.

Tables are multiplied and hidden nodes summed out two tables at a time, in an order that
opt_einsum looks for. Where that is too much at once, some features are fixed, and the rest is
done for each of their states.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy

from reasons.budget import Budget
from reasons.errors import BudgetExceeded, InputError
from reasons.frontends.bayesnet.d_separation import Block
from reasons.frontends.bayesnet.query import Question
from reasons.frontends.bayesnet.tensors import Likelihoods, joined
from reasons.text import comma_list

_MOST_ENTRIES = 1 << 27
_MOST_OPERATIONS = 1e11
_SEARCHED_FROM = 1e9  # operations from which on a better order is worth two seconds


class Contraction:
    """A block whose likelihoods are found for any states of the nodes that are `fixed`."""

    def __init__(
        self, question: Question, block: Block, fixed: Collection[int], budget: Budget
    ) -> None:
        self._question, self._block, self._budget = question, block, budget
        features = [question.features[place] for place in block.features]
        self.fixed = tuple(node for node in features if node in fixed)
        axes = [question.target] if block.has_target else []
        self._wanted = (*axes, *(node for node in features if node not in fixed))
        names = comma_list(question.network.nodes[node].name for node in self._wanted)
        self._stage = f"the likelihoods of {names}"
        parts = self._parts(dict.fromkeys(self.fixed, 0))
        self._path = _path(parts, self._wanted, self._stage, budget)

    def _parts(self, states: Mapping[int, int]) -> list[Likelihoods]:
        nodes = self._question.network.nodes
        found = []
        for number in self._block.nodes:
            scope = (*nodes[number].parents, number)
            at: Any = tuple(states.get(axis, slice(None)) for axis in scope)
            axes = tuple(axis for axis in scope if axis not in states)
            values = numpy.asarray(nodes[number].normal[at])
            found.append(Likelihoods(axes, values, nodes[number].roundings))
        return found

    def at(self, states: Mapping[int, int]) -> Likelihoods:
        """An axis for the target, if the block has it, then one for each feature not fixed.

        Axes are in states, not cells. Can explode: budgeted.
        """
        parts = self._parts({node: states[node] for node in self.fixed})
        for step in self._path:
            self._budget.check(self._stage)
            taken = [parts[place] for place in step]
            parts = [part for place, part in enumerate(parts) if place not in step]
            keep = {*self._wanted, *(axis for part in parts for axis in part.axes)}
            parts.append(joined(taken, keep))
        found = joined(parts, set(self._wanted))
        order = [found.axes.index(axis) for axis in self._wanted]
        values = numpy.ascontiguousarray(found.values.transpose(order))
        return Likelihoods(self._wanted, values, found.roundings, found.lost)


def _path(
    parts: Sequence[Likelihoods],
    wanted: Sequence[int],
    stage: str,
    budget: Budget,
) -> list[tuple[int, ...]]:
    """Which parts to join after another: their places, those joined being put last."""
    if len(parts) == 1:
        return []
    try:
        import opt_einsum  # type: ignore[import-untyped]
    except ImportError:
        raise InputError("networks need opt_einsum; install reasons[bayes]") from None
    axes = dict.fromkeys(axis for part in parts for axis in part.axes)
    letter = {axis: opt_einsum.get_symbol(place) for place, axis in enumerate(axes)}
    inputs = ",".join("".join(letter[axis] for axis in part.axes) for part in parts)
    formula = f"{inputs}->{''.join(letter[axis] for axis in wanted)}"
    shapes = [part.values.shape for part in parts]
    limit = min(_MOST_ENTRIES, (budget.bytes or 1 << 62) // 24)

    def tried(how: object) -> tuple[list[tuple[int, ...]], float, float]:
        path, info = opt_einsum.contract_path(formula, *shapes, shapes=True, optimize=how)
        return list(path), float(info.opt_cost), float(info.largest_intermediate)

    path, cost, largest = tried("greedy")
    if cost > _SEARCHED_FROM or largest > limit:
        seconds = 2.0 if budget.seconds_left is None else min(2.0, budget.seconds_left / 4)
        before = random.getstate()  # which the search sets, for each of its trials
        try:
            search = opt_einsum.RandomGreedy(max_repeats=512, max_time=seconds, minimize="flops")
            found = tried(search)
        finally:
            random.setstate(before)
        path, cost, largest = min((path, cost, largest), found, key=lambda each: each[1])
    if largest > limit or cost > _MOST_OPERATIONS:
        raise BudgetExceeded(
            f"{stage}; fewer features=[...] may fit",
            operations=cost,
            entries=largest,
        )
    return path

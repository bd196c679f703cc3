"""Tensor contraction: the likelihoods of all instances of a block at once.

Tables are multiplied and hidden nodes summed out pairwise, in an order found by opt_einsum. Where
the result is too large, some features are fixed, and the contraction is repeated for each of their
states. All numbers are at least 0, so relative errors add up and nothing cancels.
"""

import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy

from reasons.budget import Budget
from reasons.errors import BudgetExceeded, InputError
from reasons.frontends.bayesnet.d_separation import Block
from reasons.frontends.bayesnet.exact import sliced
from reasons.frontends.bayesnet.network import Floats
from reasons.frontends.bayesnet.query import Query
from reasons.text import comma_list

NOTHING_LOST = -math.inf
_SMALLEST = -1000.0  # log2 of products that are surely not rounded to 0
_MOST_ENTRIES = 1 << 27
_MOST_OPERATIONS = 1e11
_SEARCHED_FROM = 1e9  # operations from which on a better order is worth two seconds


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """An array with an axis for each of `axes`, up to a factor; its largest entry is near 1.

    Entries have at most `roundings` relative rounding errors, and an absolute error of 2 ** `lost`
    where numbers underflowed.
    """

    axes: tuple[int, ...]
    values: Floats
    roundings: int
    lost: float = NOTHING_LOST


class Contraction:
    """A block whose likelihoods are computed for any states of the `fixed` nodes."""

    def __init__(self, query: Query, block: Block, fixed: Collection[int], budget: Budget) -> None:
        self._query, self._block, self._budget = query, block, budget
        features = [query.features[place] for place in block.features]
        self.fixed = tuple(node for node in features if node in fixed)
        axes = [query.target] if block.has_target else []
        self._wanted = (*axes, *(node for node in features if node not in fixed))
        names = comma_list(query.network.nodes[node].name for node in self._wanted)
        self._stage = f"the likelihoods of {names}"
        parts = self._parts(dict.fromkeys(self.fixed, 0))
        self._path = _path(parts, self._wanted, self._stage, budget)

    def _parts(self, states: Mapping[int, int]) -> list[Likelihoods]:
        pairs = [(number, self._query.network.nodes[number]) for number in self._block.nodes]
        return [
            Likelihoods(*sliced(node, number, node.normal, states), node.roundings)
            for number, node in pairs
        ]

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
        product = joined(parts, set(self._wanted))
        order = [product.axes.index(axis) for axis in self._wanted]
        values = numpy.ascontiguousarray(product.values.transpose(order))
        return Likelihoods(self._wanted, values, product.roundings, product.lost)


def _path(
    parts: Sequence[Likelihoods],
    wanted: Sequence[int],
    stage: str,
    budget: Budget,
) -> list[tuple[int, ...]]:
    """The order of pairwise products: places of the parts to join; each product is put last."""
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
            searched = tried(search)
        finally:
            random.setstate(before)
        path, cost, largest = min((path, cost, largest), searched, key=lambda each: each[1])
    if largest > limit or cost > _MOST_OPERATIONS:
        raise BudgetExceeded(
            f"{stage}; fewer features may fit",
            operations=cost,
            entries=largest,
        )
    return path


def joined(parts: Sequence[Likelihoods], keep: set[int]) -> Likelihoods:
    """The product of all, summed over the axes that are not to be kept."""
    product = _summed(parts[0], keep.union(*(part.axes for part in parts[1:])))
    for place, part in enumerate(parts[1:], 1):
        later = keep.union(*(each.axes for each in parts[place + 1 :]))
        product = _pair(product, part, later)
    return product


def _summed(part: Likelihoods, keep: set[int]) -> Likelihoods:
    """The table summed over the axes that are no longer needed."""
    gone = tuple(place for place, axis in enumerate(part.axes) if axis not in keep)
    if not gone:
        return part
    count = math.prod(part.values.shape[place] for place in gone)
    axes = tuple(axis for axis in part.axes if axis in keep)
    return _scaled(axes, part.values.sum(axis=gone), part.roundings + count, part.lost, count)


def _pair(one: Likelihoods, other: Likelihoods, keep: set[int]) -> Likelihoods:
    """The product of two, summed over shared axes that are no longer needed."""
    one = _summed(one, keep | set(other.axes))
    other = _summed(other, keep | set(one.axes))
    shared = [axis for axis in one.axes if axis in other.axes]
    both = [axis for axis in shared if axis in keep]
    inner = [axis for axis in shared if axis not in keep]
    left = [axis for axis in one.axes if axis not in shared]
    right = [axis for axis in other.axes if axis not in shared]
    size = dict(zip(one.axes, one.values.shape, strict=True))
    size |= dict(zip(other.axes, other.values.shape, strict=True))
    batch, count, rows, columns = (
        math.prod(size[axis] for axis in axes) for axes in (both, inner, left, right)
    )
    first = _laid(one, [*both, *left, *inner]).reshape(batch, rows, count)
    second = _laid(other, [*both, *inner, *right]).reshape(batch, count, columns)
    if count == 1:
        product = first * second
    elif batch > 64 and rows * columns < 64:  # matmul would be called for tiny matrices
        product = numpy.einsum("brk,bkc->brc", first, second)
    else:
        product = first @ second
    axes = (*both, *left, *right)
    lost = max(one.lost, other.lost)
    if least(one.values) + least(other.values) < _SMALLEST:
        lost = max(lost, -1074.0)
    shape = [size[axis] for axis in axes]
    roundings = one.roundings + other.roundings + count + 1
    return _scaled(axes, product.reshape(shape), roundings, lost + 1, count)


def _laid(part: Likelihoods, axes: Sequence[int]) -> Floats:
    return part.values.transpose([part.axes.index(axis) for axis in axes])


def least(values: Floats) -> float:
    """The log2 of the smallest entry that is not 0."""
    least = float(numpy.min(values, where=values > 0, initial=math.inf))
    return math.log2(least)


def _scaled(
    axes: tuple[int, ...], values: Floats, roundings: int, lost: float, count: int
) -> Likelihoods:
    """The values times a power of two, so that the largest is near 1 and nothing overflows."""
    largest = float(values.max())
    if largest == 0:
        return Likelihoods(axes, values, roundings, lost)
    shift = math.frexp(largest)[1]
    return Likelihoods(
        axes, numpy.ldexp(values, -shift), roundings, lost + math.log2(count) - shift
    )

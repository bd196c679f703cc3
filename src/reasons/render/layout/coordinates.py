"""Where on its row every item stands, and how far apart the rows are.

Each row in turn moves as near to its neighbours' means as the minimum gaps
allow. That is isotonic regression, solved exactly in one pass by pooling
adjacent violators, so that nothing depends on an order of priorities.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from reasons.render.layout.ranks import Item, Layers

_WORK = 300_000  # items and segments looked at; bounds the rounds of large drawings


def spread(layers: Layers) -> None:
    """Choose `x` for every item. Time O(segments) a round."""
    items = layers.items
    gaps = [[_gap(items[a], items[b]) for a, b in pairwise(row)] for row in layers.rows]
    for row, spaces in zip(layers.rows, gaps, strict=True):
        for index, x in zip(row, accumulate(spaces, initial=-sum(spaces) / 2), strict=True):
            items[index].x = x
    work = sum(1 + len(item.below) for item in items)
    rounds = max(3, min(80, _WORK // (work + 1)))
    for turn in range(rounds):
        looks_both_ways = turn >= rounds // 2
        for row, spaces in zip(layers.rows, gaps, strict=True):
            _settle(items, row, spaces, 1.0, 1.0 if looks_both_ways else 0.0)
        for row, spaces in zip(reversed(layers.rows), reversed(gaps), strict=True):
            _settle(items, row, spaces, 1.0 if looks_both_ways else 0.0, 1.0)


def row_centres(layers: Layers) -> tuple[list[float], list[float]]:
    """The middle of every row from the top down, and half of every row's height.

    Rows stand further apart where edges between them go far to the side.
    """
    items = layers.items
    halves = [max(items[index].half_height for index in row) for row in layers.rows]
    is_for_texts = [not any(items[index].is_vertex for index in row) for row in layers.rows]
    centres = halves[:1]
    for number in range(1, len(halves)):
        reach = _reach(items, layers.rows[number - 1])
        space = 16.0 if is_for_texts[number - 1] or is_for_texts[number] else 32.0
        step = halves[number - 1] + space + min(50.0, 0.1 * reach) + halves[number]
        centres.append(centres[-1] + step)
    return centres, halves


def _reach(items: list[Item], row: list[int]) -> float:
    """How far to the side the segments below a row go at most."""
    sideways = (abs(items[a].x - items[b].x) for a in row for b in items[a].below)
    return max(sideways, default=0.0)


def _gap(left: Item, right: Item) -> float:
    space = 24.0 if left.is_vertex and right.is_vertex else 18.0
    return left.right + space + right.left


def _settle(
    items: list[Item], row: list[int], gaps: list[float], from_above: float, from_below: float
) -> None:
    wanted: list[float] = []
    weights: list[float] = []
    for index in row:
        item = items[index]
        total = weight = 0.0
        for near, share in ((item.above, from_above), (item.below, from_below)):
            for other in near if share else ():
                pull = _pull(item, items[other])
                total += pull * items[other].x
                weight += pull
        wanted.append(total / weight if weight else item.x)
        weights.append(weight or 0.01)
    for index, x in zip(row, _nearest_spaced(wanted, weights, gaps), strict=True):
        items[index].x = x


def _pull(one: Item, other: Item) -> float:
    """How much a segment wants to be upright: most in the middle of a long edge."""
    if one.is_vertex and other.is_vertex:
        return 1.0
    if one.is_vertex or other.is_vertex:
        stop = other if one.is_vertex else one
        # Where edges join on the way, row after row would lean towards the joint.
        return 2.0 if len(stop.above) == 1 else 0.05
    return 6.0


def _nearest_spaced(
    wanted: Sequence[float], weights: Sequence[float], gaps: Sequence[float]
) -> list[float]:
    """The places nearest (in weighted squares) to those wanted that keep all gaps.

    >>> _nearest_spaced([0.0, 0.0, 9.0], [1.0, 1.0, 1.0], [4.0, 4.0])
    [-2.0, 2.0, 9.0]
    """
    offsets = list(accumulate(gaps, initial=0.0))
    blocks: list[tuple[float, float, int]] = []
    for want, weight, offset in zip(wanted, weights, offsets, strict=True):
        value, count = want - offset, 1
        while blocks and blocks[-1][0] > value:
            before, mass, size = blocks.pop()
            value = (value * weight + before * mass) / (weight + mass)
            weight += mass
            count += size
        blocks.append((value, weight, count))
    values = (value for value, _, count in blocks for _ in range(count))
    return [value + offset for value, offset in zip(values, offsets, strict=True)]

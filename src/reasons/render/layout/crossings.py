"""The order of the items on every row, chosen so that few edges cross.

Barycentre sweeps, then swaps of neighbours, keeping the best order seen. The
exact problem is NP-hard even for two rows; medians were no better on circuits.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable
from itertools import pairwise

from reasons.render.layout.ranks import Item, Layers

_SWEEPS = 40
_WORK = 200_000  # segments looked at; bounds the sweeps of large drawings
_MOST_SWAPPED = 3_000
_MOST_PAIRS = 400


def arrange(layers: Layers) -> None:
    """Reorder the rows in place. Deterministic; time O(segments log segments) a sweep."""
    items = layers.items
    segments = sum(len(item.below) for item in items)
    rows = _first_order(layers)
    best, fewest, stale = rows, _crossings(items, rows), 0
    for turn in range(max(4, min(_SWEEPS, _WORK // (segments + 1)))):
        if not fewest or stale > 8:
            break
        rows = [list(row) for row in rows]
        _sweep(items, rows, downwards=turn % 2 == 0, flips=turn % 4 > 1)
        if segments < _MOST_SWAPPED:
            _swap_neighbours(items, rows)
        count = _crossings(items, rows)
        stale += 1
        if count < fewest:
            best, fewest, stale = rows, count, 0
    layers.rows = best
    if _mirrored(layers):
        layers.rows = [row[::-1] for row in best]


def _first_order(layers: Layers) -> list[list[int]]:
    """Depth first, children in the order given: draws every tree without a crossing."""
    rows: list[list[int]] = [[] for _ in layers.rows]
    seen = [False] * len(layers.items)
    roots = [index for index, item in enumerate(layers.items) if not item.above]
    stack = roots[::-1]
    while stack:
        index = stack.pop()
        if seen[index]:
            continue
        seen[index] = True
        rows[layers.items[index].row].append(index)
        stack.extend(reversed(layers.items[index].below))
    return rows


def _places(rows: Iterable[list[int]]) -> dict[int, int]:
    return {index: place for row in rows for place, index in enumerate(row)}


def _crossings(items: list[Item], rows: list[list[int]]) -> int:
    """How many pairs of segments cross."""
    place_of = _places(rows)
    total = 0
    for row in rows:
        passed: list[int] = []
        for index in row:
            ends = sorted(place_of[child] for child in items[index].below)
            total += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                insort(passed, end)
    return total


def _sweep(items: list[Item], rows: list[list[int]], *, downwards: bool, flips: bool) -> None:
    """Sort every row by the mean place of the neighbours on the row before."""
    place_of = _places(rows)
    for row in rows if downwards else reversed(rows):
        mean_of: dict[int, float] = {}
        for index in row:
            near = items[index].above if downwards else items[index].below
            if near:
                mean_of[index] = sum(place_of[other] for other in near) / len(near)
        movable = [index for index in row if index in mean_of]
        if flips:
            movable.reverse()
        movable.sort(key=mean_of.__getitem__)
        # Items without neighbours stay where they are, the others fill the rest.
        following = iter(movable)
        row[:] = [next(following) if index in mean_of else index for index in row]
        place_of.update((index, place) for place, index in enumerate(row))


def _swap_neighbours(items: list[Item], rows: list[list[int]]) -> None:
    """Swap two neighbours wherever that removes crossings, a few times over."""
    place_of = _places(rows)
    for _ in range(4):
        is_better = False
        for row in rows:
            for place in range(len(row) - 1):
                left, right = row[place], row[place + 1]
                if _gain(items[left], items[right], place_of) > 0:
                    row[place], row[place + 1] = right, left
                    place_of[left], place_of[right] = place + 1, place
                    is_better = True
        if not is_better:
            return


def _gain(left: Item, right: Item, place_of: dict[int, int]) -> int:
    """How many crossings fewer there are once two neighbours change places."""
    gain = 0
    for lefts, rights in ((left.above, right.above), (left.below, right.below)):
        if len(lefts) * len(rights) > _MOST_PAIRS:
            return 0
        for one in lefts:
            for other in rights:
                gain += (place_of[one] > place_of[other]) - (place_of[one] < place_of[other])
    return gain


def _mirrored(layers: Layers) -> bool:
    """Whether most vertices have their children in the reverse of the order given."""
    place_of = _places(layers.rows)
    balance = 0
    for item in layers.items:
        if item.is_vertex:
            places = [place_of[child] for child in item.below]
            for one, other in pairwise(places):
                balance += (one < other) - (one > other)
    return balance < 0

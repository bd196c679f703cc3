"""Rows for the vertices of a drawing, and a stop on every row that an edge passes.

The first step of layered drawing (Sugiyama): longest paths give the rows, and
an edge over several rows is cut into segments between neighbouring rows, so
that the later steps look at two rows at a time. The text of an edge is a stop
as wide as the text, on a row that holds no vertices: it then takes part in the
ordering and spacing, and cannot overlap anything.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from reasons.errors import BudgetExceeded, InputError
from reasons.render.graph import Edge, Graph, Key
from reasons.render.layout.text_size import label_size, vertex_size

MOST_ITEMS = 60_000
_MOST_SEPARATE_STOPS = 3_000


@dataclass(slots=True)
class Item:
    """Something that occupies a place on a row: a vertex, or a stop of an edge."""

    row: int
    left: float  # how far it reaches from its centre
    right: float
    half_height: float
    is_vertex: bool = False
    is_text: bool = False
    x: float = 0.0
    above: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Layers:
    """Items row by row from left to right; the first items are the drawing's vertices.

    `chains` has for every edge the items it visits. It ends before the target
    where the edge joins another one to the same target.
    """

    items: list[Item]
    rows: list[list[int]]
    chains: list[list[int]]
    labels: dict[int, int]  # edge -> the item that holds its text


def layers(drawing: Graph) -> Layers:
    """The drawing cut into rows; the order within each row is not yet chosen.

    Where edges would need very many stops, those that look the same and end at
    the same vertex share them: a long chain of tests with one common leaf would
    otherwise cost the square of its length.
    """
    index_of = {vertex.key: index for index, vertex in enumerate(drawing.vertices)}
    ends = [(index_of[edge.source], index_of[edge.target]) for edge in drawing.edges]
    levels = _levels(drawing, index_of, ends)
    times = Counter(ends)
    apart = [
        bool(edge.label) or times[end] > 1 for edge, end in zip(drawing.edges, ends, strict=True)
    ]
    split = {levels[source] for (source, _), is_apart in zip(ends, apart, strict=True) if is_apart}
    rows = _rows_with_splits(levels, split)
    result = Layers(
        [_vertex_item(drawing, index, rows[index]) for index in index_of.values()], [], [], {}
    )
    stops = sum(max(0, rows[target] - rows[source] - 1) for source, target in ends)
    _thread(result, drawing.edges, ends, apart, shares=stops > _MOST_SEPARATE_STOPS)
    result.rows = [[] for _ in range(max(rows, default=-1) + 1)]
    for index, item in enumerate(result.items):
        result.rows[item.row].append(index)
    return result


def _vertex_item(drawing: Graph, index: int, row: int) -> Item:
    size = vertex_size(drawing.vertices[index])
    half = size.width / 2
    return Item(row, half, half + size.note, size.height / 2, is_vertex=True)


def _levels(drawing: Graph, index_of: dict[Key, int], ends: Iterable[tuple[int, int]]) -> list[int]:
    """Longest paths from the roots, then shorter edges where a vertex may hang lower."""
    above: list[list[int]] = [[] for _ in index_of]
    below: list[list[int]] = [[] for _ in index_of]
    for source, target in ends:
        above[target].append(source)
        below[source].append(target)
    asked = drawing.level_of or {}
    levels = [max(0, asked.get(vertex.key, 0)) for vertex in drawing.vertices]
    order = _topological(above, below)
    for index in order:
        levels[index] = max([levels[index], *(levels[parent] + 1 for parent in above[index])])
    for index in reversed(order):
        hangs = len(below[index]) > len(above[index]) and drawing.vertices[index].key not in asked
        if hangs:
            levels[index] = min(levels[child] for child in below[index]) - 1
    return _without_gaps(levels)


def _without_gaps(levels: list[int]) -> list[int]:
    rank = {level: rank for rank, level in enumerate(sorted(set(levels)))}
    return [rank[level] for level in levels]


def _topological(above: list[list[int]], below: list[list[int]]) -> list[int]:
    waiting = [len(parents) for parents in above]
    order = [index for index, count in enumerate(waiting) if not count]
    for index in order:
        for child in below[index]:
            waiting[child] -= 1
            if not waiting[child]:
                order.append(child)
    if len(order) < len(waiting):
        raise InputError("a drawing must have no cycle")
    return order


def _rows_with_splits(levels: list[int], split: set[int]) -> list[int]:
    """Rows of the vertices once a row for texts is put below every split level."""
    row_of = {}
    row = 0
    for level in range(max(levels, default=-1) + 1):
        row_of[level] = row
        row += 2 if level in split else 1
    return [row_of[level] for level in levels]


def _thread(
    result: Layers,
    edges: tuple[Edge, ...],
    ends: list[tuple[int, int]],
    apart: list[bool],
    *,
    shares: bool,
) -> None:
    """Give every edge its stops. From above, so that the edge that starts highest makes them."""
    items = result.items
    result.chains = [[] for _ in edges]
    shared: dict[tuple[object, ...], int] = {}
    for number in sorted(range(len(edges)), key=lambda number: items[ends[number][0]].row):
        (source, target), edge = ends[number], edges[number]
        chain = result.chains[number]
        chain.append(source)
        for row in range(items[source].row + 1, items[target].row):
            is_middle = apart[number] and len(chain) == 1
            look = (target, edge.dashed, edge.style, row)
            if shares and not is_middle:
                if look in shared:
                    _connect(items, chain, shared[look])
                    break
                shared[look] = len(items)
            if is_middle and edge.label:
                result.labels[number] = len(items)
            items.append(_middle(edge, row) if is_middle else Item(row, 2.0, 2.0, 4.0))
            _connect(items, chain, len(items) - 1)
        else:
            _connect(items, chain, target)
        if len(items) > MOST_ITEMS:
            raise BudgetExceeded("drawing", vertices_and_bends=len(items), limit=MOST_ITEMS)


def _middle(edge: Edge, row: int) -> Item:
    if not edge.label:
        return Item(row, 4.0, 4.0, 4.0)
    width, height = label_size(edge.label)
    return Item(row, width / 2, width / 2, height / 2, is_text=True)


def _connect(items: list[Item], chain: list[int], following: int) -> None:
    items[chain[-1]].below.append(following)
    items[following].above.append(chain[-1])
    chain.append(following)

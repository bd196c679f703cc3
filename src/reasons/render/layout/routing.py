"""The way of every edge: a string pulled tight through the free space of each row.

On every row an edge owns the corridor between its neighbours. The shortest way
through all of them is straight where it can be, bends only around something,
keeps the chosen order of edges and never enters a vertex. Splines through the
stops were rejected: they wave where nothing is in the way.
"""

from collections.abc import Sequence
from math import hypot, inf

from reasons.render.graph import Graph
from reasons.render.layout.ranks import Item, Layers
from reasons.render.layout.text_size import Size, vertex_size

Point = tuple[float, float]
Portal = tuple[float, float, float]  # y, leftmost x, rightmost x

CLEARANCE = 10.0
_BETWEEN_EDGES = 3.0


def routes(
    drawing: Graph, layers: Layers, centres: Sequence[float], halves: Sequence[float]
) -> list[list[Point]]:
    """The corners of every edge, from the border of its source to that of its target.

    Moves the stops of `layers` onto the ways that pass them.
    """
    items = layers.items
    corridors = _corridors(layers)
    found: list[list[Point]] = [[] for _ in layers.chains]
    # From above, as the stops were made: an edge that joins another finds it drawn.
    for number in sorted(range(len(found)), key=lambda number: items[layers.chains[number][0]].row):
        chain = layers.chains[number]
        portals: list[Portal] = []
        for index in chain:
            row = items[index].row
            portals += _portals(items[index], corridors[index], centres[row], halves[row])
        first, last = items[chain[0]], items[chain[-1]]
        goal = (centres[last.row], last.x, last.x)
        corners = _pulled((first.x, centres[first.row]), [*portals[2:-2], goal])
        _move_stops(layers, chain[1:-1], corners, centres)
        found[number] = _trimmed(drawing, chain, corners)
    return found


def _corridors(layers: Layers) -> list[tuple[float, float]]:
    """Between which x the edges at every item may pass."""
    items = layers.items
    result = [(0.0, 0.0)] * len(items)
    for row in layers.rows:
        for place, index in enumerate(row):
            item = items[index]
            low, high = -inf, inf
            if place:
                left = items[row[place - 1]]
                low = _bound(left.x + left.right, item.x - item.left, left.is_vertex, 1.0)
            if place + 1 < len(row):
                right = items[row[place + 1]]
                high = _bound(right.x - right.left, item.x + item.right, right.is_vertex, -1.0)
            result[index] = low, high
    return result


def _portals(item: Item, corridor: tuple[float, float], y: float, half: float) -> list[Portal]:
    """What a way must pass at the upper edge, the middle and the lower edge of a row."""
    inner = (corridor[0] + item.left, corridor[1] - item.right)
    # A wide opening lets the bend happen under a text, so that the line meets its middle.
    outer = corridor if item.is_text or item.is_vertex else inner
    return [(y - half, *outer), (y, *inner), (y + half, *outer)]


def _bound(border: float, own: float, is_vertex: bool, inwards: float) -> float:
    """How near to a neighbour's border one may come: half way if it may move as well."""
    if is_vertex:
        return border + inwards * CLEARANCE
    return (border + own) / 2 + inwards * _BETWEEN_EDGES


def _pulled(start: Point, portals: list[Portal]) -> list[Point]:
    """The shortest way from a point down through all portals; the last is a point."""
    corners = [start]
    first = 0
    while first < len(portals):
        x, y = corners[-1]
        low, high = -inf, inf
        low_at = high_at = first
        for at in range(first, len(portals)):
            fall = portals[at][0] - y
            left, right = (portals[at][1] - x) / fall, (portals[at][2] - x) / fall
            if left > high:
                corners.append((portals[high_at][2], portals[high_at][0]))
                first = high_at + 1
                break
            if right < low:
                corners.append((portals[low_at][1], portals[low_at][0]))
                first = low_at + 1
                break
            if left > low:
                low, low_at = left, at
            if right < high:
                high, high_at = right, at
        else:
            corners.append((portals[-1][1], portals[-1][0]))
            return corners
    return corners


def _move_stops(
    layers: Layers, stops: list[int], corners: list[Point], centres: Sequence[float]
) -> None:
    at = 0
    for index in stops:
        y = centres[layers.items[index].row]
        while corners[at + 1][1] < y:
            at += 1
        (x0, y0), (x1, y1) = corners[at], corners[at + 1]
        layers.items[index].x = x0 + (x1 - x0) * (y - y0) / (y1 - y0)


def _trimmed(drawing: Graph, chain: list[int], corners: list[Point]) -> list[Point]:
    """The corners with both ends moved from the centres to the borders of the vertices."""
    source = vertex_size(drawing.vertices[chain[0]])
    corners = [_border(source, corners[0], corners[1]), *corners[1:]]
    if chain[-1] < len(drawing.vertices):
        target = vertex_size(drawing.vertices[chain[-1]])
        corners[-1] = _border(target, corners[-1], corners[-2])
    return corners


def _border(size: Size, centre: Point, outside: Point) -> Point:
    """Where the line from a vertex's centre to a point outside meets its outline."""
    dx, dy = outside[0] - centre[0], outside[1] - centre[1]
    inner, outer = 0.0, 1.0
    for _ in range(16):
        middle = (inner + outer) / 2
        if _is_inside(size, middle * dx, middle * dy):
            inner = middle
        else:
            outer = middle
    return centre[0] + outer * dx, centre[1] + outer * dy


def _is_inside(size: Size, x: float, y: float) -> bool:
    beyond_x = max(0.0, abs(x) - size.width / 2 + size.radius)
    beyond_y = max(0.0, abs(y) - size.height / 2 + size.radius)
    return hypot(beyond_x, beyond_y) < size.radius

"""Layered layout (Sugiyama): a place for everything in a drawing.

    ranks        rows, and stops where edges pass a row
    crossings    the order from left to right, with few crossings
    coordinates  how far apart
    routing      the way of each edge around what stands between

Every step is a loop over rows or edges; none recurses.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from reasons.errors import BudgetExceeded
from reasons.render.graph import Graph, Key
from reasons.render.layout.coordinates import row_centres, spread
from reasons.render.layout.crossings import arrange
from reasons.render.layout.ranks import Layers, layers
from reasons.render.layout.routing import Point, routes
from reasons.render.layout.text_size import label_size, vertex_size

LIMIT = 2_000
_MARGIN = 2.0  # for the thickness of lines


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its centre and size, in pixels; y grows downwards."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Route:
    """The corners of an edge from source to target, and the box of its text if it has one."""

    corners: tuple[Point, ...]
    label: Box | None


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes by the vertices' keys and one route per edge, all inside (0, 0, width, height)."""

    boxes: Mapping[Key, Box]
    routes: tuple[Route, ...]
    width: float
    height: float


def place(drawing: Graph, *, limit: int = LIMIT) -> Layout:
    """Where everything goes. The same drawing always gets the same places.

    Raises `BudgetExceeded` above `limit` vertices. About a second for 500
    vertices and 1,000 edges.
    """
    if len(drawing.vertices) > limit:
        raise BudgetExceeded("drawing", vertices=len(drawing.vertices), limit=limit)
    graph = layers(drawing)
    arrange(graph)
    spread(graph)
    centres, halves = row_centres(graph)
    ways = routes(drawing, graph, centres, halves)
    shift, width = _shift_and_width(graph, ways)
    boxes = {}
    for vertex, item in zip(drawing.vertices, graph.items, strict=False):
        size = vertex_size(vertex)
        boxes[vertex.key] = Box(
            item.x + shift, centres[item.row] + _MARGIN, size.width, size.height
        )
    placed = tuple(
        Route(
            tuple((x + shift, y + _MARGIN) for x, y in way),
            _label(drawing, graph, number, shift, centres),
        )
        for number, way in enumerate(ways)
    )
    height = centres[-1] + halves[-1] + 2 * _MARGIN if centres else 0.0
    return Layout(boxes, placed, width, height)


def _label(
    drawing: Graph, graph: Layers, number: int, shift: float, centres: list[float]
) -> Box | None:
    if number not in graph.labels:
        return None
    item = graph.items[graph.labels[number]]
    width, height = label_size(drawing.edges[number].label)
    return Box(item.x + shift, centres[item.row] + _MARGIN, width, height)


def _shift_and_width(graph: Layers, ways: list[list[Point]]) -> tuple[float, float]:
    lefts = [item.x - item.left for item in graph.items]
    rights = [item.x + item.right for item in graph.items]
    for way in ways:
        lefts += [x for x, _ in way]
        rights += [x for x, _ in way]
    left, right = min(lefts, default=0.0) - _MARGIN, max(rights, default=0.0) + _MARGIN
    return -left, right - left

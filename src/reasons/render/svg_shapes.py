"""SVG elements for the vertices, edges and texts of a drawing."""

from collections.abc import Sequence
from html import escape
from math import hypot

from reasons.render.graph import Edge, Shape, Style, Vertex
from reasons.render.layout.layout import Box, Route
from reasons.render.layout.routing import CLEARANCE, Point
from reasons.render.layout.text_size import (
    LABEL_SIZE,
    NOTE_GAP,
    NOTE_SIZE,
    TEXT_SIZE,
    label_text,
    note_text,
    printable,
    vertex_size,
    vertex_text,
)
from reasons.render.svg_style import (
    PANEL,
    SMALL_PRINT,
    Colours,
    edge_colours,
    line_width,
    vertex_colours,
)

DASHES = ' stroke-dasharray="5 4"'


def number(value: float) -> str:
    """A coordinate, as short as a tenth of a pixel allows.

    >>> number(3.0), number(2.5001)
    ('3', '2.5')
    """
    # Adding zero turns the -0.0 that rounding may leave into 0.0.
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def text_mark(
    text: str,
    x: float,
    y: float,
    size: float,
    colour: str,
    *,
    anchor: str = "middle",
    extra: str = "",
) -> str:
    """One line of text whose middle height is at y."""
    # A third of the size lowers the base line; dominant-baseline is not drawn alike everywhere.
    return (
        f'<text x="{number(x)}" y="{number(y + 0.35 * size)}" font-size="{number(size)}" '
        f'text-anchor="{anchor}" fill="{colour}"{extra}>{escape(printable(text))}</text>'
    )


def vertex_mark(vertex: Vertex, box: Box) -> str:
    """A vertex with its text or sign, its note, and its full text for those who point at it."""
    colours = vertex_colours(vertex.shape, vertex.style)
    parts = [f"<title>{escape(printable(_spoken(vertex)))}</title>", _outline(vertex, box, colours)]
    if vertex.shape in (Shape.AND, Shape.OR):
        parts.append(_sign(vertex.shape, box, colours.text))
    else:
        parts.append(text_mark(vertex_text(vertex), box.x, box.y, TEXT_SIZE, colours.text))
    if vertex.note:
        x = box.x + box.width / 2 + NOTE_GAP
        parts.append(text_mark(note_text(vertex), x, box.y, NOTE_SIZE, SMALL_PRINT, anchor="start"))
    return f"<g>{''.join(parts)}</g>"


def _spoken(vertex: Vertex) -> str:
    text = vertex.text if vertex.shape not in (Shape.AND, Shape.OR) else vertex.shape.value
    return " ".join(part for part in (text, vertex.note) if part)


def _outline(vertex: Vertex, box: Box, colours: Colours) -> str:
    radius = vertex_size(vertex).radius
    dashes = ' stroke-dasharray="3 3"' if vertex.style is Style.IMPOSSIBLE else ""
    outer = _rounded(box, 0.0, radius, colours, line_width(vertex.style), dashes)
    if vertex.style is not Style.ADDED:
        return outer
    return outer + _rounded(box, 4.0, radius, colours, line_width(vertex.style), dashes)


def _rounded(
    box: Box, inset: float, radius: float, colours: Colours, line: float, extra: str
) -> str:
    width, height = box.width - 2 * inset, box.height - 2 * inset
    return (
        f'<rect x="{number(box.x - width / 2)}" y="{number(box.y - height / 2)}" '
        f'width="{number(width)}" height="{number(height)}" '
        f'rx="{number(max(2.0, radius - inset))}" fill="{colours.area}" stroke="{colours.line}" '
        f'stroke-width="{number(line)}"{extra}/>'
    )


def _sign(shape: Shape, box: Box, colour: str) -> str:
    """The sign of a gate, drawn as a line: not every font has it, or has it centred."""
    tip = -4.5 if shape is Shape.AND else 4.5
    left, right = number(box.x - 4.5), number(box.x + 4.5)
    ends, top = number(box.y - tip), number(box.y + tip)
    return (
        f'<path d="M{left} {ends}L{number(box.x)} {top}L{right} {ends}" fill="none" '
        f'stroke="{colour}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def edge_mark(edge: Edge, route: Route) -> str:
    """The line of an edge."""
    return (
        f'<path d="{_smooth(route.corners)}" fill="none" stroke="{edge_colours(edge.style).line}" '
        f'stroke-width="{number(line_width(edge.style))}"{DASHES if edge.dashed else ""}/>'
    )


def edge_text_mark(edge: Edge, box: Box) -> str:
    """The text of an edge on a patch that interrupts its line."""
    colour = edge_colours(edge.style).text
    text = text_mark(label_text(edge.label), box.x, box.y, LABEL_SIZE, colour)
    return (
        f"<g><title>{escape(printable(edge.label))}</title>"
        f'<rect x="{number(box.x - box.width / 2)}" y="{number(box.y - box.height / 2)}" '
        f'width="{number(box.width)}" height="{number(box.height)}" rx="4" fill="{PANEL}"/>'
        f"{text}</g>"
    )


def _smooth(corners: Sequence[Point]) -> str:
    """A path with rounded corners that stays within the clearance of what it passes."""
    path = [f"M{number(corners[0][0])} {number(corners[0][1])}"]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        reach = _rounding(before, corner, after)
        start = _towards(corner, before, min(reach, _distance(corner, before) / 2))
        end = _towards(corner, after, min(reach, _distance(corner, after) / 2))
        path.append(f"L{number(start[0])} {number(start[1])}")
        path.append(f"Q{number(corner[0])} {number(corner[1])} {number(end[0])} {number(end[1])}")
    path.append(f"L{number(corners[-1][0])} {number(corners[-1][1])}")
    return "".join(path)


def _rounding(before: Point, corner: Point, after: Point) -> float:
    """How far from a corner its rounding may begin and end."""
    one, other = _towards(corner, before, 1.0), _towards(corner, after, 1.0)
    # The curve passes the corner at a quarter of this times the reach.
    bend = hypot(one[0] + other[0] - 2 * corner[0], one[1] + other[1] - 2 * corner[1])
    return 4 * 0.7 * CLEARANCE / max(bend, 0.001)


def _distance(one: Point, other: Point) -> float:
    return hypot(other[0] - one[0], other[1] - one[1])


def _towards(start: Point, end: Point, reach: float) -> Point:
    share = reach / max(_distance(start, end), 0.001)
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])

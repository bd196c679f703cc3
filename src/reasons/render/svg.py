"""Drawings as SVG text that needs nothing else: no script, style sheet, font or program.

Everything stands on a white panel with its own colours, so that a picture looks
the same on a page, in a dark notebook and in a viewer without style sheets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

from reasons.render.graph import Graph, Style
from reasons.render.layout.layout import LIMIT, Layout, place
from reasons.render.layout.text_size import clipped, printable, text_width
from reasons.render.svg_legend import legend
from reasons.render.svg_shapes import edge_mark, edge_text_mark, number, text_mark, vertex_mark
from reasons.render.svg_style import FRAME, HEADING, PANEL, SMALL_PRINT
from reasons.text import plural

_FONTS = "Helvetica Neue,Helvetica,Arial,DejaVu Sans,sans-serif"
_PADDING = 20.0
_BETWEEN = 44.0
_HEADING_SIZE, _HEADING_LINE = 14.0, 30.0
_CAPTION_SIZE, _CAPTION_LINE = 12.0, 17.0
_ABOVE_CAPTION = 12.0
_ABOVE_LEGEND = 10.0
_NARROWEST = 190.0


@dataclass(frozen=True, slots=True)
class _Panel:
    """A drawing with its places, its heading, and its caption broken into lines."""

    drawing: Graph
    layout: Layout
    heading: str
    caption: tuple[str, ...]
    width: float


def svg(drawing: Graph, *, limit: int = LIMIT) -> str:
    """The drawing as an SVG document.

    Raises `BudgetExceeded` above `limit` vertices. Cost: that of `layout.place`.

    >>> svg(Graph("Nothing", (), ())).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    return svg_row([drawing], limit=limit)


def svg_row(drawings: Sequence[Graph], *, limit: int = LIMIT) -> str:
    """Several drawings side by side in one SVG document, each above its caption."""
    panels = [_panel(drawing, limit) for drawing in drawings]
    top = _PADDING + (_HEADING_LINE if any(panel.heading for panel in panels) else 0.0)
    bottom = top + max((panel.layout.height for panel in panels), default=0.0)
    below = max((_caption_height(panel) for panel in panels), default=0.0)
    row_width = sum(panel.width + _BETWEEN for panel in panels) - _BETWEEN if panels else 0.0
    keys = legend(drawings, max(row_width, 2 * _NARROWEST))
    width = max(row_width, keys.width) + 2 * _PADDING
    lefts = accumulate(
        (panel.width + _BETWEEN for panel in panels), initial=(width - row_width) / 2
    )
    marks = [_marks(panel, x, top, bottom) for panel, x in zip(panels, lefts, strict=False)]
    height = bottom + below
    if keys.marks:
        height += _ABOVE_LEGEND
        marks.append(_moved(keys.marks, (width - keys.width) / 2, height))
        height += keys.height
    return _document(drawings, "".join(marks), width, height + _PADDING)


def _panel(drawing: Graph, limit: int) -> _Panel:
    layout = place(drawing, limit=limit)
    # A heading may widen a narrow drawing, but not without end.
    widest = max(layout.width, 2 * _NARROWEST)
    heading = clipped(drawing.title, _HEADING_SIZE, widest / 1.1)
    width = max(layout.width, 1.1 * text_width(heading, _HEADING_SIZE))
    if drawing.caption:
        width = max(width, _NARROWEST)
    return _Panel(drawing, layout, heading, _wrapped(drawing.caption, width), width)


def _wrapped(text: str, width: float) -> tuple[str, ...]:
    """The words of a text in lines that fit a width; a longer word is cut."""
    lines: list[str] = []
    for word in printable(text).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, _CAPTION_SIZE) <= width:
            lines[-1] = longer
        else:
            lines.append(clipped(word, _CAPTION_SIZE, width))
    return tuple(lines)


def _caption_height(panel: _Panel) -> float:
    return _ABOVE_CAPTION + _CAPTION_LINE * len(panel.caption) if panel.caption else 0.0


def _marks(panel: _Panel, x: float, top: float, bottom: float) -> str:
    """A panel whose graph hangs from `top` and whose caption stands below `bottom`."""
    middle = x + panel.width / 2
    marks = [_moved(_graph(panel), middle - panel.layout.width / 2, top)]
    if panel.heading:
        y = top - _HEADING_LINE + _HEADING_SIZE / 2
        bold = ' font-weight="600"'
        marks.append(text_mark(panel.heading, middle, y, _HEADING_SIZE, HEADING, extra=bold))
    for row, line in enumerate(panel.caption):
        y = bottom + _ABOVE_CAPTION + (row + 0.5) * _CAPTION_LINE
        marks.append(text_mark(line, middle, y, _CAPTION_SIZE, SMALL_PRINT))
    return "".join(marks)


def _graph(panel: _Panel) -> str:
    """Edges below their texts below the vertices; what is dropped lowest, what is lit highest."""
    drawing, layout = panel.drawing, panel.layout
    edges = sorted(
        zip(drawing.edges, layout.routes, strict=True),
        key=lambda pair: (pair[0].style is Style.PATH) - (pair[0].style is Style.DROPPED),
    )
    marks = [edge_mark(edge, route) for edge, route in edges]
    marks += [edge_text_mark(edge, route.label) for edge, route in edges if route.label]
    marks += [vertex_mark(vertex, layout.boxes[vertex.key]) for vertex in drawing.vertices]
    return "".join(marks)


def _moved(marks: str, x: float, y: float) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">{marks}</g>'


def _document(drawings: Sequence[Graph], marks: str, width: float, height: float) -> str:
    across, down = number(width), number(height)
    title = "; ".join(drawing.title for drawing in drawings if drawing.title) or "A drawing"
    described = " ".join(_described(drawing) for drawing in drawings)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" '
        f'viewBox="0 0 {across} {down}" role="img" font-family="{_FONTS}" '
        'style="max-width:100%;height:auto">'
        f"<title>{escape(printable(title))}</title><desc>{escape(printable(described))}</desc>"
        f'<rect x="0.5" y="0.5" width="{number(width - 1)}" height="{number(height - 1)}" rx="8" '
        f'fill="{PANEL}" stroke="{FRAME}"/>{marks}</svg>\n'
    )


def _described(drawing: Graph) -> str:
    """What the picture is, for those who do not see it."""
    name = drawing.title or "A drawing"
    counts = f"{plural(len(drawing.vertices), 'node')}, {plural(len(drawing.edges), 'edge')}"
    return f"{name}: {counts}. {drawing.caption}"

"""Drawings as SVG text that needs nothing else: no script, style sheet, font or program.

Everything stands on a white panel with its own colours, so that a picture looks
the same on a page, in a dark notebook and in a viewer without style sheets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from reasons.render.drawing import Drawing, Shape, Style
from reasons.render.layout import LIMIT, Layout, place
from reasons.render.legend import legend
from reasons.render.marks import edge_mark, edge_text_mark, number, text_mark, vertex_mark
from reasons.render.measure import clipped, printable, text_width
from reasons.render.palette import FRAME, HEADING, PANEL, SMALL_PRINT

_FONTS = "Helvetica Neue,Helvetica,Arial,DejaVu Sans,sans-serif"
_PADDING = 20.0
_BETWEEN = 44.0
_HEADING_SIZE, _HEADING_LINE = 14.0, 28.0
_CAPTION_SIZE, _CAPTION_LINE = 12.0, 17.0
_NARROWEST = 120.0


@dataclass(frozen=True, slots=True)
class _Panel:
    """A drawing with its places and the lines of its caption."""

    drawing: Drawing
    layout: Layout
    caption: tuple[str, ...]
    width: float


def svg(drawing: Drawing, *, limit: int = LIMIT) -> str:
    """The drawing as an SVG document.

    Raises `BudgetExceeded` above `limit` vertices. Cost: that of `layout.place`.

    >>> from reasons.render.drawing import Vertex
    >>> svg(Drawing("One test", (Vertex(1, "E", Shape.FEATURE),), ()))[:34]
    '<svg xmlns="http://www.w3.org/2000'
    """
    return svg_row([drawing], limit=limit)


def svg_row(drawings: Sequence[Drawing], *, limit: int = LIMIT) -> str:
    """Several drawings side by side in one SVG document, each above its caption."""
    panels = [_panel(drawing, limit) for drawing in drawings]
    heading = _HEADING_LINE if any(panel.drawing.title for panel in panels) else 0.0
    tallest = max((panel.layout.height for panel in panels), default=0.0)
    captions = _CAPTION_LINE * max((len(panel.caption) for panel in panels), default=0)
    width = sum(panel.width for panel in panels) + _BETWEEN * max(0, len(panels) - 1)
    bottom = _PADDING + heading + tallest + (captions + 12.0 if captions else 0.0)
    keys, keys_width, keys_height = legend(drawings, max(width, _NARROWEST))
    width = max(width, keys_width)
    parts = []
    x = _PADDING + (width - sum(panel.width for panel in panels) - _BETWEEN * (len(panels) - 1)) / 2
    for panel in panels:
        parts.append(_panel_marks(panel, x, _PADDING + heading, tallest))
        x += panel.width + _BETWEEN
    if keys:
        left = _PADDING + (width - keys_width) / 2
        parts.append(f'<g transform="translate({number(left)} {number(bottom + 14.0)})">{keys}</g>')
        bottom += 14.0 + keys_height
    return _document(drawings, "".join(parts), width + 2 * _PADDING, bottom + _PADDING)

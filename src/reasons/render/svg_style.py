"""The colours of a drawing, one set per meaning, legible on the white panel."""

from typing import NamedTuple

from reasons.render.graph import Shape, Style

PANEL = "#ffffff"
FRAME = "#dfe4ea"
HEADING = "#17202c"
SMALL_PRINT = "#55606e"


class Colours(NamedTuple):
    """Of an outline, the area inside it, and the text on that."""

    line: str
    area: str
    text: str


_OF_SHAPE = {
    Shape.FEATURE: Colours("#3d4b5c", "#f3f6f9", "#17202c"),
    Shape.LEAF: Colours("#3d4b5c", "#f3f6f9", "#17202c"),
    Shape.AND: Colours("#3d4b5c", PANEL, "#17202c"),
    Shape.OR: Colours("#3d4b5c", PANEL, "#17202c"),
    Shape.LITERAL: Colours("#8fa0b3", "#f8fafb", "#17202c"),
}

_OF_STYLE = {
    Style.ADDED: Colours("#c2570c", "#fff3e4", "#9a3f08"),
    Style.DROPPED: Colours("#d5dbe2", PANEL, "#b0b9c4"),
    Style.PATH: Colours("#1f57c3", "#e5eefc", "#173f8f"),
    Style.POSITIVE: Colours("#2e7d4f", "#e4f5ea", "#1b5232"),
    Style.NEGATIVE: Colours("#b83232", "#fcebea", "#8a1f1f"),
    Style.IMPOSSIBLE: Colours("#8b95a1", "#f2f4f6", "#5b6672"),
}


def vertex_colours(shape: Shape, style: Style) -> Colours:
    """The colours of a vertex: its style's, or else its shape's."""
    return _OF_STYLE.get(style, _OF_SHAPE[shape])


def edge_colours(style: Style) -> Colours:
    """The colours of an edge and of the text on it."""
    return _OF_STYLE.get(style, Colours("#5b6b7d", PANEL, "#3d4b5c"))


def line_width(style: Style) -> float:
    """How thick a line is, in pixels."""
    return {Style.PATH: 2.4, Style.ADDED: 1.6, Style.DROPPED: 1.2}.get(style, 1.4)

"""The key to a picture: only the signs that occur in it and do not explain themselves."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reasons.render.graph import Edge, Graph, Shape, Style, Vertex
from reasons.render.layout.layout import Box, Route
from reasons.render.layout.text_size import text_width, vertex_size
from reasons.render.svg_shapes import edge_mark, number, text_mark, vertex_mark
from reasons.render.svg_style import SMALL_PRINT

_SIZE = 11.0
_LINE = 20.0
_SAMPLE = 26.0
_AFTER_SAMPLE = 6.0
_BETWEEN = 18.0

_WORDS = {
    Style.ADDED: "added by consensus",
    Style.DROPPED: "dropped by filtering",
    Style.PATH: "the instance's path",
}


class Legend(NamedTuple):
    """The marks of a key, with its upper left corner at the origin, and its size."""

    marks: str
    width: float
    height: float


def legend(drawings: Sequence[Graph], width: float) -> Legend:
    """The key to some drawings in as few lines as the width allows; empty if none is needed."""
    lines: list[list[tuple[str, str]]] = []
    room = 0.0
    for sample, words in _entries(drawings):
        if room < (needed := _width(words)) or not lines:
            lines.append([])
            room = width
        lines[-1].append((sample, words))
        room -= needed + _BETWEEN
    marks = "".join(_line(entries, number) for number, entries in enumerate(lines))
    widest = max((_line_width(entries) for entries in lines), default=0.0)
    return Legend(marks, widest, len(lines) * _LINE)


def _entries(drawings: Sequence[Graph]) -> Iterator[tuple[str, str]]:
    """Samples and their words."""
    if any(edge.dashed for drawing in drawings for edge in drawing.edges):
        yield _edge_sample(Style.PLAIN), "yes"
        yield _edge_sample(Style.PLAIN, dashed=True), "no"
    used = {edge.style for drawing in drawings for edge in drawing.edges}
    used |= {vertex.style for drawing in drawings for vertex in drawing.vertices}
    if Style.PATH in used:
        yield _edge_sample(Style.PATH), _WORDS[Style.PATH]
    for style in (Style.ADDED, Style.DROPPED):
        if style in used:
            yield _vertex_sample(style), _WORDS[style]


def _vertex_sample(style: Style) -> str:
    gate = Vertex(0, "", Shape.AND, style)
    size = vertex_size(gate)
    mark = vertex_mark(gate, Box(0.0, 0.0, size.width, size.height))
    return f'<g transform="translate({number(_SAMPLE / 2)} 0) scale(0.55)">{mark}</g>'


def _edge_sample(style: Style, *, dashed: bool = False) -> str:
    return edge_mark(
        Edge(0, 0, dashed=dashed, style=style), Route(((0.0, 0.0), (_SAMPLE, 0.0)), None)
    )


def _width(words: str) -> float:
    return _SAMPLE + _AFTER_SAMPLE + text_width(words, _SIZE)


def _line_width(entries: list[tuple[str, str]]) -> float:
    return sum(_width(words) + _BETWEEN for _, words in entries) - _BETWEEN


def _line(entries: list[tuple[str, str]], row: int) -> str:
    marks = []
    x, y = 0.0, (row + 0.5) * _LINE
    for sample, words in entries:
        text = text_mark(words, _SAMPLE + _AFTER_SAMPLE, 0.0, _SIZE, SMALL_PRINT, anchor="start")
        marks.append(f'<g transform="translate({number(x)} {number(y)})">{sample}{text}</g>')
        x += _width(words) + _BETWEEN
    return "".join(marks)

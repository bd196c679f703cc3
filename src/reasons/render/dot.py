"""Drawings as Graphviz DOT text, for those who want to lay them out or style them themselves."""

from collections import defaultdict

from reasons.render.graph import Edge, Graph, Key, Shape, Style, Vertex
from reasons.render.layout.text_size import printable
from reasons.render.svg_style import Colours, edge_colours, line_width, vertex_colours

_SIGNS = {Shape.AND: "∧", Shape.OR: "∨"}
_SHAPES = {
    Shape.FEATURE: {"shape": "ellipse"},
    Shape.LEAF: {"shape": "box"},
    Shape.AND: {"shape": "circle"},
    Shape.OR: {"shape": "circle"},
    Shape.LITERAL: {"shape": "box", "style": "filled,rounded"},
}


def dot(drawing: Graph) -> str:
    """The drawing in the DOT language, with the same texts, rows, styles and colours.

    >>> print(dot(Graph("", (Vertex(7, "E", Shape.FEATURE),), ())), end="")
    digraph {
      ...
      n7 [label="E", shape="ellipse", ...];
    }
    """
    lines = ["digraph {", *_defaults(drawing)]
    lines += [f"  {_name(vertex.key)} [{_vertex(vertex)}];" for vertex in drawing.vertices]
    lines += [
        f"  {_name(edge.source)} -> {_name(edge.target)} [{_edge(edge)}];" for edge in drawing.edges
    ]
    lines += _same_rows(drawing)
    return "\n".join([*lines, "}", ""])


def quoted(text: str) -> str:
    r"""A text as a DOT string that Graphviz shows letter by letter.

    A backslash would begin an escape such as \N, an ampersand a character entity.

    >>> print(quoted('a "b" & c'))
    "a \"b\" &amp; c"
    """
    shown = printable(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{shown}"'


def _defaults(drawing: Graph) -> list[str]:
    heading = "\n".join(part for part in (drawing.title, drawing.caption) if part)
    label = "\\n".join(quoted(part)[1:-1] for part in heading.split("\n"))
    return [
        f'  graph [label="{label}", labelloc="b", fontname="Helvetica", ranksep="0.45"];',
        '  node [fontname="Helvetica", fontsize="14", height="0.4", width="0.4", '
        'margin="0.1,0.04", style="filled"];',
        '  edge [fontname="Helvetica", fontsize="12", arrowhead="none"];',
    ]


def _name(key: Key) -> str:
    return f"n{key}".replace("n-", "m").replace(".", "_")


def _attributes(values: dict[str, str]) -> str:
    return ", ".join(f"{name}={quoted(value)}" for name, value in values.items())


def _vertex(vertex: Vertex) -> str:
    colours = vertex_colours(vertex.shape, vertex.style)
    values = {"label": _SIGNS.get(vertex.shape, vertex.text), **_SHAPES[vertex.shape]}
    values |= _coloured(colours, vertex.style) | {"fillcolor": colours.area}
    if vertex.style is Style.ADDED:
        values["peripheries"] = "2"
    if vertex.style is Style.IMPOSSIBLE:
        values["style"] = "filled,dashed"
    if vertex.note:
        values["xlabel"] = vertex.note
    return _attributes(values)


def _edge(edge: Edge) -> str:
    values = {"label": edge.text} if edge.text else {}
    values |= _coloured(edge_colours(edge.style), edge.style)
    if edge.dashed:
        values["style"] = "dashed"
    return _attributes(values)


def _coloured(colours: Colours, style: Style) -> dict[str, str]:
    return {
        "color": colours.line,
        "fontcolor": colours.text,
        "penwidth": f"{line_width(style):.1f}",
    }


def _same_rows(drawing: Graph) -> list[str]:
    rows: defaultdict[int, list[str]] = defaultdict(list)
    for vertex in drawing.vertices:
        if drawing.level_of and vertex.key in drawing.level_of:
            rows[drawing.level_of[vertex.key]].append(_name(vertex.key))
    return [f"  {{rank=same; {'; '.join(names)}}}" for _, names in sorted(rows.items())]

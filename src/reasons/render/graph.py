"""What a picture shows, before anything has a place: vertices, edges, and how each is meant.

A drawing is a directed acyclic graph whose edges point from parent to child.
`layout.place` gives it places; `svg.svg` and `dot.dot` turn it into text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from reasons.errors import InputError


class Shape(Enum):
    """What a vertex is."""

    FEATURE = "feature"  # a decision node of a decision graph
    LEAF = "leaf"  # a label
    AND = "and"
    OR = "or"
    LITERAL = "literal"  # a characteristic: E, ¬F, age in (25, 40]


class Style(Enum):
    """What is special about a vertex or an edge."""

    PLAIN = "plain"
    ADDED = "added"  # by consensus
    DROPPED = "dropped"  # by filtering
    PATH = "path"  # the way the instance takes
    POSITIVE = "positive"
    NEGATIVE = "negative"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Vertex:
    """A node of the picture; `note` is small print to its right.

    Gates show the sign of their shape; their text is read out, not drawn.
    """

    key: int
    text: str
    shape: Shape
    style: Style = Style.PLAIN
    note: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A line from a parent down to its child; dashed where the feature is false."""

    source: int
    target: int
    text: str = ""
    dashed: bool = False
    style: Style = Style.PLAIN


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph to be drawn, with its heading and caption.

    `level_of` asks for a row (0 is the top) for some or all keys. A vertex never
    stands on or above the row of a parent, so a row that is too high is lowered.

    >>> Graph("", (Vertex(1, "E", Shape.FEATURE),), (Edge(1, 2),))
    Traceback (most recent call last):
    ...
    reasons.errors.InputError: edge 1 -> 2 of a drawing mentions vertex 2, which does not exist
    """

    title: str
    vertices: tuple[Vertex, ...]
    edges: tuple[Edge, ...]
    caption: str = ""
    level_of: Mapping[int, int] | None = None

    def __post_init__(self) -> None:
        keys: set[int] = set()
        for vertex in self.vertices:
            if vertex.key in keys:
                raise InputError(f"two vertices of a drawing have the key {vertex.key}")
            keys.add(vertex.key)
        for edge in self.edges:
            for end in (edge.source, edge.target):
                if end not in keys:
                    raise InputError(
                        f"edge {edge.source} -> {edge.target} of a drawing "
                        f"mentions vertex {end}, which does not exist"
                    )


def truth_leaf(key: int, value: bool) -> Vertex:
    """The leaf of a truth value."""
    style = Style.POSITIVE if value else Style.NEGATIVE
    return Vertex(key, str(int(value)), Shape.LEAF, style)


def literal(key: int, text: str, style: Style = Style.PLAIN) -> Vertex:
    """A characteristic, with the negation sign of books."""
    shown = f"¬{text[1:]}" if text.startswith("~") else text
    return Vertex(key, shown, Shape.LITERAL, style)

"""What a picture shows, before anything has a place: vertices, edges, and how each is meant.

A drawing is a directed acyclic graph whose edges point from parent to child.
`layout.place` gives it places; `svg.svg` and `dot.dot` turn it into text.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from reasons.errors import InputError

Key = int | str


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

    key: Key
    text: str
    shape: Shape
    style: Style = Style.PLAIN
    note: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A line from a parent down to its child, with the values that lead there as its text.

    The line of a Boolean feature is dashed for no and solid for yes; `dashed` is None elsewhere.
    """

    source: Key
    target: Key
    text: str = ""
    dashed: bool | None = None
    style: Style = Style.PLAIN

    @property
    def label(self) -> str:
        """The text beside the line; none where dashes say it."""
        return self.text if self.dashed is None else ""


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
    level_of: Mapping[Key, int] | None = None

    def __post_init__(self) -> None:
        keys: set[Key] = set()
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


class Use(NamedTuple):
    """A node where a drawing shows it, and the keys and nodes of what is below."""

    key: str
    node: int
    inputs: Sequence[tuple[str, int]] = ()


def unfolded(
    nodes: Iterable[int],
    root: int,
    is_gate: Callable[[int], bool],
    inputs: Callable[[int], Sequence[int]],
) -> Iterator[Use]:
    """The nodes of a circuit as drawings show them: gates once, literals once for each use.

    >>> [use.key for use in unfolded([2], 2, lambda node: node == 2, lambda gate: [0, 1, 0])]
    ['2', '2.0', '2.1', '2.0.2']
    """
    for node in nodes:
        if not is_gate(node):
            if node == root:
                yield Use(str(node), node)
            continue
        times: Counter[int] = Counter()
        below: list[tuple[str, int]] = []
        for each in inputs(node):
            times[each] += 1
            again = f".{times[each]}" if times[each] > 1 else ""
            below.append((str(each) if is_gate(each) else f"{node}.{each}{again}", each))
        yield Use(str(node), node, below)
        yield from (Use(key, each) for key, each in below if not is_gate(each))


def truth_leaf(key: Key, value: bool) -> Vertex:
    """The leaf of a truth value."""
    style = Style.POSITIVE if value else Style.NEGATIVE
    return Vertex(key, str(int(value)), Shape.LEAF, style)


def literal(key: Key, text: str, style: Style = Style.PLAIN) -> Vertex:
    """A characteristic, with the negation sign of books."""
    shown = f"¬{text[1:]}" if text.startswith("~") else text
    return Vertex(key, shown, Shape.LITERAL, style)

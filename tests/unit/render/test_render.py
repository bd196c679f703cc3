"""Drawings: nothing overlaps, nothing is lost, and hostile texts stay texts."""

import re
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasons.errors import BudgetExceeded, InputError
from reasons.render.dot import dot, quoted
from reasons.render.graph import Edge, Graph, Shape, Style, Vertex
from reasons.render.layout.layout import Box, Layout, place
from reasons.render.svg import svg, svg_row

HOSTILE = [
    "<script>alert(1)</script>",
    "\"double\" 'single' & &amp; ]]>",
    "nul\x00 bell\x07 escape\x1b delete\x7f line\nfeed\ttab",
    "lone \ud800 surrogate, \ufffe no character",
    "👩‍👩‍👧 emoji 🎓",
    "גיל בין 25 ל־40",
    "年齢は二十五歳以上",
    "back\\slash \\N \\",
    "} ]; evil -> node",
    "long " * 200,
    "",
]


def admission() -> Graph:
    """E & (~F | G | W) as an ordered decision graph."""
    features = [Vertex(key, name, Shape.FEATURE) for key, name in enumerate("EFGW")]
    leaves = [
        Vertex(4, "0", Shape.LEAF, Style.NEGATIVE),
        Vertex(5, "1", Shape.LEAF, Style.POSITIVE),
    ]
    arms = [(0, 4, 1), (1, 5, 2), (2, 3, 5), (3, 4, 5)]
    edges = [
        Edge(node, child, dashed=child == low) for node, low, high in arms for child in (low, high)
    ]
    return Graph("Admission", (*features, *leaves), tuple(edges), "E ∧ (¬F ∨ G ∨ W)")


def chain(length: int) -> Graph:
    """Vertices in one line, each also with a dashed edge to the last."""
    vertices = tuple(Vertex(key, f"x{key}", Shape.FEATURE) for key in range(length))
    down = (Edge(key, key + 1) for key in range(length - 1))
    last = (Edge(key, length - 1, dashed=True) for key in range(length - 2))
    return Graph("", vertices, (*down, *last))


untimed = settings(deadline=None)
texts = st.text(max_size=12) | st.sampled_from(["E", "¬F", "age in (25, 40]", *HOSTILE])


@st.composite
def drawings(draw: st.DrawFn) -> Graph:
    """Random acyclic drawings: several roots, parallel edges, texts, notes, asked rows."""
    count = draw(st.integers(1, 14))
    keys = draw(st.permutations(range(-3, count - 3)))
    vertices = [
        Vertex(
            key,
            draw(texts),
            draw(st.sampled_from(Shape)),
            draw(st.sampled_from(Style)),
            draw(st.just("") | texts),
        )
        for key in keys
    ]
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    edges = [
        Edge(
            keys[min(pair)],
            keys[max(pair)],
            draw(st.just("") | texts),
            draw(st.booleans()),
            draw(st.sampled_from(Style)),
        )
        for pair in draw(st.lists(pairs, max_size=30))
        if pair[0] != pair[1]
    ]
    asked: Any = draw(st.none() | st.dictionaries(st.sampled_from(keys), st.integers(0, 9)))
    return Graph(draw(texts), tuple(vertices), tuple(edges), draw(texts), asked)


def overlap(one: Box, other: Box) -> bool:
    return (
        abs(one.x - other.x) < (one.width + other.width) / 2
        and abs(one.y - other.y) < (one.height + other.height) / 2
    )


def boxes(layout: Layout) -> list[Box]:
    labels = [route.label for route in layout.routes if route.label]
    return [*layout.boxes.values(), *labels]


def shrunk(box: Box) -> Box:
    return Box(box.x, box.y, box.width - 2, box.height - 2)


def enters(corners: tuple[tuple[float, float], ...], box: Box) -> bool:
    """Whether a line has a part inside a box."""
    return any(_cuts(start, end, box) for start, end in pairwise(corners))


def _cuts(start: tuple[float, float], end: tuple[float, float], box: Box) -> bool:
    low, high = 0.0, 1.0
    sides = ((box.x, box.width / 2), (box.y, box.height / 2))
    for one, other, (centre, half) in zip(start, end, sides, strict=True):
        if one == other and abs(one - centre) >= half:
            return False
        if one != other:
            shares = [(centre + side - one) / (other - one) for side in (-half, half)]
            low, high = max(low, min(shares)), min(high, max(shares))
    return low < high


@untimed
@given(drawings())
def test_no_two_vertices_or_edge_texts_overlap(drawing: Graph) -> None:
    for one, other in combinations(boxes(place(drawing)), 2):
        assert not overlap(one, other)


@untimed
@given(drawings())
def test_every_edge_with_a_text_has_a_place_for_it_on_its_line(drawing: Graph) -> None:
    for edge, route in zip(drawing.edges, place(drawing).routes, strict=True):
        assert (route.label is not None) == bool(edge.label)
        if route.label:
            assert enters(route.corners, Box(route.label.x, route.label.y, 2, 2))


@untimed
@given(drawings())
def test_parents_stand_above_their_children(drawing: Graph) -> None:
    layout = place(drawing)
    for edge in drawing.edges:
        source, target = layout.boxes[edge.source], layout.boxes[edge.target]
        assert source.y + source.height / 2 < target.y - target.height / 2


@untimed
@given(drawings(), st.booleans())
def test_no_edge_enters_a_vertex_or_the_text_of_another_edge(drawing: Graph, shares: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if shares:  # as edges of large drawings do
            patch.setattr("reasons.render.layout.ranks._MOST_SEPARATE_STOPS", -1)
        layout = place(drawing)
    labels = {number: route.label for number, route in enumerate(layout.routes) if route.label}
    for number, (edge, route) in enumerate(zip(drawing.edges, layout.routes, strict=True)):
        own = (edge.source, edge.target)
        others = [shrunk(box) for other, box in labels.items() if other != number]
        others += [shrunk(box) for key, box in layout.boxes.items() if key not in own]
        assert not any(enters(route.corners, box) for box in others)


@untimed
@given(drawings())
def test_everything_is_inside_the_picture(drawing: Graph) -> None:
    layout = place(drawing)
    for box in boxes(layout):
        assert box.width / 2 <= box.x <= layout.width - box.width / 2
        assert box.height / 2 <= box.y <= layout.height - box.height / 2
    for route in layout.routes:
        assert all(0 <= x <= layout.width and 0 <= y <= layout.height for x, y in route.corners)


@untimed
@given(drawings())
def test_the_same_drawing_gives_the_same_picture(drawing: Graph) -> None:
    again = Graph(
        drawing.title,
        tuple(drawing.vertices),
        tuple(drawing.edges),
        drawing.caption,
        dict(drawing.level_of) if drawing.level_of is not None else None,
    )
    assert svg(drawing) == svg(again)
    assert dot(drawing) == dot(again)


@settings(untimed, max_examples=50)
@given(st.lists(drawings(), max_size=3))
def test_every_picture_is_xml_without_script_or_reference(several: list[Graph]) -> None:
    root = ElementTree.fromstring(svg_row(several).encode())
    tags = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "g", "rect", "path", "text"}
    names = {name for element in root.iter() for name in element.attrib}
    assert not any(name.startswith("on") or "href" in name for name in names)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_shown_as_text(text: str) -> None:
    vertices = (Vertex(1, text, Shape.FEATURE, note=text), Vertex(2, text, Shape.LITERAL))
    drawing = Graph(text, vertices, (Edge(1, 2, text),), text)
    root = ElementTree.fromstring(svg(drawing).encode())
    titles = [element.text or "" for element in root.iter() if element.tag.endswith("title")]
    words = [word for word in text.split() if word.isprintable()]
    assert all(word in titles[0] for word in words)
    assert len(re.findall("^  n1 -> n2 ", dot(drawing), re.MULTILINE)) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_a_dot_string_ends_only_at_its_end(text: str) -> None:
    assert re.fullmatch(r'"(?:[^"\\]|\\["\\])*"', quoted(text))


def test_a_text_that_graphviz_would_interpret_is_escaped() -> None:
    assert quoted('\\N "q" &lt;') == r'"\\N \"q\" &amp;lt;"'


def test_a_picture_says_what_it_shows() -> None:
    root = ElementTree.fromstring(svg(admission()))
    assert root.attrib["role"] == "img"
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    assert [child.text for child in root[:2]] == [
        "Admission",
        "Admission: 6 nodes, 8 edges. E ∧ (¬F ∨ G ∨ W)",
    ]


def test_false_edges_are_dashed_and_consensus_gates_have_two_circles() -> None:
    assert svg(admission()).count("stroke-dasharray") == 4 + 1  # and one in the legend
    gate = Graph("", (Vertex(1, "", Shape.AND, Style.ADDED),), ())
    assert svg(gate).count("<rect") == 1 + 2 * 2  # panel, gate, legend
    assert 'peripheries="2"' in dot(gate)


def test_a_graph_without_need_of_crossings_has_straight_short_edges() -> None:
    layout = place(admission())
    corners = [len(route.corners) for route in layout.routes]
    assert corners.count(2) >= 5


def test_asked_rows_are_kept() -> None:
    vertices = tuple(Vertex(key, "X", Shape.FEATURE) for key in range(4))
    edges = (Edge(0, 1), Edge(1, 2), Edge(0, 3))
    layout = place(Graph("", vertices, edges, level_of={0: 0, 1: 1, 2: 2, 3: 2}))
    assert layout.boxes[3].y == layout.boxes[2].y > layout.boxes[1].y


@pytest.mark.parametrize("length", [1, 2, 500, 2000])
def test_a_deep_chain_with_a_common_leaf_works_within_the_limit(length: int) -> None:
    layout = place(chain(length))
    heights = [layout.boxes[key].y for key in range(length)]
    assert heights == sorted(set(heights))


def test_nothing_draws_as_an_empty_picture() -> None:
    ElementTree.fromstring(svg(Graph("", (), ())))
    ElementTree.fromstring(svg_row([]))


def test_more_vertices_than_the_limit_exceed_the_budget() -> None:
    with pytest.raises(BudgetExceeded) as caught:
        place(chain(2001))
    assert caught.value.spent["vertices"] == 2001
    with pytest.raises(BudgetExceeded):
        svg(chain(11), limit=10)


def test_what_is_no_acyclic_graph_is_refused() -> None:
    one, two = Vertex(1, "", Shape.OR), Vertex(2, "", Shape.OR)
    with pytest.raises(InputError, match="two vertices of a drawing have the key 1"):
        Graph("", (one, one), ())
    with pytest.raises(InputError, match="vertex 3, which does not exist"):
        Graph("", (one,), (Edge(1, 3),))
    with pytest.raises(InputError, match="no cycle"):
        place(Graph("", (one, two), (Edge(1, 2), Edge(2, 1))))

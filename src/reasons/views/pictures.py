"""Drawings of circuits and reasons, as the paper's figures show them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reasons.circuits.circuit import AllOf, Circuit, Leaf, Test
from reasons.errors import BudgetExceeded, InputError
from reasons.explain import consensus
from reasons.features.values import IMPOSSIBLE
from reasons.render.graph import (
    Edge,
    Graph,
    Key,
    Shape,
    Style,
    Vertex,
    literal,
    truth_leaf,
    unfolded,
)
from reasons.views.graph import instance_path, node_edges

if TYPE_CHECKING:
    from reasons.classifier import Classifier
    from reasons.decision import Decision

MOST_NODES = 2_000
WHAT = ("graph", "circuit", "consensus", "filtered", "reason")

_MARKS = {
    consensus.Mark.PLAIN: Style.PLAIN,
    consensus.Mark.ADDED: Style.ADDED,
    consensus.Mark.DROPPED: Style.DROPPED,
}


def picture(classifier: "Classifier", decision: "Decision | None" = None, what: str = "") -> Graph:
    """The drawing asked for: the decision graph, a step on the way to a reason, or the reason.

    `what` is "graph" (with a decision, its path is lit), "circuit", "consensus",
    "filtered" or "reason"; the last two need a decision. Cost: O(circuit), and it must be small.
    """
    what = what or ("graph" if decision is None else "reason")
    if what not in WHAT:
        raise InputError(f"cannot draw {what!r}; choose one of: {', '.join(WHAT)}")
    if decision is None and what in ("filtered", "reason"):
        raise InputError(f"to draw {what!r}, give an instance")
    if what == "reason" and decision is not None:
        return decision.reason.drawing()
    circuit = classifier.circuit
    if len(circuit) > MOST_NODES:
        raise BudgetExceeded("drawing", nodes=len(circuit), limit=MOST_NODES)
    cells = None if decision is None else decision.instance.cells
    if what == "graph":
        return graph(circuit, cells)
    step = consensus.nnf(circuit, circuit.labels[-1] if decision is None else decision.label)
    title = "Decision-DNNF circuit"
    if what in ("consensus", "filtered"):
        step, title = consensus.consensus(step), "consensus circuit"
    if what == "filtered" and cells is not None:
        step, title = consensus.filtered(step, cells), "filtered by the instance"
    return nnf(step, title)


def graph(circuit: Circuit, cells: Sequence[int] | None = None) -> Graph:
    """A decision graph; the path of an instance is highlighted."""
    lit = {} if cells is None else instance_path(circuit, cells, MOST_NODES)
    vertices, edges = [], []
    for number, node in enumerate(circuit):
        style = Style.PATH if number in lit else Style.PLAIN
        if isinstance(node, Leaf):
            vertices.append(_leaf(number, node))
        elif isinstance(node, AllOf):
            vertices.append(Vertex(number, "and", Shape.AND, style))
        else:
            name = circuit.schema[node.feature].name
            vertices.append(Vertex(number, name, Shape.FEATURE, style))
        edges += node_edges(circuit, number, cells if number in lit else None)
    return Graph("decision graph", tuple(vertices), tuple(edges), level_of=_rows(circuit))


def _rows(circuit: Circuit) -> dict[Key, int] | None:
    """One row for each feature where all paths test them in one order; leaves at the bottom."""
    if not circuit.is_ordered:
        return None
    level = {feature: row for row, feature in enumerate(circuit.native.order)}
    return {
        number: level[node.feature] if isinstance(node, Test) else len(level)
        for number, node in enumerate(circuit)
    }


def _leaf(number: int, node: Leaf) -> Vertex:
    if node.label is IMPOSSIBLE:
        return Vertex(number, "impossible", Shape.LEAF, Style.IMPOSSIBLE)
    if isinstance(node.label, bool):
        return truth_leaf(number, node.label)
    return Vertex(number, str(node.label), Shape.LEAF)


def nnf(circuit: consensus.Nnf, title: str = "circuit") -> Graph:
    """A circuit of gates and literals; added gates are doubled, dropped parts are grey.

    Literals and constants are drawn once for each use, as the paper does.
    """
    parts, root = circuit.parts, len(circuit.parts) - 1
    gates: list[Vertex] = []
    terminals: list[Vertex] = []
    edges: list[Edge] = []
    for use in unfolded(range(len(parts)), root, circuit.is_gate, lambda i: parts[i].inputs):
        part = parts[use.node]
        if circuit.is_gate(use.node):
            gates.append(Vertex(use.key, part.kind, Shape(part.kind), _MARKS[part.mark]))
        elif use.node == root:
            terminals.append(_terminal(use.key, part, circuit))
        for key, number in use.inputs:
            child = parts[number]
            dropped = consensus.Mark.DROPPED in (part.mark, child.mark)
            edges.append(Edge(use.key, key, style=Style.DROPPED if dropped else Style.PLAIN))
            if not circuit.is_gate(number):
                mark = consensus.Mark.DROPPED if dropped else child.mark
                terminals.append(_terminal(key, replace(child, mark=mark), circuit))
    return Graph(title, (*gates, *terminals), tuple(edges))


def _terminal(key: str, part: consensus.Part, circuit: consensus.Nnf) -> Vertex:
    if part.kind == "literal":
        says = circuit.circuit.schema[part.feature].says(part.cells)
        return literal(key, says, _MARKS[part.mark])
    leaf = truth_leaf(key, part.kind == "true")
    return replace(leaf, style=Style.DROPPED) if part.mark is consensus.Mark.DROPPED else leaf

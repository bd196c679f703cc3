"""Drawings of circuits and reasons, as the paper's figures show them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reasons.circuits.circuit import AllOf, Circuit, Leaf, Test
from reasons.errors import BudgetExceeded, InputError
from reasons.explain import consensus
from reasons.features.feature import Feature
from reasons.features.values import IMPOSSIBLE
from reasons.render.graph import Edge, Graph, Shape, Style, Vertex, literal, truth_leaf
from reasons.views.graph import arm_text, instance_path

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
    """A decision graph; the way of an instance is lit."""
    lit = {} if cells is None else instance_path(circuit, cells, MOST_NODES)
    vertices, edges = [], []
    for number, node in enumerate(circuit):
        style = Style.PATH if number in lit else Style.PLAIN
        if isinstance(node, Leaf):
            vertices.append(_leaf(number, node))
        elif isinstance(node, AllOf):
            vertices.append(Vertex(number, "and", Shape.AND, style))
            edges += [Edge(number, i, style=style) for i in node.inputs]
        else:
            feature = circuit.schema[node.feature]
            vertices.append(Vertex(number, feature.name, Shape.FEATURE, style))
            edges += _arms(number, node, feature, cells if number in lit else None)
    return Graph("decision graph", tuple(vertices), tuple(edges), level_of=_rows(circuit))


def _rows(circuit: Circuit) -> dict[int, int] | None:
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


def _arms(number: int, node: Test, feature: Feature, cells: Sequence[int] | None) -> list[Edge]:
    edges = []
    for arm in node.arms:
        taken = cells is not None and cells[node.feature] in arm.cells
        style = Style.PATH if taken else Style.PLAIN
        if feature.kind == "boolean":
            edges.append(Edge(number, arm.node, dashed=arm.cells == (0,), style=style))
        else:
            edges.append(Edge(number, arm.node, arm_text(feature, arm.cells), style=style))
    return edges


def nnf(circuit: consensus.Nnf, title: str = "circuit") -> Graph:
    """A circuit of gates and literals; added gates are doubled, dropped parts are grey.

    Literals and constants are drawn once for each use, as the paper does.
    """
    vertices: list[Vertex] = []
    edges: list[Edge] = []
    schema = circuit.circuit.schema
    for number, part in enumerate(circuit.parts):
        if part.kind in ("and", "or"):
            shape = Shape.AND if part.kind == "and" else Shape.OR
            vertices.append(Vertex(number, part.kind, shape, _MARKS[part.mark]))
    copies = len(circuit.parts)
    root = len(circuit.parts) - 1
    for number, part in enumerate(circuit.parts):
        for i in part.inputs:
            child, target = circuit.parts[i], i
            if child.kind not in ("and", "or"):
                target, copies = copies, copies + 1
                if part.mark is consensus.Mark.DROPPED:
                    child = replace(child, mark=part.mark)
                vertices.append(_terminal(target, child, schema[child.feature]))
            dropped = consensus.Mark.DROPPED in (part.mark, child.mark)
            edges.append(Edge(number, target, style=Style.DROPPED if dropped else Style.PLAIN))
    if not edges:
        last = circuit.parts[root]
        vertices.append(_terminal(root, last, schema[last.feature] if len(schema) else None))
    return Graph(title, tuple(vertices), tuple(edges))


def _terminal(number: int, part: consensus.Part, feature: Feature | None) -> Vertex:
    if part.kind == "literal" and feature is not None:
        return literal(number, feature.says(part.cells), _MARKS[part.mark])
    leaf = truth_leaf(number, part.kind == "true")
    return replace(leaf, style=Style.DROPPED) if part.mark is consensus.Mark.DROPPED else leaf

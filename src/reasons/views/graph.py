"""Circuits and reasons as nodes and edges for a page that lays them out.

Small ones are sent whole. Of a large one, the instance's path and its neighbours are sent; what is
left out is counted at its parent (`hidden_children`), and sent on request (`expand`).
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from reasons.budget import Budget
from reasons.circuits.circuit import AllOf, Circuit, Leaf, Node, Test
from reasons.errors import InputError
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.explain.simplify import Gate, Literal
from reasons.features.feature import Feature
from reasons.features.grammar.tokens import quoted_name
from reasons.features.values import IMPOSSIBLE
from reasons.render.graph import Edge, Style, Use, unfolded
from reasons.views.values import Object

WHOLE = 500
MOST = 5_000
_BESIDE = 100
_MOST_EVALUATED = 50_000
_STAGE = "drawing"

Children = Callable[[int], Sequence[int]]


def classifier_graph(
    circuit: Circuit,
    cells: Sequence[int] | None = None,
    expand: Iterable[str] = (),
    whole: bool = False,
    budget: Budget | None = None,
) -> Object:
    """The decision graph of a classifier, with the path of an instance marked.

    Cost: O(edges of what is shown); never more than 5,000 nodes.
    """
    budget = budget or Budget()

    def children(number: int) -> list[int]:
        budget.check(_STAGE)  # a node can have very many
        return list(dict.fromkeys(child for child, _ in node_inputs(circuit[number])))

    lit = instance_path(circuit, cells) if cells is not None else {}
    total = len(circuit)
    if total <= (MOST if whole else WHOLE):
        shown = dict.fromkeys(range(total - 1, -1, -1))
    else:
        shown = _opened(circuit.root, children, lit, _numbers(expand, total))
    nodes, edges = [], []
    for number in shown:
        nodes.append(_node(circuit, number, number in lit, children, shown))
        below = node_edges(circuit, number, cells if number in lit else None)
        edges += [_edge_view(edge) for edge in below if edge.target in shown]
    return {"nodes": nodes, "edges": edges, "root": str(circuit.root), "total": total}


def instance_path(circuit: Circuit, cells: Sequence[int], most: int = WHOLE) -> dict[int, None]:
    """The nodes that an instance reaches, from the root on, at most `most`."""
    lit, todo = {circuit.root: None}, deque([circuit.root])
    while todo and len(lit) < most:
        node = circuit[todo.popleft()]
        for number, arm in node_inputs(node):
            if number not in lit and (not isinstance(node, Test) or cells[node.feature] in arm):
                lit[number] = None
                todo.append(number)
    return lit


def _numbers(expand: Iterable[str], total: int) -> list[int]:
    """The nodes that ids name."""
    numbers = []
    for text in expand:
        plain = text.isascii() and text.isdecimal() and len(text) < 20
        if not plain or int(text) >= total:
            raise InputError(f"there is no node {text[:40]!r} to expand")
        numbers.append(int(text))
    return numbers


def _opened(
    root: int, children: Children, lit: Mapping[int, None], expand: Sequence[int]
) -> dict[int, None]:
    """The nodes on the path, their neighbours, and expanded nodes; without a path, the first."""
    shown: dict[int, None] = {root: None, **lit}
    if lit:
        beside = (child for number in lit for child in children(number))
        shown.update(_first(beside, WHOLE - len(shown)))
    else:
        shown.update(_broad(root, children))
    for number in expand:
        room = MOST - len(shown)
        shown.update(_first([number, *children(number)], room))
    return shown


def _first(numbers: Iterable[int], most: int) -> dict[int, None]:
    found: dict[int, None] = {}
    for number in numbers:
        if len(found) >= most:
            break
        found[number] = None
    return found


def _broad(root: int, children: Children) -> dict[int, None]:
    """The nodes nearest to the root."""
    found, todo = {root: None}, deque([root])
    while todo:
        for child in children(todo.popleft()):
            if len(found) >= _BESIDE:
                return found
            if child not in found:
                found[child] = None
                todo.append(child)
    return found


def _node(
    circuit: Circuit, number: int, on_path: bool, children: Children, shown: Mapping[int, None]
) -> Object:
    node = circuit[number]
    found: Object = {"id": str(number), "on_path": on_path, "feature": None, "cells": None}
    found["hidden_children"] = sum(child not in shown for child in children(number))
    if isinstance(node, Leaf):
        impossible = node.label is IMPOSSIBLE
        text = "impossible" if impossible else str(node.label)
        return {**found, "kind": "impossible" if impossible else "leaf", "text": text}
    if isinstance(node, AllOf):
        return {**found, "kind": "and", "text": "and"}
    name = circuit.schema[node.feature].name
    return {**found, "kind": "decision", "text": name, "feature": name}


def node_inputs(node: Node) -> list[tuple[int, tuple[int, ...]]]:
    """The nodes below a node of a circuit; below a test, each with the cells that lead there."""
    if isinstance(node, Test):
        return [(arm.node, arm.cells) for arm in node.arms]
    return [(child, ()) for child in node.inputs] if isinstance(node, AllOf) else []


def node_edges(circuit: Circuit, number: int, cells: Sequence[int] | None = None) -> list[Edge]:
    """The edges below a node, as pages and pictures label them.

    `cells` are those of an instance that comes to the node: the edges it takes are marked.
    """
    node, edges = circuit[number], []
    feature = circuit.schema[node.feature] if isinstance(node, Test) else None
    for child, arm in node_inputs(node):
        taken = cells is not None and (not isinstance(node, Test) or cells[node.feature] in arm)
        style = Style.PATH if taken else Style.PLAIN
        text = "" if feature is None else arm_text(feature, arm)
        boolean = feature is not None and feature.kind == "boolean"
        edges.append(Edge(number, child, text, arm == (0,) if boolean else None, style))
    return edges


def _edge_view(edge: Edge) -> Object:
    on_path = edge.style is Style.PATH
    return {"from": str(edge.source), "to": str(edge.target), "text": edge.text, "on_path": on_path}


def arm_text(feature: Feature, cells: Sequence[int]) -> str:
    """The values of an arm without the feature's name."""
    if feature.kind == "boolean":
        return " or ".join("yes" if cell else "no" for cell in cells)
    text = feature.says(cells).removeprefix(quoted_name(feature.name)).strip().removeprefix("= ")
    return text.removeprefix("in {").removesuffix("}") if text.startswith("in {") else text


def reason_graph(
    reason: ReasonCircuit,
    cells: Sequence[int] | None = None,
    expand: Iterable[str] = (),
    whole: bool = False,
    budget: Budget | None = None,
) -> Object:
    """The gates and literals of a reason; literals stand once for each use.

    `cells` say of which instance a part is true; without, of the one decided, of which every
    part is. Cost: O(edges of what is shown); with cells O(reason).
    """
    budget = budget or Budget()
    nodes: list[Object] = []
    edges: list[Object] = []

    def children(number: int) -> Sequence[int]:
        budget.check(_STAGE)
        return reason.inputs(number) if reason.is_gate(number) else ()

    def inputs(gate: int) -> Sequence[int]:
        shown_inputs = (i for i in children(gate) if i in shown or not reason.is_gate(i))
        return list(islice(shown_inputs, max(0, MOST - len(nodes))))

    gates = reason.native.gates
    if gates <= (MOST if whole else WHOLE):
        shown = dict.fromkeys(sorted(reason.nodes, reverse=True))
    else:
        total = len(reason.native)
        shown = _opened(reason.root, children, {}, _numbers(expand, total))
    true = _truth(reason, cells)
    for use in unfolded(shown, reason.root, reason.is_gate, inputs):
        nodes.append(_reason_node(reason, use, true(use.node)))
        for key, below in use.inputs:
            style = Style.PLAIN if true(below) is False else Style.PATH
            edges.append(_edge_view(Edge(use.key, key, style=style)))
    total = len(nodes) if gates <= WHOLE else len(reason.native)
    return {"nodes": nodes, "edges": edges, "root": str(reason.root), "total": total}


def _reason_node(reason: ReasonCircuit, use: Use, true: bool | None) -> Object:
    node, on_path = reason[use.node], true is not False
    view: Object = {"id": use.key, "true": true, "on_path": on_path, "feature": None, "cells": None}
    if isinstance(node, Gate):
        kind = "and" if node.is_conjunction else "or"
        hidden = len(node.inputs) - len(use.inputs)
        return {**view, "kind": kind, "text": kind, "hidden_children": hidden}
    view["hidden_children"] = 0
    if isinstance(node, Literal):
        about = {"feature": reason.schema[node.feature].name, "cells": list(node.cells)}
        return {**view, "kind": "literal", "text": reason.text(use.node), **about}
    kind = "true" if node.value else "false"
    return {**view, "kind": kind, "text": kind}


def _truth(reason: ReasonCircuit, cells: Sequence[int] | None) -> Callable[[int], bool | None]:
    """Whether a node is true of an instance; None where working that out takes too long."""
    if cells is None:
        return lambda number: number != 0
    if reason.native.gates > _MOST_EVALUATED:
        return lambda number: None
    true: dict[int, bool] = {}
    for number, node in reason.nodes.items():
        if isinstance(node, Gate):
            inputs = (true[i] for i in node.inputs)
            true[number] = all(inputs) if node.is_conjunction else any(inputs)
        elif isinstance(node, Literal):
            true[number] = cells[node.feature] in node.cells
        else:
            true[number] = node.value
    return true.get

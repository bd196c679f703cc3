"""Circuits and reasons as nodes and edges for a page that lays them out.

Small ones come whole. Of a large one come the instance's way and what stands beside it; what
is left out is counted at its parent (`hidden_children`), and comes when it is asked for.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from reasons.budget import Budget
from reasons.circuits.circuit import AllOf, Circuit, Leaf, Test
from reasons.errors import InputError
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.explain.simplify import Constant, Gate, Literal
from reasons.features.feature import Feature
from reasons.features.grammar.tokens import quoted
from reasons.features.values import IMPOSSIBLE
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
    """The decision graph of a classifier, the way of an instance marked.

    Cost: O(edges of what is shown); never more than 5,000 nodes.
    """
    budget = budget or Budget()

    def children(number: int) -> list[int]:
        budget.check(_STAGE)  # a node can have very many
        node = circuit[number]
        if isinstance(node, Test):
            return list(dict.fromkeys(arm.node for arm in node.arms))
        return list(node.inputs) if isinstance(node, AllOf) else []

    lit = instance_path(circuit, cells) if cells is not None else {}
    total = len(circuit)
    if total <= (MOST if whole else WHOLE):
        shown = dict.fromkeys(range(total - 1, -1, -1))
    else:
        shown = _opened(circuit.root, children, lit, _numbers(expand, total))
    nodes, edges = [], []
    for number in shown:
        nodes.append(_node(circuit, number, number in lit, children, shown))
        edges += _edges(circuit, number, cells if number in lit else None, shown)
    return {"nodes": nodes, "edges": edges, "root": str(circuit.root), "total": total}


def instance_path(circuit: Circuit, cells: Sequence[int], most: int = WHOLE) -> dict[int, None]:
    """The nodes that an instance comes to, from the root on; of very many, the first."""
    lit, todo = {circuit.root: None}, deque([circuit.root])
    while todo and len(lit) < most:
        node = circuit[todo.popleft()]
        then: Iterable[int] = ()
        if isinstance(node, AllOf):
            then = node.inputs
        elif isinstance(node, Test):
            then = [arm.node for arm in node.arms if cells[node.feature] in arm.cells]
        for number in then:
            if number not in lit:
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
    """The lit nodes, what stands beside them, and what was asked for; without, the first."""
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


def _edges(
    circuit: Circuit, number: int, cells: Sequence[int] | None, shown: Mapping[int, None]
) -> list[Object]:
    node = circuit[number]
    if isinstance(node, AllOf):
        return [_edge(number, i, "", cells is not None) for i in node.inputs if i in shown]
    if isinstance(node, Leaf):
        return []
    feature = circuit.schema[node.feature]
    return [
        _edge(
            number,
            arm.node,
            arm_text(feature, arm.cells),
            cells is not None and cells[node.feature] in arm.cells,
        )
        for arm in node.arms
        if arm.node in shown
    ]


def _edge(start: int | str, end: int | str, text: str, on_path: bool) -> Object:
    return {"from": str(start), "to": str(end), "text": text, "on_path": on_path}


def arm_text(feature: Feature, cells: Sequence[int]) -> str:
    """The values of an arm without the feature's name."""
    if feature.kind == "boolean":
        return " or ".join("yes" if cell else "no" for cell in cells)
    text = feature.says(cells).removeprefix(quoted(feature.name)).strip().removeprefix("= ")
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

    def children(number: int) -> Sequence[int]:
        budget.check(_STAGE)
        node = reason[number]
        return node.inputs if isinstance(node, Gate) else ()

    gates = reason.native.gates
    if gates <= (MOST if whole else WHOLE):
        shown = dict.fromkeys(sorted(reason.nodes, reverse=True))
    else:
        total = len(reason.native)
        shown = _opened(reason.root, children, {}, _numbers(expand, total))
    true = _truth(reason, cells)
    nodes: list[Object] = []
    edges: list[Object] = []
    for number in shown:
        budget.check(_STAGE)
        node = reason[number]
        if not isinstance(node, Gate):
            if number == reason.root:
                nodes.append(_terminal(reason, number, str(number), true))
            continue
        room = MOST - len(nodes)
        inputs = [i for i in node.inputs if i in shown or not isinstance(reason[i], Gate)][:room]
        nodes.append(
            {
                "id": str(number),
                "kind": "and" if node.is_conjunction else "or",
                "text": "and" if node.is_conjunction else "or",
                "hidden_children": len(node.inputs) - len(inputs),
                **_lit(true(number)),
            }
        )
        for i in inputs:
            end = str(i) if isinstance(reason[i], Gate) else f"{number}.{i}"
            if end != str(i):
                nodes.append(_terminal(reason, i, end, true))
            edges.append(_edge(number, end, "", true(i) is not False))
    total = len(nodes) if gates <= WHOLE else len(reason.native)
    return {"nodes": nodes, "edges": edges, "root": str(reason.root), "total": total}


def _lit(true: bool | None) -> Object:
    return {"true": true, "on_path": true is not False, "feature": None, "cells": None}


def _terminal(
    reason: ReasonCircuit, number: int, key: str, true: Callable[[int], bool | None]
) -> Object:
    node = reason[number]
    found = {"id": key, "hidden_children": 0, **_lit(true(number))}
    if isinstance(node, Literal):
        name = reason.schema[node.feature].name
        about = {"feature": name, "cells": list(node.cells)}
        return {**found, "kind": "literal", "text": reason.text(number), **about}
    kind = "true" if isinstance(node, Constant) and node.value else "false"
    return {**found, "kind": kind, "text": kind}


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

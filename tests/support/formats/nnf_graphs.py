"""Random Decision-DNNFs, written as others would write them, and evaluated by definition.

Imports nothing from the package. A graph is a list of nodes, inputs before users, the root
last: ("t",), ("f",), ("l", literal), ("a", inputs) or ("o", inputs).
"""

import random
from itertools import product
from typing import Any

Graph = list[tuple[Any, ...]]


def random_graph(rng: random.Random, variables: int) -> Graph:
    """Decisions and independent parts, with idle gates around them."""
    nodes: Graph = []

    def add(*node: object) -> int:
        nodes.append(node)
        return len(nodes) - 1

    def dressed(node: int) -> int:
        while rng.random() < 0.3:
            kind = rng.choice("aoTF")
            extra = {"T": [add("t")], "F": [add("f")]}.get(kind, [])
            gate = {"T": "a", "F": "o"}.get(kind, kind)
            node = add(gate, tuple(rng.sample([node, *extra], 1 + len(extra))))
        return node

    def literal(variable: int, positive: bool) -> int:
        return dressed(add("l", variable if positive else -variable))

    def conjoined(parts: list[int]) -> int:
        """A conjunction, or nested ones."""
        rng.shuffle(parts)
        while len(parts) > 2 and rng.random() < 0.5:
            parts = [dressed(add("a", (parts[0], parts[1]))), *parts[2:]]
        return dressed(add("a", tuple(parts)))

    def made(free: list[int]) -> int:
        if not free or rng.random() < 0.1:
            return dressed(add(rng.choice("ttf")))
        if len(free) > 1 and rng.random() < 0.4:
            cut = rng.randrange(1, len(free))
            return conjoined([made(free[:cut]), made(free[cut:])])
        variable, *rest = rng.sample(free, len(free))
        if rng.random() < 0.2:
            return literal(variable, rng.random() < 0.5)
        shared = made(rest) if rng.random() < 0.3 else None
        arms = [
            conjoined([literal(variable, sign), made(rest) if shared is None else shared])
            for sign in rng.sample([False, True], 2)
        ]
        return dressed(add("o", tuple(arms)))

    return nodes[: made(list(range(1, variables + 1))) + 1]


def holds(graph: Graph, values: tuple[int, ...]) -> bool:
    """Whether the root is true where variable i + 1 has values[i]."""
    truth: list[bool] = []
    for kind, *rest in graph:
        if kind == "l":
            truth.append((values[abs(rest[0]) - 1] == 1) == (rest[0] > 0))
        elif kind == "a":
            truth.append(all(truth[i] for i in rest[0]))
        elif kind == "o":
            truth.append(any(truth[i] for i in rest[0]))
        else:
            truth.append(kind == "t")
    return truth[-1]


def models(graph: Graph, variables: int) -> set[tuple[int, ...]]:
    return {values for values in product((0, 1), repeat=variables) if holds(graph, values)}


def c2d_text(graph: Graph, variables: int) -> str:
    lines, edges = [], 0
    for kind, *rest in graph:
        if kind == "l":
            lines.append(f"L {rest[0]}")
            continue
        inputs = rest[0] if rest else ()
        edges += len(inputs)
        head = "A" if kind in "at" else "O 0"
        lines.append(" ".join(map(str, (head, len(inputs), *inputs))))
    return "\n".join([f"nnf {len(lines)} {edges} {variables}", *lines, ""])


def d4_text(graph: Graph, rng: random.Random) -> str:
    """Literals go onto arcs; ids and lines are shuffled, but for the root's id."""
    ids = [0] * len(graph)
    pool = rng.sample(range(2, 10 * len(graph) + 2), len(graph))
    for node, number in enumerate(pool):
        ids[node] = number
    root, true = len(graph) - 1, 10 * len(graph) + 2
    ids[root] = 1
    lines = [f"t {true} 0"]
    for node, (kind, *rest) in enumerate(graph):
        if kind == "l":
            # One that is the root, or that nothing may inline, is a node of its own.
            lines += [f"o {ids[node]} 0", f"{ids[node]} {true} {rest[0]} 0"]
            continue
        lines.append(f"{kind} {ids[node]} 0")
        for child in rest[0] if rest else ():
            inlined = graph[child][0] == "l" and rng.random() < 0.7
            target = true if inlined else ids[child]
            literal = f" {graph[child][1]}" if inlined else ""
            lines.append(f"{ids[node]} {target}{literal} 0")
    rng.shuffle(lines)
    return "\n".join([*lines, ""])

"""Ordered Boolean circuits as DDDMP text files, by the rules of CUDD's loader.

CUDD wants one terminal, 1, and complements on `else` edges only. So a function and its
negation share a node, and the sign of its `then` edge decides which of the two it is.
"""

import os
from collections.abc import Iterator

from reasons.circuits.circuit import AllOf, Circuit, Leaf
from reasons.errors import PropertyError
from reasons.features.values import IMPOSSIBLE
from reasons.fs import write_atomically
from reasons.text import short_repr

_TRUE, _FALSE = 1, -1


def write_dddmp(circuit: Circuit, path: str | os.PathLike[str]) -> None:
    """Write an ordered Boolean circuit as a DDDMP text file, all or nothing.

    `reasons.load` gives the same circuit back, with the same features in the same order.
    Raises `PropertyError` for circuits that are not ordered diagrams over Boolean features.
    Cost: O(nodes).
    """
    _require_writable(circuit)
    write_atomically(path, "".join(_lines(circuit)).encode("utf-8"))


def _require_writable(circuit: Circuit) -> None:
    if not circuit.is_ordered:
        raise PropertyError(
            "a DDDMP file holds ordered diagrams only; write this circuit as .nnf or .reasons"
        )
    circuit.require_boolean("a DDDMP file")
    for feature in circuit.schema:
        if not feature.name or feature.name.split() != [feature.name] or feature.name[0] in "#.":
            raise PropertyError(
                f"the name {short_repr(feature.name)} cannot stand in a DDDMP file: names have no "
                "blanks and do not begin with `#` or `.`; rename the feature"
            )


def _lines(circuit: Circuit) -> Iterator[str]:
    names, native = circuit.schema.names, circuit.native
    support = native.order
    level = {feature: place for place, feature in enumerate(support)}
    every = [*support, *(f for f in range(len(names)) if f not in level)]
    tests, root = _numbered(circuit)
    yield f".ver DDDMP-2.0\n.mode A\n.varinfo 0\n.nnodes {len(tests) + 1}\n"
    yield f".nvars {len(names)}\n.nsuppvars {len(support)}\n"
    if names:
        yield _listed(".suppvarnames", [names[f] for f in sorted(support)])
        yield _listed(".orderedvarnames", [names[f] for f in every])
    yield _listed(".ids", sorted(support))
    yield _listed(".permids", [level[f] for f in sorted(support)])
    yield f".nroots 1\n.rootids {root}\n.nodes\n1 T 1 0 0\n"
    for number, (feature, high, low) in enumerate(tests, 2):
        yield f"{number} {feature} {level[feature]} {high} {low}\n"
    yield ".end\n"


def _listed(key: str, items: list[str] | list[int]) -> str:
    return " ".join([key, *map(str, items)]) + "\n"


def _numbered(circuit: Circuit) -> tuple[list[tuple[int, int, int]], int]:
    """Nodes (feature, then, else) from number 2 on, and the edge to the root."""
    numbers: dict[tuple[int, int, int], int] = {}
    edges: list[int] = []
    for node in circuit:
        if isinstance(node, Leaf):
            assert node.label is not IMPOSSIBLE
            edges.append(_TRUE if node.label else _FALSE)
            continue
        assert not isinstance(node, AllOf)
        to = {cell: edges[arm.node] for arm in node.arms for cell in arm.cells}
        sign = 1 if to[1] > 0 else -1
        test = (node.feature, sign * to[1], sign * to[0])
        edges.append(sign * numbers.setdefault(test, len(numbers) + 2))
    return list(numbers), edges[-1]

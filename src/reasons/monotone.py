"""Nodes of monotone circuits, and how people read them.

A reason circuit is built in one pass and says some things twice: `E & (E | ~F)`. A small
one is condensed before it is written: under a conjunction its literals hold for the other
parts, under a disjunction they do not. That unfolds shared parts, so it is bounded.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Constant:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Literal:
    """A feature has one of these cells."""

    feature: int
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Gate:
    """A conjunction or a disjunction of earlier nodes."""

    is_conjunction: bool
    inputs: tuple[int, ...]


ReasonNode = Constant | Literal | Gate
Node = Callable[[int], ReasonNode]

# What is written: a constant, a literal's number, or a gate over such.
Tree = bool | int | tuple[bool, tuple["Tree", ...]]

_MOST_STEPS = 2_000
_MOST_DEPTH = 100


class TooLarge(Exception):
    """The circuit is not small enough to be condensed."""


def condensed(node: Node, root: int) -> Tree:
    """The circuit as a tree without what its context makes superfluous, or `TooLarge`."""
    return _Condenser(node).tree(root, frozenset(), frozenset(), 0)


class _Condenser:
    def __init__(self, node: Node) -> None:
        self.node, self.steps = node, 0

    def tree(self, number: int, true: frozenset[int], false: frozenset[int], depth: int) -> Tree:
        """A node's tree where some literals are known."""
        self.steps += 1
        if self.steps > _MOST_STEPS or depth > _MOST_DEPTH:
            raise TooLarge
        node = self.node(number)
        if isinstance(node, Constant):
            return node.value
        if isinstance(node, Literal):
            return number in true if number in true | false else number
        return self._gate(node, true, false, depth)

    def _gate(self, gate: Gate, true: frozenset[int], false: frozenset[int], depth: int) -> Tree:
        kind = gate.is_conjunction
        parts = self._flattened(gate)
        known: frozenset[int] = frozenset()
        while True:
            now_true, now_false = (true | known, false) if kind else (true, false | known)
            trees = [self.tree(part, now_true, now_false, depth + 1) for part in parts]
            found = frozenset(t for t in trees if type(t) is int)
            if not found:
                break
            known |= found
        return _joined(kind, [*sorted(known), *trees])

    def _flattened(self, gate: Gate) -> list[int]:
        """The inputs, with gates of the same kind replaced by theirs."""
        parts: list[int] = []
        todo = list(reversed(gate.inputs))
        while todo:
            number = todo.pop()
            node = self.node(number)
            if isinstance(node, Gate) and node.is_conjunction == gate.is_conjunction:
                todo += reversed(node.inputs)
                self.steps += 1
            elif number not in parts:
                parts.append(number)
        return parts


def _joined(kind: bool, trees: Iterable[Tree]) -> Tree:
    """A gate over trees: constants taken out, nested gates of its kind opened, each part once."""
    parts: dict[Tree, None] = {}
    for tree in trees:
        if isinstance(tree, bool):
            if tree != kind:
                return tree
        elif isinstance(tree, tuple) and tree[0] == kind:
            parts.update(dict.fromkeys(tree[1]))
        else:
            parts[tree] = None
    if len(parts) < 2:
        return next(iter(parts), kind)
    return kind, tuple(sorted(parts, key=lambda part: (isinstance(part, tuple), str(part))))


def tree_text(tree: Tree, literals: Callable[[bool, list[int]], list[str]]) -> str:
    """A condensed tree as a formula; `literals` writes those of one gate, joined by its kind."""
    if isinstance(tree, bool):
        return str(tree).lower()
    if isinstance(tree, int):
        return literals(True, [tree])[0]
    kind, parts = tree
    texts = literals(kind, [part for part in parts if isinstance(part, int)])
    texts += [f"({tree_text(part, literals)})" for part in parts if isinstance(part, tuple)]
    return (" & " if kind else " | ").join(texts)


def unfolded_text(node: Node, root: int, literal: Callable[[int], str], most: int) -> str:
    """A large circuit as a formula, from the root on; what does not fit ends in dots."""
    written: list[str] = []
    length = 0
    open_parts: list[str | int] = [root]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, int):
            found = node(part)
            if isinstance(found, Gate):
                open_parts.extend(reversed(_spread(node, found)))
                continue
            part = str(found.value).lower() if isinstance(found, Constant) else literal(part)
        written.append(part)
        length += len(part)
        if length > most:
            written.append(" ...")
            break
    return "".join(written)


def _spread(node: Node, gate: Gate) -> list[str | int]:
    """A gate's inputs with its sign between them, in parentheses where the kind changes."""
    parts: list[str | int] = []
    for number in sorted(gate.inputs, key=lambda i: (isinstance(node(i), Gate), i)):
        if parts:
            parts.append(" & " if gate.is_conjunction else " | ")
        inner = node(number)
        wrap = isinstance(inner, Gate) and inner.is_conjunction != gate.is_conjunction
        parts.extend(["(", number, ")"] if wrap else [number])
    return parts

"""Nodes of monotone circuits, and how people read them.

A reason circuit is built in one pass and says some things twice: `E & (E | ~F)`. A small
one is condensed before it is written: under a conjunction its literals hold for the other
parts, under a disjunction they do not. That unfolds shared parts, so it is bounded.
"""

import sys
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


# As it is said: what is always true or always false, a characteristic, or a gate over such.
Said = bool | str | tuple[bool, tuple["Said", ...]]


def said(tree: Tree, literals: Callable[[bool, list[int]], list[Said]]) -> Said:
    """A condensed tree in characteristics; `literals` says those of one gate, joined by its kind.

    What the joined ones make always true or always false goes, with what hangs on it.
    """
    if isinstance(tree, bool):
        return tree
    if isinstance(tree, int):
        return literals(True, [tree])[0]
    kind, parts = tree
    own = literals(kind, [part for part in parts if isinstance(part, int)])
    inner = [said(part, literals) for part in parts if isinstance(part, tuple)]
    return _said_together(kind, [*own, *inner])


def _said_together(kind: bool, parts: list[Said]) -> Said:
    kept: dict[Said, None] = {}
    for part in parts:
        if isinstance(part, bool):
            if part != kind:
                return part
        elif isinstance(part, tuple) and part[0] == kind:
            kept.update(dict.fromkeys(part[1]))
        else:
            kept[part] = None
    ordered = sorted(kept, key=lambda part: isinstance(part, tuple))
    if len(ordered) < 2:
        return ordered[0] if ordered else kind
    return kind, tuple(ordered)


_SIGNS = {True: " & ", False: " | "}


def formula_text(said: Said, most: int) -> str:
    """A formula of about so many signs; longer ones lose whole parts, which are counted.

    Characteristics are never cut. A part that does not fit is cut itself if half the room is left.

    >>> formula_text((False, ("a", (True, ("b", "c")), "d", "e")), 13)
    'a | (b & c) | ... and 2 more'
    """
    if not isinstance(said, tuple):
        return said if isinstance(said, str) else str(said).lower()
    kind, parts = said
    written: list[str] = []
    room = most
    for part in parts:
        text = formula_text(part, sys.maxsize)
        fits = len(text) <= room
        if not fits and room < most // 2:
            break
        text = text if fits else formula_text(part, room)
        written.append(f"({text})" if isinstance(part, tuple) else text)
        room -= len(written[-1]) + 3
    left = len(parts) - len(written)
    return _SIGNS[kind].join([*written, *([f"... and {left:,} more"] if left else [])])


def unfolded_text(node: Node, root: int, literal: Callable[[int], str], most: int) -> str:
    """A large circuit as a formula, from the root on; what does not fit ends in dots.

    It ends after a part of the root if one fits, else after a characteristic. How many parts are
    left is not known: unfolded, there can be exponentially many.
    """
    written: list[str] = []
    length, depth, whole = 0, 0, 0
    open_parts: list[str | int] = [root]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, int):
            found = node(part)
            if isinstance(found, Gate):
                open_parts.extend(reversed(_spread(node, found)))
                continue
            part = str(found.value).lower() if isinstance(found, Constant) else literal(part)
        elif not depth and part in _SIGNS.values():
            whole = len(written)
        depth += {"(": 1, ")": -1}.get(part, 0)
        written.append(part)
        length += len(part)
        if length > most:
            kept = written[:whole] or written
            return "".join([*kept, _dots(node, root) if whole else " ..."])
    return "".join(written)


def _dots(node: Node, root: int) -> str:
    gate = node(root)
    return f"{_SIGNS[isinstance(gate, Gate) and gate.is_conjunction]}..."


def _spread(node: Node, gate: Gate) -> list[str | int]:
    """A gate's inputs with its sign between them, in parentheses where the kind changes."""
    parts: list[str | int] = []
    for number in sorted(gate.inputs, key=lambda i: (isinstance(node(i), Gate), i)):
        if parts:
            parts.append(_SIGNS[gate.is_conjunction])
        inner = node(number)
        wrap = isinstance(inner, Gate) and inner.is_conjunction != gate.is_conjunction
        parts.extend(["(", number, ")"] if wrap else [number])
    return parts

"""Formulas as text of bounded length: whole parts are left out, and counted or marked by dots."""

import sys
from collections.abc import Callable

from reasons.explain.simplify.formulas import Constant, Formulas, Gate

# A constant, a characteristic, or a gate over such: whether it is a conjunction, and its parts.
Tree = bool | str | tuple[bool, tuple["Tree", ...]]

_SIGNS = {True: " & ", False: " | "}


def formula_text(tree: Tree, most: int) -> str:
    """A formula of about so many signs; longer ones lose whole parts, which are counted.

    Characteristics are never cut. A part that does not fit is cut itself if half the room is left.

    >>> formula_text((False, ("a", (True, ("b", "c")), "d", "e")), 13)
    'a | (b & c) | ... and 2 more'
    """
    if not isinstance(tree, tuple):
        return tree if isinstance(tree, str) else str(tree).lower()
    kind, parts = tree
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


def tree_of(table: Formulas, number: int) -> Tree:
    """A formula as nested texts. Recursive: for formulas of small depth."""
    node = table[number]
    if isinstance(node, Gate):
        return node.is_conjunction, tuple(tree_of(table, i) for i in node.inputs)
    return node.value if isinstance(node, Constant) else table.text(number)


Expand = Callable[[int], Gate | str]
"""A part of a formula: a gate of further parts, or the text of a literal or constant."""


def unfolded_text(expand: Expand, root: int, most: int) -> str:
    """A large formula from its root on; what does not fit ends in dots.

    It ends after a part of the root if one fits, else after a characteristic. How many parts are
    left is not known: unfolded, there can be exponentially many.
    """
    pieces: list[str] = []
    length, depth, whole = 0, 0, 0
    todo: list[str | int] = [root]
    while todo:
        piece = todo.pop()
        if isinstance(piece, int):
            part = expand(piece)
            if isinstance(part, Gate):
                todo.extend(reversed(_spread(expand, part)))
                continue
            piece = part
        elif not depth and piece in _SIGNS.values():
            whole = len(pieces)
        depth += {"(": 1, ")": -1}.get(piece, 0)
        pieces.append(piece)
        length += len(piece)
        if length > most:
            kept = pieces[:whole] or pieces
            return "".join([*kept, _dots(expand(root)) if whole else " ..."])
    return "".join(pieces)


def _dots(root: Gate | str) -> str:
    return f"{_SIGNS[isinstance(root, Gate) and root.is_conjunction]}..."


def _spread(expand: Expand, gate: Gate) -> list[str | int]:
    """A gate's inputs with its sign between them, inner gates in parentheses."""
    pieces: list[str | int] = []
    for number in gate.inputs:
        sign = [_SIGNS[gate.is_conjunction]] if pieces else []
        inner = isinstance(expand(number), Gate)
        pieces += [*sign, "(", number, ")"] if inner else [*sign, number]
    return pieces

"""What an .sdd text means, and the reasons of small functions, the slow way.

Imports nothing from the package.
"""

from collections.abc import Callable

import numpy as np

Function = Callable[[dict[int, "np.ndarray"]], "np.ndarray"]


def nodes_of(text: str) -> list[list[str]]:
    """The lines of nodes, each in words."""
    lines = [line.split() for line in text.splitlines()]
    return [words for words in lines if words and words[0] in ("F", "T", "L", "D")]


def variables_of(text: str) -> list[int]:
    """The variables that occur, ascending."""
    return sorted({abs(int(words[3])) for words in nodes_of(text) if words[0] == "L"})


def evaluated(text: str, columns: dict[int, np.ndarray]) -> np.ndarray:
    """The last node's value on many rows at once: a column of truth values per variable."""
    some = next(iter(columns.values()))
    values: dict[str, np.ndarray] = {}
    node = ""
    for kind, node, *rest in nodes_of(text):
        if kind in "FT":
            value = np.full(some.shape, kind == "T")
        elif kind == "L":
            literal = int(rest[1])
            value = columns[abs(literal)] ^ (literal < 0)
        else:
            value = np.zeros(some.shape, dtype=bool)
            for prime, sub in zip(rest[2::2], rest[3::2], strict=True):
                value = value | values[prime] & values[sub]
        values[node] = value
    return values[node]


def truth_table(text: str) -> np.ndarray:
    """The value on every instance of the variables that occur; bit i is the i-th of them."""
    variables = variables_of(text)
    rows = np.arange(1 << len(variables))
    return evaluated(text, {v: (rows >> i & 1).astype(bool) for i, v in enumerate(variables)})


def sufficient_sets(table: np.ndarray, instance: int) -> np.ndarray:
    """For every set of places, as a bit mask: does fixing just these force the decision?

    A set is not sufficient when some change within the other places changes the label.
    """
    bits = table.size.bit_length() - 1
    changes = table[np.arange(table.size) ^ instance] != table[instance]
    for bit in range(bits):  # after this: does some change within the mask do?
        pairs = changes.reshape(-1, 2, 1 << bit)
        pairs[:, 1, :] |= pairs[:, 0, :]
    return np.asarray(~changes[::-1])


def minimal_sets(sufficient: np.ndarray) -> set[int]:
    """The masks that are sufficient while no mask with one place less is."""
    bits = sufficient.size.bit_length() - 1
    minimal = sufficient.copy()
    for bit in range(bits):
        pairs, smaller = minimal.reshape(-1, 2, 1 << bit), sufficient.reshape(-1, 2, 1 << bit)
        pairs[:, 1, :] &= ~smaller[:, 0, :]
    return {int(mask) for mask in np.flatnonzero(minimal)}

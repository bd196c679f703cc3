"""Formulas as a table of gates, inputs before users, equal gates made once.

Simplification stops where it costs more than constant time per edge: constants,
repeated and contradictory inputs go at once; nested gates of one kind are merged
in one pass at the end, because merging at each step is quadratic in the depth.
"""

from dataclasses import dataclass
from itertools import pairwise

CONSTANT, VARIABLE, AND, XOR = range(4)
FALSE, TRUE = 0, 1


@dataclass(frozen=True, slots=True)
class Formula:
    """A Boolean function over names, as gates; every gate is used.

    `kinds[i]` and `inputs[i]` describe gate `i`: 0 is the constant false, a
    variable holds its index in `names`, an AND or XOR holds edges. An edge, and
    `root` is one, is a gate's number times two, plus one where it is negated.
    """

    names: tuple[str, ...]
    kinds: list[int]
    inputs: list[tuple[int, ...]]
    root: int

    @property
    def used_variables(self) -> list[int]:
        """Indices of the names that some gate, or the root, reads."""
        is_variable = [kind == VARIABLE for kind in self.kinds]
        read = {self.root >> 1}
        for kind, inputs in zip(self.kinds, self.inputs, strict=True):
            if kind >= AND:
                read.update(edge >> 1 for edge in inputs)
        return sorted(self.inputs[gate][0] for gate in read if is_variable[gate])


class Gates:
    """A growing table of gates: equal gates are one edge (hash consing)."""

    def __init__(self) -> None:
        self.kinds = [CONSTANT]
        self.inputs: list[tuple[int, ...]] = [()]
        self._ands: dict[tuple[int, ...], int] = {}
        self._xors: dict[tuple[int, ...], int] = {}
        self._is_loose = False

    def variable(self, index: int) -> int:
        """The edge to a new variable."""
        return self._add(VARIABLE, (index,))

    def conjunction(self, edges: list[int]) -> int:
        """The edge that is true where all of these are."""
        if (known := self._ands.get(tuple(edges))) is not None:
            return known
        distinct = sorted(set(edges))
        if distinct[0] == FALSE or _has_opposites(distinct):
            self._loosen(edges)
            return FALSE
        if distinct[0] == TRUE:
            del distinct[0]
        if len(distinct) < 2:
            return distinct[0] if distinct else TRUE
        return self._gate(AND, self._ands, tuple(distinct))

    def parity(self, edges: list[int]) -> int:
        """The edge that is true where an odd number of these is."""
        flip = sum(edges) & 1
        odd: set[int] = set()
        for edge in edges:
            odd ^= {edge & ~1}
        odd.discard(FALSE)
        if len(odd) < len(edges):
            self._loosen(edges)
        if len(odd) < 2:
            return (odd.pop() if odd else FALSE) ^ flip
        return self._gate(XOR, self._xors, tuple(sorted(odd))) ^ flip

    def formula(self, names: tuple[str, ...], root: int) -> Formula:
        """What the root needs of this table, nested gates of one kind merged."""
        if not self._is_loose:
            return Formula(names, self.kinds, self.inputs, root)
        return _Merger(self.kinds, self.inputs, root).formula(names)

    def _loosen(self, edges: list[int]) -> None:
        """Remember that gates among these edges may have lost their only user."""
        if not self._is_loose:
            self._is_loose = any(self.kinds[edge >> 1] >= AND for edge in edges)

    def _gate(self, kind: int, known: dict[tuple[int, ...], int], edges: tuple[int, ...]) -> int:
        edge = known.get(edges)
        if edge is None:
            for used in edges:
                if not used & 1 and self.kinds[used >> 1] == kind:
                    self._is_loose = True
            edge = known[edges] = self._add(kind, edges)
        return edge

    def _add(self, kind: int, inputs: tuple[int, ...]) -> int:
        self.kinds.append(kind)
        self.inputs.append(inputs)
        return 2 * len(self.kinds) - 2


def _has_opposites(edges: list[int]) -> bool:
    """Whether an edge and its negation are both in this sorted list."""
    if len(edges) == 2:
        return edges[0] ^ 1 == edges[1]
    return any(one ^ 1 == other for one, other in pairwise(edges))


class _Merger:
    """One pass from the root down that drops, merges and renumbers gates."""

    def __init__(self, kinds: list[int], inputs: list[tuple[int, ...]], root: int) -> None:
        self.kinds, self.inputs, self.root = kinds, inputs, root
        self.users = [0] * len(kinds)
        self.users[root >> 1] = 1
        for gate in range(root >> 1, 0, -1):
            if self.users[gate] and kinds[gate] >= AND:
                for edge in inputs[gate]:
                    self.users[edge >> 1] += 1

    def formula(self, names: tuple[str, ...]) -> Formula:
        """The merged table."""
        merged: dict[int, list[int]] = {}
        absorbed = bytearray(len(self.kinds))
        for gate in range(self.root >> 1, 0, -1):
            if self.users[gate] and self.kinds[gate] >= AND and not absorbed[gate]:
                merged[gate] = self._leaves(gate, absorbed)
        return self._renumbered(names, merged)

    def _leaves(self, gate: int, absorbed: bytearray) -> list[int]:
        """The inputs of a gate, with those of the gates that only it uses."""
        kind, leaves, waiting = self.kinds[gate], [], list(reversed(self.inputs[gate]))
        while waiting:
            edge = waiting.pop()
            inner = edge >> 1
            if self.kinds[inner] == kind and self.users[inner] == 1 and not edge & 1:
                absorbed[inner] = 1
                waiting.extend(reversed(self.inputs[inner]))
            else:
                leaves.append(edge)
        return leaves

    def _renumbered(self, names: tuple[str, ...], merged: dict[int, list[int]]) -> Formula:
        kinds, new = [CONSTANT], {0: 0}
        made: list[tuple[int, ...]] = [()]
        for gate in range(1, len(self.kinds)):
            kind = self.kinds[gate]
            if kind == VARIABLE:
                edges = self.inputs[gate]
            elif gate in merged:
                edges = tuple(new[edge >> 1] | edge & 1 for edge in merged[gate])
                edges = tuple(dict.fromkeys(edges)) if kind == AND else edges
            else:
                continue
            new[gate] = 2 * len(kinds)
            kinds.append(kind)
            made.append(edges)
        return Formula(names, kinds, made, new[self.root >> 1] | self.root & 1)

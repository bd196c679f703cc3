"""Boolean circuits as `.nnf` files, in the dialects of c2d and of d4.

Feature number i, counted from 1, is variable i; names are not kept. A decision keeps its
form even where an arm is 0, so that what is written is what is read back.
"""

from collections.abc import Iterator

from reasons.circuits.circuit import AllOf, Circuit, Leaf, Node, Test
from reasons.formats.files import Path
from reasons.fs import write_atomically


def write_c2d(circuit: Circuit, path: Path) -> None:
    """Write a Boolean circuit in the dialect of c2d, all or nothing. Cost: O(circuit)."""
    circuit.require_boolean("an .nnf file")
    write_atomically(path, _C2d(circuit).text().encode())


def write_d4(circuit: Circuit, path: Path) -> None:
    """Write a Boolean circuit in the dialect of d4, all or nothing. Cost: O(circuit).

    The dialect does not say how many variables there are: if the last features matter
    nowhere, give `load` their number as `variables=`.
    """
    circuit.require_boolean("an .nnf file")
    write_atomically(path, "".join(_D4(circuit).lines()).encode())


_FALSE, _TRUE = -1, -2  # places of constants that no line has been added for


class _C2d:
    """Lines are numbered as they are added; equal ones are one."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit, self._edges = circuit, 0
        self._lines: dict[str, int] = {}

    def text(self) -> str:
        places: list[int] = []
        constant = len(self._circuit) == 1
        for node in self._circuit:
            # Constants are added where something uses them: the root must come last.
            if isinstance(node, Leaf):
                places.append(self._constant(node.label) if constant else _FALSE - node.label)
            elif isinstance(node, AllOf):
                places.append(self._gate("A", [places[i] for i in node.inputs]))
            else:
                places.append(self._decision(node, places))
        lines = "".join(f"{line}\n" for line in self._lines)
        return f"nnf {len(self._lines)} {self._edges} {len(self._circuit.schema)}\n{lines}"

    def _decision(self, node: Test, places: list[int]) -> int:
        to = _arms(node)
        literals = [-node.feature - 1, node.feature + 1]
        low, high = (places[n] for n in to)
        if low < 0 and high < 0:
            return self._line(f"L {literals[high == _TRUE]}")
        branches = [self._branch(*pair) for pair in zip(literals, (low, high), strict=True)]
        return self._gate(f"O {node.feature + 1}", branches)

    def _branch(self, literal: int, place: int) -> int:
        own = self._line(f"L {literal}")
        if place == _TRUE:
            return own
        return self._gate("A", [own, self._constant(False) if place == _FALSE else place])

    def _constant(self, value: bool) -> int:
        return self._line("A 0" if value else "O 0 0")

    def _gate(self, kind: str, inputs: list[int]) -> int:
        line = f"{kind} {len(inputs)} {' '.join(map(str, inputs))}"
        if line not in self._lines:
            self._edges += len(inputs)
        return self._line(line)

    def _line(self, line: str) -> int:
        return self._lines.setdefault(line, len(self._lines))


class _D4:
    """Literals are no nodes of their own but stand on arcs; the root is number 1."""

    def __init__(self, circuit: Circuit) -> None:
        self._nodes = list(circuit)
        self._true = next((n for n, node in enumerate(self._nodes) if node == Leaf(True)), 0)
        self._literals = [self._literal(node) for node in self._nodes]
        wanted = {circuit.root}
        for n in reversed(range(len(self._nodes))):
            if n in wanted:
                wanted.update(target for target, _ in self._arcs(n))
        self._numbers = {n: place for place, n in enumerate(sorted(wanted, reverse=True), 1)}

    def lines(self) -> Iterator[str]:
        for n, number in self._numbers.items():
            yield f"{self._sign(n)} {number} 0\n"
        for n, number in self._numbers.items():
            for target, literals in self._arcs(n):
                words = [number, self._numbers[target], *literals, 0]
                yield " ".join(map(str, words)) + "\n"

    def _literal(self, node: Node) -> int:
        """The literal that a test with two constant arms is, otherwise 0."""
        if not isinstance(node, Test):
            return 0
        low, high = (self._nodes[n] for n in _arms(node))
        if not isinstance(low, Leaf) or not isinstance(high, Leaf):
            return 0
        return node.feature + 1 if high.label else -node.feature - 1

    def _sign(self, n: int) -> str:
        node = self._nodes[n]
        if isinstance(node, Leaf):
            return "t" if node.label else "f"
        return "a" if isinstance(node, AllOf) else "o"

    def _arcs(self, n: int) -> list[tuple[int, list[int]]]:
        """The targets of a node's arcs, each with the literals that stand on it."""
        node = self._nodes[n]
        if self._literals[n]:
            return [(self._true, [self._literals[n]])]
        if isinstance(node, Test):
            signed = zip((-node.feature - 1, node.feature + 1), _arms(node), strict=True)
            return [self._arc([literal], to) for literal, to in signed]
        if isinstance(node, Leaf):
            return []
        single = [self._literals[i] for i in node.inputs if self._literals[i]]
        arcs = [(i, list[int]()) for i in node.inputs if not self._literals[i]]
        return [(self._true, single), *arcs] if single else arcs

    def _arc(self, literals: list[int], to: int) -> tuple[int, list[int]]:
        own = self._literals[to]
        return (self._true, [*literals, own]) if own else (to, literals)


def _arms(node: Test) -> tuple[int, int]:
    """Where a Boolean test leads from False and from True."""
    to = {cell: arm.node for arm in node.arms for cell in arm.cells}
    return to[0], to[1]

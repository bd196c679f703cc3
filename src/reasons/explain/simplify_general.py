"""General reasons as people read them: what is said of a feature is said once at each gate.

A general reason excludes values one gap after another. Under a conjunction, its characteristics of
one feature meet, and what its other parts say matters only where these hold; under a disjunction
they unite, and the rest matters only where they do not. So each place has for a feature the cells
that matter there: a characteristic of all of them is true, one of none of them false.
"""

from collections.abc import Iterable, Mapping

from reasons.explain.simplify import Gate, Literal, Node, Said, TooLarge
from reasons.features.schema import Schema

_MOST_STEPS = 10_000
_MOST_DEPTH = 100

Cells = frozenset[int]
Matters = Mapping[int, Cells]


class Merger:
    """Writes a circuit as a tree of characteristics; `TooLarge` where unfolding takes too long."""

    def __init__(self, node: Node, schema: Schema) -> None:
        self.node, self.schema, self.steps = node, schema, 0
        self.every = [frozenset(range(len(feature.values))) for feature in schema]

    def said(self, number: int, matters: Matters, depth: int = 0) -> Said:
        """A node where only some cells of each feature matter."""
        found = self.node(number)
        if isinstance(found, Gate):
            return self._gate(found, matters, depth)
        if isinstance(found, Literal):
            return self._literal(found.feature, frozenset(found.cells), matters)
        return found.value

    def _literal(self, feature: int, cells: Cells, matters: Matters) -> Said:
        """True, false, or the shortest characteristic that is the same where it matters."""
        there, every = matters.get(feature, self.every[feature]), self.every[feature]
        if not there - cells:
            return True
        if not there & cells:
            return False
        ways = (cells, cells & there, cells | (every - there))
        text: str = self.schema[feature].says(min(ways, key=_pieces))
        return text

    def _gate(self, gate: Gate, matters: Matters, depth: int) -> Said:
        if depth > _MOST_DEPTH:
            raise TooLarge
        kind = gate.is_conjunction
        literals, gates = self._flattened(gate)
        inside = dict(matters)
        parts: dict[Said, None] = {}
        for feature, cells in sorted(literals.items()):
            there = matters.get(feature, self.every[feature])
            inside[feature] = there & cells if kind else there - cells
            parts[self._literal(feature, cells, matters)] = None
        if (not kind) in parts:
            return not kind
        for each in gates:
            part = self.said(each, inside, depth + 1)
            if part is (not kind):
                return part
            parts |= dict.fromkeys(
                part[1] if isinstance(part, tuple) and part[0] == kind else [part]
            )
        kept = sorted((p for p in parts if p is not kind), key=lambda p: isinstance(p, tuple))
        return (kind, tuple(kept)) if len(kept) > 1 else kept[0] if kept else kind

    def _flattened(self, gate: Gate) -> tuple[dict[int, Cells], Iterable[int]]:
        """The cells of each feature that its literals leave together, and its other gates."""
        literals: dict[int, Cells] = {}
        seen: set[int] = set()
        gates: list[int] = []
        todo = list(reversed(gate.inputs))
        while todo:
            number = todo.pop()
            if number in seen:
                continue
            seen.add(number)
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise TooLarge
            node = self.node(number)
            if isinstance(node, Literal):
                cells, before = frozenset(node.cells), literals.get(node.feature)
                if before is not None:
                    cells = before & cells if gate.is_conjunction else before | cells
                literals[node.feature] = cells
            elif isinstance(node, Gate) and node.is_conjunction == gate.is_conjunction:
                todo += reversed(node.inputs)
            else:
                gates.append(number)
        return literals, gates


def _pieces(cells: Cells) -> int:
    """How many runs of neighbours there are."""
    return sum(cell - 1 not in cells for cell in cells)

"""Characteristics and conditions: what the grammar of terms reads a text to.

A condition is a table of nodes, so that depth costs no recursion, and is folded over whatever has
a logic: truths, three-valued truths, arrays of rows, nodes of a decision diagram.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from reasons.features.values import Special

Comparison = tuple[str, float]
"""An operator (`<`, `<=`, `>`, `>=`) and the number on its right."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Value:
    """A value as it is written; `special` where it is `<missing>` or `<other>`."""

    text: str
    quoted: bool = False
    special: Special | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """Comparisons with numbers, all of which hold."""

    compared: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class Characteristic:
    """A statement about one feature; without members, that a Boolean one is true.

    `operator` is "", "=", "!=", "is", "is not", "in" or "not in"; it has one of the members, or
    none of them. Comparisons are members of "in".
    """

    name: str
    operator: str = ""
    members: tuple[Value | Range, ...] = ()
    text: str = ""
    at: int = 0  # where in the text

    @property
    def negated(self) -> bool:
        """Whether it holds of what has none of the members."""
        return self.operator in ("!=", "not in", "is not")


@dataclass(frozen=True, slots=True)
class Logic(Generic[_T]):
    """What conditions are folded over: truths, sets of rows, nodes of a diagram."""

    true: _T
    negated: Callable[[_T], _T]
    both: Callable[[_T, _T], _T]
    differ: Callable[[_T, _T], _T]

    def joined(self, kind: str, parts: Sequence[_T]) -> _T:
        """The conjunction, disjunction or parity of parts; the negation of one."""
        if kind == "not":
            return self.negated(parts[0])
        if kind == "or":
            return self.negated(self.joined("and", [self.negated(part) for part in parts]))
        join = self.both if kind == "and" else self.differ
        result = parts[0]
        for part in parts[1:]:
            result = join(result, part)
        return result


BOOLEAN: Logic[bool] = Logic(True, lambda a: not a, lambda a, b: a and b, lambda a, b: a != b)

Node = tuple[str, tuple[int, ...]]
"""A gate ("and", "or", "xor", "not", "true") over earlier nodes, or an "atom" by its number."""


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A formula over characteristics, as nodes of which the last is the root."""

    atoms: tuple[Characteristic, ...]
    nodes: tuple[Node, ...]

    def fold(self, atoms: Sequence[_T], logic: Logic[_T]) -> _T:
        """The value of the condition where its atoms have these values. Cost: O(nodes)."""
        values: list[_T] = []
        for kind, inputs in self.nodes:
            if kind == "atom":
                values.append(atoms[inputs[0]])
            elif kind == "true":
                values.append(logic.true)
            else:
                values.append(logic.joined(kind, [values[at] for at in inputs]))
        return values[-1]

    @property
    def used(self) -> tuple[int, ...]:
        """The atoms that the nodes read, by their numbers."""
        return tuple(sorted({inputs[0] for kind, inputs in self.nodes if kind == "atom"}))

    def conjuncts(self) -> "list[Condition]":
        """Conditions over the same atoms that are all true where this one is."""
        found, waiting = [], [(len(self.nodes) - 1, False)]
        while waiting:
            at, negated = waiting.pop()
            kind, inputs = self.nodes[at]
            if kind == "not":
                waiting.append((inputs[0], not negated))
            elif kind == ("or" if negated else "and"):
                waiting += [(each, negated) for each in reversed(inputs)]
            else:
                found.append(self._below(at, negated))
        return found

    def _below(self, root: int, negated: bool) -> "Condition":
        """The condition of one node, without the nodes that it does not read."""
        reached = {root}
        for at in range(root, -1, -1):
            if at in reached and self.nodes[at][0] != "atom":
                reached.update(self.nodes[at][1])
        new = {at: number for number, at in enumerate(sorted(reached))}
        nodes = [
            (kind, inputs if kind == "atom" else tuple(new[each] for each in inputs))
            for kind, inputs in (self.nodes[at] for at in new)
        ]
        return Condition(self.atoms, (*nodes, ("not", (len(nodes) - 1,))) if negated else (*nodes,))

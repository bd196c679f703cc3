"""Bayesian networks: nodes with states, parents and conditional probability tables, checked.

Entries of tables are the decimals that they print as. A row such as 0.3333333 three times does not
add up to 1; the distribution is the row divided by its sum.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, NoReturn

import numpy
from numpy.typing import NDArray

from reasons.errors import InputError, ParseError
from reasons.text import comma_list, did_you_mean

Floats = NDArray[numpy.float64]
ROW_SLACK = 1e-5  # pyagrum writes six digits, so that rows of 20 states are off by as much
MOST_ENTRIES = 1 << 26


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A node as its source lists it.

    The table is flat: the node's states change fastest, then those of the last parent. `values`
    are what the states stand for, if not their names.
    """

    name: str
    states: Sequence[str]
    parents: Sequence[str]
    table: Sequence[float] | Floats
    line: int | None = None
    values: Sequence[Any] | None = None


class Declarations:
    """The nodes of a file that lists states first and tables later; `fail` raises its errors."""

    def __init__(self, fail: Callable[[str], NoReturn]) -> None:
        self.states: dict[str, Sequence[str]] = {}
        self._fail, self._drafts = fail, dict[str, Draft]()

    def declare(self, name: str, states: Sequence[str]) -> None:
        """Add the states of a node."""
        if name in self.states:
            self._fail(f"two nodes are called {name!r}")
        self.states[name] = states

    def add(self, draft: Draft) -> None:
        """Add a node's table."""
        if draft.name in self._drafts:
            self._fail(f"node {draft.name!r} has two tables")
        self._drafts[draft.name] = draft

    def drafts(self) -> list[Draft]:
        """All nodes, in the order of their states."""
        for name in self.states:
            if name not in self._drafts:
                self._fail(f"node {name!r} has no table")
        return [self._drafts[name] for name in self.states]


@dataclass(frozen=True, eq=False)
class Node:
    """A variable with its states, the numbers of its parents, and its table.

    The table has an axis for each parent, in order, and a last one for the node itself.
    """

    name: str
    states: tuple[str, ...]
    parents: tuple[int, ...]
    table: Floats = field(repr=False)
    values: tuple[Any, ...]

    @cached_property
    def exact(self) -> NDArray[numpy.object_]:
        """The table in fractions, each row divided by its sum."""
        flat = self.table.reshape(-1, len(self.states))
        rows = [_normal([Fraction(repr(float(entry))) for entry in row]) for row in flat]
        fractions = numpy.empty(flat.shape, dtype=object)
        fractions[:] = rows
        return fractions.reshape(self.table.shape)

    @cached_property
    def normal(self) -> Floats:
        """The table in floats, each row divided by its sum; `roundings` of them in an entry."""
        sums = self.table.sum(axis=-1, keepdims=True)
        return numpy.asarray(self.table / sums)

    @property
    def roundings(self) -> int:
        """The most rounding errors of an entry of `normal`: reading, adding, dividing."""
        return len(self.states) + 2


def _normal(row: list[Fraction]) -> list[Fraction]:
    total = sum(row)
    return row if total == 1 else [entry / total for entry in row]


@dataclass(frozen=True, eq=False)
class Network:
    """Nodes by number. Messages call it `source`; `order` lists parents first."""

    nodes: tuple[Node, ...]
    order: tuple[int, ...]
    source: str

    @cached_property
    def index(self) -> dict[str, int]:
        """The numbers of the nodes by their names."""
        return {node.name: number for number, node in enumerate(self.nodes)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each node."""
        return _children(self.nodes)

    def number(self, name: object, option: str) -> int:
        """The number of the node that an option names; "x0" is also called "0" in an UAI file."""
        value, name = name, str(name)
        plain = name[1:] if name[:1] == "x" and name[1:].isdecimal() else name
        for known in (name, plain):
            if known in self.index:
                return self.index[known]
        raise InputError(
            "{file} has no node {value} for {option}{hint}; its nodes are: {known}",
            file=self.source,
            value=value,
            option=option,
            hint=did_you_mean([name], self.index),
            known=list(self.index),
        )


def network_of(drafts: Iterable[Draft], source: str) -> Network:
    """The network of a source's nodes, or an error that names the node and the row."""
    listed = list(drafts)
    if not listed:
        raise ParseError("there are no nodes", source=source)
    index: dict[str, int] = {}
    for draft in listed:
        _require(bool(draft.name), source, draft, "it has no name")
        _require(draft.name not in index, source, draft, "two nodes have this name")
        index[draft.name] = len(index)
        _require_states(source, draft)
    nodes = tuple(_node(draft, listed, index, source) for draft in listed)
    return Network(nodes, _parents_first(nodes, source), source)


def _require(fine: bool, source: str, draft: Draft, complaint: str) -> None:
    if not fine:
        raise ParseError(f"node {draft.name!r}: {complaint}", source=source, line=draft.line)


def _require_states(source: str, draft: Draft) -> None:
    _require(len(draft.states) > 0, source, draft, "it has no states")
    twice = len(set(draft.states)) < len(draft.states)
    _require(not twice, source, draft, f"a state is listed twice: {comma_list(draft.states)}")


def _node(draft: Draft, drafts: Sequence[Draft], index: dict[str, int], source: str) -> Node:
    for parent in draft.parents:
        _require(parent in index, source, draft, f"there is no node {parent!r}, its parent")
        _require(parent != draft.name, source, draft, "it is its own parent")
    twice = len(set(draft.parents)) < len(draft.parents)
    _require(not twice, source, draft, f"a parent is listed twice: {comma_list(draft.parents)}")
    parents = tuple(index[parent] for parent in draft.parents)
    shape = (*(len(drafts[parent].states) for parent in parents), len(draft.states))
    _require(prod(shape) <= MOST_ENTRIES, source, draft, f"its table has {prod(shape):,} entries")
    table = numpy.asarray(draft.table, dtype=float)
    expected = f"{prod(shape):,} for {len(draft.states)} states"
    if parents:
        expected += f" given {comma_list(draft.parents)}"
    _require(table.size == prod(shape), source, draft, f"{table.size:,} entries, not {expected}")
    values = tuple(draft.states if draft.values is None else draft.values)
    node = Node(draft.name, tuple(draft.states), parents, table.reshape(shape), values)
    _require_rows(node, draft, drafts, source)
    return node


def _require_rows(node: Node, draft: Draft, drafts: Sequence[Draft], source: str) -> None:
    """Every row is a distribution, or an error that names it."""
    rows = node.table.reshape(-1, len(node.states))
    odd = numpy.asarray(~(numpy.isfinite(rows) & (rows >= 0)).all(axis=1))
    with numpy.errstate(all="ignore"):
        bad = numpy.flatnonzero(odd | ~(abs(rows.sum(axis=1) - 1) <= ROW_SLACK))
    if not len(bad):
        return
    row = int(bad[0])
    cells = [int(c) for c in numpy.unravel_index(row, node.table.shape[:-1])]
    condition = ", ".join(
        f"{drafts[parent].name} = {drafts[parent].states[cell]}"
        for parent, cell in zip(node.parents, cells, strict=True)
    )
    where = f"node {node.name!r}" + (f" given {condition}" if condition else "")
    entries = comma_list(float(entry) for entry in rows[row])
    if odd[row]:
        complaint = f"{where}: a probability is negative or not a number: {entries}"
    else:
        complaint = f"{where}: the probabilities add up to {rows[row].sum():.9g}, not 1: {entries}"
    raise ParseError(complaint, source=source, line=draft.line)


def _children(nodes: Sequence[Node]) -> tuple[tuple[int, ...], ...]:
    children: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes):
        for parent in node.parents:
            children[parent].append(number)
    return tuple(map(tuple, children))


def _parents_first(nodes: Sequence[Node], source: str) -> tuple[int, ...]:
    """All nodes, each after its parents, or an error that shows a cycle."""
    waiting, children = [len(node.parents) for node in nodes], _children(nodes)
    order = [number for number, count in enumerate(waiting) if count == 0]
    for number in order:
        for child in children[number]:
            waiting[child] -= 1
            if waiting[child] == 0:
                order.append(child)
    if len(order) < len(nodes):
        raise ParseError(f"the network has a cycle: {_cycle(nodes, order)}", source=source)
    return tuple(order)


def _cycle(nodes: Sequence[Node], order: Sequence[int]) -> str:
    """One cycle among the nodes outside the order, from parent to child."""
    left = set(range(len(nodes))) - set(order)
    path = [min(left)]
    while path[-1] not in path[:-1]:
        path.append(next(parent for parent in nodes[path[-1]].parents if parent in left))
    cycle = path[path.index(path[-1]) :]
    return " -> ".join(nodes[number].name for number in reversed(cycle))

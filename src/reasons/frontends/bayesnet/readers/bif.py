"""BIF files of Bayesian networks, as in the bnlearn repository.

A node has a row for each combination of its parents' values, or one table. In a table with parents,
the format lets the node's states change slowest. Some programs write another order, so a table that
could be either is refused.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

import numpy

from reasons.frontends.bayesnet.network import ROW_SLACK, Declarations, Draft
from reasons.frontends.bayesnet.readers.tokens import COMMENTS, Tokens


def read_bif(text: str, source: str) -> list[Draft]:
    """The nodes of a BIF file."""
    tokens = Tokens(text, source, COMMENTS)
    nodes = Declarations(tokens.fail)
    while tokens.now.text or tokens.now.quoted:
        if tokens.skip("network"):
            if not tokens.is_now("{"):
                tokens.name("the network's name")
            _skip_block(tokens)
        elif tokens.skip("variable"):
            nodes.declare(*_variable(tokens))
        elif tokens.skip("probability"):
            nodes.add(_probability(tokens, nodes.states))
        else:
            tokens.complain("expected 'network', 'variable' or 'probability'")
    return nodes.drafts()


def _skip_block(tokens: Tokens) -> None:
    tokens.expect("{")
    while not tokens.skip("}"):
        tokens.skip_statement()


def _variable(tokens: Tokens) -> tuple[str, list[str]]:
    name, states = tokens.name("a node's name"), list[str]()
    tokens.expect("{")
    while not tokens.skip("}"):
        if not tokens.skip("type"):
            tokens.skip_statement()
            continue
        tokens.expect("discrete")
        tokens.expect("[")
        number = tokens.whole()
        tokens.expect("]")
        tokens.expect("{")
        while not tokens.skip("}"):
            states.append(tokens.name("a state"))
            tokens.skip(",")
        if len(states) != number:
            tokens.complain(f"expected {number} states of {name!r}, not {len(states)}")
        tokens.expect(";")
    if not states:
        tokens.fail(f"node {name!r} has no states")
    return name, states


def _probability(tokens: Tokens, states: Mapping[str, Sequence[str]]) -> Draft:
    line = tokens.line
    tokens.expect("(")
    names = []
    while not tokens.skip(")"):
        names.append(tokens.one_of(states, "a node that was declared"))
        tokens.skip(",", "|")
    if not names:
        tokens.complain("expected a node before")
    name, *parents = names
    table = _Table(tokens, states[name], [states[parent] for parent in parents])
    tokens.expect("{")
    while not tokens.skip("}"):
        table.read_statement()
    return Draft(name, states[name], parents, table.complete(), line)


class _Table:
    """The rows of one node, filled statement by statement."""

    def __init__(self, tokens: Tokens, states: Sequence[str], parents: list[Sequence[str]]):
        self._tokens, self._own, self._parents = tokens, states, parents
        self._rows: dict[tuple[str, ...], list[float]] = {}
        self._default: list[float] | None = None

    def read_statement(self) -> None:
        """One row, the default row, or the whole table."""
        tokens = self._tokens
        if tokens.skip("table"):
            self._whole(tokens.numbers())
        elif tokens.skip("default"):
            self._default = tokens.numbers()
        elif tokens.skip("("):
            self._row()
        elif tokens.is_now("property"):
            tokens.skip_statement()
            return
        else:
            tokens.complain("expected 'table', 'default' or the parents' values in parentheses")
        tokens.expect(";")

    def _row(self) -> None:
        tokens = self._tokens
        states: list[str] = []
        while not tokens.skip(")"):
            place = len(states)
            if place == len(self._parents) or tokens.now.text not in self._parents[place]:
                tokens.complain("expected a state of each parent in turn")
            states.append(tokens.next().text)
            tokens.skip(",")
        if len(states) < len(self._parents):
            tokens.complain("expected a state of each parent before")
        if tuple(states) in self._rows:
            tokens.complain(f"the row of {', '.join(states)} was given before; expected others")
        self._rows[tuple(states)] = self._numbers(tokens.numbers())

    def _numbers(self, row: list[float]) -> list[float]:
        if len(row) != len(self._own):
            self._tokens.complain(f"expected {len(self._own)} probabilities before, got {len(row)}")
        return row

    def _whole(self, numbers: list[float]) -> None:
        tokens, shape = self._tokens, (len(self._own), *map(len, self._parents))
        if len(numbers) != prod(shape):
            tokens.complain(f"expected {prod(shape):,} probabilities before, got {len(numbers):,}")
        if self._rows:
            tokens.complain("some rows were given before this table; expected one or the other")
        slowest = numpy.array(numbers).reshape(len(self._own), -1).T
        fastest = numpy.array(numbers).reshape(-1, len(self._own))
        could_be_both = all(
            (abs(rows.sum(axis=1) - 1) <= ROW_SLACK).all() for rows in (slowest, fastest)
        )
        if self._parents and could_be_both and not numpy.array_equal(slowest, fastest):
            tokens.complain(
                "this table could list the node's states fastest or slowest; expected "
                "a row for each combination of the parents' values"
            )
        for states, row in zip(product(*self._parents), slowest.tolist(), strict=True):
            self._rows[states] = row

    def complete(self) -> list[float]:
        """All rows, those of the last parent's values next to each other."""
        flat: list[float] = []
        for states in product(*self._parents):
            row = self._rows.get(states, self._default)
            if row is None:
                named = ", ".join(states)
                self._tokens.complain(
                    f"the row of {named} is missing before; expected it"
                    if named
                    else "expected 'table' before"
                )
            flat += self._numbers(row)
        return flat

"""A formula's reduced ordered BDD, in the best of several guessed variable orders.

Constants and plain conjunctions or disjunctions of literals, of any length, are
written down directly; everything else is OxiDD's work, on a thread of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reasons.budget import Budget
from reasons.errors import InputError
from reasons.frontends.formula.deep_stack import on_deep_stack
from reasons.frontends.formula.gates import AND, CONSTANT, VARIABLE, Formula
from reasons.frontends.formula.order_search import OrderSearch
from reasons.frontends.formula.variable_order import candidate_orders

if TYPE_CHECKING:
    from reasons.frontends.formula.oxidd import Column

_STAGE = "decision diagram"


@dataclass(frozen=True, slots=True, eq=False)
class Diagram:
    """A reduced ordered binary decision diagram, children before parents.

    Nodes 0 and 1 are the constants; node `i + 2` tests variable `variables[i]`
    and continues at `low[i]` where it is false, at `high[i]` where it is true.
    `order` holds every variable of the formula, top first.
    """

    order: tuple[int, ...]
    variables: Column
    low: Column
    high: Column
    root: int

    @property
    def size(self) -> int:
        """The number of inner nodes."""
        return len(self.variables)


def build(formula: Formula, *, budget: Budget, order: list[int] | None = None) -> Diagram:
    """The decision diagram of a formula, in the given order or in a good one.

    Raises `BudgetExceeded` when no order tried fits the budget's nodes, bytes or
    seconds, and above `deep_stack.LEVEL_LIMIT` variables. The clock is read
    between operations, so a limit may be noticed late.
    Cost: what OxiDD needs, plus at most `order_search.SEARCH_SECONDS`.

    >>> from reasons.frontends.formula.parser import parse
    >>> build(parse("a & b | c"), budget=Budget()).size
    3
    """
    if order is not None and sorted(order) != list(range(len(formula.names))):
        raise InputError("order must hold the index of each of the formula's names once")
    plain = _literal_diagram(formula, order or list(range(len(formula.names))), budget)
    if plain is not None:
        return plain
    used = set(formula.used_variables)
    return on_deep_stack(
        lambda pulse: _searched(OrderSearch(formula, _orders(formula, order, used), pulse), order),
        levels=len(used),
        budget=budget,
        stage=_STAGE,
    )


def _orders(formula: Formula, order: list[int] | None, used: set[int]) -> list[list[int]]:
    """The orders to try, without the names that no gate reads."""
    orders = candidate_orders(formula) if order is None else [order]
    return [[variable for variable in one if variable in used] for one in orders]


def _searched(search: OrderSearch, order: list[int] | None) -> Diagram:
    best = search.first() if order is not None else search.best()
    used = set(best.order)
    unused = (index for index in range(len(search.formula.names)) if index not in used)
    full = order if order is not None else [*best.order, *unused]
    return Diagram(tuple(full), *best.nodes)


def _literal_diagram(formula: Formula, order: list[int], budget: Budget) -> Diagram | None:
    """The diagram of a constant, or of literals under one `&` or `|`; None for others."""
    gate, negated = formula.root >> 1, formula.root & 1
    kind, edges = formula.kinds[gate], formula.inputs[gate]
    if kind == VARIABLE:
        edges = (2 * gate,)
    elif kind not in (CONSTANT, AND) or any(formula.kinds[e >> 1] != VARIABLE for e in edges):
        return None
    signs = {formula.inputs[edge >> 1][0]: edge & 1 for edge in edges}
    literals = [(variable, signs[variable]) for variable in order if variable in signs]
    if len(signs) < len(edges) or kind == CONSTANT:
        return _chain([], order, end=negated, stop=negated)
    budget.check(_STAGE, nodes=len(signs))
    return _chain(literals, order, end=1 - negated, stop=negated)


def _chain(literals: list[tuple[int, int]], order: list[int], *, end: int, stop: int) -> Diagram:
    """One node per literal, top first; where all hold is `end`, elsewhere `stop`."""
    import numpy

    table = numpy.array(literals[::-1], numpy.uint32).reshape(-1, 2)
    variables, is_negative = table[:, 0], table[:, 1].astype(bool)
    child = numpy.arange(1, len(table) + 1, dtype=numpy.uint32)
    child[:1] = end
    return Diagram(
        tuple(order),
        variables,
        numpy.where(is_negative, child, numpy.uint32(stop)),
        numpy.where(is_negative, numpy.uint32(stop), child),
        len(table) + 1 if literals else end,
    )

"""Other decision-diagram packages, used directly: every gate in turn, in the written order.

They get the parsed gates for free. Between operations they are stopped at a number
of nodes or seconds, and `GaveUp` is raised.
"""

import operator
import time
from collections.abc import Callable
from functools import reduce
from typing import Any

from reasons.frontends.formula.gates import AND, CONSTANT, VARIABLE, Formula

MOST_NODES = 2_000_000
MOST_SECONDS = 5.0
SECONDS_BETWEEN_COUNTS = 0.25  # dd needs 5 ms to count its nodes


class GaveUp(Exception):
    """The peer met its cap."""


class Missing(Exception):
    """The peer is not installed."""


def with_oxidd(formula: Formula) -> int:
    """Nodes of the diagram by OxiDD, constants included."""
    try:
        from oxidd.bdd import BDDManager
    except ImportError:
        raise Missing from None
    manager = BDDManager(MOST_NODES, MOST_NODES // 4, 1)
    manager.add_vars(len(formula.names))
    try:
        made = _gate_by_gate(formula, manager.var, manager.false(), operator.xor, _clock())
    except MemoryError:
        raise GaveUp from None
    return int(made.node_count())


def with_cudd(formula: Formula, *, reordering: bool = False) -> int:
    """Nodes of the diagram by CUDD through dd; its complement edges save up to half."""
    try:
        from dd.cudd import BDD
    except ImportError:
        raise Missing from None
    manager = BDD()
    manager.configure(reordering=reordering, max_memory=1 << 31, max_vars=1 << 20)
    names = [f"v{i}" for i in range(len(formula.names))]
    manager.declare(*names)
    clock, counted = _clock(), time.perf_counter()

    def check() -> None:
        nonlocal counted
        clock()
        if time.perf_counter() - counted > SECONDS_BETWEEN_COUNTS:
            if len(manager) > MOST_NODES:
                raise GaveUp
            counted = time.perf_counter()

    def exclusive(one: Any, other: Any) -> Any:
        return manager.apply("xor", one, other)

    made = _gate_by_gate(formula, lambda i: manager.var(names[i]), manager.false, exclusive, check)
    return int(made.dag_size)


def with_cudd_reordering(formula: Formula) -> int:
    """The same while CUDD looks for a better order."""
    return with_cudd(formula, reordering=True)


def _clock() -> Callable[[], None]:
    started = time.perf_counter()

    def check() -> None:
        if time.perf_counter() - started > MOST_SECONDS:
            raise GaveUp

    return check


def _gate_by_gate(
    formula: Formula,
    variable: Callable[[int], Any],
    false: Any,
    exclusive: Callable[[Any, Any], Any],
    check: Callable[[], None],
) -> Any:
    """The root's function, its gates made in the order they are written."""
    made: list[Any] = []

    def read(edge: int) -> Any:
        return ~made[edge >> 1] if edge & 1 else made[edge >> 1]

    def checked(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def combine(one: Any, other: Any) -> Any:
            check()
            return operation(one, other)

        return combine

    conjoin, part = checked(operator.and_), checked(exclusive)
    for kind, inputs in zip(formula.kinds, formula.inputs, strict=True):
        if kind == CONSTANT:
            made.append(false)
        elif kind == VARIABLE:
            made.append(variable(inputs[0]))
        else:
            made.append(reduce(conjoin if kind == AND else part, map(read, inputs)))
    return read(formula.root)

"""Which instances are possible, where a function is evaluated in every cell."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import InputError
from reasons.features.feature import Schema
from reasons.frontends.formula.gates import AND, CONSTANT, VARIABLE
from reasons.frontends.rules.features import cells_of
from reasons.frontends.rules.parser import Rule, condition_of

Truths = NDArray[numpy.bool_]
Possible = Callable[[Sequence[NDArray[Any]]], Truths]


def possible_under(constraint: str | None, schema: Schema) -> Possible | None:
    """Says of many instances at once, by their cells, which of them a condition allows."""
    if constraint is None:
        return None
    if not isinstance(constraint, str):
        raise InputError(f"constraint: a condition as text, not {constraint!r}")
    rule = Rule(condition_of(constraint, constraint, "<constraint>", 0), None)
    formula, found = rule.condition.formula, rule.condition.found
    for each in found:
        schema.index(each.name)
    tests = [(schema.index(c.name), numpy.array(cells_of(rule, c, schema))) for c in found]

    def possible(cells: Sequence[NDArray[Any]]) -> Truths:
        truths: list[Truths] = []
        for kind, inputs in zip(formula.kinds, formula.inputs, strict=True):
            if kind == VARIABLE:
                feature, mask = tests[inputs[0]]
                truths.append(mask[cells[feature]])
                continue
            truth = numpy.full(len(cells[0]), kind == AND and kind != CONSTANT)
            for edge in inputs:
                other = truths[edge >> 1] ^ bool(edge & 1)
                truth = truth & other if kind == AND else truth ^ other
            truths.append(truth)
        return truths[formula.root >> 1] ^ bool(formula.root & 1)

    return possible

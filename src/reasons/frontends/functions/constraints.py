"""Which instances are possible, where a function is evaluated in every cell."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.errors import InputError
from reasons.features.grammar.condition_parser import parse_condition
from reasons.features.grammar.conditions import Logic
from reasons.features.grammar.semantics import condition_masks
from reasons.features.schema import Schema

Truths = NDArray[numpy.bool_]
Possible = Callable[[Sequence[NDArray[Any]]], Truths]


def possible_under(constraint: str | None, schema: Schema) -> Possible | None:
    """Says of many instances at once, by their cells, which of them a condition allows."""
    if constraint is None:
        return None
    if not isinstance(constraint, str):
        raise InputError(
            "{option} is a condition as text, not {value}", option="constraint", value=constraint
        )
    condition = parse_condition(constraint, "<constraint>", schema)
    masks = condition_masks(condition, schema, constraint, "<constraint>")
    tests = [(feature, numpy.array(mask)) for feature, mask in masks]

    def possible(cells: Sequence[NDArray[Any]]) -> Truths:
        every = numpy.ones(len(cells[0]), bool)
        logic: Logic[Truths] = Logic(every, numpy.logical_not, numpy.logical_and, numpy.logical_xor)
        return condition.fold([mask[cells[feature]] for feature, mask in tests], logic)

    return possible

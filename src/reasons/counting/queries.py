"""Questions about all instances of a label, in the names of features and values.

Instances that were declared impossible are in no answer.
"""

from contextlib import suppress
from fractions import Fraction
from typing import Any

from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting import float_weight
from reasons.counting.count import weigh, weigh_values
from reasons.counting.weights import Weights
from reasons.errors import InputError
from reasons.features.schema import Schema
from reasons.features.terms import Term
from reasons.text import comma_list, did_you_mean

ByValue = dict[str, dict[Any, Any]]
"""A number for each value of each feature, by name."""


def label_index(labels: tuple[Any, ...], label: Any) -> int:
    """The position of a label, or `InputError` that lists the ones there are."""
    with suppress(ValueError, TypeError):  # an array is neither equal nor unequal
        return labels.index(label)
    raise InputError(
        "there is no label {value}{hint}; the labels are: {labels}",
        value=label,
        hint=did_you_mean([label], labels),
        labels=comma_list(labels),
    )


def counts(circuit: Circuit, label: int, given: Term, budget: Budget | None) -> ByValue:
    """For each value of each feature, how many instances of a term with the label have it."""
    weights = Weights(circuit.schema).within(given)
    _, found = weigh_values(circuit, label, weights, budget or Budget())
    return _by_value(circuit.schema, [[int(number) for number in row] for row in found])


def weighted_count(
    circuit: Circuit, label: int, weights: Weights, exact: bool, budget: Budget | None
) -> Fraction | float:
    """The sum of the weights of the instances with a label."""
    if exact:
        return weigh(circuit, label, weights, budget or Budget())
    number = float_weight.weigh_floating(circuit, label, weights, budget or Budget())
    return float_weight.plain(number)


def log_weighted_count(
    circuit: Circuit, label: int, weights: Weights, budget: Budget | None
) -> float:
    """The natural logarithm of that sum."""
    number = float_weight.weigh_floating(circuit, label, weights, budget or Budget())
    if number[0] < 0:
        raise InputError("the weighted count is negative, so that it has no logarithm")
    return float_weight.logarithm(number)


def marginals(circuit: Circuit, label: int, weights: Weights, budget: Budget | None) -> ByValue:
    """For each value of each feature, the share of the label's weight that has it."""
    total, found = weigh_values(circuit, label, weights, budget or Budget())
    if not total:
        raise InputError(
            "the instances that are {label} weigh nothing: there are no shares",
            label=circuit.labels[label],
        )
    return _by_value(circuit.schema, [[number / total for number in row] for row in found])


def _by_value(schema: Schema, rows: list[list[Any]]) -> ByValue:
    return {
        feature.name: dict(zip(feature.values, row, strict=True))
        for feature, row in zip(schema, rows, strict=True)
    }

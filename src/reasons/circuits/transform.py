"""Circuits of other functions: after features are fixed, or forgotten."""

from collections.abc import Sequence

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.errors import InputError, PropertyError
from reasons.features.terms import Term


def condition(circuit: Circuit, term: Term, budget: Budget | None) -> Circuit:
    """The circuit that decides as if the features of the term had their values."""
    fixed = []
    for feature, cells in term.limits.items():
        if len(cells) != 1:
            raise InputError(
                f"{circuit.schema[feature].says(cells)}: a feature is fixed to one value; for "
                "questions about several, give the term to count, sample, instances, ..."
            )
        fixed.append((feature, next(iter(cells))))
    native = _core.condition(circuit.native, fixed, native_budget(budget))
    return Circuit(native, circuit.schema, circuit.labels)


def forget(circuit: Circuit, features: Sequence[int], budget: Budget | None) -> Circuit:
    """The circuit that is True where it can be made so by values of these features."""
    if circuit.labels != (False, True):
        raise PropertyError("features are forgotten by classifiers with labels False and True only")
    try:
        native = _core.forget(circuit.native, list(features), native_budget(budget))
    except PropertyError as error:
        raise PropertyError(circuit.named(str(error))) from None
    return Circuit(native, circuit.schema, circuit.labels)

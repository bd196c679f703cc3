"""Equivalence of two classifiers, with an instance that they decide differently if there is one.

Where both are ordered alike, one walk down both settles it; otherwise an identity test
(identity_test.py), or SAT calls.
"""

from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

from reasons import _core
from reasons.backends.native_budget import native_budget
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting.identity_test import CircuitPair, differing_instance, proof_of_equality
from reasons.counting.sat_encoding import differing_instance_by_sat
from reasons.errors import InputError, PropertyError
from reasons.features.terms import Instance
from reasons.features.values import IMPOSSIBLE
from reasons.text import comma_list


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two classifiers decide alike. Truthy if they do.

    Otherwise `witness` is an instance, and `labels` what the two make of it (`IMPOSSIBLE`
    where one does not allow it). `proof` is "exact", or says how unlikely it is that a
    difference was missed.
    """

    equal: bool
    witness: Instance | None = None
    labels: tuple[Any, Any] | None = None
    proof: str = "exact"

    def __bool__(self) -> bool:
        return self.equal


def equivalent(one: Circuit, other: Circuit, exact: bool, budget: Budget | None) -> Equivalence:
    """Whether the circuits map every instance to the same label."""
    budget = budget or Budget()
    _require_alike(one, other)
    swapped = other.native.has_conjunctions
    # Labels of conjunctions stay 0 and 1, so that the other circuit is renumbered.
    base, moved = (other, one) if swapped else (one, other)
    pair = CircuitPair(base, _renumbered(moved, base))
    cells, proof = _difference(pair, exact, budget)
    if cells is None:
        return Equivalence(True, proof=proof)
    if not pair.differ_on(cells):
        raise PropertyError("a witness did not stand the replay; see Circuit.check()")
    found = Instance.of_cells(base.schema, cells)
    ordered = [found[name] for name in one.schema.names]
    witness = Instance(one.schema, ordered, [found.cells[base.schema.index(n)] for n in found])
    first, second = (_label(circuit, cells) for circuit in pair)
    return Equivalence(False, witness, (second, first) if swapped else (first, second))


def _difference(pair: CircuitPair, exact: bool, budget: Budget) -> tuple[list[int] | None, str]:
    """An instance that two circuits decide differently, and how it is known if there is none."""
    order = _common_order(*pair)
    if order is not None:
        one, other = (circuit.native for circuit in pair)
        return _core.differing_instance(one, other, order, native_budget(budget)), "exact"
    if exact:
        return differing_instance_by_sat(pair.one, pair.other, budget), "exact"
    return differing_instance(pair, budget), proof_of_equality("difference")


def _label(circuit: Circuit, cells: list[int]) -> Any:
    label = circuit.decide(cells)
    return IMPOSSIBLE if label == _core.IMPOSSIBLE else circuit.labels[label]


def _require_alike(one: Circuit, other: Circuit) -> None:
    """Refuse classifiers of different features, domains or labels, and say what differs."""
    mine, theirs = set(one.schema.names), set(other.schema.names)
    if mine != theirs:
        raise InputError(
            "the classifiers have different features: "
            + comma_list(f"{name!r} is only in the {place}" for name, place in _alone(mine, theirs))
        )
    for feature in one.schema:
        twin = other.schema[other.schema.index(feature.name)]
        if feature != twin:
            raise InputError(
                f"feature {feature.name!r} has different domains: "
                f"{comma_list(feature.values)}, and {comma_list(twin.values)}"
            )
    if set(one.labels) != set(other.labels):
        raise InputError(
            f"the classifiers have different labels: {comma_list(one.labels)}, "
            f"and {comma_list(other.labels)}"
        )


def _alone(mine: set[str], theirs: set[str]) -> list[tuple[str, str]]:
    first = [(name, "first") for name in sorted(mine - theirs)]
    return first + [(name, "second") for name in sorted(theirs - mine)]


def _renumbered(circuit: Circuit, like: Circuit) -> Circuit:
    """The circuit with the features and labels of another, in the other's order."""
    features = [like.schema.index(name) for name in circuit.schema.names]
    labels = [like.labels.index(label) for label in circuit.labels]
    native = _core.renumber(circuit.native, features, labels)
    return Circuit(native, like.schema, like.labels)


def _common_order(one: Circuit, other: Circuit) -> list[int] | None:
    """An order of features that both circuits follow, if there is one."""
    if not (one.is_ordered and other.is_ordered):
        return None
    above: dict[int, set[int]] = {}
    for order in (one.native.order, other.native.order):
        for feature in order:
            above.setdefault(feature, set())
        for upper, lower in pairwise(order):
            above[lower].add(upper)
    try:
        return list(TopologicalSorter(above).static_order())
    except CycleError:
        return None

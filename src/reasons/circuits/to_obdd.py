"""Any circuit as an ordered one, where that is small enough.

A circuit of few instances is decided on all of them; of others the nodes are put together from
the leaves up, each test as a choice between its arms, which can explode and is budgeted.
"""

from collections.abc import Collection
from math import prod

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget

_TABLED = 1 << 20
_CHUNK = 1 << 22  # cells that are decided at once
_STAGE = "bringing the circuit into an order"


def in_order(circuit: Circuit, last: Collection[int], budget: Budget) -> Circuit:
    """An ordered circuit of the same function; itself if it is one.

    Otherwise features are in the order in which they are met, those of `last` at the end.
    Cost: O(instances of the tested features) if these are a million at most; beyond,
    exponential at worst, within the budget.
    """
    if circuit.is_ordered:
        return circuit
    order = sorted(circuit.feature_order(), key=lambda feature: feature in last)
    few = prod(len(circuit.schema[f].values) for f in order) <= _TABLED
    native = (_tabled if few else _composed)(circuit, order, budget)
    return Circuit(native, circuit.schema, circuit.labels)


def _tabled(circuit: Circuit, order: list[int], budget: Budget) -> _core.Circuit:
    """By the labels of all instances of the tested features."""
    import numpy

    domains = circuit.native.domains
    shape = [domains[f] for f in order]
    labels = numpy.empty(prod(shape), numpy.uint32)
    rows = max(1, _CHUNK // len(domains))
    for start in range(0, len(labels), rows):
        budget.check(_STAGE)
        numbers = numpy.arange(start, min(start + rows, len(labels)))
        cells = numpy.zeros((len(numbers), len(domains)), numpy.uint16)
        cells[:, order] = numpy.stack(numpy.unravel_index(numbers, shape), axis=1)
        labels[numbers] = circuit.decide_many(cells)
    return _core.from_values(domains, len(circuit.labels), order, labels, native_budget(budget))


def _composed(circuit: Circuit, order: list[int], budget: Budget) -> _core.Circuit:
    """Node by node: a conjunction chooses between its inputs and 0."""
    native, domains = circuit.native, circuit.native.domains
    rest = sorted(set(range(len(domains))) - set(order))
    composer = _core.Composer(domains, len(circuit.labels), [*order, *rest], native_budget(budget))
    made: list[int] = []
    for number in range(len(circuit)):
        budget.check(_STAGE)
        kind, payload, inputs = native.node(number)
        if kind == 1:
            made.append(composer.leaf(payload))
            continue
        whole = made[inputs[-1]]
        if kind == 2:
            no = composer.leaf(0)
            for each in inputs[:-1]:
                whole = composer.choose(made[each], whole, no)
        else:
            feature, arm_of = native.split(payload)
            for arm, each in enumerate(inputs[:-1]):
                test = composer.test(feature, [int(taken == arm) for taken in arm_of])
                whole = composer.choose(test, made[each], whole)
        made.append(whole)
    return composer.build(made[-1])

"""The instances with a label that cost least: fewest True, or by any costs of values."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import lcm, prod
from typing import Any

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting.chinese_remainder import integers
from reasons.counting.weights import costs_of
from reasons.errors import InputError, PropertyError
from reasons.features.terms import Instance, Term

_STAGE = "counting cheapest instances"
_BYTES = 16
_RULED_OUT = ((1 << 127) - 1).to_bytes(_BYTES, "little")


@dataclass(frozen=True, slots=True)
class CheapestInstances:
    """The least that an instance costs, how many cost that, and one of them."""

    cost: int | Fraction
    count: int
    instance: Instance


def cheapest_instances(
    circuit: Circuit,
    label: int,
    given: Term,
    costs: Mapping[str, Any] | None,
    budget: Budget | None,
) -> CheapestInstances | None:
    """The cheapest instances of a term with the label, or None where there is none.

    Cost: O(circuit) for the cost, and for each 60 bits of the number of instances.
    """
    prices = _Prices(circuit, costs_of(circuit.schema, costs), given)
    search = _core.MinCostSearch(circuit.native, prices.packed, label)
    extra = search.extra
    if extra is None:
        return None
    cells = search.instance()
    if _core.decide(circuit.native, cells) != label:
        raise PropertyError("a cheapest instance did not stand the replay; see Circuit.check()")

    def remainders(prime: int) -> list[int]:
        return [search.share(prime) * prices.ties % prime]

    most = prod(len(feature.values) for feature in circuit.schema)
    (count,) = integers(remainders, most, budget or Budget(), _STAGE)
    cost = Fraction(prices.least + int.from_bytes(extra, "little"), prices.denominator)
    plain = cost.numerator if cost.denominator == 1 else cost
    return CheapestInstances(plain, count, Instance.of_cells(circuit.schema, cells))


class _Prices:
    """Costs as integers of 16 bytes, as the core takes them."""

    def __init__(self, circuit: Circuit, costs: list[list[Fraction]], given: Term) -> None:
        self.denominator = lcm(*(cost.denominator for cost in chain(*costs)))
        whole = [[int(cost * self.denominator) for cost in row] for row in costs]
        if sum(max(map(abs, row)) for row in whole) >= 1 << 125:
            raise InputError("these costs differ too much in size to be added exactly: round them")
        limits = given.limits
        allowed = [
            [row[c] for c in sorted(limits.get(f, range(len(row))))] for f, row in enumerate(whole)
        ]
        self.least = sum(min(row) for row in allowed)
        self.ties = prod(row.count(min(row)) for row in allowed)
        self.packed = b"".join(
            cost.to_bytes(_BYTES, "little", signed=True)
            if f not in limits or cell in limits[f]
            else _RULED_OUT
            for f, row in enumerate(whole)
            for cell, cost in enumerate(row)
        )

"""What each value of each feature weighs or costs, as users write it and as passes take it."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import Any

from reasons.errors import InputError
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.terms import Term
from reasons.text import short_repr

Given = Mapping[str, Mapping[Any, Any]]
"""Feature -> value -> number, as users write it."""


def exact_number(number: Any, what: str) -> Fraction:
    """An int, Fraction, Decimal or float as the fraction that it is."""
    is_number = isinstance(number, int | Fraction | Decimal | float) or hasattr(number, "item")
    if not is_number or isinstance(number, bool):
        raise InputError(f"{what} must be a number, not {short_repr(number)}")
    plain = number.item() if hasattr(number, "item") else number
    if not math.isfinite(plain):
        raise InputError(f"{what} must be finite, not {short_repr(number)}")
    return Fraction(plain)


class Weights:
    """A weight for every value of every feature; 1 where none is given.

    >>> Weights(Schema(["a", "b"]), {"a": {True: 0.5, False: 2}}).of
    [[Fraction(2, 1), Fraction(1, 2)], [Fraction(1, 1), Fraction(1, 1)]]
    """

    def __init__(self, schema: Schema, given: Given | None = None) -> None:
        self.schema = schema
        self.of = [[Fraction(1)] * len(feature.values) for feature in schema]
        for name, values in _mapping(given or {}, "weights").items():
            index = schema.index(name)
            for cell, weight in _by_cell(schema[index], values, "weight"):
                self.of[index][cell] = weight

    def within(self, term: Term) -> "Weights":
        """The same, but nothing for the values that a term rules out."""
        limited = Weights(self.schema)
        limited.of = list(self.of)
        for feature, cells in term.limits.items():
            weights = enumerate(self.of[feature])
            limited.of[feature] = [w if cell in cells else Fraction(0) for cell, w in weights]
        return limited

    @property
    def texts(self) -> list[list[str]]:
        """As a file keeps them: a fraction as text for each value of each feature."""
        return [[str(weight) for weight in weights] for weights in self.of]

    @property
    def named(self) -> dict[str, dict[Any, Fraction]]:
        """As users write them, with those that are 1."""
        return {
            feature.name: dict(zip(feature.values, weights, strict=True))
            for feature, weights in zip(self.schema, self.of, strict=True)
        }

    @property
    def some_are_negative(self) -> bool:
        """Whether sums can cancel."""
        return any(weight < 0 for weights in self.of for weight in weights)

    @cached_property
    def integers(self) -> list[list[int]]:
        """The weights of each feature times their common denominator."""
        return [_integers(weights) for weights in self.of]

    @cached_property
    def denominator(self) -> int:
        """What a sum of products of the integers is to be divided by."""
        return prod(lcm(*(weight.denominator for weight in weights)) for weights in self.of)

    @cached_property
    def most(self) -> int:
        """No sum of products of the integers is beyond this."""
        return prod(sum(map(abs, weights)) for weights in self.integers)


def costs_of(schema: Schema, given: Mapping[str, Any] | None) -> list[list[Fraction]]:
    """A cost for every value: given for a value, or for the truth of a Boolean feature.

    What is not given costs 1 if it is True of a Boolean feature, and nothing otherwise.
    """
    costs = [
        [Fraction(0), Fraction(1)] if f.kind == "boolean" else [Fraction(0)] * len(f.values)
        for f in schema
    ]
    for name, cost in _mapping(given or {}, "costs").items():
        feature = schema[index := schema.index(name)]
        if isinstance(cost, Mapping):
            costs[index] = [Fraction(0)] * len(feature.values)
            for cell, number in _by_cell(feature, cost, "cost"):
                costs[index][cell] = number
        elif feature.kind == "boolean":
            costs[index][1] = exact_number(cost, f"the cost of {name!r}")
        else:
            raise InputError(f"{name!r} is not Boolean: give a cost for each of its values")
    return costs


def _by_cell(feature: Feature, values: Any, what: str) -> Sequence[tuple[int, Fraction]]:
    found: dict[int, Fraction] = {}
    for value, number in _mapping(values, f"the {what}s of {feature.name!r}").items():
        for cell in feature.cells_of(value):
            if cell in found:
                raise InputError(f"{feature.says((cell,))} is given two {what}s")
            found[cell] = exact_number(number, f"the {what} of {feature.says((cell,))}")
    return list(found.items())


def _mapping(given: Any, what: str) -> Mapping[Any, Any]:
    if not isinstance(given, Mapping):
        raise InputError(f"{what} must be a mapping, not {short_repr(given)}")
    return given


def _integers(weights: Sequence[Fraction]) -> list[int]:
    common = lcm(*(weight.denominator for weight in weights))
    return [weight.numerator * (common // weight.denominator) for weight in weights]

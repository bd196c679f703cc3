"""Planted bugs in counting: the comparison with the oracle must notice each, and nothing else.

The count is done once more in plain Python, as the core does it, with one step left out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from random import Random
from typing import Any

import pytest

import reasons
from tests.support import oracle
from tests.support.compare_counting import compare_models
from tests.support.comparison import Mismatch
from tests.support.generators import random_spec
from tests.support.oracle import IMPOSSIBLE, Label
from tests.support.planted import Tampered
from tests.support.specs import And, Case, Leaf, Spec, build, features_for, table_of

SEEDS = range(60)


@dataclass(frozen=True)
class CountRule:
    """Counting in plain Python, and how to break it."""

    label: Label
    sizes: tuple[int, ...]
    box: oracle.Box
    smooth: bool = True
    again: bool = True
    possible: bool = True
    complement: bool = True

    def count(self, spec: Spec) -> Fraction:
        if self.smooth:
            return self.share(spec) * prod(len(cells) for cells in self.box)
        return self.unsmoothed(spec)

    def share(self, spec: Spec) -> Fraction:
        """The label's share of what comes to a node."""
        if isinstance(spec, Leaf):
            counts = spec.label == self.label or (spec.label is IMPOSSIBLE and not self.possible)
            return Fraction(counts)
        if isinstance(spec, And):
            if self.label is True or not self.complement:
                return prod((self.share(part) for part in spec.inputs), start=Fraction(1))
            return 1 - prod((1 - self.share(part) for part in spec.inputs), start=Fraction(1))
        arms = [(len(values & self.box[spec.feature]), arm) for values, arm in spec.arms]
        total = sum(size for size, _ in arms) if self.again else len(self.box[spec.feature])
        if not total:
            return Fraction(0)
        return sum((Fraction(size, total) * self.share(arm) for size, arm in arms), Fraction(0))

    def unsmoothed(self, spec: Spec) -> Fraction:
        """A sum over the arms' own features only: one that an arm does not test is lost."""
        if isinstance(spec, Leaf):
            return Fraction(spec.label == self.label)
        if isinstance(spec, And):
            return prod((self.unsmoothed(part) for part in spec.inputs), start=Fraction(1))
        return sum(
            (
                len(values & self.box[spec.feature]) * self.unsmoothed(arm)
                for values, arm in spec.arms
            ),
            start=Fraction(0),
        )


def planted(spec: Spec, case: Case, **broken: bool) -> Any:
    """The classifier with a count by the rule."""
    index = {feature.name: f for f, feature in enumerate(case.classifier.features)}

    def count(label: Label, given: Any = None) -> int:
        box = [frozenset(range(size)) for size in case.domains]
        for name, values in (given or {}).items():
            feature = case.classifier.features[index[name]]
            box[index[name]] = frozenset(feature.values.index(v) for v in values)
        return int(CountRule(label, case.domains, tuple(box), **broken).count(spec))

    return Tampered(case.classifier, count=count)


def notices(kind: str, make: Callable[[Spec, Case], Any], query: str = "count") -> int:
    found = 0
    for seed in SEEDS:
        spec, domains, labels = random_spec(kind, seed)
        case = Case(build(spec, features_for(domains), labels), domains, table_of(spec, domains))
        try:
            compare_models(case._replace(classifier=make(spec, case)), Random(seed))
        except Mismatch as mismatch:
            found += str(mismatch).startswith(query)
    return found


@pytest.mark.parametrize(
    "kind", ["graph", "tree", "tree with impossible instances", "Decision-DNNF"]
)
def test_the_rule_unbroken_passes(kind: str) -> None:
    assert notices(kind, planted, query="") == 0


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ("graph", "smooth"),
        ("Decision-DNNF", "smooth"),
        ("tree", "again"),
        ("tree with impossible instances", "possible"),
        ("graph with impossible instances", "possible"),
        ("Decision-DNNF", "complement"),
    ],
)
def test_a_step_left_out_of_counting_is_noticed(kind: str, broken: str) -> None:
    assert notices(kind, lambda spec, case: planted(spec, case, **{broken: False})) > 3


PLANTS: dict[str, tuple[str, Callable[[reasons.Classifier], dict[str, object]]]] = {
    "an instance is listed twice": (
        "instances",
        lambda real: {
            "instances": lambda label, given: [
                *real.instances(label, given=given),
                *list(real.instances(label, given=given))[:1],
            ]
        },
    ),
    "an instance is not listed": (
        "instances",
        lambda real: {
            "instances": lambda label, given: list(real.instances(label, given=given))[1:]
        },
    ),
    "the condition is forgotten": (
        "sample",
        lambda real: {"sample": lambda label, n, rng, given: real.sample(label, n, rng)},
    ),
    "weights are forgotten": (
        "marginals",
        lambda real: {
            "marginals": lambda label, weights, given: real.marginals(label, {}, given=given)
        },
    ),
    "the sign of weights is lost": (
        "weighted_count",
        lambda real: {
            "weighted_count": lambda label, weights, **rest: real.weighted_count(
                label, {f: {v: abs(w) for v, w in ws.items()} for f, ws in weights.items()}, **rest
            )
        },
    ),
    "costs are forgotten": (
        "cheapest_instances",
        lambda real: {
            "cheapest_instances": lambda label, given, costs: real.cheapest_instances(
                label, given=given
            )
        },
    ),
    "entailment is of the other label": (
        "entails",
        lambda real: {
            "entails": lambda clause, label: real.entails(
                clause, next(each for each in real.labels if each != label)
            )
        },
    ),
    "conditioning does nothing": ("condition", lambda real: {"condition": lambda term: real}),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_wrong_answer_is_noticed(name: str) -> None:
    query, plant = PLANTS[name]
    assert notices(
        "tree", lambda _, case: Tampered(case.classifier, **plant(case.classifier)), query
    )

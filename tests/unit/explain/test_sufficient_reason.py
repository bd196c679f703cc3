"""One sufficient reason: greedy deletion in the order that the user's preferences give."""

from itertools import permutations
from random import Random

import pytest

import reasons
from tests.support import oracle
from tests.support.comparison import Subject
from tests.support.generators import KINDS, instances_of, random_case
from tests.support.oracle import Instance
from tests.support.specs import Case


def greedy(case: Case, instance: Instance, order: list[int]) -> frozenset[int]:
    """What is left after dropping features in an order as long as the rest suffices."""
    function = oracle.Function(case.domains, case.table)
    kept = dict(enumerate(instance))
    for f in order:
        fewer = {g: cell for g, cell in kept.items() if g != f}
        if oracle.is_sufficient(function, instance, fewer):
            kept = fewer
    return frozenset(kept)


@pytest.mark.parametrize("kind", KINDS)
def test_one_reason_drops_unlisted_features_first_then_listed_ones_from_the_last(
    kind: str,
) -> None:
    for seed in range(30):
        print(f"random_case({kind!r}, {seed})")
        case, rng = random_case(kind, seed), Random(seed)
        subject = Subject(*case)
        for x in instances_of(case, rng, most=3):
            decision = case.classifier.decide(subject.user_instance(x))
            listed = rng.sample(range(len(x)), rng.randrange(len(x) + 1))
            unlisted = [f for f in range(len(x)) if f not in listed]
            names = [subject.features[f].name for f in listed]
            found = decision.sufficient_reason(prefer=names)
            assert subject.term(found) in oracle.sufficient_reasons(subject.function, x)
            orders = [[*first, *reversed(listed)] for first in permutations(unlisted)]
            kept = frozenset(f for f, _ in subject.term(found))
            assert kept in {greedy(case, x, order) for order in orders}, names
            prices = dict(zip(range(len(x)), rng.sample(range(1, 20), len(x)), strict=True))
            costs = {subject.features[f].name: price for f, price in prices.items()}
            dearest = sorted(range(len(x)), key=lambda f: -prices[f])
            found = decision.sufficient_reason(costs=costs)
            assert frozenset(f for f, _ in subject.term(found)) == greedy(case, x, dearest)
            found = decision.sufficient_reason(prefer=names, costs=costs)
            order = [f for f in dearest if f in unlisted] + [f for f in dearest if f in listed]
            assert frozenset(f for f, _ in subject.term(found)) == greedy(case, x, order)


def test_a_single_name_is_a_preference_too() -> None:
    decision = reasons.compile("income | age").decide("income, age")
    for name in ("income", "age"):
        assert set(decision.sufficient_reason(prefer=name)) == {name}
        assert set(decision.sufficient_reason(prefer=[name, name])) == {name}
        assert set(decision.sufficient_reason(costs={name: 0.5})) == {name}
    with pytest.raises(reasons.UnknownFeature, match="incom"):
        decision.sufficient_reason(prefer=["incom"])
    with pytest.raises(reasons.UnknownFeature, match="incom"):
        decision.sufficient_reason(costs={"incom": 2})

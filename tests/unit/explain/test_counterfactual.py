"""The cheapest change under constraints, against all instances."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import pytest

import reasons
from reasons import Feature
from reasons.features.floats import Closed
from reasons.features.values import Special
from tests.support import oracle
from tests.support.comparison import Subject
from tests.support.generators import KINDS, instances_of, random_case
from tests.support.oracle import Instance
from tests.support.specs import raw

SEEDS = range(120)


@dataclass
class Constraints:
    """What is asked, in the user's words, and which changed instances it leaves."""

    given: dict[str, Any] = field(default_factory=dict)
    fits: list[Callable[[Instance], bool]] = field(default_factory=list)
    costs: dict[int, float] = field(default_factory=dict)

    def cost(self, features: frozenset[int]) -> float:
        return sum(self.costs.get(f, 1) for f in features)


def is_numbered(feature: Feature, cell: int) -> bool:
    return feature.kind == "boolean" or isinstance(feature.values[cell], reasons.Interval)


def random_constraints(subject: Subject, instance: Instance, rng: Random) -> Constraints:
    constraints = Constraints()
    features, domains = subject.features, subject.function.domains

    def some(chance: float) -> list[int]:
        return [f for f in subject.function.features if rng.random() < chance]

    def limit(f: int, fits: Callable[[int], bool]) -> None:
        constraints.fits.append(lambda x: x[f] == instance[f] or fits(x[f]))

    def ordered(f: int, sign: int, cell: int) -> bool:
        numbered = is_numbered(features[f], cell) and is_numbered(features[f], instance[f])
        return numbered and (cell - instance[f]) * sign > 0

    fixed = some(0.15)
    constraints.given["immutable"] = [features[f].name for f in fixed]
    for f in fixed:
        limit(f, lambda cell: False)
    for way, sign in (("increase", 1), ("decrease", -1)):
        moving = [f for f in some(0.2) if features[f].kind != "categorical"]
        constraints.given[way] = [features[f].name for f in moving]
        for f in moving:
            limit(f, partial(ordered, f, sign))
    constraints.given["allowed"] = {}
    for f in some(0.2):
        cells = rng.sample(range(domains[f]), rng.randrange(1, domains[f] + 1))
        constraints.given["allowed"][features[f].name] = [raw(features[f], cell) for cell in cells]
        limit(f, frozenset(cells).__contains__)
    constraints.costs = {f: rng.choice([0.25, 0.5, 1, 2, 3]) for f in some(0.5)}
    constraints.given["costs"] = {features[f].name: cost for f, cost in constraints.costs.items()}
    own = subject.function.label(instance)
    wanted = rng.choice([None, *(x for x in subject.classifier.labels if x != own)])
    constraints.given["label"] = wanted
    constraints.fits.append(lambda x: wanted is None or subject.function.table[x] == wanted)
    return constraints


def options(subject: Subject, instance: Instance, constraints: Constraints) -> list[Instance]:
    """All instances that the constraints leaves."""
    own = subject.function.label(instance)
    table = subject.function.table
    others = [x for x in subject.function.allowed if table[x] != own]
    return [x for x in others if all(fits(x) for fits in constraints.fits)]


def compare_change(subject: Subject, instance: Instance, constraints: Constraints) -> bool:
    """Assert that the change is one that brute force allows and finds cheapest."""
    given = subject.user_instance(instance)
    found = subject.classifier.decide(given).counterfactual(**constraints.given)
    left = options(subject, instance, constraints)
    if found is None:
        assert not left, constraints.given
        return False
    other = subject.instance(found.instance)
    assert other in left, constraints.given
    changed = oracle.differing(instance, other)
    assert found.cost == constraints.cost(changed)
    cheapest = min(constraints.cost(oracle.differing(instance, x)) for x in left)
    assert found.cost == cheapest, constraints.given
    assert found.proved
    assert found.label == subject.function.table[other]
    assert subject.classifier.decide(found.instance).label == found.label
    assert found.given_up == {n: subject.classifier.decide(given).cells[n] for n in found.given_up}
    assert set(found.given_up) == subject.names(changed)
    for name in subject.names(set(subject.function.features) - changed):
        assert found.instance[name] is given[name]
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_the_change_is_the_cheapest_that_the_wish_leaves(kind: str) -> None:
    found = []
    for seed in SEEDS:
        print(f"random_case({kind!r}, {seed})")
        case, rng = random_case(kind, seed), Random(seed)
        subject = Subject(*case)
        for instance in instances_of(case, rng, most=4):
            assert compare_change(subject, instance, Constraints()) == bool(
                options(subject, instance, Constraints())
            )
            found += [
                compare_change(subject, instance, random_constraints(subject, instance, rng))
                for _ in range(4)
            ]
    assert False in found
    assert True in found or kind == "constant"


def odd(subject: Subject, one: Instance, other: Instance) -> set[int]:
    """The features that a change makes missing or other."""
    return {
        f
        for f in oracle.differing(one, other)
        if isinstance(subject.features[f].values[other[f]], Special)
    }


def distance(one: Instance, other: Instance) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize(
    "kind",
    [
        "Boolean graph",
        "graph",
        "graph with impossible instances",
        "tree",
        "Decision-DNNF",
    ],
)
def test_among_equally_cheap_changes_the_nearest_cells_are_taken(kind: str) -> None:
    for seed in SEEDS:
        print(f"random_case({kind!r}, {seed})")
        case = random_case(kind, seed)
        subject = Subject(*case)
        for x in instances_of(case, Random(seed), most=4):
            found = case.classifier.decide(subject.user_instance(x)).counterfactual()
            if found is None:
                continue
            left = options(subject, x, Constraints())
            cheap = [y for y in left if len(oracle.differing(x, y)) == found.cost]
            present = [y for y in cheap if not odd(subject, x, y)]
            assert bool(odd(subject, x, subject.instance(found.instance))) == (not present)
            nearest = min(distance(x, y) for y in present or cheap)
            if not present and len(odd(subject, x, subject.instance(found.instance))) < found.cost:
                continue  # some values had to be missing, others are rather ordinary than near
            assert distance(x, subject.instance(found.instance)) == nearest, x


def test_the_cheapest_change_is_a_cheapest_contrastive_set() -> None:
    for seed in SEEDS:
        print(f"random_case('Decision-DNNF', {seed})")
        case, rng = random_case("Decision-DNNF", seed), Random(seed)
        subject = Subject(*case)
        costs = {f.name: rng.randrange(1, 9) for f in subject.features}
        for x in instances_of(case, rng, most=3):
            decision = case.classifier.decide(subject.user_instance(x))
            found, sets = decision.counterfactual(costs=costs), decision.contrastive_sets()
            assert (found is None) == (not sets)
            if found is not None:
                cheapest = next(sets.cheapest(costs))
                assert found.cost == sum(costs[name] for name in cheapest)
                assert found.given_up in sets


def changed(decision: reasons.Decision, **constraints: Any) -> reasons.Instance:
    """The instance of the counterfactual, which must be there."""
    found = decision.counterfactual(**constraints)
    assert found is not None
    return found.instance


def banded(cuts: list[float], closed: Closed, missing: bool = False) -> reasons.Classifier:
    """A label for each cell of a number: 0, 1, ... from below, "none" for missing."""
    number = Feature.numeric("x", cuts=cuts, closed=closed, missing=missing)
    labels = [*range(len(cuts) + 1), *(["none"] if missing else [])]
    builder = reasons.Builder([number, "other"], labels)
    arms = {cell: builder.leaf(label) for cell, label in zip(number.values, labels, strict=True)}
    return builder.build(builder.decide("x", arms))


@pytest.mark.parametrize(
    ("closed", "value", "label", "wanted"),
    [
        ("right", 50, 1, 40),
        ("right", 50, 0, 25),
        ("right", 20, 1, 26),
        ("right", 20, 2, 41),
        ("right", 20.5, 1, 25.0001),
        ("right", 40, 2, 41),
        ("left", 50, 1, 39),
        ("left", 50, 0, 24),
        ("left", 20, 1, 25),
        ("left", 20, 2, 40),
        ("left", 50.5, 1, 39.9999),
        ("left", 25, 0, 24),
    ],
)
def test_a_number_becomes_the_nearest_that_does_it(
    closed: Closed, value: float, label: int, wanted: float
) -> None:
    classifier = banded([25, 40], closed)
    found = classifier.decide({"x": value, "other": True}).counterfactual(label=label)
    assert found is not None
    assert found.instance["x"] == wanted
    assert type(found.instance["x"]) is type(wanted)
    assert found.instance["other"] is True
    assert classifier.decide(found.instance).label == label
    assert str(found) == f"{label} with x: {wanted!r}"


@pytest.mark.parametrize(
    ("closed", "value", "label", "wanted"), [("right", 50, 1, 40), ("left", 20, 1, 26)]
)
def test_a_whole_number_stays_whole_where_the_cuts_are_not(
    closed: Closed, value: int, label: int, wanted: int
) -> None:
    decision = banded([25.5, 40.5], closed).decide({"x": value, "other": True})
    assert changed(decision, label=label)["x"] == wanted


def test_a_whole_number_between_cuts_without_one_is_not_whole() -> None:
    decision = banded([25.2, 25.7], "right").decide({"x": 30, "other": True})
    assert changed(decision, label=1)["x"] == 25.7


def test_a_missing_number_can_come_and_go() -> None:
    classifier = banded([25, 40], "right", missing=True)
    decision = classifier.decide({"x": 30, "other": 0})
    assert changed(decision, label="none")["x"] is None
    missing = classifier.decide({"x": float("nan"), "other": 0})
    assert classifier.decide(changed(missing, label=1)).label == 1
    assert missing.counterfactual(increase="x") is missing.counterfactual(decrease="x") is None
    up = classifier.decide({"x": 50, "other": 0})
    assert up.counterfactual(increase="x") is None  # a missing value is not a larger one


def test_the_nearest_number_is_taken_where_a_tree_tests_it_again() -> None:
    number = Feature.numeric("x", cuts=[10, 20, 30], missing=True)
    *low, middle, high, missing = number.values
    builder = reasons.Builder([number])
    no, yes = builder.leaf(False), builder.leaf(True)
    last = builder.decide("x", {middle: yes, missing: no})
    then = builder.decide("x", {tuple(low): yes, (middle, missing): last})
    classifier = builder.build(builder.decide("x", {high: no, (*low, middle, missing): then}))
    assert changed(classifier.decide([35]))["x"] == 30


def test_a_changed_number_is_one_of_the_allowed_ones() -> None:
    decision = banded([25, 40], "right").decide({"x": 50, "other": True})
    assert changed(decision, allowed={"x": [30, 35]})["x"] == 35


def job() -> reasons.Decision:
    builder = reasons.Builder([Feature.categorical("job", ["clerk", "nurse", "cook"]), "a"])
    arms = {"clerk": builder.leaf(False), ("nurse", "cook"): builder.leaf(True)}
    return builder.build(builder.decide("job", arms)).decide({"job": "clerk", "a": 1})


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ({"immutable": ["nobody"]}, "nobody"),
        ({"increase": "nobody"}, "nobody"),
        ({"decrease": "nobody"}, "nobody"),
        ({"allowed": {"nobody": 1}}, "nobody"),
        ({"costs": {"nobody": 1}}, "nobody"),
        ({"increase": "job"}, "job"),
        ({"costs": {"job": 0}}, "positive"),
        ({"costs": {"job": -1}}, "positive"),
        ({"costs": {"job": float("nan")}}, "positive"),
        ({"allowed": {"job": ["baker"]}}, "baker"),
        ({"allowed": {"job": []}}, "job"),
        ({"label": "maybe"}, "maybe"),
        ({"label": False}, "already"),
    ],
)
def test_constraints_that_make_no_sense_are_an_error(
    constraints: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(reasons.InputError, match=message):
        job().counterfactual(**constraints)


def test_allowed_values_may_be_one_value_or_several() -> None:
    for allowed in ("cook", ["cook"], {"cook"}, ("clerk", "cook")):
        assert changed(job(), allowed={"job": allowed})["job"] == "cook"
    assert job().counterfactual(allowed={"job": "clerk"}) is None

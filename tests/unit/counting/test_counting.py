"""Counting, weighing, drawing, listing and reshaping, against the oracle.

A failing random case is replayed by `random_case(kind, seed)`.
"""

import os
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

import reasons
from reasons.counting import sampling
from tests.support import oracle
from tests.support.compare_counting import compare_models, decides_as
from tests.support.comparison import Mismatch, Subject
from tests.support.generators import KINDS, boolean_function, random_case

SEED = int(os.environ.get("REASONS_SEED", "0"))
CASES = 120


@pytest.mark.parametrize("arity", [0, 1, 2])
def test_every_function_of_up_to_two_variables(arity: int) -> None:
    for number in range(2 ** (2**arity)):
        compare_models(boolean_function(arity, number), Random(number))


@pytest.mark.parametrize("part", range(4))
def test_every_function_of_three_variables(part: int) -> None:
    for number in range(64 * part, 64 * (part + 1)):
        compare_models(boolean_function(3, number), Random(number))


@pytest.mark.parametrize("kind", KINDS)
def test_random_classifiers(kind: str) -> None:
    for seed in range(SEED, SEED + CASES):
        try:
            compare_models(random_case(kind, seed), Random(seed))
        except Exception as error:
            raise Mismatch(f"random_case({kind!r}, {seed}): {error}") from error


@pytest.mark.parametrize("kind", KINDS)
def test_forgetting(kind: str) -> None:
    """Ordered circuits always answer; others answer rightly or say why not."""
    answered = 0
    for seed in range(SEED, SEED + CASES):
        case = random_case(kind, seed)
        if case.classifier.labels != (False, True):
            continue
        subject = Subject(*case)
        for features in oracle.subsets(subject.function.features):
            names = subject.names(features)
            try:
                got = case.classifier.forget(names)
            except reasons.PropertyError:
                assert not case.classifier.circuit.is_ordered
                continue
            answered += bool(features)
            wanted = oracle.forgotten(subject.function, features)
            decides_as(subject, f"{kind} {seed} forget({names})", got, wanted)
    assert answered or kind == "constant"


def test_forgetting_needs_the_labels_false_and_true() -> None:
    build = reasons.Builder(["a"], ["no", "yes"])
    clf = build.build(build.decide("a", {True: build.leaf("yes"), False: build.leaf("no")}))
    with pytest.raises(reasons.PropertyError, match="False and True"):
        clf.forget("a")


def test_forgetting_says_which_feature_it_cannot_forget() -> None:
    build = reasons.Builder(["a", "b", "c", "d"])
    no, yes = build.leaf(False), build.leaf(True)
    b, c = (build.decide(name, {True: yes, False: no}) for name in "bc")
    both = build.all_of(
        [build.decide("a", {True: b, False: c}), build.decide("d", {1: yes, 0: no})]
    )
    clf = build.build(both)
    with pytest.raises(reasons.PropertyError, match="feature 'a' would unite"):
        clf.forget("a")
    assert clf.forget("d").count(True) == 8


def chi_square_is_plausible(observed: Counter[tuple[int, ...]], cells: int) -> bool:
    """Within five standard deviations of what uniform drawing gives."""
    expected = observed.total() / cells
    seen = sum((number - expected) ** 2 / expected for number in observed.values())
    chi = seen + (cells - len(observed)) * expected
    return bool(abs(chi - (cells - 1)) < 5 * (2 * (cells - 1)) ** 0.5 + 1)


@pytest.mark.parametrize(
    "slack", [sampling._SLACK, 2**50, 2**60], ids=["floats", "both", "integers"]
)
@pytest.mark.parametrize("kind", KINDS)
def test_drawing_is_uniform_and_leaves_nothing_out(
    kind: str, slack: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "_SLACK", slack)
    for seed in range(12):
        case = random_case(kind, seed)
        subject = Subject(*case)
        for label in case.classifier.labels:
            wanted = oracle.models(subject.function, label)
            if wanted:
                drawn = case.classifier.sample(label, 60 * len(wanted), Random(seed))
                observed = Counter(map(subject.instance, drawn))
                assert set(observed) == set(wanted), (kind, seed, label)
                assert chi_square_is_plausible(observed, len(wanted)), (kind, seed, label)


def test_the_chi_square_test_can_fail() -> None:
    """Drawing by arms, each as likely, prefers instances on short paths."""
    clf = reasons.compile("a | b & c & d")
    rng = Random(0)
    biased = Counter[tuple[int, ...]]()
    for _ in range(60 * clf.count(True)):
        if rng.random() < 0.5:
            biased[True, *(rng.random() < 0.5 for _ in range(3))] += 1
        else:
            biased[False, True, True, True] += 1
    assert not chi_square_is_plausible(biased, clf.count(True))


def pairs(number: int) -> reasons.Classifier:
    """One of x0 and x1, and one of x2 and x3, ..."""
    return reasons.compile(" & ".join(f"(x{2 * i} | x{2 * i + 1})" for i in range(number)))


def test_drawing_and_listing_what_is_too_large_to_count_on_fingers() -> None:
    clf = pairs(1500)
    assert clf.count(True) == 3**1500
    assert clf.count(True, given={"x0": False, "x3": False}) == 3**1498
    (drawn,) = clf.sample(True, 1, Random(0))
    assert clf.decide(drawn).label
    first = list(islice(clf.instances(True), 100))
    assert len({x.cells for x in first}) == 100
    assert all(clf.decide(x).label for x in first)
    cheapest = clf.cheapest_instances(True)
    assert cheapest is not None
    assert (cheapest.cost, cheapest.count) == (1500, 2**1500)
    assert clf.counts(True)["x7"] == {False: 3**1499, True: 2 * 3**1499}
    assert clf.log_weighted_count(True) == pytest.approx(1500 * 1.0986122886681098)
    assert clf.weighted_count(True, exact=False) == float("inf")


def test_drawing_from_nothing_is_refused() -> None:
    clf = reasons.compile("a & b")
    with pytest.raises(reasons.InputError, match="none can be drawn"):
        clf.sample(True, given="~a")
    with pytest.raises(reasons.InputError, match="number of instances"):
        clf.sample(True, -1)
    assert clf.sample(True, 0) == []


def test_the_same_seed_draws_the_same_instances() -> None:
    clf = reasons.compile("a & b | c ^ d")
    one, other = (clf.sample(True, 20, Random(3)) for _ in range(2))
    assert [x.cells for x in one] == [x.cells for x in other]


@pytest.mark.parametrize(
    "weights",
    [
        {"a": {True: 0.1, False: 1}},
        {"a": {True: Decimal("0.1"), False: Fraction(1, 7)}, "b": {True: -1}},
        {"a": {True: 1, False: -1}, "b": {True: -1, False: 1}, "c": {True: 2, False: -2}},
    ],
)
def test_weights_of_every_type_count_exactly(weights: dict[str, dict[bool, Any]]) -> None:
    clf = reasons.compile("a & b | ~b & c")
    rows = [[Fraction(weights.get(n, {}).get(v, 1)) for v in (False, True)] for n in "abc"]
    total = sum(
        (rows[0][a] * rows[1][b] * rows[2][c])
        for a, b, c in product((0, 1), repeat=3)
        if (a and b) or (not b and c)
    )
    assert clf.weighted_count(True, weights) == total


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"z": {True: 1}}, "no feature 'z'"),
        ({"a": {"maybe": 1}}, "no value 'maybe'"),
        ({"a": {True: "much"}}, "must be a number"),
        ({"a": {True: float("nan")}}, "must be finite"),
        ({"a": 3}, "must be a mapping"),
        (3, "must be a mapping"),
        ({"a": {True: 1, frozenset({True}): 3}}, "two weights"),
    ],
)
def test_weights_that_are_none_are_refused(weights: Any, message: str) -> None:
    with pytest.raises(reasons.InputError, match=message):
        reasons.compile("a & b").weighted_count(True, weights)


def test_weights_stay_with_the_classifier_and_its_file(tmp_path: Path) -> None:
    plain = reasons.compile("a | b")
    assert plain.weights is None
    clf = reasons.Classifier(plain.circuit, weights={"a": {True: 0.25, False: Fraction(1, 3)}})
    assert clf.weighted_count(True) == Fraction(1, 4) * 2 + Fraction(1, 3)
    assert clf.marginals(True)["a"][True] == Fraction(3, 5)
    assert clf.weighted_count(True, {}) == 3
    clf.save(tmp_path / "weighed.reasons")
    again = reasons.load(tmp_path / "weighed.reasons")
    assert again.weights == clf.weights
    assert again.weighted_count(True) == clf.weighted_count(True)
    plain.save(tmp_path / "plain.reasons")
    assert reasons.load(tmp_path / "plain.reasons").weights is None
    assert clf.condition("a").weights == clf.weights


def test_smallest_is_minimum_cardinality_by_default() -> None:
    clf = reasons.compile("a & b | c & d & e | b & ~c")
    found = clf.cheapest_instances(True)
    assert found is not None
    assert (found.cost, found.count, str(found.instance)) == (1, 1, "~a, b, ~c, ~d, ~e")
    dear = clf.cheapest_instances(True, costs={"b": 10})
    assert dear is not None
    assert (dear.cost, str(dear.instance)) == (3, "~a, ~b, c, d, e")
    assert clf.cheapest_instances(True, given="~b, ~c") is None
    half = clf.cheapest_instances(True, costs={"b": 0.5})
    assert half is not None
    assert half.cost == Fraction(1, 2)


def test_costs_that_cannot_be_are_refused() -> None:
    job = reasons.Feature.categorical("job", ["clerk", "nurse", "smith"])
    build = reasons.Builder([job])
    arms = {"clerk": build.leaf(True), ("nurse", "smith"): build.leaf(False)}
    clf = build.build(build.decide("job", arms))
    with pytest.raises(reasons.InputError, match="each of its values"):
        clf.cheapest_instances(True, costs={"job": 3})
    with pytest.raises(reasons.InputError, match="round them"):
        clf.cheapest_instances(True, costs={"job": {"clerk": 1e-300, "nurse": 1e300}})
    least = clf.cheapest_instances(False, costs={"job": {"nurse": 2, "smith": -1}})
    assert least is not None
    assert least.cost == -1


def test_clauses_are_written_in_several_ways() -> None:
    age = reasons.Feature.numeric("age", cuts=[25, 40])
    job = reasons.Feature.categorical("job", ["clerk", "a|b"])
    build = reasons.Builder([age, job, "x"])
    no, yes = build.leaf(False), build.leaf(True)
    by_job = build.decide("job", {"clerk": yes, "a|b": no})
    young, middle, old = age.values
    clf = build.build(build.decide("age", {young: no, middle: by_job, old: yes}))
    assert clf.entails("age > 25")
    assert clf.entails("age > 40 | job = clerk")
    assert clf.entails(["age > 40", {"job": "clerk"}])
    assert clf.entails({"age": reasons.Interval(40, float("inf")), "job": "clerk"})
    assert clf.entails('job in {"a|b"} | job = clerk')
    assert clf.entails("x | ~x")
    assert not clf.entails("x")
    assert not clf.entails("")
    assert clf.entails("age <= 40 | x", False)
    for wrong in ("x |", "x || ~x", ["x, age > 25"], 3):
        with pytest.raises(reasons.InputError):
            clf.entails(wrong)


def test_conditioning_wants_one_value() -> None:
    job = reasons.Feature.categorical("job", ["clerk", "nurse", "smith"])
    build = reasons.Builder([job])
    arms = {"clerk": build.leaf(True), ("nurse", "smith"): build.leaf(False)}
    clf = build.build(build.decide("job", arms))
    with pytest.raises(reasons.InputError, match=r"job in \{clerk, nurse\}: a feature is fixed"):
        clf.condition("job in {clerk, nurse}")


def test_a_budget_of_time_stops_the_counting() -> None:
    clf = pairs(450)
    with pytest.raises(reasons.BudgetExceeded):
        clf.counts(True, budget=reasons.Budget(seconds=1e-9))
    with pytest.raises(reasons.BudgetExceeded):
        clf.forget([f"x{i}" for i in range(0, 900, 2)], budget=reasons.Budget(nodes=5))


def test_samples_take_seeds_and_numpy_generators() -> None:
    clf = reasons.compile("a | b | c")
    assert list(clf.sample(True, 5, 7)) == list(clf.sample(True, 5, Random(7)))
    assert len(list(clf.sample(True, 3, numpy.random.default_rng(0)))) == 3
    with pytest.raises(reasons.InputError, match="a seed or a numpy Generator"):
        clf.sample(True, 3, "seven")

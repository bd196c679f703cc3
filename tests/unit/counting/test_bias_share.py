"""How much of a domain is biased, against brute force over all instances."""

import time
from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import reasons
from reasons.circuits import to_obdd
from reasons.counting import bias_estimate, bias_share
from reasons.counting.bias_estimate import clopper_pearson
from reasons.counting.weights import Weights
from tests.support import oracle
from tests.support.compare_counting import named, random_numbers, random_term
from tests.support.comparison import Mismatch, Subject
from tests.support.ctrl_c import require_ctrl_c_ends
from tests.support.generators import KINDS, random_case
from tests.support.planted import Tampered
from tests.support.specs import Case

SEEDS = range(40)


def compare_amount(case: Case, rng: Random) -> None:
    """Raise Mismatch unless the amount is right for every protected set, with and without terms."""
    subject = Subject(*case)
    for protected in oracle.subsets(subject.function.features):
        for term in ({}, random_term(subject, rng)):
            box = oracle.box_of(subject.function, term)
            inside = [x for x in subject.function.allowed if oracle.holds(box, x)]
            if inside:
                _compare(subject, protected, term, inside, rng)


def _compare(
    subject: Subject,
    protected: frozenset[int],
    term: Mapping[int, frozenset[int]],
    inside: list[oracle.Instance],
    rng: Random,
) -> None:
    rows = [[abs(number) + 1 for number in row] for row in random_numbers(subject, rng)]
    box = oracle.box_of(subject.function, term)
    biased = oracle.biased_instances(subject.function, protected, box)
    found = subject.classifier.bias_share(
        subject.names(protected),
        given=subject.user_box(term),
        weights=named(subject, rows),
        exact=True,
    )
    what = f"amount {set(protected)} given {subject.user_box(term)}"
    subject.expect(what, (found.count, found.total), (len(biased), len(inside)))
    labels = [subject.function.table[x] for x in biased]
    wanted = {label: labels.count(label) for label in subject.classifier.labels}
    subject.expect(f"{what}: by label", dict(found.by_label), wanted)
    share = Fraction(len(biased), len(inside))
    subject.expect(f"{what}: share", found.share, share)
    ends = (found.low, found.high, found.exact, found.proof)
    subject.expect(f"{what}: ends", ends, (float(share), float(share), True, "exact"))
    heavy = sum(oracle.weight(x, rows) for x in biased)
    every = sum(oracle.weight(x, rows) for x in inside)
    subject.expect(f"{what}: weighted", found.weighted, Fraction(heavy) / every)


@pytest.mark.parametrize("kind", KINDS)
def test_amounts_are_those_of_brute_force(kind: str) -> None:
    for seed in SEEDS:
        compare_amount(random_case(kind, seed), Random(seed))


@pytest.mark.parametrize("kind", ["tree", "tree with impossible instances", "Decision-DNNF"])
def test_amounts_are_right_of_circuits_that_are_put_in_order(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(to_obdd, "_TABLED", 0)
    for seed in SEEDS:
        case = random_case(kind, seed)
        compare_amount(case, Random(seed))
        ordered = to_obdd.in_order(case.classifier.circuit, [0], reasons.Budget())
        ordered.check()
        assert ordered.is_ordered
        assert reasons.Classifier(ordered).equivalent(case.classifier)


REAL_ALIKE = bias_share._alike
PLANTS: Mapping[str, tuple[str, str, Any]] = {
    "impossible instances are counted": (
        "graph with impossible instances",
        "_where_allowed",
        lambda merged, circuit, budget: merged,
    ),
    "a protected feature is left out": (
        "graph",
        "_alike",
        lambda circuit, protected, budget: REAL_ALIKE(circuit, protected[1:], budget),
    ),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_step_left_out_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, step, broken = PLANTS[name]
    monkeypatch.setattr(bias_share, step, broken)
    noticed = 0
    for seed in SEEDS:
        try:
            compare_amount(random_case(kind, seed), Random(seed))
        except (Mismatch, reasons.PropertyError):
            noticed += 1
    assert noticed > 3


def test_a_wrong_number_by_label_is_noticed() -> None:
    def swapped(*given: Any, **options: Any) -> Any:
        found = case.classifier.bias_share(*given, **options)
        numbers = list(found.by_label.values())[::-1]
        return Tampered(found, by_label=dict(zip(found.by_label, numbers, strict=True)))

    noticed = 0
    for seed in SEEDS:
        case = random_case("graph", seed)
        try:
            planted: Any = Tampered(case.classifier, bias_share=swapped)
            compare_amount(case._replace(classifier=planted), Random(seed))
        except Mismatch as mismatch:
            noticed += "by label" in str(mismatch)
    assert noticed > 3


@pytest.mark.parametrize("kind", KINDS)
def test_an_estimate_draws_allowed_instances_and_says_that_it_is_one(kind: str) -> None:
    missed = 0
    for seed in SEEDS:
        case = random_case(kind, seed)
        protected = frozenset({0})
        exact = case.classifier.bias_share(["A"], exact=True)
        found = estimated(case.classifier, ["A"], sample=400, seed=seed)
        assert not found.exact
        assert found.proof.startswith("estimated from 400 instances")
        assert sum(found.by_label.values()) == found.count <= found.total == 400
        assert found.low <= found.share <= found.high
        missed += not found.low <= exact.share <= found.high
        biased = oracle.biased_instances(Subject(*case).function, protected)
        assert bool(found.count) <= bool(biased)
    assert missed <= 3  # of 40, where 1 of 100 may be


def estimated(classifier: reasons.Classifier, protected: list[str], **options: Any) -> Any:
    indices = tuple(classifier.schema.indices(protected))
    weights = options.pop("weights", None)
    question = bias_share.Question(
        indices,
        classifier._term(options.pop("given", None)),
        None if weights is None else Weights(classifier.schema, weights),
        **options,
    )
    return bias_estimate.estimated(classifier.circuit, question, reasons.Budget(), "asked to")


def test_the_interval_covers_the_share_as_often_as_it_says() -> None:
    """A share of 3/16 of a formula, estimated 600 times: 99 % of the intervals hold it."""
    classifier = reasons.compile("a & b & (c | d) | ~a & c & e")
    exact = classifier.bias_share(["c"], exact=True)
    found = [estimated(classifier, ["c"], sample=200, seed=seed) for seed in range(600)]
    inside = sum(each.low <= exact.share <= each.high for each in found)
    assert inside >= 585  # 594 are expected at least; this is 3.6 deviations below
    assert len({each.count for each in found}) > 10


def test_a_narrower_interval_would_be_noticed_by_that_test() -> None:
    classifier = reasons.compile("a & b & (c | d) | ~a & c & e")
    share = classifier.bias_share(["c"], exact=True).share
    found = [estimated(classifier, ["c"], sample=200, seed=seed) for seed in range(600)]
    narrow = [clopper_pearson(each.count, each.total, 0.9) for each in found]
    assert sum(low <= share <= high for low, high in narrow) < 585


def test_the_interval_is_that_of_the_beta_distribution() -> None:
    stats = pytest.importorskip("scipy.stats")
    for drawn in (1, 2, 17, 1000, 10_000):
        for found in {0, 1, drawn // 3, drawn - 1, drawn}:
            low, high = clopper_pearson(found, drawn)
            wanted = stats.binomtest(found, drawn).proportion_ci(0.99, "exact")
            assert (low, high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)


def test_weights_are_estimated_too() -> None:
    case = random_case("tree", 3)
    subject = Subject(*case)
    rows = [[Fraction(1 + cell) for cell in range(size)] for size in case.domains]
    weights = named(subject, rows)
    exact = case.classifier.bias_share(["A"], weights=weights, exact=True)
    found = estimated(case.classifier, ["A"], weights=weights)
    assert found.weighted_low <= exact.weighted <= found.weighted_high


def test_rare_instances_are_drawn_as_they_are() -> None:
    """One of 4^9 instances in 4,096 is allowed; too few to meet by chance."""
    features = [reasons.Feature.categorical(f"x{i}", range(4)) for i in range(9)]
    builder = reasons.Builder(features, ["no", "yes"])
    node = builder.decide("x8", {(0, 1): builder.leaf("no"), (2, 3): builder.leaf("yes")})
    for i in range(6):
        node = builder.decide(f"x{i}", {(0,): node, (1, 2, 3): builder.impossible()})
    classifier = builder.build(node)
    exact = classifier.bias_share("x8", exact=True)
    assert (exact.count, exact.total) == (4**3, 4**3)
    found = estimated(classifier, ["x8"], sample=500)
    assert (found.count, found.total) == (500, 500)
    weights = {"x0": {0: 1, 1: 1, 2: 1, 3: 2}}
    with pytest.raises(reasons.PropertyError, match="too few"):
        estimated(classifier, ["x8"], sample=500, weights=weights)


def chosen_pair(pairs: int) -> reasons.Classifier:
    """Whether both of the pair that s names hold: small, but "some pair" is not, in this order."""
    names = [f"{side}{i}" for side in "xy" for i in range(pairs)]
    features = [
        reasons.Feature.categorical("s", range(pairs)),
        *map(reasons.Feature.boolean, names),
    ]
    builder = reasons.Builder(features, [False, True])
    no, yes = builder.leaf(False), builder.leaf(True)
    arms = {}
    for i in range(pairs):
        second = builder.decide(f"y{i}", {True: yes, False: no})
        arms[i,] = builder.decide(f"x{i}", {True: second, False: no})
    return builder.build(builder.decide("s", arms))


def test_what_does_not_fit_is_estimated_unless_it_must_be_exact() -> None:
    classifier = chosen_pair(8)
    every, some = 4**8, 4**8 - 3**8 - 1  # those with a pair; the last with all pairs is not biased
    exact = classifier.bias_share("s")
    assert (exact.exact, exact.count, exact.total) == (True, 8 * some, 8 * every)
    for tight in (reasons.Budget(nodes=100), reasons.Budget(seconds=1e-4)):
        with pytest.raises(reasons.BudgetExceeded):
            classifier.bias_share("s", exact=True, budget=tight)
    found = classifier.bias_share("s", budget=reasons.Budget(nodes=100))
    assert not found.exact
    assert "counting did not fit" in found.proof
    assert found.low <= exact.share <= found.high
    assert found == classifier.bias_share("s", budget=reasons.Budget(nodes=100))
    assert found != classifier.bias_share("s", seed=1, budget=reasons.Budget(nodes=100))


def test_a_circuit_that_explodes_is_estimated_in_half_of_the_time_it_has() -> None:
    start = time.monotonic()
    found = chosen_pair(40).bias_share("s", budget=reasons.Budget(seconds=2))
    assert not found.exact
    assert time.monotonic() - start < 20


def test_thousands_of_features_are_counted() -> None:
    names = [f"x{i}" for i in range(3000)]
    classifier = reasons.compile("x0 & x1", features=names)
    found = classifier.bias_share(["x0"])
    assert (found.count, found.total) == (2**2999, 2**3000)
    assert found.share == Fraction(1, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"protected": ["z"]}, "z"),
        ({"protected": ["a"], "given": "z"}, "z"),
        ({"protected": ["a"], "sample": 7}, "sample=7"),
        ({"protected": ["a"], "sample": True}, "sample=True"),
        ({"protected": ["a"], "seed": -1}, "seed=-1"),
        ({"protected": ["a"], "weights": {"a": {True: -1}}}, "not negative"),
        ({"protected": ["a"], "weights": {"b": {True: 0, False: 0}}}, "weighs anything"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(reasons.InputError, match=message):
        reasons.compile("a & b").bias_share(**options)


def test_a_domain_without_instances_has_no_share() -> None:
    builder = reasons.Builder(["a", "b"], [False, True])
    arms = {True: builder.impossible(), False: builder.leaf(True)}
    classifier = builder.build(builder.decide("a", arms))
    with pytest.raises(reasons.InputError, match="no instance is allowed"):
        classifier.bias_share(["b"], given="a")


HOURS = """
import sys
sys.path.insert(0, ".")
from tests.unit.counting.test_bias_share import chosen_pair
classifier = chosen_pair(40)
print("ready", flush=True)
classifier.bias_share("s", exact=True)
"""


def test_ctrl_c_ends_counting() -> None:
    require_ctrl_c_ends(HOURS)

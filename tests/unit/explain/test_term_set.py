"""Sets of terms against brute force and against the readable reference.

Every set that a `TermSet` can be is compared with a plain Python set of its members, member
by member and through every method. A failing random case is replayed by its kind and seed.
"""

from collections.abc import Iterable
from random import Random

import pytest

import reasons
from tests.support import algorithm1, oracle
from tests.support.comparison import Subject
from tests.support.generators import KINDS, Grower, instances_of, random_case, random_formula
from tests.support.oracle import IMPOSSIBLE
from tests.support.specs import build, features_for
from tests.support.term_sets import Members, same

SEEDS = range(60)
NAMES = "ABCDEFGHIJKLMN"


def simple(subject: Subject, terms: Iterable[oracle.Term]) -> Members:
    return frozenset(
        frozenset((subject.features[f].name, frozenset({cell})) for f, cell in term)
        for term in terms
    )


def general(subject: Subject, boxes: Iterable[oracle.Box]) -> Members:
    return frozenset(
        frozenset(
            (subject.features[f].name, box[f]) for f in oracle.constrained(subject.function, box)
        )
        for box in boxes
    )


def kept(instance: oracle.Instance, sets: Iterable[frozenset[int]]) -> frozenset[oracle.Term]:
    return frozenset(frozenset((f, instance[f]) for f in features) for features in sets)


def transversals(sets: Iterable[frozenset[int]]) -> set[frozenset[int]]:
    """The minimal sets that meet all of these, one set after the other (Berge)."""
    found: set[frozenset[int]] = {frozenset()}
    for each in sorted(sets, key=len):
        wider = {hit | {member} for hit in found for member in each if not hit & each}
        found = algorithm1.remove_subsumed({hit for hit in found if hit & each} | wider)
    return found


def feature_sets(
    classifier: reasons.Classifier, terms: Iterable[reasons.Term]
) -> set[frozenset[int]]:
    index = {feature.name: i for i, feature in enumerate(classifier.features)}
    return {frozenset(index[name] for name in term) for term in terms}


@pytest.mark.parametrize("kind", KINDS)
def test_the_sets_of_a_decision_are_those_of_brute_force(kind: str) -> None:
    for seed in SEEDS:
        print(f"random_case({kind!r}, {seed})")
        case = random_case(kind, seed)
        subject = Subject(*case)
        for x in instances_of(case, Random(seed), most=2):
            decision = case.classifier.decide(subject.user_instance(x))
            wanted = oracle.sufficient_reasons(subject.function, x)
            sufficient = decision.sufficient_reasons()
            same(sufficient, simple(subject, wanted), Random(seed))
            wanted = kept(x, oracle.contrastive_sets(subject.function, x))
            same(decision.contrastive_sets(), simple(subject, wanted), Random(seed))
            boxes = oracle.general_sufficient_reasons(subject.function, x)
            found = decision.sufficient_reasons(general=True)
            same(found, general(subject, boxes), Random(seed))
            share = sufficient.share()
            assert {f for f in share if share[f] > 0} == decision.relevant_features()
            assert {f for f in share if share[f] == 1.0} == set(decision.necessary_property)


@pytest.mark.parametrize("kind", KINDS)
def test_prime_implicants_are_those_of_brute_force(kind: str) -> None:
    for seed in SEEDS:
        print(f"random_case({kind!r}, {seed})")
        case = random_case(kind, seed)
        subject = Subject(*case)
        for label in case.classifier.labels:
            wanted = oracle.prime_implicants(subject.function, label)
            found = case.classifier.prime_implicants(label)
            same(found, simple(subject, wanted), Random(seed))


def larger(kind: str, seed: int) -> tuple[reasons.Classifier, list[object]]:
    """A classifier of 8 to 14 features, too large for the oracle, and an instance of it."""
    rng = Random(f"{kind} {seed}")
    number = rng.randrange(8, 15)
    if kind == "formula":
        text, _ = random_formula(rng, NAMES[:number], 6)
        classifier = reasons.compile(text)
    else:
        domains = [rng.choice([2, 2, 3]) for _ in range(number)]
        labels = ("red", "green", "blue") if kind == "tree" else (False, True)
        leaves = {
            "tree": (*labels, *labels),
            "impossible": (*labels, *labels, IMPOSSIBLE),
            "Decision-DNNF": (False, True, True),
        }[kind]
        whole = tuple(frozenset(range(size)) for size in domains)
        grower = Grower(rng, leaves, depth=6, splits=0.4 if kind == "Decision-DNNF" else 0)
        spec = grower.grow(whole, frozenset(range(number)))
        classifier = build(spec, features_for(domains), labels)
    while True:
        instance = [rng.choice(feature.values) for feature in classifier.features]
        try:
            classifier.decide(instance)
        except reasons.InputError:  # an impossible one
            continue
        return classifier, instance


@pytest.mark.parametrize("kind", ["formula", "tree", "impossible", "Decision-DNNF"])
def test_sufficient_reasons_are_those_of_algorithm_1_and_dual_to_contrastive_sets(
    kind: str,
) -> None:
    largest = 0
    for seed in range(80):
        print(f"larger({kind!r}, {seed})")
        classifier, instance = larger(kind, seed)
        decision = classifier.decide(instance)
        cells = decision.instance.cells
        wanted = algorithm1.sufficient_reasons(classifier.circuit, cells, decision.label)
        reasons_, changes = decision.sufficient_reasons(), decision.contrastive_sets()
        sufficient = feature_sets(classifier, reasons_)
        assert sufficient == wanted
        assert reasons_.count() == len(wanted)
        contrastive = feature_sets(classifier, changes)
        assert transversals(sufficient) == contrastive
        assert transversals(contrastive) == sufficient
        share = reasons_.share()
        assert {f for f in share if share[f] > 0} == decision.relevant_features()
        assert {f for f in share if share[f] == 1.0} == set(decision.necessary_property)
        largest = max(largest, len(wanted))
    assert largest >= 5, "the random circuits have become too simple to show anything"

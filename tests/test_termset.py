"""Sets of terms against brute force and against the readable reference.

Every set that a `TermSet` can be is compared with a plain Python set of its members, member
by member and through every method. A failing random case is replayed by its kind and seed.
"""

import pickle
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from random import Random

import pytest
from termsets import Members, said, same, saying

import algorithm1
import oracle
import reasons
from generators import KINDS, Grower, instances_of, random_case, random_formula
from oracle import IMPOSSIBLE
from reasons import _core
from specs import build, features_for
from subject import Subject

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


def feature_sets(classifier: reasons.Classifier, terms: Iterable[reasons.Term]) -> set:
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
            assert {f for f in share if share[f] > 0} == decision.relevant_features
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
        assert {f for f in share if share[f] > 0} == decision.relevant_features
        assert {f for f in share if share[f] == 1.0} == set(decision.necessary_property)
        largest = max(largest, len(wanted))
    assert largest >= 5, "the random circuits have become too simple to show anything"


def constant(label: bool) -> reasons.Decision:
    builder = reasons.Builder(["a", "b"])
    return builder.build(builder.leaf(label)).decide("a, ~b")


@pytest.mark.parametrize("label", [False, True])
def test_a_constant_decision_has_the_empty_reason_and_no_change(label: bool) -> None:
    decision = constant(label)
    for terms in (
        decision.sufficient_reasons(),
        decision.sufficient_reasons(general=True),
        decision.classifier.prime_implicants(label),
    ):
        same(terms, frozenset({frozenset()}), Random(0))
        assert {} in terms
        assert "" in terms
        assert str(terms) == "(nothing)"
    for terms in (
        decision.contrastive_sets(),
        decision.classifier.prime_implicants(not label),
    ):
        same(terms, frozenset(), Random(0))
        assert {} not in terms
        assert str(terms) == ""


def test_an_empty_set_has_no_shortest_term_and_no_sample() -> None:
    empty = constant(True).contrastive_sets()
    for query in (empty.shortest, empty.sample):
        with pytest.raises(reasons.InputError, match="empty"):
            query()
    assert not empty.all_shortest()


def test_a_classifier_without_features_has_sets() -> None:
    builder = reasons.Builder([])
    decision = builder.build(builder.leaf(True)).decide({})
    assert [dict(term) for term in decision.sufficient_reasons()] == [{}]
    assert decision.contrastive_sets().count() == 0


def two_of_five() -> reasons.TermSet:
    names = "abcde"
    pairs = [f"{x} & {y}" for i, x in enumerate(names) for y in names[i + 1 :]]
    return reasons.compile(" | ".join(pairs)).decide("a, b, c, d, e").sufficient_reasons()


def test_samples_are_uniform() -> None:
    terms, rng = two_of_five(), Random(20)
    drawn = Counter(terms.sample(rng) for _ in range(10_000))
    assert len(drawn) == terms.count() == 10
    statistic = sum((number - 1000) ** 2 / 1000 for number in drawn.values())
    assert statistic < 27.9  # the 0.999 quantile of chi-square with 9 degrees of freedom


def test_a_sample_depends_on_the_generator_alone() -> None:
    terms = two_of_five()
    runs = [[terms.sample(rng) for _ in range(20)] for rng in (Random(5), Random(5))]
    assert runs[0] == runs[1]
    assert terms.sample() in terms


def test_iteration_is_in_reading_order_whatever_the_order_of_the_diagram() -> None:
    builder = reasons.Builder(["a", "b", "c"])
    no, yes = builder.leaf(False), builder.leaf(True)
    lower = builder.decide("a", {True: yes, False: no})
    classifier = builder.build(builder.decide("c", {True: yes, False: lower}))
    terms = classifier.decide("a, b, c").sufficient_reasons()
    assert [str(term) for term in terms] == ["a", "c"]


def test_sets_about_different_instances_are_not_combined() -> None:
    classifier = reasons.compile("a & b | c")
    one, other = (classifier.decide(x).sufficient_reasons() for x in ("a, b, c", "a, b, ~c"))
    for combine in (one.__or__, one.__and__, one.__sub__):
        with pytest.raises(reasons.InputError, match="one instance"):
            combine(other)
        assert combine({"a": 1}) is NotImplemented
    assert one != other
    assert one != [{"c": True}]
    with pytest.raises(TypeError):
        hash(one)


def test_sets_of_two_classifiers_can_be_equal() -> None:
    one, other = (
        reasons.compile(text).decide("a, b, c").sufficient_reasons()
        for text in ("a & (b | c)", "a & c | (b & a)")
    )
    assert one == other
    assert one == pickle.loads(pickle.dumps(other))


def test_a_name_that_is_no_feature_is_an_error_that_names_it() -> None:
    terms = two_of_five()
    for query in (terms.containing, terms.without, lambda name: list(terms.cheapest({name: 1}))):
        with pytest.raises(reasons.UnknownFeature, match="nobody"):
            query("nobody")


def test_several_threads_ask_one_set_and_one_decision_at_once() -> None:
    text = " & ".join(f"(a{i} | b{i} | c{i})" for i in range(6))
    decision = reasons.compile(text).decide([1] * 18)
    shared = decision.sufficient_reasons()

    def asked(seed: int) -> list[object]:
        own = decision.sufficient_reasons() if seed % 2 else shared
        part = own.containing("a0").without("b1", "a5")
        return [
            own.count(),
            own.share(),
            own.sample(Random(1)),
            part.count(),
            own.sizes(),
            decision.contrastive_sets().count(),
            len({said(term) for term in own}),
            (part | own) == own,
        ]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(asked, range(24)))
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][0] == answers[0][6] == 3**6
    assert answers[0][3] == 3**3 * 2 * 2
    assert answers[0][5] == 6


def nodes(*rows: tuple[int, int, int]) -> bytes:
    return b"".join(number.to_bytes(4, "little") for row in rows for number in row)


def test_a_family_from_sound_nodes_is_taken() -> None:
    family = _core.Family.from_nodes(2, nodes((1, 0, 1), (0, 2, 1)), 3)
    assert int.from_bytes(family.count(), "little") == 2


HOSTILE = {
    "an input after its user": (2, nodes((0, 2, 1)), 2),
    "an input that does not exist": (2, nodes((0, 7, 1)), 2),
    "a high input that is empty": (2, nodes((0, 1, 0)), 2),
    "a variable that does not exist": (2, nodes((2, 0, 1)), 2),
    "a variable that stands for a terminal": (2, nodes((0xFFFFFFFF, 0, 1)), 2),
    "a variable twice on a path": (2, nodes((1, 0, 1), (1, 0, 2)), 3),
    "variables against the order, low": (2, nodes((0, 0, 1), (1, 2, 1)), 3),
    "variables against the order, high": (2, nodes((0, 0, 1), (1, 0, 2)), 3),
    "a root that does not exist": (2, nodes((0, 0, 1)), 3),
    "half a node at the end": (2, nodes((0, 0, 1)) + b"12345", 2),
    "half a node": (2, b"12345", 1),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_nodes_are_refused(what: str) -> None:
    with pytest.raises(reasons.InputError):
        _core.Family.from_nodes(*HOSTILE[what])


def test_share_is_one_or_zero_only_where_all_or_no_terms_mention_a_feature() -> None:
    wide = " | ".join(f"(x & p{i})" for i in range(60))
    many = " & ".join(f"(q{i} | r{i})" for i in range(60))
    classifier = reasons.compile(f"({many}) & (s | ({wide}) )")
    share = classifier.decide([1] * len(classifier.features)).sufficient_reasons().share()
    assert share["s"] == pytest.approx(float(Fraction(1, 61)))
    assert 0 < share["x"] < 1
    assert saying(share, 1.0) == set()
    assert saying(share, 0.5) >= {"q0", "r59"}

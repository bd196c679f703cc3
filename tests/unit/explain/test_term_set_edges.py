"""Sets of terms at their edges: empty ones, hostile ones, samples, errors, threads."""

import math
import pickle
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import reasons
from reasons import Feature, _core
from tests.support.term_sets import said, same, saying


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
    combinations: list[Callable[[Any], object]] = [one.__or__, one.__and__, one.__sub__]
    for combine in combinations:
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


@pytest.mark.parametrize("cost", [math.nan, "dear", None])
def test_a_cost_that_is_no_number_is_an_error(cost: Any) -> None:
    """With NaN the search even yields terms that are not in the set."""
    decision = reasons.compile("a & b | c").decide("a, b, c")
    with pytest.raises(reasons.InputError):
        list(decision.sufficient_reasons().cheapest({"a": cost}))
    with pytest.raises(reasons.InputError):
        decision.sufficient_reason(costs={"a": cost})
    with pytest.raises(reasons.InputError):
        decision.counterfactual(costs={"a": cost})


def test_sets_about_different_features_are_unequal() -> None:
    one = reasons.compile("a & b | c").decide("a, b, c").sufficient_reasons()
    other = reasons.compile("x & y | z").decide("x, y, z").sufficient_reasons()
    assert one != other


def test_small_costs_order_general_reasons_too() -> None:
    """What tells boxes of equal cost apart must not outweigh what the user says."""
    builder = reasons.Builder([Feature.categorical(name, "pqrs") for name in "AB"])
    no, yes = builder.leaf(False), builder.leaf(True)
    lower = builder.decide("B", {("p", "q", "r"): yes, "s": no})
    classifier = builder.build(builder.decide("A", {"p": yes, ("q", "r", "s"): lower}))
    terms = classifier.decide(["p", "p"]).sufficient_reasons(general=True)
    costs = {"A": 1e-7, "B": 5e-7}
    assert [set(term) for term in terms.cheapest(costs)] == [{"A"}, {"B"}]


@pytest.mark.parametrize("rows", [0, -1])
def test_batches_without_rows_are_an_error(rows: int) -> None:
    with pytest.raises(reasons.InputError):
        list(two_of_five().to_arrow(rows))

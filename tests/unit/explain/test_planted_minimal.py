"""Planted bugs in the making of minimal sets: the comparison with the oracle notices each.

The rules of core/zdd/minimal_models.cpp in a few lines of Python, right and broken, over a tiny
decision diagram of the complete reason. Planted right they pass, planted broken they are refused,
at the very query that they answer.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random

import pytest

import reasons
from tests.support import algorithm1
from tests.support.compare import compare
from tests.support.comparison import Mismatch
from tests.support.generators import instances_of, random_case
from tests.support.oracle import Instance
from tests.support.planted import Listed, tampered

Sets = frozenset[frozenset[int]]
Node = bool | tuple[int, "Node", "Node"]
"""A constant, or a feature, the function if it may change, and if it keeps its value."""
Rule = Callable[[int, Sets, Sets], Sets]
"""The minimal sets of a node from its feature and those of its low and high node."""

KINDS = ["graph", "tree", "tree with impossible instances", "Decision-DNNF"]
SEEDS = range(40)
NONE: Sets = frozenset()
EMPTY: Sets = frozenset({frozenset()})


def diagram(decision: reasons.Decision, kept: frozenset[int] = frozenset(), at: int = 0) -> Node:
    """The reduced diagram of "keeping these features forces the decision"."""
    features = decision.classifier.features
    if at == len(features):
        values = {features[f].name: decision.cells[features[f].name] for f in kept}
        return decision.is_sufficient(values)
    low, high = diagram(decision, kept, at + 1), diagram(decision, kept | {at}, at + 1)
    return low if low == high else (at, low, high)


def with_member(feature: int, sets: Sets) -> Sets:
    return frozenset(each | {feature} for each in sets)


def implicants(feature: int, low: Sets, high: Sets) -> Sets:
    """P(f) = P(f0) + x (P(f1) minus P(f0))."""
    return low | with_member(feature, high - low)


def implicates(feature: int, low: Sets, high: Sets) -> Sets:
    """Q(f) = Q(f1) + x (Q(f0) minus Q(f1))."""
    return high | with_member(feature, low - high)


def without_difference(feature: int, low: Sets, high: Sets) -> Sets:
    return low | with_member(feature, high)


def without_low(feature: int, low: Sets, high: Sets) -> Sets:
    return with_member(feature, high - low)


def without_member(feature: int, low: Sets, high: Sets) -> Sets:
    return low | high


def difference_the_other_way(feature: int, low: Sets, high: Sets) -> Sets:
    return (low - high) | with_member(feature, high)


def minimal(node: Node, rule: Rule, at_false: Sets, at_true: Sets) -> Sets:
    if isinstance(node, bool):
        return at_true if node else at_false
    feature, low, high = node
    return rule(feature, *(minimal(n, rule, at_false, at_true) for n in (low, high)))


Making = Callable[[reasons.Decision], Sets]


def primes(rule: Rule) -> Making:
    return lambda decision: minimal(diagram(decision), rule, NONE, EMPTY)


def duals(rule: Rule) -> Making:
    return lambda decision: minimal(diagram(decision), rule, EMPTY, NONE)


def listed(decision: reasons.Decision, sets: Sets) -> Listed:
    """The sets as terms of the instance, shortest first, as a TermSet would give them."""
    schema, cells = decision.classifier.circuit.schema, decision.instance.cells
    ordered = sorted(sets, key=lambda each: (len(each), sorted(each)))
    return Listed([reasons.Term(schema, {f: (cells[f],) for f in each}) for each in ordered])


def notices(kind: str, query: str, making: Making) -> Iterator[bool]:
    """Whether the comparison refuses the planted query, for some decisions of a kind."""

    def plant(decision: reasons.Decision, _: Instance) -> Mapping[str, object]:
        def answer(*, general: bool = False) -> object:
            if general:
                return decision.sufficient_reasons(general=True)
            return listed(decision, making(decision))

        return {query.replace(" ", "_"): answer}

    for seed in SEEDS:
        case = random_case(kind, seed)
        for instance in instances_of(case, Random(seed), most=2):
            try:
                planted = tampered(case.classifier, instance, plant)
                compare(planted, case.domains, case.table, instance)
            except Mismatch as mismatch:
                if not str(mismatch).startswith(query):
                    raise
                yield True
            else:
                yield False


RIGHT = {
    "sufficient reasons": primes(implicants),
    "contrastive sets": duals(implicates),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("query", RIGHT)
def test_the_right_rules_pass(kind: str, query: str) -> None:
    assert not any(notices(kind, query, RIGHT[query]))


BROKEN = {
    "the difference is forgotten": ("sufficient reasons", primes(without_difference)),
    "the sets without the feature are forgotten": ("sufficient reasons", primes(without_low)),
    "the feature is forgotten": ("sufficient reasons", primes(without_member)),
    "the difference is taken the other way": (
        "sufficient reasons",
        primes(difference_the_other_way),
    ),
    "implicants by the rule of implicates": ("sufficient reasons", primes(implicates)),
    "implicates by the rule of implicants": ("contrastive sets", duals(implicants)),
    "implicates with the constants of implicants": ("contrastive sets", primes(implicates)),
    "implicants for implicates": ("contrastive sets", primes(implicants)),
    "implicates without the difference": (
        "contrastive sets",
        duals(lambda feature, low, high: high | with_member(feature, low)),
    ),
}


@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_rule_is_noticed(kind: str, what: str) -> None:
    assert any(notices(kind, *BROKEN[what]))


def by_algorithm_1(decision: reasons.Decision) -> Sets:
    circuit, cells = decision.classifier.circuit, decision.instance.cells
    return frozenset(algorithm1.sufficient_reasons(circuit, cells, decision.label))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("broken", [False, True])
def test_algorithm_1_without_the_removal_of_subsumed_terms_is_noticed(
    kind: str, broken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if broken:
        monkeypatch.setattr(algorithm1, "remove_subsumed", lambda terms: terms)
    assert any(notices(kind, "sufficient reasons", by_algorithm_1)) == broken

"""Planted bugs: the comparison with the oracle must notice each, and nothing else.

Every plant replaces one answer of the package by that of a broken
re-implementation; the same re-implementation without the break must pass.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

import reasons
from tests.support.compare import compare, compare_classifier
from tests.support.comparison import Mismatch
from tests.support.generators import case_of, instances_of, random_spec
from tests.support.oracle import Instance, changed
from tests.support.paper import COVERED
from tests.support.planted import (
    Answer,
    BiasRule,
    Listed,
    Plant,
    Rule,
    Signature,
    Tampered,
    tampered,
)
from tests.support.specs import Case, Spec, Table, build, cell_of, features_for, table_of

SEEDS = range(60)


def drawn(kind: str) -> Iterable[tuple[Spec, Case, Instance]]:
    """Random classifiers of a kind with their specs, and some instances of each."""
    for seed in SEEDS:
        spec, domains, labels = random_spec(kind, seed)
        case = Case(build(spec, features_for(domains), labels), domains, table_of(spec, domains))
        for instance in instances_of(case, Random(seed), most=2):
            yield spec, case, instance


def notices(kind: str, plant: Callable[[Spec], Plant], query: str = "") -> int:
    """How many of the planted decisions the comparison refuses at the query."""
    found = 0
    for spec, case, instance in drawn(kind):
        classifier = tampered(case.classifier, instance, plant(spec))
        try:
            compare(classifier, case.domains, case.table, instance)
        except Mismatch as mismatch:
            found += str(mismatch).startswith(query)
    return found


def by_rule(**broken: bool) -> Callable[[Spec], Plant]:
    """The reason, or the general one, from the rule in plain Python."""
    name = "general_reason" if broken.get("general") else "reason"

    def planted(spec: Spec) -> Plant:
        def plant(decision: reasons.Decision, instance: Instance) -> Mapping[str, object]:
            rule = Rule(decision.label, instance, **broken)

            def evaluate(x: Mapping[str, object]) -> bool:
                cells = tuple(cell_of(f, x[f.name]) for f in features_of(decision))
                return rule.holds(spec, cells)

            return {name: Tampered(getattr(decision, name), evaluate=evaluate)}

        return plant

    return planted


def features_of(decision: reasons.Decision) -> Iterable[reasons.Feature]:
    return decision.classifier.features


def by_bias_rule(again: bool) -> Callable[[Spec], Plant]:
    def planted(spec: Spec) -> Plant:
        def plant(decision: reasons.Decision, instance: Instance) -> Mapping[str, object]:
            names = [feature.name for feature in features_of(decision)]

            def bias(protected: set[str]) -> Answer:
                chosen = frozenset(i for i, name in enumerate(names) if name in protected)
                rule = BiasRule(decision.label, instance, chosen, again)
                return Answer(not rule.sticks(spec), decision.bias(protected).witness)

            return {"bias": bias}

        return plant

    return planted


KINDS = ["graph", "tree", "tree with impossible instances", "Decision-DNNF"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("general", [False, True])
def test_the_rule_unbroken_passes(kind: str, general: bool) -> None:
    assert notices(kind, by_rule(general=general)) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_bias_rule_unbroken_passes(kind: str) -> None:
    assert notices(kind, by_bias_rule(again=True)) == 0


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ("graph", {"consensus": False}),
        ("tree", {"consensus": False}),
        ("Decision-DNNF", {"consensus": False}),
        ("Decision-DNNF", {"dual": False}),
        ("tree", {"general": True, "off_path": False}),
    ],
)
def test_a_broken_reason_rule_is_noticed(kind: str, broken: dict[str, bool]) -> None:
    assert notices(kind, by_rule(**broken)) > 0


def test_a_bias_query_that_ignores_second_tests_is_noticed() -> None:
    assert notices("tree", by_bias_rule(again=False)) > 0


@pytest.mark.parametrize(("divided", "expected"), [(True, False), (False, True)])
def test_classifier_bias_without_dividing_by_the_possible_weight(
    divided: bool, expected: bool
) -> None:
    """The weight of an arm must be divided by that of the values still possible."""
    found = 0
    for spec, case, _ in drawn("tree"):
        planted: Any = Tampered(case.classifier, bias=by_signature(spec, case, divided))
        try:
            compare_classifier(planted, case.domains, case.table)
        except Mismatch:
            found += 1
    assert bool(found) == expected


def by_signature(spec: Spec, case: Case, divided: bool) -> Callable[..., object]:
    signature = Signature(case.domains, divided=divided)
    names = [feature.name for feature in case.classifier.features]

    def bias(protected: set[str], *, exact: bool = False) -> object:
        real = case.classifier.bias(protected, exact=exact)
        chosen = frozenset(i for i, name in enumerate(names) if name in protected)
        return real if exact else Answer(signature.is_biased(spec, chosen), real.witness)

    return bias


def wrong_necessary(decision: reasons.Decision, instance: Instance) -> Mapping[str, object]:
    """Takes the next value of a feature for all its values, as if it were Boolean."""
    kept = {}
    for f, feature in enumerate(features_of(decision)):
        if len(feature.values) == 1:
            continue
        after = changed(instance, {f: (instance[f] + 1) % len(feature.values)})
        other = feature.values[after[f]]
        if decision.replace({feature.name: other}).label != decision.label:
            kept[feature.name] = frozenset({instance[f]})
    return {"necessary_property": Tampered(decision.necessary_property, cells=lambda: kept)}


def hidden_test(decision: reasons.Decision, _: Instance) -> Mapping[str, object]:
    """The test for classifier bias that the paper's authors mark as wrong."""
    features = list(features_of(decision))

    def shows(protected: set[str]) -> bool:
        rest = {feature.name for feature in features} - protected
        star = decision.reason.exists(rest)
        chosen = [feature for feature in features if feature.name in protected]
        return any(
            len({star.condition({f.name: v}).is_valid() for v in f.values}) > 1 for f in chosen
        )

    return {"shows_classifier_bias": shows}


def witness_is_the_instance(decision: reasons.Decision, _: Instance) -> Mapping[str, object]:
    def bias(protected: set[str]) -> Answer:
        biased = bool(decision.bias(protected))
        return Answer(biased, dict(decision.instance) if biased else None)

    return {"bias": bias}


def lacking(name: str, lost: int = 1, **options: bool) -> Plant:
    """A query for terms that loses some of the last."""

    def plant(decision: reasons.Decision, _: Instance) -> Mapping[str, object]:
        real = getattr(decision, name)

        def query(**given: bool) -> object:
            terms = list(real(**given))
            return Listed(terms[: len(terms) - lost]) if given == options else real(**given)

        return {name: query}

    return plant


PLANTS: Mapping[str, tuple[str, Plant]] = {
    "necessary as if Boolean": ("necessary property", wrong_necessary),
    "hidden classifier bias test": ("shows classifier bias", hidden_test),
    "witness without a change": ("it has another label", witness_is_the_instance),
    "a sufficient reason lost": ("sufficient reasons", lacking("sufficient_reasons")),
    "a general one lost": (
        "general sufficient reasons",
        lacking("sufficient_reasons", general=True),
    ),
    "a contrastive set lost": ("contrastive sets", lacking("contrastive_sets")),
    "because means sufficient": ("because", lambda d, _: {"because": d.is_sufficient}),
    "simple for general": ("general reason", lambda d, _: {"general_reason": d.reason}),
    "general for simple": ("reason", lambda d, _: {"reason": d.general_reason}),
    "no necessary reason where it is empty": (
        "necessary reason",
        lambda d, _: {"necessary_reason": d.necessary_reason or None},
    ),
    "even if means because": (
        "even if",
        lambda d, _: {
            "even_if_because": lambda change, term: d.replace(change) and d.because(term)
        },
    ),
    "preference is ignored": (
        "reason preferring",
        lambda d, _: {"sufficient_reason": lambda prefer=(): d.sufficient_reason()},
    ),
    "relevant means in the domain": (
        "relevant features",
        lambda d, _: {"relevant_features": lambda: [f.name for f in features_of(d)]},
    ),
    "any sufficient reason shows relevance": (
        "is_relevant",
        lambda d, _: {"is_relevant": lambda name: d.sufficient_reason()},
    ),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_wrong_answer_is_noticed(name: str) -> None:
    query, plant = PLANTS[name]
    found = [notices(kind, lambda _: plant, query) for kind in KINDS[:2]]
    assert any(found)


def _same_plant(plant: Plant, _: Spec) -> Plant:
    return plant


def test_the_same_terms_in_a_list_pass() -> None:
    """Control: it is the lost term that is noticed, not the list."""
    for plant in (lacking("sufficient_reasons", lost=0), lacking("contrastive_sets", lost=0)):
        assert notices("graph", partial(_same_plant, plant)) == 0


CLASSIFIER_PLANTS: Mapping[str, Callable[[reasons.Classifier], Mapping[str, object]]] = {
    "count": lambda real: {"count": lambda label: real.count(label) + 1},
    "primes": lambda real: {
        "prime_implicants": lambda label: Listed(list(real.prime_implicants(label))[1:])
    },
    "predict": lambda real: {"predict": lambda rows: [*real.predict(rows)][::-1]},
    "never biased": lambda _: {"bias": lambda names, **_: Answer(False, None)},
}


@pytest.mark.parametrize("name", CLASSIFIER_PLANTS)
def test_a_wrong_answer_about_the_classifier_is_noticed(name: str) -> None:
    case = case_of((2, 2), {(0, 0): False, (0, 1): True, (1, 0): False, (1, 1): True})
    compare_classifier(*case)
    planted: Any = Tampered(case.classifier, **CLASSIFIER_PLANTS[name](case.classifier))
    with pytest.raises(Mismatch):
        compare_classifier(planted, case.domains, case.table)


def test_reasons_from_a_cover_are_noticed() -> None:
    """Section 8 of the paper: the prime implicant X, Y is redundant in a cover."""
    table: Table = {(x, y, z): bool(x if z else y) for x, y, z in product((0, 1), repeat=3)}
    cover = [{"X": True, "Z": True}, {"Y": True, "Z": False}]

    def plant(decision: reasons.Decision, _: Instance) -> Mapping[str, object]:
        real = decision.sufficient_reasons()
        found = Listed([term for term in real if dict(term) in cover])
        return {"sufficient_reasons": lambda general=False: found}

    with pytest.raises(Mismatch, match="sufficient reasons"):
        compare(tampered(COVERED, (1, 1, 1), plant), (2, 2, 2), table, (1, 1, 1))

"""Relevance of one feature: each way against brute force, and published answers."""

import csv
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import reasons
from reasons.budget import Budget
from reasons.explain import relevance
from reasons.explain.relevance_sat import CriticalSets
from reasons.search.relevance import Relevance
from tests.support.comparison import Subject
from tests.support.folders import SHARED
from tests.support.generators import KINDS as GENERATED
from tests.support.generators import random_case
from tests.support.oracle import relevant_features, sufficient_reasons

pytest.importorskip("pysat")
KINDS = tuple(GENERATED)
RELEVANCY = SHARED / "relevancy"


def decisions(kind: str, seed: int) -> Iterator[tuple[reasons.Decision, Any, Any]]:
    case = random_case(kind, seed)
    subject = Subject(case.classifier, case.domains, case.table)
    instances = Random(seed).sample(subject.function.allowed, min(3, len(subject.function.allowed)))
    for instance in instances:
        yield case.classifier.decide(subject.user_instance(instance)), subject.function, instance


def by_sat(d: reasons.Decision, feature: int) -> frozenset[int] | None:
    known = Relevance(d.classifier.backend, d.instance.cells, d._label, Budget())
    with CriticalSets(d.reason, Budget()) as critical:
        return relevance._critical_reason(known, critical, feature)


def by_counterexamples(d: reasons.Decision, feature: int) -> frozenset[int] | None:
    known = Relevance(d.classifier.backend, d.instance.cells, d._label, Budget())
    return known._by_counterexamples(feature, None)


@pytest.mark.parametrize("way", [by_sat, by_counterexamples])
@pytest.mark.parametrize("kind", KINDS)
def test_each_way_equals_brute_force(kind: str, way: Any) -> None:
    for seed in range(12):
        for decision, function, instance in decisions(kind, seed):
            wanted = relevant_features(function, instance)
            every = {frozenset(f for f, _ in r) for r in sufficient_reasons(function, instance)}
            for feature in function.features:
                found = way(decision, feature)
                assert (found is not None) == (feature in wanted), (seed, instance, feature)
                assert found is None or (feature in found and found in every)


def test_features_asked_one_by_one_equal_brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relevance, "_DIAGRAM_NODES", 1)
    monkeypatch.setattr(relevance, "MOST_LEAVES", 0)
    for kind in KINDS:
        for seed in range(6):
            for decision, function, instance in decisions(kind, seed):
                wanted = {function_name(decision, f) for f in relevant_features(function, instance)}
                assert decision.relevant_features() == wanted, (kind, seed, instance)


def function_name(decision: reasons.Decision, feature: int) -> str:
    return decision.classifier.features[feature].name


@pytest.mark.skipif(not RELEVANCY.exists(), reason="needs the shared data")
def test_published_answers_of_an_sdd() -> None:
    classifier = reasons.load(RELEVANCY / "nltcs.sdd")
    rows = list(csv.reader((RELEVANCY / "nltcs.instances.csv").read_text().splitlines()))
    lines = (RELEVANCY / "nltcs.answers.tsv").read_text().splitlines()
    answers = list(csv.DictReader(lines, delimiter="\t"))
    for row, answer in list(zip(rows, answers, strict=True))[:8]:
        name = classifier.features[int(answer["feature"])].name
        decision = classifier.decide([int(value) for value in row if value])
        found = decision.is_relevant(name, budget=Budget(seconds=60))
        assert (found is not None) == (answer["relevant"] == "Yes")
        assert found is None or (name in found and decision.is_sufficient(found))


def test_a_spent_budget_raises() -> None:
    decision = reasons.compile("a & b | c").decide("a, b, ~c")
    with pytest.raises(reasons.BudgetExceeded):
        decision.is_relevant("c", budget=Budget(seconds=1e-9))

"""Witnesses of bias are plain: few changes, seen values; compared with the whole table."""

from collections.abc import Iterator
from random import Random

import pytest

import reasons
from reasons.explain import bias
from reasons.features.values import MISSING, OTHER
from tests.support.generators import random_table
from tests.support.oracle import IMPOSSIBLE, Instance
from tests.support.specs import Table, build, ordered_graph

FEATURES = [
    reasons.Feature.categorical("a", ["x", "y"], other=True, missing=True),
    reasons.Feature.numeric("b", [10], missing=True),
    reasons.Feature.categorical("c", ["x"], other=True),
    reasons.Feature.boolean("d"),
]
DOMAINS = [len(feature.values) for feature in FEATURES]
LABELS = ("no", "yes")


def cases(impossible: float, rounds: int) -> Iterator[tuple[reasons.Classifier, Table, list[int]]]:
    rng = Random(f"witness {impossible}")
    for number in range(rounds):
        table = random_table(rng, DOMAINS, LABELS, impossible)
        order = rng.sample(range(4), 4)
        classifier = build(ordered_graph(DOMAINS, table, order), FEATURES, LABELS)
        yield classifier, table, sorted(rng.sample(range(4), 1 + number % 4))


def is_strange(feature: int, cell: int) -> bool:
    return FEATURES[feature].values[cell] in (OTHER, MISSING)


def changed(one: Instance, other: Instance) -> list[int]:
    return [f for f in range(4) if one[f] != other[f]]


def put(cells: Instance, feature: int, cell: int) -> Instance:
    return (*cells[:feature], cell, *cells[feature + 1 :])


def apart(table: Table, one: Instance, other: Instance) -> bool:
    labels = {table[one], table[other]}
    return len(labels) == 2 and IMPOSSIBLE not in labels


def flips(table: Table, one: Instance, protected: list[int]) -> list[Instance]:
    """The instances that differ in one protected feature and are decided otherwise."""
    single = [put(one, f, c) for f in protected for c in range(DOMAINS[f])]
    return [other for other in single if apart(table, one, other)]


def strange_in(one: Instance, other: Instance) -> bool:
    return any(is_strange(f, other[f]) for f in changed(one, other))


@pytest.mark.parametrize("impossible", [0.0, 0.3])
def test_a_decisions_witness_changes_no_more_than_it_must_and_to_seen_values_if_it_can(
    impossible: float,
) -> None:
    several = strange = 0
    for classifier, table, protected in cases(impossible, 60):
        for one in (x for x, label in table.items() if label is not IMPOSSIBLE):
            found = classifier.decide(reasons.Instance.of_cells(classifier.schema, one)).bias(
                [FEATURES[f].name for f in protected]
            )
            if not found:
                continue
            other = found.witness.cells
            own, single = changed(one, other), flips(table, one, protected)
            assert apart(table, one, other)
            assert set(own) <= set(protected)
            if len(own) > 1:
                assert not any(apart(table, one, put(other, f, one[f])) for f in own)
            assert (len(own) == 1) == bool(single)
            if len(own) == 1:
                assert strange_in(one, other) == all(strange_in(one, x) for x in single)
            several, strange = several + (len(own) > 1), strange + strange_in(one, other)
    assert several > 5
    assert strange > 5


@pytest.mark.parametrize("impossible", [0.0, 0.3])
def test_a_classifiers_pair_differs_in_one_feature_and_in_seen_values_if_these_serve(
    impossible: float,
) -> None:
    sizes = []
    for classifier, table, protected in cases(impossible, 400):
        found = classifier.bias([FEATURES[f].name for f in protected])
        if not found:
            continue
        one, other = (instance.cells for instance in found.witness)
        own = changed(one, other)
        assert apart(table, one, other)
        assert set(own) <= set(protected)
        sizes.append(len(own))
        for f in own if len(own) > 1 else ():
            assert not apart(table, one, put(other, f, one[f]))
            assert not apart(table, put(one, f, other[f]), other)
        for f in own:
            seen = [cell for cell in range(DOMAINS[f]) if not is_strange(f, cell)]
            if is_strange(f, other[f]):
                assert not any(apart(table, one, put(other, f, cell)) for cell in seen)
            if is_strange(f, one[f]):
                assert not any(apart(table, put(one, f, cell), other) for cell in seen)
        for f in (f for f in range(4) if one[f] == other[f] and is_strange(f, one[f])):
            seen = [cell for cell in range(DOMAINS[f]) if not is_strange(f, cell)]
            assert not any(apart(table, put(one, f, c), put(other, f, c)) for c in seen)
    assert set(sizes) == {1} if not impossible else max(sizes) <= 4
    assert len(sizes) > 50


def test_very_many_protected_features_are_narrowed_to_one() -> None:
    names = [f"p{i}" for i in range(300)]
    classifier = reasons.compile(" & ".join(names) + " | ~" + " & ~".join(names))
    one, other = classifier.bias(names).witness
    assert sum(one[name] != other[name] for name in names) == 1
    decided = classifier.decide([1] * 300).bias(names)
    assert sum(not decided.witness[name] for name in names) == 1


def test_a_witness_that_is_none_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bias, "plain_change", lambda schema, decide, pair, alone: pair[0])
    monkeypatch.setattr(bias, "plain_pair", lambda schema, decide, pair: (pair[0], pair[0]))
    classifier = reasons.compile("a & b")
    for ask in (classifier.bias, classifier.decide([1, 1]).bias):
        with pytest.raises(reasons.PropertyError, match="a witness failed its check"):
            ask(["a"])


def test_classifier_bias_is_not_inferred_where_instances_are_impossible() -> None:
    """Theorem 5 needs every instance: here A alone never changes a decision."""
    classifier = reasons.compile("A", constraint="A <-> B", features=["A", "B"])
    assert not classifier.bias({"A"})
    assert not classifier.decide("A, B").shows_classifier_bias({"A"})

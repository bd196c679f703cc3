"""Whether two classifiers decide alike: every way to answer, against their truth tables."""

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

import reasons
from reasons.counting import identity_test
from tests.support.generators import (
    BOOLEAN,
    COLOURS,
    KINDS,
    grown,
    random_case,
    random_spec,
    random_table,
)
from tests.support.oracle import IMPOSSIBLE, Label
from tests.support.specs import Table, build, features_for, ordered_graph, table_of

Built = tuple[reasons.Classifier, Table]


def label_of(classifier: reasons.Classifier, witness: reasons.Instance) -> Label:
    try:
        label: Label = classifier.decide(dict(witness)).label
        return label
    except reasons.InputError:
        return reasons.IMPOSSIBLE


def agrees(one: Built, other: Built, exact: bool) -> bool:
    """Whether the verdict is what the tables say, with a witness that proves it."""
    verdict = one[0].equivalent(other[0], exact=exact)
    assert bool(verdict) == (one[1] == other[1])
    if exact or not verdict:
        assert verdict.proof == "exact"
    if verdict:
        assert verdict.witness is None
    else:
        assert verdict.witness is not None
        labels = (label_of(one[0], verdict.witness), label_of(other[0], verdict.witness))
        assert labels == verdict.labels
        assert labels[0] != labels[1]
    return verdict.equal


def shuffled(table: Table, domains: Sequence[int], labels: Sequence[Label], rng: Random) -> Built:
    """An ordered graph of a table in another order, its features in another order too."""
    order = rng.sample(range(len(domains)), len(domains))
    places = rng.sample(range(len(domains)), len(domains))
    features = features_for(domains)
    moved = {tuple(x[f] for f in places): label for x, label in table.items()}
    spec = ordered_graph([domains[f] for f in places], moved, order)
    return build(spec, [features[f] for f in places], rng.sample(labels, len(labels))), table


def slightly_changed(table: Table, labels: Sequence[Label], rng: Random) -> Table:
    x = rng.choice(sorted(table))
    return {
        **table,
        x: rng.choice([label for label in labels if label != table[x]] or [IMPOSSIBLE]),
    }


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_equal_and_nearly_equal_functions(kind: str, exact: bool) -> None:
    seen = []
    for seed in range(80):
        rng = Random(seed)
        spec, domains, labels = random_spec(kind, seed)
        table = table_of(spec, domains)
        one = build(spec, features_for(domains), labels), table
        for other in (table, slightly_changed(table, [*labels, IMPOSSIBLE], rng)):
            seen.append(agrees(one, shuffled(other, domains, labels, rng), exact))
            seen.append(agrees(shuffled(other, domains, labels, rng), one, exact))
    assert True in seen
    assert False in seen


@pytest.mark.parametrize("exact", [False, True])
def test_two_decision_dnnfs(exact: bool) -> None:
    equal_ones = 0
    for seed in range(300):
        rng = Random(seed)
        domains = (2,) * rng.randrange(1, 4)
        built: list[Built] = []
        for _ in range(2):
            spec = grown(rng, domains, (False, True, True), depth=4, splits=0.5)
            built.append((build(spec, features_for(domains), BOOLEAN), table_of(spec, domains)))
        equal_ones += agrees(built[0], built[1], exact)
    assert 5 < equal_ones < 295


@pytest.mark.parametrize("labels", [BOOLEAN, COLOURS])
def test_ordered_alike_is_settled_exactly(labels: Sequence[Label]) -> None:
    for seed in range(60):
        rng = Random(seed)
        domains = (2, 3, 2)
        tables = [random_table(rng, domains, labels, impossible=0.2)]
        tables.append(slightly_changed(tables[0], labels, rng))
        graphs = [
            build(ordered_graph(domains, table, range(3)), features_for(domains), labels)
            for table in tables
        ]
        for one, other in product(range(2), repeat=2):
            agrees((graphs[one], tables[one]), (graphs[other], tables[other]), False)
            assert graphs[one].equivalent(graphs[other]).proof == "exact"


def unordered() -> reasons.Classifier:
    cases = (random_case("Decision-DNNF", seed) for seed in range(100))
    return next(c.classifier for c in cases if c.classifier.circuit.native.has_conjunctions)


def test_an_unlucky_point_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference that no instance shows is drawn again; here every second one is false."""
    honest = identity_test.RandomPoint.differ
    calls: list[None] = []

    def sometimes_wrong(self: identity_test.RandomPoint, pair: identity_test.CircuitPair) -> bool:
        calls.append(None)
        return bool(len(calls) % 2) or honest(self, pair)

    def anything(point: identity_test.RandomPoint, pair: object) -> list[int]:
        return [0] * len(point.weights)

    monkeypatch.setattr(identity_test.RandomPoint, "differ", sometimes_wrong)
    monkeypatch.setattr(identity_test, "_witness", anything)
    clf = unordered()
    assert clf.equivalent(clf)
    assert len(calls) > 2


def test_what_differs_is_said() -> None:
    clf = reasons.compile("a & b")
    with pytest.raises(reasons.InputError, match="'b' is only in the first, 'c' is"):
        clf.equivalent(reasons.compile("a & c"))
    build_ = reasons.Builder(["a", reasons.Feature.categorical("b", ["x", "y"])])
    with pytest.raises(reasons.InputError, match="feature 'b' has different domains"):
        clf.equivalent(build_.build(build_.leaf(True)))
    build_ = reasons.Builder(["a", "b"], ["no", "yes"])
    with pytest.raises(reasons.InputError, match="different labels"):
        clf.equivalent(build_.build(build_.leaf("no")))
    with pytest.raises(reasons.InputError, match="got str"):
        clf.equivalent("a & b")  # type: ignore[arg-type]


def test_a_budget_of_time_stops_the_search() -> None:
    clf = unordered()
    with pytest.raises(reasons.BudgetExceeded):
        clf.equivalent(clf, budget=reasons.Budget(seconds=1e-9))

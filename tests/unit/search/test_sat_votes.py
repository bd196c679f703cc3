"""Hard votes by SAT, beside brute force over all instances and branch and bound."""

from itertools import product
from random import Random
from typing import Any

import pytest

import reasons
from reasons import Budget, _core
from reasons.search.sat_votes import SatVotes, sat_votes
from reasons.search.vote_clauses import RivalClauses

pytest.importorskip("sklearn")
pytest.importorskip("pysat")

import numpy
from sklearn.ensemble import VotingClassifier
from sklearn.tree import DecisionTreeClassifier


def voted(seed: int) -> tuple[Any, Any]:
    """A vote of small trees over few whole numbers, with weights now and then."""
    rng = numpy.random.default_rng(seed)
    labels = 2 + seed % 2
    rows = rng.integers(0, 4, (80, 4)).astype(float)
    said = (rows @ rng.integers(-2, 3, 4) + rng.integers(0, 2, 80)).astype(int) % labels
    trees = [
        (str(i), DecisionTreeClassifier(max_depth=3, max_features=2, random_state=seed + i))
        for i in range(3 + seed % 4)
    ]
    weights = None if seed % 3 else [1 + i % 3 for i in range(len(trees))]
    return VotingClassifier(trees, voting="hard", weights=weights).fit(rows, said), rows


def searched(seed: int) -> tuple[reasons.Classifier, SatVotes, list[list[int]]]:
    model, _ = voted(seed)
    given = "x0 > 0 | x1 > 1" if seed % 4 == 0 else None
    classifier = reasons.compile(model, method="search", constraint=given)
    backend: Any = classifier.backend
    votes = sat_votes(backend.native, backend.ensemble)
    assert votes is not None
    cells = [list(each) for each in product(*(range(d) for d in backend.domains))]
    return classifier, votes, cells


def others(backend: Any, cells: list[list[int]], label: int) -> list[list[int]]:
    """The allowed instances with another label, by deciding all."""
    return [x for x in cells if backend.decide(x) not in (label, _core.IMPOSSIBLE)]


def by_deletion(x: list[int], flips: list[list[int]], order: list[int]) -> list[int]:
    """What dropping features one by one leaves, by looking at all instances."""
    kept = set(order)
    for feature in order:
        rest = kept - {feature}
        if not any(all(y[f] == x[f] for f in rest) for y in flips):
            kept = rest
    return sorted(kept)


def check_reasons(seed: int) -> None:
    rng = Random(seed)
    classifier, votes, cells = searched(seed)
    backend: Any = classifier.backend
    allowed = [x for x in cells if backend.decide(x) != _core.IMPOSSIBLE]
    for x in rng.sample(allowed, 4):
        label = backend.decide(x)
        flips = others(backend, cells, label)
        order = rng.sample(range(len(x)), len(x))
        assert votes.sufficient_reason(x, label, order, Budget(seconds=60)) == by_deletion(
            x, flips, order
        )


def check_all_reasons() -> None:
    for seed in range(12):
        check_reasons(seed)


@pytest.mark.parametrize("seed", range(12))
def test_reasons_are_those_of_deletion_over_all_instances(seed: int) -> None:
    check_reasons(seed)


@pytest.mark.parametrize("seed", range(6))
def test_decisions_are_those_of_predict(seed: int) -> None:
    model, rows = voted(seed)
    classifier = reasons.compile(model, method="search")
    assert [classifier.decide(row).label for row in rows] == model.predict(rows).tolist()


@pytest.mark.parametrize("seed", range(12))
def test_counterexamples_in_boxes_are_found_exactly_where_there_are_some(seed: int) -> None:
    rng = Random(seed)
    classifier, votes, cells = searched(seed)
    backend: Any = classifier.backend
    for x in rng.sample(cells, 6):
        label = rng.randrange(len(backend.labels))
        limits = {
            f: rng.sample(range(d), rng.randint(1, d))
            for f, d in enumerate(backend.domains)
            if rng.random() < 0.7
        }
        inside = [
            y
            for y in others(backend, cells, label)
            if all(y[f] in allowed for f, allowed in limits.items())
        ]
        found = votes.counterexample(x, label, limits, Budget(seconds=60))
        assert found in inside if inside else found is None


def test_a_planted_limit_that_is_one_vote_off_is_noticed(monkeypatch: Any) -> None:
    right = RivalClauses._limit

    def wrong(self: RivalClauses, losses: Any, most: int) -> None:
        right(self, losses, most - 1)

    monkeypatch.setattr(RivalClauses, "_limit", wrong)
    with pytest.raises(AssertionError):
        check_all_reasons()


def test_a_model_of_fractions_is_no_vote() -> None:
    from sklearn.ensemble import GradientBoostingClassifier

    _, rows = voted(1)
    model = GradientBoostingClassifier(n_estimators=3).fit(rows, rows[:, 0] > 1)
    backend: Any = reasons.compile(model, method="search").backend
    assert sat_votes(backend.native, backend.ensemble) is None


def test_a_limit_of_time_is_no_answer() -> None:
    classifier, votes, cells = searched(1)
    x = cells[0]
    spent = Budget(seconds=1e-9)
    with pytest.raises(reasons.BudgetExceeded):
        votes.sufficient_reason(x, classifier.backend.decide(x), range(len(x)), spent)

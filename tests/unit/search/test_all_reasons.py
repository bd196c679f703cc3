"""All reasons and contrastive sets of searched models, beside brute force over all instances."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

import reasons
from reasons.search.marco import Enumeration

pytest.importorskip("sklearn")

from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

Sets = set[frozenset[int]]
Instance = tuple[int, ...]


def brute_force(
    instance: Instance, decide: Callable[[Instance], Any], instances: Sequence[Instance]
) -> tuple[Sets, Sets]:
    """The minimal sets that force the label, and those whose change can change it."""
    label = decide(instance)
    changed = {
        frozenset(f for f, (a, b) in enumerate(zip(instance, other, strict=True)) if a != b)
        for other in instances
        if decide(other) != label
    }
    features = range(len(instance))
    subsets = [frozenset(s) for n in range(len(instance) + 1) for s in combinations(features, n)]
    sufficient = [s for s in subsets if all(s & each for each in changed)]
    return _minimal(sufficient), _minimal(list(changed))


def _minimal(sets: Sequence[frozenset[int]]) -> Sets:
    return {s for s in sets if not any(other < s for other in sets)}


def cases() -> Iterator[tuple[int, int, bool, type]]:
    for seed in range(6):
        for labels in (2, 3):
            for guarded in (False, True):
                yield (
                    seed,
                    labels,
                    guarded,
                    (RandomForestClassifier, GradientBoostingClassifier)[seed % 2],
                )


def trained(seed: int, labels: int, kind: type) -> tuple[Any, int]:
    """A model of whole numbers 0 to 2 in each column."""
    rng = Random(seed)
    width = 4 + seed % 3
    rows = [[rng.randrange(3) for _ in range(width)] for _ in range(90)]
    y = [(row[0] * row[1] + row[2] - row[-1] + rng.randrange(2)) % labels for row in rows]
    return kind(n_estimators=7, max_depth=3, random_state=seed).fit(rows, y), width


@pytest.mark.parametrize(("seed", "labels", "guarded", "kind"), list(cases()))
def test_both_families_equal_brute_force(seed: int, labels: int, guarded: bool, kind: type) -> None:
    model, width = trained(seed, labels, kind)
    every = list(product(range(3), repeat=width))
    label_of = dict(zip(every, model.predict([list(map(float, i)) for i in every]), strict=True))
    names = [f"x{f}" for f in range(width)]
    constraint = "not (x0 > 1.5 and x1 > 1.5)" if guarded else None
    classifier = reasons.compile(
        model, names=names, method="search", missing=False, constraint=constraint
    )
    possible = [i for i in every if not (guarded and i[0] > 1 and i[1] > 1)]
    for instance in Random(seed).sample(possible, 4):
        decision = classifier.decide(dict(zip(names, map(float, instance), strict=True)))
        found = [
            {frozenset(names.index(name) for name in term) for term in sets}
            for sets in (decision.sufficient_reasons(), decision.contrastive_sets())
        ]
        assert found == list(brute_force(instance, label_of.__getitem__, possible))


def booster() -> tuple[Any, Any]:
    """A searched model of fourteen numbers with dozens of reasons, and a decision."""
    rng = Random(3)
    rows = [[rng.randrange(6) for _ in range(14)] for _ in range(300)]
    y = [int(sum(row[f] * (-1) ** f for f in range(14)) > 0) for row in rows]
    model = GradientBoostingClassifier(n_estimators=40, max_depth=3, random_state=3).fit(rows, y)
    classifier = reasons.compile(model, method="search", missing=False)
    return classifier, classifier.decide([float(x) for x in rows[0]])


def test_both_families_equal_those_of_marco() -> None:
    pytest.importorskip("pysat")
    classifier, decision = booster()
    cells = decision.instance.cells
    backend = classifier.backend
    marco = Enumeration(backend, cells, backend.decide(cells), reasons.Budget(seconds=600))
    assert set(marco.sufficient_reasons()) == set(
        backend.enumerate_sufficient_reasons(cells, backend.decide(cells))
    )
    assert set(marco.contrastive_sets()) == set(
        backend.enumerate_contrastive_sets(cells, backend.decide(cells))
    )


def test_the_order_is_the_same_for_one_two_and_four_threads() -> None:
    _, decision = booster()
    lists = []
    for threads in (1, 2, 4):
        budget = reasons.Budget(seconds=600, threads=threads)
        lists.append([str(term) for term in decision.each_sufficient_reason(budget=budget)])
    assert lists[0] == lists[1] == lists[2]
    assert len(lists[0]) == len(set(lists[0])) > 30


def test_a_limit_says_how_many_were_found() -> None:
    _, decision = booster()
    with pytest.raises(reasons.BudgetExceeded, match="contrastive sets found") as caught:
        decision.sufficient_reasons(budget=reasons.Budget(nodes=20))
    assert 0 < sum(caught.value.spent[f"{what} found"] for what in WHATS) <= 21


WHATS = ("sufficient reasons", "contrastive sets")

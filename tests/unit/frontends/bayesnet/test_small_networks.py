"""Classifiers of small networks, against the joint distribution added up in fractions."""

from pathlib import Path
from random import Random

import pytest

from reasons.frontends.bayesnet import compiler
from tests.support.bayesnet.questions import Asked, require_table
from tests.support.compare import compare, compare_classifier
from tests.support.oracle import IMPOSSIBLE

SEEDS = range(40)


@pytest.mark.parametrize("seed", range(200))
def test_every_instance_of_a_small_network_has_the_label_of_the_joint(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked(seed, most_features=6)
    monkeypatch.setattr(compiler, "SAMPLE", 10)
    require_table(asked, asked.load(tmp_path))


@pytest.mark.parametrize("seed", SEEDS)
def test_all_answers_about_a_small_network_equal_brute_force(seed: int, tmp_path: Path) -> None:
    asked = Asked(seed, most_features=3)
    table, classifier = asked.table(), asked.load(tmp_path)
    if all(label is IMPOSSIBLE for label in table.values()):
        pytest.skip("nothing is possible")
    compare_classifier(classifier, asked.domains, table)
    rng = Random(seed)
    possible = [x for x, label in table.items() if label is not IMPOSSIBLE]
    for instance in rng.sample(possible, min(3, len(possible))):
        compare(classifier, asked.domains, table, instance)


@pytest.mark.parametrize("seed", range(200))
def test_without_looking_at_all_every_instance_is_decided_as_the_joint_does(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked(seed, most_features=6)
    monkeypatch.setattr(compiler, "SAMPLE", 10)
    monkeypatch.setattr(compiler, "MOST_CELLS", 0)
    monkeypatch.setattr(compiler, "_FEW_CELLS", 0)
    require_table(asked, asked.load(tmp_path))


def test_the_random_questions_meet_what_they_should() -> None:
    asked = [Asked(seed, most_features=6) for seed in range(200)]
    tables = [each.table() for each in asked]
    met = {
        "ties": sum(each.has_tie() for each in asked),
        "impossible": sum(IMPOSSIBLE in table.values() for table in tables),
        "both labels": sum(len(set(table.values()) - {IMPOSSIBLE}) > 1 for table in tables),
        "a feature below the target": sum(
            any(each.target in each.net.parents[f] for f in each.features) for each in asked
        ),
        "a feature that is no leaf": sum(
            not set(each.features).isdisjoint(p for ps in each.net.parents for p in ps)
            for each in asked
        ),
    }
    assert min(met.values()) > 30, met

"""Classifiers of small networks, against the joint distribution added up in fractions."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import reasons
from reasons.frontends.bayesnet import compiler
from tests.support.bayesnet.small_networks import Net, bif, random_net, table_of
from tests.support.compare import compare, compare_classifier
from tests.support.comparison import Mismatch
from tests.support.oracle import IMPOSSIBLE

SEEDS = range(40)


class Asked:
    """A random question to a random network: target and features anywhere, any rule."""

    def __init__(self, seed: int, most_features: int = 4) -> None:
        rng = Random(seed)
        self.net: Net = random_net(rng, rng.randrange(3, 8), hard=rng.choice([0, 0.1, 0.4]))
        nodes = list(range(len(self.net.names)))
        rng.shuffle(nodes)
        self.target = nodes.pop()
        self.features = nodes[: rng.randrange(1, min(len(nodes), most_features) + 1)]
        self.state = rng.randrange(len(self.net.states[self.target]))
        self.threshold = self._threshold(rng)

    def _threshold(self, rng: Random) -> Fraction | None:
        """None, a round number, or a posterior that some instance has exactly."""
        kind = rng.randrange(4)
        if kind == 0:
            return None
        if kind == 1:
            return rng.choice([Fraction(1, 2), Fraction(3, 10), Fraction(1), Fraction(9, 10)])
        found = self.net.likelihoods(self.target, self.features).values()
        hit = [row[self.state] / sum(row) for row in found if sum(row) and row[self.state]]
        return rng.choice(hit) if hit else Fraction(1, 2)

    def has_tie(self) -> bool:
        rows = self.net.likelihoods(self.target, self.features).values()
        threshold = self.threshold
        if threshold is None:
            return any(sum(row) and row.count(max(row)) > 1 for row in rows)
        return any(sum(row) and row[self.state] == threshold * sum(row) for row in rows)

    def options(self) -> dict[str, object]:
        names, told = self.net.names, self.threshold is not None
        return {
            "target": names[self.target],
            "features": [names[f] for f in self.features],
            "threshold": self.threshold,
            "state": self.net.states[self.target][self.state] if told else None,
        }

    def table(self) -> dict[tuple[int, ...], object]:
        return table_of(self.net, self.target, self.features, self.threshold, self.state)

    @property
    def domains(self) -> Sequence[int]:
        return [len(self.net.states[f]) for f in self.features]

    def load(self, folder: Path) -> reasons.Classifier:
        path = folder / "net.bif"
        path.write_text(bif(self.net))
        return reasons.load(path, **self.options())


def require_table(asked: Asked, classifier: reasons.Classifier) -> None:
    """Every instance has the label of the table, or is impossible in both."""
    for cells, wanted in asked.table().items():
        found = classifier.backend.decide(cells)
        got = IMPOSSIBLE if found == reasons._core.IMPOSSIBLE else classifier.labels[found]
        if got != wanted:
            raise Mismatch(f"{cells}: {got} instead of {wanted}")


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

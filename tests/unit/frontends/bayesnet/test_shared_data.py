"""Networks that others made: stored decisions and posteriors, and those of pyagrum."""

import json
import math
from itertools import product
from pathlib import Path
from random import Random

import pytest

import reasons
from tests.support.bayesnet.shared_data import DATA, NEAR, Posteriors, cells_of, needs_data

pytestmark = needs_data

NAIVE = sorted(path.stem for path in (DATA / "naive" / "cnbc").glob("*.txt"))
CONFIGS = (
    {each["name"]: each for each in json.loads((DATA / "bnc" / "all_configs.json").read_text())}
    if DATA.is_dir()
    else {}
)
TARGETS = {
    "alarm": "LVFAILURE",
    "asia": "smoke",
    "cancer": "Cancer",
    "earthquake": "Alarm",
    "insurance": "Age",
    "sachs": "PKC",
    "survey": "A",
    "water": "C_NI_12_00",
    "win95pts": "PrtMem",
}


def path_of(name: str) -> Path:
    config = CONFIGS[name]
    return DATA / "bnc" / str(config["input_filepath"]) / f"{name}.{config['filetype']}"


def load(name: str) -> reasons.Classifier:
    config = CONFIGS[name]
    return reasons.load(path_of(name), target=config["root"], threshold=config["threshold"])


def test_there_are_thirteen_naive_classifiers_and_six_networks() -> None:
    assert (len(NAIVE), len(CONFIGS)) == (13, 6)


@pytest.mark.parametrize("format", ["cnbc", "xlc"])
@pytest.mark.parametrize("name", NAIVE)
def test_every_stored_decision_of_a_naive_classifier_is_reproduced(name: str, format: str) -> None:
    lines = (DATA / "naive" / "cinst" / f"{name}.txt").read_text().splitlines()
    rows = [[int(word) for word in line.split()] for line in lines]
    budget = reasons.Budget(seconds=2)  # two are searched anyway
    classifier = reasons.load(DATA / "naive" / format / f"{name}.txt", format=format, budget=budget)
    assert [row[0] for row in rows] == [len(classifier.features)] * len(rows)
    found = classifier.predict([row[1:-1] for row in rows])
    assert found.tolist() == [row[-1] for row in rows]


@pytest.mark.parametrize("name", ["admission", "nb", "child"])
def test_every_stored_posterior_is_decided_as_it_says(name: str) -> None:
    config, classifier = CONFIGS[name], load(name)
    head, *lines = (DATA / "posteriors" / f"{name}.tsv").read_text().splitlines()
    assert list(classifier.schema.names) == head.split("\t")[:-1]
    assert len(lines) == math.prod(len(feature.values) for feature in classifier.features)
    for line in lines:
        *states, posterior = line.split("\t")
        cells = cells_of(classifier, path_of(name), [int(state) for state in states])
        assert abs(float(posterior) - config["threshold"]) > NEAR
        assert classifier.backend.decide(cells) == (float(posterior) >= config["threshold"])


def require_posteriors(name: str, instances: int | None, seed: int = 0) -> None:
    """Compare with pyagrum on every instance, or on some: drawn alike, and from the network."""
    config, path, classifier = CONFIGS[name], path_of(name), load(name)
    target = config["root"].removeprefix("x") if path.suffix == ".uai" else config["root"]
    posteriors = Posteriors(path, target, classifier.schema.names)
    sizes = [len(feature.values) for feature in classifier.features]
    every = list(product(*map(range, sizes))) if instances is None else []
    rng = Random(seed)
    for _ in range((instances or 0) // 2):
        every.append(tuple(rng.randrange(size) for size in sizes))
        every.append(tuple(posteriors.world(rng)))
    near = 0
    for states in every:
        chance = posteriors(states)[0]
        near += abs(chance - config["threshold"]) < NEAR
        if abs(chance - config["threshold"]) >= NEAR:
            label = classifier.backend.decide(cells_of(classifier, path, states))
            assert label == (chance >= config["threshold"]), (states, chance)
    assert near <= len(every) / 1000


@pytest.mark.parametrize("name", ["admission", "nb", "child", "cpcs54", "win95pts", "andes"])
def test_networks_are_decided_as_pyagrum_s_posteriors_say_on_a_sample(name: str) -> None:
    require_posteriors(name, 200)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["admission", "nb", "child", "cpcs54", "win95pts"])
def test_networks_are_decided_as_pyagrum_s_posteriors_say_on_every_instance(name: str) -> None:
    require_posteriors(name, None)


@pytest.mark.slow
def test_andes_is_decided_as_pyagrum_s_posteriors_say_on_ten_thousand_instances() -> None:
    require_posteriors("andes", 10_000)


@pytest.mark.parametrize("name", TARGETS)
def test_the_most_probable_state_is_pyagrum_s_on_networks_of_the_bnlearn_repository(
    name: str,
) -> None:
    require_most_probable(name, TARGETS[name], 8 if name == "water" else 40)


@pytest.mark.slow
def test_hailfinder_with_its_sixty_million_instances_is_decided_as_pyagrum_says() -> None:
    require_most_probable("hailfinder", "PlainsFcst", 400)


def require_most_probable(name: str, target: str, instances: int) -> None:
    path = DATA / "bif" / f"{name}.bif"
    classifier = reasons.load(path, target=target)
    posteriors = Posteriors(path, target, classifier.schema.names)
    rng = Random(name)
    for _ in range(instances):
        states = posteriors.world(rng)
        first, second, *_ = sorted((chance := posteriors(states)), reverse=True)
        if first - second > NEAR:
            label = classifier.backend.decide(cells_of(classifier, path, states))
            assert label == chance.index(first), (states, chance)


@pytest.mark.parametrize("name", ["hepar2", "munin1", "pigs"])
def test_networks_that_are_too_large_are_refused_at_once(name: str) -> None:
    network = {"hepar2": "Cirrhosis", "munin1": "R_APB_NMT", "pigs": "p630388590"}
    with pytest.raises(reasons.BudgetExceeded, match="fewer features"):
        reasons.load(DATA / "bif" / f"{name}.bif", target=network[name])


def test_child_bif_is_refused_where_it_breaks_the_grammar() -> None:
    with pytest.raises(reasons.ParseError, match="in quotes") as error:
        reasons.load(DATA / "bif" / "child.bif", target="Disease")
    assert (error.value.line, error.value.column) == (16, 69)

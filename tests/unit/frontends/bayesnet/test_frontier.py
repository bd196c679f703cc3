"""Networks compiled by messages over a frontier: every instance as the complete way decides it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reasons
from reasons.frontends.bayesnet import compiler
from reasons.frontends.bayesnet.d_separation import blocks_of
from reasons.frontends.bayesnet.exact import Exact
from reasons.frontends.bayesnet.frontier import bounds, cache
from reasons.frontends.bayesnet.frontier import search as frontier
from reasons.frontends.bayesnet.network import Draft, Network, network_of
from reasons.frontends.bayesnet.query import query_of
from reasons.frontends.bayesnet.readers import read_network
from tests.support.bayesnet.questions import Asked, require_table
from tests.support.bayesnet.shared_data import DATA, needs_data
from tests.support.bayesnet.small_networks import bif, random_net
from tests.support.comparison import Mismatch

Patch = pytest.MonkeyPatch


@contextmanager
def forced() -> Iterator[None]:
    """Whatever the size, neither all instances nor sums of blocks are looked at."""
    with Patch.context() as patch:
        patch.setattr(compiler, "MOST_CELLS", 0)
        patch.setattr(compiler, "is_additive", lambda *_: False)
        patch.setattr(compiler, "_compare", lambda *_: None)
        yield


def is_refused(asked: Asked) -> bool:
    return asked.threshold is None and len(asked.net.states[asked.target]) != 2


def require_same(network: Network, options: dict[str, Any]) -> str:
    """Both ways decide every instance alike; says what the frontier took."""
    complete = compiler.compile_network(network, **options)
    with forced():
        found = compiler.compile_network(network, **options)
    for cells in product(*(range(len(feature.values)) for feature in found.schema)):
        if found.backend.decide(cells) != complete.backend.decide(cells):
            raise Mismatch(f"{options}: {cells}")
    return found.notes[1]


def larger(seed: int, folder: Path) -> tuple[Network, dict[str, Any]]:
    """A random network with hidden nodes and about ten features; half of the thresholds are hit."""
    rng = Random(seed)
    net = random_net(rng, rng.randrange(12, 16), most=2, hard=rng.choice([0, 0, 0.2]))
    path = folder / "net.bif"
    path.write_text(bif(net))
    network = read_network("bif", path)
    names = list(net.names)
    rng.shuffle(names)
    target = names.pop()
    options: dict[str, Any] = {"target": target, "features": names[: rng.randrange(6, 9)]}
    options["threshold"] = rng.choice([Fraction(1, 2), Fraction(1, 5), 1])
    if seed % 2:
        options["threshold"] = hit(network, options, rng)
    return network, options


def require_all_same(folder: Path) -> None:
    for seed in range(40):
        require_same(*larger(seed, folder))


def hit(network: Network, options: dict[str, Any], rng: Random) -> Fraction:
    """A posterior that some instance has exactly."""
    query = query_of(network, state=None, **options)
    exact = Exact(query, blocks_of(query))
    for _ in range(50):
        states = [rng.randrange(len(network.nodes[node].states)) for node in query.features]
        posterior = exact.posterior(states)
        if posterior is not None and posterior[0] > 0:
            return posterior[0]
    return Fraction(1, 2)


def chain(length: int, states: int, seed: int, like: bool = False) -> Network:
    """A hidden chain, each node of which is seen in one feature; `like` makes all links equal."""
    rng, drafts = Random(seed), []

    def rows(given: int, count: int) -> list[float]:
        found = []
        for _ in range(given):
            tenths = sorted(rng.sample(range(1, 20), count - 1))
            cuts = zip([0, *tenths], [*tenths, 20], strict=True)
            found += [(high - low) / 20 for low, high in cuts]
        return found

    link, seen = rows(states, states), rows(states, 2)
    for at in range(length):
        names = [f"s{state}" for state in range(states)]
        before = [f"h{at - 1}"] if at else []
        table = (link if like else rows(states, states)) if at else [1 / states] * states
        drafts.append(Draft(f"h{at}", names, before, table))
        drafts.append(Draft(f"o{at}", ["no", "yes"], [f"h{at}"], seen if like else rows(states, 2)))
    return network_of(drafts, "a chain")


@pytest.mark.parametrize("seed", range(150))
def test_every_instance_has_the_label_of_the_joint(seed: int, tmp_path: Path) -> None:
    asked = Asked(seed, most_features=6)
    with forced():
        if is_refused(asked):
            with pytest.raises(reasons.BudgetExceeded, match="fewer features may fit"):
                asked.load(tmp_path)
            return
        require_table(asked, asked.load(tmp_path))


@pytest.mark.parametrize("seed", range(40))
def test_larger_networks_are_decided_as_by_looking_at_every_instance(
    seed: int, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(compiler, "_compare", lambda *_: None)
    require_same(*larger(seed, tmp_path))


@pytest.mark.parametrize("threshold", [0.5, 0.55, 0.6, Fraction(1, 3), 1])
@pytest.mark.parametrize("target", ["h0", "h5", "h10"])
@pytest.mark.parametrize("like", [False, True])
def test_chains_are_decided_as_by_looking_at_every_instance(
    threshold: Any, target: str, like: bool, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(compiler, "_compare", lambda *_: None)
    for states in (2, 3):
        network = chain(11, states, seed=states, like=like)
        require_same(network, {"target": target, "threshold": threshold})


def test_the_networks_meet_ties_and_every_way_to_end(tmp_path: Path, monkeypatch: Patch) -> None:
    met = dict.fromkeys(["certain", "known", "same", "settled", "impossible"], 0)
    monkeypatch.setattr(compiler, "_compare", lambda *_: None)
    certain, find, exactly = (
        frontier._Search._certain,
        cache.NodeCache.find,
        frontier._Search._known,
    )

    def count(name: str, wanted: bool) -> None:
        met[name] += wanted

    def counted(search: Any, *told: Any) -> Any:
        found = certain(search, *told)
        count("certain", found is not None)
        return found

    def counted_find(kept: Any, *told: Any) -> Any:
        found = find(kept, *told)
        count("known", found[0] is not None)
        return found

    def counted_known(search: Any, *told: Any) -> Any:
        before = met["known"]
        found = exactly(search, *told)
        count("same", found is not None and met["known"] == before)
        return found

    monkeypatch.setattr(frontier._Search, "_certain", counted)
    monkeypatch.setattr(cache.NodeCache, "find", counted_find)
    monkeypatch.setattr(frontier._Search, "_known", counted_known)
    for seed in range(40):
        network, options = larger(seed, tmp_path)
        with forced():
            found = compiler.compile_network(network, **options)
        count("settled", ", 0 close" not in found.notes[1])
        count("impossible", found.circuit.has_impossible)
    assert min(met.values()) > 5, met


def a_margin_forgotten(patch: Patch) -> None:
    within = frontier._Search._within

    def wider(search: Any, odds: float) -> Any:
        found = within(search, odds)
        return cache.CachedNode(found.node, found.rise + 0.5, found.fall + 0.5)

    patch.setattr(frontier._Search, "_within", wider)


def bounds_too_small(patch: Patch) -> None:
    bound = bounds._bound
    patch.setattr(bounds, "_bound", lambda *told: bound(*told) * 0.8)


def ties_are_missed(patch: Patch) -> None:
    patch.setattr(frontier._Search, "_whole", lambda search, at: (0,) * (1 << 10))


def impossible_is_forgotten(patch: Patch) -> None:
    made = bounds.rests

    def never(*told: Any) -> Any:
        found = made(*told)
        for rest in found:
            rest.never_ruled_out[:] = True
        return found

    patch.setattr(frontier, "rests", never)


@pytest.mark.parametrize(
    "plant", [a_margin_forgotten, bounds_too_small, ties_are_missed, impossible_is_forgotten]
)
def test_a_planted_bug_is_seen(
    plant: Callable[[Patch], None], tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(compiler, "_compare", lambda *_: None)
    plant(monkeypatch)
    with pytest.raises(Mismatch):
        require_all_same(tmp_path)


def test_a_long_chain_is_compiled_and_agrees_with_the_library() -> None:
    found = compiler.compile_network(chain(40, 3, seed=4), target="h39", threshold=0.5)
    assert "states" in found.notes[1]
    assert "agree" in str(reasons.check(found, sample=200))


def test_too_many_states_are_refused_with_advice(monkeypatch: Patch) -> None:
    monkeypatch.setattr(frontier, "MOST_STATES", 3)
    with (
        forced(),
        pytest.raises(
            reasons.BudgetExceeded, match=r"fewer features or another threshold may fit.*states"
        ),
    ):
        compiler.compile_network(chain(11, 3, seed=3), target="h5", threshold=0.4)


@pytest.mark.parametrize("power", [30, 400, 100_000])
def test_a_threshold_of_many_digits_is_compared_exactly(power: int) -> None:
    network = network_of(
        [
            Draft("c", ["yes", "no"], [], [0.5, 0.5]),
            Draft("f", ["yes", "no"], ["c"], [0.75, 0.25, 0.25, 0.75]),
        ],
        "near",
    )
    near = Fraction(1, 10**power)
    for threshold, reached in [(Fraction(3, 4) - near, True), (Fraction(3, 4) + near, False)]:
        with forced():
            found = compiler.compile_network(network, target="c", threshold=threshold)
        assert found.labels[found.backend.decide([0])] is reached


def test_a_target_of_a_single_state_is_certain() -> None:
    drafts = [
        Draft("c", ["only"], [], [1.0]),
        Draft("f", ["yes", "no"], ["c"], [1.0, 0.0]),
    ]
    with forced():
        found = compiler.compile_network(network_of(drafts, "one"), target="c", threshold=0.5)
    assert found.labels[found.backend.decide([0])] is True
    assert found.circuit.has_impossible


def test_seconds_end_it() -> None:
    budget = reasons.Budget(seconds=1e-6)
    with forced(), pytest.raises(reasons.BudgetExceeded, match="seconds"):
        compiler.compile_network(chain(11, 3, seed=3), target="h5", threshold=0.4, budget=budget)


def test_probabilities_too_far_apart_for_floats_are_refused() -> None:
    rare = [1.0, 1e-80, 1e-80, 1.0]
    drafts = [Draft("c", ["no", "yes"], [], [0.5, 0.5])]
    drafts += [Draft(f"f{at}", ["no", "yes"], ["c"], rare) for at in range(6)]
    with forced(), pytest.raises(reasons.UnsupportedModel, match="floats"):
        compiler.compile_network(network_of(drafts, "far"), target="c", threshold=0.5)


@needs_data
def test_genes_of_a_pedigree_are_compiled_though_instances_are_billions() -> None:
    network = read_network("bif", DATA / "bif" / "pigs.bif")
    names = [node.name for node in network.nodes if node.name != "p50095388"]
    features = Random(11).sample(names, 25)
    found = compiler.compile_network(network, target="p50095388", features=features, threshold=0.5)
    assert "states" in found.notes[1]
    assert "agree" in str(reasons.check(found, sample=300))


@needs_data
def test_a_large_network_that_never_decides_otherwise_is_one_leaf() -> None:
    found = reasons.load(DATA / "bif" / "hepar2.bif", target="carcinoma", threshold=0.9)
    assert len(found.circuit) == 1

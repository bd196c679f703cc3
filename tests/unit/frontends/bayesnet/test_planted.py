"""Bugs planted in the compiler of networks: the comparison with the joint must see each."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest

import reasons
from reasons import _core
from reasons.frontends.bayesnet import additive, compiler, d_separation, exact, exhaustive
from reasons.frontends.bayesnet.integer_logs import log_ratio
from reasons.frontends.bayesnet.network import Node
from reasons.frontends.bayesnet.query import Query
from tests.support.bayesnet.questions import Asked, require_table
from tests.support.comparison import Mismatch

SEEDS = range(120)
Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def _no_second_opinion(monkeypatch: Patch) -> None:
    """pyagrum would see most of it first, and takes its time."""
    monkeypatch.setattr(compiler, "_compare", lambda *_: None)


def seen(folder: Path, sums: bool = False) -> bool:
    """Whether a random query is answered wrongly, or not at all."""
    for seed in SEEDS:
        asked = Asked(seed, most_features=6)
        if sums and len(asked.net.states[asked.target]) > 2 and asked.threshold is not None:
            continue
        try:
            require_table(asked, asked.load(folder))
        except (Mismatch, reasons.ReasonsError):
            return True
    return False


def strictly_above(patch: Patch) -> None:
    def label_of(query: Query, likelihoods: Sequence[int]) -> int:
        total = sum(likelihoods)
        if not total:
            return _core.IMPOSSIBLE
        if query.threshold is None:
            return likelihoods.index(max(likelihoods))
        return int(likelihoods[query.state] > total * query.threshold)

    patch.setattr(exact, "label_of", label_of)


def nothing_is_close(patch: Patch) -> None:
    patch.setattr(exhaustive.Cells, "_settle", lambda *_: None)


def the_last_of_several(patch: Patch) -> None:
    def label_of(query: Query, likelihoods: Sequence[int]) -> int:
        if query.threshold is None and any(likelihoods):
            return len(likelihoods) - 1 - likelihoods[::-1].index(max(likelihoods))
        return right(query, likelihoods)

    right = exact.label_of
    patch.setattr(exact, "label_of", label_of)


def blocks_without_the_target_do_not_matter(patch: Patch) -> None:
    patch.setattr(d_separation, "_has_zeros", lambda *_: False)


def parents_are_taken_backwards(patch: Patch) -> None:
    def normal(node: Node) -> Any:
        places = range(len(node.parents))
        if len({node.table.shape[p] for p in places}) == 1:
            return node.table.transpose([*reversed(places), len(places)])
        return node.table

    patch.setattr(Node, "normal", property(normal))


def rows_are_not_sums(patch: Patch) -> None:
    patch.setattr(numpy, "delete", lambda product, state, axis: product)


def no_guards(patch: Patch) -> None:
    patch.setattr(additive, "guards_of", lambda *_: [])


def zero_is_a_little(patch: Patch) -> None:
    patch.setattr(additive, "log_ratio", lambda a, b: log_ratio(max(a, 1), max(b, 1)))


def always_sums(patch: Patch) -> None:
    patch.setattr(compiler, "MOST_CELLS", 0)
    patch.setattr(compiler, "_FEW_CELLS", 0)


@pytest.mark.parametrize(
    "plant",
    [
        strictly_above,
        nothing_is_close,
        the_last_of_several,
        blocks_without_the_target_do_not_matter,
        parents_are_taken_backwards,
        rows_are_not_sums,
    ],
)
def test_a_bug_in_looking_at_all_instances_is_seen(
    plant: Callable[[Patch], None], tmp_path: Path, monkeypatch: Patch
) -> None:
    plant(monkeypatch)
    assert seen(tmp_path)


@pytest.mark.parametrize("plant", [strictly_above, no_guards, zero_is_a_little])
def test_a_bug_in_sums_of_blocks_is_seen(
    plant: Callable[[Patch], None], tmp_path: Path, monkeypatch: Patch
) -> None:
    always_sums(monkeypatch)
    plant(monkeypatch)
    assert seen(tmp_path, sums=True)


def test_without_a_bug_nothing_is_seen(tmp_path: Path, monkeypatch: Patch) -> None:
    assert not seen(tmp_path)
    always_sums(monkeypatch)
    assert not seen(tmp_path, sums=True)

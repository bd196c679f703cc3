"""Sifting: another order of the features, the same function, never more nodes."""

from itertools import product
from math import prod
from random import Random

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reasons
from reasons import _core
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.features.schema import Schema
from tests.support.compare import compare_some
from tests.support.generators import random_table
from tests.support.oracle import IMPOSSIBLE
from tests.support.specs import Case, Table, features_for

NO_LIMIT = native_budget(None)


def graph_of(sizes: list[int], labels: int, values: numpy.ndarray) -> _core.Circuit:
    order = list(range(len(sizes)))
    return _core.from_values(sizes, labels, order, values.astype(numpy.uint32), NO_LIMIT)


def circuit_of(native: _core.Circuit) -> Circuit:
    schema = Schema([f"x{i}" for i in range(len(native.domains))])
    return Circuit(native, schema, (False, True))


def all_labels(circuit: _core.Circuit, sizes: list[int]) -> list[int]:
    cells = numpy.array(list(product(*map(range, sizes))), numpy.uint16)
    return list(circuit.decide_all(cells.ravel(), len(cells)))


@settings(deadline=None, max_examples=150)
@given(st.lists(st.integers(1, 5), max_size=5), st.integers(1, 4), st.integers(0, 1 << 30))
def test_every_decision_stays_and_the_graph_does_not_grow(
    sizes: list[int], labels: int, seed: int
) -> None:
    rng = numpy.random.default_rng(seed)
    values = rng.integers(0, labels + 1, prod(sizes))
    values[values == labels] = _core.IMPOSSIBLE
    before = graph_of(sizes, labels, values)
    after = _core.sift(before, NO_LIMIT)
    assert all_labels(after, sizes) == values.tolist() == all_labels(before, sizes)
    assert len(after) <= len(before)
    assert after.is_ordered
    assert after.violation(NO_LIMIT) is None


def test_two_runs_are_the_same_to_the_byte() -> None:
    values = numpy.random.default_rng(1).integers(0, 3, 3**6)
    once, twice = (_core.sift(graph_of([3] * 6, 3, values), NO_LIMIT) for _ in range(2))
    assert once.to_arrays() == twice.to_arrays()


@pytest.mark.parametrize("seed", range(6))
def test_answers_about_a_sifted_classifier_are_right(seed: int) -> None:
    rng = Random(seed)
    sizes = (2, 3, 2, 2)
    table = random_table(rng, sizes, ("red", "green", "blue"), impossible=0.2)
    found = ("red", "green", "blue")
    values = [_core.IMPOSSIBLE if y is IMPOSSIBLE else found.index(y) for y in table.values()]
    native = _core.sift(graph_of(list(sizes), 3, numpy.array(values)), NO_LIMIT)
    classifier = Classifier(Circuit(native, Schema(features_for(sizes)), found))
    compare_some(Case(classifier, sizes, table), rng, most=2)


def pairs_apart(pairs: int) -> _core.Circuit:
    """(a1 & b1) | (a2 & b2) | ... with every a above every b."""
    bits = numpy.indices((2,) * (2 * pairs)).reshape(2 * pairs, -1)
    values = numpy.asarray((bits[:pairs] & bits[pairs:]).any(axis=0))
    return graph_of([2] * (2 * pairs), 2, values)


def test_pairs_that_stand_apart_come_together() -> None:
    assert len(pairs_apart(9)) > 1_000
    assert len(_core.sift(pairs_apart(9), NO_LIMIT)) == 20


def test_a_truth_table_in_a_bad_order_becomes_a_small_graph() -> None:
    names = ["a1", "a2", "a3", "b1", "b2", "b3"]
    rows = [dict(zip(names, x, strict=True)) for x in product((0, 1), repeat=6)]
    for row in rows:
        row["y"] = any(row[f"a{i}"] and row[f"b{i}"] for i in (1, 2, 3))
    assert len(reasons.from_table(rows).circuit) == 8


def test_what_is_not_ordered_is_refused() -> None:
    tests = reasons.Builder(["a", "b"])
    both = tests.all_of(
        [tests.decide(n, {1: tests.leaf(True), 0: tests.leaf(False)}) for n in "ab"]
    )
    with pytest.raises(reasons.PropertyError, match="one order"):
        _core.sift(tests.build(both).circuit.native, NO_LIMIT)


def test_limits_are_heeded_by_the_core_and_leave_the_graph_as_it_is() -> None:
    graph = pairs_apart(9)
    for limit in (reasons.Budget(nodes=100), reasons.Budget(bytes=1_000)):
        with pytest.raises(reasons.BudgetExceeded):
            _core.sift(graph, native_budget(limit))
        circuit = circuit_of(graph)
        assert circuit.sifted(limit) is circuit


def test_a_listener_is_told_and_may_stop_it() -> None:
    def stop(stage: str, done: int, total: int | None) -> None:
        assert "order" in stage
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        circuit_of(pairs_apart(9)).sifted(reasons.Budget(progress=stop))


def test_a_sifter_that_exchanges_labels_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison with brute force can fail."""
    right = _core.sift

    def wrong(circuit: _core.Circuit, budget: _core.Budget) -> _core.Circuit:
        return _core.renumber(right(circuit, budget), [1, 0], [0, 1])

    rows = [{"a": a, "b": b, "y": a and not b} for a in (0, 1) for b in (0, 1)]
    table: Table = {(row["a"], row["b"]): bool(row["y"]) for row in rows}
    compare_some(Case(reasons.from_table(rows), (2, 2), table), Random(0))
    monkeypatch.setattr(_core, "sift", wrong)
    with pytest.raises(AssertionError):
        compare_some(Case(reasons.from_table(rows), (2, 2), table), Random(0))

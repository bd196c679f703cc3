"""Long chains, budgets, Ctrl-C and several threads.

Times here are generous bounds against what is not linear or does not stop, not measurements.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

import reasons
from reasons import Budget, BudgetExceeded, _core
from reasons.circuits.circuit import Circuit
from reasons.features.schema import Schema
from tests.support.comparison import Subject
from tests.support.ctrl_c import require_ctrl_c_ends
from tests.support.generators import KINDS, random_case


def chain(length: int) -> reasons.Classifier:
    """The conjunction of many features as a chain of tests, through the bulk way in."""
    numbers = numpy.arange(length, dtype=numpy.uint32)
    high = numpy.concatenate([[1], numbers[:-1] + 2]).astype(numpy.uint32)
    low = numpy.zeros(length, dtype=numpy.uint32)
    budget = _core.Budget(None, None, None)
    native = _core.from_diagram(length, numbers, low, high, length + 1, budget)
    schema = Schema(f"x{i}" for i in range(length))
    return reasons.Classifier(Circuit(native, schema, (False, True)))


def ask_everything(length: int, folder: Path) -> None:
    clf = chain(length)
    assert len(clf.circuit) == length + 2
    d = clf.decide([1] * length)
    assert d.label is True
    assert d.reason.is_satisfiable()
    assert not d.reason.is_valid()
    assert d.reason.implies({"x0": True, f"x{length - 1}": True})
    assert d.reason.negate().is_satisfiable()
    assert str(d.reason).endswith("...")
    assert len(repr(d)) > length
    assert d.general_reason.is_satisfiable()
    assert len(d.necessary_property) == length
    assert len(d.necessary_reason or ()) == length
    assert len(d.sufficient_reason()) == length
    assert d.sufficient_reasons().count() == 1
    assert d.contrastive_sets().count() == length
    assert d.bias("x0").witness["x0"] is False
    assert not d.replace({"x5": 0}).bias("x0")
    one, other = clf.bias("x0").witness
    assert one["x0"] != other["x0"]
    clf.save(folder / "chain.reasons")
    again = reasons.load(folder / "chain.reasons")
    assert len(again.circuit) == length + 2
    assert again.decide([0] * length).label is False
    assert list(again.predict([[1] * length])) == [True]
    with pytest.raises(BudgetExceeded):
        clf.svg()


def test_a_chain_of_50_000_nodes_answers_every_question(tmp_path: Path) -> None:
    start = time.monotonic()
    ask_everything(50_000, tmp_path)
    assert time.monotonic() - start < 60


@pytest.mark.slow
def test_a_chain_of_a_million_nodes_answers_every_question(tmp_path: Path) -> None:
    start = time.monotonic()
    ask_everything(1_000_000, tmp_path)
    assert time.monotonic() - start < 300


def test_a_chain_is_counted() -> None:
    assert chain(2_000).count(True) == 1
    assert chain(2_000).count(False) == 2**2_000 - 1


@pytest.mark.slow
def test_a_long_chain_is_counted() -> None:
    start = time.monotonic()
    assert chain(100_000).count(True) == 1
    assert time.monotonic() - start < 120


def test_a_long_conjunction_is_compiled_in_linear_time() -> None:
    start = time.monotonic()
    clf = reasons.compile(" & ".join(f"x{i}" for i in range(30_000)))
    assert len(clf.circuit) == 30_002
    assert time.monotonic() - start < 60


def test_a_name_that_occurs_twice_among_many_is_found_in_linear_time() -> None:
    start = time.monotonic()
    with pytest.raises(reasons.InputError, match="'x'"):
        reasons.Builder([*(f"x{i}" for i in range(20_000)), "x", "x"])
    assert time.monotonic() - start < 60


def tangled(pairs: int) -> str:
    """Disjoint conjunctions with their partners far apart in the written order."""
    return " | ".join(f"(a{i} & b{i * 17 % pairs})" for i in range(pairs))


def test_a_budget_of_nodes_stops_a_compilation() -> None:
    for text in (" ^ ".join(f"x{i}" for i in range(50)), tangled(23)):
        with pytest.raises(BudgetExceeded) as caught:
            reasons.compile(text, budget=Budget(nodes=20))
        assert caught.value.stage
        assert caught.value.spent
        assert "budget exceeded" in str(caught.value)


def test_a_budget_of_seconds_stops_a_compilation() -> None:
    rng = Random(7)
    clauses = (
        " | ".join(f"{rng.choice(['', '~'])}v{rng.randrange(120)}" for _ in range(3))
        for _ in range(400)
    )
    start = time.monotonic()
    with pytest.raises(BudgetExceeded):
        reasons.compile(" & ".join(f"({c})" for c in clauses), budget=Budget(seconds=0.5))
    assert time.monotonic() - start < 60


def test_a_builder_that_ran_out_still_builds_what_it_has() -> None:
    build = reasons.Builder([f"x{i}" for i in range(100)], budget=Budget(nodes=52))
    no, node = build.leaf(False), build.leaf(True)
    for i in range(50):
        node = build.decide(f"x{i}", {True: node, False: no})
    with pytest.raises(BudgetExceeded):
        build.decide("x50", {True: node, False: no})
    assert build.build(node).count(True) == 2**50


def test_a_decision_whose_budget_ran_out_can_be_asked_again() -> None:
    clf = reasons.compile(" & ".join(f"(a{i} | b{i})" for i in range(12)))
    d = clf.decide([1] * 24)
    for ask in (d.sufficient_reasons, d.contrastive_sets, d.sufficient_reason):
        spent = Budget(seconds=1e-9)
        with pytest.raises(BudgetExceeded):
            ask(budget=spent)
    with pytest.raises(BudgetExceeded):
        clf.prime_implicants(True, budget=Budget(seconds=1e-9))
    with pytest.raises(BudgetExceeded):
        clf.circuit.check(Budget(seconds=1e-9))
    assert d.sufficient_reasons().count() == 2**12
    assert d.contrastive_sets().count() == 12
    clf.circuit.check()


def test_the_checker_keeps_its_memory() -> None:
    with pytest.raises(BudgetExceeded) as caught:
        chain(50_000).circuit.check(Budget(bytes=1_000_000))
    assert "bytes" in caught.value.spent


def test_progress_is_told() -> None:
    told: list[tuple[str, int]] = []
    budget = Budget(progress=lambda stage, done, total: told.append((stage, done)))
    chain(20_000).circuit.check(budget)
    assert told
    assert all(stage and done >= 0 for stage, done in told)


WORK = {
    "checking": "clf = chain(60_000); ready()\nwhile True: clf.circuit.check()",
    "a table": """
values = numpy.random.default_rng(1).integers(0, 2, 1 << 24).astype(numpy.uint32)
ready()
while True:
    _core.from_values([2] * 24, 2, list(range(24)), values, _core.Budget(None, None, None))
""",
    "one reason": """
clf = reasons.compile(" | ".join(f"(a{i} & b{i})" for i in range(2_000)))
d = clf.decide([1] * 4_000); ready()
while True:
    d.sufficient_reason()
""",
    "all reasons": """
rng = random.Random(3)
names = [f"v{i}" for i in range(60)]
clauses = [rng.sample(names, 3) for _ in range(100)]
text = " & ".join("(" + " | ".join(c) + ")" for c in clauses)
ready()
reasons.compile(text).decide([1] * 60).sufficient_reasons()
while True:
    pass
""",
}
HEAD = """
import random, sys, numpy, reasons
sys.path.insert(0, ".")
from reasons import _core
from tests.integration.test_limits import chain
def ready():
    print("ready", flush=True)
"""


@pytest.mark.parametrize("work", WORK)
def test_ctrl_c_ends_long_work_at_once(work: str) -> None:
    require_ctrl_c_ends(HEAD + WORK[work])


@pytest.mark.parametrize("kind", KINDS)
def test_several_threads_get_right_answers_from_one_classifier(kind: str) -> None:
    case = random_case(kind, 11)
    subject = Subject(*case)
    instances = [x for x in subject.instances if case.table[x] in case.classifier.labels]

    def ask(x: tuple[int, ...]) -> tuple[Any, ...]:
        d = case.classifier.decide(subject.user_instance(x))
        kept = [frozenset(term.items()) for term in d.sufficient_reasons()]
        return d.label, str(d.reason), d.necessary_property, kept, d.statements()

    alone = [ask(x) for x in instances]
    assert [answer[0] for answer in alone] == [case.table[x] for x in instances]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, instances * 8)) == alone * 8


def test_several_threads_may_ask_one_decision() -> None:
    d = reasons.compile(" & ".join(f"(a{i} | b{i})" for i in range(9))).decide([1] * 18)
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: d.sufficient_reasons().count(), range(40)))
        reasons_ = set(pool.map(lambda _: str(d.reason), range(40)))
    assert counts == [2**9] * 40
    assert len(reasons_) == 1

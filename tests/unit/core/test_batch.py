"""`_core.Rows`: many decisions at once, against brute force and the questions about one."""

from random import Random
from typing import Any

import numpy
import pytest

import reasons
from reasons import _core
from tests.support import oracle
from tests.support.comparison import Subject
from tests.support.ctrl_c import require_ctrl_c_ends
from tests.support.generators import KINDS, random_case


def unlimited() -> _core.Budget:
    return _core.Budget(None, None, None)


def columns(bits: bytes, rows: int) -> numpy.ndarray:
    """The bits as a table of Booleans, a row for each row."""
    words = numpy.frombuffer(bits, numpy.uint8).reshape(-1, (rows + 63) // 64 * 8)
    flat = numpy.unpackbits(words, axis=1, bitorder="little")
    assert not flat[:, rows:].any()
    return flat[:, :rows].T.astype(bool)


def rows_of(native: _core.Circuit, table: list[tuple[int, ...]], threads: int = 2) -> _core.Rows:
    cells = numpy.array(table, numpy.uint16).ravel()
    return _core.Rows(native, cells, len(table), threads, unlimited())


class Answers:
    """All questions asked of a table at once; `[i]` are the answers for row i."""

    def __init__(self, rows: _core.Rows, protected: list[int], order: list[int]) -> None:
        first, number = (numpy.frombuffer(part, numpy.uint32) for part in rows.distinct())
        count = len(first)
        bits, witness = rows.biased(protected, True, unlimited())
        assert rows.biased(protected, False, unlimited()) == (bits, b"")
        self.biased = columns(bits, count)[number, 0]
        cells = numpy.frombuffer(witness, numpy.uint16).reshape(count, len(protected))
        self.witness = cells[number]
        self.necessary = columns(rows.necessary(unlimited()), count)[number]
        self.kept = columns(rows.sufficient(order, unlimited()), count)[number]
        self.labels = numpy.frombuffer(rows.labels(), numpy.uint32)[number]

    def __getitem__(self, i: int) -> tuple[int, bool, list[int], set[int], set[int]]:
        sets = [set(numpy.flatnonzero(table[i]).tolist()) for table in (self.necessary, self.kept)]
        return int(self.labels[i]), bool(self.biased[i]), self.witness[i].tolist(), *sets


def require_true(
    subject: Subject, instance: oracle.Instance, protected: list[int], answers: Any
) -> None:
    """Raise unless the answers about an instance are those of brute force."""
    function, label = subject.function, subject.function.table[instance]
    position, biased, witness, necessary, kept = answers
    if label is oracle.IMPOSSIBLE:
        assert (position, biased, necessary, kept) == (_core.IMPOSSIBLE, False, set(), set())
        return
    assert subject.classifier.labels[position] == label
    assert biased == oracle.is_decision_biased(function, instance, frozenset(protected))
    values = dict(zip(protected, witness, strict=True))
    other = tuple(values.get(f, cell) for f, cell in enumerate(instance))
    assert function.table[other] not in {label, oracle.IMPOSSIBLE} if biased else other == instance
    assert necessary == {f for f, _ in oracle.necessary_property(function, instance)}
    reason = frozenset((f, instance[f]) for f in kept)
    assert reason in oracle.sufficient_reasons(function, instance)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_every_answer_is_that_of_brute_force(kind: str, seed: int) -> None:
    rng = Random(f"{kind} {seed}")
    subject = Subject(*random_case(kind, seed))
    features = list(subject.function.features)
    table = rng.choices(subject.instances, k=rng.choice([1, 511, 512, 513]))
    protected = [f for f in features if rng.random() < 0.5]
    rows = rows_of(subject.classifier.circuit.native, table)
    answers = Answers(rows, protected, rng.sample(features, len(features)))
    once = {instance: answers[i] for i, instance in enumerate(table)}
    assert [answers[i] for i in range(len(table))] == [once[instance] for instance in table]
    for instance, found in once.items():
        require_true(subject, instance, protected, found)


@pytest.mark.parametrize("kind", ["graph", "tree with impossible instances", "Decision-DNNF"])
def test_threads_and_the_order_of_rows_change_nothing(kind: str) -> None:
    rng = Random(kind)
    subject = Subject(*random_case(kind, 1))
    native, features = subject.classifier.circuit.native, list(subject.function.features)
    table = rng.choices(subject.instances, k=5000)
    one = Answers(rows_of(native, table, 1), features[:2], features)
    other = Answers(rows_of(native, table[::-1], 3), features[:2], features)
    assert [one[i] for i in range(5000)] == [other[i] for i in reversed(range(5000))]


def test_distinct_rows_are_those_of_the_table() -> None:
    native = reasons.compile("a & (b | c)").circuit.native
    table: list[tuple[int, ...]] = [(0, 1, 1), (1, 1, 0), (0, 1, 1), (0, 0, 0), (1, 1, 0)]
    rows = rows_of(native, table)
    first, number = (numpy.frombuffer(part, numpy.uint32).tolist() for part in rows.distinct())
    cells = numpy.frombuffer(rows.cells(), numpy.uint16).reshape(-1, 3).tolist()
    assert sorted(first) == [0, 1, 3]
    assert [tuple(cells[i]) for i in number] == table
    assert cells == [list(table[i]) for i in first]


def test_no_rows_have_no_answers() -> None:
    rows = rows_of(reasons.compile("a & b").circuit.native, [])
    assert rows.labels() == rows.necessary(unlimited()) == b""
    assert rows.sufficient([0, 1], unlimited()) == b""
    assert rows.biased([0], True, unlimited()) == (b"", b"")
    assert (rows.distinct(), rows.cells()) == ((b"", b""), b"")


def test_rows_without_features_are_all_alike() -> None:
    builder = _core.Builder([], 2, unlimited())
    circuit = builder.build(builder.leaf(1))
    rows = _core.Rows(circuit, numpy.empty(0, numpy.uint16), 70, 2, unlimited())
    assert numpy.frombuffer(rows.labels(), numpy.uint32).tolist() == [1]
    assert rows.biased([], True, unlimited()) == (bytes(8), b"")
    assert rows.necessary(unlimited()) == rows.sufficient([], unlimited()) == b""
    assert numpy.frombuffer(rows.distinct()[1], numpy.uint32).tolist() == [0] * 70


@pytest.mark.parametrize(
    ("cells", "count", "what"),
    [
        ([0, 0, 0, 2], 2, "row 1 has no value number 2 of feature 1"),
        ([0, 0, 0], 2, "one cell for each feature"),
        ([], 2**63, "ask in parts"),
    ],
)
def test_what_is_no_table_of_cells_is_refused(cells: list[int], count: int, what: str) -> None:
    native = reasons.compile("a & b").circuit.native
    with pytest.raises(reasons.InputError, match=what):
        _core.Rows(native, numpy.array(cells, numpy.uint16), count, 2, unlimited())


@pytest.mark.parametrize(("features", "what"), [([2], "no feature"), ([1, 1], "given twice")])
def test_features_that_are_none_or_given_twice_are_refused(features: list[int], what: str) -> None:
    rows = rows_of(reasons.compile("a & b").circuit.native, [(0, 1)])
    with pytest.raises(reasons.InputError, match=what):
        rows.biased(features, False, unlimited())
    with pytest.raises(reasons.InputError, match=what):
        rows.sufficient(features, unlimited())


def test_the_rows_keep_what_they_are_made_of() -> None:
    cells = numpy.array([0, 1, 1, 1], numpy.uint16)
    rows = _core.Rows(reasons.compile("a & b").circuit.native, cells, 2, 1, unlimited())
    cells[:] = 60000
    found = columns(rows.necessary(unlimited()), 2)
    number = numpy.frombuffer(rows.distinct()[1], numpy.uint32)
    assert found[number].tolist() == [[True, False], [True, True]]


def test_a_budget_that_runs_out_is_no_answer() -> None:
    table = [tuple(Random(i).choices([0, 1], k=12)) for i in range(4000)]
    rows = rows_of(reasons.compile(" ^ ".join("abcdefghijkl")).circuit.native, table)
    with pytest.raises(reasons.BudgetExceeded):
        rows.sufficient(list(range(12)), _core.Budget(None, None, 1e-9))


WORK = """
import numpy, reasons
from reasons import _core

names = [f"x{i}" for i in range(40)]
native = reasons.compile(" ^ ".join(names)).circuit.native
cells = numpy.random.default_rng(0).integers(0, 2, 40 * 4_000_000).astype(numpy.uint16)
rows = _core.Rows(native, cells, 4_000_000, 2, _core.Budget(None, None, None))
print("ready", flush=True)
while True:
    rows.sufficient(list(range(40)), _core.Budget(None, None, None))
"""


def test_ctrl_c_ends_a_question() -> None:
    require_ctrl_c_ends(WORK)

"""Published counts of `.nnf` files, of all models and of those under conditions."""

import csv
import random
from collections.abc import Iterator

import pytest

import reasons
from reasons import FormatWarning
from reasons.circuits import circuit
from reasons.circuits.circuit import AllOf, Leaf
from reasons.circuits.circuit import Test as FeatureTest
from tests.support.folders import SHARED

DATA = SHARED / "nnf"
ODD_HEADERS = {"berkeleydb_dsharp.nnf": 2, "berkeleydb_prepo.nnf": 1, "small_ex_c2d.nnf": 1}
COUNTS = {
    "VP9_d4.nnf": 216000,
    "VP9_d4_42.nnf": 216000,
    "X264_c2d.nnf": 1152,
    "sandwich.nnf": 2808,
    "axTLS_d4.nnf": 428726493299198656512,
    "axTLS_d4_684.nnf": 428726493299198656512,
    "berkeleydb_dsharp.nnf": 4080389785,
    "berkeleydb_prepo.nnf": 4080389785,
    "minimal_false.nnf": 0,
    "minimal_true.nnf": 1,
    "stub_false.nnf": 0,
    "stub_true.nnf": 1,
    "small_ex_c2d.nnf": 4,
    "small_example_c2d.nnf": 4,
    "small_ex_d4.nnf": 2,
}
pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"{DATA} is not there")


def loaded(name: str) -> reasons.Classifier:
    if name not in ODD_HEADERS:
        return reasons.load(DATA / name)
    with pytest.warns(FormatWarning) as caught:
        found = reasons.load(DATA / name)
    assert len(caught) == ODD_HEADERS[name]
    return found


class Counter:
    """How many models satisfy some literals, by recursion over the circuit: an oracle."""

    def __init__(self, clf: reasons.Classifier) -> None:
        self.nodes, self.size = list(clf.circuit), len(clf.features)
        self.scopes: list[frozenset[int]] = []
        for node in self.nodes:
            below = [self.scopes[i] for i in inputs(node)]
            own = {node.feature} if isinstance(node, circuit.Test) else set()
            self.scopes.append(frozenset(own).union(*below))
        self.plain: list[int] = []
        self.plain = self.counted({})

    def counted(self, fixed: dict[int, int]) -> list[int]:
        """For each node the number of models over its scope."""
        found: list[int] = []
        for n, node in enumerate(self.nodes):
            if self.plain and self.scopes[n].isdisjoint(fixed):
                found.append(self.plain[n])
            elif isinstance(node, Leaf):
                found.append(int(node.label))
            elif isinstance(node, AllOf):
                total = 1
                for i in node.inputs:
                    total *= found[i]
                found.append(total)
            else:
                found.append(
                    sum(
                        found[arm.node] << self.loose(n, arm.node, fixed)
                        for arm in node.arms
                        for cell in arm.cells
                        if fixed.get(node.feature, cell) == cell
                    )
                )
        return found

    def loose(self, n: int, below: int, fixed: dict[int, int]) -> int:
        """How many variables a decision has below it that its arm does not look at."""
        node = self.nodes[n]
        assert isinstance(node, FeatureTest)
        missing = self.scopes[n] - self.scopes[below] - {node.feature}
        return len(missing) - sum(f in missing for f in fixed)

    def count(self, literals: list[int]) -> int:
        if any(-literal in literals for literal in literals):
            return 0
        fixed = {abs(literal) - 1: int(literal > 0) for literal in literals}
        outside = self.size - len(self.scopes[-1])
        return self.counted(fixed)[-1] << (outside - sum(f not in self.scopes[-1] for f in fixed))


def inputs(node: circuit.Node) -> tuple[int, ...]:
    if isinstance(node, circuit.Test):
        return tuple(arm.node for arm in node.arms)
    return node.inputs if isinstance(node, AllOf) else ()


def test_every_shared_file_has_the_published_count() -> None:
    names = sorted(path.name for path in DATA.glob("*.nnf"))
    assert len(names) == 20
    for name in names:
        clf = loaded(name)
        clf.circuit.check()
        if name in COUNTS:
            assert clf.count(True) == COUNTS[name] == Counter(clf).count([]), name
    large = {loaded(name).count(True) for name in names if name.startswith("auto1")}
    assert len(large) == 1
    assert len({loaded(name).count(True) for name in names if name.startswith("busybox")}) == 1


def rows(name: str) -> Iterator[tuple[list[int], int]]:
    with open(DATA / name, newline="") as file:
        for literals, count, *_ in csv.reader(file):
            yield [int(literal) for literal in literals.split()], int(count)


@pytest.mark.parametrize(
    ("table", "models", "found"),
    [
        ("VP9_sb_fs.csv", "VP9_d4.nnf VP9_d4_42.nnf", 42),
        ("VP9_sb_pc.csv", "VP9_d4.nnf VP9_d4_42.nnf", 800),
        ("auto1_sb_fs.csv", "auto1_c2d.nnf", 120),
        ("auto1_sb_pc.csv", "auto1_d4.nnf", 120),
    ],
)
def test_counts_under_conditions_are_the_published_ones(
    table: str, models: str, found: int
) -> None:
    """Of the large model a sample, as the oracle is slow; all rows are in the slow tests."""
    every = list(rows(table))
    sample = every if len(every) <= found else random.Random(found).sample(every, found)
    assert len(sample) == found
    for model in models.split():
        counter = Counter(loaded(model))
        assert all(counter.count(literals) == count for literals, count in sample)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "found"), [("auto1_sb_fs.csv", 2513), ("auto1_sb_pc.csv", 5000)])
def test_all_counts_of_the_large_model_are_the_published_ones(table: str, found: int) -> None:
    every = list(rows(table))
    assert len(every) == found
    counter = Counter(loaded("auto1_d4_2513.nnf"))
    assert all(counter.count(literals) == count for literals, count in every)

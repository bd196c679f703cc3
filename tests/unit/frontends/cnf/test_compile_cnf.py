"""The compiler of clauses: published counts, brute force, reasons, budgets, the command line."""

import json
import os
import pty
import subprocess
import sys
import time
import warnings
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

import reasons
from reasons import Budget, BudgetExceeded, FormatWarning, _core
from reasons.circuits.circuit import AllOf, Circuit, Leaf
from reasons.features.schema import Schema
from tests.support.compare import compare, compare_classifier
from tests.support.compare_counting import compare_models
from tests.support.comparison import Mismatch
from tests.support.ctrl_c import require_ctrl_c_ends
from tests.support.folders import SHARED
from tests.support.formats import nnf_graphs
from tests.support.formats.cnfs import column, dimacs, random_clauses, table, three_cnf
from tests.support.specs import Case

SEED = int(os.environ.get("REASONS_SEED", "0"))
COUNTS = SHARED / "cnf" / "model_counts.tsv"
ROWS = 130
MOST_CHECKED = 200_000
"""Circuits up to this many nodes go through the slow checker."""
TAKES_LONGER = {
    "cnf/structured/logistics.a.cnf",
    *(
        f"cnf/structured/{n}-q.cnf"
        for n in ["50-10-1", "75-16-2", "75-18-2", "75-18-6", "75-22-3", "90-42-1"]
    ),
    *(
        f"cnf/mc2022/mc2022_track1_{n}.cnf.gz"
        for n in ["002", "019", "026", "030", "032", "034", "040", "043", "045", "048", "054"]
    ),
}
"""More than half a second on the machine where the list was made; all others take 8 s together."""
SOLVED_IN_A_MINUTE = 122
PROGRAM = str(Path(sys.executable).with_name("reasons"))
published = pytest.mark.skipif(not COUNTS.exists(), reason=f"{COUNTS} is not there")


def rows() -> list[tuple[str, int]]:
    found = [line.split("\t") for line in COUNTS.read_text().splitlines()]
    assert len(found) == ROWS
    return [(name, int(count)) for name, _, _, count in found]


def loaded(name: str, budget: Budget) -> reasons.Classifier:
    """The classifier of a shared file; some of them have odd headers, which is tested elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        return reasons.load(SHARED / name, budget=budget)


@published
def test_published_counts_of_what_is_quick_are_equal() -> None:
    quick = [(name, count) for name, count in rows() if name not in TAKES_LONGER]
    assert len(quick) == ROWS - len(TAKES_LONGER)
    for name, count in quick:
        clf = loaded(name, Budget(seconds=60))
        assert clf.count(True) == count, name
        if len(clf.circuit) <= MOST_CHECKED:
            clf.circuit.check()


@published
@pytest.mark.slow
def test_published_counts_of_all_that_a_minute_solves_are_equal() -> None:
    solved = 0
    for name, count in rows():
        try:
            clf = loaded(name, Budget(seconds=60))
        except BudgetExceeded:
            continue
        assert clf.count(True) == count, name
        if len(clf.circuit) <= MOST_CHECKED:
            clf.circuit.check()
        solved += 1
    assert solved >= SOLVED_IN_A_MINUTE


def compiled(clauses: list[list[int]], variables: int, **limits: Any) -> reasons.Classifier:
    first = [0]
    for clause in clauses:
        first.append(first[-1] + len(clause))
    literals = numpy.array([v for clause in clauses for v in clause], numpy.int32)
    cnf = _core.Cnf(variables, literals, numpy.array(first, numpy.uint64))
    budget = _core.Budget(limits.get("nodes"), limits.get("bytes"), limits.get("seconds"))
    native = _core.compile_cnf(cnf, variables, budget)
    return reasons.Classifier(
        Circuit(native, Schema(str(v + 1) for v in range(variables)), (False, True))
    )


def table_of(clf: reasons.Classifier) -> int:
    """The truth table of a circuit, node by node."""
    variables = len(clf.features)
    every = (1 << (1 << variables)) - 1
    found: list[int] = []
    for node in clf.circuit:
        if isinstance(node, Leaf):
            value = every if node.label else 0
        elif isinstance(node, AllOf):
            value = every
            for i in node.inputs:
                value &= found[i]
        else:
            value = 0
            own = column(node.feature + 1, variables)
            for arm in node.arms:
                for cell in arm.cells:
                    value |= found[arm.node] & (own if cell else every ^ own)
        found.append(value)
    return found[-1]


@pytest.mark.parametrize("part", range(4))
def test_ten_thousand_random_cnfs_have_their_models(part: int) -> None:
    for seed in range(SEED + 2500 * part, SEED + 2500 * (part + 1)):
        rng = Random(seed)
        variables = rng.randint(0, 10)
        clauses = random_clauses(rng, variables)
        clf = compiled(clauses, variables)
        want = table(clauses, variables)
        assert table_of(clf) == want, f"seed {seed}: {clauses}"
        assert clf.count(True) == want.bit_count(), f"seed {seed}"
        clf.circuit.check()


def test_files_have_the_models_of_their_clauses(tmp_path: Path) -> None:
    for seed in range(SEED, SEED + 200):
        rng = Random(seed)
        variables = rng.randint(1, 9)
        clauses = random_clauses(rng, variables)
        path = tmp_path / "x.cnf"
        path.write_text(dimacs(clauses, variables))
        clf = reasons.load(path)
        assert [f.name for f in clf.features] == [str(v + 1) for v in range(variables)]
        assert table_of(clf) == table(clauses, variables), f"seed {seed}: {clauses}"


def random_cnf_case(seed: int) -> Case:
    """A compiled CNF of up to five variables beside its truth table; the same every time."""
    rng = Random(f"cnf {seed}")
    variables = rng.randint(1, 5)
    clauses = random_clauses(rng, variables)
    truth = {
        x: all(any((x[abs(lit) - 1] == 1) == (lit > 0) for lit in clause) for clause in clauses)
        for x in product((0, 1), repeat=variables)
    }
    return Case(compiled(clauses, variables), (2,) * variables, truth)


@pytest.mark.parametrize("part", range(3))
def test_all_queries_about_decisions_of_random_cnfs(part: int) -> None:
    """Decisions of both labels: reasons, necessary, contrastive, bias with witness, all of it."""
    asked = {True: 0, False: 0}
    for seed in range(SEED + 40 * part, SEED + 40 * (part + 1)):
        case = random_cnf_case(seed)
        rng = Random(seed)
        try:
            compare_classifier(*case)
            for label in (True, False):
                having = [x for x, own in case.table.items() if own is label]
                for instance in rng.sample(having, min(3, len(having))):
                    compare(*case, instance)
                    asked[label] += 1
        except Exception as error:
            raise Mismatch(f"random_cnf_case({seed}): {error}") from error
    assert min(asked.values()) > 30


def test_all_queries_about_the_models_of_random_cnfs() -> None:
    for seed in range(SEED, SEED + 80):
        try:
            compare_models(random_cnf_case(seed), Random(seed))
        except Exception as error:
            raise Mismatch(f"random_cnf_case({seed}): {error}") from error


def test_the_same_file_gives_the_same_circuit(tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    for seed in range(5):
        path.write_text(dimacs(three_cnf(seed, 45, 130), 45))
        one, other = reasons.load(path), reasons.load(path)
        assert list(one.circuit) == list(other.circuit)


def test_the_same_file_gives_the_same_circuit_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    path.write_text(dimacs(three_cnf(1, 45, 130), 45))
    program = "import sys, reasons; print(list(reasons.load(sys.argv[1]).circuit))"
    runs = [
        subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, check=True)
        for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout


def random_gates(rng: Random, variables: int) -> nnf_graphs.Graph:
    """A graph of any gates over any inputs: neither decomposable nor deterministic."""
    signs = [("l", sign * v) for v in range(1, variables + 1) for sign in (1, -1)]
    nodes: nnf_graphs.Graph = [*signs, ("t",), ("f",)]
    for _ in range(rng.randint(1, 10)):
        weights = [1 + i for i in range(len(nodes))]
        inputs = rng.choices(range(len(nodes)), weights, k=rng.randint(1, 4))
        nodes.append((rng.choice("ao"), tuple(inputs)))
    return nodes


@pytest.mark.parametrize("dialect", ["c2d", "d4"])
def test_any_graph_is_recompiled(tmp_path: Path, dialect: str) -> None:
    refused = 0
    for seed in range(SEED, SEED + 150):
        rng = Random(seed)
        variables = rng.randint(1, 7)
        graph = random_gates(rng, variables)
        text = (
            nnf_graphs.c2d_text(graph, variables)
            if dialect == "c2d"
            else nnf_graphs.d4_text(graph, rng)
        )
        path = tmp_path / "x.nnf"
        path.write_text(text)
        clf = reasons.load(path, recompile=True, variables=variables)
        clf.circuit.check()
        want = nnf_graphs.models(graph, variables)
        got = table_of(clf)
        every = product((0, 1), repeat=variables)
        at = {x: sum(bit << i for i, bit in enumerate(x)) for x in every}
        assert {x for x, i in at.items() if got >> i & 1} == want, f"seed {seed}"
        try:
            reasons.load(path, variables=variables)
        except reasons.PropertyError:
            refused += 1
    assert refused > 20


HARD = three_cnf(3, 250, 750)


@pytest.mark.parametrize("limits", [{"seconds": 0.3}, {"nodes": 500}, {"bytes": 200_000}])
def test_a_budget_stops_the_compiler_within_a_second_or_so(limits: dict[str, Any]) -> None:
    start = time.monotonic()
    with pytest.raises(BudgetExceeded) as caught:
        compiled(HARD, 250, **limits)
    assert time.monotonic() - start < 30
    assert set(limits) <= set(caught.value.spent)


def test_a_budget_stops_loading_a_file(tmp_path: Path) -> None:
    path = tmp_path / "hard.cnf"
    path.write_text(dimacs(HARD, 250))
    told: list[str] = []
    budget = Budget(seconds=1.5, progress=lambda stage, done, total: told.append(stage))
    with pytest.raises(BudgetExceeded):
        reasons.load(path, budget=budget)
    assert told


def test_ctrl_c_ends_compiling_at_once(tmp_path: Path) -> None:
    path = tmp_path / "hard.cnf"
    path.write_text(dimacs(HARD, 250))
    program = "import sys, reasons; print('ready', flush=True); reasons.load(sys.argv[1])"
    require_ctrl_c_ends(program, str(path), after=0.5)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """1, and 2 or not 3."""
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 3 2\n1 0\n2 -3 0\n")
    return path


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def test_explain_says_why_clauses_hold_or_not(small: Path) -> None:
    done = run("explain", small, "--instance", "1, 2, 3", "--protected", "2", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["label"] is True
    assert [term["text"] for term in found["sufficient_reasons"]["shown"]] == ["1, 2"]
    done = run("explain", small, "--instance", "~1, ~2, 3", "--json")
    found = json.loads(done.stdout)
    assert found["label"] is False
    assert found["sufficient_reasons"]["count"] == "2"


def test_compile_writes_what_load_reads(small: Path) -> None:
    made = small.with_name("y.reasons")
    done = run("compile", small, "-o", made)
    assert done.returncode == 0, done.stderr
    assert list(reasons.load(made).circuit) == list(reasons.load(small).circuit)
    assert reasons.load(made).count(True) == 3


def test_compile_ends_with_3_when_the_budget_is_spent(tmp_path: Path) -> None:
    path = tmp_path / "hard.cnf"
    path.write_text(dimacs(HARD, 250))
    done = run("compile", path, "-o", tmp_path / "y.reasons", "--seconds", "0.5")
    assert done.returncode == 3
    assert not done.stdout
    assert not (tmp_path / "y.reasons").exists()


def test_progress_is_shown_on_a_terminal_and_only_there(tmp_path: Path) -> None:
    path = tmp_path / "hard.cnf"
    path.write_text(dimacs(HARD, 250))
    ours, theirs = pty.openpty()
    command = [PROGRAM, "compile", str(path), "-o", str(tmp_path / "y"), "--seconds", "2"]
    shown = b""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:  # the other end was closed
            pass
        assert process.stdout is not None
        assert process.stdout.read() == b""
    os.close(ours)
    assert b"compilation: " in shown

"""Compilers of others: what they write is checked, and what fails falls back.

The programs are small scripts on a PATH of their own: right, wrong, malformed, endless.
"""

import itertools
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons import Budget, BudgetExceeded, CompilerWarning, InputError
from reasons.counting.sat_encoding import false_model_by_sat
from reasons.frontends.cnf import external
from reasons.frontends.cnf.verification import violated_clause

CLAUSES = [[1, 2], [-1, 3], [-2, -3, 4]]
TEXT = "p cnf 5 3\n" + "".join(" ".join(map(str, [*c, 0])) + "\n" for c in CLAUSES)
MODELS = sum(
    all(any(x[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in CLAUSES)
    for x in itertools.product([False, True], repeat=5)
)


@pytest.fixture
def clauses(tmp_path: Path) -> Path:
    path = tmp_path / "x.cnf"
    path.write_text(TEXT)
    return path


@pytest.fixture
def bin_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of its own, and a place for temporary files that must be left empty."""
    for name in ("bin", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path / "bin"


def program(folder: Path, name: str, code: str) -> None:
    path = folder / name
    path.write_text(f"#!{sys.executable} -I\nimport sys, os, time\n{textwrap.dedent(code)}")
    path.chmod(0o755)


def written(tmp_path: Path, text: str = TEXT, kind: str = "nnf-d4") -> str:
    """The circuit of a file of clauses, as a program would write it."""
    source, target = tmp_path / "given.cnf", tmp_path / "given.nnf"
    source.write_text(text)
    reasons.write(reasons.load(source), target, to=kind)
    return target.read_text()


def says(text: str, to: str = "sys.argv[-1]") -> str:
    return f"open({to}, 'w').write({text!r})"


def load_quietly(path: Path, compiler: str = "d4", **options: Any) -> reasons.Classifier:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return reasons.load(path, compiler=compiler, **options)


def refused(path: Path, match: str, compiler: str = "d4", **options: Any) -> None:
    """It falls back, says why, gives the right answer, and leaves nothing behind."""
    with pytest.warns(CompilerWarning, match=match) as caught:
        clf = reasons.load(path, compiler=compiler, **options)
    assert len(caught) == 1
    assert str(path) in str(caught[0].message)
    assert "reasons compiles it instead" in str(caught[0].message)
    assert caught[0].filename == __file__
    assert clf.count(True) == MODELS
    assert not list((path.parent / "temporary").iterdir())


@pytest.mark.parametrize(
    ("compiler", "executable", "arguments", "kind"),
    [
        ("d4", "d4", ["-i", "in.cnf", "-m", "ddnnf-compiler", "--dump-ddnnf", "in.cnf.nnf"], "d4"),
        ("d4", "d4_static", ["-dDNNF", "in.cnf", "-out=in.cnf.nnf"], "d4"),
        ("c2d", "c2d", ["-in", "in.cnf", "-reduce"], "c2d"),
        ("c2d", "c2d_linux", ["-in", "in.cnf", "-reduce"], "c2d"),
        ("minic2d", "miniC2D", ["-c", "in.cnf"], "c2d"),
        ("dsharp", "dsharp", ["-Fnnf", "in.cnf.nnf", "in.cnf"], "c2d"),
    ],
)
def test_a_right_circuit_is_taken(
    bin_: Path, clauses: Path, compiler: str, executable: str, arguments: list[str], kind: str
) -> None:
    right = written(clauses.parent, kind=f"nnf-{kind}")
    code = f"""
        if sys.argv[1:] != {arguments!r}: sys.exit(1)
        text = open("in.cnf").read()
        assert text == {TEXT!r}, text
        {says(right, "'in.cnf.nnf'")}
    """
    program(bin_, executable, code)
    clf = load_quietly(clauses, compiler, names={5: "free"})
    assert clf.count(True) == MODELS
    assert [f.name for f in clf.features] == ["1", "2", "3", "4", "free"]
    assert not list((clauses.parent / "temporary").iterdir())


def test_a_program_gets_plain_clauses_without_tautologies(bin_: Path, tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "x.cnf.gz"
    path.write_bytes(gzip.compress(b"c\np cnf 2 3\n1 1 2 0 1 -1\n0 -2 0\n"))
    right = written(tmp_path, "p cnf 2 2\n1 2 0\n-2 0\n")
    code = f"assert open('in.cnf').read() == 'p cnf 2 2\\n1 2 0\\n-2 0\\n'\n{says(right)}"
    program(bin_, "d4", code)
    assert load_quietly(path).count(True) == 1


@pytest.mark.parametrize(("variables", "told"), [(127, 127), (128, 256), (255, 256), (256, 256)])
def test_d4_is_not_told_a_number_of_variables_that_it_confuses(
    bin_: Path, tmp_path: Path, variables: int, told: int
) -> None:
    path = tmp_path / "x.cnf"
    path.write_text(f"p cnf {variables} 1\n{variables} 0\n")
    right = f"o 1 0\nt 2 0\n1 2 {variables} 0\n"
    program(bin_, "d4", f"assert open('in.cnf').read().startswith('p cnf {told} 1')\n{says(right)}")
    clf = load_quietly(path)
    assert len(clf.features) == variables
    assert clf.count(True) == 2 ** (variables - 1)


def test_weights_are_kept(bin_: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 1 1\nc p weight 1 0.25 0\n1 0\n")
    program(bin_, "d4", says("o 1 0\nt 2 0\n1 2 1 0\n"))
    assert load_quietly(path).weighted_count(True) == 0.25


def test_a_missing_program(bin_: Path, clauses: Path) -> None:
    refused(clauses, "there is no d4 or d4_static on PATH")


@pytest.mark.parametrize(
    ("code", "match"),
    [
        ("sys.exit(3)", "d4 failed with exit code 3, then failed with exit code 3"),
        ("pass", "d4 wrote nothing"),
        ("os.abort()", "d4 was killed by SIGABRT; "),
        ("print('out of luck'); sys.exit(1)", r"exit code 1 \('out of luck'\)"),
        ("os.write(1, bytes(range(256))); sys.exit(1)", "exit code 1"),
        (says("t 1 0\n") + "; sys.exit(1)", "exit code 1"),
        (f"if '-i' in sys.argv: {says('t 1 0')}; sys.exit(1)", "exit code 1, then wrote nothing"),
        (says(""), "the output of d4 is not used"),
        (says("o 1 0\n1 2 3\n"), "the output of d4 is not used: <d4>:"),
        ("os.mkdir(sys.argv[-1])", "the output of d4 is not used: cannot read"),
        (says("o 1 0\nt 2 0\n1 2 99 0\n"), "99 variables"),
        (says("a 1 0\no 2 0\no 3 0\nt 4 0\n1 2 0\n1 3 0\n2 4 1 0\n3 4 1 0\n"), "not used"),
    ],
)
def test_a_program_that_fails(bin_: Path, clauses: Path, code: str, match: str) -> None:
    program(bin_, "d4", code)
    refused(clauses, match)


def test_a_file_that_cannot_be_run(bin_: Path, clauses: Path) -> None:
    (bin_ / "d4").write_text("#!/nowhere/interpreter\n")
    (bin_ / "d4").chmod(0o755)
    refused(clauses, "d4 cannot be run")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("t 1 0\n", "wrong: it violates the clause 1 2;"),
        ("f 1 0\n", "wrong: it lacks models of the clauses"),
        ("o 1 0\nt 2 0\n1 2 1 3 4 0\n", "wrong: it lacks models"),
        ("o 1 0\nt 2 0\n1 2 1 3 0\n", "wrong: it violates the clause -2 -3 4"),
    ],
)
@pytest.mark.parametrize("own_seconds", [external.OWN_SECONDS, 1e-9])
def test_a_wrong_circuit(
    bin_: Path,
    clauses: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    match: str,
    own_seconds: float,
) -> None:
    """With the count of our own compiler, and without, by SAT."""
    monkeypatch.setattr(external, "OWN_SECONDS", own_seconds)
    if own_seconds < 1e-6:
        monkeypatch.setattr(external, "_own_count", lambda *_: None)
        pytest.importorskip("pysat")
    program(bin_, "d4", says(text))
    refused(clauses, match)


def test_the_empty_clause(bin_: Path, tmp_path: Path) -> None:
    """d4 takes a file of the empty clause for one without clauses."""
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 2 1\n0\n")
    program(bin_, "d4", says("o 1 0\nt 2 0\n1 2 0\n"))
    with pytest.warns(CompilerWarning, match="violates the clause that is empty"):
        assert reasons.load(path, compiler="d4").count(True) == 0


def test_what_is_not_proved_is_said(
    bin_: Path, clauses: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "_own_count", lambda *_: None)
    program(bin_, "d4", says(written(clauses.parent)))
    pytest.importorskip("pysat")
    assert load_quietly(clauses).count(True) == MODELS  # proved by SAT
    monkeypatch.setattr(external, "_MOST_SAT_EDGES", 1)
    with pytest.warns(CompilerWarning, match="may lack models of theirs: it is too large"):
        reasons.load(clauses, compiler="d4")


def test_a_circuit_that_is_not_one_of_decisions_is_compiled_again(
    bin_: Path, tmp_path: Path
) -> None:
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 2 1\n1 2 0\n")
    code = says("nnf 3 2 2\nL 1\nL 2\nO 0 2 0 1\n", "'in.cnf.nnf'")
    for name in ("miniC2D", "c2d"):
        program(bin_, name, code)
    with pytest.warns(CompilerWarning, match=r"compiled again: .* is not a decision") as caught:
        assert reasons.load(path, compiler="minic2d").count(True) == 3
    assert "instead" not in str(caught[0].message)
    with pytest.warns(CompilerWarning, match=r"not used: .*is not a decision.* instead"):
        assert reasons.load(path, compiler="c2d").count(True) == 3


HANGING = """
    child = os.fork()
    open({pids!r}, "a").write(f"{{os.getpid()}}\\n")
    while True: time.sleep(0.01)
"""


def all_gone(pids: Path) -> bool:
    """Whether a program and its child are no more, a moment later at most."""
    numbers = [int(line) for line in pids.read_text().split()]
    for _ in range(200):
        # What another process has adopted and not yet waited for is gone, too.
        if not any(alive(number) for number in numbers):
            return len(numbers) >= 2
        time.sleep(0.01)
    return False


def alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_program_that_hangs_is_stopped_with_its_children(bin_: Path, clauses: Path) -> None:
    pids = clauses.parent / "pids"
    program(bin_, "d4", HANGING.format(pids=str(pids)))
    seen: list[str] = []

    def tell(stage: str, done: int, total: int | None) -> None:
        seen.append(stage)

    refused(clauses, r"d4 was stopped after \d", budget=Budget(seconds=4, progress=tell))
    assert "running d4" in seen
    assert all_gone(pids)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_children_that_outlive_a_program_are_stopped(bin_: Path, clauses: Path) -> None:
    pids = clauses.parent / "pids"
    code = f"""
        if os.fork():
            while not os.path.exists({str(pids)!r}): time.sleep(0.01)
            open({str(pids)!r}, "a").write(f"{{os.getpid()}}\\n")
            {says(written(clauses.parent))}
        else:
            open({str(pids)!r}, "a").write(f"{{os.getpid()}}\\n")
            time.sleep(100)
    """
    program(bin_, "d4", code)
    load_quietly(clauses)
    assert all_gone(pids)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_ctrl_c_stops_everything(bin_: Path, clauses: Path) -> None:
    pids = clauses.parent / "pids"
    program(bin_, "d4", HANGING.format(pids=str(pids)))
    code = f"import reasons; reasons.load({str(clauses)!r}, compiler='d4')"
    run = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)
    try:
        for _ in range(1000):
            if pids.exists() and len(pids.read_text().split()) >= 2:
                break
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=20)
    finally:
        run.kill()
        run.wait()
    assert b"KeyboardInterrupt" in errors
    assert all_gone(pids)
    assert not list((clauses.parent / "temporary").iterdir())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits are set by prlimit")
@pytest.mark.parametrize(
    ("code", "match"),
    [
        ("time.sleep(0.2); x = bytes(1 << 30)", "exit code 1 .*MemoryError"),
        (
            "import signal; time.sleep(0.2); signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
            "file = open(sys.argv[-1], 'w'); file.truncate((1 << 30) + 1)",
            "SIGXFSZ",
        ),
    ],
)
def test_memory_and_output_are_bounded(bin_: Path, clauses: Path, code: str, match: str) -> None:
    program(bin_, "d4", code)
    refused(clauses, match, budget=Budget(bytes=1 << 29))


def test_an_exhausted_budget_is_an_error_and_no_answer(bin_: Path, clauses: Path) -> None:
    program(bin_, "d4", "time.sleep(100)")
    budget = Budget(seconds=0.01)
    time.sleep(0.02)
    with pytest.raises(BudgetExceeded):
        reasons.load(clauses, compiler="d4", budget=budget)


def test_a_program_in_the_current_folder_is_not_confused_by_another_folder(
    bin_: Path, clauses: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(bin_, "d4", says(written(clauses.parent)))
    monkeypatch.chdir(bin_)
    monkeypatch.setenv("PATH", ".")
    assert load_quietly(clauses).count(True) == MODELS


def test_other_names_and_other_files_take_no_compiler(bin_: Path, clauses: Path) -> None:
    for odd in ("d5", "", "sh", 4, ["d4"]):
        with pytest.raises(InputError, match="the compilers are: d4, c2d, minic2d, dsharp"):
            reasons.load(clauses, compiler=odd)
    formula = clauses.parent / "x.txt"
    formula.write_text("a & b")
    with pytest.raises(InputError, match="takes no compiler="):
        reasons.load(formula, compiler="d4")
    assert reasons.load(clauses, compiler=None).count(True) == MODELS


def test_the_command_line(bin_: Path, clauses: Path) -> None:
    def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-c", "from reasons.cli import main; main()"]
        return subprocess.run(
            [*command, *map(str, arguments)], capture_output=True, text=True, check=False
        )

    done = run("convert", clauses, "--compiler", "d4", "-o", clauses.parent / "out.nnf")
    assert done.returncode == 0
    assert "there is no d4 or d4_static on PATH" in done.stderr
    program(bin_, "d4", says(written(clauses.parent)))
    done = run("compile", clauses, "--compiler", "d4", "-o", clauses.parent / "out.reasons")
    assert (done.returncode, done.stderr) == (0, "")
    done = run("show", "a & b", "--compiler", "d4")
    assert done.returncode == 2
    assert "--compiler needs a CNF file" in done.stderr
    assert run("show", clauses, "--compiler", "d5").returncode == 2


def test_comparing_with_clauses_agrees_with_brute_force() -> None:
    pytest.importorskip("pysat")
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    names = [f"x{i}" for i in range(5)]
    for _ in range(100):
        some = [
            [rng.choice([-1, 1]) * v for v in rng.sample(range(1, 6), rng.randint(1, 3))]
            for _ in range(rng.randint(1, 6))
        ]
        texts = [" | ".join(f"{'~' if x < 0 else ''}x{abs(x) - 1}" for x in c) for c in some]
        clf = reasons.compile(" & ".join(f"({t})" for t in texts), features=names)
        other = reasons.compile(rng.choice(texts), features=names)
        assert violated_clause(clf.circuit, some) is None
        assert false_model_by_sat(clf.circuit, some) is None
        first = next((c for c, t in zip(some, texts, strict=True) if not other.entails(t)), None)
        assert violated_clause(other.circuit, some) == first
        missed = false_model_by_sat(clf.circuit, some[:1])
        wider = reasons.compile(texts[0], features=names)
        assert (missed is None) == (clf.count(True) == wider.count(True))
        if missed is not None:
            assert not clf.decide([bool(v) for v in missed]).label


@pytest.mark.skipif(
    not (shutil.which("d4") or shutil.which("d4_static")), reason="there is no d4 on PATH"
)
def test_the_real_d4_agrees_with_us(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    taken = 0
    for variables in (8, 20, 60, 127, 128, 200, 255, 256):
        some = [
            [rng.choice([-1, 1]) * v for v in rng.sample(range(start, start + 6), 3)]
            for start in range(1, variables - 4)
        ]
        path = tmp_path / "x.cnf"
        lines = "".join(" ".join(map(str, [*c, 0])) + "\n" for c in some)
        path.write_text(f"p cnf {variables} {len(some)}\n{lines}")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            clf = reasons.load(path, compiler="d4", budget=Budget(seconds=20))
        taken += not caught
        if variables <= 20:
            assert clf.equivalent(reasons.load(path))
    assert taken == 8

"""The command line: what it prints, where, and how it ends."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import reasons
from reasons import _core
from reasons.datasets.paper import APPLICANTS

C1 = "E & (~F | G | W)"
GREG = "E, ~F, ~G, W"
PROGRAM = str(Path(sys.executable).with_name("reasons"))
COMMANDS = ("demo", "explain", "show", "draw", "compile", "convert")


def really(
    *arguments: str, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Runs the program as a process of its own, its output in a pipe."""
    environment = {**os.environ, **variables}
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, env=environment)


def test_a_source_is_a_formula_a_file_or_standard_input(
    run: Any, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "c1.txt").write_text(f"# admission\n{C1}\n")
    wanted = json.loads(run("show", C1, "--json").out)
    for source, stdin in [(model, None), (tmp_path / "c1.txt", None), ("-", C1)]:
        done = run("show", source, "--json", stdin=stdin)
        assert done.code == 0, done.err
        assert json.loads(done.out) == wanted


def test_show_describes(run: Any, model: Path) -> None:
    done = run("show", model)
    assert done.code == 0
    for part in ["E: boolean, 2 values", "True: 7", "False: 9", "nodes", "ordered"]:
        assert part in done.out
    found = json.loads(run("show", C1, "--json").out)
    assert found["instances"] == {"False": 9, "True": 7}
    assert [f["name"] for f in found["features"]] == ["E", "F", "G", "W"]


@pytest.mark.parametrize("what", ["graph", "circuit", "consensus", "filtered", "reason"])
@pytest.mark.parametrize("suffix", [".svg", ".dot", ".gv", ".SVG"])
def test_draw_writes_a_picture(run: Any, tmp_path: Path, what: str, suffix: str) -> None:
    path = tmp_path / f"it{suffix}"
    done = run("draw", C1, "-i", GREG, "--what", what, "-o", path, "--json")
    found = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert found["written"] == str(path)
    assert found["vertices"] > 3
    text = path.read_text(encoding="utf-8")
    if suffix.lower() == ".svg":
        assert ElementTree.fromstring(text).tag.endswith("svg")
    else:
        assert text.startswith("digraph")
    plain = run("draw", C1, "-i", GREG, "--what", what, "-o", path)
    assert plain.code == 0
    assert str(path) in plain.out


def test_draw_refuses_what_it_cannot_draw(run: Any, tmp_path: Path) -> None:
    for arguments, message in [
        (["-o", tmp_path / "it.png"], ".png"),
        (["-o", tmp_path / "it"], ".svg"),
        (["-o", tmp_path / "it.svg", "--what", "moon"], "moon"),
        (["-o", tmp_path / "it.svg", "--what", "reason"], "instance"),
        (["-o", tmp_path / "none" / "it.svg"], "none"),
        (["-o", tmp_path / "it.svg", "-i", "E"], "lacks"),
    ]:
        done = run("draw", C1, *arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert message in done.err
    assert not list(tmp_path.iterdir())


def test_compile_writes_a_file_that_loads(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "it.reasons"
    done = run("compile", C1, "-o", path)
    assert done.code == 0
    assert str(path) in done.out
    assert reasons.load(path).count(True) == 7
    found = json.loads(run("compile", C1, "--constraint", "E -> G", "-o", path, "--json").out)
    assert found["written"] == str(path)
    assert reasons.load(path).constraint == "E -> G"
    assert run("compile", C1, "-o", tmp_path / "none" / "it.reasons").code == 2
    assert run("compile", C1, "-o", tmp_path).code == 2


def test_convert_writes_what_the_extension_or_the_option_says(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "it.nnf"
    assert run("convert", C1, "-o", path).code == 0
    assert path.read_text().startswith("nnf ")
    found = json.loads(run("convert", path, "-o", path, "--to", "nnf-d4", "--json").out)
    assert found["written"] == str(path)
    assert path.read_text().startswith("o 1 0\n")
    for name in ("it.json", "it.dot", "it.reasons"):
        assert run("convert", path, "-o", tmp_path / name).code == 0
    assert reasons.load(tmp_path / "it.reasons").count(True) == 7
    assert run("convert", C1, "-o", tmp_path / "it.xyz").code == 2
    assert run("convert", C1, "-o", path, "--to", "xyz").code == 2


def test_what_is_odd_about_a_file_is_said_in_a_line(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "it.nnf"
    path.write_text("nnf 1 7 1\nL 1\n")
    done = run("show", path, "--json")
    assert done.code == 0
    assert done.err == f"reasons: {path}:1: the header announces 7 edges, but there are 0\n"
    assert json.loads(done.out)["instances"]["True"] == 1


def test_demo_tells_the_story_and_draws_it(run: Any, tmp_path: Path) -> None:
    done = run("demo", "-o", tmp_path / "pictures")
    assert done.code == 0
    assert all(applicant.name in done.out for applicant in APPLICANTS)
    assert str(tmp_path / "pictures") in done.out
    told = json.loads(run("demo", "-o", tmp_path / "pictures", "--json").out)
    assert len(told["classifiers"]) == 4
    assert len(told["drawings"]) > 8
    for path in told["drawings"]:
        assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_demo_into_a_place_that_is_no_folder_is_bad_input(run: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert run("demo", "-o", tmp_path / "file").code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "E &"], "^"),
        (["show", "(E"], "^"),
        (["show", ""], "empty"),
        (["show", "missing.reasons"], "there is no file missing.reasons"),
        (["show", "missing.reasonz"], "there is no file missing.reasonz"),
        (["show", "missing.txt"], "missing.txt"),
        (["show", "a", "--constraint", "a & ~a"], "no instance is possible"),
        (["explain", C1, "-i", "E"], "lacks a value for: F, G, W"),
        (["explain", C1, "-i", f"{GREG}, X"], "'X'"),
        (["explain", C1, "-i", GREG, "--protected", "sex"], "'sex'"),
        (["explain", "a", "-i", "~a", "--constraint", "a"], "impossible"),
        (["show", "a", "--seconds", "0"], "seconds"),
        (["show", "a", "--nodes", "-3"], "nodes"),
    ],
)
def test_bad_input_ends_with_2_and_says_why(run: Any, arguments: list[str], message: str) -> None:
    for more in ([], ["--json"]):
        done = run(*arguments, *more)
        assert (done.code, done.out) == (2, "")
        assert message in done.err
        assert "Traceback" not in done.err


def test_wrong_usage_ends_with_2(run: Any) -> None:
    for arguments in (["show"], ["sing"], ["show", C1, "--loud"], ["explain", C1, "--row", "x"]):
        done = run(*arguments)
        assert (done.code, done.out) == (2, "")


def test_a_budget_that_is_exceeded_ends_with_3(run: Any) -> None:
    parity = " ^ ".join(f"x{i}" for i in range(40))
    tangled = " | ".join(f"(a{i} & b{(i * 7) % 31})" for i in range(31))
    for arguments in (
        ["show", parity, "--nodes", "5"],
        ["show", tangled, "--seconds", "0.000001"],
        ["explain", parity, "-i", ", ".join(f"x{i}" for i in range(40)), "--nodes", "5"],
    ):
        for more in ([], ["--json"]):
            done = run(*arguments, *more)
            assert (done.code, done.out) == (3, ""), done.err
            assert "budget exceeded" in done.err


def test_clauses_that_cannot_be_compiled_explain_what_satisfies_them(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compiled(*_: object) -> object:
        raise reasons.BudgetExceeded("compilation", nodes=2, limit=1)

    monkeypatch.setattr(_core, "compile_cnf", compiled)
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 2 1\n1 2 0\n")
    explain = ["explain", path, "--no-compile", "--protected", "1", "--instance"]
    found = json.loads(run(*explain, "1, ~2", "--json").out)
    assert (found["label"], found["complete_reason"]["text"]) == (True, "1")
    assert found["bias"]["decision"]["biased"]
    assert found["bias"]["classifier"]["biased"] is None
    assert found["bias"]["classifier"]["exceeded"]
    assert "bias" in found["exceeded"]
    assert "unknown (budget exceeded" in run(*explain, "1, ~2").out
    assert run(*explain, "~1, ~2").code == 3
    assert run("explain", path, "-i", "1, ~2").code == 3
    assert "--no-compile" in run("explain", "a & b", "--no-compile", "-i", "a, b").err


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_teaches_by_example(run: Any, command: str | None) -> None:
    done = run(*([command] if command else []), "--help")
    assert done.code == 0
    assert f"reasons {command or 'explain'} " in done.out.replace("Usage: reasons", "")
    if command not in (None, "demo"):
        assert "--json" in done.out


def test_the_version_is_printed(run: Any) -> None:
    done = run("--version")
    assert done == (0, f"{reasons.__version__}\n", "")


def test_completion_can_be_shown_and_installed(run: Any) -> None:
    out = run("--help").out
    assert "--show-completion" in out
    assert "--install-completion" in out
    done = really(_REASONS_COMPLETE="complete_bash", COMP_WORDS="reasons ", COMP_CWORD="1")
    assert set(COMMANDS) <= set(done.stdout.decode().split())
    script = really("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert b"complete" in script.stdout


@pytest.mark.parametrize(
    "arguments",
    [("show", C1), ("explain", C1, "-i", GREG), ("show", C1, "--json"), ("show", "E &")],
)
def test_in_a_pipe_there_is_plain_text_only(arguments: tuple[str, ...]) -> None:
    done = really(*arguments, TERM="xterm-256color")
    assert done.returncode == (2 if arguments[1] == "E &" else 0)
    assert b"\x1b" not in done.stdout + done.stderr
    assert bool(done.stdout) != bool(done.stderr)


def test_standard_input_that_is_no_text_is_bad_input() -> None:
    done = really("show", "-", stdin=b"a & \xff\xfe", PYTHONIOENCODING="utf-8:strict")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    with subprocess.Popen(
        [PROGRAM, "show", C1], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_options_of_readers_are_given_by_with(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "car.cnf"
    path.write_text("c 1 engine\nc 2 diesel\np cnf 2 2\n1 0\n-1 2 0\n")
    named = run("explain", path, "--with", "names=comments", "--instance", "engine, diesel")
    assert named.code == 0
    assert "engine" in named.out
    assert run("show", path, "--with", "root=2").code == 2
    assert "names=comments" in run("show", path, "--with", "names").err
    assert run("show", "a & b", "--with", "names=comments").code == 2


def test_a_drawing_that_is_too_large_says_what_to_draw(run: Any, tmp_path: Path) -> None:
    large = " & ".join(f"(a{i} | b{i})" for i in range(900))
    for suffix in ("svg", "dot"):
        done = run(
            "draw", " ^ ".join(f"v{i}" for i in range(1_200)), "-o", tmp_path / f"x.{suffix}"
        )
        assert done.code == 3
        assert "; draw the reason of one decision (--instance TEXT --what reason), or" in done.err
    text = ", ".join(f"a{i}, b{i}" for i in range(900))
    done = run("draw", large, "-i", text, "-o", tmp_path / "x.svg")
    assert done.code == 3
    assert done.err.endswith("; reasons serve shows it part by part\n")


def test_an_audit_to_csv_says_how_to_get_one(
    run: Any, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("E,F,G,W,R\n1,0,0,1,0\n")
    done = run("audit", model, "rows.csv", "-o", "v.csv")
    assert done.code == 2
    assert run("audit", model, "rows.csv", "-o", "v.parquet").code == 0
    _, _, command = done.err.strip().partition("python -c ")
    subprocess.run([sys.executable, "-c", command.strip('"')], check=True)
    assert (tmp_path / "v.csv").read_text().startswith("row,")


@pytest.mark.parametrize("command", [*COMMANDS[1:], "audit", "serve"])
def test_shared_options_are_in_every_command_but_demo(run: Any, command: str) -> None:
    shared = {"--constraint", "--compiler", "--with", "--seconds", "--nodes"}
    assert shared <= set(re.findall(r"--[a-z]+", run(command, "--help").out))
    assert not shared & set(re.findall(r"--[a-z]+", run("demo", "--help").out))

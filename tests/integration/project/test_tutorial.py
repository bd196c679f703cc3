"""The tutorial's lines for the shell run on the files that its Python wrote."""

import doctest
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reasons.cli.app import app
from tests.support.folders import ROOT

TUTORIAL = ROOT / "docs" / "tutorial.md"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def lines(text: str) -> list[list[str]]:
    """The commands of the blocks that are no Python, without what starts the program."""
    blocks = [block for block in text.split("```")[1::2] if not block.startswith("python")]
    return [shlex.split(line)[1:] for block in blocks for line in block.strip().splitlines()]


def test_the_lines_for_the_shell_run_after_the_lines_for_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("skops")
    monkeypatch.chdir(tmp_path)
    assert doctest.testfile(str(TUTORIAL), False, optionflags=FLAGS).failed == 0
    *commands, serve = lines(TUTORIAL.read_text("utf-8"))
    assert [command[0] for command in commands] == ["explain", "compile", "explain", "audit"]
    for command in commands:
        ran = CliRunner().invoke(app, command)
        assert ran.exit_code == 0, (command, ran.output)
    assert (tmp_path / "out" / "audit.html").exists()
    assert serve[0] == "serve"
    assert all(Path(name).exists() for name in serve if name.startswith("out/"))
    (tmp_path / "out" / "people.csv").unlink()
    assert CliRunner().invoke(app, commands[2]).exit_code != 0

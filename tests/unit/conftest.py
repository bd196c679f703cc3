"""Fixtures that tests of several packages use."""

import io
import sys
from typing import Any, NamedTuple

import pytest


class Done(NamedTuple):
    """How the program ended, and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the program in this process: `run("show", "a & b")`."""
    from reasons.cli import main

    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object, stdin: str | None = None) -> Done:
        monkeypatch.setattr(sys, "argv", ["reasons", *map(str, arguments)])
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        return Done(code if isinstance(code, int) else 0, *capsys.readouterr())

    return run

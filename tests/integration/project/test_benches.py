"""Every bench can be started by its name; what it measures is not run here."""

from importlib import import_module

import pytest

from benches.__main__ import BENCHES, main


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_can_be_imported_and_run(name: str) -> None:
    pytest.importorskip("sklearn")
    assert callable(import_module(f"benches.{BENCHES[name]}").run)


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queries", "quries"]) == 2
    out = capsys.readouterr().out
    assert "no bench is named quries; there are: imports, footprint, queries" in out


def test_options_go_to_the_bench_that_takes_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["cnf", "--help"])
    assert end.value.code == 0
    assert "usage: python -m benches cnf" in capsys.readouterr().out

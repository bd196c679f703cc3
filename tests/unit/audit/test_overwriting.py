"""An audit writes over nothing that it reads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import reasons
from reasons.cli.app import app

CODES = {"a": ("1", "A"), "b": ("2", "B")}


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, ["audit", *map(str, words)])


class SealedFolder:
    """A model, rows, and codes in a folder; nothing of it may change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "rows.csv").write_text("a,b\n1,1\n0,1\n")
        (path / "codes.csv").write_text("feature,code,text\na,1,A\nb,2,B\n")
        model = {"labels": ["no", "yes"]}
        (path / "m.json").write_text(json.dumps(model))
        reasons.compile("a & b").save(path / "m.reasons")
        (path / "link.csv").symlink_to("rows.csv")
        self.before = self.content()

    def content(self) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in self.path.iterdir() if file.is_file()}

    def refuses(self, what: str, work: Callable[[], Any]) -> None:
        with pytest.raises(reasons.InputError, match=what):
            work()
        assert self.content() == self.before


WRITTEN: list[tuple[list[str], str]] = [
    (["--letters", "rows.csv", "--codes", "codes.csv"], "the data that is audited"),
    (["--letters", "link.csv", "--codes", "codes.csv"], "the data that is audited"),
    (["--letters", "./codes.csv", "--codes", "codes.csv"], "read as well"),
    (["--letters", "x.parquet", "--codes", "codes.csv", "-o", "x.parquet"], "written as well"),
    (["--letters", "v/part-000000.parquet", "--codes", "codes.csv", "-o", "v"], "written as well"),
    (["--report", "x.pdf"], "name it .html"),
    (["--letters", "x.pdf", "--codes", "codes.csv"], "letters go to"),
]


@pytest.mark.parametrize(("options", "what"), WRITTEN)
def test_the_command_line_writes_over_nothing_that_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], what: str
) -> None:
    folder = SealedFolder(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("reasons.cli.audit.run_audit", None)  # refused before any work
    found = run("m.reasons", "rows.csv", *options)
    assert found.exit_code == 2
    assert what in found.stderr
    assert folder.content() == folder.before


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("m.json", ["--report", "m.html"]),
        ("m.parquet", ["-o", "m.parquet"]),
        ("m.jsonl", ["--letters", "m.jsonl", "--codes", "codes.csv"]),
    ],
)
def test_the_command_line_does_not_write_over_its_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, options: list[str]
) -> None:
    SealedFolder(tmp_path)
    (tmp_path / model).write_bytes(b"a model")
    monkeypatch.chdir(tmp_path)
    found = run(model, "rows.csv", *options)
    assert found.exit_code == 2
    assert "read as well" in found.stderr
    assert (tmp_path / model).read_bytes() == b"a model"


def test_an_audit_writes_over_nothing_that_it_reads(tmp_path: Path) -> None:
    folder = SealedFolder(tmp_path)
    found = reasons.audit(reasons.compile("a & b"), tmp_path / "rows.csv")
    codes = tmp_path / "codes.csv"
    folder.refuses("the data", lambda: found.letters(tmp_path / "rows.csv", codes))
    folder.refuses("read as well", lambda: found.letters(codes, codes))
    folder.refuses("null character", lambda: found.report("x\0.html"))
    every = reasons.audit(reasons.compile("a & b"), tmp_path / "rows.csv", output=tmp_path / "v")
    folder.before = folder.content()
    part = tmp_path / "v" / "part-000000.parquet"
    folder.refuses("written as well", lambda: every.letters(part, codes))
    assert len(every.table) == 2


def test_a_report_may_lie_beside_the_data(tmp_path: Path) -> None:
    SealedFolder(tmp_path)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "rows.csv").write_text("a,b\n1,1\n0,1\n")
    found = reasons.audit(reasons.compile("a & b"), tmp_path / "logs")
    assert [file.name for file in found.report(tmp_path / "logs" / "x.html")] == [
        "x.html",
        "x.json",
    ]
    with pytest.raises(reasons.InputError, match="taken for data"):
        found.letters(tmp_path / "logs" / "x.csv", CODES)

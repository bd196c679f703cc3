"""`reasons audit --engine`: the program with a real cluster, from the outside."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import pytest

import reasons
from reasons.formats.rows.source import PART
from tests.support.audit.clusters import cluster, needs_spark, rows
from tests.support.audit.loans import loans

PROGRAM = [sys.executable, "-W", "ignore", "-c", "from reasons.cli import main; main()", "audit"]
ROWS = 2 * PART + 5


class Case(NamedTuple):
    """A model and rows in files, and what an audit of them writes."""

    folder: Path
    wanted: bytes

    def command(self, output: Path, *more: str) -> list[str]:
        files = [str(self.folder / name) for name in ("model.reasons", "rows.parquet")]
        return [*PROGRAM, *files, "--protected", "sex", "--keep", "id", "-o", str(output), *more]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("case")
    loans().save(folder / "model.reasons")
    pq.write_table(rows(ROWS), folder / "rows.parquet")
    output = folder / "wanted.parquet"
    reasons.audit(loans(), rows(ROWS), protected="sex", keep="id", output=output)
    return Case(folder, output.read_bytes())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster(2) as running:
        yield running.scheduler_address


def test_the_program_audits_on_a_cluster(tmp_path: Path, case: Case, address: str) -> None:
    output = tmp_path / "x.parquet"
    command = case.command(output, "--engine", "dask", "--scheduler", address, "--json")
    done = subprocess.run(command, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    found = json.loads(done.stdout)
    assert found["rows"] == ROWS
    assert found["written"] == [str(output)]
    assert output.read_bytes() == case.wanted


def in_terminal(command: list[str]) -> str:
    """What a program shows to somebody who watches it."""
    reading, writing = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "150", "NO_COLOR": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=writing, env=environment
    ) as process:
        os.close(writing)
        shown = b""
        try:
            while data := os.read(reading, 1 << 16):
                shown += data
        except OSError:  # the other side is closed
            pass
        os.close(reading)
    assert process.returncode == 0
    return shown.decode()


@pytest.mark.parametrize("engine", ["threads", "dask"])
def test_rows_done_their_rate_and_the_time_left_are_shown(
    tmp_path: Path, case: Case, address: str, engine: str
) -> None:
    at = ["--scheduler", address] if engine == "dask" else []
    shown = in_terminal(case.command(tmp_path / "x.parquet", "--engine", engine, *at))
    assert re.search(r"[1-9][\d,]* rows .*\d+%.*\d:\d\d:\d\d \d:\d\d:\d\d", shown), shown[-2000:]
    assert re.search(r"[1-9][\d,]* rows/s", shown)
    assert f"{ROWS:,} rows" in shown
    assert "100%" in shown


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"], "no Dask scheduler answers at"),
        (["--engine", "pigeons"], 'is not known; use "dask", "spark"'),
        (["--scheduler", "tcp://127.0.0.1:9"], "goes with"),
    ],
)
def test_engines_that_cannot_be_used_end_with_a_message(
    tmp_path: Path, case: Case, options: list[str], what: str
) -> None:
    done = subprocess.run(case.command(tmp_path / "x.parquet", *options), capture_output=True)
    errors = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert errors.startswith("reasons: ")
    assert what in errors
    assert errors.count("\n") == 1
    assert not list(tmp_path.iterdir())


@needs_spark
@pytest.mark.slow
def test_the_program_audits_with_spark(tmp_path: Path, case: Case) -> None:
    pytest.importorskip("pyspark")
    output = tmp_path / "x.parquet"
    command = case.command(output, "--engine", "spark", "--scheduler", "local[2]", "--json")
    done: Any = subprocess.run(command, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert json.loads(done.stdout)["rows"] == ROWS
    assert output.read_bytes() == case.wanted

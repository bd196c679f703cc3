"""Runs that are killed, stopped, or out of room: nothing half, nothing lost, the same bytes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

import reasons
from reasons.audit.outputs import parquet_parts
from reasons.formats.rows.source import PART
from tests.support.audit.clusters import rows
from tests.support.audit.loans import loans

PARTS = 5
OPTIONS: dict[str, Any] = {"protected": "sex", "keep": ["id", "job"]}

# An audit in a process of its own. At a planted place the process kills itself, or waits.
PROGRAM = """
import os, signal, sys, time
import reasons
from reasons.audit.outputs import parquet_parts as parts

model, data, output, place, count = *sys.argv[1:5], int(sys.argv[5])

def planted(owner, name, before):
    original = getattr(owner, name)
    def instead(*arguments, **options):
        global count
        count -= 1
        if count == 0 and before:
            os.kill(os.getpid(), signal.SIGKILL)
        found = original(*arguments, **options)
        if count == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return found
    setattr(owner, name, instead)

if place == "slow":
    original = parts.Parts.write
    def write(*arguments):
        time.sleep(0.1)
        original(*arguments)
    parts.Parts.write = write
elif place != "-":
    owner, name, when = place.split()
    planted({"os": os, "Parts": parts.Parts, "parts": parts, "pq": __import__("pyarrow.parquet")
             .parquet.ParquetWriter}[owner], name, when == "before")
reasons.audit(reasons.load(model), data, output=output, protected="sex", keep=["id", "job"])
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "rows.parquet"
    loans().save(path.with_name("model.reasons"))
    pq.write_table(rows((PARTS - 1) * PART + 17), path, row_group_size=100_000)
    return path


@pytest.fixture(scope="module")
def wanted(data: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("wanted") / "x.parquet"
    reasons.audit(loans(), data, output=path, **OPTIONS)
    return path.read_bytes()


def started(data: Path, output: Path, place: str = "-", count: int = 0) -> Any:
    command = program(data, output, place, count)
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def program(data: Path, output: Path, place: str = "-", count: int = 0, first: str = "") -> Any:
    """The command that audits; `first` is run before."""
    model = data.with_name("model.reasons")
    arguments = [str(x) for x in (model, data, output, place, count)]
    return [sys.executable, "-c", first + PROGRAM, *arguments]


def finished_parts(output: Path) -> list[str]:
    return sorted(path.name for path in Path(f"{output}.parts").glob("part-*.parquet"))


def require_same(data: Path, output: Path, wanted: bytes) -> None:
    """Going on gives the file that one run gives, and leaves nothing else."""
    reasons.audit(loans(), data, output=output, **OPTIONS)
    assert output.read_bytes() == wanted
    assert [path.name for path in output.parent.iterdir()] == [output.name]


PLACES = [
    ("Parts write before", 1),
    ("pq write_batch before", 3),
    ("os replace after", 5),
    ("parts _note before", 2),
    ("pq write_batch before", PARTS + 3),
    ("Parts remove before", 1),
    *(
        pytest.param(*place, marks=pytest.mark.slow)
        for place in [
            ("Parts write after", 1),
            ("os fsync before", 3),
            ("os replace before", 4),
            ("Parts join before", 1),
            ("Parts remove after", 1),
        ]
    ),
]


@pytest.mark.parametrize(("place", "count"), PLACES)
def test_a_run_that_is_killed_goes_on_where_it_ended(
    tmp_path: Path, data: Path, wanted: bytes, place: str, count: int
) -> None:
    output = tmp_path / "x.parquet"
    process = started(data, output, place, count)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, "it was killed"
    if place.startswith("Parts remove"):
        assert output.read_bytes() == wanted, "it was finished but for the removal"
    else:
        assert not output.exists(), "there is no half file"
    require_same(data, output, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_run_that_is_killed_at_random_goes_on(
    tmp_path: Path, data: Path, wanted: bytes, seed: int
) -> None:
    rng, output = Random(seed), tmp_path / "x.parquet"
    for _ in range(3):
        process = started(data, output, "slow")
        while not (tmp_path / "x.parquet.parts").exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.8)
        process.kill()
        process.communicate()
    require_same(data, output, wanted)


@pytest.fixture(scope="module")
def left(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parts that a run left which was killed after three of them."""
    output = tmp_path_factory.mktemp("left") / "x.parquet"
    started(data, output, "Parts write after", 3).communicate(timeout=60)
    assert len(finished_parts(output)) == 3
    return Path(f"{output}.parts")


@pytest.fixture
def killed(left: Path, tmp_path: Path) -> Path:
    """A copy of them."""
    return shutil.copytree(left, tmp_path / "x.parquet.parts")


def test_what_was_finished_is_not_done_again(
    killed: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = killed.with_name("x.parquet")
    written, original = [], parquet_parts.Parts.write

    def write(self: Any, number: int, batch: Any, counts: bytes) -> None:
        written.append(number)
        original(self, number, batch, counts)

    monkeypatch.setattr(parquet_parts.Parts, "write", write)
    reasons.audit(loans(), data, output=output, **OPTIONS)
    assert sorted(written) == [3, 4]


def shortened(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    """One bit in the middle of the verdicts, where Parquet's footer says nothing of it."""
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)


def exchanged(path: Path) -> None:
    """A sound part, of other rows."""
    path.write_bytes(path.with_name("part-000001.parquet").read_bytes())


@pytest.mark.parametrize("damage", [shortened, emptied, flipped, exchanged, Path.unlink])
def test_a_part_that_was_damaged_is_made_again(
    tmp_path: Path, killed: Path, data: Path, wanted: bytes, damage: Any
) -> None:
    damage(killed / "part-000002.parquet")
    require_same(data, tmp_path / "x.parquet", wanted)


@pytest.mark.parametrize(
    "notes", [b"", b"0 12", b"\xff\xfe\n1 zz\n", b"99999999999999999999 " + b"0" * 32]
)
def test_notes_that_were_damaged_cost_time_only(
    tmp_path: Path, killed: Path, data: Path, wanted: bytes, notes: bytes
) -> None:
    (killed / "_finished.txt").write_bytes(notes)
    require_same(data, tmp_path / "x.parquet", wanted)


def test_a_part_that_vanishes_during_a_run_is_named(tmp_path: Path, data: Path) -> None:
    output = tmp_path / "x.parquet"

    def vanish(stage: str, done: int, total: int | None) -> None:
        (tmp_path / "x.parquet.parts" / "part-000000.parquet").unlink(missing_ok=True)

    with pytest.raises(reasons.InputError, match=r"cannot read .*part-000000.parquet.* again"):
        reasons.audit(
            loans(), data, output=output, budget=reasons.Budget(progress=vanish), **OPTIONS
        )
    assert not output.exists()


def test_another_audits_parts_are_not_mixed_in(killed: Path, data: Path) -> None:
    output = killed.with_name("x.parquet")
    other = reasons.from_table([{"sex": sex, "y": sex == "f"} for sex in ("f", "m")])
    table = pq.read_table(data)
    for classifier, rows_of, options, what in [
        (loans(), data, {"ask": ["necessary"]}, "of another classifier or with other options"),
        (loans(), data, {"keep": ["id"]}, "of another classifier or with other options"),
        (other, data, {}, "of another classifier or with other options"),
        (loans(), table, {}, "of other data, or the data has changed"),
    ]:
        with pytest.raises(reasons.InputError, match=f"parts of another audit .{what}"):
            reasons.audit(classifier, rows_of, output=output, **{**OPTIONS, **options})
    assert len(finished_parts(output)) == 3, "refusals keep what is there"
    reasons.audit(loans(), table.slice(0, 100), output=output, restart=True, **OPTIONS)
    assert pq.read_metadata(output).num_rows == 100
    assert [path.name for path in output.parent.iterdir()] == ["x.parquet"]


def test_data_that_changed_between_runs_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "rows.parquet"

    def stop(stage: str, done: int, total: int | None) -> None:
        if done:
            raise KeyboardInterrupt

    options: dict[str, Any] = {**OPTIONS, "output": tmp_path / "x.parquet"}
    pq.write_table(rows(PART + 1), data)
    with pytest.raises(KeyboardInterrupt):
        reasons.audit(loans(), data, budget=reasons.Budget(progress=stop), **options)
    pq.write_table(rows(PART + 1), data)
    with pytest.raises(reasons.InputError, match="of other data, or the data has changed"):
        reasons.audit(loans(), data, **options)


def test_data_that_changes_during_a_run_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    own.write_text("income,job,sex\n" + "30,clerk,f\n" * (2 * PART))

    def change(stage: str, done: int, total: int | None) -> None:
        with own.open("a") as file:
            file.write("30,clerk,m\n")

    with pytest.raises(reasons.InputError, match=r"own.csv changed while it was read"):
        reasons.audit(
            loans(),
            own,
            output=tmp_path / "x.parquet",
            workers=1,
            budget=reasons.Budget(progress=change),
        )
    assert not (tmp_path / "x.parquet").exists()


def test_a_second_run_at_the_same_output_is_refused(
    tmp_path: Path, data: Path, wanted: bytes
) -> None:
    output = tmp_path / "x.parquet"
    first = started(data, output, "slow")
    try:
        while not finished_parts(output):
            assert first.poll() is None
            time.sleep(0.01)
        for restart in (False, True):
            with pytest.raises(reasons.InputError, match=f"another run uses.*{first.pid}"):
                reasons.audit(loans(), data, output=output, restart=restart, **OPTIONS)
        assert first.wait(timeout=60) == 0, "the first is not disturbed"
    finally:
        first.kill()
        first.communicate()
    assert output.read_bytes() == wanted
    assert [path.name for path in tmp_path.iterdir()] == ["x.parquet"]


def test_a_killed_run_holds_no_lock(
    tmp_path: Path, killed: Path, data: Path, wanted: bytes
) -> None:
    assert (killed / ".lock").exists()
    require_same(data, tmp_path / "x.parquet", wanted)


def test_starting_again_removes_only_what_an_audit_made(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "letter.txt").write_text("keep me")
    for restart in (False, True):
        with pytest.raises(reasons.InputError, match="is not empty and not the output of an audit"):
            reasons.audit(loans(), rows(5), output=folder, restart=restart)
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]
    other = tmp_path / "parts"
    for restart in (False, True):
        reasons.audit(loans(), rows(5), output=other, restart=restart)
        (other / "letter.txt").write_text("keep me")
    assert (other / "letter.txt").read_text() == "keep me"


def test_a_folder_of_parts_is_read_by_others(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    found = reasons.audit(loans(), rows(PART + 5), output=tmp_path / "parts", **OPTIONS)
    assert pq.read_table(tmp_path / "parts").to_pylist() == found.table.to_pylist()
    files = str(tmp_path / "parts" / "*.parquet")
    assert duckdb.sql(f"select count(*) from '{files}'").fetchall() == [(PART + 5,)]
    assert not (tmp_path / "parts" / ".lock").exists()


def reasons_program(data: Path, output: Path, **options: Any) -> Any:
    source = data.with_name("model.reasons")
    program = "from reasons.cli import main; main()"
    slow = PROGRAM.split('if place == "slow":')[1].split("elif")[0]
    imports = "import time\nfrom reasons.audit.outputs import parquet_parts as parts"
    program = f"{imports}\nif True:{slow}{program}"
    command = [sys.executable, "-c", program, "audit", str(source), str(data), "--protected", "sex"]
    command += ["--keep", "id,job", "-o", str(output)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, **options)


def test_ctrl_c_leaves_a_state_to_go_on_from(tmp_path: Path, data: Path, wanted: bytes) -> None:
    output = tmp_path / "x.parquet"
    process = reasons_program(data, output)
    while not finished_parts(output):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    kept = PART * len(finished_parts(output))
    assert (
        errors.decode()
        == f"reasons: stopped; {kept:,} rows are saved: the same command continues\n"
    )
    require_same(data, output, wanted)


def test_a_file_that_may_not_grow_is_a_clean_error(
    tmp_path: Path, data: Path, wanted: bytes
) -> None:
    """As on a full disk, but for this process only."""
    output, size = tmp_path / "x.parquet", len(wanted) // 2
    first = (
        "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
    )
    done = subprocess.run(program(data, output, first=first), capture_output=True)
    assert done.returncode == 1
    assert b"InputError: cannot write" in done.stderr
    assert b"File too large. Finished parts are kept" in done.stderr
    assert not output.exists()
    assert len(finished_parts(output)) == PARTS, "the parts are there, the joined file is too large"
    require_same(data, output, wanted)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "reasons-test", str(folder)]
    if os.geteuid() or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize(
    ("kind", "room"), [("parquet", 0.1), ("parquet", 1.5), ("duckdb", 0.1), ("duckdb", 1.05)]
)
def test_a_full_disk_is_a_clean_error_and_leaves_no_half_file(
    tmp_path: Path, data: Path, wanted: bytes, kind: str, room: float
) -> None:
    with small_disk(tmp_path / "disk", int(len(wanted) * room)) as disk:
        output = disk / f"x.{kind}"
        with pytest.raises(reasons.InputError, match=r"cannot write .*(No space|[Nn]o space|full)"):
            reasons.audit(loans(), data, output=output, **OPTIONS)
        assert not output.exists()
        names = {path.name for path in disk.rglob("*")}
        assert not {name for name in names if "unfinished" in name or name == ".lock"}
        subprocess.run(["mount", "-o", "remount,size=100m", str(disk)], check=True)
        found = reasons.audit(loans(), data, output=output, **OPTIONS)
        assert found.table.num_rows == (PARTS - 1) * PART + 17
        if kind == "parquet":
            assert output.read_bytes() == wanted


def in_duckdb(path: Path) -> list[tuple[Any, ...]]:
    import duckdb

    with duckdb.connect(str(path), read_only=True) as base:
        return base.sql("select * from verdicts").fetchall()


@pytest.mark.slow
def test_the_table_of_duckdb_has_the_values_of_the_file(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    data = rows(PART + 50)
    file = reasons.audit(loans(), data, output=tmp_path / "x.parquet", **OPTIONS).table
    base = reasons.audit(loans(), data, output=tmp_path / "x.duckdb", **OPTIONS)
    wanted = [tuple(row.values()) for row in file.to_pylist()]
    assert in_duckdb(tmp_path / "x.duckdb") == wanted
    assert base.table.to_pylist() == file.to_pylist()


def test_a_database_that_was_there_keeps_its_other_tables(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "x.duckdb")) as base:
        base.execute("create table mine as select 7 as x")
        base.execute("create table verdicts as select 'old' as x")
    reasons.audit(loans(), rows(5), output=tmp_path / "x.duckdb", **OPTIONS)
    assert len(in_duckdb(tmp_path / "x.duckdb")) == 5
    with duckdb.connect(str(tmp_path / "x.duckdb")) as base:
        assert base.sql("select x from mine").fetchall() == [(7,)]


DUCK = """
import os, signal, sys
from reasons.audit.outputs import duckdb as duck
original = duck.DuckDBOutput._copy
def copy(self, base):
    connect = self._duckdb.connect
    class Killing:
        def __init__(self, connected): self.connected = connected
        def __enter__(self): return self
        def __exit__(self, *_): pass
        def execute(self, text, *arguments):
            if text == "COMMIT":
                os.kill(os.getpid(), signal.SIGKILL)
            return self.connected.execute(text, *arguments)
    class Duckdb:
        Error = self._duckdb.Error
        connect = staticmethod(lambda path: Killing(connect(path)))
    self._duckdb = Duckdb
    original(self, base)
duck.DuckDBOutput._copy = copy
"""


@pytest.mark.parametrize("new", [True, False])
def test_a_table_of_duckdb_is_all_or_nothing(tmp_path: Path, data: Path, new: bool) -> None:
    duckdb = pytest.importorskip("duckdb")
    output = tmp_path / "x.duckdb"
    if not new:
        with duckdb.connect(str(output)) as base:
            base.execute("create table verdicts as select 'old' as x")
    done = subprocess.run(program(data, output, first=DUCK), capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert output.exists() is not new
    if not new:
        assert in_duckdb(output) == [("old",)]
    assert len(finished_parts(output)) == PARTS
    found = reasons.audit(loans(), data, output=output, **OPTIONS)
    assert len(in_duckdb(output)) == len(found) == (PARTS - 1) * PART + 17


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    (tmp_path / "x.duckdb").write_text("a letter, and no database" * 1000)
    with pytest.raises(reasons.InputError, match=r"cannot write .*x.duckdb"):
        reasons.audit(loans(), rows(5), output=tmp_path / "x.duckdb", **OPTIONS)
    assert (tmp_path / "x.duckdb").read_text().startswith("a letter")

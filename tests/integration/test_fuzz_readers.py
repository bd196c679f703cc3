"""The readers under sanitizers, for a fixed time: `make fuzz` does it for longer."""

import fcntl
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.folders import ROOT

BUILD = ROOT / "build" / "sanitized"
SECONDS, SEED, LEAST = 40, 1, 85


def runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_run", ROOT / "core" / "fuzz" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def build() -> Path:
    if shutil.which("gcov") is None or shutil.which("make") is None:
        pytest.skip("gcov and make are needed")
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / ".fuzzers.lock", "w") as lock:  # two test processes, one build
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(["make", "fuzzers"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return BUILD


@pytest.mark.slow
def test_no_reader_breaks_and_nearly_every_line_is_reached(build: Path) -> None:
    run = runner()
    run.forget_coverage(build)
    for reader in run.SOURCES:
        held, tried, accepted = run.fuzz(reader, build, SECONDS / len(run.SOURCES), SEED)
        print(f"{reader}: {tried:,} inputs, {accepted:,} accepted")
        assert held, reader
        assert accepted > tried / 50 > 1
    reached = run.coverage(build)
    assert set(reached) == {run.source_name(path) for path in run.FORMATS.rglob("*.cpp")}
    for name, (lines, every) in sorted(reached.items()):
        print(f"{name}: {lines} of {every} lines")
    assert {
        name for name, (lines, every) in reached.items() if 100 * lines < LEAST * every
    } == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bug", "said"),
    [
        ("overrun", "heap-buffer-overflow"),
        ("wrong", "the circuit and the file disagree"),
        ("slow", "more than 2 s"),
        ("memory", "more than 512 MB"),
        ("exception", "an exception that is not ours"),
        ("line", "a refusal names line"),
    ],
)
def test_a_planted_bug_is_found_shrunk_and_replayed(
    build: Path, tmp_path: Path, bug: str, said: str
) -> None:
    program = build / "core" / "fuzz" / "fuzz_planted"
    seeds = sorted((ROOT / "core" / "fuzz" / "seeds" / "nnf").glob("*.nnf"))
    environment = {**os.environ, "REASONS_PLANTED": bug}

    def ran(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [program, *words], env=environment, capture_output=True, text=True, timeout=120
        )

    found = ran("--seconds", "30", "--seed", "5", "--out", tmp_path, *seeds)
    assert found.returncode == 1, found.stdout
    assert said in found.stdout
    shrunk = tmp_path / "shrunk"
    assert shrunk.stat().st_size <= 80
    again = ran("--run", shrunk)
    assert again.returncode < 0
    assert said in again.stderr
    replay = found.stdout.split("replay ")[1].split("\n")[0].split()
    assert ran(*replay, *seeds).stdout.encode() == (tmp_path / "found").read_bytes()


def test_seeds_are_our_own_and_small() -> None:
    run = runner()
    for reader in run.SOURCES:
        seeds = sorted((ROOT / "core" / "fuzz" / "seeds" / reader).iterdir())
        assert len(seeds) >= 3
        assert all(path.stat().st_size < 1000 for path in seeds)

"""Tiers of the suite: shards are a partition, quick runs meet the oracle, skips are told."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins import skips, tiers
from tests.support.folders import ROOT

TESTS = """
import pytest

@pytest.mark.parametrize("i", range(40))
def test_some(i):
    pass

@pytest.mark.skip(reason="no chromium: make browser")
def test_page():
    pass

@pytest.mark.skip(reason="nothing is possible")
def test_drawn():
    pass
"""


def run(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_some.py").write_text(TESTS)
    plugins = ["-p", "tests.plugins.tiers", "-p", "tests.plugins.skips"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugins, *options]
    return subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", str(folder), str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def test_shards_are_a_partition(tmp_path: Path) -> None:
    collected = [
        {
            line
            for line in run(tmp_path, "--shard", f"{k}/3", "--collect-only").stdout.splitlines()
            if "::" in line
        }
        for k in (1, 2, 3)
    ]
    assert all(collected)
    assert len(set.union(*collected)) == sum(map(len, collected)) == 42


@pytest.mark.parametrize("shard", ["0/3", "4/3", "1", "a/b", ""])
def test_odd_shards_are_refused(shard: str) -> None:
    with pytest.raises(pytest.UsageError, match="expected K/N"):
        tiers.shard_of(shard)


def test_skips_are_told_with_a_remedy_and_fail_where_none_may_be(tmp_path: Path) -> None:
    lenient = run(tmp_path, REASONS_STRICT_SKIPS="0")
    assert lenient.returncode == 0
    assert "1 skipped: no chromium: make browser" in lenient.stdout
    assert "nothing is possible" not in lenient.stdout
    assert run(tmp_path, REASONS_STRICT_SKIPS="1").returncode == 1


def test_remedies_are_targets_of_the_makefile() -> None:
    targets = (ROOT / "Makefile").read_text()
    for remedy in skips.REMEDIES.values():
        if remedy.startswith("make "):
            assert f"\n{remedy.split()[1]}:" in targets, remedy


def test_quick_runs_meet_the_oracle_and_their_folders_are_there() -> None:
    assert all((ROOT / path).exists() for path in tiers.QUICK_PATHS)
    long = tiers.long_functions()
    names = [
        "tests/integration/test_exhaustive.py::test_random_classifiers[tree-0]",
        "tests/integration/test_exhaustive.py::test_every_function_of_up_to_two_variables[2]",
    ]
    assert all(tiers.is_quick(name, long) for name in names)
    assert not tiers.is_quick("tests/integration/test_exhaustive.py::test_random_classifiers", long)


def test_no_test_module_imports_another() -> None:
    """What tests share is in tests/support; only planted errors are run against whole tests."""
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("tests.")
        and any(".test_" in f"{node.module}.{name.name}" for name in node.names)
    }
    assert found <= {"tests/unit/server/test_planted.py"}

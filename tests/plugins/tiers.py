"""Tiers of the suite: quick, default and slow, and shards of the slow one.

- Slow tests have the marker `slow`, or match `SLOW` below: there, siblings with fewer seeds or
  smaller models stay in the default tier.
- `--quick` leaves out every test function that tests/durations.json records above half a
  second (all parameters together), except comparisons with the oracle.
- `--shard K/N` keeps the K-th of N parts. A test's part is a hash of its id, so that it stays
  the same whatever else is collected.
"""

import json
import re
import zlib
from collections.abc import Callable, Iterable

import pytest

from tests.support.folders import ROOT

DURATIONS = ROOT / "tests" / "durations.json"
QUICK_SECONDS = 0.5
# What a quick run collects: no folder whose tests import a model library or start a server.
QUICK_PATHS = (
    "src/reasons",
    "tests/unit/core",
    "tests/unit/circuits",
    "tests/unit/counting",
    "tests/unit/explain",
    "tests/unit/features",
    "tests/unit/formats",
    "tests/unit/frontends/cnf",
    "tests/unit/frontends/formula",
    "tests/unit/frontends/functions",
    "tests/unit/frontends/rules",
    "tests/unit/frontends/scorecards",
    "tests/unit/render",
    "tests/unit/search",
    "tests/integration/paper",
    "tests/integration/test_bad_input.py",
    "tests/integration/test_edge_cases.py",
    "tests/integration/test_exhaustive.py",
    "tests/integration/test_oracle.py",
    "tests/unit/frontends/sklearn/test_trees.py",
)
# Comparisons of all queries with the oracle: long for a quick run, and wanted in each.
ALWAYS_QUICK = (
    r"tests/integration/test_exhaustive\.py::test_random_classifiers\[(tree|Decision-DNNF)-0\]",
    r"tests/integration/test_exhaustive\.py::test_every_function_of_up_to_two_variables\[.*\]",
)
# Regular expressions of test ids; each must match a test, so that none goes stale.
SLOW = (
    r"tests/integration/test_exhaustive\.py::test_random_classifiers\[.*-[123]\]",
    r"tests/integration/test_exhaustive\.py::test_sampled_functions_of_four_variables\[[4-7]\]",
    r"tests/integration/test_exhaustive\.py::test_every_function_of_three_.*\[(8|9|1\d)\]",
    r"tests/integration/models/test_small_models\.py::test_ten_classes\[.*\]",
    r"tests/integration/models/test_small_models\.py::test_all_answers_.*\[.*-3\]",
    r"tests/integration/models/test_real_tables\.py::test_real_tables\[(?!cancer).*\]",
    r"tests/unit/server/test_executor\.py::test_slow_work_ends_soon.*\[(knots|lazy)-.*\]",
    r"tests/unit/server/test_schema\.py::test_no_request_makes.*\[(?!loans|formula).*\]",
    r"tests/unit/circuits/test_cnf_backend\.py::test_every_answer_is_that.*\[(7[5-9]|[89]\d|1\d\d)\]",
    r"tests/unit/frontends/sklearn/test_pipeline\.py::test_pipelines_are_decided.*-True\]",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers")
    group.addoption("--quick", action="store_true", help="only short tests of a few folders")
    group.addoption("--shard", metavar="K/N", help="only the K-th of N parts, from 1")


def pytest_configure(config: pytest.Config) -> None:
    if shard := config.getoption("--shard"):
        shard_of(shard)
    if config.getoption("--quick") and _is_whole_suite(config):
        config.args[:] = QUICK_PATHS


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is slow, before the selection by marker, and leave out what was not asked for."""
    unmatched = mark_slow(items)
    if unmatched and _is_whole_suite(config):
        raise pytest.UsageError(f"tests/plugins/tiers.py: no test matches {', '.join(unmatched)}")
    if config.getoption("--quick"):
        long = long_functions()
        _keep(config, items, lambda item: is_quick(item.nodeid, long))
    if shard := config.getoption("--shard"):
        part, parts = shard_of(shard)
        _keep(config, items, lambda item: part_of(item.nodeid, parts) == part)


def mark_slow(items: Iterable[pytest.Item]) -> list[str]:
    """Give the marker to what matches; the expressions that match nothing."""
    left = dict.fromkeys(SLOW)
    patterns = {text: re.compile(text) for text in SLOW}
    for item in items:
        for text, pattern in patterns.items():
            if pattern.fullmatch(item.nodeid):
                item.add_marker(pytest.mark.slow)
                left.pop(text, None)
    return list(left)


def _is_whole_suite(config: pytest.Config) -> bool:
    return bool(config.args == config.getini("testpaths"))


def long_functions() -> set[str]:
    """Test functions that take longer than a quick test may, all parameters together."""
    recorded: dict[str, float] = json.loads(DURATIONS.read_text())
    return {name for name, seconds in recorded.items() if seconds > QUICK_SECONDS}


def is_quick(nodeid: str, long: set[str]) -> bool:
    """Whether a test is short, or a comparison with the oracle that is always wanted."""
    wanted = any(re.fullmatch(pattern, nodeid) for pattern in ALWAYS_QUICK)
    return wanted or function_of(nodeid) not in long


def function_of(nodeid: str) -> str:
    """A test's id without its parameters.

    >>> function_of("tests/test_a.py::test_b[1-[2]]")
    'tests/test_a.py::test_b'
    """
    return nodeid.partition("[")[0]


def shard_of(text: str) -> tuple[int, int]:
    """K and N of "K/N".

    >>> shard_of("2/8")
    (2, 8)
    """
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise pytest.UsageError(f"--shard {text}: expected K/N, as 2/8, K from 1 to N")
    return int(found[1]), int(found[2])


def part_of(nodeid: str, parts: int) -> int:
    """Which of so many parts a test is in, from 1."""
    return zlib.crc32(nodeid.encode()) % parts + 1


def _keep(config: pytest.Config, items: list[pytest.Item], is_kept: Callable[..., bool]) -> None:
    kept = [item for item in items if is_kept(item)]
    config.hook.pytest_deselected(items=[item for item in items if not is_kept(item)])
    items[:] = kept

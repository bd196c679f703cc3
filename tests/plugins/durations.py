"""CPU seconds of test functions: `--record-durations` writes tests/durations.json.

CPU time, children included, because the clock measures the machine's other work. Functions below
a fifth of a second, all parameters together, are not recorded.
"""

import json
import os
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.plugins.tiers import DURATIONS, function_of

LEAST = 0.2
_PROPERTY = "cpu_seconds"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("tiers").addoption(
        "--record-durations", action="store_true", help=f"write {DURATIONS.name} anew"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--record-durations"):
        config.pluginmanager.register(_Recorder(DURATIONS))


class _Recorder:
    """Measures where tests run, and adds up where reports arrive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seconds: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        item.user_properties.append((_PROPERTY, -_cpu()))
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        yield
        item.user_properties.append((_PROPERTY, _cpu()))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            spent = sum(float(str(v)) for name, v in report.user_properties if name == _PROPERTY)
            self._seconds[function_of(report.nodeid)] += max(0.0, spent)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput"):
            return
        recorded = {k: round(v, 1) for k, v in sorted(self._seconds.items()) if v >= LEAST}
        self._path.write_text(json.dumps(recorded, indent=0) + "\n")


def _cpu() -> float:
    return sum(os.times()[:4])

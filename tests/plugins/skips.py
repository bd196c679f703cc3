"""Skipped tests: what was left out, how to have it run, and an error where nothing may be.

A run ends by saying what was skipped for want of something, and the command that brings it. With
`REASONS_STRICT_SKIPS=1`, as in CI, a skip whose reason is not in `INHERENT` fails the run.
"""

import os
import re
from collections import Counter

import pytest

STRICT = "REASONS_STRICT_SKIPS"
# Reasons that no machine can do anything about: drawn parameters that do not apply.
INHERENT = (
    "nothing is possible",
    "malformed, or slow to compare",
    "it takes no sparse columns",
    "it takes codes",
    "no sum is rounded so here",
    "it does not compile within the budget; search answers it",
    "CP-SAT ran out of time",  # the reference, not what is tested
    "all tests skipped by +SKIP option",
    "there is no d4 on PATH",  # in no package registry
    "could not import 'dd.dddmp'",  # a tool of the benches; our files are read by it there
)
# What a reason speaks of, and how to have those tests run.
REMEDIES = {
    r"chromium|playwright": "make browser",
    r"page is not built|axe-core|npm": "make webapp (needs npm)",
    r"\btorch\b": "make torch",
    r"jupyter": "make jupyter",
    r"java\b": "apt-get install default-jre-headless",
    r"shared": "put the shared data at ../shared",
    r"gcov": "apt-get install gcc make",
}


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Skips())


class _Skips:
    """Collects skip reasons where reports arrive."""

    def __init__(self) -> None:
        self._reasons: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._add(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._add(report)

    def _add(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self._reasons[reason_of(report)] += 1

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._unlisted() and os.environ.get(STRICT) == "1" and session.exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        unlisted = self._unlisted()
        if not unlisted:
            return
        terminalreporter.section("tests that were left out")
        for reason, number in unlisted.items():
            remedy = remedy_of(reason)
            how = f"; to run them: {remedy}" if remedy and remedy not in reason else ""
            terminalreporter.line(f"{number} skipped: {reason}{how}")
        if os.environ.get(STRICT) == "1":
            terminalreporter.line(f"{STRICT}=1: no test may be skipped for these reasons", red=True)

    def _unlisted(self) -> dict[str, int]:
        return {reason: n for reason, n in self._reasons.items() if not is_inherent(reason)}


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The text given to `skip`, without the place."""
    found = report.longrepr
    text = found[2] if isinstance(found, tuple) else str(found)
    return text.removeprefix("Skipped: ")


def is_inherent(reason: str) -> bool:
    return reason.startswith(INHERENT)


def remedy_of(reason: str) -> str | None:
    """The command that brings what a reason misses, if it is known."""
    found = (how for what, how in REMEDIES.items() if re.search(what, reason, re.IGNORECASE))
    return next(found, None)

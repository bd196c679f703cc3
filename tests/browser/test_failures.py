"""Failures: a server that is gone, busy or late, and rows that cannot be decided."""

from typing import Any

import pytest

from tests.support.server import browser as page_served
from tests.support.server.browser import (
    LOANS,
    Opened,
    decision,
    served,
    until,
)

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

LOAN = page_served.loans()


def test_an_unreachable_server_is_reported_with_a_retry(opened: Opened) -> None:
    with served(LOAN, rows=LOANS) as url:
        page = opened(url, allowed="ERR_CONNECTION_REFUSED")
    page.get_by_role("combobox", name="job").select_option("nurse")
    alert = page.get_by_role("alert").first
    alert.wait_for()
    assert "server cannot be reached" in alert.inner_text()
    assert alert.get_by_role("button", name="Try again").is_visible()


def test_a_reached_limit_is_reported_and_the_decision_stays(opened: Opened) -> None:
    from reasons.server.settings import Limits

    with served(LOAN, rows=LOANS, limits=Limits(workers=2, waiting=-2)) as url:
        page = opened(url, allowed="503 (Service Unavailable)", ready=False)
        page.get_by_role("alert").first.wait_for()
        assert "server is busy" in page.get_by_role("alert").first.inner_text()
        assert LOAN.decide(LOANS[0]).label in page.locator("h1").inner_text()


def test_a_late_response_is_dropped(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=4", allowed="ERR_FAILED")
    held: list[Any] = []
    page.route("**/decide", lambda route: held.append(route) if not held else route.continue_())
    page.get_by_role("combobox", name="job").select_option("nurse")
    until(page, "() => document.querySelector('h1').className === 'stale'")
    page.get_by_role("combobox", name="job").select_option("driver")
    expected = LOAN.decide({**LOANS[4], "job": "driver"}).label
    assert decision(page) == expected != LOAN.decide({**LOANS[4], "job": "nurse"}).label
    held[0].abort()
    page.wait_for_timeout(100)
    assert decision(page) == expected


def test_an_undecidable_row_says_why_and_offers_others(opened: Opened) -> None:
    rows = [LOANS[0], {**LOANS[1], "age": 17.5}, LOANS[2]]
    with served(LOAN, rows=rows) as url:
        page = opened(url)
        page.get_by_role("button", name="Next row").click()
        page.locator(".notice").wait_for()
        assert "Row 1 cannot be decided" in page.locator(".notice").inner_text()
        assert "17.5" in page.locator(".notice").inner_text()
        page.get_by_role("button", name="Next row").click()
        assert decision(page) == LOAN.decide(LOANS[2]).label

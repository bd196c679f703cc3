"""Links: the URL holds the state of the page."""

import pytest

from tests.support.server import browser as page_served
from tests.support.server.browser import (
    LOANS,
    Opened,
    decision,
    settled,
    text_with_graph,
    until,
)

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

LOAN = page_served.loans()


@pytest.mark.parametrize("which", ["loans", "hostile"])
def test_a_link_shows_the_same_page_to_others(
    opened: Opened, request: pytest.FixtureRequest, which: str
) -> None:
    url = request.getfixturevalue(which)
    page = opened(url + "#/decision?r=4")
    page.locator("#what-if .flip").first.click()
    settled(page)
    page.get_by_role("button", name="Start case").click()
    page.locator("#bias .toggles button").first.click()
    settled(page)
    assert text_with_graph(opened(page.url)) == text_with_graph(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_link_to_a_section_scrolls_to_it(opened: Opened, loans: str, width: int) -> None:
    page = opened(loans + "#/decision?r=4&t=graph", viewport={"width": width, "height": 700})
    page.locator("#graph .node").first.wait_for()
    settled(page)
    until(
        page,
        "() => Math.abs(document.querySelector('#graph').getBoundingClientRect().top - 120) < 9",
    )
    page.wait_for_timeout(300)
    page.mouse.wheel(0, -400)
    page.wait_for_timeout(300)
    assert page.evaluate("document.querySelector('#graph').getBoundingClientRect().top") > 300


def test_back_undoes_a_click_and_an_invalid_link_says_why(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=4")
    before = decision(page)
    page.locator("#what-if .flip").first.click()
    assert decision(page) != before
    page.go_back()
    until(page, "() => !document.querySelector('.sticks')")
    assert decision(page) == before
    other = opened(loans + "#/decision?i=1~2")
    assert "2 values, but the classifier has 4 features" in other.locator(".notice").inner_text()
    assert decision(other) == LOAN.decide(LOANS[0]).label


def test_a_link_is_copied(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=1", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url

"""The browser tests can fail: planted faults are found."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.server import browser as page_served
from tests.support.server.browser import BAD, Opened, Watch, decision, served, settled

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

HOSTILE = page_served.hostile()


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    with served(HOSTILE, name=BAD) as url:
        yield url


def watched(browser: Any, url: str, planted: str) -> list[str]:
    """What a watch notes on a page that runs a script of ours as well."""
    context = browser.new_context()
    page = context.new_page()
    watch = Watch(page, url.rstrip("/"))
    page.add_init_script(planted)
    page.goto(url)
    settled(page)
    page.wait_for_timeout(300)
    context.close()
    return watch.wrong


def test_the_unchanged_page_causes_no_complaint(browser: Any, hostile: str) -> None:
    assert watched(browser, hostile, "") == []


@pytest.mark.parametrize(
    ("planted", "noted"),
    [
        ("addEventListener('load', () => { fetch('http://192.0.2.1/') })", "192.0.2.1"),
        ("addEventListener('load', () => { null.value })", "of null"),
        ("addEventListener('load', () => setTimeout(() => alert(1)))", "dialog 1"),
        ("addEventListener('load', () => console.error('a complaint'))", "a complaint"),
        (
            "addEventListener('load', () => setTimeout(() => { const name = "
            "document.querySelector('label'); name.innerHTML = name.textContent }, 200))",
            "Content Security Policy",
        ),
    ],
)
def test_a_planted_fault_is_noted(browser: Any, hostile: str, planted: str, noted: str) -> None:
    assert any(noted in text for text in watched(browser, hostile, planted))


def test_a_planted_wrong_answer_is_noticed(opened: Opened, hostile: str) -> None:
    page = opened(hostile, ready=False)
    page.route("**/decide", lambda route: _changed(route))
    page.get_by_role("switch").click()
    page.wait_for_timeout(200)
    assert decision(page) not in map(str, HOSTILE.labels)


def _changed(route: Any) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "label_text": "another"})

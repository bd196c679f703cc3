"""Accessibility: axe-core's rules, and use by keyboard alone."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.folders import ROOT
from tests.support.server import browser as page_served
from tests.support.server.browser import LOANS, Opened, decision, served, settled, until

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

AXE = ROOT / "webapp/node_modules/axe-core/axe.min.js"
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="no axe-core: make webapp")

LOAN = page_served.loans()
ROWS = [{"id": f"A-{i}", **row} for i, row in enumerate(LOANS)]


@pytest.fixture(scope="module")
def loans() -> Iterator[str]:
    with served(LOAN, name="loans", rows=ROWS, protected=["sex"]) as url:
        yield url


def violations(page: Any) -> list[str]:
    """What axe-core finds wrong, each with the element it is about.

    What fades for a moment is waited for; rules of good practice count as well.
    """
    settled(page)
    page.evaluate(AXE.read_text())  # by the debugger, which the page's policy does not concern
    page.wait_for_timeout(300)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def changed(page: Any) -> None:
    page.get_by_role("combobox", name="job").select_option("nurse")
    page.locator("#graph").scroll_into_view_if_needed()
    page.locator("#graph .node").first.wait_for()


def wrong(page: Any) -> None:
    for name in ("age, exact number", "Row"):
        field = page.get_by_role("textbox", name=name, exact=True)
        field.fill("abc")
        field.press("Enter")


def rows(page: Any) -> None:
    page.get_by_role("button", name="All rows").click()
    page.get_by_role("dialog").locator("tbody tr").first.wait_for()


def audit(page: Any) -> None:
    page.locator("#verdicts tbody tr").first.wait_for()


VIEWS: dict[str, tuple[str, Callable[[Any], None]]] = {
    "decision": ("#/decision?r=1", lambda _: None),
    "changed": ("#/decision?r=4", changed),
    "wrong": ("#/decision?r=1", wrong),
    "impossible": ("#/decision?i=17.5~20~'clerk~'f", lambda _: None),
    "rows": ("#/decision?r=1", rows),
    "audit": ("#/audit?run=1&favourable=grant", audit),
    "nowhere": ("#/decision?r=999", lambda _: None),
}


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_violation(opened: Opened, loans: str, view: str, scheme: str) -> None:
    place, act = VIEWS[view]
    width = 1280 if scheme == "light" else 390
    size = {"width": width, "height": 900}
    refused = "the server responded with a status of 40"
    page = opened(
        loans + place,
        viewport=size,
        color_scheme=scheme,
        reduced_motion="reduce",
        allowed=refused,
        ready=view != "nowhere",
    )
    if view == "nowhere":
        page.locator(".notice").wait_for()
    act(page)
    assert violations(page) == []


PLANTED = {
    "button-name": "document.querySelector('.tools button').removeAttribute('aria-label'), "
    "document.querySelector('.tools button').removeAttribute('title'), "
    "document.querySelector('.tools button').replaceChildren()",
    "label": "document.querySelector('.controls .number').removeAttribute('aria-label'), "
    "document.querySelector('.controls .number').removeAttribute('placeholder')",
    "color-contrast": "document.querySelector('.quiet').style.color = '#b0b0b0'",
    "heading-order": "document.querySelector('#bias h2').replaceWith("
    "document.createElement('h5')), document.querySelector('h5').append('Bias')",
    "nested-interactive": "document.querySelector('.tools button')"
    ".append(document.createElement('input'))",
}


@needs_axe
@pytest.mark.parametrize("rule", PLANTED)
def test_axe_finds_a_planted_violation(opened: Opened, loans: str, rule: str) -> None:
    page = opened(loans + "#/decision?r=1", reduced_motion="reduce")
    page.locator(".tools button").first.wait_for()
    page.evaluate(f"() => {{ {PLANTED[rule]} }}")
    assert any(found.startswith(f"{rule}:") for found in violations(page))


STOPS = """() => { const e = document.activeElement, s = getComputedStyle(e);
    const r = e.getBoundingClientRect(), name = e.getAttribute('aria-label') || e.innerText || e.id;
    const shape = e.querySelector(':scope > rect');
    const ring = s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2
        || (shape && parseFloat(getComputedStyle(shape).strokeWidth) >= 3);
    const seen = r.bottom > 0 && r.top < innerHeight && r.width > 0;
    return [e.tagName.toLowerCase(), e.dataset.node ?? '', name, ring, seen]; }"""

ALL = """() => [...document.querySelectorAll(
        'a[href], button, select, input, summary, [tabindex="0"]')]
    .filter((e) => !e.disabled && e.checkVisibility({visibilityProperty: true})).length"""


@pytest.mark.parametrize("width", [1280, 390])
def test_tab_reaches_every_control_visibly_and_leaves_the_page(
    opened: Opened, loans: str, width: int
) -> None:
    size = {"width": width, "height": 844}
    page = opened(loans + "#/decision?r=4", viewport=size, reduced_motion="reduce")
    page.locator("#graph").scroll_into_view_if_needed()
    page.locator("#graph .node").first.wait_for()
    settled(page)
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0) }")
    wanted = page.evaluate(ALL)
    stops = []
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOPS)
        if stop[0] == "body":
            break
        stops.append(stop)
    assert len(stops) == wanted
    assert [stop for stop in stops if not stop[3]] == []
    assert [stop for stop in stops if not stop[4]] == []


def test_a_decision_can_be_explored_by_keyboard_alone(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=4", reduced_motion="reduce")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the decision"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "MAIN"
    assert "#/decision" in page.url  # the address still says the state
    job = page.get_by_role("combobox", name="job")
    job.focus()
    page.keyboard.press("n")
    assert decision(page) == LOAN.decide({**LOANS[4], "job": "nurse"}).label
    live = page.locator("h1[aria-live=polite]")
    assert live.inner_text().strip().startswith("The decision is")
    page.get_by_role("button", name="Undo").press("Enter")
    settled(page)
    assert page.evaluate("document.activeElement !== document.body")
    page.get_by_role("button", name="All rows").press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    until(page, "() => document.activeElement.innerText === 'All rows'")
    page.get_by_role("button", name="Why", exact=True).press("Enter")
    page.keyboard.press("Tab")
    inside = "() => !!document.activeElement.closest('#why, .sections')"
    assert page.evaluate(inside)

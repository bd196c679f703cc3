"""The page in a browser: links, keys, phones, colours, hostile texts, files, mishaps."""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.server import browser as page_served
from tests.support.server.browser import (
    BAD,
    LINK,
    LOANS,
    QUOTE,
    SVG,
    WORSE,
    Opened,
    decision,
    served,
    settled,
    until,
)

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

LOAN = page_served.loans()
HOSTILE = page_served.hostile()
HOSTILE_ROWS = [{BAD: BAD, QUOTE: bool(i % 2), LINK: i / 2} for i in range(6)]
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def loans() -> Iterator[str]:
    with served(LOAN, name="loans", rows=LOANS, protected=["sex"]) as url:
        yield url


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    with served(HOSTILE, name=BAD, rows=HOSTILE_ROWS, protected=[QUOTE]) as url:
        yield url


def seen(page: Any) -> str:
    """All text on the page, once it has settled and its graph has come."""
    page.locator("#graph").scroll_into_view_if_needed()
    page.locator("#graph .node").first.wait_for()
    settled(page)
    return str(page.locator("body").inner_text())


@pytest.mark.parametrize("which", ["loans", "hostile"])
def test_a_link_shows_others_what_one_saw(
    opened: Opened, request: pytest.FixtureRequest, which: str
) -> None:
    url = request.getfixturevalue(which)
    page = opened(url + "#/decision?r=4")
    page.locator("#what-if .flip").first.click()
    settled(page)
    page.get_by_role("button", name="Start case").click()
    page.locator("#bias .toggles button").first.click()
    settled(page)
    assert seen(opened(page.url)) == seen(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_link_to_a_part_of_the_page_ends_at_that_part(
    opened: Opened, loans: str, width: int
) -> None:
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


def test_back_undoes_a_click_and_a_link_that_does_not_fit_says_so(
    opened: Opened, loans: str
) -> None:
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


def test_everything_can_be_done_by_keyboard_with_a_visible_focus(
    opened: Opened, loans: str
) -> None:
    page = opened(loans)
    reached: set[str] = set()
    ringless = []
    for _ in range(80):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => { const e = document.activeElement, s = getComputedStyle(e);
            const ring = s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2;
            return [e.tagName, e.getAttribute('aria-label') || e.innerText || e.id, ring]; }"""
        )
        if found[0] == "BODY":
            break
        reached.add(found[0].lower())
        ringless += [] if found[2] else [found[1]]
    assert {"a", "button", "select", "input", "svg"} <= reached
    assert ringless == []
    page.get_by_role("combobox", name="job").focus()
    page.keyboard.press("n")
    settled(page)
    assert decision(page) == LOAN.decide({**LOANS[0], "job": "nurse"}).label


@pytest.mark.parametrize("which", ["loans", "hostile"])
@pytest.mark.parametrize("view", ["decision?r=1", "audit"])
def test_a_phone_never_scrolls_sideways(
    opened: Opened, request: pytest.FixtureRequest, which: str, view: str, tmp_path: Path
) -> None:
    page = opened(request.getfixturevalue(which) + f"#/{view}", viewport=PHONE)
    if view != "audit":
        seen(page)
    page_served.shot(page, tmp_path, f"{which}-{view[:5]}", whole=True)
    wide = page.evaluate(
        """() => [...document.querySelectorAll('body *')].filter((e) =>
        e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('svg, .scroll, .sr')
        ).map((e) => e.outerHTML.slice(0, 90))"""
    )
    assert wide == []
    broken = page.evaluate(
        """() => [...document.querySelectorAll('.actions button, .sections button, .top a')]
        .filter((e) => e.getBoundingClientRect().height > 44).map((e) => e.innerText)"""
    )
    assert broken == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_hostile_names_values_and_labels_stay_text(opened: Opened, hostile: str) -> None:
    page = opened(hostile + "#/decision?r=1")
    text = seen(page)
    for planted in (BAD, QUOTE, LINK, SVG):
        assert planted in text
    page.get_by_role("switch").click()
    settled(page)
    assert decision(page) == HOSTILE.decide({**HOSTILE_ROWS[1], QUOTE: False}).label
    page.get_by_role("combobox", name=BAD).select_option(WORSE)
    assert decision(page) == WORSE
    page.locator(".choose").click()
    page.get_by_role("dialog").get_by_text(BAD).first.wait_for()
    grown = "img, script:not([src='./page.js']), [onload], [onmouseover], [onerror], td b"
    assert page.locator(grown).count() == 0
    assert page.title() == f"{BAD} · reasons"


def test_colours_have_enough_contrast_in_both_schemes(opened: Opened, loans: str) -> None:
    texts = "text card, soft card, soft ground, soft sunk, accent card, accent-text accent-area, "
    texts += "on-accent accent, warn warn-area, warn card, text warn-area"
    pairs = [tuple(f"--{name}" for name in pair.split()) for pair in texts.split(", ")]
    for scheme in ("light", "dark"):
        page = opened(loans, color_scheme=scheme)
        style = page.evaluate(
            """names => names.map((n) =>
            getComputedStyle(document.documentElement).getPropertyValue(n).trim())""",
            [name for pair in pairs for name in pair],
        )
        ratios = [contrast(*style[i : i + 2]) for i in range(0, len(style), 2)]
        assert min(ratios) >= 4.5, list(zip(pairs, ratios, strict=True))
    assert contrast("#ffffff", "#777777") < 4.5 < contrast("#ffffff", "#767676")


def contrast(one: str, other: str) -> float:
    """The ratio that the WCAG define."""

    def light(colour: str) -> float:
        colour = colour if len(colour) == 7 else "#" + "".join(2 * sign for sign in colour[1:])
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_who_wants_no_motion_gets_none_and_the_decision_is_announced(
    opened: Opened, loans: str
) -> None:
    page = opened(loans, reduced_motion="reduce")
    moving = "() => getComputedStyle(document.querySelector('.node rect')).transitionDuration"
    assert page.evaluate(moving) == "0s"
    assert page.locator("h1").get_attribute("aria-live") == "polite"
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, select, input, a')].filter((e) =>
        !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).length"""
    )
    assert unnamed == 0


@pytest.mark.parametrize("which", ["loans", "hostile"])
def test_answers_and_drawings_are_saved_and_printed(
    opened: Opened, request: pytest.FixtureRequest, which: str, tmp_path: Path
) -> None:
    page = opened(request.getfixturevalue(which) + "#/decision?r=1")
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON").click()
    told = json.loads(Path(saved.value.path()).read_text())
    assert told["explanation"]["label_text"] == decision(page)
    assert told["instance"] == told["explanation"]["instance"]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download as SVG: Complete reason").click()
    drawing = ElementTree.parse(saved.value.path()).getroot()
    texts = {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert "and" in texts
    rects = drawing.iter("{http://www.w3.org/2000/svg}rect")
    assert all(rect.get("fill", "").startswith("rgb") for rect in rects)
    page.emulate_media(media="print")
    assert not page.locator(".panel").is_visible()
    assert page.locator(".values").is_visible()
    assert page.pdf()[:5] == b"%PDF-"


def test_a_server_that_is_gone_is_told_and_asked_again(opened: Opened) -> None:
    with served(LOAN, rows=LOANS) as url:
        page = opened(url, allowed="ERR_CONNECTION_REFUSED")
    page.get_by_role("combobox", name="job").select_option("nurse")
    alert = page.get_by_role("alert").first
    alert.wait_for()
    assert "server cannot be reached" in alert.inner_text()
    assert alert.get_by_role("button", name="Try again").is_visible()


def test_a_limit_that_is_reached_is_told_and_the_decision_stays(opened: Opened) -> None:
    from reasons.server.settings import Limits

    with served(LOAN, rows=LOANS, limits=Limits(workers=2, waiting=-2)) as url:
        page = opened(url, allowed="503 (Service Unavailable)", ready=False)
        page.get_by_role("alert").first.wait_for()
        assert "server is busy" in page.get_by_role("alert").first.inner_text()
        assert LOAN.decide(LOANS[0]).label in page.locator("h1").inner_text()


def test_an_answer_that_comes_late_is_dropped(opened: Opened, loans: str) -> None:
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


def test_a_row_that_cannot_be_decided_says_why_and_leads_on(opened: Opened) -> None:
    rows = [LOANS[0], {**LOANS[1], "age": 17.5}, LOANS[2]]
    with served(LOAN, rows=rows) as url:
        page = opened(url)
        page.get_by_role("button", name="Next row").click()
        page.locator(".notice").wait_for()
        assert "Row 1 cannot be decided" in page.locator(".notice").inner_text()
        assert "17.5" in page.locator(".notice").inner_text()
        page.get_by_role("button", name="Next row").click()
        assert decision(page) == LOAN.decide(LOANS[2]).label


def test_a_link_is_copied(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=1", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url

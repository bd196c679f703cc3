"""Keys, phones, colours, hostile texts, saved files and print."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

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
    settled,
    text_with_graph,
)

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

LOAN = page_served.loans()
HOSTILE = page_served.hostile()
HOSTILE_ROWS = [{BAD: BAD, QUOTE: bool(i % 2), LINK: i / 2} for i in range(6)]
PHONE = {"width": 390, "height": 844}


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
        text_with_graph(page)
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
    text = text_with_graph(page)
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


def test_reduced_motion_is_honoured_and_the_decision_is_announced(
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

"""The page on a phone: no broken words, long bars, hints at scrolling."""

from collections.abc import Iterator
from typing import Any

import pytest

from reasons import Builder, Classifier, Feature
from tests.support.server import browser as page_served
from tests.support.server.browser import Opened, served, settled, until

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

PHONE = {"width": 390, "height": 844}
WORK = ["unemployed", "self-employed", "permanent contract", "temporary contract"]


def applicants() -> Classifier:
    """Long names and long values; some decisions depend on sex."""
    work = Feature.categorical("employment_situation", WORK)
    months = Feature.numeric("months_at_present_address", [12.5, 36.5])
    sex = Feature.categorical("sex_of_the_applicant", ["female", "male"])
    build = Builder([work, months, sex], ["refused", "granted after review"])
    refused, granted = build.leaf("refused"), build.leaf("granted after review")
    short, *longer = months.values
    by_sex = build.decide(sex.name, {"female": refused, "male": granted})
    by_months = build.decide(months.name, {short: by_sex, tuple(longer): granted})
    arms = {(WORK[0], WORK[3]): by_months, WORK[2]: granted, WORK[1]: by_sex}
    return build.build(build.decide(work.name, arms))


APPLICANTS = applicants()
ROWS = [
    {
        "applicant_id": f"A-{1000 + i}",
        "employment_situation": WORK[i % 4],
        "months_at_present_address": 7 * i % 50,
        "sex_of_the_applicant": ["female", "male"][i % 2],
    }
    for i in range(40)
]


@pytest.fixture(scope="module")
def people() -> Iterator[str]:
    protected = ["sex_of_the_applicant"]
    with served(APPLICANTS, name="people", rows=ROWS, protected=protected) as url:
        yield url


BROKEN = """selector => [...document.querySelectorAll(selector)].flatMap((cell) => {
    const found = [], walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { data } = walk.currentNode;
        for (const { index, 0: word } of data.matchAll(/\\S+/g)) {
            const range = document.createRange();
            range.setStart(walk.currentNode, index);
            range.setEnd(walk.currentNode, index + word.length);
            const lines = new Set([...range.getClientRects()].map((r) => Math.round(r.top)));
            if (lines.size > 1) found.push(word);
        }
    }
    return found; })"""


@pytest.mark.parametrize("width", [390, 360, 1280])
def test_no_word_of_an_instance_diff_is_broken(opened: Opened, people: str, width: int) -> None:
    page = opened(people + "#/decision?r=0", viewport={"width": width, "height": 844})
    cells = ".diff th, .diff td"
    assert page.locator(".diff").count() == 2
    assert page.evaluate(BROKEN, cells) == []
    told = page.locator(".diff").first.get_by_role("row")
    assert told.count() == 5
    assert told.nth(3).get_by_role("cell").all_inner_texts() == ["female", "male"]
    page.evaluate(
        """() => { for (const e of document.querySelectorAll('.diff'))
        { e.style.width = '90px'; e.style.tableLayout = 'fixed'; } }"""
    )
    assert page.evaluate(BROKEN, cells) != []


LENGTHS = """() => [...document.querySelectorAll('.shares .bar')].map((e) =>
    e.getBoundingClientRect().width / e.closest('.card').getBoundingClientRect().width)"""


def test_bars_take_the_width_of_a_phone(opened: Opened, people: str) -> None:
    page = opened(people + "#/audit?run=1&favourable=refused", viewport=PHONE)
    page.locator("#verdicts tbody tr").first.wait_for()
    settled(page)
    lengths = page.evaluate(LENGTHS)
    assert len(lengths) > 8
    assert min(lengths) > 0.8
    assert page.evaluate(BROKEN, ".shares th, .shares td") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def hint(page: Any) -> Any:
    return page.locator("#verdicts .scroll-hint")


def test_a_wide_table_hints_at_scrolling_until_its_end(opened: Opened, people: str) -> None:
    page = opened(people + "#/audit?run=1", viewport=PHONE)
    page.locator("#verdicts tbody tr").first.wait_for()
    hint(page).wait_for()
    assert hint(page).inner_text().endswith("→")
    region = page.get_by_role("region", name="Verdicts, scrollable")
    first = page.locator("#verdicts tbody th").first
    left = first.bounding_box()["x"]
    region.evaluate("e => { e.scrollLeft = e.scrollWidth }")
    until(page, "() => document.querySelector('#verdicts .scroll-hint').innerText[0] === '←'")
    assert not hint(page).inner_text().endswith("→")
    assert abs(first.bounding_box()["x"] - left) < 2  # which row it is stays in sight
    for width, hints in ((390, 1), (1280, 0)):
        rows = opened(people, viewport={"width": width, "height": 844})
        rows.get_by_role("button", name="All rows").click()
        rows.get_by_role("dialog").locator("tbody tr").first.wait_for()
        rows.wait_for_timeout(100)
        assert rows.locator("dialog .scroll-hint").count() == hints


UNEVEN = """table => [...document.querySelectorAll(table + ' tbody tr')].flatMap((row) => {
    const boxes = [...row.children].map((cell) => cell.getBoundingClientRect());
    const lines = [...row.children].map((cell) => getComputedStyle(cell).borderBottom);
    const filled = [...row.children].map((cell) => getComputedStyle(cell).backgroundColor);
    const even = boxes.every((r) => r.top === boxes[0].top && r.bottom === boxes[0].bottom);
    const hovered = !row.matches(':hover') || new Set(filled).size === 1;
    return even && new Set(lines).size === 1 && hovered ? [] : [row.innerText]; })"""


@pytest.mark.parametrize("width", [390, 1280])
def test_borders_and_hover_of_a_row_cover_all_its_cells(
    opened: Opened, people: str, width: int
) -> None:
    size = {"width": width, "height": 844}
    page = opened(people, viewport=size)
    page.get_by_role("button", name="All rows").click()
    audit = opened(people + "#/audit?run=1", viewport=size)
    for where, table in ((page, "dialog table"), (audit, "#verdicts table")):
        row = where.locator(f"{table} tbody tr").nth(3)
        row.scroll_into_view_if_needed()
        row.locator("td").first.hover()
        assert where.evaluate("row => row.matches(':hover')", row.element_handle())
        assert where.evaluate(UNEVEN, table) == []
        row.locator("th").evaluate("cell => { cell.style.borderBottom = 0 }")
        assert len(where.evaluate(UNEVEN, table)) == 1

"""The decision view agrees with the package."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from tests.support.server import browser as page_served
from tests.support.server.browser import LOANS, Opened, decision, served, settled, until

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

ADMISSIONS = page_served.admissions()
LOAN = page_served.loans()


@pytest.fixture(scope="module")
def admissions() -> Iterator[str]:
    with served(ADMISSIONS, name="admissions", protected=["R"]) as url:
        yield url


def region(page: Any, heading: str) -> Any:
    """The card with a heading."""
    return page.locator(".card", has=page.get_by_role("heading", name=heading))


def case(values: str) -> str:
    """The URL's part for E, F, G, W, R as five letters."""
    return "#/decision?i=" + "~".join(values)


def instance(values: str) -> dict[str, bool]:
    return {name: value == "t" for name, value in zip("EFGWR", values, strict=True)}


@pytest.mark.parametrize("values", ["tttft", "ttfft", "fttff", "tffff"])
def test_the_decision_sentences_and_reasons_agree_with_the_package(
    opened: Opened, admissions: str, values: str
) -> None:
    page, own = opened(admissions + case(values)), ADMISSIONS.decide(instance(values))
    assert decision(page) == str(own.label)
    page.locator("details summary").all() and page.locator("details summary").first.click()
    said = page.locator(".sentences").locator("p.lead, li").all_inner_texts()
    assert said == own.statements(protected=["R"])
    card = region(page, "Sufficient reasons")
    listed = [line.get_attribute("aria-label") for line in card.locator(".terms .chips").all()]
    assert listed == [str(term) for term in own.sufficient_reasons()]
    assert card.locator(".count").inner_text() == str(own.sufficient_reasons().count())
    bars = dict(
        zip(
            *[card.locator(f".shares {x}").all_inner_texts() for x in ("th", ".amount")],
            strict=True,
        )
    )
    shares = {n: f"{round(100 * s)}%" for n, s in own.sufficient_reasons().share().items() if s}
    assert bars == shares
    marked = page.locator(".panel li", has=page.locator(".necessary")).locator("label")
    assert set(marked.all_inner_texts()) == set(own.necessary_property)
    sets = region(page, "Contrastive sets").locator(".terms .chips").all()
    assert {x.get_attribute("aria-label") for x in sets} == {str(t) for t in own.contrastive_sets()}


SWITCHED = """values => [...document.querySelectorAll('[role=switch]')].map(
    (each) => each.getAttribute('aria-checked')[0]).join('') === values"""


def test_the_drawing_highlights_exactly_the_parts_that_still_hold(
    opened: Opened, admissions: str
) -> None:
    start = ADMISSIONS.decide(instance("tttft"))
    page = opened(admissions + case("tttft"))
    wrong = []
    for exam, *others in product("tf", repeat=4):
        values = f"{exam}t{''.join(others)}"
        if values == "tttft":
            continue
        change = "~".join(f"{i}.{v}" for i, v in enumerate(values) if v != "tttft"[i])
        page.evaluate("hash => { location.hash = hash }", f"{case('tttft')}&c={change}&d=start")
        until(page, SWITCHED, values)
        assert decision(page) == str(ADMISSIONS.decide(instance(values)).label)
        drawn = region(page, "Complete reason").locator(".node")
        lit = {
            n.locator("title").text_content().split(" (")[0]: "lit"
            in n.get_attribute("class").split()
            for n in drawn.all()
        }
        holds = start.reason.evaluate(instance(values))
        if lit["and"] != holds or lit["G"] != (values[2] == "t"):
            wrong.append(values)
    assert wrong == []


def test_a_change_says_whether_the_decision_sticks_and_why(opened: Opened, admissions: str) -> None:
    page = opened(admissions + case("tttft"))
    page.get_by_role("switch", name="G").click()
    settled(page)
    told = page.locator(".sticks")
    assert "Still True" in told.inner_text()
    assert "even if G were false, because E and R" in told.inner_text()
    assert "was True" in page.locator(".panel li.changed").inner_text()
    page.get_by_role("switch", name="E").click()
    settled(page)
    assert "No longer True" in told.inner_text()
    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert decision(page) == "True"
    assert told.count() == 0


def test_clicking_a_smallest_change_flips_the_decision(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=7")
    before = decision(page)
    own = LOAN.decide(LOANS[7])
    flips = region(page, "Smallest changes").get_by_role("button")
    texts = flips.all_inner_texts()
    assert len(texts) >= 2
    assert own.label == before
    for number, text in enumerate(texts):
        flips.nth(number).click()
        assert decision(page) == text.rsplit("gives ", 1)[1]
        assert decision(page) != before
        page.get_by_role("button", name="Undo").click()
        settled(page)


def test_smallest_changes_leave_immutable_features_unchanged(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=7")
    decision(page)
    card = region(page, "Smallest changes")
    before = card.locator(".step b").all_inner_texts()
    card.get_by_text("Choose features that must not change").click()
    names = card.get_by_role("group", name="Features that must not change")
    names.get_by_role("button", name=before[0]).click()
    settled(page)
    after = card.locator(".step b").all_inner_texts()
    assert before[0] not in after
    assert after
    own = LOAN.decide(LOANS[7]).counterfactual(immutable=before[0])
    assert own is not None
    assert sorted(own.given_up) == sorted(
        card.locator(".flip").first.locator(".step b").all_inner_texts()
    )
    again = opened(page.url)
    assert region(again, "Smallest changes").locator(".step b").all_inner_texts() == after
    for name in set(LOAN.schema.names) - {before[0]}:
        names.get_by_role("button", name=name).click()
    settled(page)
    assert "None was found that leaves" in card.inner_text()
    assert card.locator(".flip").count() == 0


def test_a_widened_reason_is_shown_where_values_can_be_widened(
    opened: Opened, loans: str, admissions: str
) -> None:
    page = opened(loans + "#/decision?r=7")
    decision(page)
    wide = LOAN.decide(LOANS[7]).sufficient_reason(general=True)
    chips = page.locator("#why .widened li").all_inner_texts()
    assert len(chips) == len(wide.limits)
    for text, (feature, cells) in zip(chips, wide.limits.items(), strict=True):
        assert text == LOAN.schema[feature].says(cells)
    assert opened(admissions + case("tttft")).locator(".widened").count() == 0


def test_bias_is_shown_with_a_witness_whose_differences_are_marked(
    opened: Opened, admissions: str
) -> None:
    page = opened(admissions + case("ttfft"))
    card = region(page, "Bias").first
    assert "This decision is biased" in card.inner_text()
    table = card.locator("table").first
    rows = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
    assert [row[0] for row in rows if "≠" in row[0]] == ["≠ R"]
    witness = {row[0].removeprefix("≠ "): row[2] == "True" for row in rows}
    assert str(ADMISSIONS.decide(witness).label) == table.locator("tfoot td").last.inner_text()
    page.get_by_role("button", name="R", exact=True).click()
    page.get_by_role("button", name="F", exact=True).click()
    settled(page)
    biased = bool(ADMISSIONS.decide(instance("ttfft")).bias("F"))
    assert ("This decision is biased" in card.inner_text()) == biased
    assert "p=F" in page.url


def test_the_path_of_the_case_is_highlighted_in_the_graph(opened: Opened, admissions: str) -> None:
    page = opened(admissions + case("ttfft"))
    page.get_by_role("button", name="Model").click()
    card = region(page, "Classifier graph")
    card.locator(".node").first.wait_for()
    settled(page)
    assert card.locator(".node").count() == len(ADMISSIONS.circuit)
    lit = card.locator(".node.lit title").all_text_contents()
    assert sorted(lit) == sorted(["E", "F", "G", "W", "R", "True"])
    moved = card.locator("svg > g").first
    seen = [moved.get_attribute("transform")]

    def moves(times: int) -> None:
        script = "([element, seen]) => !seen.includes(element.getAttribute('transform'))"
        until(page, script, [moved.element_handle(), seen])
        seen.append(moved.get_attribute("transform"))
        assert len(seen) == times

    card.get_by_role("button", name="Zoom in").click()
    moves(2)
    card.locator("svg[tabindex]").focus()
    page.keyboard.press("ArrowLeft")
    moves(3)
    page.mouse.move(*_middle(card.locator("svg[tabindex]")))
    page.mouse.down()
    page.mouse.move(700, 300)
    page.mouse.up()
    moves(4)
    page.keyboard.press("0")
    same = "([element, text]) => element.getAttribute('transform') === text"
    until(page, same, [moved.element_handle(), seen[0]])


def _middle(drawing: Any) -> tuple[float, float]:
    box = drawing.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + 40


def test_numbers_words_and_missing_values_can_all_be_set(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=1")
    now = dict(LOANS[1])
    slider = page.get_by_role("slider", name="age")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    settled(page)
    assert slider.get_attribute("aria-valuetext") == "> 60"
    assert decision(page) == LOAN.decide({**now, "age": 70}).label
    page.get_by_role("checkbox", name="missing").check()
    settled(page)
    assert decision(page) == LOAN.decide({**now, "age": 70, "income": None}).label
    page.get_by_role("combobox", name="job").select_option("any other")
    page.get_by_role("combobox", name="sex").select_option("m")
    expected = {"age": 70, "income": None, "job": "smith", "sex": "m"}
    assert decision(page) == LOAN.decide(expected).label
    number = page.get_by_label("age, exact number")
    number.fill("19")
    number.press("Enter")
    assert decision(page) == LOAN.decide({**expected, "age": 19}).label
    assert slider.get_attribute("aria-valuetext") == "<= 25"


INVALID = "field => field.getAttribute('aria-invalid') === 'true'"


def test_an_impossible_value_is_rejected_with_its_range(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=1", allowed="400 (Bad Request)")
    number = page.get_by_label("age, exact number")
    number.fill("17.5")
    number.press("Enter")
    alert = page.locator(".verdict").get_by_role("alert")
    alert.get_by_text("This value is not possible").wait_for()
    assert "whole number from 18 to 90" in alert.inner_text()
    assert page.locator("h1").inner_text() == "No decision"
    until(page, INVALID, number.element_handle())
    said = page.locator(f"[id='{number.get_attribute('aria-describedby')}']")
    assert "whole number from 18 to 90" in said.inner_text()
    assert number.input_value() == "17.5"
    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert decision(page) == LOAN.decide(LOANS[1]).label


def test_rows_are_picked_from_a_table_by_keyboard(opened: Opened, loans: str) -> None:
    page = opened(loans)
    assert decision(page) == LOAN.decide(LOANS[0]).label
    page.get_by_role("button", name="All rows").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Choose a row")
    dialog.get_by_text("Rows 0 to 24 of 60").wait_for()
    dialog.get_by_role("button", name="Next").press("Enter")
    dialog.get_by_text("Rows 25 to 49 of 60").wait_for()
    dialog.get_by_role("button", name="Row 31", exact=True).press("Enter")
    settled(page)
    assert decision(page) == LOAN.decide(LOANS[31]).label
    page.get_by_role("button", name="Next row").press("Enter")
    until(page, "() => document.querySelector('.rows input').value === '32'")
    settled(page)
    assert page.evaluate("document.activeElement.ariaLabel") == "Next row"
    assert decision(page) == LOAN.decide(LOANS[32]).label
    assert (
        page.get_by_role("combobox", name="job").evaluate("x => x.selectedOptions[0].text")
        == LOANS[32]["job"]
    )

"""Invalid input, and values that are impossible together."""

from collections.abc import Iterator
from typing import Any

import pytest

from reasons import Builder, Classifier, Feature
from tests.support.server import browser as page_served
from tests.support.server.browser import LOANS, Opened, decision, served, settled, until

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

LOAN = page_served.loans()


def bounded() -> Classifier:
    """Income and debts of a household; debts of more than the income are declared impossible."""
    income, debts = (Feature.numeric(name, [10, 20, 30]) for name in ("income", "debts"))
    age = Feature.numeric("age", [30, 50])
    build = Builder([income, debts, age], ["no", "yes"])
    no, yes, never = build.leaf("no"), build.leaf("yes"), build.impossible()
    young, *others = age.values
    by_age = build.decide("age", {young: no, tuple(others): yes})
    cells = list(debts.values)
    arms = {
        value: build.decide(
            "debts",
            {tuple(cells[: i + 1]): by_age} | ({tuple(cells[i + 1 :]): never} if i < 3 else {}),
        )
        if i < 3
        else by_age
        for i, value in enumerate(income.values)
    }
    return build.build(build.decide("income", arms))


HOUSE = bounded()


@pytest.fixture(scope="module")
def loans() -> Iterator[str]:
    with served(LOAN, name="loans", rows=LOANS) as url:
        yield url


@pytest.fixture(scope="module")
def house() -> Iterator[str]:
    with served(HOUSE, name="house") as url:
        yield url


def said_of(page: Any, field: Any) -> str:
    """The message of an invalid field."""
    assert field.get_attribute("aria-invalid") == "true"
    named = field.get_attribute("aria-describedby")
    return str(page.locator(f"[id='{named}']").inner_text())


def test_text_that_is_not_a_number_stays_with_a_message(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=1")
    before, url = decision(page), page.url
    field = page.get_by_label("age, exact number")
    for typed, said in {
        "abc": "“abc” is not a number",
        "1,500": "Write 1500 without a comma",
        "": "cannot be missing",
    }.items():
        field.fill(typed)
        field.press("Tab")
        assert said in said_of(page, field)
        assert field.input_value() == typed
        assert (decision(page), page.url) == (before, url)
    assert page.locator(".panel [role=alert]").count() == 1
    field.fill("7")
    assert field.get_attribute("aria-invalid") == "false"
    field.fill("27")
    field.press("Enter")
    assert decision(page) == LOAN.decide({**LOANS[1], "age": 27}).label
    field.fill("abc")
    field.press("Enter")
    field.press("Escape")
    assert field.input_value() == "27"
    assert field.get_attribute("aria-describedby") is None


def test_an_empty_field_is_missing_where_that_is_possible(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=1")
    field = page.get_by_label("income, exact number")
    field.fill("")
    field.press("Enter")
    assert decision(page) == LOAN.decide({**LOANS[1], "income": None}).label
    assert page.get_by_role("checkbox", name="missing").is_checked()


def places(page: Any) -> list[str]:
    script = "() => [...document.querySelectorAll('[type=range]')].map((e) => e.value)"
    return list(page.evaluate(script))


def changes(page: Any) -> str:
    return str(page.locator(".changes span").inner_text())


def test_sliders_and_changes_stay_right_for_impossible_instances(
    opened: Opened, house: str
) -> None:
    page = opened(house + "#/decision?i=25.5~12.25~41", allowed="400 (Bad Request)")
    assert decision(page) == "yes"
    assert places(page) == ["2", "1", "1"]
    debts, income, age = (page.get_by_role("slider", name=x) for x in ("debts", "income", "age"))
    debts.press("ArrowRight")
    debts.press("ArrowRight")  # 30 and more, of an income of 25.5
    page.get_by_role("alert").first.wait_for()
    assert places(page) == ["2", "3", "1"]
    assert changes(page) == "1 value changed"
    page.locator(".verdict").get_by_text("not possible together").wait_for()
    assert page.locator("h1").inner_text() == "No decision"
    assert not page.locator("#why").is_visible()
    assert not page.locator(".sections").is_visible()
    assert page.locator(".necessary").count() == 0
    field = page.get_by_label("age, exact number")
    field.fill("29.5")
    field.press("Enter")
    until(page, "() => document.querySelectorAll('[type=range]')[2].value === '0'")
    assert changes(page) == "2 values changed"
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        age.press(key)
        seen.append(places(page))
    assert seen == [["2", "3", place] for place in "121"]
    assert changes(page) == "1 value changed"  # age is back in its cell
    income.press("ArrowRight")
    assert decision(page) == "yes" == HOUSE.decide({"income": 35, "debts": 31, "age": 41}).label
    assert places(page) == ["3", "3", "1"]
    assert changes(page) == "2 values changed"


def test_the_reason_is_that_of_the_current_case(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/decision?r=4")
    card = page.locator(".card", has=page.get_by_role("heading", name="Complete reason"))
    page.get_by_role("combobox", name="job").select_option("nurse")
    settled(page)
    start, now = LOAN.decide(LOANS[4]), LOAN.decide({**LOANS[4], "job": "nurse"})
    assert start.label != now.label
    formula = card.locator(".formula")
    assert formula.inner_text() == str(now.reason)
    assert f"stays {now.label}" in card.inner_text()
    card.get_by_role("button", name="Start case").click()
    until(
        page,
        "text => document.querySelector('#why .formula')?.innerText === text",
        f"{start.reason}",
    )
    assert f"Why the start case is {start.label}" in card.inner_text()
    again = opened(page.url)
    assert again.locator("#why .formula").inner_text() == str(start.reason)
    card.get_by_role("button", name="Current case").click()
    settled(page)
    assert formula.inner_text() == str(now.reason)

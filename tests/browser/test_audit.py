"""The audit view agrees with the package's audit."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import reasons
from tests.support.server import browser as page_served
from tests.support.server.browser import LOANS, Opened, decision, served, settled, until

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

LOAN = page_served.loans()
DECIDED = [LOAN.decide(row) for row in LOANS]


def shares(page: Any, caption: str) -> dict[str, str]:
    table = page.locator(".shares", has=page.get_by_text(caption, exact=True)).first
    names = table.locator("th").all_inner_texts()
    return dict(zip(names, table.locator(".amount").all_inner_texts(), strict=True))


def per_cent(part: int, whole: int) -> str:
    return f"{round(100 * part / whole)}%"


def test_the_summary_agrees_with_the_single_decisions(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/audit")
    page.get_by_role("combobox", name="Favourable decision").select_option("grant")
    page.get_by_role("button", name="Audit 60 rows").click()
    page.locator("#verdicts tbody tr").first.wait_for()
    labels = Counter(own.label for own in DECIDED)
    expected = {label: per_cent(labels[label], 60) for label in LOAN.labels}
    assert shares(page, "60 rows decided") == expected
    necessary = Counter(name for own in DECIDED for name in own.necessary_property)
    found = shares(page, "Share of the rows where a feature is necessary")
    assert found == {name: per_cent(necessary[name], 60) for name in LOAN.schema.names}
    biased = sum(bool(own.bias("sex")) for own in DECIDED)
    assert 0 < biased < 60
    finding = (
        f"▲ {biased} of 60 decisions ({per_cent(biased, 60)}) would change if only sex changed"
    )
    assert finding in page.locator("body").inner_text()
    rates = shares(page, "Share of each group with the decision grant")
    for sex in "fm":
        own = [d for d in DECIDED if d.instance["sex"] == sex]
        assert rates[f"sex = {sex}"] == per_cent(sum(d.label == "grant" for d in own), len(own))


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ("label=review", lambda d: d.label == "review"),
        ("biased=true", lambda d: bool(d.bias("sex"))),
        ("label=grant&biased=false", lambda d: d.label == "grant" and not d.bias("sex")),
        ("label=grant&biased=true&start=0", lambda d: d.label == "grant" and bool(d.bias("sex"))),
    ],
)
def test_filters_show_the_matching_rows(
    opened: Opened, loans: str, filters: str, wanted: Any
) -> None:
    rows = [i for i, own in enumerate(DECIDED) if wanted(own)]
    page = opened(loans + f"#/audit?run=1&{filters}")
    page.locator("#verdicts caption").wait_for()
    settled(page)
    listed = page.locator("#verdicts tbody a").all_inner_texts()
    assert listed == [f"Row {i}" for i in rows[:25]]
    assert str(len(rows)) in page.locator("#verdicts caption").inner_text()


def test_a_row_links_to_its_decision_and_back(opened: Opened, loans: str) -> None:
    page = opened(loans + "#/audit?run=1")
    page.get_by_role("combobox", name="Biased").select_option("yes")
    until(page, "() => location.hash.includes('biased=true')")
    settled(page)
    first = page.locator("#verdicts tbody a").first
    row = int(first.inner_text().split()[1])
    first.click()
    page.locator(".verdict").wait_for()
    assert decision(page) == DECIDED[row].label
    assert "This decision is biased" in page.locator("#bias").inner_text()
    page.go_back()
    page.locator("#verdicts tbody tr").first.wait_for()
    assert "biased=true" in page.url


def test_the_saved_audit_agrees_with_the_package(
    opened: Opened, loans: str, tmp_path: Path
) -> None:
    page = opened(loans + "#/audit?run=1&p=sex", viewport={"width": 390, "height": 844})
    page.locator("#verdicts tbody tr").first.wait_for()
    page_served.shot(page, tmp_path, "audit-phone", whole=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON").click()
    told = json.loads(Path(saved.value.path()).read_text())
    own = reasons.audit(LOAN, LOANS, protected=["sex"]).summary.as_dict()
    for key in ("rows", "labels", "features", "reasons"):
        assert told["summary"][key] == own[key]


def test_without_rows_the_audit_says_how_to_give_them(opened: Opened) -> None:
    with served(LOAN) as url:
        page = opened(url + "#/audit")
        assert "--data rows.csv" in page.locator("main").inner_text()

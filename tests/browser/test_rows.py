"""Rows, chosen by number and identified by columns that are not features."""

import json
import urllib.request
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.server import browser as page_served
from tests.support.server.browser import LOANS, Opened, decision, served, settled, until

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

LOAN = page_served.loans()
WRONG = "<b>Eve</b>"
KNOWN: list[dict[str, Any]] = [
    {"applicant_id": f"A-{100 + i}", **row, "name": WRONG if i == 7 else f"Person {i}"}
    for i, row in enumerate(LOANS)
]


@pytest.fixture(scope="module")
def known() -> Iterator[str]:
    with served(LOAN, name="loans", rows=KNOWN) as url:
        yield url


def told(url: str) -> Any:
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


def test_rows_show_their_other_columns_of_any_type(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    odd = {
        "id": [1, 2, 2**60],
        "seen": [datetime(2026, 1, 2), None, datetime(1, 1, 1)],
        "tags": [["a"], [], ["b", "c"]],
        "long": ["x" * 500, "", "y"],
    }
    table = pa.table({**{name: [row[name] for row in LOANS[:3]] for name in LOANS[0]}, **odd})
    with served(LOAN, rows=table) as url:
        rows = told(url + "api/v1/rows")
    assert rows["others"] == list(odd)
    assert rows["columns"] == list(LOAN.schema.names)
    assert [row["others"]["id"] for row in rows["rows"]] == [1, 2, str(2**60)]
    assert [row["others"]["tags"] for row in rows["rows"]] == ["['a']", "[]", "['b', 'c']"]
    assert rows["rows"][1]["others"]["seen"] is None
    assert rows["rows"][0]["others"]["long"] == "x" * 200 + "…"


def test_other_columns_of_conflicting_types_are_left_out(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    plain = {name: [row[name] for row in LOANS[:3]] for name in LOANS[0]}
    parquet.write_table(pa.table({**plain, "id": [1, 2, 3]}), tmp_path / "1.parquet")
    parquet.write_table(pa.table({**plain, "id": [b"x", b"y", b"z"]}), tmp_path / "2.parquet")
    with served(LOAN, rows=[tmp_path / "1.parquet", tmp_path / "2.parquet"]) as url:
        rows = told(url + "api/v1/rows")
    assert (rows["others"], rows["total"]) == ([], 6)
    with served(LOAN, rows=[tmp_path / "1.parquet"] * 2) as url:
        assert told(url + "api/v1/rows/5")["others"] == {"id": 3}


def test_a_row_is_identified_by_columns_that_are_not_features(opened: Opened, known: str) -> None:
    page = opened(known + "#/decision?r=7")
    about = page.locator(".panel .others")
    assert about.locator("dt").all_inner_texts() == ["applicant_id", "name"]
    assert about.locator("dd").all_inner_texts() == ["A-107", WRONG]
    page.get_by_role("button", name="All rows").click()
    dialog = page.get_by_role("dialog", name="Choose a row")
    dialog.get_by_text("A-117").wait_for()
    heads = dialog.locator("thead th").all_inner_texts()
    assert heads == ["Row", "Decision", "applicant_id", "name", *LOAN.schema.names]
    dialog.get_by_role("button", name="Row 17", exact=True).click()
    until(page, "() => document.querySelector('.panel .others')?.innerText.includes('A-117')")
    assert decision(page) == LOAN.decide(LOANS[17]).label


def test_an_outdated_link_does_not_identify_a_row(opened: Opened, known: str) -> None:
    page = opened(known + "#/decision?i=33~99.5~'clerk~'f&r=7")
    page.wait_for_timeout(200)
    assert page.locator(".panel .others").count() == 0


def test_a_number_jumps_to_its_row(opened: Opened, known: str) -> None:
    page = opened(known)
    field = page.get_by_role("textbox", name="Row")
    assert field.input_value() == "0"
    field.fill("42")
    field.press("Enter")
    until(page, "() => location.hash.includes('r=42')")
    assert decision(page) == LOAN.decide(LOANS[42]).label
    assert page.locator(".panel .others dd").first.inner_text() == "A-142"
    page.get_by_role("button", name="Next row").click()
    until(page, "() => document.querySelector('.rows input').value === '43'")


@pytest.mark.parametrize("typed", ["60", "-1", "7.5", "x", "1e1", "99999999999999999999"])
def test_a_row_that_does_not_exist_is_rejected(opened: Opened, known: str, typed: str) -> None:
    page = opened(known + "#/decision?r=3")
    field = page.get_by_role("textbox", name="Row")
    field.fill(typed)
    field.press("Enter")
    settled(page)
    assert field.get_attribute("aria-invalid") == "true"
    said = page.locator(f"[id='{field.get_attribute('aria-describedby')}']")
    assert "60 rows, numbered 0 to 59" in said.inner_text()
    assert field.input_value() == typed
    assert "r=3" in page.url
    field.fill("5")
    field.press("Enter")
    assert decision(page) == LOAN.decide(LOANS[5]).label
    assert field.get_attribute("aria-invalid") == "false"

"""Swagger UI works under the content security policy, and loads nothing from other hosts."""

from pathlib import Path

import pytest

from reasons.server.swagger import swagger_files
from tests.support.server.client import serving

CHROMIUM = Path("/usr/bin/chromium")


def test_swagger_ui_requests_nothing_from_other_hosts() -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists() or swagger_files() is None:
        pytest.skip(f"{CHROMIUM} or fastapi-offline is not installed")
    said: list[str] = []
    asked: list[str] = []
    with (
        serving("E & (~F | G)", "--no-open") as (host, port),
        playwright.sync_playwright() as running,
    ):
        here = f"http://{host}:{port}/"
        browser = running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", lambda line: said.append(line.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{here}api/docs")
        page.locator("[id*=decide_api] button.opblock-summary-control").first.click()
        page.get_by_role("button", name="Try it out").click()
        page.get_by_role("button", name="Execute").click()
        shown = page.locator(".live-responses-table .response-col_description").last
        shown.wait_for()
        assert '"label": true' in shown.inner_text()
        browser.close()
    assert said == []
    assert asked
    assert all(url.startswith((here, "data:")) for url in asked)

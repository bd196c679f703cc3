"""First paint: the style is inlined and allowed by its hash, the model is embedded."""

import json
import re
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from reasons.server.static_files import style_hashes, with_model
from tests.support.server import browser as page_served
from tests.support.server.browser import BAD, LOANS, Opened, served, settled

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

HOSTILE = page_served.hostile()


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    with served(HOSTILE, name="</script><script>alert(1)</script>") as url:
        yield url


def fetched(url: str) -> tuple[str, Any]:
    with urllib.request.urlopen(url) as answer:
        return answer.read().decode(), answer.headers


def test_the_embedded_model_is_that_of_the_api_and_adds_no_script(
    hostile: str,
) -> None:
    page, headers = fetched(hostile)
    inside = re.findall(r'<script type="application/json" id="model">(.*?)</script>', page)
    assert len(inside) == 1
    assert json.loads(inside[0]) == json.loads(fetched(hostile + "api/v1/model")[0])
    assert len(re.findall("<script", page)) == 2
    policy = headers["content-security-policy"]
    assert re.search("style-src 'self' 'sha256-[^']{44}'; ", policy)
    assert "unsafe" not in policy
    assert style_hashes(page)[0] in policy


def test_a_long_model_is_requested_instead_of_embedded(opened: Opened) -> None:
    assert with_model("<body></body>", "1" * 100_001) == "<body></body>"
    long = page_served.loans()
    with served(long, rows=LOANS, name="n" * 100_001) as url:
        page = opened(url)
        asked = "performance.getEntriesByType('resource').map((e) => e.name.split('/').pop())"
        assert "model" in page.evaluate(asked)


def test_the_page_is_painted_with_its_style_before_any_request(
    opened: Opened, hostile: str
) -> None:
    page = opened(hostile)
    asked, painted = page.evaluate(
        """() => [performance.getEntriesByType('resource').filter((e) => e.name.includes('/api/'))
        .map((e) => [e.name, e.startTime]), performance.getEntriesByType('paint')[0].startTime]"""
    )
    names = [name.rsplit("/", 1)[1] for name, _ in asked]
    assert "model" not in names
    assert "decide" in names
    assert min(start for _, start in asked) >= painted - 20  # a frame may be shown a little later
    assert page.locator("script#model").count() == 0
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(245, 246, 248)"


def test_a_foreign_style_is_blocked(opened: Opened, hostile: str) -> None:
    page = opened(hostile, allowed="Content Security Policy")
    page.evaluate(
        """() => { const style = document.createElement('style');
        style.textContent = 'body { background: rgb(1, 2, 3) !important }';
        document.head.append(style); }"""
    )
    settled(page)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(1, 2, 3)"
    assert BAD in page.locator("body").inner_text()

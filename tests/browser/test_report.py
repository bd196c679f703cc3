"""The report of an audit: its lines are visible in both colour schemes."""

from pathlib import Path
from typing import Any

import pytest

import reasons
from tests.support.server import browser as page_served

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))

COLOURS = """() => [...document.querySelectorAll('.bar .limit')].map((line) => {
    const bar = line.closest('.bar');
    const of = (name, what) => getComputedStyle(bar.querySelector(name))[what];
    return { line: of('.limit', 'stroke'), halo: of('.halo', 'stroke'),
             wide: parseFloat(of('.halo', 'strokeWidth')) - parseFloat(of('.limit', 'strokeWidth')),
             above: bar.lastElementChild === line }; })"""


def brightness(colour: str) -> float:
    """The relative luminance of `rgb(r, g, b)`, as WCAG defines it."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([brightness(one), brightness(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_line_of_four_fifths_is_seen_on_bars_of_any_colour(
    browser: Any, tmp_path: Path, scheme: str
) -> None:
    rows = [{**row, "region": "ns"[i % 2]} for i, row in enumerate(page_served.LOANS * 3)]
    found = reasons.audit(
        page_served.loans(), rows, protected=["sex"], groups="region", favourable="grant"
    )
    found.report(tmp_path / "audit.html")
    page = browser.new_page(color_scheme=scheme, viewport={"width": 1000, "height": 800})
    page.goto((tmp_path / "audit.html").as_uri())
    lines = page.evaluate(COLOURS)
    assert lines
    for line in lines:
        assert contrast(line["line"], line["halo"]) > 7
        assert line["wide"] >= 3
        assert line["above"]
    page.close()
    assert contrast("rgb(194, 87, 12)", "rgb(76, 120, 168)") < 2  # what it was: orange on blue

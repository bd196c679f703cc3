"""Take the pictures of the README: the page of a loan model, and the report of an audit.

`make pictures` runs this. It needs Chromium, Playwright and scikit-learn.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import reasons
from reasons.datasets.applications import applications, points_card
from tests.support.server.browser import served, settled

PICTURES = Path(__file__).parent.parent / "docs/pictures"
PAGE_SIZE = {"width": 1280, "height": 965}
REPORT_SIZE = {"width": 1040, "height": 970}


def loans() -> tuple[reasons.Classifier, Any]:
    """A random forest trained on generated loans, where men are favoured, and its rows."""
    import numpy as np
    import pandas as pd
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    rng, size = np.random.default_rng(4), 1_000
    rows = pd.DataFrame(
        {
            "application": [f"L-{20_410 + i}" for i in range(size)],
            "credit score": rng.normal(660, 75, size).clip(320, 850).round().astype(int),
            "income": (rng.lognormal(10.6, 0.45, size) / 100).round().astype(int) * 100,
            "loan amount": (rng.lognormal(9.6, 0.6, size) / 100).round().astype(int) * 100,
            "years employed": rng.gamma(1.6, 4, size).round().astype(int),
            "home": rng.choice(["own", "mortgage", "rent"], size, p=[0.2, 0.4, 0.4]),
            "sex": rng.choice(["female", "male"], size),
        }
    )
    points = (rows["credit score"] - 650) / 55 + 1.4 * np.log(rows.income / rows["loan amount"])
    points += (rows["years employed"] > 4) * 0.9 + (rows.home != "rent") * 0.5
    points += (rows.sex == "male") * 0.55 + rng.normal(0, 0.6, size)
    labels = np.where(points > 1.8, "grant", np.where(points > 0.5, "review", "refuse"))
    encoded = make_column_transformer((OneHotEncoder(), ["home", "sex"]), remainder="passthrough")
    forest = RandomForestClassifier(5, max_depth=4, max_leaf_nodes=9, random_state=3)
    model = make_pipeline(encoded, forest).fit(rows.drop(columns="application"), labels)
    return reasons.compile(model), rows


def page_picture(browser: Any, path: Path) -> None:
    """The decision on a row that only the applicant's sex would change."""
    classifier, rows = loans()
    with served(classifier, rows=rows, name="loans.joblib", protected=["sex"]) as url:
        page = browser.new_page(viewport=PAGE_SIZE, reduced_motion="reduce")
        page.goto(url + "#/decision?r=4")
        settled(page)
        page.wait_for_timeout(300)
        page.screenshot(path=path)


def report_picture(browser: Any, path: Path) -> None:
    """The top of a report on the applications of `reasons demo`."""
    audit = reasons.audit(points_card(), applications(), ["hometown"], favourable="admitted")
    with tempfile.TemporaryDirectory() as folder:
        audit.report(Path(folder) / "audit.html")
        page = browser.new_page(viewport=REPORT_SIZE)
        page.goto((Path(folder) / "audit.html").as_uri())
        page.wait_for_timeout(300)
        page.screenshot(path=path)


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        path = shutil.which("chromium")
        with play.chromium.launch(executable_path=path, args=["--no-sandbox"]) as browser:
            page_picture(browser, PICTURES / "page.png")
            report_picture(browser, PICTURES / "report.png")

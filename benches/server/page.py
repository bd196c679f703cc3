"""What a person waits for on the page: its first paint, and the answer to a click, on 10^4 nodes.

Times are the browser's own: `first-contentful-paint`, and the marks that the page sets when a
value changes and when the answer is in the frame that follows. The best is what page, server
and browser need; the median has the machine's other work in it.
"""

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import reasons
from benches.harness.timing import format_seconds, print_table
from reasons import Classifier

AIM = 0.1
LOADS = 8
CLICKS = 24


def run() -> None:
    """Print first paints and the times from a click to its decision and to its explanation."""
    if shutil.which("chromium") is None:
        print("skipped: page needs chromium (make browser) and playwright")
        return
    from playwright.sync_api import sync_playwright

    classifier, rows = _forest()
    instance = rows.iloc[0].to_dict()
    with _served(classifier, rows) as url, sync_playwright() as play:
        path = shutil.which("chromium")
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        paints, bare = [], []
        for _ in range(LOADS):  # in turns, so that both have the same other work beside them
            paints.append(_paint(browser, url, ".sentences .lead"))
            bare.append(_paint(browser, url + "licences.txt", "pre"))
        measures = _clicks(browser, url)
        browser.close()
    started = time.perf_counter()
    classifier.decide(instance).statements()
    own = time.perf_counter() - started
    lines = [
        ["first paint", paints],
        ["that of a bare text", bare],
        *[[name, measures[name]] for name in measures],
    ]
    print_table(
        f"page: {len(classifier.circuit):,} nodes; "
        f"its sentences in-process take {format_seconds(own)}",
        ["", "best", "median", "worst", f"aim: {format_seconds(AIM)}"],
        [
            [name, *map(format_seconds, (min(s), median(s), max(s))), _verdict(median(s))]
            for name, s in lines
        ],
    )


def _verdict(seconds: float) -> str:
    return "met" if seconds < AIM else "missed"


def _forest() -> tuple[Classifier, Any]:
    import numpy
    import pandas
    from sklearn.ensemble import RandomForestClassifier

    rng = numpy.random.default_rng(1)
    rows = pandas.DataFrame({f"x{i}": rng.integers(0, 2, 1500) for i in range(16)})
    points = rows @ rng.integers(-3, 4, 16) + rng.normal(size=1500)
    model = RandomForestClassifier(17, max_depth=5, random_state=0)
    return reasons.compile(model.fit(rows, numpy.where(points > 0, "yes", "no"))), rows


@contextmanager
def _served(classifier: Classifier, rows: Any) -> Iterator[str]:
    import uvicorn

    from reasons.server.app import app_of

    app = app_of(classifier, rows=rows, name="forest")
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        thread.join(10)


def _paint(browser: Any, url: str, ready: str) -> float:
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector(ready)
    page.wait_for_timeout(300)
    found = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return float(found) / 1000


def _clicks(browser: Any, url: str) -> dict[str, list[float]]:
    """How long each of some changes of a value took to be answered, in seconds."""
    page = browser.new_context(viewport={"width": 1320, "height": 900}).new_page()
    page.goto(url)
    page.wait_for_selector(".drawing .node")
    page.wait_for_timeout(1500)
    page.evaluate("performance.clearMeasures()")
    sliders = page.get_by_role("slider")
    for click in range(CLICKS):
        slider = sliders.nth(click % 12)
        low = slider.evaluate("slider => slider.value === '0'")
        slider.press("ArrowRight" if low else "ArrowLeft")
        page.wait_for_timeout(700)
    script = "performance.getEntriesByType('measure').map((m) => [m.name, m.duration])"
    found: dict[str, list[float]] = {"decided": [], "explained": []}
    for name, duration in page.evaluate(script):
        found[name].append(duration / 1000)
    return found

"""Classifiers served on free ports, and a browser that complains about what should not happen."""

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons import Builder, Classifier, Feature
from reasons.server.app import STATIC

BAD = "<img src=x onerror=alert(1)>"
WORSE = "</script><script>alert(2)</script>"
QUOTE = '" onmouseover="alert(3)'
LINK = "javascript:alert(4)~'&=#?%."
SVG = "<svg onload=alert(5)>"


def why_skipped() -> str | None:
    """What is missing for browser tests, if something is."""
    if shutil.which("chromium") is None:
        return "no chromium: make browser"
    if not (STATIC / "index.html").exists():
        return "the page is not built: make webapp"
    try:
        import playwright
    except ImportError:
        return "no playwright: pip install playwright"
    del playwright
    return None


def admissions() -> Classifier:
    """The paper's: exam, first time, GPA, work, rich hometown."""
    return reasons.compile("E & (~F | G | W | R)")


def loans() -> Classifier:
    """Three labels over numbers (one whole, within bounds; one that may be missing) and words."""
    age = Feature.numeric("age", [25, 40, 60], whole=True, within=(18, 90))
    income = Feature.numeric("income", [30.5], missing=True)
    job = Feature.categorical("job", ["clerk", "driver", "nurse"], other=True)
    sex = Feature.categorical("sex", ["f", "m"])
    build = Builder([age, income, job, sex], ["refuse", "review", "grant"])
    refuse, review, grant = map(build.leaf, ("refuse", "review", "grant"))
    low, high, missing = income.values
    by_sex = build.decide("sex", {"f": review, "m": grant})
    by_job = build.decide("job", {"nurse": grant, ("clerk", "driver", job.values[3]): by_sex})
    rich = build.decide("income", {low: refuse, high: by_job, missing: review})
    poor = build.decide("income", {low: refuse, high: review, missing: refuse})
    young, middle, older, old = age.values
    root = build.decide("age", {young: poor, (middle, older): rich, old: by_job})
    return build.build(root)


LOANS: list[dict[str, Any]] = [
    {"age": 20 + (7 * i) % 60, "income": [20.0, 45.5, None][i % 3], "job": job, "sex": "fm"[i % 2]}
    for i, job in enumerate(["clerk", "driver", "nurse", "smith"] * 15)
]


def hostile() -> Classifier:
    """Names, values and labels that would run if a page took them for more than text."""
    tag = Feature.categorical(BAD, [BAD, WORSE])
    flag = Feature.boolean(QUOTE)
    number = Feature.numeric(LINK, [1, 2])
    build = Builder([tag, flag, number], [WORSE, SVG])
    no, yes = build.leaf(WORSE), build.leaf(SVG)
    one, two, three = number.values
    by_number = build.decide(LINK, {(one, three): no, two: yes})
    return build.build(
        build.decide(BAD, {WORSE: no, BAD: build.decide(QUOTE, {True: yes, False: by_number})})
    )


def forest(trees: int = 17) -> tuple[Classifier, Any]:
    """A forest that compiles to a circuit of 10^4 nodes, and its rows."""
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = numpy.random.default_rng(1)
    rows = pandas.DataFrame({f"x{i}": rng.integers(0, 2, 1500) for i in range(16)})
    points = rows @ rng.integers(-3, 4, 16) + rng.normal(size=1500)
    model = ensemble.RandomForestClassifier(trees, max_depth=5, random_state=0)
    return reasons.compile(model.fit(rows, numpy.where(points > 0, "yes", "no"))), rows


@contextmanager
def served(classifier: Classifier, **options: Any) -> Iterator[str]:
    """The address of a server of a classifier, for a while."""
    import uvicorn

    from reasons.server.app import app_of

    app = app_of(classifier, **options)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none", lifespan="on"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        deadline = time.monotonic() + 20
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join(10)


class Watch:
    """What a page should never do, as it happens: complain, ask elsewhere, open a dialog."""

    def __init__(self, page: Any, home: str, allowed: str = "") -> None:
        self.wrong: list[str] = []
        self.allowed = allowed
        page.on("console", self.read)
        page.on("pageerror", lambda error: self.note(str(error)))
        page.on("dialog", self.dismiss)
        page.on("request", lambda request: self.asked(request.url, home))

    def read(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.note(message.text)

    def dismiss(self, dialog: Any) -> None:
        self.note(f"dialog {dialog.message}")
        dialog.dismiss()

    def note(self, text: str) -> None:
        if not (self.allowed and self.allowed in text):
            self.wrong.append(text)

    def asked(self, url: str, home: str) -> None:
        if not url.startswith((home, "data:", "blob:" + home)):
            self.note(f"asked for {url}")


class Opened:
    """Opens pages in one browser; what was wrong on any of them is told at the end."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self._watches: list[Watch] = []
        self._contexts: list[Any] = []

    def __call__(self, url: str, *, allowed: str = "", ready: bool = True, **context: Any) -> Any:
        size = context.pop("viewport", {"width": 1320, "height": 900})
        own = self.browser.new_context(viewport=size, accept_downloads=True, **context)
        page = own.new_page()
        page.set_default_timeout(15_000)
        home = "/".join(url.split("/")[:3])
        self._watches.append(Watch(page, home, allowed))
        self._contexts.append(own)
        page.goto(url)
        if ready:
            settled(page)
        return page

    def close(self) -> list[str]:
        for own in self._contexts:
            own.close()
        return [text for watch in self._watches for text in watch.wrong]


def until(page: Any, script: str, argument: Any = None) -> None:
    """Wait until a function in the page says yes; Playwright's own way is against its policy."""
    deadline = time.monotonic() + 15
    while not page.evaluate(script, argument):
        assert time.monotonic() < deadline, f"in vain: {script} of {argument} at {page.url}"
        page.wait_for_timeout(15)


def settled(page: Any) -> None:
    """Wait until nothing is being asked or drawn."""
    busy = "document.querySelector('[aria-busy=true], .stale')"
    until(page, f"() => !!document.querySelector('h1') && !{busy}")


def decision(page: Any) -> str:
    """The label on the page."""
    settled(page)
    return str(page.locator("h1").inner_text()).removeprefix("The decision is").strip()


def text_with_graph(page: Any) -> str:
    """All text on the page, once its graph is drawn."""
    page.locator("#graph").scroll_into_view_if_needed()
    page.locator("#graph .node").first.wait_for()
    settled(page)
    return str(page.locator("body").inner_text())


def shot(page: Any, folder: Path, name: str, *, whole: bool = False) -> None:
    page.screenshot(path=folder / f"{name}.png", full_page=whole)

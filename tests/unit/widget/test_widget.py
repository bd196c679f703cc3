"""The widget of a decision: what it is told and what it tells, in Python and in a browser."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons import Classifier
from reasons.widget import widget as whatif
from tests.support.server.classifiers import HOSTILE, forest, formula, hostile, loans

CHROMIUM = Path("/usr/bin/chromium")
SUSAN = {"E": True, "F": True, "G": True, "W": False, "R": True}


def heard(widget: Any, **message: Any) -> Any:
    widget._handle_custom_msg(message, [])
    return widget.answer


def test_it_shows_what_the_decision_says() -> None:
    decision = formula().decide(SUSAN)
    answer = reasons.widget(decision).answer
    assert answer["label"] is True
    assert answer["sentences"] == decision.statements()
    shown = [term["text"] for term in answer["sufficient_reasons"]["shown"]]
    assert shown == [str(term) for term in decision.sufficient_reasons()]
    assert answer["necessary"]["text"] == "E"
    assert answer["even_if"] == ""
    json.dumps(answer, allow_nan=False)


def test_a_switch_changes_the_decision_and_back() -> None:
    decision = formula().decide(SUSAN)
    widget = reasons.widget(decision)
    answer = heard(widget, kind="choose", feature="G", cell=0)
    assert (
        answer["even_if"]
        == "The decision would still be True even if G were false, because E and R."
    )
    assert str(widget.decision.reason) == "E & R"
    answer = heard(widget, kind="choose", feature="E", cell=0)
    assert (answer["label"], widget.decision.label) == (False, False)
    assert answer["even_if"] == "The decision would be False if E were false and G were false."
    answer = heard(widget, kind="reset")
    assert widget.decision is decision
    assert answer["label"] is True


def test_a_number_comes_back_as_it_was() -> None:
    widget = reasons.widget(loans().decide({"age": 33.5, "job": "nurse", "home": False}))
    assert heard(widget, kind="choose", feature="age", cell=2)["instance"]["age"] > 40
    assert heard(widget, kind="choose", feature="age", cell=1)["instance"]["age"] == 33.5
    assert heard(widget, kind="choose", feature="age", raw=39)["instance"]["age"] == 39
    assert heard(widget, kind="choose", feature="age", raw=None)["instance"]["age"] is None


def test_protected_features_are_chosen_by_message_or_by_hand() -> None:
    widget = reasons.widget(formula().decide({**SUSAN, "G": False}))
    answer = heard(widget, kind="protect", features=["R"])
    assert answer["bias"]["decision"]["biased"] is True
    assert answer["bias"]["decision"]["witness"]["R"] is False
    assert widget.protected == ["R"]
    widget.protect([])
    assert (widget.answer["bias"], widget.protected) == (None, [])
    widget.choose({"E": False})
    assert widget.answer["label"] is False


@pytest.mark.parametrize(
    "message",
    [
        {"kind": "choose", "feature": "Q", "cell": 0},
        {"kind": "choose", "feature": "E", "cell": 2},
        {"kind": "choose", "feature": "E", "cell": -1},
        {"kind": "choose", "feature": "E", "cell": True},
        {"kind": "choose", "feature": "E", "raw": "maybe"},
        {"kind": "choose", "feature": ["E"], "cell": 0},
        {"kind": "protect", "features": ["Q"]},
        {"kind": "protect", "features": [["E"]]},
        {"kind": "protect"},
        {"kind": "other"},
        {},
    ],
)
def test_a_message_that_makes_no_sense_is_shown_and_changes_nothing(message: Any) -> None:
    widget = reasons.widget(formula().decide(SUSAN))
    before = widget.answer
    assert heard(widget, **message) == before
    assert widget.error
    assert heard(widget, kind="reset") == before
    assert widget.error == ""


def test_what_is_impossible_is_said() -> None:
    widget = reasons.widget(reasons.compile("a & b", constraint="a | b").decide("a, ~b"))
    heard(widget, kind="choose", feature="a", cell=0)
    assert "impossible" in widget.error
    assert widget.decision.instance["a"] is True


def test_a_searched_model_has_a_widget() -> None:
    widget = reasons.widget(forest().decide({"a": 7, "b": 3, "c": 2.5, "d": 0}))
    assert widget.answer["sufficient_reasons"]["shown"]
    answer = heard(widget, kind="choose", feature="a", cell=0)
    assert answer["label_text"] == str(widget.decision.label)


def test_without_anywidget_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    whatif._widget_class.cache_clear()
    with pytest.raises(reasons.InputError, match=r"reasons\[notebook\]"):
        reasons.widget(formula().decide(SUSAN))
    with pytest.raises(reasons.InputError, match="got str"):
        reasons.widget("E")  # type: ignore[arg-type]


# In a browser: the module of the package, with messages to and from the widget in Python.

HOST = """
const listeners = {}, state = JSON.parse(await ask(null));
const tell = (name) => (listeners[name] ?? []).forEach((call) => call());
const model = {
  get: (name) => state[name],
  on: (name, call) => (listeners[name] ??= []).push(call),
  off: (name, call) => (listeners[name] = listeners[name].filter((one) => one !== call)),
  async send(message) {
    Object.assign(state, JSON.parse(await ask(JSON.stringify(message))));
    ["change:answer", "change:protected", "change:error", "msg:custom"].forEach(tell);
    document.body.dataset.answers = Number(document.body.dataset.answers ?? 0) + 1;
  },
};
const code = new Blob([await source()], { type: "text/javascript" });
const { default: widget } = await import(URL.createObjectURL(code));
window.done = widget.render({ model, el: document.body });
document.body.dataset.ready = 1;
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield found
        found.close()


def opened(browser: Any, classifier: Classifier, instance: Any, scheme: str = "light") -> Any:
    """A page that shows the widget; anything it complains about fails the test."""
    widget = reasons.widget(classifier.decide(instance))
    page = browser.new_page(viewport={"width": 900, "height": 600}, color_scheme=scheme)
    page.complaints = []
    page.on("console", lambda said: page.complaints.append(said.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("dialog", lambda dialog: page.complaints.append("a dialog"))

    def ask(message: str | None) -> str:
        if message is not None:
            widget._handle_custom_msg(json.loads(message), [])
        names = ("about", "answer", "protected", "error")
        return json.dumps({name: getattr(widget, name) for name in names}, allow_nan=False)

    page.expose_function("ask", ask)
    page.expose_function("source", lambda: widget._esm)
    page.set_content(f"<!doctype html><style>:root{{color-scheme:{scheme}}}</style>")
    page.add_style_tag(content=widget._css)
    page.add_script_tag(content=HOST, type="module")
    page.wait_for_selector("body[data-ready]", timeout=10_000)
    return page


def settled(page: Any, answers: int) -> None:
    page.wait_for_selector(f"body[data-answers='{answers}']")
    assert page.complaints == []


def test_switches_sliders_and_menus_ask_python_and_show_its_answers(browser: Any) -> None:
    page = opened(browser, loans(), {"age": 33, "job": "nurse", "home": False})
    assert page.inner_text(".label") == "ask"
    page.get_by_label("home", exact=True).check()
    settled(page, 1)
    assert page.inner_text(".label") == "grant"
    assert "would be grant if home" in page.inner_text(".said")
    page.get_by_label("age", exact=True).focus()
    page.keyboard.press("ArrowLeft")
    settled(page, 2)
    assert page.inner_text(".label") == "refuse"
    page.get_by_label("job", exact=True).select_option("<other>")
    settled(page, 3)
    assert "job = <other>" in page.inner_text(".reasons")
    page.get_by_label("protect age").check()
    settled(page, 4)
    assert "biased on age" in page.inner_text(".reasons")
    page.get_by_text("Back to the first values").click()
    settled(page, 5)
    assert page.inner_text(".label") == "ask"
    assert page.locator(".changed").count() == 0


def test_hostile_texts_stay_texts(browser: Any) -> None:
    classifier = hostile()
    name = classifier.features[1].name
    page = opened(browser, classifier, {HOSTILE: HOSTILE, name: True}, "dark")
    assert page.inner_text(".label") == HOSTILE
    assert page.locator(".reasons script").count() == 0
    page.locator("select").select_option(index=1)
    settled(page, 1)
    page.locator(".control input[aria-label]").first.check()
    settled(page, 2)
    assert page.locator(".reasons script").count() == 0

"""The page with a circuit of 10^4 nodes, and with a searched model."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import reasons
from reasons.circuits.circuit import Arm
from reasons.circuits.circuit import Test as FeatureTest
from tests.support.server import browser as page_served
from tests.support.server.browser import Opened, decision, served, settled, until

SKIPPED = page_served.why_skipped()
pytestmark = pytest.mark.skipif(SKIPPED is not None, reason=str(SKIPPED))


@pytest.fixture(scope="module")
def forest() -> Iterator[tuple[str, reasons.Classifier, Any]]:
    classifier, rows = page_served.forest()
    assert len(classifier.circuit) > 10_000
    with served(classifier, rows=rows, name="forest") as url:
        yield url, classifier, rows


def shown(page: Any) -> set[str]:
    """The ids of the nodes of the classifier's graph on the page."""
    settled(page)
    nodes = page.locator("#graph .node").all()
    return {str(node.get_attribute("data-node")).split("#")[0] for node in nodes}


def test_a_large_graph_starts_at_the_path_and_grows_on_demand(
    opened: Opened, forest: tuple[str, reasons.Classifier, Any]
) -> None:
    url, classifier, _ = forest
    page = opened(url)
    page.get_by_role("button", name="Model").click()
    page.locator("#graph .node").first.wait_for()
    before = shown(page)
    assert 2 < len(before) <= 500
    assert f"of {len(classifier.circuit):,} nodes" in page.locator("#graph").inner_text()
    lit = {x.get_attribute("data-node") for x in page.locator("#graph .node.lit").all()}
    assert str(classifier.circuit.root) in lit
    more = page.locator("#graph").get_by_role("button", name=re.compile("show [0-9]+ more"))
    node = more.last.get_attribute("data-node")
    more.last.focus()
    page.keyboard.press("Enter")
    until(page, "count => document.querySelectorAll('#graph .node').length > count", len(before))
    after = shown(page)
    inputs = {str(arm.node) for arm in arms_of(classifier, int(node))}
    assert inputs <= after
    assert before <= after
    assert shown(_opened_at_graph(opened, page.url)) == after


def _opened_at_graph(opened: Opened, url: str) -> Any:
    page = opened(url)
    page.locator("#graph").scroll_into_view_if_needed()
    page.locator("#graph .node").first.wait_for()
    return page


def test_layout_is_off_the_main_thread_and_answers_are_timed(
    opened: Opened, forest: tuple[str, reasons.Classifier, Any]
) -> None:
    url, classifier, rows = forest
    page = opened(url + "#/decision?r=3")
    page.locator(".drawing .node").first.wait_for()
    assert {worker.url.rsplit("/", 1)[1] for worker in page.workers} == {"elk-worker.min.js"}
    page.evaluate("performance.clearMeasures()")
    slider = page.get_by_role("slider", name="x6")
    low = slider.evaluate("slider => slider.value === '0'")
    slider.press("ArrowRight" if low else "ArrowLeft")
    changed = {**rows.iloc[3].to_dict(), "x6": 1 if low else 0}
    assert decision(page) == classifier.decide(changed).label
    script = "() => new Set(performance.getEntriesByType('measure').map((m) => m.name)).size"
    until(page, f"() => ({script})() === 2")


@pytest.fixture(scope="module")
def tree() -> Iterator[tuple[str, reasons.Classifier, Any]]:
    """A tree of some 300 nodes: small enough to draw, too large to read."""
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    trees = pytest.importorskip("sklearn.tree")
    rng = numpy.random.default_rng(5)
    rows = pandas.DataFrame({f"measure_{i}": rng.integers(0, 99, 2000) for i in range(6)})
    labels = numpy.where(rows.sum(axis=1) + rng.normal(0, 40, 2000) > 300, "high", "low")
    model = trees.DecisionTreeClassifier(max_leaf_nodes=400, random_state=0).fit(rows, labels)
    classifier = reasons.compile(model)
    assert 300 < len(classifier.circuit) <= 500
    with served(classifier, rows=rows, name="tree") as url:
        yield url, classifier, rows


IN_SIGHT = """() => {
    const frame = document.querySelector('#graph .frame > svg').getBoundingClientRect();
    return [...document.querySelectorAll('#graph .node.lit')].map((e) => e.getBoundingClientRect())
        .every((r) => r.left >= frame.left - 1 && r.right <= frame.right + 1 &&
                      r.top >= frame.top - 1 && r.bottom <= frame.bottom + 1); }"""
SCALE = "() => document.querySelector('#graph svg > g').getCTM().a"


@pytest.mark.parametrize("width", [1280, 390])
def test_an_unreadable_graph_starts_at_the_path_and_keeps_it_visible(
    opened: Opened, tree: tuple[str, reasons.Classifier, Any], width: int
) -> None:
    url, classifier, rows = tree
    page = opened(url + "#/decision?r=5", viewport={"width": width, "height": 900})
    page.locator("#graph").scroll_into_view_if_needed()
    page.locator("#graph .node").first.wait_for()
    for row in (6, 7, 8):
        page.evaluate("hash => { location.hash = hash }", f"#/decision?r={row}")
        until(page, "row => document.querySelector('.rows input').value === row", str(row))
        settled(page)
        page.locator("#graph").scroll_into_view_if_needed()
        until(page, PATH, [str(node) for node in _path(classifier, rows.iloc[row].to_dict())])
        assert len(shown(page)) < 60
        assert page.evaluate(SCALE) >= 0.5
        until(page, IN_SIGHT)
    page.evaluate("document.querySelector('#graph .tools').scrollIntoView({block: 'center'})")
    for _ in range(6):
        page.locator("#graph").get_by_role("button", name="Zoom in").click()
    until(page, f"() => !({IN_SIGHT})()")


PATH = """way => { const lit = [...document.querySelectorAll('#graph .node.lit')];
    return lit.map((e) => e.dataset.node.split('#')[0]).sort().join() === way.sort().join(); }"""


def arms_of(classifier: reasons.Classifier, number: int) -> Sequence[Arm]:
    node = classifier.circuit[number]
    assert isinstance(node, FeatureTest)
    return node.arms


def _path(classifier: reasons.Classifier, instance: dict[str, Any]) -> list[int]:
    """The nodes on the path of an instance, by the circuit's own arms."""
    circuit, cells = classifier.circuit, classifier.decide(instance).instance.cells
    found = [circuit.root]
    while isinstance(node := circuit[found[-1]], FeatureTest):
        found += [arm.node for arm in node.arms if cells[node.feature] in arm.cells]
    return found


def at_rest(page: Any, part: Any) -> Any:
    """The box of an element once the page has scrolled to the focus."""
    place, before = part.bounding_box(), None
    while place != before:
        page.wait_for_timeout(200)
        place, before = part.bounding_box(), place
    return place


def test_an_expanded_node_stays_under_the_pointer_and_all_can_be_shown(
    opened: Opened, tree: tuple[str, reasons.Classifier, Any]
) -> None:
    url, classifier, _ = tree
    page = opened(url + "#/decision?r=5")
    page.locator("#graph").scroll_into_view_if_needed()
    more = page.locator("#graph").get_by_role("button", name=re.compile("show [0-9]+ more"))
    more.first.wait_for()
    settled(page)
    before = shown(page)
    node = str(more.last.get_attribute("data-node"))
    more.last.focus()
    place = at_rest(page, more.last)
    more.last.press("Enter")
    until(page, "count => document.querySelectorAll('#graph .node').length > count", len(before))
    after = shown(page)
    now = page.locator(f"#graph [data-node='{node}']").bounding_box()
    assert abs(now["x"] - place["x"]) < 3 > abs(now["y"] - place["y"])
    assert after - before <= {str(arm.node) for arm in arms_of(classifier, int(node))}
    page.get_by_role("button", name="Show all nodes").click()
    until(page, "() => document.querySelectorAll('#graph .node').length > 300")
    assert shown(page) == {str(number) for number in range(len(classifier.circuit))}
    page.get_by_role("button", name="Show only the path").click()
    until(page, "() => document.querySelectorAll('#graph .node').length < 60")
    assert shown(page) == before


def test_a_searched_model_says_what_it_cannot_draw(opened: Opened) -> None:
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = numpy.random.default_rng(0)
    rows = pandas.DataFrame({f"x{i}": rng.normal(size=300) for i in range(8)})
    model = ensemble.RandomForestClassifier(8, max_depth=5, random_state=0)
    fitted = model.fit(rows, numpy.where(rows.x0 * rows.x1 > rows.x2, "yes", "no"))
    searched = reasons.compile(fitted, budget=reasons.Budget(nodes=200))
    assert searched.method == "search"
    with served(searched, rows=rows.head(20), protected=["x0"]) as url:
        page = opened(url)
        own = searched.decide(rows.iloc[0].to_dict())
        assert decision(page) == own.label
        told = page.locator(".terms .chips").all()
        reasons_of_it = {str(term) for term in own.sufficient_reasons()}
        assert reasons_of_it <= {term.get_attribute("aria-label") for term in told}
        assert page.locator("#why .drawing .node").count() > 1
        page.locator("#graph").scroll_into_view_if_needed()
        assert "no graph to draw" in page.locator("#graph").inner_text()
        page.locator("#what-if .flip").first.click()
        assert decision(page) != own.label


def test_a_feature_of_very_many_cells_has_a_number_field_and_a_checkbox(
    opened: Opened,
) -> None:
    amount = reasons.Feature.numeric("amount", [i + 0.5 for i in range(1_500)], missing=True)
    build = reasons.Builder([amount, reasons.Feature.boolean("known")], ["refuse", "grant"])
    *numbers, missing = amount.values
    refuse, grant = build.leaf("refuse"), build.leaf("grant")
    known = build.decide("known", {True: grant, False: refuse})
    arms = {tuple(numbers[0::2]): grant, tuple(numbers[1::2]): refuse, missing: known}
    classifier = build.build(build.decide("amount", arms))
    rows = [{"amount": 1_489.81, "known": True}, {"amount": None, "known": True}]
    with served(classifier, rows=rows, name="cells") as url:
        page = opened(url + "#/decision?r=0")
        field = page.get_by_role("textbox", name="amount")
        assert page.get_by_role("slider").count() == 0
        assert field.input_value() == "1489.81"
        assert page.locator(".numeric output").inner_text() == "(1489.5, 1490.5]"
        assert decision(page) == classifier.decide(rows[0]).label == "grant"
        field.fill("1491")
        field.press("Enter")
        assert decision(page) == "refuse"
        page.get_by_role("checkbox", name="missing").check()
        assert decision(page) == classifier.decide(rows[1]).label == "grant"
        assert field.input_value() == ""
        page.get_by_role("checkbox", name="missing").uncheck()
        settled(page)
        assert field.input_value() != ""


@pytest.fixture(scope="module")
def boosted() -> Iterator[str]:
    """A boosted pipeline: its nodes about numbers have dozens of children."""
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    rng = numpy.random.default_rng(3)
    size = 3_000
    numbers = {
        "age": rng.integers(18, 80, size),
        "income": numpy.round(rng.lognormal(10, 0.6, size), 2),
        "amount": numpy.round(rng.lognormal(9, 0.8, size), 2),
    }
    jobs = ["clerk", "driver", "nurse", "teacher"]
    rows = pandas.DataFrame({**numbers, "job": rng.choice(jobs, size)})
    points = numpy.log(rows.income) - numpy.log(rows.amount) + (rows.age > 30) * 0.8
    points += (rows.job == "nurse") * 0.7 + rng.normal(0, 0.8, size)
    rows.loc[rng.random(size) < 0.05, "income"] = numpy.nan
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    pre = make_column_transformer((scaled, list(numbers)), (OneHotEncoder(), ["job"]))
    model = make_pipeline(pre, GradientBoostingClassifier(n_estimators=60, random_state=0))
    classifier = reasons.compile(model.fit(rows, numpy.where(points > 1, "grant", "refuse")))
    assert max(len(arms_of(classifier, i)) for i in _tests(classifier)) > 30
    with served(classifier, rows=rows, name="boosted") as url:
        yield url


def _tests(classifier: reasons.Classifier) -> list[int]:
    circuit = classifier.circuit
    return [number for number in range(len(circuit)) if hasattr(circuit[number], "arms")]


MESS = """() => {
    const frame = document.querySelector('#graph .frame > svg').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('#graph .edge > text, #graph .node > rect')];
    const all = boxes.map((e) => [e.textContent, e.getBoundingClientRect()]);
    const out = all.filter(([, r]) => r.left < frame.left - 1 || r.right > frame.right + 1);
    const met = all.flatMap(([a, r], i) => all.slice(i + 1).filter(([, s]) => r.left + 1 < s.right
        && s.left + 1 < r.right && r.top + 1 < s.bottom && s.top + 1 < r.bottom)
        .map(([b]) => [a, b]));
    return [...out.map(([text]) => 'out: ' + text), ...met.map((pair) => 'met: ' + pair)]; }"""


@pytest.mark.parametrize(("width", "most"), [(1280, 6), (390, 4)])
def test_of_dozens_of_children_few_are_drawn_with_visible_separate_labels(
    opened: Opened, boosted: str, width: int, most: int
) -> None:
    page = opened(boosted + "#/decision?r=3", viewport={"width": width, "height": 900})
    page.locator("#graph").scroll_into_view_if_needed()
    page.locator("#graph .node").first.wait_for()
    settled(page)
    assert page.locator("#graph .edge").count() <= most * page.locator("#graph .node.lit").count()
    assert page.evaluate(MESS) == []
    before = shown(page)
    rest = page.locator("#graph .node.rest").first
    assert re.fullmatch("… [0-9]+ more", rest.locator("text").inner_html())
    rest.focus()
    page.keyboard.press("Enter")
    until(page, "count => document.querySelectorAll('#graph .node').length > count", len(before))
    assert before < shown(page)
    for _ in range(4):
        page.locator("#graph").get_by_role("button", name="Zoom in").click()
    until(page, f"() => ({MESS})().length > 0")

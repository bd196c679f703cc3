"""The smallest change goes to a value that is there, not to missing or to an unseen category.

A pipeline that fills gaps with medians gives missing a cell of its own, the last, which may be
nearer than any that a person can reach.
"""

import re
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy
import pandas
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import reasons
from reasons.audit.api import audit
from reasons.cli.explain import change_line
from reasons.explain import counterfactual, even_if
from reasons.explain.overview import overview
from reasons.features.terms import parse_term
from reasons.features.values import Special
from reasons.views.decision import overview_view
from tests.support.suppositions import as_term

NUMBERS = ["income", "debt", "history"]


@cache
def people() -> pandas.DataFrame:
    rng, rows = numpy.random.default_rng(0), 800
    found = pandas.DataFrame(
        {
            "income": rng.normal(18_000, 6_000, rows).round(2),
            "debt": rng.integers(0, 6_000, rows).astype(float),
            "history": rng.integers(0, 10, rows).astype(float),
            "region": rng.choice(["north", "south", "east"], rows),
        }
    )
    found.loc[rng.random(rows) < 0.05, "history"] = numpy.nan
    return found


@cache
def lender(nodes: int | None) -> reasons.Classifier:
    rows = people()
    points = rows.income - 2 * rows.debt - 800 * rows.history.fillna(4)
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    coded = OneHotEncoder(handle_unknown="ignore")
    model = make_pipeline(
        make_column_transformer((numbers, NUMBERS), (coded, ["region"])),
        GradientBoostingClassifier(n_estimators=12, max_depth=3, random_state=0),
    ).fit(rows, numpy.where(points > 9_000, "grant", "refuse"))
    budget = reasons.Budget() if nodes is None else reasons.Budget(nodes=nodes)
    return reasons.compile(model, budget=budget)


def refused(classifier: reasons.Classifier) -> list[reasons.Decision]:
    made = (classifier.decide(row) for row in people()[:80].to_dict("records"))
    return [d for d in made if d.label == "refuse"]


def flips(d: reasons.Decision) -> dict[int, list[int]]:
    """By feature, the ordinary cells that alone change the decision: all of them are tried."""
    found: dict[int, list[int]] = {}
    for index, feature in enumerate(d.classifier.features):
        for cell, value in enumerate(feature.values):
            changed = None if isinstance(value, Special) else d._after(index, cell)
            if changed is not None and changed.label != d.label:
                found.setdefault(index, []).append(cell)
    return found


def check(d: reasons.Decision, found: Any) -> bool:
    """Assert that one changed feature gets the nearest ordinary value, where one does it."""
    possible = flips(d)
    if not possible:
        return False
    pairs = enumerate(zip(found.instance.cells, d.instance.cells, strict=True))
    ((feature, (new, old)),) = [(f, pair) for f, pair in pairs if pair[0] != pair[1]]
    assert abs(new - old) == min(abs(cell - old) for cell in possible[feature])
    assert new in possible[feature]
    return True


@pytest.mark.parametrize(("nodes", "method"), [(None, "compiled"), (20, "search")])
def test_a_change_goes_to_the_nearest_ordinary_value(nodes: int | None, method: str) -> None:
    classifier = lender(nodes)
    assert classifier.method == method
    checked = [
        check(d, d.counterfactual()) for d in refused(classifier)[: None if nodes is None else 12]
    ]
    assert sum(checked) >= 5


def test_a_change_to_missing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counterfactual._Query, "plausible", lambda self, change: change)
    made = [d for d in refused(lender(None)) if flips(d)]
    with pytest.raises(AssertionError):
        assert [check(d, d.counterfactual()) for d in made]


def test_the_page_and_an_audit_advise_nobody_to_go_missing() -> None:
    classifier, rows = lender(None), people()[:80]
    changes = audit(classifier, rows, ask=["change"]).table["change"].to_pylist()
    for row, record in enumerate(rows.to_dict("records")):
        d = classifier.decide(record)
        if flips(d):
            told = overview_view(overview(d, [], 3))["changes"][0]["changed"]
            assert [one["to"] for one in told] != [None]
            assert not any("missing" in text or "<other>" in text for text in changes[row])


def test_sentences_say_every_value_of_a_feature_that_changes_the_decision() -> None:
    classifier, read = lender(None), 0
    for d in refused(classifier):
        possible = flips(d)
        for text in d.statements(limit=50):
            if not (found := re.fullmatch(r".* would be grant if (.+), all else equal\.", text)):
                continue
            ((feature, (cells, _)),) = parse_term(classifier.schema, as_term(found[1])).items()
            assert cells <= set(possible[feature])
            if len(runs(possible[feature])) <= 3:
                assert cells == set(possible[feature])
            read += 1
    assert read > 20


def test_a_large_model_supposes_only_the_ends_of_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(even_if, "_MOST_WORK", 0)
    said = [text for d in refused(lender(None)) for text in d.statements(limit=50)]
    assert any(" even if " in text for text in said)
    numbers = [f"whatever {name} is" for name in NUMBERS]
    assert not any(number in text for number in numbers for text in said)


def runs(cells: list[int]) -> list[int]:
    return [cell for cell in cells if cell - 1 not in cells]


def test_what_only_missing_changes_still_changes() -> None:
    age = reasons.Feature.numeric("age", [25], missing=True)
    build = reasons.Builder([age, "home"], ["no", "yes"])
    no, yes = build.leaf("no"), build.leaf("yes")
    young, old, missing = age.values
    clf = build.build(build.decide("age", {young: no, old: no, missing: yes}))
    found = clf.decide({"age": 30, "home": True}).counterfactual()
    assert found is not None
    assert (found.label, found.instance["age"], found.cost) == ("yes", None, 1)
    assert str(found) == "yes with age: missing"
    assert "missing" in found._repr_html_()
    assert "None" not in found._repr_html_()


def test_the_command_line_says_missing_too() -> None:
    change: Any = SimpleNamespace(
        instance={"age": None, "home": True}, given_up={"age": 1}, label="yes"
    )
    assert change_line(change) == "age = missing: yes"

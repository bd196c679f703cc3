"""What search says where it does not answer: another method, a spent budget, Ctrl-C."""

import time
from functools import cache
from typing import Any

import numpy
import pytest

import reasons
from tests.support.ctrl_c import require_ctrl_c_ends

pytest.importorskip("sklearn")
pytest.importorskip("pysat")

from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

LARGE = """
import sys
sys.path.insert(0, ".")
from tests.unit.search.test_limits import large, row_of
import reasons
forest, hours = large()[0], reasons.Budget(seconds=36_000)
decision = reasons.compile(forest, method="search", budget=hours).decide(row_of(large()))
print("ready", flush=True)
{question}
"""


@cache
def large() -> tuple[Any, Any]:
    """A forest whose reasons nobody lists, and its table."""
    X, y = make_classification(1500, 60, n_informative=48, n_redundant=0, random_state=0)
    return RandomForestClassifier(150, max_depth=9, random_state=0, n_jobs=1).fit(X, y), X


def row_of(made: tuple[Any, Any]) -> list[float]:
    """An instance that is decided narrowly."""
    model, X = made
    shares = model.predict_proba(X)[:, 1]
    return list(X[abs(shares - 0.56).argmin()].tolist())


@cache
def small() -> Any:
    X, y = make_classification(
        200, 4, n_informative=3, n_redundant=0, n_classes=3, n_clusters_per_class=1, random_state=0
    )
    return RandomForestClassifier(4, max_depth=3, random_state=0).fit(X, y)


def test_a_model_that_does_not_fit_is_handed_over_and_says_so() -> None:
    compiled = reasons.compile(small())
    assert compiled.method == "compiled"
    assert any("compiled to" in note and "nodes" in note for note in compiled.notes)
    searched = reasons.compile(small(), budget=reasons.Budget(nodes=5))
    assert searched.method == "search"
    assert any("answered by search: compiling it did not fit" in note for note in searched.notes)
    asked = reasons.compile(small(), method="search")
    assert any("as the method 'search' asks" in note for note in asked.notes)
    for classifier in (compiled, searched, asked):
        assert any("200 sampled instances agree" in note for note in classifier.notes)
        assert any("scikit-learn" in note for note in classifier.notes)


def test_a_model_that_cannot_fit_is_not_tried() -> None:
    classifier = reasons.compile(large()[0])
    assert classifier.method == "search"
    assert "answered by search: a circuit of it would be too large" in classifier.notes


def test_what_compiles_is_never_taken_for_too_large() -> None:
    rng = numpy.random.default_rng(0)
    deep = DecisionTreeClassifier(random_state=0).fit(rng.random((4000, 6)), rng.random(4000) < 0.5)
    assert reasons.compile(deep).method == "compiled"
    bins = ["< 1", "[1, 2)", "[2, 3)", "[3, 4)", ">= 4", "missing"]
    rows = [
        {"feature": f"x{f}", "bin": each, "points": int(rng.integers(100))}
        for f in range(40)
        for each in bins
    ]
    card = reasons.from_points(rows, threshold=2000, labels=("no", "yes"))
    assert card.method == "compiled"


def test_compiled_is_not_handed_over() -> None:
    with pytest.raises(reasons.BudgetExceeded):
        reasons.compile(small(), method="compiled", budget=reasons.Budget(nodes=5))
    with pytest.raises(reasons.InputError, match="method='guess'"):
        reasons.compile(small(), method="guess")  # type: ignore[arg-type]


CIRCUIT_ONLY = {
    "count": lambda clf, d: clf.count(d.label),
    "prime implicants": lambda clf, d: clf.prime_implicants(d.label),
    "circuit": lambda clf, d: clf.circuit,
    "sample": lambda clf, d: clf.sample(d.label),
    "equivalent": lambda clf, d: clf.equivalent(clf),
    "condition": lambda clf, d: clf.condition({"x0": d.cells["x0"]}),
    "general reason": lambda clf, d: d.general_reason,
    "general reasons": lambda clf, d: d.sufficient_reasons(general=True),
}


@pytest.mark.parametrize("question", CIRCUIT_ONLY)
def test_what_search_cannot_do_says_what_to_do(question: str) -> None:
    classifier = reasons.compile(small(), method="search")
    decision = classifier.decide([0.0] * 4)
    with pytest.raises(reasons.PropertyError, match="larger budget") as error:
        CIRCUIT_ONLY[question](classifier, decision)
    assert "budget=reasons.Budget(nodes=" in str(error.value)
    compiled = reasons.compile(small(), method="compiled")
    CIRCUIT_ONLY[question](compiled, compiled.decide([0.0] * 4))


def test_writing_what_is_searched_as_a_circuit_is_refused(tmp_path: Any) -> None:
    from reasons.formats.write import write

    with pytest.raises(reasons.PropertyError, match="larger budget"):
        write(reasons.compile(small(), method="search"), tmp_path / "model.nnf")
    assert not list(tmp_path.iterdir())


QUESTIONS = {
    "reason": lambda d: d.reason,
    "relevant features": lambda d: d.relevant_features(),
    "sufficient reasons": lambda d: d.sufficient_reasons(),
    "contrastive sets": lambda d: d.contrastive_sets(),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_spent_budget_raises_and_never_answers(question: str) -> None:
    classifier = reasons.compile(large()[0], method="search").within(reasons.Budget(), 0.5)
    decision = classifier.decide(row_of(large()))
    start = time.monotonic()
    with pytest.raises(reasons.BudgetExceeded):
        QUESTIONS[question](decision)
    assert time.monotonic() - start < 20


QUICK = {
    "sufficient reason": lambda d: d.sufficient_reason(),
    "counterfactual": lambda d: d.counterfactual(),
    "necessary property": lambda d: d.necessary_property,
}


@pytest.mark.parametrize("question", QUICK)
def test_the_seconds_of_a_classifier_limit_questions_without_a_budget(question: str) -> None:
    classifier = reasons.compile(large()[0], method="search").within(reasons.Budget(), 1e-4)
    decision = classifier.decide(row_of(large()))
    with pytest.raises(reasons.BudgetExceeded):
        QUICK[question](decision)


OWN = {
    "sufficient reason": lambda d: d.sufficient_reason(budget=reasons.Budget(seconds=1e-4)),
    "sufficient reasons": lambda d: d.sufficient_reasons(budget=reasons.Budget(seconds=0.05)),
    "contrastive sets": lambda d: d.contrastive_sets(budget=reasons.Budget(seconds=0.05)),
}


@pytest.mark.parametrize("question", OWN)
def test_a_budget_of_the_question_is_kept(question: str) -> None:
    limit = reasons.Budget(seconds=600)
    decision = reasons.compile(large()[0], method="search", budget=limit).decide(row_of(large()))
    start = time.monotonic()
    with pytest.raises(reasons.BudgetExceeded):
        OWN[question](decision)
    assert time.monotonic() - start < 60


def test_the_shortest_reason_within_a_budget_is_a_reason() -> None:
    limit = reasons.Budget(seconds=2)
    decision = reasons.compile(large()[0], method="search", budget=limit).decide(row_of(large()))
    found = decision.shortest_reason(budget=reasons.Budget(seconds=2))
    assert found.at_least <= len(found.term)
    assert decision.is_sufficient(found.term)
    assert not found.proved or found.at_least == len(found.term)


@pytest.mark.parametrize(
    "question",
    [
        "decision.relevant_features()",
        "decision.contrastive_sets()",
        "reasons.compile(forest, method='compiled', budget=hours)",
    ],
)
def test_ctrl_c_ends_long_work(question: str) -> None:
    require_ctrl_c_ends(LARGE.format(question=question))

"""The judge of benches/compare, held against every row of a grid."""

import random
from itertools import product
from typing import Any

import pytest

numpy = pytest.importorskip("numpy")
pytest.importorskip("sklearn")

import reasons
from tests.support.folders import ROOT


@pytest.fixture(scope="module")
def forest() -> tuple[Any, Any, Any]:
    from sklearn.ensemble import RandomForestClassifier

    rng = numpy.random.default_rng(5)
    rows = rng.integers(0, 6, (300, 4)).astype(float)
    labels = (rows[:, 0] > 2) & (rows[:, 1] < 4) | (rows[:, 2] > 4)
    model = RandomForestClassifier(7, max_depth=3, random_state=0).fit(rows, labels)
    return model, rows, reasons.compile(model, method="search", missing=False)


def agrees(row: Any, own: Any, reason: dict[int, Any]) -> bool:
    for column, limits in reason.items():
        if limits == "kept":
            if row[column] != own[column]:
                return False
        elif not any(
            (low is None or row[column] > low) and (high is None or row[column] <= high)
            for low, high in limits
        ):
            return False
    return True


def test_a_reason_is_called_sufficient_where_the_whole_grid_says_so(forest: Any) -> None:
    """Thresholds lie halfway between whole numbers, so whole numbers from 0 to 5 are all cells."""
    from benches.compare.checks import judged

    model, rows, clf = forest
    grid = numpy.array(list(product(range(6), repeat=4)), dtype=float)
    said = model.predict(grid)
    rng = random.Random(3)
    verdicts = set()
    for _ in range(60):
        own = numpy.array([float(rng.randrange(6)) for _ in range(4)])
        reason: dict[int, Any] = {}
        for column in rng.sample(range(4), rng.randrange(5)):
            low = own[column] - rng.choice([0.5, 1.5])
            reason[column] = rng.choice(["kept", [[low, None]], [[low, own[column]]]])
        within = [i for i, row in enumerate(grid) if agrees(row, own, reason)]
        [label] = model.predict([own])
        true = all(said[i] == label for i in within)
        verdict = judged(clf, model, rows, own, reason)
        assert verdict.sufficient == true
        verdicts.add(true)
        assert verdict.columns == len(reason)
    assert verdicts == {True, False}


def test_a_reason_without_one_of_its_columns_is_refuted(forest: Any) -> None:
    from benches.compare.checks import judged

    model, rows, clf = forest
    own = numpy.array([5.0, 0.0, 0.0, 0.0])
    term = clf.decide(own.tolist()).sufficient_reason()
    kept = {clf.schema.index(name): "kept" for name in term}
    whole = judged(clf, model, rows, own, kept)
    assert whole.sufficient
    assert whole.minimal
    assert whole.share == 1
    for dropped in kept:
        rest = {column: "kept" for column in kept if column != dropped}
        verdict = judged(clf, model, rows, own, rest)
        assert not verdict.sufficient
        assert verdict.refuted_by_rows


def test_a_judge_who_proves_what_rows_refute_is_stopped(
    forest: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two counts watch each other: a proof that finds nothing would be seen."""
    from benches.compare import checks

    model, rows, clf = forest
    monkeypatch.setattr(reasons.Decision, "counterexample", lambda self, term: None)
    with pytest.raises(AssertionError, match="drawn rows refute"):
        checks.judged(clf, model, rows, numpy.array([5.0, 0.0, 0.0, 0.0]), {})


def test_the_page_has_a_table_that_was_measured() -> None:
    text = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
    assert text.count("| reasons: `sufficient_reason()` |") == 2
    assert "Measured on 20" in text

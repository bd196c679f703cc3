"""Questions about many rows of searched models, against the questions about one row."""

from random import Random
from typing import Any

import numpy
import pytest

import reasons
from reasons import _core
from reasons.search import batch as searched
from reasons.search.batch import SearchedRows

pytest.importorskip("sklearn")

from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

from tests.support.models.searched import MODELS, compiled, two_labels

GIVEN = "f0 <= 0 | f1 <= 0"


def cells_of(classifier: reasons.Classifier, number: int, seed: int = 0) -> Any:
    rng = Random(seed)
    sizes = [len(feature.values) for feature in classifier.features]
    rows = {tuple(rng.randrange(size) for size in sizes) for _ in range(number)}
    return numpy.array(sorted(rows), numpy.uint16)


def asked(classifier: reasons.Classifier, cells: Any, **options: Any) -> SearchedRows:
    form = classifier.backend
    assert isinstance(form, reasons.search.backend.EnsembleBackend)
    return SearchedRows(form, cells, predict=classifier.model_predict, **options)


def decision(classifier: reasons.Classifier, cells: Any) -> reasons.Decision | None:
    """The decision on a row; None where it is impossible."""
    instance = reasons.Instance.of_cells(classifier.schema, [int(cell) for cell in cells])
    try:
        return classifier.decide(instance)
    except reasons.InputError:
        return None


def require_the_same(classifier: reasons.Classifier, cells: Any, **options: Any) -> int:
    """Every answer is that of the question about one row; how many rows are biased."""
    rows, names = asked(classifier, cells, **options), classifier.schema.names
    order = list(range(len(names)))[::-1]
    necessary, reasons_ = rows.necessary(), rows.sufficient(order)
    assert not reasons_.failed
    biased = 0
    protected_sets = [[0], [4, 1], [1, 2, 5], []]
    answers = {tuple(protected): rows.biased(protected) for protected in protected_sets}
    for at, row in enumerate(cells):
        one = decision(classifier, row)
        if one is None:
            assert rows.labels[at] == _core.IMPOSSIBLE
            assert not necessary[at].any()
            assert not reasons_.yes[at].any()
            assert not any(found.yes[at] for found in answers.values())
            continue
        assert classifier.labels[rows.labels[at]] == one.label
        assert {names[f] for f in numpy.flatnonzero(necessary[at])} == set(one.necessary_property)
        assert {names[f] for f in numpy.flatnonzero(reasons_.yes[at])} == set(
            one.sufficient_reason()
        )
        for protected, found in answers.items():
            wanted = one.bias([names[f] for f in protected])
            assert found.yes[at] == bool(wanted), (row, protected)
            biased += bool(wanted)
            require_witness(classifier, one, row, list(protected), found, at)
    return biased


def require_witness(
    classifier: reasons.Classifier,
    one: reasons.Decision,
    row: Any,
    protected: list[int],
    found: searched.RowAnswers,
    at: int,
) -> None:
    assert found.witness is not None
    changed = row.copy()
    changed[protected] = found.witness[at]
    if found.yes[at]:
        other = decision(classifier, changed)
        assert other is not None
        assert other.label != one.label
    else:
        assert (changed == row).all()


@pytest.mark.parametrize("name", MODELS)
def test_many_rows_are_answered_as_one_is(name: str) -> None:
    classifier = compiled(name)
    assert require_the_same(classifier, cells_of(classifier, 60)) > 10


def test_impossible_rows_answer_no_and_are_no_witnesses() -> None:
    classifier = compiled("boosted", GIVEN)
    cells = cells_of(classifier, 80)
    assert require_the_same(classifier, cells) > 10
    assert (asked(classifier, cells).labels == _core.IMPOSSIBLE).sum() > 3


def test_chunks_of_any_size_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    classifier = compiled("boosted")
    cells = cells_of(classifier, 50)
    whole = asked(classifier, cells).biased([0, 3])
    assert whole.witness is not None
    for size in (1, 7, 100):
        monkeypatch.setattr(searched, "_CHUNK", size * cells.shape[1])
        part = asked(classifier, cells).biased([0, 3])
        assert (part.yes == whole.yes).all()
        assert part.witness is not None
        assert (part.witness == whole.witness).all()
    shuffled = asked(classifier, cells[::-1]).biased([0, 3])
    assert shuffled.witness is not None
    assert (shuffled.witness == whole.witness[::-1]).all()


def test_too_many_combinations_are_searched_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, given in (("forest", None), ("boosted", GIVEN)):
        classifier = compiled(name, given)
        cells = cells_of(classifier, 40)
        tried = asked(classifier, cells).biased([0, 3])
        monkeypatch.setattr(searched, "MOST_COMBINATIONS", 1)
        found = asked(classifier, cells).biased([0, 3])
        monkeypatch.undo()
        assert (found.yes == tried.yes).all()
        assert not found.failed
        for at, row in enumerate(cells):
            one = decision(classifier, row)
            if one is not None:
                require_witness(classifier, one, row, [0, 3], found, at)


def test_a_witness_changes_as_few_features_as_can_be() -> None:
    classifier = compiled("forest")
    cells = cells_of(classifier, 60)
    rows = asked(classifier, cells)
    alone = rows.biased([0]).yes | rows.biased([3]).yes
    both = rows.biased([0, 3])
    changed = (both.witness != cells[:, [0, 3]]).sum(axis=1)
    assert (changed[alone] == 1).all()
    assert (changed[both.yes & ~alone] == 2).all()


def test_a_row_that_takes_too_long_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    classifier = compiled("forest")
    cells = cells_of(classifier, 6)
    order = list(range(cells.shape[1]))
    whole = asked(classifier, cells).sufficient(order)
    real = _core.sufficient

    def slow(native: Any, row: list[int], *rest: Any) -> Any:
        if row == cells[2].tolist():
            raise reasons.BudgetExceeded("search", seconds=1.0, limit=1)
        return real(native, row, *rest)

    monkeypatch.setattr(_core, "sufficient", slow)
    found = asked(classifier, cells).sufficient(order)
    assert list(found.failed) == [2]
    assert "budget exceeded in search" in found.failed[2]
    others = numpy.arange(len(cells)) != 2
    assert (found.yes[others] == whole.yes[others]).all()
    assert not found.yes[2].any()


def test_the_seconds_of_a_row_and_those_of_all_are_kept() -> None:
    X, y = make_classification(800, 30, n_informative=24, n_redundant=0, random_state=0)
    model = RandomForestClassifier(60, max_depth=8, random_state=0, n_jobs=1).fit(X, y)
    classifier = reasons.compile(model, method="search")
    cells = cells_of(classifier, 5)
    order = list(range(cells.shape[1]))
    found = asked(classifier, cells, seconds=1e-5).sufficient(order)
    assert list(found.failed) == list(range(5))
    with pytest.raises(reasons.BudgetExceeded):
        asked(classifier, cells, budget=reasons.Budget(seconds=1e-9)).sufficient(order)
    with pytest.raises(reasons.BudgetExceeded):
        _ = asked(classifier, cells, budget=reasons.Budget(seconds=1e-9)).labels


def test_a_model_that_decides_otherwise_is_an_error_that_names_the_row() -> None:
    classifier = compiled("boosted")
    cells = cells_of(classifier, 30)
    form, predict = classifier.backend, classifier.model_predict
    assert predict is not None
    wrong = asked(classifier, cells)._raw_rows(cells[[17]])[0]

    def planted(raw: Any) -> list[Any]:
        found = zip(raw, predict(raw), strict=True)
        return [not label if tuple(row) == wrong else label for row, label in found]

    with pytest.raises(reasons.PropertyError, match="row 17: the model decides"):
        _ = SearchedRows(form, cells, predict=planted).labels
    others = SearchedRows(form, cells[:1], predict=planted)
    assert len(others.labels) == 1


def test_a_difference_between_one_row_and_many_is_none() -> None:
    classifier = compiled("boosted")
    cells = cells_of(classifier, 30)
    predict = classifier.model_predict
    assert predict is not None

    def sloppy(raw: Any) -> list[Any]:
        return list(predict(raw)) if len(raw) == 1 else [not each for each in predict(raw)]

    rows = SearchedRows(classifier.backend, cells, predict=sloppy)
    assert (rows.labels == asked(classifier, cells).labels).all()


def test_no_rows_have_no_answers() -> None:
    classifier = compiled("boosted")
    none = asked(classifier, numpy.zeros((0, 6), numpy.uint16))
    assert none.labels.shape == (0,)
    assert none.biased([0]).yes.shape == (0,)
    assert none.necessary().shape == none.sufficient(range(6)).yes.shape == (0, 6)


def test_cells_that_there_are_not_are_refused() -> None:
    classifier = compiled("boosted")
    with pytest.raises(reasons.InputError, match="cell"):
        _ = asked(classifier, numpy.full((1, 6), 60_000, numpy.uint16)).labels


@pytest.mark.parametrize("given", [None, GIVEN])
def test_the_amount_of_bias_is_estimated_near_the_exact_one(given: str | None) -> None:
    model = two_labels()
    exact = reasons.compile(model, method="compiled", constraint=given)
    searching = compiled("boosted", given)
    for protected in (["f0"], ["f1", "f4"]):
        wanted = exact.bias_share(protected)
        found = searching.bias_share(protected, sample=3_000)
        assert wanted.exact
        assert not found.exact
        assert found.low <= wanted.share <= found.high
        assert found.proof == "estimated from 3,000 instances; it is answered by search"
        for label in exact.labels:
            share = wanted.by_label[label] / wanted.total
            assert abs(found.by_label[label] / found.total - share) < 0.05
    with pytest.raises(reasons.PropertyError, match="larger budget"):
        searching.bias_share(["f0"], exact=True)


def test_an_amount_of_too_many_combinations_is_refused() -> None:
    with pytest.raises(reasons.PropertyError, match="combinations of values"):
        compiled("forest").bias_share([f"x{i}" for i in range(6)])

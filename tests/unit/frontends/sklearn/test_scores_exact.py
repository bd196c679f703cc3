"""Sums that tie: decided as scikit-learn rounds them, or exactly where nothing rounds."""

from functools import partial
from itertools import product
from typing import Any

import numpy
import pytest

import reasons

pytest.importorskip("sklearn")
pytest.importorskip("pysat")
pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")
pytest.importorskip("catboost")

from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.svm import LinearSVC

from reasons.ensembles import score_discretize, score_tables
from reasons.ensembles.inputs import own
from reasons.ensembles.ir import Column, Part, ScoreModel
from reasons.ensembles.score_discretize import scores_over_cells
from reasons.ensembles.score_tables import addends
from tests.support.comparison import Mismatch
from tests.support.models.compare import METHODS, compare_labels, require_all_answers
from tests.support.models.model_table import ModelSubject
from tests.support.models.small_models import of_arrays
from tests.support.models.small_scores import Scored, alone, counts, ones, quietly, weighed

TENTHS = [0.1, 0.2, -0.3, 0.7, -0.7, 0.4]


def settled(classifier: reasons.Classifier) -> bool:
    return any("settled" in note for note in classifier.notes)


def require_labels(found: Scored, **options: Any) -> reasons.Classifier:
    """Every cell is decided by both methods as the library decides one row."""
    for method in METHODS:
        classifier = reasons.compile(found.model, method=method, **options)
        compare_labels(ModelSubject(classifier, found.predict))
    return reasons.compile(found.model, method="compiled", **options)


@pytest.mark.parametrize("seed", range(4))
def test_whole_weights_tie_and_the_first_class_has_it(seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    found = weighed([*rng.integers(-3, 4, 4), -1.0], float(rng.integers(0, 2)))
    sums = [
        float(numpy.array(row) @ found.model.coef_[0] + found.model.intercept_[0])
        for row in product((0, 1), repeat=5)
    ]
    assert 0.0 in sums
    assert not settled(require_labels(found, domain=ones(5)))
    require_all_answers(found.model, found.predict, seed, 2, domain=ones(5))


@pytest.mark.parametrize("seed", range(4))
def test_largest_of_several_ties_goes_to_the_first(seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    found = weighed(rng.integers(-2, 3, (3, 4)) / 4, rng.integers(-1, 2, 3) / 4, ["a", "b", "c"])
    assert not settled(require_labels(found, domain=ones(4)))
    require_all_answers(found.model, found.predict, seed, 1, domain=ones(4))


def rounded_ties() -> Scored:
    """Weights in tenths, of which some sums are zero and yet rounded to more."""
    for seed in range(50):
        weights = numpy.random.default_rng(seed).integers(-9, 10, 7)
        for sign in (1, -1):
            found = weighed(sign * weights / 10, 0.0)
            ties = [row for row in product((0, 1), repeat=7) if not numpy.dot(row, weights)]
            if any(found.predict([list(row)])[0] for row in ties):
                return found
    pytest.skip("no sum is rounded so here")


def test_tenths_are_decided_as_they_are_rounded() -> None:
    found = rounded_ties()
    assert settled(require_labels(found, domain=ones(7)))
    require_all_answers(found.model, found.predict, 0, 2, domain=ones(7))


def test_tenths_of_several_classes() -> None:
    rows = [TENTHS[:4], [0.3, 0.1, 0.1, 0.3], [0.2, -0.2, 0.6, -0.1]]
    assert settled(require_labels(weighed(rows, [0.1, 0.0, 0.1], [*"abc"]), domain=ones(4)))


def test_products_that_round_are_settled() -> None:
    found = weighed([0.1, -0.3], 0.0)
    declared = {"x0": range(7), "x1": range(4)}
    assert settled(require_labels(found, domain=declared))


@pytest.mark.parametrize("kind", [LogisticRegression, RidgeClassifier, SGDClassifier, LinearSVC])
@pytest.mark.parametrize("classes", [2, 3])
def test_models_of_single_precision(kind: Any, classes: int) -> None:
    X, y = counts(5, classes)
    model = quietly(lambda: kind(random_state=0).fit(X.astype(numpy.float32), y))
    domain = {f"x{at}": {0, 1, 2} for at in range(X.shape[1])}
    require_labels(Scored(model, alone(of_arrays(model)), {}), domain=domain)


def test_single_precision_is_settled_where_it_could_matter() -> None:
    found = weighed(numpy.array(TENTHS, numpy.float32), numpy.array([1e-8], numpy.float32))
    assert settled(require_labels(found, domain=ones(6)))


def test_sparse_weights_are_weights() -> None:
    X, y = counts(1, 3)
    model = LogisticRegression().fit(X, y).sparsify()
    domain = {f"x{at}": range(3) for at in range(X.shape[1])}
    require_labels(Scored(model, alone(of_arrays(model)), {}), domain=domain)


def looked_up(table: Any, given: Any) -> Any:
    return table[given[0]]


def scaled(weight: float, given: Any) -> Any:
    return given[0][:, None] * weight


def card(tables: Any, cut: float, **more: Any) -> ScoreModel:
    """A sum of one table for each column of categories."""
    columns = tuple(Column(f"c{at}", tuple(range(len(t)))) for at, t in enumerate(tables))
    arrays = [numpy.array(table, float)[:, None] for table in tables]
    parts = tuple(Part((at,), partial(looked_up, t)) for at, t in enumerate(arrays))
    return ScoreModel(columns, parts, (False, True), (0.0,), "cut", "card", cut=cut, **more)


def decided(model: ScoreModel) -> list[bool]:
    schema, native = scores_over_cells(model, own(model))
    cells = list(product(*(range(len(feature.values)) for feature in schema)))
    table = numpy.array(cells, numpy.uint16)
    return [bool(label) for label in native.decide_all(table.ravel(), len(cells))]


def test_points_reach_the_cut_from_equality_on() -> None:
    tables: list[list[float]] = [[0.5, 3.25], [1, 2, -4], [0, 0.75]]
    assert decided(card(tables, 4.0)) == [sum(row) >= 4 for row in product(*tables)]


def test_points_that_round_need_a_predict() -> None:
    with pytest.raises(reasons.UnsupportedModel, match="fewer digits"):
        decided(card([[0.1, 0.3], [0.2, 0.7]], 0.5))


def test_ties_that_are_decided_otherwise_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison fails if what rounds is settled as if it were exact."""
    with monkeypatch.context() as broken:
        broken.setattr(score_discretize, "settler", lambda *_: lambda _: 0)
        with pytest.raises((Mismatch, reasons.PropertyError)):
            require_labels(rounded_ties(), domain=ones(7))
    tied = weighed([1.0, -1.0], 0.0)
    classifier = reasons.compile(tied.model, domain=ones(2))
    with pytest.raises(Mismatch):
        compare_labels(ModelSubject(classifier, lambda rows: [int(r[0] >= r[1]) for r in rows]))


def test_cells_alike_in_sum_but_not_in_parts_are_told_apart_where_sums_round() -> None:
    """0.1 + 0.2 in one place of a sum is not 0.3 in another: rounding depends on the places."""
    parts = [Part((at,), partial(scaled, w), lambda _: False) for at, w in enumerate((0.5, 0.25))]
    columns = {0: numpy.array([1.0, 0.0]), 1: numpy.array([0.0, 2.0])}
    found = addends((0,), parts, (0, 0), columns, [2])
    assert found.sums.ravel().tolist() == [0.5, 0.5]
    assert len(set(found.kinds(exact=True).tolist())) == 1
    assert len(set(found.kinds(exact=False).tolist())) == 2


def test_the_finest_power_of_two() -> None:
    finest = score_tables._exponent
    assert finest(numpy.array([0.5, 3.0, -12.0])) == -1
    assert finest(numpy.array([8.0, 24.0, 0.0])) == 3
    assert finest(numpy.array([1.0, 5e-324])) == -1074
    assert finest(numpy.array([0.0])) == 1023

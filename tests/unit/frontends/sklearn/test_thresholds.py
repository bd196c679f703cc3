"""Thresholds, calibration and regressors with a cut-off, decided as scikit-learn decides."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy
import pytest

import reasons
from reasons.ensembles.ir import Tree
from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.boosting import single_leaf
from reasons.frontends.options import Options
from reasons.frontends.sklearn.thresholds import cut
from reasons.frontends.sklearn.trees import TreeScores
from tests.support.models.tree_walk import differences, library_labels

calibration = pytest.importorskip("sklearn.calibration")
ensemble = pytest.importorskip("sklearn.ensemble")
selection = pytest.importorskip("sklearn.model_selection")
tree = pytest.importorskip("sklearn.tree")

from sklearn.frozen import FrozenEstimator
from threadpoolctl import threadpool_limits

from tests.support.models.sklearn_models import CLASSIFIERS, data, read_trees


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with threadpool_limits(1):
        yield


DECIDING = ("gradient", "histogram", "ada")
REGRESSORS = {
    "tree": lambda: tree.DecisionTreeRegressor(max_depth=4),
    "extra tree": lambda: tree.ExtraTreeRegressor(max_depth=4, random_state=0),
    "forest": lambda: ensemble.RandomForestRegressor(4, max_depth=4, random_state=0),
    "extra trees": lambda: ensemble.ExtraTreesRegressor(4, max_depth=4, random_state=0),
    "gradient": lambda: ensemble.GradientBoostingRegressor(n_estimators=4, max_depth=2),
    "median": lambda: ensemble.GradientBoostingRegressor(n_estimators=4, loss="quantile"),
    "histogram": lambda: ensemble.HistGradientBoostingRegressor(max_iter=3, min_samples_leaf=4),
    "poisson": lambda: ensemble.HistGradientBoostingRegressor(max_iter=3, loss="poisson"),
    "gamma": lambda: ensemble.HistGradientBoostingRegressor(max_iter=3, loss="gamma"),
    "bagging": lambda: ensemble.BaggingRegressor(n_estimators=3, random_state=0),
    "bagging of boosting": lambda: ensemble.BaggingRegressor(
        ensemble.GradientBoostingRegressor(n_estimators=2, max_depth=2), n_estimators=3
    ),
    "vote": lambda: ensemble.VotingRegressor(
        [(str(k), tree.DecisionTreeRegressor(max_depth=k)) for k in (1, 2, 3)],
        weights=[0.2, 0.5, 0.1],
    ),
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_threshold_on_the_probability(name: str) -> None:
    table, labels = data(0, 2)
    model = CLASSIFIERS[name]().fit(table, numpy.array(["no", "yes"])[labels])
    for threshold in (0.0, 0.25, 0.3, 0.5, 0.75, 1.0, 1.5):
        found = read_trees(model, Options(threshold=threshold))
        assert found.labels == ("no", "yes")
        assert differences(found, 500) == [], threshold


@pytest.mark.parametrize("name", ["gradient", "histogram", "ada", "exponential"])
def test_a_probability_that_is_reached_counts(name: str) -> None:
    table, labels = data(0, 2)
    model = CLASSIFIERS[name]().fit(table, labels)
    reached = numpy.unique(model.predict_proba(table)[:, 1])[1:-1].tolist()
    for threshold in reached[:: max(1, len(reached) // 6)]:
        for near in (threshold, math.nextafter(threshold, 0), math.nextafter(threshold, 1)):
            assert differences(read_trees(model, Options(threshold=near)), 300) == []


def test_at_least_is_not_above() -> None:
    model = CLASSIFIERS["forest"]().fit(*data(0, 2))
    found = read_trees(model, Options(threshold=0.5))
    assert differences(found) == []
    assert differences(replace(found, cut=math.nextafter(found.cut, 1)))
    assert differences(read_trees(model, Options(threshold=0.5))) == []


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_wrappers_with_a_threshold(name: str) -> None:
    table, codes = data(1, 2)
    labels = numpy.array(["bad", "good"])[codes]
    methods = ["auto", "decision_function"] if name in DECIDING else ["auto"]
    for method in methods:
        for label in (None, "bad", "good"):
            for threshold in ("auto", 0.3):
                model = selection.FixedThresholdClassifier(
                    CLASSIFIERS[name](),
                    threshold=threshold,
                    pos_label=label,
                    response_method=method,
                )
                found = read_trees(model.fit(table, labels))
                assert found.labels == ("bad", "good")
                assert differences(found, 300) == [], (method, label, threshold)
    tuned = selection.TunedThresholdClassifierCV(CLASSIFIERS[name](), cv=2)
    assert differences(read_trees(tuned.fit(table, labels)), 300) == []


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_one_calibrated_model(name: str, method: str) -> None:
    table, labels = data(2, 2, rows=80)
    model = calibration.CalibratedClassifierCV(
        CLASSIFIERS[name](), method=method, ensemble=False, cv=2
    ).fit(table, labels)
    assert differences(read_trees(model), 500) == []
    assert differences(read_trees(model, Options(threshold=0.3)), 500) == []
    behind = selection.FixedThresholdClassifier(FrozenEstimator(model), pos_label=0).fit(
        table, labels
    )
    assert differences(read_trees(behind), 500) == []


def test_calibration_of_a_fitted_model() -> None:
    table, labels = data(2, 2, rows=80)
    fitted = FrozenEstimator(CLASSIFIERS["forest"]().fit(table[::2], labels[::2]))
    model = calibration.CalibratedClassifierCV(fitted, ensemble=False)
    assert differences(read_trees(model.fit(table[1::2], labels[1::2]))) == []


@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors_with_a_cut_off(name: str) -> None:
    table, _ = data(0, 2)
    target = numpy.exp(table[:, 0]) + table[:, 3]
    model = REGRESSORS[name]().fit(table, target)
    reached = sorted(model.predict(table).tolist())
    for threshold in (0.0, 1.5, reached[10], math.nextafter(reached[10], math.inf), 1e6):
        found = read_trees(model, Options(threshold=threshold))
        assert found.labels == (False, True)
        assert differences(found, 500) == [], threshold


def test_a_prediction_that_is_reached_counts() -> None:
    table, _ = data(0, 2)
    model = REGRESSORS["forest"]().fit(table, table[:, 0])
    reached = sorted(model.predict(table).tolist())[20]
    found = read_trees(model, Options(threshold=reached))
    assert library_labels(found, table.tolist()).count(True) == sum(model.predict(table) >= reached)
    assert found.cut == reached
    above = read_trees(model, Options(threshold=math.nextafter(reached, math.inf)))
    assert library_labels(above, table.tolist()) != library_labels(found, table.tolist())


def test_a_vote_of_many_regressors_is_asked_row_by_row() -> None:
    table, _ = data(0, 2)
    parts = [
        (str(k), tree.DecisionTreeRegressor(max_depth=2, splitter="random", random_state=k))
        for k in range(20)
    ]
    model = ensemble.VotingRegressor(parts).fit(table, table[:, 0])
    alone = numpy.array([model.predict([row])[0] for row in table.tolist()])
    together = model.predict(table)
    assert (alone != together).any()
    row = int(numpy.flatnonzero(alone != together)[0])
    for threshold in (alone[row], together[row]):
        found = read_trees(model, Options(threshold=threshold))
        assert library_labels(found, table.tolist()) == (alone >= threshold).tolist()
        assert differences(found, 100) == []


def test_a_threshold_around_a_fitted_model_need_not_be_fitted() -> None:
    table, labels = data(0, 2)
    model = CLASSIFIERS["forest"]().fit(table, labels)
    assert differences(read_trees(selection.FixedThresholdClassifier(model, threshold=0.25))) == []
    frozen = selection.FixedThresholdClassifier(FrozenEstimator(model), threshold=0.25)
    assert differences(read_trees(frozen.fit(table, labels))) == []


def one_score(low: float, high: float) -> TreeScores:
    values = numpy.array([[0.0], [low], [high]])
    sides = ([0, -1, -1], [1, 0, 0], [2, 0, 0])
    test, left, right = (numpy.array(side, numpy.int32) for side in sides)
    return TreeScores((Tree(test, left, right, values), single_leaf([0.0])), (0.0,))


@pytest.mark.parametrize("at", [0.0, 5e-324, 0.3, -0.7, -1e-310, 1.0])
def test_the_cut_is_the_first_float(at: float) -> None:
    found = cut(one_score(-1, 1), lambda x: x >= at)
    assert (found.value, found.doubt) == (at, 0.0)
    above = cut(one_score(-1, 1), lambda x: x > at)
    assert above.value == math.nextafter(at, 2)


def test_a_falling_decision_is_turned_round() -> None:
    found = cut(one_score(-1, 1), lambda x: x <= 0.3)
    assert (found.value, found.doubt) == (-0.3, 0.0)
    assert isinstance(found.scores, TreeScores)
    assert found.scores.trees[0].value[1, 0] == 1


def test_decisions_out_of_reach() -> None:
    assert cut(one_score(-1, 1), lambda x: x >= 9).value == math.inf
    assert cut(one_score(-1, 1), lambda x: x >= -9).value == -math.inf


def test_a_decision_that_wavers_is_in_doubt_as_far_as_it_does() -> None:
    hole = math.nextafter(math.nextafter(0.3, 1), 1)
    found = cut(one_score(-1, 1), lambda x: (x >= 0.3) & (x != hole))
    assert hole - 0.3 <= found.doubt < 1e-15
    far = cut(one_score(-1, 1), lambda x: (x >= 0.3) | (x == -0.5), numpy.array([-0.5]))
    assert far.doubt >= 0.8
    with pytest.raises(UnsupportedModel, match="rise or fall"):
        cut(one_score(-1, 1), lambda x: abs(x) < 0.5)


def test_refusals_say_what_to_do() -> None:
    table, labels = data(0, 2)
    several = calibration.CalibratedClassifierCV(CLASSIFIERS["tree"](), cv=2).fit(table, labels)
    with pytest.raises(UnsupportedModel, match="ensemble=False"):
        read_trees(several)
    three = CLASSIFIERS["forest"]().fit(*data(0, 3))
    with pytest.raises(UnsupportedModel, match="two classes"):
        read_trees(three, Options(threshold=0.3))
    more = calibration.CalibratedClassifierCV(CLASSIFIERS["tree"](), ensemble=False, cv=2)
    with pytest.raises(UnsupportedModel, match="two classes"):
        read_trees(more.fit(*data(0, 3)))
    heat = calibration.CalibratedClassifierCV(
        CLASSIFIERS["tree"](), method="temperature", ensemble=False, cv=2
    )
    with pytest.raises(UnsupportedModel, match="sigmoid or isotonic"):
        read_trees(heat.fit(table, labels))
    with pytest.raises(UnsupportedModel, match="not a sum of trees"):
        read_trees(
            ensemble.AdaBoostRegressor(n_estimators=2).fit(table, labels), Options(threshold=0.5)
        )
    fixed = selection.FixedThresholdClassifier(CLASSIFIERS["tree"]()).fit(table, labels)
    with pytest.raises(InputError, match="of its own"):
        read_trees(fixed, Options(threshold=0.3))
    with pytest.raises(InputError, match="none of the classes 0, 1"):
        read_trees(fixed.set_params(pos_label=7))
    odd_ones: list[Any] = [math.nan, math.inf, True, "0.3", []]
    for odd in odd_ones:
        with pytest.raises(InputError, match="finite number"):
            read_trees(CLASSIFIERS["tree"]().fit(table, labels), Options(threshold=odd))
    mixed = ensemble.VotingRegressor(
        [("a", REGRESSORS["tree"]()), ("b", REGRESSORS["histogram"]())]
    ).fit(table, labels)
    with pytest.raises(UnsupportedModel, match="precisions"):
        read_trees(mixed, Options(threshold=0.5))


@pytest.mark.parametrize("threshold", [-0.1, 1.5, 70])
def test_a_threshold_that_is_no_probability_is_refused(threshold: float) -> None:
    model = tree.DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    with pytest.raises(reasons.InputError, match="is compared with a probability"):
        reasons.compile(model, threshold=threshold)

"""Scores over cells: pairs of columns, idle cuts, groups, declared combinations."""

from itertools import product
from typing import Any

import numpy
import pandas
import pytest

import reasons

pytest.importorskip("sklearn")
pytest.importorskip("pysat")
pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")
pytest.importorskip("catboost")

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

from reasons.ensembles.inputs import own
from reasons.ensembles.ir import ABSENT, UNSEEN, Column, Part, ScoreModel
from reasons.ensembles.score_discretize import scores_over_cells
from reasons.frontends.models import classifier_of
from reasons.frontends.options import Options
from tests.support.models.compare import (
    METHODS,
    compare_bias,
    compare_labels,
    compare_model,
    instances_of,
)
from tests.support.models.model_table import ModelSubject
from tests.support.models.small_models import of_arrays, of_frames
from tests.support.models.small_scores import alone, weighed

JOBS = ("clerk", "nurse", "pilot")
BY_AGE = numpy.array([0.0, 1.0, 1.0, 3.0])
BY_JOB = numpy.array([2.0, 0.0, 1.0, 5.0, 7.0])  # unseen, missing last
TOGETHER = numpy.arange(20).reshape(4, 5) % 3 - 1.0


def bin_of(ages: Any) -> Any:
    return numpy.digitize(ages, [18.0, 30.0, 65.0], right=True)


def code_of(codes: Any) -> Any:
    return numpy.where(codes == UNSEEN, 3, numpy.where(codes == ABSENT, 4, codes))


def paired(whole: bool = True) -> ScoreModel:
    """A score of an age, a job, and both together, which decides by its exact sum."""
    scale = 1.0 if whole else 0.1

    def points(ages: Any, codes: Any) -> Any:
        ages, codes = bin_of(ages), code_of(codes)
        return scale * (BY_AGE[ages] + BY_JOB[codes] + TOGETHER[ages, codes])

    def predict(rows: Any) -> list[bool]:
        codes: dict[str | None, int] = {**{job: at for at, job in enumerate(JOBS)}, None: ABSENT}
        found = [points(numpy.array(age), numpy.array(codes.get(j, UNSEEN))) for age, j in rows]
        return [bool(total >= scale * 4) for total in found]

    return ScoreModel(
        (Column("age"), Column("job", JOBS, missing=True, unseen=True)),
        (
            Part((0,), lambda given: scale * BY_AGE[bin_of(given[0])][:, None]),
            Part((1,), lambda given: scale * BY_JOB[code_of(given[0])][:, None]),
            Part(
                (1, 0),
                lambda given: scale * TOGETHER[bin_of(given[1]), code_of(given[0])][:, None],
            ),
        ),
        (False, True),
        (0.0,),
        "cut",
        "points",
        cut=scale * 4,
        cuts={0: (18.0, 30.0, 65.0)},
        predict=predict,
        roundings=3,
    )


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_pairs_of_columns_are_added(whole: bool, method: Any) -> None:
    model = paired(whole)
    classifier = classifier_of(model, Options(method=method))
    assert model.predict is not None
    subject = ModelSubject(classifier, lambda rows: list(model.predict(rows)))  # type: ignore[misc]
    assert subject.function.domains == (4, 5)
    compare_labels(subject)
    compare_bias(subject)
    for x in instances_of(subject, 3, 0):
        compare_model(subject, x)


def test_cuts_that_nothing_tells_apart_are_left_out() -> None:
    model = paired()
    alone = ScoreModel(
        model.columns[:1],
        model.parts[:1],
        (False, True),
        (0.0,),
        "cut",
        "points",
        cut=1.0,
        cuts=model.cuts,
    )
    schema, _ = scores_over_cells(alone, own(alone))
    assert schema[0].cuts == (18, 65)
    classifier = classifier_of(alone, Options(constraint="age > 0 & age <= 40"))
    assert {0, 18, 40, 65} <= set(classifier.features[0].cuts)


def test_bins_of_equal_weight_are_one_cell() -> None:
    X = numpy.arange(60.0)[:, None]
    bins = KBinsDiscretizer(6, quantile_method="averaged_inverted_cdf")
    model = make_pipeline(bins, LogisticRegression()).fit(X, X[:, 0] > 30)
    model[-1].coef_ = numpy.array([[1.0, 1.0, 2.0, 2.0, 2.0, 0.5]])
    model[-1].intercept_ = numpy.array([-1.0])
    classifier = reasons.compile(model)
    assert classifier.features[0].cuts == tuple(bins.bin_edges_[0][[2, 5]])
    assert (classifier.predict(X) == model.predict(X)).all()
    model[-1].coef_ = model[-1].coef_ * 0.1  # sums round, so bins in other places may differ
    assert len(reasons.compile(model).features[0].cuts) == 5


def test_hand_made_ones_are_one_category() -> None:
    rng = numpy.random.default_rng(0)
    found = weighed(rng.normal(size=5), 0.1)
    groups = {"job": ["x0", "x1", "x2"]}
    options: dict[str, Any] = {"groups": groups, "domain": {"x3": {0, 1}, "x4": range(3)}}
    for method in METHODS:
        classifier = reasons.compile(found.model, method=method, **options)
        assert [f.name for f in classifier.features] == ["job", "x3", "x4"]
        assert [str(v) for v in classifier.features[0].values] == ["x0", "x1", "x2", "<other>"]
        for job, a, b in product(["x0", "x1", "x2", "none of these"], (0, 1), (0, 1, 2)):
            row = [*(float(job == name) for name in groups["job"]), a, b]
            assert classifier.decide([job, a, b]).label == found.predict([row])[0]
        assert reasons.check(classifier, found.model)


def test_combinations_that_are_impossible() -> None:
    found = weighed([1.5, -2.0, 0.7], -0.2)
    domain = {"x0": range(3), "x1": {0, 1}, "x2": range(4)}
    given = "~(x0 = 2 & x1 = 1) & (x2 < 3 | x0 >= 1)"
    for method in METHODS:
        classifier = reasons.compile(found.model, method=method, domain=domain, constraint=given)
        subject = ModelSubject(
            classifier,
            found.predict,
            possible=lambda r: (
                not (r["x0"] == 2 and r["x1"] == 1) and (r["x2"] < 3 or r["x0"] >= 1)
            ),
        )
        compare_labels(subject)
        for x in instances_of(subject, 2, 0):
            compare_model(subject, x)


def test_columns_of_weight_zero_are_not_asked_about() -> None:
    found = weighed([1.0, 0.0, -2.0], 0.5)
    classifier = reasons.compile(found.model, domain={"x0": {0, 1}, "x2": {0, 1}})
    assert len(classifier.features[1].values) == 1
    compare_labels(ModelSubject(classifier, found.predict))


def test_a_model_without_weights_decides_all_alike() -> None:
    for method in METHODS:
        classifier = reasons.compile(weighed([0.0, 0.0], 1.0).model, method=method)
        decision = classifier.decide([3.5, -1])
        assert decision.label == 1
        assert [len(term) for term in decision.sufficient_reasons()] == [0]


def test_columns_in_another_order_are_told_by_name() -> None:
    rng = numpy.random.default_rng(1)
    frame = pandas.DataFrame({name: rng.choice([*"abc"], 80).astype(object) for name in "pqr"})
    y = (frame.p == "a") ^ (rng.random(80) < 0.2)
    model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    model.fit(frame[["r", "p", "q"]], y)
    classifier = reasons.compile(model)
    assert (classifier.predict(frame) == model.predict(frame[["r", "p", "q"]])).all()
    compare_labels(ModelSubject(classifier, alone(of_frames(model, frame[["r", "p", "q"]]))))


def test_arrays_without_names_can_be_named() -> None:
    found = weighed([1.0, -2.0], 0.5)
    classifier = reasons.compile(found.model, names=["a", "b"], domain={"a": {0, 1}, "b": range(3)})
    assert classifier.schema.names == ("a", "b")
    compare_labels(ModelSubject(classifier, of_arrays(found.model)))

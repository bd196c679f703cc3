"""Planted faults in the reading of scores: each must be seen by the comparisons."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy
import pytest

import reasons
from reasons.ensembles.feature_builder import joined
from reasons.frontends.sklearn.linear import of_linear

pytest.importorskip("sklearn")
pytest.importorskip("pysat")
pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")
pytest.importorskip("catboost")

from reasons.ensembles import score_discretize, score_trees
from reasons.ensembles.score_tables import Addends
from reasons.errors import PropertyError
from reasons.frontends import agreement, models
from reasons.frontends.sklearn import read
from tests.support.comparison import Mismatch
from tests.support.models.compare import METHODS, compare_labels
from tests.support.models.model_table import ModelSubject
from tests.support.models.small_scores import Scored, fitted, piped

Plant = Callable[[pytest.MonkeyPatch], None]


def is_seen(found: Scored, method: Any) -> bool:
    """Whether the comparison of labels, or the sample at compiling, sees a difference."""
    try:
        classifier = reasons.compile(found.model, method=method, **found.options)
        for seed in range(4):  # raw values from all over the cells
            compare_labels(ModelSubject(classifier, found.predict, seed=seed))
    except (Mismatch, PropertyError):
        return True
    return False


def swapped(patch: pytest.MonkeyPatch) -> None:
    """The weights of the first two columns change places."""

    def other(model: Any) -> Any:
        scores = of_linear(model)
        first, second, *rest = scores.parts
        places = replace(first, columns=second.columns), replace(second, columns=first.columns)
        return replace(scores, parts=(*places, *rest))

    patch.setattr(read, "of_linear", other)


def without_intercept(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        read,
        "of_linear",
        lambda model: replace(found := of_linear(model), start=(0.0,) * len(found.start)),
    )


def other_sign(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(read, "of_linear", lambda model: of_linear(model).negated())


def halves_changed(patch: pytest.MonkeyPatch) -> None:
    """Tests let the other half of the cells go left."""
    number = score_trees.CellTests.number
    patch.setattr(score_trees.CellTests, "number", lambda self, f, mask: number(self, f, ~mask))


def last_part_lost(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Addends, "sums", property(lambda self: self.values[:-1].sum(axis=0)))


def neighbours_joined(patch: pytest.MonkeyPatch) -> None:
    """Cuts are left out whatever the tables say."""
    patch.setattr(score_discretize, "joined", lambda f, told, limit: joined(f, told * 0, limit))


FAULTS: dict[str, tuple[Plant, Callable[[], Scored]]] = {
    "swapped": (swapped, lambda: fitted("logistic", 2)),
    "no intercept": (without_intercept, lambda: fitted("ridge", 2)),
    "sign": (other_sign, lambda: fitted("support vectors", 2)),
    "halves": (halves_changed, lambda: piped("logistic", "bins and words", 1)),
    "part lost": (last_part_lost, lambda: piped("logistic", "bins and words", 1)),
    "joined": (neighbours_joined, lambda: fitted("logistic", 2)),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_seen(name: str, method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, made = FAULTS[name]
    found = made()
    assert not is_seen(found, method)
    with monkeypatch.context() as broken:
        broken.setattr(models, "require_agreement", lambda *_, **__: None)
        plant(broken)
        assert is_seen(found, method)


def test_a_decision_on_one_row_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many rows together are decided otherwise, each is asked alone."""
    found = fitted("logistic", 2)
    classifier = reasons.compile(found.model, **found.options)
    instances = agreement.sample_instances(classifier, 20)

    def hasty(rows: Any) -> list[Any]:
        labels = numpy.array(found.predict(rows))
        return list((labels if len(rows) == 1 else 1 - labels).tolist())

    assert agreement.disagreements(classifier, instances, hasty) == []
    wrong = agreement.disagreements(
        classifier,
        instances,
        lambda rows: [1 - label for label in found.predict(list(map(list, rows)))],
    )
    assert len(wrong) == 20

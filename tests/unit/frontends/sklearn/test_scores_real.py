"""Scores fitted on real tables, in bins: every row is decided as `predict` decides it."""

from typing import Any

import pytest

import reasons

pytest.importorskip("sklearn")
pytest.importorskip("pysat")

from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

from tests.support.models.real_tables import bundled, fairness, words_and_numbers


def binned(frame: Any, y: Any, final: Any, bins: int, encode: str = "onehot") -> Any:
    """A pipeline of bins and one-hot words, fitted."""
    words, numbers = words_and_numbers(frame)
    made = KBinsDiscretizer(bins, encode=encode, strategy="uniform")
    hot = OneHotEncoder(handle_unknown="ignore")
    return make_pipeline(make_column_transformer((made, numbers), (hot, words)), final).fit(
        frame, y
    )


def require_rows(model: Any, frame: Any, **options: Any) -> reasons.Classifier:
    classifier = reasons.compile(model, **options)
    assert (classifier.predict(frame) == model.predict(frame)).all()
    assert reasons.check(classifier, model, frame.head(20), sample=30)
    decision = classifier.decide(dict(frame.iloc[0]))
    assert decision.is_sufficient(decision.sufficient_reason())
    assert reasons.check(decision, sample=30)
    return classifier


@pytest.mark.parametrize("final", [LogisticRegression(), BernoulliNB(), SGDClassifier()])
def test_tumours_in_bins(final: Any) -> None:
    frame, y = bundled("breast_cancer")
    frame = frame[[name for name in frame if name.startswith("mean")]]
    require_rows(binned(frame, y, final, 3), frame)


def test_many_columns_of_tumours_are_searched() -> None:
    frame, y = bundled("breast_cancer")
    frame = frame.iloc[:, 10:]
    model = binned(frame, y, LogisticRegression(max_iter=500), 4)
    assert len(require_rows(model, frame, method="search").features) == 20


def test_wines_of_three_kinds() -> None:
    frame, y = bundled("wine")
    frame = frame.iloc[:, :6]
    require_rows(binned(frame, y, LogisticRegression(), 3), frame)
    require_rows(binned(frame, y, GaussianNB(), 3, "ordinal"), frame)


def test_german_credit() -> None:
    frame, y = fairness("german")
    model = binned(frame, y, LogisticRegression(max_iter=500), 4)
    found = require_rows(model, frame, method="search")
    assert found.schema.names == tuple(frame.columns)

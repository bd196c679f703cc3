"""Answers of searched models do not depend on how many threads work on them."""

from functools import cache
from typing import Any

import numpy
import pytest

import reasons

pytest.importorskip("sklearn")

from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

MODELS = {
    "forest": RandomForestClassifier(25, max_depth=5, random_state=3, n_jobs=1),
    "booster": GradientBoostingClassifier(n_estimators=20, random_state=3),
}


@cache
def searched(kind: str) -> tuple[Any, Any]:
    X, y = make_classification(
        300, 9, n_informative=7, n_redundant=0, n_classes=3, n_clusters_per_class=1, random_state=5
    )
    X = X.round(1)
    return reasons.compile(MODELS[kind].fit(X, y), method="search"), X


@pytest.mark.parametrize("kind", MODELS)
def test_one_two_and_four_threads_answer_the_same(kind: str) -> None:
    classifier, X = searched(kind)
    for row in X[:6]:
        answers = []
        for threads in (1, 2, 4):
            budget = reasons.Budget(seconds=600, threads=threads)
            decision = classifier.decide(row)
            answers.append(
                (
                    str(decision.sufficient_reason(budget=budget)),
                    str(decision.sufficient_reason(general=True, budget=budget)),
                    str(decision.counterfactual(budget=budget)),
                )
            )
        assert answers[0] == answers[1] == answers[2]
        assert answers[0][0]


@pytest.mark.parametrize("threads", [0, -1, "2", numpy.nan])
def test_threads_that_are_no_positive_number_are_refused(threads: Any) -> None:
    with pytest.raises(reasons.InputError, match="budget threads"):
        reasons.Budget(threads=threads)

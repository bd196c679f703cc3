"""Trained models to audit, compiled and searched, and logs of rows for them."""

from functools import cache
from typing import Any

import numpy
import pandas
import pytest

import reasons

pytest.importorskip("sklearn")

from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

TINY = reasons.Budget(nodes=1, seconds=None)
PROTECTED = ["age", "job"]


@cache
def people() -> pandas.DataFrame:
    rng = numpy.random.default_rng(7)
    return pandas.DataFrame(
        {
            "age": rng.integers(18, 80, 400).astype(float),
            "income": rng.normal(35, 12, 400).round(1),
            "job": rng.choice(["clerk", "driver", "nurse"], 400),
        }
    )


def decided() -> Any:
    table = people()
    points = (table.age > 25) * 1 + (table.income > 30) * 2 + (table.job == "nurse") * 1
    return numpy.where(points > 2, "grant", "refuse")


@cache
def forest() -> Any:
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["job"]), remainder="passthrough"
    )
    model = make_pipeline(encoder, RandomForestClassifier(9, max_depth=4, random_state=0))
    return model.fit(people(), decided())


@cache
def histograms() -> Any:
    frame = people().assign(job=lambda t: t.job.map({"clerk": 0.0, "driver": 1.0, "nurse": 2.0}))
    return HistGradientBoostingClassifier(max_iter=20, max_depth=4, random_state=0).fit(
        frame.mask(numpy.random.default_rng(1).random(frame.shape) < 0.1), decided()
    )


def log(name: str) -> pandas.DataFrame:
    """Rows that were not trained on, with unseen categories or values that are missing."""
    rng = numpy.random.default_rng(11)
    rows = people().sample(120, random_state=3).reset_index(drop=True)
    rows["age"] += rng.choice([0.0, 0.5, -30.0, 1e9], 120)
    if name == "forest":
        return rows.assign(job=rng.choice(["clerk", "nurse", "pilot", "Ω"], 120))
    rows["job"] = rng.choice([0.0, 1.0, 2.0, -5.0], 120)
    return rows.mask(rng.random(rows.shape) < 0.2)


MODELS = {"forest": forest, "histograms": histograms}


@cache
def classifier(name: str, method: str) -> reasons.Classifier:
    found = reasons.compile(MODELS[name](), budget=None if method == "compiled" else TINY)
    assert found.method == method
    return found

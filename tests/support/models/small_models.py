"""Random small models of every class that is read, with their libraries' own `predict`."""

import math
import warnings
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import catboost
import lightgbm
import numpy
import pandas
import xgboost
from sklearn import ensemble, tree
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits

from tests.support.models.model_table import UNHEARD, Predict

WORDS = ("clerk", "nurse", "pilot")


class Fitted(NamedTuple):
    model: Any
    predict: Predict


def _forest(seed: int) -> dict[str, Any]:
    rng = Random(seed)
    return {
        "n_estimators": rng.choice([2, 3, 4]),
        "max_depth": rng.choice([1, 2, 3]),
        "random_state": seed,
    }


def _tree(seed: int) -> Any:
    return tree.DecisionTreeClassifier(max_depth=2 + seed % 3, max_features=2, random_state=seed)


def _voting(kind: str) -> Callable[[int], Any]:
    def made(seed: int) -> Any:
        parts = [("a", _tree(seed)), ("b", _tree(seed + 1)), ("c", _tree(seed + 2))]
        weights = [None, [0.1, 0.2, 0.3], [2, 1, 1]][seed % 3]
        return ensemble.VotingClassifier(parts, voting=kind, weights=weights)

    return made


def _xgboost(booster: str) -> Callable[[int], Any]:
    def made(seed: int) -> Any:
        chosen = _forest(seed) | {"learning_rate": [0.3, 1.0][seed % 2], "n_jobs": 1}
        dropped = {"rate_drop": 0.3} if booster == "dart" else {}
        return xgboost.XGBClassifier(booster=booster, min_child_weight=0, **chosen, **dropped)

    return made


def _lightgbm(seed: int) -> Any:
    return lightgbm.LGBMClassifier(
        n_estimators=2 + seed % 3,
        num_leaves=3 + seed % 2,
        learning_rate=0.5,
        min_child_samples=5,
        random_state=seed,
        verbose=-1,
        n_jobs=1,
        min_data_in_bin=1,
    )


def _catboost(seed: int) -> Any:
    return catboost.CatBoostClassifier(
        iterations=2 + seed % 3,
        depth=1 + seed % 2,
        learning_rate=0.5,
        random_seed=seed,
        verbose=0,
        thread_count=1,
        allow_writing_files=False,
    )


NUMBERS: dict[str, Callable[[int], Any]] = {
    "tree": _tree,
    "extra tree": lambda seed: tree.ExtraTreeClassifier(max_depth=3, random_state=seed),
    "random forest": lambda seed: ensemble.RandomForestClassifier(**_forest(seed)),
    "extra trees": lambda seed: ensemble.ExtraTreesClassifier(
        n_estimators=2, max_depth=2, random_state=seed
    ),
    "gradient boosting": lambda seed: ensemble.GradientBoostingClassifier(**_forest(seed)),
    "histogram boosting": lambda seed: ensemble.HistGradientBoostingClassifier(
        max_iter=3, max_leaf_nodes=4, min_samples_leaf=4, random_state=seed
    ),
    "ada": lambda seed: ensemble.AdaBoostClassifier(
        tree.DecisionTreeClassifier(max_depth=1 + seed % 2), n_estimators=3, random_state=seed
    ),
    "bagging": lambda seed: ensemble.BaggingClassifier(
        _tree(seed), n_estimators=3, max_features=2 if seed % 2 else 1.0, random_state=seed
    ),
    "soft vote": _voting("soft"),
    "hard vote": _voting("hard"),
    "xgboost": _xgboost("gbtree"),
    "xgboost dart": _xgboost("dart"),
    "lightgbm": _lightgbm,
    "catboost": _catboost,
}
FILLED = {"gradient boosting", "ada", "soft vote", "hard vote"}
"""Those that refuse missing values."""
SEVERAL = {"gradient boosting", "catboost", "xgboost", "xgboost dart", "lightgbm"}
"""Those that refuse to learn, or decide oddly, where all labels are the same."""
MIXED = ("pipeline", "histograms of categories", "lightgbm of categories", "xgboost of categories")


def numbers(seed: int, classes: int, gaps: bool) -> tuple[Any, Any]:
    """Two to six columns of few different numbers, and labels that follow them loosely."""
    rng = numpy.random.default_rng(seed)
    columns = int(rng.integers(2, 7))
    X = numpy.stack([rng.integers(0, rng.integers(2, 5), 70) / 2 for _ in range(columns)], axis=1)
    score = X @ rng.normal(size=columns) + rng.normal(size=70) / 3
    y = numpy.argsort(numpy.argsort(score)) * classes // 70
    if gaps:
        X[rng.random(X.shape) < 0.15] = numpy.nan
    return X, y


def fitted(name: str, seed: int, classes: int = 2, gaps: bool = False) -> Fitted:
    """A random model of a kind, whose labels are numbers."""
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        if name in MIXED:
            return _mixed(name, seed, classes)
        X, y = numbers(seed, classes, gaps)
        model = NUMBERS[name](seed).fit(X, y)
    return Fitted(model, of_arrays(model))


def of_arrays(model: Any) -> Predict:
    """The library's predict on an array, row by row as it comes."""

    def predict(rows: list[list[Any]]) -> list[Any]:
        table = numpy.array(
            [[math.nan if v is None else v for v in row] for row in rows], dtype=float
        )
        with warnings.catch_warnings(), threadpool_limits(1):
            warnings.simplefilter("ignore")
            return numpy.asarray(model.predict(table)).ravel().tolist()

    return predict


def people(seed: int, classes: int) -> tuple[Any, Any]:
    """A table of numbers and words with gaps, and labels."""
    rng = numpy.random.default_rng(seed)
    frame = pandas.DataFrame(
        {
            "age": rng.integers(2, 6, 90) * 10.0,
            "job": rng.choice(WORDS, 90).astype(object),
            "rank": rng.integers(0, 3, 90).astype(float),
        }
    )
    score = (frame.age > 35) + (frame.job == "nurse") * 1.5 + frame["rank"]
    y = numpy.argsort(numpy.argsort(score + rng.normal(size=90) / 3)) * classes // 90
    frame.loc[rng.random(90) < 0.15, "age"] = numpy.nan
    return (frame.drop(columns="rank") if seed % 2 else frame), y


def _mixed(name: str, seed: int, classes: int) -> Fitted:
    frame, y = people(seed, classes)
    words = ["job"]
    rest = [name for name in frame if name not in words]
    if name == "pipeline":
        number = make_pipeline(SimpleImputer(strategy=["mean", "median"][seed % 2]))
        if seed % 2:
            number = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
        prepared = make_column_transformer(
            (number, rest), (OneHotEncoder(handle_unknown="ignore"), words)
        )
        model = make_pipeline(
            prepared, ensemble.RandomForestClassifier(3, max_depth=3, random_state=seed)
        ).fit(frame, y)
        return Fitted(model, of_frames(model, frame))
    categories = frame.astype(dict.fromkeys(words, "category"))
    if name == "histograms of categories":
        histograms = NUMBERS["histogram boosting"](seed)
        model = histograms.set_params(categorical_features="from_dtype").fit(categories, y)
        return Fitted(model, of_frames(model, categories))
    if name == "lightgbm of categories":
        model = _lightgbm(seed).set_params(min_data_per_group=1, cat_smooth=1).fit(categories, y)
    else:
        chosen = {"enable_categorical": True, "tree_method": "hist"}
        model = _xgboost("gbtree")(seed).set_params(**chosen).fit(categories, y)
    return Fitted(model, of_frames(model, categories))


def of_frames(model: Any, like: Any) -> Predict:
    """The library's predict on a frame of the types that it was fitted to."""

    def predict(rows: list[list[Any]]) -> list[Any]:
        frame = pandas.DataFrame(rows, columns=like.columns, dtype=object)
        for name in like.columns:
            kind = like[name].dtype
            if kind == "category":
                unseen = [word for word in frame[name].unique() if word == UNHEARD]
                known = [*kind.categories, *unseen]
                frame[name] = pandas.Categorical(frame[name], categories=known)
            elif pandas.api.types.is_numeric_dtype(kind):
                frame[name] = frame[name].astype(float)
            else:
                frame[name] = frame[name].where(frame[name].notna(), numpy.nan)
        with warnings.catch_warnings(), threadpool_limits(1):
            warnings.simplefilter("ignore")
            return numpy.asarray(model.predict(frame)).ravel().tolist()

    return predict

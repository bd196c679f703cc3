"""Four tables that people train on, and the models that libraries train on them by default.

Categories are text, which every model gets by a one-hot encoder in front, so that the features
are the columns of the table. The tables are in ../shared/data, or in the folder BENCH_DATA.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benches.harness.subprocess_runner import ROOT

DATA = Path(os.environ.get("BENCH_DATA", ROOT.parent / "shared" / "data"))
_ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex "
    "capital-gain capital-loss hours-per-week native-country label"
)


class Table(NamedTuple):
    """Columns, labels, and a column that has two values."""

    X: Any
    y: Any
    two_valued: str


class Kind(NamedTuple):
    """How a model is made, compiled, and what it counts as: booster, depth 6, default or linear."""

    family: str
    make: Callable[[], Any]
    options: dict[str, Any]
    with_data: bool = False


def table(name: str) -> Table:
    """One of `TABLES`."""
    import pandas

    path, options, two_valued = TABLES[name]
    frame = pandas.read_csv(DATA / path, **options)
    y = frame.pop(frame.columns[-1])
    return Table(frame, y.astype("category").cat.codes, two_valued)


TABLES: dict[str, tuple[str, dict[str, Any], str]] = {
    "credit": ("credit/credit-card-clients.csv.gz", {}, "SEX"),
    "Adult": (
        "fairness/adult/adult.data.gz",
        {"header": None, "names": _ADULT.split(), "skipinitialspace": True},
        "sex",
    ),
    "German": ("fairness/german/german_data_credit.csv", {}, "sex"),
    "bank": ("credit/bank-full.csv.gz", {}, "loan"),
}


def _forest(**options: Any) -> Callable[[], Any]:
    def make() -> Any:
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(random_state=0, n_jobs=1, **options)

    return make


def _extra_trees() -> Any:
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(random_state=0, n_jobs=1)


def _lightgbm() -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(verbose=-1, n_jobs=1)


def _xgboost() -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_jobs=1)


def _histogram() -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(random_state=0)


def _logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000)


KINDS = {
    "LightGBM": Kind("booster", _lightgbm, {}),
    "XGBoost": Kind("booster", _xgboost, {}),
    "HistGradientBoosting": Kind("booster", _histogram, {}),
    "forest 100 x 6": Kind("depth 6", _forest(max_depth=6), {}),
    "the same, missing=False": Kind("depth 6", _forest(max_depth=6), {"missing": False}),
    "forest": Kind("default", _forest(), {}),
    "ExtraTrees": Kind("default", _extra_trees, {}),
    "logistic regression": Kind("linear", _logistic, {}, with_data=True),
}


def trained(kind: str, data: Table) -> Any:
    """The model, behind an encoder where there are categories and a scaler where it is linear."""
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    model = KINDS[kind].make()
    numbers = data.X.select_dtypes("number").columns.tolist()
    texts = [name for name in data.X if name not in numbers]
    linear = KINDS[kind].family == "linear"
    if linear or texts:
        steps = [(StandardScaler() if linear else "passthrough", numbers)]
        steps += [(OneHotEncoder(handle_unknown="ignore", sparse_output=False), texts)] * bool(
            texts
        )
        front = make_column_transformer(*steps, verbose_feature_names_out=False)
        model = make_pipeline(front, model)
    return model.fit(data.X, data.y)

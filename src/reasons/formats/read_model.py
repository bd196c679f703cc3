"""Files of trained models: each library's own, skops, and pickles where that is allowed."""

import os
from pathlib import Path
from typing import Any

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import InputError
from reasons.frontends.additive import classifier_of, compile_model
from reasons.frontends.catboost import read as catboost_json
from reasons.frontends.lightgbm import read as lightgbm_models
from reasons.frontends.options import Options
from reasons.frontends.sklearn.files import load_file
from reasons.frontends.xgboost import read as xgboost_models
from reasons.frontends.xgboost.text_dump import read_text

_READERS = {
    "xgboost": xgboost_models.read_file,
    "lightgbm": lightgbm_models.read_file,
    "catboost": catboost_json.read_file,
}


def load_model(
    kind: str, path: str | os.PathLike[str], budget: Budget | None, told: dict[str, Any]
) -> Classifier:
    """The classifier of a file of a trained model, of the kind that `FORMATS` names."""
    if kind == "pickle":
        model = load_file(Path(path), allow_pickle=bool(told.pop("allow_pickle", False)))
        return compile_model(model, Options(**told), budget=budget)
    columns: dict[str, Any] = {n: told.get(n) for n in ("threshold", "names", "classes")}
    if kind == "xgboost-dump":
        if "classes" not in told or "base_score" not in told:
            raise InputError(
                f"{path} is a text dump of XGBoost, which does not hold all that decides: say "
                "classes=, the labels in the model's order, and base_score="
            )
        found = read_text(path, **columns, base_score=told.pop("base_score"))
    else:
        found = _READERS[kind](path, **columns)
    return classifier_of(found, Options(**told), budget=budget)

"""Files of trained models: each library's own, skops, and pickles where that is allowed."""

from pathlib import Path as PurePath
from typing import Any

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.ensembles.ir import TreeModel
from reasons.errors import InputError, Option
from reasons.formats.files import Path
from reasons.frontends.additive import classifier_of, compile_model
from reasons.frontends.options import Options


def load_xgboost(path: Path, *, budget: Budget | None, **options: Any) -> Classifier:
    """The classifier of a model that XGBoost saved as JSON or UBJSON."""
    from reasons.frontends.xgboost.read import read_file

    return _compiled(read_file(path, **_columns(options)), options, budget)


def load_xgboost_dump(path: Path, *, budget: Budget | None, **options: Any) -> Classifier:
    """The classifier of a text dump of XGBoost, which needs `classes` and `base_score`."""
    from reasons.frontends.xgboost.text_dump import read_text

    if "classes" not in options or "base_score" not in options:
        raise InputError(
            "{file} is a text dump of XGBoost, which does not hold all that is needed: say "
            "{classes}, the labels in the model's order, and {base_score}",
            file=str(path),
            classes=Option("classes"),
            base_score=Option("base_score"),
        )
    base_score = options.pop("base_score")
    return _compiled(read_text(path, **_columns(options), base_score=base_score), options, budget)


def load_lightgbm(path: Path, *, budget: Budget | None, **options: Any) -> Classifier:
    """The classifier of a model that LightGBM saved."""
    from reasons.frontends.lightgbm.read import read_file

    return _compiled(read_file(path, **_columns(options)), options, budget)


def load_catboost(path: Path, *, budget: Budget | None, **options: Any) -> Classifier:
    """The classifier of a model that CatBoost saved as JSON."""
    from reasons.frontends.catboost.read import read_file

    return _compiled(read_file(path, **_columns(options)), options, budget)


def load_pickle(
    path: Path, *, budget: Budget | None, allow_pickle: bool = False, **options: Any
) -> Classifier:
    """The classifier of a skops file, or of a pickle where that is allowed."""
    from reasons.frontends.sklearn.files import load_file

    model = load_file(PurePath(path), allow_pickle=bool(allow_pickle))
    return compile_model(model, Options(**options), budget=budget)


def _columns(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options.get(name) for name in ("threshold", "names", "classes")}


def _compiled(model: TreeModel, options: dict[str, Any], budget: Budget | None) -> Classifier:
    return classifier_of(model, Options(**options), budget=budget)

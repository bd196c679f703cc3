"""Random small linear models and naive Bayes, each with scikit-learn's `predict` on one row."""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
from sklearn import discriminant_analysis, linear_model, naive_bayes, svm
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
)

from tests.support.models.model_table import Predict
from tests.support.models.small_models import of_arrays, of_frames, people


class Scored(NamedTuple):
    """A fitted model, its predict row by row, and what a user declares about it."""

    model: Any
    predict: Predict
    options: dict[str, Any]


LINEAR: dict[str, Callable[[], Any]] = {
    "logistic": lambda: linear_model.LogisticRegression(),
    "logistic with zeros": lambda: linear_model.LogisticRegression(
        C=0.3, l1_ratio=1, solver="saga", max_iter=2_000, random_state=0
    ),
    "logistic without intercept": lambda: linear_model.LogisticRegression(fit_intercept=False),
    "logistic, validated": lambda: linear_model.LogisticRegressionCV(
        Cs=3, cv=3, scoring="accuracy", l1_ratios=(0,), use_legacy_attributes=False
    ),
    "support vectors": lambda: svm.LinearSVC(random_state=0),
    "hinge": lambda: linear_model.SGDClassifier(random_state=0),
    "log loss": lambda: linear_model.SGDClassifier(loss="log_loss", random_state=0),
    "huber": lambda: linear_model.SGDClassifier(loss="modified_huber", random_state=0),
    "ridge": lambda: linear_model.RidgeClassifier(),
    "ridge, validated": lambda: linear_model.RidgeClassifierCV(),
    "perceptron": lambda: linear_model.Perceptron(random_state=0),
    "passive aggressive": lambda: linear_model.PassiveAggressiveClassifier(random_state=0),
    "discriminant": lambda: discriminant_analysis.LinearDiscriminantAnalysis(),
    "discriminant, shrunk": lambda: discriminant_analysis.LinearDiscriminantAnalysis(
        solver="lsqr", shrinkage=0.3
    ),
}
BAYES: dict[str, Callable[[], Any]] = {
    "Bernoulli": lambda: naive_bayes.BernoulliNB(binarize=0.5),
    "Bernoulli of ones": lambda: naive_bayes.BernoulliNB(binarize=None),
    "multinomial": lambda: naive_bayes.MultinomialNB(),
    "complement": lambda: naive_bayes.ComplementNB(norm=True),
    "categorical": lambda: naive_bayes.CategoricalNB(),
    "Gaussian": lambda: naive_bayes.GaussianNB(),
}
EVERY = LINEAR | BAYES


def counts(seed: int, classes: int) -> tuple[Any, Any]:
    """Three or four columns of 0, 1 and 2, some of them 0 and 1, and labels."""
    rng = numpy.random.default_rng(seed)
    columns = int(rng.integers(3, 5))
    X = numpy.stack([rng.integers(0, rng.integers(2, 4), 80) for _ in range(columns)], axis=1)
    score = X @ rng.normal(size=columns) + rng.normal(size=80) / 3
    return X.astype(float), numpy.argsort(numpy.argsort(score)) * classes // 80


def fitted(name: str, seed: int, classes: int = 2) -> Scored:
    """A model of numbers as they are, whose values are declared where it needs that."""
    X, y = counts(seed, classes)
    X = (X > 0).astype(float) if name == "Bernoulli of ones" else X
    model = quietly(lambda: EVERY[name]().fit(X, y))
    most = [int(column.max()) for column in X.T]
    declared: dict[str, Any] = {
        f"x{at}": range(top + 1) if (at + seed) % 2 else set(range(top + 1))
        for at, top in enumerate(most)
    }
    needs_none = name in ("Bernoulli", "categorical")
    return Scored(model, alone(of_arrays(model)), {} if needs_none else {"domain": declared})


PIPELINES: dict[str, Callable[[], Any]] = {
    "bins and words": lambda: make_column_transformer(
        (make_pipeline(SimpleImputer(), _bins("onehot")), ["age"]),
        (OneHotEncoder(handle_unknown="ignore"), ["job"]),
    ),
    "ordinals scaled": lambda: make_column_transformer(
        (make_pipeline(SimpleImputer(), _bins("ordinal"), StandardScaler()), ["age"]),
        (make_pipeline(OrdinalEncoder(), StandardScaler()), ["job"]),
    ),
    "dense, first dropped": lambda: make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), _bins("onehot-dense")), ["age"]),
        (OneHotEncoder(drop="first", sparse_output=False), ["job"]),
    ),
    "ordinals": lambda: make_column_transformer(
        (make_pipeline(SimpleImputer(), _bins("ordinal")), ["age"]), (OrdinalEncoder(), ["job"])
    ),
    "scaled to one": lambda: make_column_transformer(
        (make_pipeline(SimpleImputer(), MinMaxScaler(), _bins("onehot")), ["age"]),
        (OneHotEncoder(handle_unknown="ignore"), ["job"]),
        sparse_threshold=1.0,
    ),
}
DENSE = ("dense, first dropped", "ordinals")


def _bins(encode: str) -> Any:
    return KBinsDiscretizer(3, encode=encode, quantile_method="averaged_inverted_cdf")


def piped(name: str, pipeline: str, seed: int, classes: int = 2) -> Scored:
    """A model behind a pipeline, over columns of numbers and words with gaps."""
    frame, y = people(2 * seed + 1, classes)
    model = quietly(lambda: make_pipeline(PIPELINES[pipeline](), EVERY[name]()).fit(frame, y))
    return Scored(model, alone(of_frames(model, frame)), {})


def quietly(call: Callable[[], Any]) -> Any:
    """A call without warnings: of few iterations, of names that will go."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


def alone(predict: Predict) -> Predict:
    """The same row by row, each asked once: many rows can be added up in another order."""
    known: dict[str, Any] = {}

    def one_by_one(rows: list[list[Any]]) -> list[Any]:
        for row in rows:
            if repr(row) not in known:
                known[repr(row)] = predict([row])[0]
        return [known[repr(row)] for row in rows]

    return one_by_one


def weighed(coefficients: Any, intercept: Any, labels: Any = (0, 1)) -> Scored:
    """A logistic regression with weights that are given, over columns x0, x1, ..."""
    model = linear_model.LogisticRegression()
    model.coef_ = numpy.atleast_2d(coefficients)
    model.intercept_ = numpy.atleast_1d(intercept)
    model.classes_ = numpy.array(labels)
    model.n_features_in_ = model.coef_.shape[1]
    return Scored(model, alone(of_arrays(model)), {})


def ones(columns: int) -> dict[str, Any]:
    """The declaration that all columns are 0 or 1."""
    return {f"x{at}": {0, 1} for at in range(columns)}

"""Pipelines over a table of people, and where our decisions differ from theirs."""

import math
import warnings
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import numpy
import pandas
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectFromModel, SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

from reasons import Feature
from reasons.ensembles.discretize import over_cells
from reasons.frontends.sklearn.pipeline import unwrap
from tests.support.models.sklearn_trees import tree_model

JOBS = ["clerk", "nurse", "pilot", "smith"]
NUMBERS, WORDS = ["age", "pay", "rank"], ["job", "town"]


def people(seed: int, gaps: bool = False, rows: int = 120) -> tuple[Any, Any]:
    """A table of numbers, small whole numbers and words, and a label."""
    rng = numpy.random.default_rng(seed)
    frame = pandas.DataFrame(
        {
            "age": rng.integers(18, 90, rows).astype(float),
            "pay": numpy.exp(rng.normal(8, 2, rows)),
            "rank": rng.integers(0, 5, rows),
            "job": rng.choice(JOBS, rows, p=[0.5, 0.3, 0.17, 0.03]),
            "town": rng.choice(["X", "Y, Z", 'in "W"'], rows),
            "note": rng.choice(["a", "b"], rows),
        }
    ).astype({"job": object, "town": object, "note": object})
    score = (
        (frame.age > 45) * 1.0
        + (frame.pay > 3_000)
        + frame["rank"] / 3
        + (frame.job == "nurse")
        + (frame.job == "smith")
        + (frame.town == "X")
        + rng.normal(0, 0.5, rows)
    )
    y = numpy.digitize(score, [1.5, 3.0])
    if gaps:
        for name in ["age", "pay", "job", "town"]:
            frame.loc[rng.random(rows) < 0.15, name] = numpy.nan
    return frame, y


def on(*parts: Any, **options: Any) -> Any:
    return make_column_transformer(*parts, **options)


def hot(**options: Any) -> OneHotEncoder:
    return OneHotEncoder(**{"handle_unknown": "ignore", **options})


def both(number: Any, word: Any) -> Any:
    return on((number, ["age", "pay"]), (word, WORDS), remainder="drop")


WHOLE: dict[str, Callable[[], Any]] = {
    "scaled, one-hot": lambda: both(StandardScaler(), hot()),
    "min-max clipped, ordinal": lambda: both(
        MinMaxScaler(clip=True),
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
    ),
    "dense, drop first": lambda: both(
        MaxAbsScaler(), hot(drop="first", sparse_output=False, handle_unknown="error")
    ),
    "drop if binary, ignoring": lambda: both(RobustScaler(), hot(drop="if_binary")),
    "rare ones together": lambda: both(
        "passthrough", hot(min_frequency=10, handle_unknown="infrequent_if_exist")
    ),
    "few categories": lambda: both("passthrough", hot(max_categories=2)),
    "ordinal, rare ones together": lambda: both(
        KBinsDiscretizer(5, encode="ordinal", quantile_method="averaged_inverted_cdf"),
        OrdinalEncoder(min_frequency=10, handle_unknown="use_encoded_value", unknown_value=99),
    ),
    "bins one-hot": lambda: both(KBinsDiscretizer(4, encode="onehot", strategy="uniform"), hot()),
    "scaled bins, dense": lambda: both(
        make_pipeline(
            StandardScaler(),
            KBinsDiscretizer(4, encode="onehot-dense", strategy="kmeans", random_state=0),
            StandardScaler(),
        ),
        OrdinalEncoder(),
    ),
    "single bins": lambda: both(
        KBinsDiscretizer(4, encode="ordinal", strategy="uniform", dtype=numpy.float32), hot()
    ),
    "yes or no": lambda: both(make_pipeline(StandardScaler(), Binarizer(threshold=0.2)), hot()),
    "quantiles": lambda: both(QuantileTransformer(n_quantiles=20), hot()),
    "power": lambda: both(PowerTransformer(), hot()),
    "whole numbers as categories": lambda: on(
        (hot(), ["rank", "job"]), ("passthrough", ["pay"]), sparse_threshold=1.0
    ),
    "whole numbers as ordinals": lambda: on((OrdinalEncoder(), ["rank"]), ("passthrough", ["age"])),
    "number and category": lambda: on(
        (OneHotEncoder(), ["rank"]), ("passthrough", ["rank", "age"])
    ),
    "number twice": lambda: on((StandardScaler(), ["age"]), ("passthrough", ["age", "pay"])),
    "selectors and the rest": lambda: on(
        (hot(), make_column_selector(dtype_include=object)), remainder=StandardScaler()
    ),
    "positions, slices, masks": lambda: ColumnTransformer(
        [
            ("a", StandardScaler(), [0]),
            ("b", "passthrough", slice(1, 3)),
            ("c", hot(), [False, False, False, True, False, False]),
            ("none", StandardScaler(), []),
            ("gone", "drop", ["town"]),
        ]
    ),
    "callables": lambda: on((hot(), lambda frame: ["town", "job"]), ("passthrough", ["pay"])),
    "nested": lambda: on(
        (make_pipeline(on((StandardScaler(), ["pay"]), remainder="passthrough"), None), NUMBERS),
        (Pipeline([("skip", "passthrough"), ("hot", hot())]), WORDS),
    ),
    "selected": lambda: make_pipeline(both(StandardScaler(), hot()), SelectKBest(k=5)),
    "selected by a model": lambda: make_pipeline(
        both(StandardScaler(), hot(sparse_output=False)),
        SelectFromModel(DecisionTreeClassifier(max_depth=3, random_state=0)),
    ),
    "varied": lambda: make_pipeline(both("passthrough", hot()), VarianceThreshold(0.1)),
    "identity": lambda: make_pipeline(
        FunctionTransformer(), both(FunctionTransformer(), OrdinalEncoder())
    ),
    "frames throughout": lambda: make_pipeline(
        both(StandardScaler(), hot(sparse_output=False)), MinMaxScaler()
    ).set_output(transform="pandas"),
    "union": lambda: on(
        (FeatureUnion([("a", StandardScaler()), ("b", "passthrough")]), NUMBERS),
        (hot(), WORDS),
    ),
    "sparse, scaled": lambda: make_pipeline(
        on(("passthrough", ["age", "pay"]), (hot(), WORDS), sparse_threshold=1.0),
        StandardScaler(with_mean=False),
        MaxAbsScaler(),
    ),
    "codes scaled": lambda: make_pipeline(both("passthrough", OrdinalEncoder()), StandardScaler()),
}
GAPS: dict[str, Callable[[], Any]] = {
    "mean, most frequent": lambda: both(
        SimpleImputer(), make_pipeline(SimpleImputer(strategy="most_frequent"), hot())
    ),
    "median with indicator": lambda: both(
        make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler()),
        make_pipeline(SimpleImputer(strategy="constant", fill_value="none"), OrdinalEncoder()),
    ),
    "constants": lambda: both(
        SimpleImputer(strategy="constant", fill_value=-1),
        make_pipeline(
            SimpleImputer(strategy="constant", fill_value="none", add_indicator=True), hot()
        ),
    ),
    "missing as a category": lambda: both("passthrough", hot()),
    "missing as a code": lambda: both(StandardScaler(), OrdinalEncoder(encoded_missing_value=-2)),
    "missing stays missing": lambda: both(MinMaxScaler(), OrdinalEncoder()),
    "imputed bins": lambda: both(
        make_pipeline(SimpleImputer(), KBinsDiscretizer(3, encode="onehot", strategy="uniform")),
        hot(),
    ),
}


def fitted(prepare: Any, seed: int, gaps: bool, forest: bool) -> tuple[Any, Any]:
    frame, y = people(seed, gaps)
    final: Any = DecisionTreeClassifier(max_depth=6, random_state=seed)
    if forest:
        final = RandomForestClassifier(4, max_depth=4, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return frame, make_pipeline(prepare, final).fit(frame, y)


def user_frame(names: Any, rows: list[list[Any]], like: Any) -> Any:
    """Rows as users have them: floats, and words with NaN where they are missing."""
    frame = pandas.DataFrame(dict(zip(names, zip(*rows, strict=True), strict=True)), dtype=object)
    for name in names:
        if like[name].dtype != object:
            frame[name] = frame[name].astype(float)
    return frame.where(frame.notna(), numpy.nan)


def predicted(model: Any, frame: Any) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(model.predict(frame).tolist())


def drawn_values(feature: Feature, like: Any, rng: Random, count: int) -> list[Any]:
    """Raw values: of numbers, often one step from a cut; of categories, also unseen ones."""
    special = set(map(str, feature.values))
    known = sorted(set(like[feature.name].dropna()))
    is_word = like[feature.name].dtype == object
    values: list[Any] = []
    for _ in range(count):
        value = rng.choice(known)
        if "<missing>" in special and rng.random() < 0.1:
            value = numpy.nan
        elif "<other>" in special and rng.random() < 0.2:
            value = "zebra" if is_word else value + 100
        elif feature.cuts and rng.random() < 0.7:
            cut = float(rng.choice(feature.cuts))
            near = [cut, math.nextafter(cut, 9e99), math.nextafter(cut, -9e99), math.ceil(cut)]
            value = rng.choice([*near, cut * (1 - 4e-8), cut * (1 + 4e-8), math.floor(cut)])
        values.append(value)
    return values


def differences(model: Any, like: Any, seed: int, most: int = 800) -> int:
    """Cells and drawn rows on which our decisions are not those of the pipeline."""
    final, inputs = unwrap(model)
    assert inputs is not None
    trees = tree_model(final)
    schema, native = over_cells(trees, inputs)
    assert list(schema.names) == list(like.columns)
    rng = Random(seed)
    sizes = [len(feature.values) for feature in schema]
    every = list(product(*map(range, sizes))) if math.prod(sizes) <= most else []
    cells = every or [tuple(map(rng.randrange, sizes)) for _ in range(most)]
    raws = [[f.raw(c) for f, c in zip(schema, row, strict=True)] for row in cells]
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    assert inputs.predict is not None
    wrong = sum(trees.labels[o] != t for o, t in zip(ours, inputs.predict(raws), strict=True))
    columns = [drawn_values(feature, like, rng, 2_000) for feature in schema]
    rows = [list(row) for row in zip(*columns, strict=True)]
    found = [[f.cell(v) for f, v in zip(schema, row, strict=True)] for row in rows]
    ours = native.decide_all(numpy.array(found, numpy.uint16).ravel(), len(found))
    theirs = predicted(model, user_frame(schema.names, rows, like))
    return int(wrong + sum(trees.labels[o] != t for o, t in zip(ours, theirs, strict=True)))

"""Pipelines over the user's columns: every cell, and rows at the borders, beside `predict`."""

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import numpy
import pandas
import pytest
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
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
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

from reasons import Feature
from reasons.errors import InputError, UnsupportedModel
from reasons.frontends import pipeline
from reasons.frontends.pipeline import unwrap
from reasons.rows import cells_of_rows
from reasons.trees import cells
from reasons.trees.cells import over_cells
from reasons.trees.columns import Inputs
from reasons.values import MISSING
from sklearn_trees import tree_model

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
        return model.predict(frame).tolist()


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
    return wrong + sum(trees.labels[o] != t for o, t in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("forest", [False, True])
@pytest.mark.parametrize("name", WHOLE)
def test_pipelines_are_decided_as_they_predict(name: str, forest: bool) -> None:
    frame, model = fitted(WHOLE[name](), seed := len(name), gaps=False, forest=forest)
    assert differences(model, frame, seed) == 0


@pytest.mark.parametrize("forest", [False, True])
@pytest.mark.parametrize("name", GAPS)
def test_missing_values_are_decided_as_the_pipeline_does(name: str, forest: bool) -> None:
    frame, model = fitted(GAPS[name](), seed := len(name), gaps=True, forest=forest)
    assert differences(model, frame, seed) == 0


def test_arrays_have_numbered_columns() -> None:
    frame, y = people(3)
    table = frame[["age", "pay", "rank"]].to_numpy(float)
    model = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=5)).fit(table, y)
    final, inputs = unwrap(model)
    assert inputs is not None
    schema, native = over_cells(tree_model(final), inputs)
    assert schema.names == ("x0", "x1", "x2")
    cells = numpy.array([[f.cell(v) for f, v in zip(schema, row, strict=True)] for row in table])
    ours = native.decide_all(cells.astype(numpy.uint16).ravel(), len(cells))
    assert [final.classes_[label] for label in ours] == model.predict(table).tolist()


def test_arrays_of_objects_keep_their_categories() -> None:
    frame, y = people(4)
    table = frame[["age", "job"]].to_numpy(object)
    prepare = ColumnTransformer([("n", StandardScaler(), [0]), ("w", hot(), [1])])
    model = make_pipeline(prepare, DecisionTreeClassifier(max_depth=5)).fit(table, y)
    final, inputs = unwrap(model)
    assert inputs is not None
    schema, native = over_cells(tree_model(final), inputs)
    assert [str(value) for value in schema[1].values] == [*JOBS, "<other>", "<missing>"]
    cells = numpy.array([[f.cell(v) for f, v in zip(schema, row, strict=True)] for row in table])
    ours = native.decide_all(cells.astype(numpy.uint16).ravel(), len(cells))
    assert [final.classes_[label] for label in ours] == model.predict(table).tolist()


@pytest.mark.parametrize("name", GAPS)
def test_missing_values_have_a_cell_where_the_pipeline_takes_them(name: str) -> None:
    frame, model = fitted(GAPS[name](), 0, gaps=True, forest=False)
    final, inputs = unwrap(model)
    assert inputs is not None
    schema, _ = over_cells(tree_model(final), inputs)
    for at in ("age", "pay", "job", "town"):
        row = frame.head(1).copy()
        row[at] = pandas.Series([numpy.nan], dtype=frame[at].dtype)
        assert (MISSING in schema[schema.index(at)].values) == takes(model, row)
        assert takes(model, row)


def takes(model: Any, row: Any) -> bool:
    try:
        predicted(model, row)
    except ValueError:
        return False
    return True


def test_missing_values_have_no_cell_where_the_pipeline_refuses_them() -> None:
    frame, model = fitted(WHOLE["identity"](), 0, gaps=False, forest=False)
    final, inputs = unwrap(model)
    assert inputs is not None
    schema, _ = over_cells(tree_model(final), inputs)
    row = frame.head(1).assign(job=None)
    assert not takes(model, row)
    assert schema[schema.index("job")].values == tuple(JOBS)


@pytest.mark.parametrize("kind", ["str", "category", "None", "bool"])
def test_words_of_all_types_are_decided_as_predicted(kind: str) -> None:
    frame, y = people(3, gaps=kind != "bool")
    for name in WORDS:
        known = frame[name].tolist()
        if kind == "bool":
            frame[name] = frame[name].isin(["nurse", "X"])
        elif kind == "None":
            frame[name] = pandas.Series([None if v != v else v for v in known], dtype=object)
        else:
            frame[name] = pandas.Series(known, dtype=kind)
    model = make_pipeline(both("passthrough", hot()), DecisionTreeClassifier(max_depth=6))
    final, inputs = unwrap(model.fit(frame, y))
    assert inputs is not None
    trees = tree_model(final)
    schema, native = over_cells(trees, inputs)
    cells, rows = cells_of_rows(schema, frame)
    ours = native.decide_all(numpy.array(cells, numpy.uint16), rows)
    assert [trees.labels[label] for label in ours] == model.predict(frame).tolist()


def test_a_wrong_guess_changes_nothing() -> None:
    _, model = fitted(WHOLE["scaled, one-hot"](), 1, gaps=False, forest=True)
    final, inputs = unwrap(model)
    assert inputs is not None
    schema, _ = over_cells(tree_model(final), inputs)
    for guess in (None, lambda _, values, wanted: numpy.array([values * 1.01] * len(wanted)).T):
        again, _ = over_cells(tree_model(final), replace(inputs, guess=guess))
        assert again == schema


def test_features_are_the_columns_that_users_give() -> None:
    frame, model = fitted(WHOLE["whole numbers as categories"](), 1, gaps=False, forest=True)
    final, inputs = unwrap(model)
    assert inputs is not None
    schema, _ = over_cells(tree_model(final), inputs)
    assert schema.names == tuple(frame.columns)
    rank, job, note = (schema[schema.index(name)] for name in ("rank", "job", "note"))
    assert (rank.kind, rank.values[:5]) == ("categorical", (0, 1, 2, 3, 4))
    assert [str(value) for value in job.values] == [*JOBS, "<other>", "<missing>"]
    assert job.says({0, 1}) == "job in {clerk, nurse}"
    assert [note.cell(value) for value in ("a", 7, None)] == [0, 0, 1]  # nothing reads it


def test_plain_numbers_are_cut_where_the_trees_cut_them() -> None:
    _, model = fitted(WHOLE["few categories"](), 1, gaps=False, forest=False)
    final, inputs = unwrap(model)
    assert inputs is not None
    schema, _ = over_cells(tree_model(final), inputs)
    age = schema[schema.index("age")]
    assert age.cast == "float32"
    assert age.says({0}) == f"age <= {min(final.tree_.threshold[final.tree_.feature == 0]):g}"


def test_bins_are_cut_at_their_edges() -> None:
    _, model = fitted(WHOLE["bins one-hot"](), 1, gaps=False, forest=True)
    final, inputs = unwrap(model)
    assert inputs is not None
    schema, _ = over_cells(tree_model(final), inputs)
    edges = model[0].named_transformers_["kbinsdiscretizer"].bin_edges_[0][1:-1].tolist()
    age = schema[schema.index("age")]
    assert set(age.cuts) <= set(edges)
    assert age.closed == "left"


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "pca": (
        lambda: make_pipeline(both("passthrough", hot(sparse_output=False)), PCA(3)),
        "'pipeline.pca'",
    ),
    "normalizer": (lambda: both(Normalizer(), hot()), "columntransformer.normalizer.*Normalizer"),
    "function": (lambda: both(FunctionTransformer(numpy.log1p), hot()), "can be anything"),
    "box-cox": (lambda: both(PowerTransformer("box-cox"), hot()), "yeo-johnson"),
    "odd gaps": (lambda: both(SimpleImputer(missing_values=30), hot()), "missing_values be NaN"),
    "odd scaled gaps": (
        lambda: both(make_pipeline(SimpleImputer(missing_values=30), StandardScaler()), hot()),
        "missing_values be NaN",
    ),
    "scaled categories": (
        lambda: both(make_pipeline(StandardScaler(), hot()), hot()),
        "scaled for categories",
    ),
    "both ways": (
        lambda: on((hot(), ["rank"]), ("passthrough", ["rank", "age"])),
        "both as a number and as a category",
    ),
    "weights": (
        lambda: on((hot(), ["job"])).set_params(transformer_weights={"onehotencoder": 2}),
        "transformer_weights",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_column_by_column_is_refused_by_name(name: str) -> None:
    prepare, message = REFUSED[name]
    _, model = fitted(prepare(), 0, gaps=False, forest=False)
    with pytest.raises(UnsupportedModel, match=message):
        unwrap(model)


def test_numbers_that_are_turned_round_are_refused() -> None:
    class Falling(StandardScaler):
        def transform(self, X: Any, copy: Any = None) -> Any:
            return -super().transform(X, copy)

    Falling.__module__ = StandardScaler.__module__
    Falling.__name__ = "StandardScaler"
    frame, y = people(0)
    model = make_pipeline(Falling(), DecisionTreeClassifier(max_depth=3)).fit(frame[["age"]], y)
    final, inputs = unwrap(model)
    assert inputs is not None
    with pytest.raises(UnsupportedModel, match="does not always grow"):
        over_cells(tree_model(final), inputs)


def test_normal_quantiles_are_refused_where_they_do_not_grow() -> None:
    prepare = QuantileTransformer(n_quantiles=20, output_distribution="normal")
    _, model = fitted(both(prepare, hot()), 0, gaps=False, forest=False)
    final, inputs = unwrap(model)
    assert inputs is not None
    with pytest.raises(UnsupportedModel, match="does not always grow"):
        over_cells(tree_model(final), inputs)


def test_other_models_are_their_own_end() -> None:
    tree = DecisionTreeClassifier()
    assert unwrap(tree) == (tree, None)
    with pytest.raises(InputError, match="fit the pipeline"):
        unwrap(make_pipeline(StandardScaler(), tree))
    with pytest.raises(UnsupportedModel, match="ends with no classifier"):
        unwrap(Pipeline([("a", StandardScaler()), ("b", "passthrough")]))


def planted_differences(damage: Callable[[Any, Inputs], tuple[Any, Inputs]]) -> int:
    """Differences that the comparison sees when the cells are made from a damaged reading."""
    frame, model = fitted(WHOLE["scaled, one-hot"](), 2, gaps=False, forest=False)
    final, inputs = unwrap(model)
    assert inputs is not None
    trees, inputs = damage(tree_model(final), inputs)
    schema, native = over_cells(trees, inputs)
    rng = Random(0)
    columns = [drawn_values(feature, frame, rng, 2_000) for feature in schema]
    rows = [list(row) for row in zip(*columns, strict=True)]
    cells = [[f.cell(v) for f, v in zip(schema, row, strict=True)] for row in rows]
    ours = native.decide_all(numpy.array(cells, numpy.uint16).ravel(), len(cells))
    theirs = predicted(model, user_frame(schema.names, rows, frame))
    return sum(trees.labels[o] != t for o, t in zip(ours, theirs, strict=True))


def seen(name: str, monkeypatch: pytest.MonkeyPatch, where: Any, what: str, planted: Any) -> int:
    """Differences in one kind of pipeline while something in the package is broken."""
    group = WHOLE if name in WHOLE else GAPS
    frame, model = fitted(group[name](), 1, gaps=name in GAPS, forest=True)
    with monkeypatch.context() as broken:
        broken.setattr(where, what, planted)
        found = differences(model, frame, 1, most=200)
    assert differences(model, frame, 1, most=200) == 0
    return found


def test_planted_bugs_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    last_left, goes_left = cells.last_left, cells.goes_left

    def one_step_off(*arguments: Any) -> Any:
        return numpy.nextafter(last_left(*arguments), numpy.inf)

    def missing_turned(trees: Any, test: Any, values: Any) -> Any:
        return goes_left(trees, replace(test, missing_left=not test.missing_left), values)

    def other_is_the_first(table: list[Any]) -> Any:
        return table[0] if table else 0

    assert seen("scaled, one-hot", monkeypatch, cells, "last_left", one_step_off) > 0
    assert seen("bins one-hot", monkeypatch, cells, "last_left", one_step_off) > 0
    assert seen("missing stays missing", monkeypatch, cells, "goes_left", missing_turned) > 0
    assert seen("few categories", monkeypatch, pipeline, "_unseen", other_is_the_first) > 0


def test_a_forgotten_cast_and_swapped_columns_are_seen() -> None:
    assert planted_differences(lambda trees, inputs: (trees, inputs)) == 0
    no_cast = planted_differences(lambda trees, inputs: (replace(trees, cast="float64"), inputs))
    assert no_cast > 0

    def swapped(trees: Any, inputs: Inputs) -> tuple[Any, Inputs]:
        old = inputs.image

        def image(at: int, values: Any, wanted: Any) -> Any:
            return old(at, values, [{2: 3, 3: 2}.get(column, column) for column in wanted])

        return trees, replace(inputs, image=image)

    assert planted_differences(swapped) > 0

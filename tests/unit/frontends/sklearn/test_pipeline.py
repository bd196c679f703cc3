"""Pipelines over the user's columns: every cell, and rows at the borders, beside `predict`."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy
import pandas
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    Normalizer,
    PowerTransformer,
    QuantileTransformer,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

import reasons
from reasons.ensembles import discretize, feature_builder
from reasons.ensembles.discretize import over_cells
from reasons.ensembles.inputs import Inputs
from reasons.ensembles.thresholds import last_left
from reasons.errors import InputError, UnsupportedModel
from reasons.features.tables import cells_of_rows
from reasons.features.values import MISSING
from reasons.frontends.sklearn import pipeline
from reasons.frontends.sklearn.pipeline import unwrap
from tests.support.models.pipelines import (
    GAPS,
    JOBS,
    WHOLE,
    WORDS,
    both,
    differences,
    drawn_values,
    fitted,
    hot,
    on,
    people,
    predicted,
    user_frame,
)
from tests.support.models.sklearn_trees import tree_model


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


def test_bins_that_a_model_takes_for_categories() -> None:
    frame, y = people(2)
    bins = KBinsDiscretizer(5, encode="ordinal", strategy="uniform")
    final = HistGradientBoostingClassifier(max_iter=4, categorical_features=[0])
    model = make_pipeline(bins, final).fit(frame[["age", "rank"]], y)
    classifier = reasons.compile(model)
    assert (classifier.predict(frame) == model.predict(frame[["age", "rank"]])).all()
    assert reasons.check(classifier, model)


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
    with pytest.raises(UnsupportedModel, match="is not monotone in column"):
        over_cells(tree_model(final), inputs)


def test_normal_quantiles_are_refused_where_they_do_not_grow() -> None:
    prepare = QuantileTransformer(n_quantiles=20, output_distribution="normal")
    _, model = fitted(both(prepare, hot()), 0, gaps=False, forest=False)
    final, inputs = unwrap(model)
    assert inputs is not None
    with pytest.raises(UnsupportedModel, match="is not monotone in column"):
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
    left_of_thresholds = discretize._left_of_thresholds

    def one_step_off(*arguments: Any) -> Any:
        return numpy.nextafter(last_left(*arguments), numpy.inf)

    def missing_turned(model: Any, tests: Any, *values: Any) -> Any:
        turned = [replace(test, missing_left=not test.missing_left) for test in tests]
        return left_of_thresholds(model, turned, *values)

    def other_is_the_first(categories: list[Any], numeric: bool) -> Any:
        return categories[0] if categories else 0

    assert seen("scaled, one-hot", monkeypatch, feature_builder, "last_left", one_step_off) > 0
    assert seen("bins one-hot", monkeypatch, feature_builder, "last_left", one_step_off) > 0
    where = discretize, "_left_of_thresholds"
    assert seen("missing stays missing", monkeypatch, *where, missing_turned) > 0
    assert seen("few categories", monkeypatch, pipeline, "unseen_value", other_is_the_first) > 0


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


@pytest.mark.parametrize("size", [1e37, 1e38, 1.5e38, 3e38])
def test_thresholds_near_the_largest_float32_are_compared_with_predict(size: float) -> None:
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier().fit([[0.0], [size]], ["low", "high"])
    classifier = reasons.compile(model)
    assert classifier.decide([size]).label == "high"
    assert any("sampled instances agree" in note for note in classifier.notes)

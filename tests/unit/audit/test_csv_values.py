"""Cells of CSV files against real pipelines: each row has the label of predict(read_csv), or none.

The pipelines tell every category, a missing and an unseen one apart, so a wrong reading shows.
"""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest
from pandas._libs.parsers import STR_NA_VALUES
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import reasons
from reasons import Feature
from reasons.features.csv_values import NA, value_of_text

CATEGORIES: dict[str, list[Any]] = {
    "texts": ["c", "d", " Male", "Male", "é", " kept", "NA "],
    "whole numbers": [1, 2, 8, 1000],
    "numbers": [0.5, 2.0, 1000.0],
    "truth": [False, True],
}
BESIDE = {"texts": "c", "whole numbers": "1", "numbers": "0.5", "truth": "True"}
"""A cell of the same column, by which pandas finds the kind of it."""

CELLS = [
    *sorted(NA),
    *("c", "d", "C", " c", "c ", '"c"', "'c'", "é", "e\u0301", "Male", " Male", "  Male", "kept"),
    *("2", "2.0", "2.00", "2e0", "02", "+2", " 2", "2 ", "08", "8", ".5", "0.50", "1e3", "1_000"),
    *("1.", "\u0668", "0x8", "7", "-2", "1,000", "inf", "1e400", "2;"),
    *("9007199254740992", "9007199254740993"),
    *("<missing>", "<other>", "NAN", " NA", "NA ", "  ", "-", "?", "None ", "yes", "T"),
]
WORDS = ["True", "TRUE", "true", "False", "FALSE", "false"]


def telling(kind: str, missing: bool) -> Pipeline:
    """A pipeline whose label is the category; `missing` is one of those it was trained on."""
    values = [*CATEGORIES[kind], *([numpy.nan] if missing else [])]
    seen = pandas.DataFrame({"k": values * 3, "x": numpy.arange(3.0 * len(values))})
    if not missing:
        seen["k"] = pandas.Series(CATEGORIES[kind] * 3)
    encode = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["k"]), remainder="drop"
    )
    labels = [f"is {value!r}" for value in values] * 3
    return make_pipeline(encode, DecisionTreeClassifier(random_state=0)).fit(seen, labels)


def written(path: Path, rows: Iterable[tuple[str, ...]], names: tuple[str, ...]) -> Path:
    quoted = [
        [f'"{text.replace(chr(34), chr(34) * 2)}"' if text else "" for text in r] for r in rows
    ]
    lines = [",".join(names), *(",".join(row) for row in quoted)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def audited(classifier: reasons.Classifier, path: Path) -> list[Any]:
    found = reasons.audit(classifier, path).table
    labels: list[Any] = found.column("label").to_pylist()
    assert found.column("problem").is_valid().to_pylist() == [label is None for label in labels]
    return labels


def predicted(model: Any, path: Path) -> list[Any] | None:
    """What the model says of a file as pandas reads it; None where it refuses it."""
    try:
        return list(model.predict(pandas.read_csv(path)))
    except (ValueError, TypeError):
        return None


@pytest.mark.filterwarnings("ignore:Found unknown categories")
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", CATEGORIES)
def test_a_cell_has_the_label_that_pandas_and_the_model_give_it(
    tmp_path: Path, kind: str, missing: bool
) -> None:
    model = telling(kind, missing)
    classifier = reasons.compile(model)
    cells = [*CELLS, *([] if kind == "texts" else WORDS)]
    compared = 0
    for text in cells:
        with_number = kind == "truth" and text not in (*NA, *WORDS)
        rows = [(text, "1")] if with_number else [(text, "1"), (BESIDE[kind], "2")]
        path = written(tmp_path / "x.csv", rows, ("k", "x"))
        found, wanted = audited(classifier, path), predicted(model, path)
        if wanted is None or found[0] is None:
            continue
        assert found == wanted, text
        compared += 1
    assert compared > 20


READ: dict[str, dict[str, Any]] = {
    "texts": {"c": "c", " Male": " Male", "Male": "Male", "é": "é", "NA ": "NA "},
    "whole numbers": dict.fromkeys(["2", "2.0", "2.00", "2e0", "02", "+2", " 2", "2 "], 2)
    | {"08": 8, "8.0": 8, "1e3": 1000},
    "numbers": dict.fromkeys(["2", "2.0", "2e0"], 2.0) | {".5": 0.5, "0.50": 0.5, "1000": 1000.0},
    "truth": dict.fromkeys(["True", "TRUE", "true", "1", "1.0"], True)
    | dict.fromkeys(["False", "FALSE", "false", "0", "0.0"], False),
}


@pytest.mark.parametrize("kind", READ)
def test_categories_are_found_however_they_are_written(tmp_path: Path, kind: str) -> None:
    """The check above would pass if every row had a problem; these have none."""
    model = telling(kind, False)
    classifier = reasons.compile(model)
    for text, category in READ[kind].items():
        path = written(tmp_path / "x.csv", [(text, "1")], ("k", "x"))
        assert audited(classifier, path) == [f"is {category!r}"] == predicted(model, path), text


@pytest.mark.parametrize("kind", CATEGORIES)
def test_what_pandas_takes_for_missing_is_missing(tmp_path: Path, kind: str) -> None:
    model = telling(kind, True)
    path = written(tmp_path / "x.csv", [(t, "1") for t in [*sorted(NA), BESIDE[kind]]], ("k", "x"))
    found = audited(reasons.compile(model), path)
    assert found == predicted(model, path)
    assert found[:-1] == ["is nan"] * len(NA)


def test_the_texts_for_missing_are_those_of_pandas() -> None:
    assert NA == STR_NA_VALUES


@pytest.mark.parametrize(
    "feature",
    [
        Feature.categorical("k", ["c"], other=True),
        Feature.categorical("k", [1, 2], other=True),
        Feature.boolean("k"),
        Feature.numeric("k", [5]),
    ],
)
def test_all_kinds_agree_that_missing_needs_a_cell(feature: Feature) -> None:
    for text in NA:
        with pytest.raises(reasons.InputError, match="has no value None"):
            feature.cell(value_of_text(feature, text))


AMBIGUOUS = [" c", "c ", '"c"', "'c'", "kept", "  kept", " NA", "  ", '" "']


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_a_value_but_for_spaces_or_quotes_is_a_problem(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "x.csv", [(text, "1")], ("k", "x"))
    found = reasons.audit(reasons.compile(telling("texts", False)), path).table.to_pylist()
    assert found[0]["label"] is None
    assert "is a value but for spaces or quotes" in found[0]["problem"]


def test_a_text_that_was_never_seen_is_an_other_value(tmp_path: Path) -> None:
    model = telling("texts", False)
    rows = [(text, "1") for text in ("C", "zebra", "e\u0301", "<missing>", "7", "c")]
    path = written(tmp_path / "x.csv", rows, ("k", "x"))
    assert audited(reasons.compile(model), path) == predicted(model, path)
    feature = reasons.compile(model).features[0]
    assert feature.values[feature.cell(value_of_text(feature, "zebra"))] is reasons.OTHER


def test_a_text_among_numbers_is_a_problem(tmp_path: Path) -> None:
    """pandas would take the whole column for texts, and the model know none of them."""
    path = written(tmp_path / "x.csv", [("2", "1"), ("two", "1")], ("k", "x"))
    found = reasons.audit(reasons.compile(telling("whole numbers", False)), path).table
    assert found.column("label").to_pylist() == ["is 2", None]
    assert "'two'; its values are not texts" in found.column("problem")[1].as_py()


def test_numbers_among_texts_of_the_model_are_a_problem() -> None:
    feature = Feature.categorical("k", ["a", 1], other=True)
    assert value_of_text(feature, "a") == "a"
    with pytest.raises(reasons.InputError, match="may be a text or the number 1"):
        value_of_text(feature, "1")


def test_models_that_compare_texts_write_numbers_their_way() -> None:
    feature = Feature.categorical("k", ["1", "2", "01"], other=True, as_text=True)
    assert [value_of_text(feature, text) for text in ("1", "2.0", "01", "b")] == [
        *("1", "2", "01", "b")
    ]
    with pytest.raises(reasons.InputError, match="'True' may be a text or '1'"):
        value_of_text(feature, "True")


def test_numbers_and_truth_values_of_numeric_features_are_those_of_pandas(tmp_path: Path) -> None:
    seen = pandas.DataFrame({"k": [1.0, 2.0, 8.0, 1000.0, None] * 3})
    model = DecisionTreeClassifier(random_state=0).fit(
        seen, [f"is {value}" for value in seen["k"].tolist()]
    )
    classifier = reasons.compile(model)
    decided = 0
    for text in [*CELLS, *WORDS]:
        path = written(tmp_path / "x.csv", [(text,)] * 2, ("k",))
        found, wanted = audited(classifier, path), predicted(model, path)
        if wanted is not None and found[0] is not None:
            assert found == wanted, text
            decided += 1
        if text and (text in NA or text in WORDS):
            assert found == wanted, text
    assert decided > 40


def test_boolean_features_take_the_numbers_0_and_1(tmp_path: Path) -> None:
    cells = ["1.0", "0.0", "1", "0", "True", "FALSE", "2", "yes", "", " true"]
    path = written(tmp_path / "x.csv", [(text, "1") for text in cells], ("E", "F"))
    wanted = [True, False, True, False, True, False, None, None, None, None]
    assert audited(reasons.compile("E & F"), path) == wanted


def test_one_row_of_a_file_is_read_by_the_same_rules(tmp_path: Path) -> None:
    from reasons.cli.arguments import decision_of, row_of

    for kind in CATEGORIES:
        classifier = reasons.compile(telling(kind, True))
        for text in [*CELLS, *WORDS]:
            path = written(tmp_path / "x.csv", [(text, "1")], ("k", "x"))
            wanted = audited(classifier, path)[0]
            try:
                found = decision_of(classifier, row_of(None, path, 0)).label
            except reasons.InputError:
                found = None
            assert found == wanted, text


@pytest.mark.parametrize("names", [("a",), ("a", "b"), ("a", "a")])
def test_a_model_without_features_decides_the_rows_of_a_csv_file(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    path = written(tmp_path / "x.csv", [("7",) * len(names)] * 3, names)
    assert audited(reasons.compile("true"), path) == [True] * 3


def near_a_tenth() -> HistGradientBoostingClassifier:
    """A model that tells 0.1 from the next double, which are one single."""
    seen = pandas.DataFrame({"x": [0.1] * 20 + [math.nextafter(0.1, 1)] * 20})
    return HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=1).fit(
        seen, [0] * 20 + [1] * 20
    )


@pytest.mark.parametrize("turned", [False, True])
def test_files_of_singles_and_doubles_are_decided_as_the_model_decides_them(
    tmp_path: Path, turned: bool
) -> None:
    """Rows of a part are of both files; how the files are cut into batches does not show."""
    model, rng = near_a_tenth(), numpy.random.default_rng(0)
    doubles = rng.choice([0.1, math.nextafter(0.1, 1), 0.5], 40_000)
    columns = [rng.choice([0.1, 0.0], 40_000).astype(numpy.float32), doubles]
    frames = [pandas.DataFrame({"x": own}) for own in columns[:: -1 if turned else 1]]
    wanted = [label for frame in frames for label in model.predict(frame).tolist()]
    found = set()
    for size in (7_000, 40_000):
        paths = [str(tmp_path / f"{size}-{i}.parquet") for i in range(2)]
        for frame, path in zip(frames, paths, strict=True):
            frame.to_parquet(path, row_group_size=size)
        output = tmp_path / f"out-{size}.parquet"
        audit = reasons.audit(reasons.compile(model), paths, keep="x", output=output)
        assert audit.table.column("label").to_pylist() == wanted
        assert audit.decision(79_999).label == wanted[-1]
        found.add(output.read_bytes())
    assert len(found) == 1


def test_a_number_that_the_model_rounds_once_is_not_rounded_twice(tmp_path: Path) -> None:
    """2^60 + 2^36 + 1 as a single is the upper one of two, by way of a double the lower one."""
    low, high, between = 2**60, 2**60 + 2**37, 2**60 + 2**36 + 1
    model = DecisionTreeClassifier().fit(pandas.DataFrame({"x": [low, high] * 3}), [0, 1] * 3)
    frame = pandas.DataFrame({"x": [between, 5]})
    assert model.predict(frame).tolist() == [1, 0]
    frame.to_csv(tmp_path / "x.csv", index=False)
    for data in (frame, tmp_path / "x.csv"):
        found = reasons.audit(reasons.compile(model), data).table
        assert found.column("label").to_pylist() == [None, 0]
        assert "too large to be exact" in found.column("problem")[0].as_py()

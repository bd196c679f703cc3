"""Columns of any type are copied to tables and letters."""

from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest

import reasons

CODES = {"a": ("1", "A"), "b": ("2", "B")}


def rows(**columns: Any) -> pa.Table:
    return pa.table({"a": [True, False], "b": [True, True], **columns})


def test_a_category_may_have_any_character() -> None:
    kinds = ["x\x1fy", "x", "y, z", " "]
    features = [reasons.Feature.categorical(name, kinds) for name in "kl"]
    classifier = reasons.compile(
        lambda row: row["k"] == kinds[0] and row["l"] == kinds[0], features=features, rows="mapping"
    )
    data = [{"k": one, "l": other} for one in kinds for other in kinds]
    found = reasons.audit(classifier, data, protected=["k", "l"])
    patterns = found.summary.tally.patterns
    assert sum(seen.rows for seen in patterns.values()) == len(data)
    for pattern, seen in patterns.items():
        row = found.table.slice(seen.first, 1).to_pylist()[0]
        assert list(pattern.after) == row["witness"]
        assert set(pattern.before) <= {row["group_k"], row["group_l"]}
        assert (pattern.label, pattern.other) == (row["label"], row["witness_label"])


def chunks(index: Any) -> pa.ChunkedArray:
    """Categories of which each chunk has fewer than a byte counts, and all together have more."""
    pieces = [[f"{start + i}" for i in range(100)] for start in range(0, 300, 100)]
    indices = pa.array(range(100), index)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(indices, piece) for piece in pieces])


@pytest.mark.parametrize("options", [{"keep": "k"}, {"groups": "k"}, {"protected": "k"}])
def test_chunks_may_have_more_categories_together_than_their_type_counts(options: Any) -> None:
    texts = [f"{i}" for i in range(300)]
    table = pa.table({"a": [True] * 300, "k": chunks(pa.int8())})
    features = [reasons.Feature.boolean("a"), reasons.Feature.categorical("k", texts)]
    if "protected" not in options:
        features.pop()
    classifier = reasons.compile(lambda row: row["a"], features=features, rows="mapping")
    found = reasons.audit(classifier, table, **options).table
    wanted = [f"k = {text}" for text in texts] if "protected" in options else texts
    assert found.column("k" if "keep" in options else "group_k").to_pylist() == wanted


COPIED: dict[str, Any] = {
    "texts of polars": pa.table(polars.DataFrame({"x": ["x", "y"]})).column(0),
    "categories of polars": pa.table(
        polars.DataFrame({"x": polars.Series(["x", "y"], dtype=polars.Categorical)})
    ).column(0),
    "views": pa.array(["x", None], pa.string_view()),
    "views of bytes": pa.array([b"x", b"y"], pa.binary_view()),
    "categories of views": pa.array(["x", "y"], pa.string_view()).dictionary_encode(),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([1, 2], pa.int32()), ["x", "y"]),
    "a category that is nothing": pa.DictionaryArray.from_arrays(
        pa.array([0, 1], pa.int8()), pa.array(["x", None])
    ),
}


@pytest.mark.parametrize("kind", COPIED)
def test_columns_of_any_type_are_copied_to_tables_and_letters(tmp_path: Path, kind: str) -> None:
    own = COPIED[kind].to_pylist()
    for output in (None, tmp_path / "x.parquet"):
        found = reasons.audit(
            reasons.compile("a & b"),
            rows(own=COPIED[kind]),
            keep="own",
            groups="own",
            output=output,
        )
        assert found.table.column("own").to_pylist() == own
        assert found.table.column("group_own").to_pylist() == [x and str(x) for x in own]
    for ending in ("csv", "jsonl", "parquet"):
        assert found.letters(tmp_path / f"letters.{ending}", CODES).rows == 1
    import pyarrow.parquet as pq

    letters = pq.read_table(tmp_path / "letters.parquet")
    assert letters.column("own").to_pylist() == [own[1]]


def test_a_column_that_cannot_be_copied_is_named(tmp_path: Path) -> None:
    late = rows(own=pa.array([2**62] * 2, pa.timestamp("s")))
    lists = rows(own=pa.array([["x"], ["y"]], pa.list_(pa.string_view())))
    one = reasons.compile("a & b")
    with pytest.raises(reasons.InputError, match="cannot hold the column 'own' of type timestamp"):
        reasons.audit(one, late, keep="own", output=tmp_path / "x.parquet")
    for data, file in ((late, "x.csv"), (late, "x.jsonl"), (late, "x.parquet"), (lists, "x.csv")):
        with pytest.raises(reasons.InputError, match="the column 'own' of type"):
            reasons.audit(one, data, keep="own").letters(tmp_path / file, CODES)
    assert not list(tmp_path.iterdir())

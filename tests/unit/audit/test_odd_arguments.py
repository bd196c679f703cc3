"""Arguments and folders that cannot be used are refused."""

from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest

import reasons
from reasons.formats.rows import source


def rows(**columns: Any) -> pa.Table:
    return pa.table({"a": [True, False], "b": [True, True], **columns})


ODD: dict[str, tuple[dict[str, Any], str]] = {
    "a set that is a number": ({"protected": {"a": 5}}, "must be a list of names"),
    "a set that is nothing": ({"protected": {"a": None}}, "must be a list of names"),
    "columns of logged": ({"logged": ["a"]}, "must be the name of a column"),
    "an array wanted": ({"favourable": np.array([1, 2])}, "there is no label"),
    "a frame wanted": ({"favourable": polars.DataFrame({"a": [1]})}, "there is no label"),
    "a null in a name": ({"output": "a\0.parquet"}, "no null character"),
    "half a character in a name": ({"output": "\ud800.parquet"}, "cannot write"),
    "half a character in a set": ({"protected": {"\ud800": ["a"]}}, "written as UTF-8"),
    "half a character to translate": ({"logged": "a", "logged_as": {"\ud800": True}}, "UTF-8"),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_arguments_are_refused(kind: str) -> None:
    options, what = ODD[kind]
    with pytest.raises(reasons.InputError, match=what):
        reasons.audit(reasons.compile("a & b"), rows(), **options)


def test_a_folder_that_may_not_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Any) -> Any:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(source, "expand_paths", denied)
    with pytest.raises(reasons.InputError, match=r"cannot read '/': .*Permission denied"):
        reasons.audit(reasons.compile("a & b"), "/")

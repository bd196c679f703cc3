"""Real tables, each with its labels; those outside the project only where they are found."""

from functools import cache
from typing import Any

import pandas
import pytest

from tests.support.folders import SHARED

DATA = SHARED / "fairness"
ADULT = [
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status"),
    *("occupation", "relationship", "race", "sex", "capital-gain", "capital-loss"),
    *("hours-per-week", "native-country", "income"),
]


def bundled(name: str) -> tuple[Any, Any]:
    """A table inside scikit-learn."""
    from sklearn import datasets

    found = getattr(datasets, f"load_{name}")(as_frame=True)
    return found.data, found.target.to_numpy()


@cache
def fairness(name: str) -> tuple[Any, Any]:
    """A table of the shared data, or the test is skipped."""
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"there is no {name} beside the project")
    if name == "adult":
        options: dict[str, Any] = {"names": ADULT, "skipinitialspace": True}
        parts = [
            pandas.read_csv(folder / "adult.data.gz", **options),
            pandas.read_csv(folder / "adult.test.gz", skiprows=1, **options),
        ]
        frame = pandas.concat(parts, ignore_index=True)
        label = frame.pop("income").str.startswith(">50K").astype(int)
    elif name == "german":
        frame = pandas.read_csv(folder / "german.data", sep=" ", header=None)
        frame.columns = [f"c{i}" for i in range(21)]
        label = (frame.pop("c20") == 2).astype(int)
    elif name == "heloc":
        frame = pandas.read_csv(folder / "heloc_dataset_v1.csv.gz", sep=" ", header=None)
        frame.columns = ["label", *(f"x{i}" for i in range(1, frame.shape[1]))]
        label = frame.pop("label")
    else:
        frame = pandas.read_csv(folder / "law_school_clean.csv.gz")
        label = frame.pop("pass_bar").astype(int)
    return frame, label.to_numpy()


def words_and_numbers(frame: Any) -> tuple[list[str], list[str]]:
    """The names of the columns of words, and of those of numbers."""
    numbers = [n for n in frame.columns if pandas.api.types.is_numeric_dtype(frame[n].dtype)]
    return [n for n in frame.columns if n not in numbers], numbers

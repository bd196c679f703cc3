"""Files of models: skops is loaded, pickles only where the caller says so."""

import gzip
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy
import pytest

from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.sklearn.files import load_file
from tests.support.models.tree_walk import differences

joblib = pytest.importorskip("joblib")
skops = pytest.importorskip("skops.io")
calibration = pytest.importorskip("sklearn.calibration")
selection = pytest.importorskip("sklearn.model_selection")
tree = pytest.importorskip("sklearn.tree")

from sklearn.tree import DecisionTreeClassifier

from tests.support.models.sklearn_models import CLASSIFIERS, data, frame, histogram, read_trees


class Opened:
    """What a hostile pickle does: it calls a function when it is loaded."""

    calls = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return (count_call, ())


def count_call() -> Opened:
    Opened.calls += 1
    return Opened()


def written(path: Path, compress: object) -> None:
    joblib.dump(CLASSIFIERS["tree"]().fit(*data(0, 2)), path, compress=compress)


COMPRESSED = [0, ("zlib", 3), ("gzip", 3), ("bz2", 3), ("xz", 3), ("lzma", 3)]


@pytest.mark.parametrize("compress", COMPRESSED, ids=str)
def test_joblib_files_need_leave(tmp_path: Path, compress: object) -> None:
    written(tmp_path / "model", compress)
    with pytest.raises(InputError, match="allow_pickle=True"):
        load_file(tmp_path / "model")
    found = load_file(tmp_path / "model", allow_pickle=True)
    assert differences(read_trees(found)) == []


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_not_run_without_leave(tmp_path: Path, protocol: int) -> None:
    path = tmp_path / "model.txt"
    path.write_bytes(pickle.dumps([1, "a", Opened()], protocol))
    before = Opened.calls
    with pytest.raises(InputError, match="allow_pickle=True"):
        load_file(path)
    assert Opened.calls == before
    load_file(path, allow_pickle=True)
    assert Opened.calls == before + 1


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_skops_files_hold_every_kind(tmp_path: Path, name: str) -> None:
    model = CLASSIFIERS[name]().fit(*data(0, 2))
    skops.dump(model, tmp_path / "model.skops")
    found = load_file(tmp_path / "model.skops")
    assert type(found) is type(model)
    assert differences(read_trees(found), 300) == []


def test_skops_files_hold_wrappers_and_categories(tmp_path: Path) -> None:
    table, labels = data(0, 2)
    tuned = selection.TunedThresholdClassifierCV(CLASSIFIERS["tree"](), cv=2).fit(table, labels)
    calibrated = calibration.CalibratedClassifierCV(
        CLASSIFIERS["tree"](), method="isotonic", ensemble=False, cv=2
    ).fit(table, labels)
    searched = selection.GridSearchCV(CLASSIFIERS["tree"](), {"max_depth": [1, 2]}, cv=2)
    for model in (tuned, calibrated, searched.fit(table, labels)):
        skops.dump(model, tmp_path / "model.skops")
        assert differences(read_trees(load_file(tmp_path / "model.skops")), 300) == []
    named, labels = frame(0, True)
    skops.dump(histogram(categorical_features=["job"]).fit(named, labels), tmp_path / "model.skops")
    assert differences(read_trees(load_file(tmp_path / "model.skops")), 300) == []


class Foreign(DecisionTreeClassifier):
    """A class that is not scikit-learn's."""


def test_foreign_types_in_skops_files_are_named(tmp_path: Path) -> None:
    skops.dump(Foreign().fit(*data(0, 2)), tmp_path / "model.skops")
    with pytest.raises(UnsupportedModel, match=r"Foreign.*load it yourself"):
        load_file(tmp_path / "model.skops")
    model = CLASSIFIERS["tree"]().fit(*data(0, 2))
    model.extra = numpy.testing.assert_allclose
    skops.dump(model, tmp_path / "model.skops")
    with pytest.raises(UnsupportedModel, match="numpy"):
        load_file(tmp_path / "model.skops")


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"", b"tree\nmax_feature=2\n", b'{"a": 1}', b"\x80", gzip.compress(b"hello")):
        path.write_bytes(content)
        with pytest.raises(InputError, match="neither a skops file nor a pickle"):
            load_file(path)
    path.write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(InputError, match="damaged"):
        load_file(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other.txt", "text")
    with pytest.raises(InputError, match=r"schema\.json"):
        load_file(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", "{")
    with pytest.raises(InputError, match="cannot load"):
        load_file(path)
    with pytest.raises(InputError, match="cannot read"):
        load_file(tmp_path / "nothing")
    path.write_bytes(pickle.dumps({"a": 1})[:-4])
    with pytest.raises(InputError, match="cannot load"):
        load_file(path, allow_pickle=True)


def test_a_pickle_that_needs_what_is_not_installed_says_what(tmp_path: Path) -> None:
    path = tmp_path / "model.pkl"
    path.write_bytes(b"\x80\x04\x8c\x07nothere\x94\x8c\x05Model\x94\x93\x94.")
    with pytest.raises(InputError, match="it needs nothere, which is not installed"):
        load_file(path, allow_pickle=True)

"""XGBoost's text dumps, beside a plain walk that knows nothing of the package."""

import csv
import ctypes
import re
from pathlib import Path
from typing import Any

import numpy
import pytest

from reasons.ensembles.discretize import over_cells
from reasons.ensembles.ir import TreeModel
from reasons.errors import InputError, ParseError
from reasons.frontends.options import Options
from reasons.frontends.xgboost.text_dump import read_text
from tests.support.folders import SHARED

ENSEMBLES = SHARED / "ensembles"
NAMES = ["appendicitis", "divorce", "ionosphere", "promoters", "sonar", "spambase", "wdbc", "zoo"]
single = numpy.float32


def trees_of(text: str) -> list[dict[int, Any]]:
    trees: list[dict[int, Any]] = []
    for line in text.splitlines():
        if line.startswith("booster"):
            trees.append({})
        elif "leaf=" in line:
            node, value = line.strip().split(":leaf=")
            trees[-1][int(node)] = single(value)
        else:
            pattern = r"\s*(\d+):\[f(\d+)<(.*)\] yes=(\d+),no=(\d+),missing=(\d+)"
            found = re.fullmatch(pattern, line)
            assert found is not None
            node, column, threshold, yes, no, missing = found.groups()
            trees[-1][int(node)] = (int(column), single(threshold), int(yes), int(no), int(missing))
    return trees


def walked(
    trees: list[dict[int, Any]], row: numpy.ndarray, start: single, scores: int
) -> list[Any]:
    """The margins of a row, added up in float32 from the start."""
    sums = [start] * scores
    for i, tree in enumerate(trees):
        node = tree[0]
        while isinstance(node, tuple):
            column, threshold, yes, no, missing = node
            value = row[column]
            node = tree[missing if numpy.isnan(value) else yes if value < threshold else no]
        sums[i % scores] = single(sums[i % scores] + node)
    return sums


def label(margins: list[Any]) -> int:
    expf = ctypes.CDLL(None).expf
    expf.argtypes, expf.restype = [ctypes.c_float], ctypes.c_float
    if len(margins) == 1:
        return int(single(1) / (single(1) + single(expf(float(-margins[0])))) > 0.5)
    powers = [single(expf(float(margin - max(margins)))) for margin in margins]
    total = single(sum(float(power) for power in powers))
    return int(numpy.argmax([power / total for power in powers]))


def decided(model: TreeModel, rows: numpy.ndarray) -> list[Any]:
    schema, native = over_cells(model)
    cells = [[f.cell(float(v)) for f, v in zip(schema, row, strict=False)] for row in rows]
    flat = numpy.array(cells, numpy.uint16).ravel()
    return [model.labels[i] for i in native.decide_all(flat, len(cells))]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.skipif(not ENSEMBLES.exists(), reason="the shared data is not here")
def test_published_dumps_are_decided_as_a_plain_walk_does(name: str) -> None:
    (path,) = (ENSEMBLES / name).glob("*.mod.txt")
    with (ENSEMBLES / name / f"{name}.csv").open() as file:
        table = list(csv.reader(file))
    rows = numpy.array([[float(x) for x in row[:-1]] for row in table[1:]], single)[:400]
    rows[::13, ::3] = numpy.nan
    trees = trees_of(path.read_text())
    classes = max(2, len(trees) // 50)
    scores = 1 if classes == 2 else classes
    start = single(0) if scores == 1 else single(0.5)
    expected = [label(walked(trees, row, start, scores)) for row in rows]
    model = read_text(path, Options(classes=range(classes), names=table[0][:-1]), 0.5)
    assert decided(model, rows) == expected
    assert len(set(expected)) > 1
    if scores == 1:
        other = read_text(path, Options(classes=range(classes), names=table[0][:-1]), 0.9)
        start = single(numpy.log(9))
        near = [label(walked(trees, row, start, 1)) for row in rows]
        assert decided(other, rows) == near


def test_dumps_of_the_library_with_and_without_names_are_its_models(tmp_path: Path) -> None:
    xgboost = pytest.importorskip("xgboost")
    from reasons.frontends.xgboost.read import read

    rng = numpy.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    X[::7, 1] = numpy.nan
    data = xgboost.DMatrix(X, (X[:, 0] > 0.2).astype(int))
    options = {"objective": "binary:logistic", "base_score": 0.3, "nthread": 1}
    model = xgboost.train(options, data, 5)
    (tmp_path / "map").write_text("0 age q\n1 big_size q\n2 z<y q\n")
    ours = read(model, Options(names=["age", "big_size", "z<y"]))
    for kind, stats in [("map", True), ("", False), ("", True)]:
        fmap = str(tmp_path / kind) if kind else ""
        model.dump_model(tmp_path / "dump.txt", fmap=fmap, with_stats=stats)
        read_options = Options(classes=[0, 1], names=["age", "big_size", "z<y"])
        read_back = read_text(tmp_path / "dump.txt", read_options, 0.3)
        assert read_back.tests == ours.tests
        assert (read_back.start, read_back.cut) == (ours.start, ours.cut)
        for a, b in zip(ours.trees, read_back.trees, strict=True):
            assert (a.value == b.value).all()


GOOD = b"""booster[0]:
0:[f1<0.5] yes=1,no=2,missing=1
\t1:leaf=0.25
\t2:leaf=-1e-3
"""


def test_what_a_dump_leaves_open_must_be_given_and_fit() -> None:
    model = read_text(GOOD, Options(classes=["a", "b"]), 0.5)
    assert [column.name for column in model.columns] == ["f0", "f1"]
    assert model.start == (0.0,)
    assert decided(model, numpy.array([[0, 0], [0, 0.5], [0, numpy.nan]])) == ["b", "a", "b"]
    with pytest.raises(InputError, match="column 1, and 1 names"):
        read_text(GOOD, Options(classes=[0, 1], names=["x"]), 0.5)
    with pytest.raises(InputError, match="two labels"):
        read_text(GOOD, Options(classes=[0]), 0.5)
    with pytest.raises(InputError, match="base_score"):
        read_text(GOOD, Options(classes=[0, 1]), [0.5, 0.5])
    with pytest.raises(ParseError, match="no whole rounds of 3"):
        read_text(GOOD, Options(classes=[0, 1, 2]), 0.5)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (b"yes=1,no=2,missing=1", b"yes=0,no=2,missing=0", "<bytes>:1: node 0 is reached twice"),
        (b"no=2", b"no=7", "<bytes>:1: node 7 of this tree is missing"),
        (b"missing=1", b"missing=5", "<bytes>:2: missing=5"),
        (b"-1e-3", b"nan", "<bytes>:4: this is neither a leaf"),
        (b"-1e-3", b"1e99", "<bytes>:4: a number is too large"),
        (b"[f1<0.5]", b"[f1:{1,2}]", "<bytes>:2: this is neither a leaf nor a test"),
        (b"\t2:", b"\t1:", "<bytes>:4: node 1 is listed twice"),
        (b"booster[0]", b"booster[1]", "<bytes>:1: tree 0 is expected"),
        (b"booster[0]:", b"", "<bytes>:2: 'booster\\[0\\]:' is expected"),
        (b"0.25", b"\xff", "not UTF-8"),
    ],
)
def test_dumps_that_are_damaged_are_refused_by_line(old: bytes, new: bytes, place: str) -> None:
    with pytest.raises(ParseError, match=place):
        read_text(GOOD.replace(old, new), Options(classes=[0, 1]), 0.5)

"""What is written in other formats is read back, or says everything."""

import json
import random
from itertools import product
from pathlib import Path

import pytest

import reasons
from reasons import PropertyError
from reasons.circuits.circuit import AllOf, Leaf
from reasons.formats.write_nnf import write_c2d, write_d4
from tests.support.folders import SHARED
from tests.support.formats import nnf_graphs as graphs

DATA = SHARED / "nnf"


def shape(clf: reasons.Classifier) -> tuple[int, int]:
    """The circuit without its numbering: a fingerprint of the root, and the size."""
    shapes: list[int] = []
    for node in clf.circuit:
        if isinstance(node, Leaf):
            key: object = node.label
        elif isinstance(node, AllOf):
            key = frozenset(shapes[i] for i in node.inputs)
        else:
            key = (node.feature, *((arm.cells, shapes[arm.node]) for arm in node.arms))
        shapes.append(hash(("shape", key)))
    return shapes[-1], len(shapes)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "x.nnf"
    path.write_text(text)
    return path


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("write", [write_c2d, write_d4])
def test_what_is_written_is_read_back(tmp_path: Path, write: object, seed: int) -> None:
    rng = random.Random(seed)
    graph = graphs.random_graph(rng, 6)
    first = reasons.load(written(tmp_path, graphs.c2d_text(graph, 6)))
    path = tmp_path / "y.nnf"
    write(first.circuit, path)  # type: ignore[operator]
    assert shape(reasons.load(path, variables=6)) == shape(first), seed


@pytest.mark.parametrize("write", [write_c2d, write_d4])
@pytest.mark.parametrize(
    "text", ["a", "~a", "true", "a & ~a", "a ^ b ^ c", "E & (~F | G | W)", "a & b & c | d & e"]
)
def test_ordered_circuits_stay_ordered(tmp_path: Path, write: object, text: str) -> None:
    clf = reasons.compile(text)
    path = tmp_path / "y.nnf"
    write(clf.circuit, path)  # type: ignore[operator]
    again = reasons.load(path, variables=len(clf.features))
    assert list(again.circuit) == list(clf.circuit)
    assert again.circuit.is_ordered


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA} is not there")
def test_shared_files_are_written_and_read_back(tmp_path: Path) -> None:
    for name in ("X264_c2d.nnf", "sandwich.nnf", "axTLS_d4.nnf", "busybox_c2d.nnf"):
        clf = reasons.load(DATA / name)
        for to in ("nnf-c2d", "nnf-d4"):
            reasons.write(clf, tmp_path / "y.nnf", to=to)
            assert shape(reasons.load(tmp_path / "y.nnf", variables=len(clf.features))) == shape(
                clf
            )


def test_what_is_not_boolean_is_not_written(tmp_path: Path) -> None:
    wide = reasons.from_table([{"x": x, "y": x > 1} for x in range(3)])
    with pytest.raises(PropertyError, match="'x' is not Boolean"):
        reasons.write(wide, tmp_path / "y.nnf")
    three = reasons.from_table([{"x": x, "y": y} for x, y in ((0, "no"), (1, "yes"))])
    with pytest.raises(PropertyError, match="labels"):
        reasons.write(three, tmp_path / "y.nnf")
    limited = reasons.compile("a & b", constraint="a | b")
    with pytest.raises(PropertyError, match=r"\.reasons"):
        reasons.write(limited, tmp_path / "y.nnf")
    assert not list(tmp_path.iterdir())


def test_json_says_everything(tmp_path: Path) -> None:
    age = reasons.Feature.numeric("age", [30], missing=True)
    build = reasons.Builder([age, "b"], ["low", "high"])
    low, high = build.leaf("low"), build.leaf("high")
    old = build.decide("age", [(10, low), (50, high), (None, high)])
    reasons.write(build.build(build.decide("b", {True: old, False: low})), tmp_path / "y.json")
    found = json.loads((tmp_path / "y.json").read_text())
    assert found["features"][0] == {
        "name": "age",
        "kind": "numeric",
        "values": [
            {"low": None, "high": 30, "closed": "right"},
            {"low": 30, "high": None, "closed": "right"},
            {"special": "missing"},
        ],
    }
    assert found["labels"] == ["low", "high"]
    assert found["nodes"][found["root"]]["feature"] == 1
    assert {"label": 0} in found["nodes"]
    assert any(n.get("arms", [{}])[-1].get("values") == [1, 2] for n in found["nodes"])


def test_reasons_of_a_loaded_circuit_are_those_of_the_formula(tmp_path: Path) -> None:
    formula = reasons.compile("(a | b) & (c ^ d) & ~e")
    for to in ("nnf-c2d", "nnf-d4"):
        reasons.write(formula, tmp_path / "y.nnf", to=to)
        clf = reasons.load(tmp_path / "y.nnf", names=[f.name for f in formula.features])
        for values in product((0, 1), repeat=5):
            ours, theirs = clf.decide(values), formula.decide(values)
            assert ours.label == theirs.label
            assert set(ours.sufficient_reasons()) == set(theirs.sufficient_reasons())

"""Networks in files, beside a forward pass of the numbers in them."""

import json
from pathlib import Path
from typing import Any

import numpy
import pytest

import reasons
from tests.support.folders import SHARED
from tests.support.models.bnn import all_rows

DATA = SHARED / "bnn"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the shared data is not here")
SMALL = (
    "mnist-4-bnn_4_1blk_10",
    "mnist-4-bnn_4_2blk_20",
    "mnist-9-bnn_9_1blk_2",
    "mnist-9-bnn_9_2blk_1",
    "mnist-16-bnn_16_1blk_1",
    "mnist-16-bnn_16_2blk_2",
    "mnist-16-bnn_16_4blk_1",
)
LARGE = "mnist-100-bnn_1blk_20"


def numbers_of(name: str) -> dict[str, dict[str, Any]]:
    """The arrays of a file by layer, in the order of the file, which is that of the network."""
    layers: dict[str, dict[str, Any]] = {}
    for key, value in json.loads((DATA / f"{name}.json").read_text()).items():
        layer, _, what = key.rpartition(".")
        layers.setdefault(layer, {})[what] = numpy.array(value)
    return layers


def decisions(name: str, rows: Any, dtype: Any = numpy.float64) -> Any:
    """A plain forward pass: signs, sums of signs, norms; the first of the largest."""
    x = numpy.where(rows, 1, -1).astype(dtype)
    for part in numbers_of(name).values():
        part = {what: value.astype(dtype) for what, value in part.items()}
        if "running_mean" in part:
            deviation = numpy.sqrt(part["running_var"] + dtype(1e-5))
            x = (x - part["running_mean"]) / deviation * part["weight"] + part["bias"]
        else:
            x = numpy.sign(x) @ numpy.sign(part["weight"]).T + part["bias"]
    return x.argmax(axis=1)


@needs_data
@pytest.mark.parametrize("name", SMALL)
def test_every_input_is_decided_as_by_the_forward_pass(name: str) -> None:
    clf = reasons.load(DATA / f"{name}.json")
    rows = all_rows(len(clf.features))
    found = clf.predict(rows)
    assert (found == decisions(name, rows)).all()
    assert (found == decisions(name, rows, numpy.float32)).all()
    assert clf.labels == tuple(range(10))


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("name", ["mnist-25-bnn_25_1blk_20", "mnist-25-bnn_25_2blk_25_10"])
def test_networks_of_25_inputs_are_compiled_whole(name: str) -> None:
    clf = reasons.load(DATA / f"{name}.json")
    rows = numpy.random.default_rng(0).random((100_000, 25)) < 0.5
    assert (clf.predict(rows) == decisions(name, rows)).all()
    assert sum(clf.count(label) for label in clf.labels) == 2**25


def near(image: Any, flips: int, number: int, rng: numpy.random.Generator) -> Any:
    rows = numpy.repeat(image[None], number, 0)
    for row in rows:
        row[rng.choice(len(image), rng.integers(0, flips + 1), replace=False)] ^= True
    return rows


@needs_data
@pytest.mark.parametrize("flips", [0, 1, 2, 3, 5])
def test_the_network_of_100_inputs_within_flips_of_an_image(flips: int) -> None:
    rng = numpy.random.default_rng(flips)
    image = rng.random(100) < 0.5
    clf = reasons.load(DATA / f"{LARGE}.json", region=reasons.bnn.Flips(image, flips))
    rows = near(image, flips, 5_000, rng)
    assert (clf.predict(rows) == decisions(LARGE, rows)).all()
    ball = sum(_choose(100, k) for k in range(flips + 1))
    assert sum(clf.count(label) for label in clf.labels) == ball
    assert reasons.check(clf)
    outside = image.copy()
    outside[: flips + 1] ^= True
    with pytest.raises(reasons.InputError, match=f"within {flips} flips of"):
        clf.decide(outside)


@needs_data
def test_a_change_within_the_region_is_the_network_s() -> None:
    image = numpy.random.default_rng(1).random(100) < 0.5
    clf = reasons.load(DATA / f"{LARGE}.json", region=reasons.bnn.Flips(image, 4))
    decision = clf.decide(image)
    assert reasons.check(decision)
    change = decision.counterfactual()
    assert change is not None
    row = numpy.array([list(change.instance.values())])
    assert decisions(LARGE, row)[0] == change.label != decision.label


@needs_data
def test_a_region_may_fix_inputs() -> None:
    fixed = {f"x{i}": i % 3 == 0 for i in range(88)}
    clf = reasons.load(DATA / f"{LARGE}.json", region=fixed)
    rows = all_rows(12)
    full = numpy.concatenate([numpy.tile(list(fixed.values()), (len(rows), 1)), rows], axis=1)
    assert (clf.predict(full) == decisions(LARGE, full)).all()
    with pytest.raises(reasons.InputError, match="impossible"):
        clf.decide(~full[0])


@needs_data
def test_a_network_too_large_says_to_use_a_region() -> None:
    with pytest.raises(reasons.BudgetExceeded, match="a region makes it look at fewer inputs"):
        reasons.load(DATA / f"{LARGE}.json", budget=reasons.Budget(nodes=100_000))
    with pytest.raises(reasons.BudgetExceeded, match="seconds"):
        reasons.load(DATA / f"{LARGE}.json", budget=reasons.Budget(seconds=0.3))
    with pytest.raises(reasons.BudgetExceeded, match="bytes"):
        reasons.load(DATA / f"{LARGE}.json", budget=reasons.Budget(bytes=10_000_000))


@needs_data
@pytest.mark.parametrize(
    ("name", "true"), [("example", 9), ("example-true", 16), ("example-false", 0)]
)
def test_neuron_files_reach_their_threshold(name: str, true: int) -> None:
    clf = reasons.load(DATA / "neurons" / f"{name}.neuron")
    assert (clf.count(True), clf.count(False)) == (true, 16 - true)
    if name == "example":
        assert str(clf.decide([1, 0, 0, 1]).reason) == "x0 & x3"


def _choose(n: int, k: int) -> int:
    from math import comb

    return comb(n, k)


def small() -> dict[str, Any]:
    return {
        "fc1.weight": [[0.5, -0.25], [1.0, 1.0]],
        "fc1.bias": [0.25, 0.0],
        "bn1.weight": [1.0, -1.0],
        "bn1.bias": [0.0, 0.0],
        "bn1.running_mean": [0.0, 0.5],
        "bn1.running_var": [1.0, 1.0],
        "fc2.weight": [[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]],
        "fc2.bias": [0.0, 0.5, -0.5],
    }


def load(tmp_path: Path, data: Any) -> reasons.Classifier:
    path = tmp_path / "net.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return reasons.load(path)


def test_layers_are_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    parts = small()
    clf = load(tmp_path, parts)
    turned = load(tmp_path, dict(reversed(parts.items())))
    assert clf.equivalent(turned)
    assert len(clf.features) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fc1.weight": [[1.0, float("nan")], [1.0, 1.0]]}, "not finite"),
        ({"fc1.weight": [[1.0, float("inf")], [1.0, 1.0]]}, "not finite"),
        ({"fc1.weight": [[1.0, 2.0], [1.0]]}, "1 numbers; 2 are expected"),
        ({"fc1.weight": [[1.0, "2"], [1.0, 1.0]]}, "array of numbers"),
        ({"fc1.weight": [[1.0, [2]], [1.0, 1.0]]}, "array of numbers"),
        ({"fc1.weight": [[], []]}, "empty"),
        ({"fc1.weight": []}, "empty"),
        ({"fc1.weight": 3}, "must be an array"),
        ({"fc1.weight": [[10**400, 1], [1, 1]]}, "too large"),
        ({"fc1.bias": [0.0]}, "1 numbers; 2 are expected"),
        ({"bn1.running_var": [1.0, -1.0]}, "variance"),
        ({"bn1.running_mean": [1.0]}, "numbers; 1 are expected"),
        ({"bn1.running_mean": None}, "running_mean is missing"),
        ({"bn1.weight": [1.0], "bn1.bias": [1.0], "bn1.running_mean": [1.0],
          "bn1.running_var": [1.0]}, "BatchNorm of 1 units after 2"),
        ({"fc2.weight": [[1.0] * 3] * 3}, "take 3 inputs, but there are 2"),
        ({"fc1.weights": [1]}, "'fc1.weights' is not"),
        ({"fc.weight": [[1.0]]}, "has no number"),
    ],
)  # fmt: skip
def test_hostile_layers_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    data = small() | change
    data = {name: value for name, value in data.items() if value is not None}
    with pytest.raises(reasons.InputError, match=message):
        load(tmp_path, data)


def test_every_beginning_of_a_file_is_refused(tmp_path: Path) -> None:
    text = json.dumps(small())
    for end in range(15, len(text), 7):
        with pytest.raises(reasons.InputError):
            load(tmp_path, text[:end])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("size: 2\nweights: 1 2 3\nthreshold: 1\n", ":2: 3 weights; size says 2"),
        ("size: 2\nweights: 1 x\nthreshold: 1\n", ":2: could not convert"),
        ("size: 2\nweights: 1 nan\nthreshold: 1\n", ":2: finite numbers"),
        ("size: 2\nweights: 1 2\nthreshold: 1 2\n", ":3: one finite number"),
        ("size: 2\nweights: 1 2\n", "'threshold' is missing"),
        ("size: 2\nsize: 2\nweights: 1 2\nthreshold: 1\n", ":2: a line is one of"),
        ("size: 2\nweights: 1 2\nbias: 1\n", ":3: a line is one of"),
        ("size: 0\nweights:\nthreshold: 1\n", ":2: finite numbers"),
    ],
)
def test_hostile_neurons_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.neuron"
    path.write_text(text)
    with pytest.raises(reasons.ParseError, match=message):
        reasons.load(path)


def test_files_of_networks_take_their_options_only(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    path.write_text(json.dumps(small()))
    assert reasons.load(path, names=["a", "b"], format="layers").schema.names == ("a", "b")
    with pytest.raises(reasons.InputError, match="takes no missing="):
        reasons.load(path, missing=False)

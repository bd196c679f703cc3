"""Networks and regions that cannot be used: each error says what and where."""

import subprocess
import sys
from typing import Any

import numpy
import pytest

import reasons
from reasons.bnn import BatchNorm, Dense, Flips, Sign, Step
from tests.support.ctrl_c import require_ctrl_c_ends

NAN, INF = float("nan"), float("inf")
HALF: Any = 1.5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Dense([[1, NAN]]), r"Dense weights at \[0, 1\] is nan"),
        (lambda: Dense([[INF, 1]]), r"Dense weights at \[0, 0\] is inf"),
        (lambda: Dense([1, 2]), "2 dimension"),
        (lambda: Dense([[1, 2], [3]]), "Dense weights must be"),
        (lambda: Dense([["a"]]), "Dense weights must be"),
        (lambda: Dense([[1j]]), "Dense weights must be"),
        (lambda: Dense(numpy.zeros((0, 3))), "leave a layer empty"),
        (lambda: Dense(numpy.zeros((3, 0))), "leave a layer empty"),
        (lambda: Dense([[1, 2]], [1, 2]), "Dense bias has 2 numbers; 1 are expected"),
        (lambda: BatchNorm([0], [1, 2]), "BatchNorm variance has 2 numbers"),
        (lambda: BatchNorm([0], None), "BatchNorm variance must be"),
        (lambda: BatchNorm(None, [1]), "BatchNorm mean must be"),
        (lambda: BatchNorm([0], [-1]), "variance"),
        (lambda: BatchNorm([0], [0], epsilon=0), "variance"),
        (lambda: BatchNorm([0], [1], [NAN]), "BatchNorm scale at"),
        (lambda: BatchNorm([0], [1], epsilon=INF), "BatchNorm epsilon at"),
        (lambda: Sign(zero=2), "must be 1, -1 or 0"),
        (lambda: Step(at=NAN), "Step at"),
        (lambda: Flips([1, 0], -1), "must be a number of inputs"),
        (lambda: Flips([1, 0], HALF), "must be a number of inputs"),
        (lambda: Flips([1, 0], True), "must be a number of inputs"),
    ],
)  # fmt: skip
def test_layers_and_regions_are_checked_as_they_are_made(make: Any, message: str) -> None:
    with pytest.raises(reasons.InputError, match=message):
        make()


ONE = [Dense([[1, 1]])]


@pytest.mark.parametrize(
    ("layers", "options", "message"),
    [
        ([Dense([[1, 1]]), Dense([[1]])], {}, "layer 1: what a Dense layer reads must be binary"),
        ([Dense([[1, 1]]), Sign(), Dense([[1, 1]])], {}, "layer 2: the weights take 2 inputs, but"),
        ([Sign(), Dense([[1, 1]])], {}, "layer 0: a network begins with Dense"),
        ([Dense([[1]]), Sign(), Sign()], {}, "layer 2: after Sign or Step comes Dense"),
        ([Dense([[1]]), BatchNorm([0, 0], [1, 1])], {}, "layer 1: BatchNorm of 2 units after 1"),
        ([Dense([[1]]), "sign"], {}, "layer 1 must be Dense"),
        (ONE, {"names": ["a"]}, "names=: the model has 2 columns, and 1 names are given"),
        (ONE, {"names": "ab"}, "names= is a list"),
        (ONE, {"classes": ["a"]}, "classes=: the model has 2 classes, and 1 different"),
        (
            ONE,
            {"classes": ["a", "a"]},
            "classes=: the model has 2 classes, and 1 different",
        ),
        (ONE, {"inputs": "bits"}, "inputs='bits' must be"),
        (ONE, {"missing": False}, "a neural network takes no missing="),
        (ONE, {"features": ["a", "b"]}, "takes no features="),
        ([Dense([[1, 1]]), Sign()], {"threshold": 1.0}, "threshold= is for networks that end in"),
        ([Dense([[1], [1]])], {"threshold": 1.0}, "threshold= is for networks that end in"),
        (ONE, {"region": 3}, "region=3 must be reasons.bnn.Flips"),
        (ONE, {"region": {"x7": True}}, "there is no feature 'x7'"),
        (ONE, {"region": {"x1": "on"}}, "'x1' is True or False"),
        (ONE, {"region": {"x1": numpy.ones(3)}}, "'x1' is True or False"),
        (ONE, {"region": Flips([1], 1)}, "the image has 1 values, the network 2"),
        (ONE, {"region": Flips([1, 2], 1)}, "'x1' is True or False"),
        (ONE, {"region": Flips([-1, 0], 1)}, "not all three"),
        (ONE, {"region": Flips({"x0": 1}, 1)}, "the image lacks x1"),
        (ONE, {"region": Flips({"x0": 1, "x1": 0, "y": 1}, 1)}, "there is no feature 'y'"),
        (ONE, {"region": Flips("10", 1)}, "a mapping or a sequence"),
        (ONE, {"region": Flips(7, 1)}, "a mapping or a sequence"),
    ],
)
def test_networks_that_cannot_be_used_are_refused(
    layers: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(reasons.InputError, match=message):
        reasons.compile(layers, **options)


def test_options_of_networks_are_for_networks() -> None:
    with pytest.raises(reasons.InputError, match="a formula takes no region="):
        reasons.compile("a & b", region={"a": True})
    with pytest.raises(reasons.UnsupportedModel, match="a list of layers"):
        reasons.compile([1, 2, 3])


def test_numbers_that_overflow_are_refused() -> None:
    for layers in (
        [Dense([[1e308, 1e308]]), Sign()],
        [Dense([[1e200, 1]] * 2), BatchNorm([0] * 2, [1] * 2, [1e200] * 2)],
        [Dense(numpy.full((2, 2), 1e38, numpy.float32))],
    ):
        with pytest.raises(reasons.UnsupportedModel, match="layer 0, unit 0: its numbers overflow"):
            reasons.compile(layers)


def test_an_infinite_sum_has_a_sign() -> None:
    clf = reasons.compile([Dense([[1e200, 1]]), BatchNorm([0], [1], [1e200]), Sign()])
    assert clf.predict([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist() == [False, False, True, True]


def test_huge_and_tiny_weights_decide_as_they_add_up() -> None:
    for factor in (1e-300, 1e-20, 1e20, 1e150):
        layers = [Dense([[factor, factor, -factor]]), Sign()]
        clf = reasons.compile(layers)
        assert clf.decide([1, 0, 1]).label is False
        assert clf.decide([1, 0, 0]).label is True


def test_an_image_is_of_numbers_or_names() -> None:
    layers = [Dense([[1, 1, 1]])]
    images: list[Any] = [
        [1, 0, 1],
        (True, False, True),
        numpy.array([[1, -1, 1]]),
        {"x2": 1, "x0": True, "x1": 0},
    ]
    circuits = [reasons.compile(layers, region=Flips(image, 1)) for image in images]
    assert all(str(clf.constraint) == "within 1 flips of 101" for clf in circuits)
    assert all(clf.count(True) + clf.count(False) == 4 for clf in circuits)


def test_flips_of_everything_are_no_region() -> None:
    clf = reasons.compile([Dense([[1, 1, 1]])], region=Flips([0, 0, 0], 3))
    assert clf.constraint is None
    assert clf.count(True) + clf.count(False) == 8


def test_a_network_is_saved_and_loaded(tmp_path: Any) -> None:
    clf = reasons.compile([Dense([[1, 1, -1]])], region=Flips([0, 0, 0], 2))
    clf.save(tmp_path / "net.reasons")
    again = reasons.load(tmp_path / "net.reasons")
    assert again.constraint == clf.constraint
    assert again.equivalent(clf)


def test_ctrl_c_ends_a_compilation() -> None:
    require_ctrl_c_ends(
        "import numpy, reasons\n"
        "rng = numpy.random.default_rng(0)\n"
        "layers = [reasons.bnn.Dense(rng.choice([-1, 1], (30, 200))), reasons.bnn.Sign(),\n"
        "          reasons.bnn.Dense(rng.choice([-1, 1], (10, 30)))]\n"
        "print('ready', flush=True)\n"
        "reasons.compile(layers)\n",
        after=1.0,
    )


def test_torch_is_not_imported_for_layers() -> None:
    program = (
        "import reasons, sys; reasons.compile([reasons.bnn.Dense([[1, 1]])]);"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

"""Networks of binary units: every decision equals a plain forward pass, every answer the oracle."""

from itertools import product
from typing import Any

import numpy
import pytest

import reasons
from reasons.bnn import BatchNorm, Dense, Sign, Step
from tests.support.compare import compare, compare_classifier
from tests.support.comparison import Mismatch
from tests.support.models.bnn import all_rows, encoded, labels_of, random_layers
from tests.support.oracle import IMPOSSIBLE


def table_of(layers: Any, count: int, inputs: str | None) -> dict[tuple[int, ...], Any]:
    labels = labels_of(layers, encoded(all_rows(count), inputs))
    return dict(zip(product((0, 1), repeat=count), labels, strict=True))


@pytest.mark.parametrize("seed", range(150))
def test_random_networks_decide_every_input_as_their_forward_pass(seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    count, outputs = int(rng.integers(1, 9)), int(rng.integers(1, 5))
    layers = random_layers(rng, count, outputs, real=seed % 3 == 0)
    inputs: Any = [None, "signs", "01"][rng.integers(3)]
    clf = reasons.compile(layers, inputs=inputs)
    rows = all_rows(count)
    assert clf.predict(rows).tolist() == labels_of(layers, encoded(rows, inputs)), layers
    clf.circuit.check()
    assert clf.labels == ((False, True) if outputs == 1 else tuple(range(outputs)))
    assert reasons.check(clf)
    assert reasons.check(clf, layers)


@pytest.mark.parametrize("seed", range(12))
def test_every_answer_about_a_random_network_equals_brute_force(seed: int) -> None:
    rng = numpy.random.default_rng(1000 + seed)
    count, outputs = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    layers = random_layers(rng, count, outputs)
    table = table_of(layers, count, None)
    clf = reasons.compile(layers)
    compare_classifier(clf, [2] * count, table)
    compare(clf, [2] * count, table, tuple(int(v) for v in rng.integers(0, 2, count)))


@pytest.mark.parametrize("seed", range(12))
def test_every_answer_within_a_region_equals_brute_force(seed: int) -> None:
    rng = numpy.random.default_rng(2000 + seed)
    count, outputs = int(rng.integers(3, 5)), int(rng.integers(1, 4))
    layers = random_layers(rng, count, outputs)
    image = tuple(int(v) for v in rng.integers(0, 2, count))
    table = table_of(layers, count, None)
    region: Any = reasons.bnn.Flips(image, int(rng.integers(0, 3)))
    if seed % 3 == 0:
        region = {f"x{i}": bool(image[i]) for i in rng.choice(count, 2, replace=False)}
    for x in table:
        if isinstance(region, reasons.bnn.Flips):
            inside = sum(a != b for a, b in zip(x, image, strict=True)) <= region.flips
        else:
            inside = all(x[int(name[1:])] == value for name, value in region.items())
        table[x] = table[x] if inside else IMPOSSIBLE
    clf = reasons.compile(layers, region=region)
    compare_classifier(clf, [2] * count, table)
    compare(clf, [2] * count, table, image)


def test_a_wrong_threshold_would_be_seen() -> None:
    layers = [reasons.bnn.Dense([[1, 1, 1]], [0.5]), reasons.bnn.Sign()]
    shifted = [reasons.bnn.Dense([[1, 1, 1]], [-1.5]), reasons.bnn.Sign()]
    with pytest.raises(Mismatch):
        compare_classifier(reasons.compile(shifted), [2] * 3, table_of(layers, 3, None))
    assert not reasons.check(reasons.compile(shifted), layers)


@pytest.mark.parametrize("zero", [-1, 0, 1])
def test_sign_of_zero_is_as_it_is_said(zero: int) -> None:
    layers = [
        reasons.bnn.Dense([[1, -1], [1, 1]]),
        reasons.bnn.Sign(zero),
        reasons.bnn.Dense([[2, 1], [-1, 2], [0, 0]]),
    ]
    rows = all_rows(2)
    wanted = labels_of(layers, encoded(rows, None))
    assert reasons.compile(layers).predict(rows).tolist() == wanted


def test_ties_between_outputs_go_to_the_first() -> None:
    clf = reasons.compile([reasons.bnn.Dense([[1, 1], [1, 1], [-1, 1]], [0.1, 0.1, 0.1])])
    assert clf.predict(all_rows(2)).tolist() == [2, 2, 0, 0]
    assert clf.count(1) == 0


def test_rounding_that_makes_ties_is_the_forward_pass_s_own() -> None:
    # 3 + 0.1 and 2 + 1.1 are equal in float64; 1 + 0.1 and 0 + 1.1 are too; others are not.
    weights = numpy.array([[1.0] * 6, [1.0] * 5 + [0.0]])
    layers = [
        reasons.bnn.Dense(numpy.eye(6)),
        reasons.bnn.Step(0.5),
        reasons.bnn.Dense(weights, [0.1, 1.1]),
    ]
    rows = all_rows(6)
    wanted = labels_of(layers, encoded(rows, "01"))
    assert labels_of(layers[2:], encoded(rows, "01")) == wanted
    for each, note in ((layers, "close calls"), (layers[2:], "trying out")):
        clf = reasons.compile(each, inputs="01")
        assert clf.predict(rows).tolist() == wanted
        assert note in " ".join(clf.notes)


def test_what_rounding_leaves_in_doubt_is_tried_out_where_inputs_are_few() -> None:
    layers = [reasons.bnn.Dense([[0.1, 0.2, -0.3, 1e-17]]), reasons.bnn.Step()]
    clf = reasons.compile(layers, inputs="01")
    rows = all_rows(4)
    assert clf.predict(rows).tolist() == labels_of(layers, encoded(rows, "01"))
    assert "trying out" in " ".join(clf.notes)
    near = reasons.compile(layers, inputs="01", region=reasons.bnn.Flips([0, 0, 0, 0], 1))
    assert near.count(True) + near.count(False) == 5


@pytest.mark.parametrize("kind", [numpy.float32, numpy.float64])
@pytest.mark.parametrize("seed", range(10))
def test_sums_of_tenths_round_as_in_the_forward_pass(seed: int, kind: Any) -> None:
    rng = numpy.random.default_rng(4000 + seed)
    tenths = (rng.integers(-9, 10, (3, 9)) * 0.1).astype(kind)
    last = numpy.array([[1, 1, 1], [0, 2, 1]], kind)
    layers = [Dense(tenths), Step(at=float(kind(0.1 * rng.integers(-9, 10)))), Dense(last)]
    clf = reasons.compile(layers, inputs="01")
    rows = all_rows(9)  # each alone: a product of many rows may round otherwise
    wanted = [labels_of(layers, row[None, :], kind)[0] for row in encoded(rows, "01")]
    assert clf.predict(rows).tolist() == wanted
    assert "trying out" in " ".join(clf.notes)


def test_what_rounding_leaves_in_doubt_is_refused_where_inputs_are_many() -> None:
    weights = numpy.zeros((1, 40))
    weights[0, :3] = 0.1, 0.2, -0.3
    with pytest.raises(reasons.UnsupportedModel, match="unit 0 of layer 0 in doubt"):
        reasons.compile([reasons.bnn.Dense(weights), reasons.bnn.Step()], inputs="01")


@pytest.mark.parametrize("seed", range(20))
def test_float32_networks_decide_in_float32(seed: int) -> None:
    rng = numpy.random.default_rng(3000 + seed)
    single = numpy.float32
    bias = rng.choice([0.1, 1.1, 2.1], 3).astype(single)
    dense = reasons.bnn.Dense(
        rng.choice([-1, 1], (6, 7)).astype(single), rng.normal(size=6).astype(single)
    )
    mean, variance, scale, shift = rng.uniform(0.1, 2, (4, 6)).astype(single)
    layers = [
        dense,
        reasons.bnn.BatchNorm(mean, variance, scale, shift),
        reasons.bnn.Sign(),
        reasons.bnn.Dense(rng.choice([-1, 1], (3, 6)).astype(single), bias),
    ]
    rows = all_rows(7)
    clf = reasons.compile(layers)
    assert clf.predict(rows).tolist() == labels_of(layers, encoded(rows, None), single)
    assert "float32" in clf.notes[0]


def test_names_classes_threshold_and_wording_are_the_user_s() -> None:
    layers = [reasons.bnn.Dense([[2, 1, 1]], [0])]
    names = ["exam", "grade", "work"]
    clf = reasons.compile(layers, names=names, classes=["no", "yes"], threshold=3, inputs="01")
    assert clf.decide("exam, grade, ~work").label == "yes"
    assert str(clf.decide("exam, grade, ~work").reason) == "exam & grade"
    assert clf.decide("~exam, grade, work").label == "no"


def test_a_wide_network_is_compiled_within_few_flips() -> None:
    rng = numpy.random.default_rng(5)
    layers = [
        reasons.bnn.Dense(rng.choice([-1, 1], (64, 400)), rng.normal(size=64)),
        reasons.bnn.Sign(),
        reasons.bnn.Dense(rng.choice([-1, 1], (16, 64)), rng.normal(size=16)),
        reasons.bnn.Sign(),
        reasons.bnn.Dense(rng.choice([-1, 1], (10, 16)), rng.normal(size=10)),
    ]
    image = rng.integers(0, 2, 400)
    clf = reasons.compile(layers, region=reasons.bnn.Flips(image, 1))
    rows = numpy.repeat(image[None], 401, 0)
    rows[numpy.arange(400), numpy.arange(400)] ^= 1
    assert clf.predict(rows).tolist() == labels_of(layers, encoded(rows, None))
    assert sum(clf.count(label) for label in clf.labels) == 401


@pytest.mark.parametrize(
    ("layers", "threshold"),
    [
        ([Dense([[1e-300]])], 0.5),
        ([Dense([[1.0], [1.0]], [0.0, 1e20])], None),
        ([Dense([[1e-5, 0.3], [0.1, 0.2]], [0.0, 1e4])], None),
        (
            [
                Dense([[0.1, 0.2], [0.3, 0.4]]),
                BatchNorm([0.0] * 2, [1.0] * 2, [1e-3] * 2, [0.5, 10.0]),
            ],
            None,
        ),
    ],
)
def test_numbers_of_very_different_sizes(layers: list[Any], threshold: float | None) -> None:
    classifier = reasons.compile(layers, threshold=threshold)
    assert reasons.check(classifier)
    assert len(classifier.circuit) == 1


def test_what_rounding_leaves_open_is_decided_row_by_row() -> None:
    for seed in range(40):
        rng = numpy.random.default_rng(seed)
        count = int(rng.integers(3, 8))
        weights, last = rng.integers(-3, 4, (3, count)) / 10, rng.integers(-2, 3, (1, 3)) + 0.0
        classifier = reasons.compile([Dense(weights), Sign(), Dense(last)])
        for row in product((False, True), repeat=count):
            x = numpy.where([row], 1.0, -1.0)
            hidden = numpy.where(x @ weights.T >= 0, 1.0, -1.0)
            assert classifier.decide(row).label == bool((hidden @ last.T)[0, 0] >= 0), (seed, row)


def test_scores_that_scaling_rounds_are_no_ties() -> None:
    classifier = reasons.compile([Dense([[0.0], [1.0], [-1e20]])])
    assert [classifier.decide([x]).label for x in (False, True)] == [2, 1]

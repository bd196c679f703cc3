"""Numbers as texts, arrays where one value is meant, whole numbers that floats do not hold."""

from typing import Any

import numpy
import pandas
import pytest
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

import reasons
from reasons.features.floats import Closed

FRAME = pandas.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 2.0, 3.0, 4.0]})
LOANS = reasons.compile(DecisionTreeClassifier(random_state=0).fit(FRAME, [0, 0, 1, 1]))

LOW = 2**60
STEP = 2**37  # of float32 from there on
ODD = LOW + STEP // 2 + 1  # nearer to the upper one, but half way once it is a float64


def test_a_column_of_texts_is_named_once_with_what_to_do() -> None:
    column = r"^column 'age' holds texts, where the model takes a number: .*pandas\.to_numeric"
    columns: list[Any] = [["20.0", "30", "x", "50"], ["43.0", None, None, None]]
    for texts in columns:
        with pytest.raises(reasons.InputError, match=column):
            LOANS.predict(FRAME.assign(age=texts))
    with pytest.raises(reasons.InputError, match=r"^row 1: feature 'age' has no value 'x'"):
        LOANS.predict(FRAME.assign(age=pandas.Series([20, "x", 40, 50], dtype=object)))
    numbers = FRAME.assign(age=["20", "30", "40", "50"])
    numbers["age"] = pandas.to_numeric(numbers["age"])
    assert list(LOANS.predict(numbers)) == [0, 0, 1, 1]


def test_a_number_as_a_text_is_said_to_be_one() -> None:
    with pytest.raises(reasons.InputError, match=r"has no value '43\.0'; .* and this is a text$"):
        LOANS.decide({"age": "43.0", "income": 1})
    with pytest.raises(reasons.InputError, match=r"it takes a number or missing$"):
        LOANS.decide({"age": [43], "income": 1})


@pytest.mark.parametrize("zero", [numpy.array([1, 0]), numpy.array([]), "1", None, 2])
def test_sign_takes_one_number_at_zero(zero: Any) -> None:
    with pytest.raises(reasons.InputError, match="Sign zero="):
        reasons.bnn.Sign(zero=zero)
    assert reasons.bnn.Sign(zero=numpy.int64(-1)).zero == -1  # type: ignore[arg-type]


@pytest.mark.parametrize("place", [numpy.array([1, 0]), numpy.array([[1]]), None, "x", 0.5])
def test_an_image_of_flips_has_one_number_at_each_place(place: Any) -> None:
    layers = [reasons.bnn.Dense([[1, 1, -1]], [0]), reasons.bnn.Sign()]
    with pytest.raises(reasons.InputError, match=r"'?x0'? is True or False"):
        reasons.compile(layers, region=reasons.bnn.Flips([place, 1, 0], 1))
    with pytest.raises(reasons.InputError, match="not all three"):
        reasons.compile(layers, region=reasons.bnn.Flips([0, -1, 1], 1))


@pytest.mark.parametrize("state", [numpy.array(["a", "b"]), pandas.Series([1, 2]), ["a"]])
def test_a_state_is_one_value(state: Any, tmp_path: Any) -> None:
    bif = tmp_path / "x.bif"
    bif.write_text(
        "network x {}\nvariable c { type discrete [ 2 ] { yes, no }; }\n"
        "variable f { type discrete [ 2 ] { yes, no }; }\n"
        "probability ( c ) { table 0.3, 0.7; }\n"
        "probability ( f | c ) { (yes) 0.9, 0.1; (no) 0.2, 0.8; }\n"
    )
    with pytest.raises(reasons.InputError, match="state="):
        reasons.load(bif, target="c", threshold=0.5, state=state)
    assert reasons.load(bif, target="c", threshold=0.5, state=numpy.str_("yes")).features


def big(model: Any) -> Any:
    rows = numpy.array([[LOW], [LOW], [LOW + STEP], [LOW + STEP]], dtype=numpy.int64)
    return model.fit(rows, [0, 0, 1, 1])


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(random_state=0),
        XGBClassifier(n_estimators=2, max_depth=1, min_child_weight=0, reg_lambda=0),
    ],
    ids=["scikit-learn", "XGBoost"],
)
def test_a_whole_number_that_is_decided_two_ways_by_the_library_is_refused(model: Any) -> None:
    classifier = reasons.compile(big(model))
    as_whole = model.predict(numpy.array([[ODD]], dtype=numpy.int64))
    as_float = model.predict(numpy.array([[float(ODD)]]))
    assert list(as_whole) != list(as_float)
    for value in (ODD, numpy.int64(ODD)):
        with pytest.raises(reasons.InputError, match="too large to be exact"):
            classifier.decide([value])
    frame = pandas.DataFrame({classifier.schema.names[0]: [ODD]})
    for rows in (numpy.array([[ODD]]), [[ODD]], frame):
        with pytest.raises(reasons.InputError, match="too large to be exact"):
            classifier.predict(rows)
    assert [classifier.decide([float(ODD)]).label] == list(as_float)


def test_other_whole_numbers_are_decided_as_the_library_does() -> None:
    tree = big(DecisionTreeClassifier(random_state=0))
    classifier = reasons.compile(tree)
    rng = numpy.random.default_rng(0)
    numbers = LOW + rng.integers(-STEP, 2 * STEP, 200)
    numbers[:3] = LOW, LOW + STEP // 2, LOW + STEP
    wanted = tree.predict(numbers[:, None])
    assert list(classifier.predict(numbers[:, None])) == list(wanted)
    assert [classifier.decide([int(n)]).label for n in numbers] == list(wanted)
    assert len(set(wanted)) == 2


@pytest.mark.parametrize("large", [10**400, 10**5000, -(10**400)], ids=["400", "5000", "minus"])
def test_numbers_beyond_all_floats_are_refused_as_cuts_and_bounds(large: int) -> None:
    for cast in ("float64", "float32"):
        with pytest.raises(reasons.InputError, match=r"feature 'x': the cut .* is too large"):
            reasons.Feature.numeric("x", [1, large], cast=cast)
    for within in ((0, large), (large, 0)):
        with pytest.raises(reasons.InputError, match=r"feature 'x': within=.* is too large"):
            reasons.Feature.numeric("x", [1], within=within)


@pytest.mark.parametrize("label", [numpy.array([1, 2]), pandas.Series([1, 2]), pandas.NA, [1]])
def test_an_array_is_no_label(label: Any) -> None:
    for ask in (LOANS.count, lambda label: LOANS.entails("age > 35", label)):
        with pytest.raises(
            reasons.InputError, match=r"(?s)there is no label .*the labels are: 0, 1"
        ):
            ask(label)


@pytest.mark.parametrize("names", [5, None, 0.5])
def test_features_that_are_no_names_are_refused(names: Any) -> None:
    for ask in (LOANS.bias, LOANS.decide([20, 1]).bias, LOANS.bias_share):
        with pytest.raises(reasons.InputError, match=r"features are named as 'age'"):
            ask(names)


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_beyond_float32_have_examples(sign: int) -> None:
    """Found: "has no value inf" of a cell that begins where float32 ends."""
    closed: Closed = "right" if sign > 0 else "left"
    feature = reasons.Feature.numeric(
        "x", [sign * 3.4028235e38], cast="float32", whole=True, closed=closed
    )
    assert len(feature.values) == 2
    for cell in (0, 1):
        for near in (None, 0, 7.0, 1e300, -1e300):
            for value in (feature.raw(cell, near), feature.example(cell, near)):
                assert feature.cell(value) == cell
    build = reasons.Builder([feature], labels=["a", "b"])
    far, close = build.leaf("a"), build.leaf("b")
    clf = build.build(build.decide("x", {sign * 1e39: far, 0: close}))
    assert clf.decide([0]).counterfactual() is not None
    assert clf.decide([sign * 1e39]).label == "a"


def test_no_whole_number_lies_beyond_the_greatest_float() -> None:
    greatest = 1.7976931348623157e308
    assert reasons.Feature.numeric("x", [3, greatest], whole=True).cuts == (3,)
    assert len(reasons.Feature.numeric("x", [greatest]).cuts) == 1

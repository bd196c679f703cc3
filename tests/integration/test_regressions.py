"""Bugs that were found, each as small as it can be said."""

import random
from pathlib import Path

import pytest

import reasons


def conjunction(labels: list[object]) -> reasons.Classifier:
    builder = reasons.Builder(["X", "Y"], labels)
    low, high = (builder.leaf(label) for label in labels)
    tests = [builder.decide(name, {True: high, False: low}) for name in ("X", "Y")]
    return builder.build(builder.all_of(tests))


@pytest.mark.parametrize("labels", [["no", "yes"], [1, 2]])
def test_a_conjunction_of_other_labels_is_refused_or_right(labels: list[object]) -> None:
    """Truthiness of the label stood for its position: wrong primes, and a wrong "exact"."""
    try:
        classifier = conjunction(labels)
    except reasons.InputError:
        return
    assert classifier.prime_implicants(labels[0]).count() == 2
    assert classifier.bias({"X"}, exact=True)


@pytest.mark.parametrize("labels", [["a", 1], [True, "x"], [("a", 1), ("b", 2)]])
def test_predict_gives_the_labels_themselves(labels: list[object]) -> None:
    """numpy turns labels of several types into texts, and tuples into arrays."""
    builder = reasons.Builder(["X"], labels)
    arms = {True: builder.leaf(labels[0]), False: builder.leaf(labels[1])}
    classifier = builder.build(builder.decide("X", arms))
    assert list(classifier.predict([{"X": 1}, {"X": 0}])) == labels


def adult() -> reasons.Classifier:
    age = reasons.Feature.numeric("age", cuts=[25, 40])
    builder = reasons.Builder([age], ["no", "yes"])
    young, middle, old = age.values
    arms = {young: builder.leaf("no"), (middle, old): builder.leaf("yes")}
    return builder.build(builder.decide("age", arms))


@pytest.mark.parametrize("term", ["age in [25, 40)", {"age": reasons.Interval(25, 40, "left")}])
def test_an_interval_closed_on_the_other_side_is_refused_or_right(term: object) -> None:
    """25 is in [25, 40) and decided otherwise, so the term does not suffice."""
    assert adult().decide({"age": 25}).label == "no"
    decision = adult().decide({"age": 30})
    try:
        assert not decision.is_sufficient(term)
    except reasons.InputError:
        return


def test_a_value_that_no_arm_takes_is_refused() -> None:
    """With one arm the test is reduced away before the values left are checked."""
    builder = reasons.Builder(["X"])
    with pytest.raises(reasons.ReasonsError):
        builder.build(builder.decide("X", {True: builder.leaf(True)}))


def test_classifier_bias_is_not_inferred_where_instances_are_impossible() -> None:
    """Theorem 5 needs every instance: here A alone never changes a decision."""
    classifier = reasons.compile("A", constraint="A <-> B", features=["A", "B"])
    assert not classifier.bias({"A"})
    assert not classifier.decide("A, B").shows_classifier_bias({"A"})


def test_a_printed_term_can_be_read_again() -> None:
    age = reasons.Feature.numeric("age", cuts=[10, 20])
    builder = reasons.Builder([age], ["no", "yes"])
    low, middle, high = age.values
    arms = {(low, high): builder.leaf("yes"), middle: builder.leaf("no")}
    decision = builder.build(builder.decide("age", arms)).decide({"age": 5})
    found = decision.sufficient_reasons(general=True)
    assert [str(term) for term in found] == ["age in {(-inf, 10], (20, inf)}"]
    assert "age in {(-inf, 10], (20, inf)}" in found


def test_a_name_that_only_the_declared_domain_has_is_refused() -> None:
    """A typo in `constraint` declared something else than was meant, and added a feature."""
    with pytest.raises(reasons.UnknownFeature, match="bb"):
        reasons.compile("a | b", constraint="~(a & bb)")


def test_a_table_says_which_row_has_no_label() -> None:
    rows = [{"a": 0, "y": 1.0}, {"a": 1, "y": float("nan")}]
    with pytest.raises(reasons.InputError, match="row 1"):
        reasons.from_table(rows)


def test_a_d4_file_that_lost_its_last_arcs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.nnf"
    text = "o 1 0\no 2 0\nt 3 0\n2 3 -2 0\n2 3 2 3 0\n1 2 -1 0\n1 2 1 0\n"
    path.write_text(text)
    assert reasons.load(path).count(True) == 6
    path.write_text(text[: text.index("1 2 -1")])
    with pytest.raises(reasons.ParseError, match="node 1 has no arcs: is the file cut short"):
        reasons.load(path)


def test_samples_take_seeds_and_numpy_generators() -> None:
    import numpy

    clf = reasons.compile("a | b | c")
    assert list(clf.sample(True, 5, 7)) == list(clf.sample(True, 5, random.Random(7)))
    assert len(list(clf.sample(True, 3, numpy.random.default_rng(0)))) == 3
    with pytest.raises(reasons.InputError, match="a seed or a numpy Generator"):
        clf.sample(True, 3, "seven")

"""Classifiers that are built node by node: their labels and their arms."""

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


def test_a_value_that_no_arm_takes_is_refused() -> None:
    """With one arm the test is reduced away before the values left are checked."""
    builder = reasons.Builder(["X"])
    with pytest.raises(reasons.ReasonsError):
        builder.build(builder.decide("X", {True: builder.leaf(True)}))

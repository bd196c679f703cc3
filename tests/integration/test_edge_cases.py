"""Classifiers at the edge: no features, constants, huge domains, features that clash."""

import math
import pickle
from typing import Any

import pandas
import pytest

import reasons
from reasons import Feature, InputError


def constants() -> list[reasons.Classifier]:
    build = reasons.Builder([], ["only"])
    wide = reasons.Builder([Feature.categorical("x", "abc"), "y"], ["u", "v"])
    return [
        *(reasons.compile(text) for text in ("true", "false", "a | ~a", "a & ~a & b")),
        *(reasons.compile(text, features=["p", "q"]) for text in ("1", "0")),
        build.build(build.leaf("only")),
        wide.build(wide.leaf("v")),
        reasons.from_table([{"y": 1}]),
        reasons.from_table([{"a": 0, "y": "k"}, {"a": 1, "y": "k"}]),
        reasons.compile("a", constraint="a"),
    ]


@pytest.mark.parametrize("clf", constants(), ids=repr)
def test_a_constant_answers_every_question(clf: reasons.Classifier, tmp_path: Any) -> None:
    first = {f.name: f.raw(len(f.values) - 1) for f in clf.features}
    d = clf.decide(first)
    names = [f.name for f in clf.features]
    assert str(d.reason) == str(d.general_reason) == "true"
    assert d.reason.is_valid()
    assert not d.reason.negate().is_satisfiable()
    assert d.necessary_property == d.necessary_reason == d.sufficient_reason() == {}
    assert d.is_sufficient({})
    assert d.because({})
    assert [dict(term) for term in d.sufficient_reasons()] == [{}]
    assert [dict(term) for term in d.sufficient_reasons(general=True)] == [{}]
    assert d.contrastive_sets().count() == 0
    assert d.counterfactual() is None
    assert d.relevant_features() == frozenset()
    assert not d.bias(names)
    assert not clf.bias(names)
    assert not clf.bias(names, exact=True)
    assert not d.shows_classifier_bias(names)
    assert list(clf.predict([first] * 3)) == [d.label] * 3
    assert list(clf.predict([])) == []
    for label in clf.labels:
        assert (clf.count(label) > 0) == (label == d.label)
        assert [dict(t) for t in clf.prime_implicants(label)] == ([{}] if label == d.label else [])
    assert "whatever" in d.statements(protected=names)[0]
    for what in ("graph", "circuit", "consensus", "filtered", "reason"):
        assert "<svg" in d.svg(what)
    assert "<" in d._repr_html_()
    clf.circuit.check()
    clf.save(tmp_path / "it.reasons")
    assert reasons.load(tmp_path / "it.reasons").decide(first).label == d.label


def test_a_builder_without_features_or_labels() -> None:
    with pytest.raises(InputError, match="at least one"):
        reasons.Builder(["a"], [])
    with pytest.raises(InputError):
        reasons.Builder(["a"], ["x", "x"])
    with pytest.raises(InputError):
        reasons.Builder(["a"], [[1], [2]])
    with pytest.raises(InputError, match="'z'"):
        reasons.Builder(["a"], ["x"]).leaf("z")
    with pytest.raises(InputError):
        reasons.Builder([]).build(0)


def test_features_with_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two features are named 'a'"):
        reasons.Builder(["a", "b", "a"])
    with pytest.raises(InputError, match="'a'"):
        reasons.compile("a", features=["a", "a"])
    twice = pandas.DataFrame([[0, 0, 1], [1, 1, 0]], columns=["a", "a", "y"])
    with pytest.raises(InputError):
        reasons.from_table(twice)


@pytest.mark.parametrize("name", ["", None, 5, b"a", ("a",)])
def test_a_name_must_be_a_text(name: Any) -> None:
    with pytest.raises(InputError, match="name must be a text"):
        Feature.boolean(name)


@pytest.mark.parametrize("values", [[], [1, 1], [1, True], ["a", "b", "a"], [[1], [2]], [{}, 1]])
def test_a_domain_lists_every_value_once(values: list[Any]) -> None:
    with pytest.raises(InputError, match="'x'"):
        Feature.categorical("x", values)


def test_not_a_number_is_no_category() -> None:
    """It equals nothing, so no instance could have it; `missing=True` is how to say it."""
    with pytest.raises(InputError, match="missing"):
        Feature.categorical("x", [math.nan, 1])


@pytest.mark.parametrize("cuts", [["a"], [math.nan], [math.inf], [None], [[1]]])
def test_cuts_are_finite_numbers(cuts: list[Any]) -> None:
    with pytest.raises(InputError, match="the cut"):
        Feature.numeric("x", cuts)


def test_a_domain_may_be_huge_but_not_larger() -> None:
    with pytest.raises(InputError, match="65,534"):
        Feature.categorical("x", range(65_535))
    build = reasons.Builder([Feature.categorical("x", range(65_534)), "y"])
    no, yes = build.leaf(False), build.leaf(True)
    below = build.decide("y", {True: yes, False: no})
    clf = build.build(build.decide("x", [(range(60_000), no), (range(60_000, 65_534), below)]))
    d = clf.decide({"x": 65_533, "y": True})
    assert d.necessary_reason is not None
    assert dict(d.necessary_reason) == {"x": 65_533, "y": True}
    assert clf.count(True) == 5_534
    assert d.bias("x").witness["x"] == 59_999
    assert [len(term["x"]) for term in d.sufficient_reasons(general=True)] == [5_534]


def test_tests_that_do_not_fit_are_refused() -> None:
    build = reasons.Builder(["a", Feature.categorical("x", "uvw")])
    no, yes = build.leaf(False), build.leaf(True)
    with pytest.raises(InputError, match="two arms"):
        build.decide("a", [(True, yes), (1, no)])
    with pytest.raises(InputError, match="'q'"):
        build.decide("x", {"q": yes})
    with pytest.raises(InputError):
        build.decide("a", {True: 99})
    with pytest.raises(InputError):
        build.decide("a", {})
    with pytest.raises(reasons.PropertyError, match="x = w"):
        build.build(build.decide("x", {("u", "v"): yes}))
    a = build.decide("a", {True: yes, False: no})
    with pytest.raises(reasons.PropertyError, match="share a feature"):
        build.build(build.all_of([a, build.decide("a", {True: no, False: yes})]))


@pytest.mark.parametrize(
    "table",
    [
        [],
        [{}],
        pandas.DataFrame(),
        [{"a": [1], "y": 1}, {"a": [2], "y": 0}],
        [{"a": 1, "y": [1]}, {"a": 0, "y": [2]}],
        [{"a": 0, "y": 1}, {"a": 0, "y": 0}],
        [{"a": 0, "y": 1}],
        [{"a": 0, "y": 1}, {"b": 1, "y": 0}],
        [1, 2],
    ],
)
def test_a_table_that_is_none_is_refused(table: Any) -> None:
    with pytest.raises(InputError):
        reasons.from_table(table)


def test_frames_with_values_that_cannot_be_hashed_are_refused() -> None:
    with pytest.raises(InputError, match="row 0"):
        reasons.compile("a").predict(pandas.DataFrame({"a": [[1], [2]]}))


@pytest.mark.parametrize("limits", [{"nodes": 0}, {"seconds": -1}, {"bytes": 0}, {"seconds": "5"}])
def test_a_budget_is_a_positive_number(limits: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="must be a positive number"):
        reasons.Budget(**limits)


@pytest.mark.parametrize("nodes", [1e6, 10**20, math.inf, 1 << 64])
def test_a_large_budget_is_a_budget(nodes: Any) -> None:
    clf = reasons.compile("a & b", budget=reasons.Budget(nodes=nodes))
    assert clf.count(True) == 1


def test_terms_and_instances_travel_between_processes() -> None:
    age = Feature.numeric("age", [25, 40], missing=True)
    build = reasons.Builder([age, Feature.categorical("job", ["clerk", "nurse"], other=True)])
    no, yes = build.leaf(False), build.leaf(True)
    parts = {age.values[0]: no, age.values[1]: yes, age.values[2]: no, reasons.MISSING: yes}
    d = build.build(build.decide("age", parts)).decide({"age": None, "job": "pilot"})
    terms = [d.sufficient_reason(), d.necessary_property, *d.sufficient_reasons(general=True)]
    for thing in [d.instance, d.cells, *terms, d.sufficient_reasons(), *d.classifier.features]:
        again = pickle.loads(pickle.dumps(thing))
        assert again == thing
        assert str(again) == str(thing)
    assert hash(pickle.loads(pickle.dumps(terms[0]))) == hash(terms[0])
    assert {terms[0]: 1}[pickle.loads(pickle.dumps(terms[0]))] == 1

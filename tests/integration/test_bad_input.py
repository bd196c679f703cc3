"""What cannot be used is refused by name; what is odd but usable is used."""

import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy
import pandas
import pytest

import reasons
from reasons import BudgetExceeded, Feature, InputError, ParseError, UnknownFeature
from reasons.features.grammar.conditions import Value
from reasons.features.grammar.semantics import raw_value
from reasons.features.schema import Schema
from reasons.features.terms import term_of

C1 = reasons.compile("E & (~F | G | W)")
GREG = C1.decide("E, ~F, ~G, W")


def people() -> reasons.Classifier:
    """Two labels, a number, a category with cells for other and missing values."""
    age = Feature.numeric("age", [25, 40])
    job = Feature.categorical("job", ["clerk", "nurse"], other=True, missing=True)
    build = reasons.Builder([age, job], ["no", "yes"])
    no, yes = build.leaf("no"), build.leaf("yes")
    old = build.decide("age", {age.values[:2]: no, age.values[2]: yes})
    every = {("clerk", "nurse", reasons.OTHER): old, reasons.MISSING: no}
    return build.build(build.decide("job", list(every.items())))


PEOPLE = people()


@pytest.mark.parametrize(
    "ask",
    [
        lambda: C1.decide({"E": 1, "F": 0, "G": 0, "Q": 1}),
        lambda: C1.decide("E, ~F, ~G, Q"),
        lambda: C1.bias("Q"),
        lambda: C1.bias(["E", "Q"]),
        lambda: GREG.bias({"Q"}),
        lambda: GREG.replace({"Q": 1}),
        lambda: GREG.replace("Q"),
        lambda: GREG.is_sufficient({"Q": 1}),
        lambda: GREG.because("Q"),
        lambda: GREG.even_if_because("G", "Q"),
        lambda: GREG.sufficient_reason(prefer=["Q"]),
        lambda: GREG.sufficient_reasons().containing("Q"),
        lambda: GREG.sufficient_reasons().without("Q"),
        lambda: GREG.shows_classifier_bias("Q"),
        lambda: GREG.statements(protected="Q"),
        lambda: GREG.reason.condition({"Q": 1}),
        lambda: GREG.reason.exists("Q"),
        lambda: GREG.reason.implies({"Q": 1}),
        lambda: reasons.compile("Q | E", features=["E", "F", "G", "W"]),
        lambda: reasons.Builder(["E", "F", "G", "W"]).decide("Q", {}),
    ],
)
def test_an_unknown_feature_is_named_with_the_ones_there_are(ask: Callable[[], object]) -> None:
    with pytest.raises(UnknownFeature) as caught:
        ask()
    assert caught.value.name == "Q"
    assert caught.value.known == ("E", "F", "G", "W")
    assert "'Q'" in str(caught.value)
    assert "E, F, G, W" in str(caught.value)


def test_a_misspelt_feature_gets_a_hint() -> None:
    with pytest.raises(UnknownFeature, match="did you mean 'age'"):
        PEOPLE.bias("aeg")


@pytest.mark.parametrize("instance", ["E, G", {"E": 1, "G": 0}, pandas.Series({"E": 1, "G": 1})])
def test_a_missing_feature_is_named(instance: Any) -> None:
    with pytest.raises(InputError, match="lacks a value for: F, W"):
        C1.decide(instance)


@pytest.mark.parametrize("value", [2, -1, "yes", "True", None, math.nan, [1], {}, 0.5, object()])
def test_a_value_outside_a_boolean_domain_is_named(value: object) -> None:
    with pytest.raises(InputError, match=r"feature 'F' has no value .*False, True"):
        C1.decide({"E": 1, "F": value, "G": 1, "W": 1})
    with pytest.raises(InputError, match="'F'"):
        C1.predict([{"E": 1, "F": value, "G": 1, "W": 1}])
    with pytest.raises(InputError, match="'F'"):
        GREG.is_sufficient({"F": value})


@pytest.mark.parametrize("value", ["old", "30", None, math.nan, [30], 1j, object(), pandas.NA])
def test_what_is_no_number_is_named(value: object) -> None:
    with pytest.raises(InputError, match=r"feature 'age' has no value .* it takes a number"):
        PEOPLE.decide({"age": value, "job": "clerk"})


def test_a_number_too_large_to_print_is_refused_all_the_same() -> None:
    for huge in (10**400, 10**5000):
        with pytest.raises(InputError, match="age"):
            PEOPLE.decide({"age": huge, "job": "clerk"})


@pytest.mark.parametrize(
    "value", [41, 41.0, math.inf, True + 40, numpy.float32(41), numpy.int64(41), numpy.uint8(41)]
)
def test_numbers_of_all_kinds_are_numbers(value: Any) -> None:
    assert PEOPLE.decide({"age": value, "job": "clerk"}).label == "yes"


@pytest.mark.parametrize("value", [None, math.nan, numpy.nan, pandas.NA, pandas.NaT])
def test_missing_values_of_all_kinds_are_missing(value: Any) -> None:
    decision = PEOPLE.decide({"age": 50, "job": value})
    assert decision.cells["job"] is reasons.MISSING
    assert decision.label == "no"


@pytest.mark.parametrize("yes", [True, 1, 1.0, numpy.True_, numpy.int8(1), numpy.float64(1)])
def test_truth_of_all_kinds_is_truth(yes: Any) -> None:
    decision = C1.decide({"E": yes, "F": 0, "G": numpy.bool_(False), "W": yes})
    assert decision.label is True
    assert decision.is_sufficient({"E": yes, "W": yes})


def test_rows_of_frames_are_instances() -> None:
    frame = pandas.DataFrame(
        {"extra": [1, 2], "job": ["clerk", "pilot"], "age": [50, numpy.nan]}
    ).drop(columns="extra")
    assert PEOPLE.decide(frame.iloc[0]).label == "yes"
    with pytest.raises(InputError, match="age"):
        PEOPLE.decide(frame.iloc[1])
    with pytest.raises(InputError, match="row 1"):
        PEOPLE.predict(frame)
    assert list(PEOPLE.predict(frame.head(1))) == ["yes"]
    assert list(PEOPLE.predict(frame.assign(age=[50, 10], more=0))) == ["yes", "no"]
    assert len(PEOPLE.predict(frame.head(0))) == 0


def test_frames_without_a_column_or_with_one_twice_are_refused() -> None:
    with pytest.raises(InputError, match=r"lacks the columns: job.*age"):
        PEOPLE.predict(pandas.DataFrame({"age": [1]}))
    twice = pandas.DataFrame([[1, 2, "clerk"]], columns=["age", "age", "job"])
    with pytest.raises(InputError, match="age"):
        PEOPLE.predict(twice)
    with pytest.raises(InputError):
        PEOPLE.decide(twice.iloc[0])


def test_arrays_are_read_in_feature_order() -> None:
    rows = numpy.array([[1, 0, 0, 1], [0, 1, 1, 1]])
    assert list(C1.predict(rows)) == [True, False]
    assert C1.decide(rows[0]).label is True
    for wrong in (rows[0], rows[None], rows[:, :3], 5, "E", None):
        with pytest.raises(InputError):
            C1.predict(wrong)


@pytest.mark.parametrize("instance", [[], [1], [1, 0, 0], [1, 0, 0, 1, 1], (), "", {}, b""])
def test_an_instance_of_the_wrong_length_is_refused(instance: Any) -> None:
    with pytest.raises(InputError):
        C1.decide(instance)


@pytest.mark.parametrize("instance", [None, 7, object(), 1.5])
def test_what_is_no_instance_is_refused(instance: Any) -> None:
    with pytest.raises(InputError, match="an instance is a mapping, a sequence or a text"):
        C1.decide(instance)


def test_a_set_is_no_instance_because_it_has_no_order() -> None:
    with pytest.raises(InputError):
        reasons.compile("a & ~b", features=["a", "b"]).decide({True, False})


@pytest.mark.parametrize(
    "text", ["E,,F", ",", "E, ~F, ~G, W,", "E = 1 = 2", "E E", "(E)", '"E', "E, E, F, G", "~~E"]
)
def test_a_text_that_is_no_term_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        C1.decide(text)


@pytest.mark.parametrize("term", ["F", "E, G", {"W": 0}, "~E", {"E": True, "G": True}])
def test_terms_that_are_false_of_the_instance_are_refused(term: Any) -> None:
    for ask in (GREG.is_sufficient, GREG.because, GREG.counterexample):
        with pytest.raises(InputError, match="is not true of the instance"):
            ask(term)
    with pytest.raises(InputError, match="is not true of the instance"):
        GREG.even_if_because({"F": 1} if "F" not in term else {"W": 0}, term)


@pytest.mark.parametrize("change", ["E", {"E": 1}, "~F, G", {"W": True, "E": False}])
def test_changes_that_change_nothing_are_refused(change: Any) -> None:
    for ask in (GREG.replace, lambda c: GREG.even_if_because(c, "E")):
        with pytest.raises(InputError, match="does not change the instance"):
            ask(change)


@pytest.mark.parametrize("given", [None, 5, ["E"], {"E"}])
def test_what_is_no_term_and_no_change_is_refused(given: Any) -> None:
    for ask in (GREG.replace, GREG.is_sufficient, GREG.because, GREG.reason.condition):
        with pytest.raises(InputError):
            ask(given)


def test_the_empty_term_is_a_term() -> None:
    empties: list[Any] = ["", {}, "  "]
    for empty in empties:
        assert not GREG.is_sufficient(empty)
        assert not GREG.because(empty)
    assert GREG.replace({}).label == GREG.label


def test_one_value_named_by_exclusion_or_as_a_set_is_that_value() -> None:
    """A set of one cell in an instance's text is that cell, not the missing one."""
    assert PEOPLE.decide("age = 50, job in {clerk}").cells["job"] == "clerk"
    assert PEOPLE.decide("age = 50, job = <other>").cells["job"] is reasons.OTHER
    with pytest.raises(InputError, match="job"):
        PEOPLE.decide("age = 50, job != clerk")
    clerk = PEOPLE.decide({"age": 50, "job": "clerk"})
    with pytest.raises(InputError, match="job"):
        clerk.replace("job != clerk")


NAMES = ["not a", "a\u00a0in\u00a0b", "a\\", "a\\\\", "\\n", 'a"b', "a, b", " a", "a in b", "in"]
NAMES += ["is", "a\rb", "~x", "<missing>", "\x1b[31m", "a=b", "a\nb", "not", "'", "true", "0", "🙂"]


@pytest.mark.parametrize("name", NAMES)
def test_an_instance_is_read_as_it_is_written(name: str) -> None:
    build = reasons.Builder([name, "z"])
    no, yes = build.leaf(False), build.leaf(True)
    below = build.decide("z", {True: yes, False: no})
    clf = build.build(build.decide(name, {True: below, False: no}))
    for values in ((True, False), (False, True)):
        written = str(clf.decide(values).instance)
        assert tuple(clf.decide(written).instance.values()) == values


@pytest.mark.parametrize("name", NAMES)
def test_a_category_is_read_as_it_is_written(name: str) -> None:
    job = Feature.categorical("job", [name, "z"])
    build = reasons.Builder([job, "a"])
    clf = build.build(
        build.decide("job", {name: build.leaf(True), "z": build.leaf(False)}),
    )
    decision = clf.decide({"job": name, "a": 0})
    assert clf.decide(str(decision.instance)).instance["job"] == name
    assert decision.is_sufficient(str(decision.necessary_property))


@pytest.mark.parametrize("text", ["", " ", "\n", "# only a comment", "()", "&", "E &", "(E", "E)"])
def test_a_formula_that_is_none_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        reasons.compile(text)
    assert caught.value.line is not None
    assert caught.value.column is not None
    assert "^" in str(caught.value)


@pytest.mark.parametrize("source", [None, 5, ["a"], b"a", object()])
def test_what_cannot_be_compiled_says_what_can(source: object) -> None:
    with pytest.raises(reasons.UnsupportedModel, match=r"Builder|from_table|load"):
        reasons.compile(source)


@pytest.mark.parametrize(
    "error",
    [
        InputError("x"),
        reasons.PropertyError("y"),
        reasons.UnsupportedModel("z"),
        ParseError("bad", source="f.txt", line=3, column=2, excerpt="a &"),
        UnknownFeature("Q", ["E", "F"]),
        BudgetExceeded("compiling", nodes=5, limit=4),
    ],
)
def test_errors_travel_between_processes(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


@pytest.mark.parametrize(
    ("features", "said"),
    [([("age", [30])], "is not a feature"), ({"age": [30]}, "features= is a list"), ("ab", "list")],
)
def test_features_that_are_none_are_refused(features: Any, said: str) -> None:
    with pytest.raises(reasons.InputError, match=said):
        reasons.compile(lambda rows: rows["age"] > 3, features=features)
    with pytest.raises(reasons.InputError, match="must be a list of numbers"):
        reasons.Feature.numeric("age", cuts=5)  # type: ignore[arg-type]


def test_a_frame_is_no_instance() -> None:
    frame = pandas.DataFrame({"a": [1], "b": [0]})
    classifier = reasons.compile("a | b")
    with pytest.raises(reasons.InputError, match="expected one row, got a DataFrame"):
        classifier.decide(frame)
    assert classifier.decide(frame.iloc[0]).label is True


def test_a_row_of_a_frame_may_have_more_columns_and_a_mapping_may_not() -> None:
    row = {"E": 1, "F": 0, "G": 0, "W": 1}
    frame = pandas.DataFrame([{"id": 7, **row, "decided": True}])
    assert C1.decide(frame.iloc[0]).instance == C1.decide(row).instance
    with pytest.raises(UnknownFeature, match="id"):
        C1.decide({"id": 7, **row})


@pytest.mark.parametrize(("text", "number"), [("True", 1), ("false", 0), ("FALSE", 0)])
def test_a_number_may_be_written_as_true_or_false(text: str, number: int) -> None:
    """pandas writes Boolean columns so, and a model takes them for 0 and 1."""
    member = Feature.numeric("member", cuts=[0.5])
    assert raw_value(member, Value(text)) == number
    with pytest.raises(InputError, match="maybe"):
        member.cell(raw_value(member, Value("maybe")))


def test_a_number_that_shares_its_cell_is_not_excluded_alone() -> None:
    """Found: `age != 50` left out every age above 40, and so `refuse` was said to follow."""
    rules = reasons.from_rules([("age > 40", "grant")], default="refuse")
    with pytest.raises(InputError, match=r"holds more numbers than 50; write < or >"):
        rules.entails("age != 50", "refuse")
    for text in ("age != 40", "age != inf", "age != -1e300"):
        with pytest.raises(InputError, match="holds more numbers"):
            rules.entails(text, "refuse")
    assert rules.entails("age = 50", "grant")
    assert not rules.entails("age = 40", "grant")


def test_a_number_alone_in_its_cell_can_be_excluded() -> None:
    exact = reasons.from_rules([("age = 50", "grant")], default="refuse")
    assert exact.entails("age != 50", "refuse")
    assert not exact.entails("age = 50", "refuse")
    near = Schema([Feature.numeric("n", [math.nextafter(50, 0), 50])])
    assert term_of(near, "n != 50").limits == {0: {0, 2}}
    whole = Schema([Feature.numeric("n", [3, 4, 7], whole=True, within=(0, 8), missing=True)])
    assert term_of(whole, "n != 4").limits == {0: {0, 2, 3, 4}}
    assert term_of(whole, "n != 8").limits == {0: {0, 1, 2, 4}}
    assert term_of(whole, "n != <missing>").limits == {0: {0, 1, 2, 3}}
    for shared in (0, 3, 5, 7):
        with pytest.raises(InputError, match="holds more numbers"):
            term_of(whole, f"n != {shared}")
    single = Schema([Feature.numeric("n", [49.999996185302734, 50], cast="float32")])
    with pytest.raises(InputError, match="holds more numbers"):  # 50.0000001 is taken for 50
        term_of(single, "n != 50")
    large = Schema([Feature.numeric("n", [2**53 + 2, 2**53 + 4], whole=True)])
    with pytest.raises(InputError, match="holds more numbers"):
        term_of(large, f"n != {2**53 + 4}")


def test_a_value_that_is_not_listed_is_not_excluded_alone() -> None:
    jobs = Schema([Feature.categorical("job", ["clerk", "nurse"], other=True)])
    assert term_of(jobs, "job != clerk").limits == {0: {1, 2}}
    assert term_of(jobs, "job != <other>").limits == {0: {0, 1}}
    with pytest.raises(InputError, match=r"does not list, .* its values are: clerk, nurse"):
        term_of(jobs, "job != zebra")


def test_is_names_a_category_or_what_is_missing_and_nothing_else() -> None:
    """Found: `x is a` was read as the category `<a>`."""
    schema = Schema([Feature.categorical("x", ["a", "<a>", "b"], missing=True)])
    for text, cells in {
        "x is a": {0},
        "x is <a>": {1},
        "x is not a": {1, 2, 3},
        "x is missing": {3},
        "x is not  missing": {0, 1, 2},
    }.items():
        assert term_of(schema, text).limits == {0: cells}, text
    open_one = Schema([Feature.categorical("x", ["a"], other=True), Feature.numeric("n", [3])])
    assert term_of(open_one, "x is other").limits == {0: {1}}
    for text in ("x is zebra", "x is not zebra", "x is missing", "n is 4", "n is other", "x is"):
        with pytest.raises(InputError):
            term_of(open_one, text)


@pytest.mark.parametrize(
    "values",
    [[1, "1"], ["a", "True", True], [(1, 2), "(1, 2)"], [0.1, numpy.float32(0.1)], [None, "None"]],
)
def test_categories_that_are_written_alike_are_refused(values: list[Any]) -> None:
    """Found: the decision of one was told of the other."""
    with pytest.raises(InputError, match=r"feature 'x': the values .* are written alike"):
        Feature.categorical("x", values)


def test_a_model_with_categories_that_are_written_alike_is_refused_by_its_feature() -> None:
    table = pandas.DataFrame({"x": [1, "1", "b"], "label": [0, 1, 0]})
    with pytest.raises(InputError, match=r"feature 'x': the values 1 and '1' are written alike"):
        reasons.from_table(table, label="label")

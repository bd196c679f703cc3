"""Sentences in the user's words: golden ones, bounds, names that want to break them.

That every sentence is true, in the plain wording, is test_sentences_are_true.py.
"""

from collections.abc import Iterator
from random import Random

import pytest

import reasons
from reasons.datasets import paper
from reasons.explain.sentences import sentences
from reasons.features.terms import parse_term
from tests.support.comparison import Subject
from tests.support.generators import KINDS, instances_of, random_case
from tests.support.suppositions import as_term


def decision(name: str, admission: str) -> reasons.Decision:
    found = [a for a in paper.APPLICANTS if (a.name, a.admission) == (name, admission)]
    return paper.decision(found[0])


def test_susan_is_told_what_the_paper_tells_her() -> None:
    """Section 1: admitted even without a high GPA, for the exam and a rich hometown."""
    told = decision("Susan", "C2").statements(protected="R")
    assert told == [
        "Susan is admitted because she passed the entrance exam and has a high GPA "
        "(not the only reason).",
        "Susan would be denied admission if she did not pass the entrance exam, all else equal.",
        "The decision is not biased on R: no other value of R would change it.",
        "Susan would still be admitted even if she did not have a high GPA, because she passed "
        "the entrance exam and comes from a rich hometown.",
        "Susan would still be admitted even if she did not come from a rich hometown, "
        "because she passed the entrance exam and has a high GPA.",
    ]


def test_jackie_would_be_denied_even_with_a_high_gpa() -> None:
    """Section 6: the decision on Jackie sticks even if she had a high GPA."""
    told = decision("Jackie", "C1").statements()
    assert told[0] == "Jackie is denied admission because she did not pass the entrance exam."
    assert (
        "Jackie would still be denied admission even if she had a high GPA, "
        "because she did not pass the entrance exam." in told
    )


def test_a_biased_decision_is_said_to_be_biased() -> None:
    """Section 7: Nancy would be admitted if she were male."""
    told = decision("Nancy", "C3").statements(protected=["M", "R"])
    assert any(
        text.startswith("The decision is biased on M and R: Nancy would be admitted if she ")
        and text.endswith(", all else equal.")
        for text in told
    )


def test_without_phrases_the_names_stand_for_themselves() -> None:
    told = reasons.compile("E & (~F | G | R)").decide("E, F, G, R").statements()
    assert told == [
        "The decision is True because E and G (not the only reason).",
        "The decision would be False if E were false, all else equal.",
        "The decision would still be True even if G were false, because E and R.",
        "The decision would still be True even if R were false, because E and G.",
    ]


def test_a_constant_is_so_whatever_the_values_are() -> None:
    assert reasons.compile("true").decide("").statements() == [
        "The decision is True whatever the values are."
    ]
    told = reasons.compile("a & ~a").decide("a").statements(protected="a")
    assert told[0] == "The decision is False whatever the values are."
    assert told[1].startswith("The decision is not biased on a")


def loan() -> reasons.Classifier:
    age = reasons.Feature.numeric(
        "age", [25, 40], phrases={30: ("are in the thirties", "were in the thirties")}
    )
    job = reasons.Feature.categorical("job", ["clerk", "nurse", "pilot"])
    build = reasons.Builder(
        [age, job],
        ["refused", "checked", "granted"],
        wording=reasons.Wording(
            "the client", "they", {"granted": ("gets the loan", "would get the loan")}
        ),
    )
    refused, checked, granted = (build.leaf(label) for label in build.labels)
    by_age = build.decide(
        "age", {age.values[0]: refused, age.values[1]: checked, age.values[2]: granted}
    )
    return build.build(build.decide("job", {("clerk", "nurse"): by_age, "pilot": granted}))


def test_values_of_many_valued_features_are_said_in_words_or_as_they_are() -> None:
    told = loan().decide({"age": 50, "job": "clerk"}).statements()
    assert told == [
        "The client gets the loan because age > 40.",
        "The client would be checked if they were in the thirties, all else equal.",
        "The client would still get the loan even if job were nurse, because age > 40.",
    ]
    told = loan().decide({"age": 33, "job": "nurse"}).statements()
    assert (
        told[0]
        == "The client is checked because they are in the thirties and job in {clerk, nurse}."
    )
    assert told[1:] == [
        "The client would be refused if age were at most 25, all else equal.",
        "The client would get the loan if job were pilot, all else equal.",
    ]


def banded(labels: str) -> reasons.Classifier:
    """A number whose cells get these labels, beside two features that matter not."""
    number = reasons.Feature.numeric("income", range(10, 10 * len(labels), 10), missing=True)
    region = reasons.Feature.categorical("region", ["north", "south"], other=True, missing=True)
    build = reasons.Builder([number, region], sorted({*labels, "m"}))
    arms = dict(zip(number.values, [*labels, "m"], strict=True))
    return build.build(
        build.decide("income", {cell: build.leaf(label) for cell, label in arms.items()})
    )


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ("rrgggg", "above 20"),
        ("grrggg", "at most 10 or above 30"),
        ("rgrgrggg", "above 10 and at most 20, above 30 and at most 40 or above 50"),
        ("rgrgrgrggg", "above 10 and at most 20 or above 70"),
    ],
)
def test_what_would_change_a_decision_is_all_of_it_and_no_sliver(labels: str, said: str) -> None:
    clf = banded(labels)
    value = 10 * labels.index("r") + 5
    told = clf.decide({"income": value, "region": "north"}).statements()
    assert f"The decision would be g if income were {said}, all else equal." in told
    ((cells, _),) = parse_term(clf.schema, as_term(f"income were {said}")).values()
    assert {labels[cell] for cell in cells} == {"g"}


def test_a_feature_of_which_every_value_leaves_the_same_reason_is_said_once() -> None:
    told = banded("rrgggg").decide({"income": 5, "region": "north"}).statements(limit=50)
    assert [text for text in told if "region" in text] == [
        "The decision would still be r whatever region is, because income <= 20."
    ]


def test_labels_without_words_are_named() -> None:
    told = loan().decide({"age": 20, "job": "nurse"}).statements()
    assert told[0] == "The client is refused because age <= 25 and job in {clerk, nurse}."


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 50])
def test_there_are_at_most_as_many_as_asked_for(limit: int) -> None:
    every = decision("Susan", "C2").statements(protected="R", limit=50)
    assert decision("Susan", "C2").statements(protected="R", limit=limit) == every[:limit]


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(reasons.InputError):
        decision("Susan", "C2").statements(limit=-1)


def test_an_unknown_protected_feature_is_named() -> None:
    with pytest.raises(reasons.UnknownFeature, match="sex"):
        decision("Susan", "C2").statements(protected="sex")


def even_ifs(d: reasons.Decision) -> Iterator[tuple[int, int, reasons.Term]]:
    """Every change of one feature after which one reason remains, through the API alone."""
    for index, feature in enumerate(d.classifier.features):
        for cell in range(len(feature.values)):
            if cell == d.instance.cells[index]:
                continue
            changed = d._after(index, cell)
            if changed is None or changed.label != d.label:
                continue
            reason = changed.necessary_reason
            if reason and feature.name not in reason:
                yield index, cell, reason


@pytest.mark.parametrize("kind", KINDS)
def test_even_if_sentences_are_those_that_even_if_because_confirms(kind: str) -> None:
    for seed in range(60):
        case = random_case(kind, seed)
        subject = Subject(*case)
        for instance in instances_of(case, Random(seed), most=2):
            d = case.classifier.decide(subject.user_instance(instance))
            said = [text for text in sentences(d, ()) if " still be " in text]
            wanted = list(grouped(d))
            assert len(said) == len(wanted), (kind, seed, instance)
            for text, (index, cells, reason) in zip(said, wanted, strict=True):
                feature = d.classifier.features[index]
                for cell in cells:
                    change = {feature.name: feature.raw(cell)}
                    assert d.even_if_because(change, reason), (kind, seed, instance, text)
                whatever = f" whatever {feature.name} is, because "
                if whatever in text:
                    assert len(cells) > 1
                    assert set(cells) == set(possible(d, index))
                else:
                    supposed = d.classifier.wording.supposition([feature], {feature.name: cells})
                    assert f" even if {supposed}, because " in text
                assert f"would still be {d.label}" in text


def grouped(d: reasons.Decision) -> Iterator[tuple[int, list[int], reasons.Term]]:
    """The changes of each feature that leave the same reason, together."""
    groups: dict[tuple[int, reasons.Term], list[int]] = {}
    for index, cell, reason in even_ifs(d):
        groups.setdefault((index, reason), []).append(cell)
    return ((index, cells, reason) for (index, reason), cells in groups.items())


def possible(d: reasons.Decision, index: int) -> list[int]:
    """The other cells of a feature that, all else equal, are not impossible."""
    others = set(range(len(d.classifier.features[index].values))) - {d.instance.cells[index]}
    return [cell for cell in sorted(others) if d._after(index, cell) is not None]


HOSTILE = [
    "because",
    "a and b, all else equal.",
    "<script>alert(1)</script>",
    "[bold]red[/bold]",
    "{0} %s {name}",
    "\x1b[31mred",
    "line\nbreak",
    'quote"quote',
    "back\\slash",
    "علي",
    "名前",
    "would ",
    "x" * 500,
]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_are_said_and_nothing_else_happens(name: str) -> None:
    build = reasons.Builder([name, "other"])
    no, yes = build.leaf(False), build.leaf(True)
    both = build.decide("other", {True: yes, False: no})
    clf = build.build(build.decide(name, {True: both, False: no}))
    d = clf.decide({name: True, "other": True})
    told = d.statements(protected=name)
    said = clf.features[0].says((1,))
    assert told[0] == f"The decision is True because {said} and other."
    assert told[1] == f"The decision would be False if {said} were false, all else equal."
    shown = d._repr_html_()
    assert "<script>" not in shown
    assert isinstance(str(d.reason), str)


def test_words_of_labels_may_be_one_text() -> None:
    build = reasons.Builder(
        ["a"], ["no", "yes"], wording=reasons.Wording("it", "it", {"yes": "goes"})
    )
    clf = build.build(build.decide("a", {True: build.leaf("yes"), False: build.leaf("no")}))
    told = clf.decide("a").statements()
    assert told == ["It goes because a.", "It would be no if a were false, all else equal."]
    assert clf.decide("~a").statements()[1] == "It would be yes if a were true, all else equal."


def test_of_a_number_with_many_cells_all_that_do_the_same_are_supposed_at_once() -> None:
    """Trained models have hundreds of cells a column, and a sentence for each drowned the rest."""
    age = reasons.Feature.numeric("age", cuts=range(20, 60, 2), missing=True)
    build = reasons.Builder([age, "paid"], ["no", "yes"])
    no, yes = build.leaf("no"), build.leaf("yes")
    test = {value: build.decide("paid", {True: yes, False: no}) for value in age.values[:-1]}
    clf = build.build(build.decide("age", {**test, age.values[-1]: no}))
    said = clf.decide({"age": 33, "paid": False}).statements(limit=100)
    assert [text for text in said if "even if age" in text] == [
        "The decision would still be no even if age were not missing, because ~paid.",
    ]

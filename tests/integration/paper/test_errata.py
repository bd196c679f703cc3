"""Where the paper's prose contradicts its formulas; each erratum is asserted.

The package follows the formulas. Numbers of sections, definitions and theorems
are those of the printed paper.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import reasons
from tests.support.paper import (
    APRIL,
    BOB,
    C1,
    C2,
    C3,
    COVERED,
    GREG,
    GREG_IN_SECTION_6,
    NANCY,
    RICH_SUSAN,
    ROBIN,
    SCOTT,
    SCOTT_IN_SECTION_7,
    STUDY,
    SUSAN,
    TWINS,
    instances,
    is_reason,
    literals,
    names_of,
    shown,
    term,
    terms,
)


class Erratum(NamedTuple):
    where: str
    printed: str
    explanation: str


ERRATA = {
    "two_gregs": Erratum(
        "sections 3 and 4 against section 6",
        "Greg is E, ~F, ~G, W; later his application is similar to Susan's: E, ~F, G, W",
        "Two instances. Section 4's claim that E, G is no property of Greg is true of the first "
        "only; the second has a third sufficient reason, E, G.",
    ),
    "two_scotts": Erratum(
        "section 7 against section 9",
        "Scott is G, ~E, M, ~R for C3 and E, ~F, G, W, R in Figure 5",
        "Two applicants: one failed the exam and is not rich, the other passed it and is rich.",
    ),
    "greg_because": Erratum(
        "section 4, after Theorem 1",
        "Greg was admitted because he passed the exam and satisfied one of two additional "
        "requirements: he applied before and has work experience",
        "By Definition 5 nothing is the because of this decision; and the two requirements are "
        "alternatives: the complete reason is E and (~F or W).",
    ),
    "nancy_is_not_bob": Erratum(
        "section 7, after equation 1",
        "Nancy has similar characteristics [to Bob] but does not come from a rich hometown",
        "Nancy also differs in M; Bob without the rich hometown is Scott, who is admitted.",
    ),
    "scott_is_not_nancy": Erratum(
        "section 7, after equation 1",
        "Scott has the same characteristics as Nancy",
        "The same unprotected characteristics: they differ in M, and that changes the decision.",
    ),
    "one_other_reason": Erratum(
        "section 1",
        "there are other reasons in this case [why C2 admitted Susan]",
        "There is exactly one other sufficient reason: E, R.",
    ),
    "one_necessary_characteristic": Erratum(
        "section 5, Proposition 3 and the sentence before it",
        "If an instance ceases to satisfy one necessary characteristic, the decision changes",
        "Only if nothing else changes: with an unnecessary characteristic changed as well it may "
        "stick. The proof needs that, and the proposition must be read so.",
    ),
    "necessary_needs_boolean": Erratum(
        "section 5, Proposition 3, beyond the paper",
        "Changing one necessary characteristic changes the decision",
        "Holds for Boolean features. With three values, some change of it changes the decision, "
        "another need not.",
    ),
    "previous_classifiers_monotone": Erratum(
        "section 9, before the formula",
        "the previous classifiers we considered were all monotone",
        "The classifiers of section 5 (X, Y, Z) and of section 8 (the cover) are not; C1, C2 and "
        "C3 are, in the sense of Definition 13.",
    ),
    "hidden_classifier_bias_test": Erratum(
        "section 8.3, in the source only, marked by the authors as wrong",
        "quantify all other features from R and compare the result given X and given ~X",
        "It overlooks X wherever some sufficient reason does without it: on Robin it finds no "
        "dependence on R, on which the reason does depend (Theorem 7).",
    ),
    "syntax_is_not_meaning": Erratum(
        "section 9, on April",
        "the protected feature R appears in the reason circuit",
        "In the syntax of the circuit drawn; no sufficient reason mentions R, and the reason given "
        "R equals the reason given ~R. Compare meanings.",
    ),
    "algorithm_1_has_no_literals": Erratum(
        "section 8.3, Algorithm 1",
        "cases for constants, and-gates and decisions",
        "Definition 9 lets literals be inputs; the algorithm has no case for them. A literal gives "
        "{{l}} if l is in the instance, else {}.",
    ),
}


def test_every_erratum_is_asserted() -> None:
    asserted = {name for name in globals() if name.startswith("test_erratum_")}
    assert asserted == {f"test_erratum_{name}" for name in ERRATA}


def test_erratum_two_gregs() -> None:
    greg, other = C1.decide(GREG), C1.decide(GREG_IN_SECTION_6)
    assert shown(greg.sufficient_reasons()) == terms("(E, ~F) (E, W)")
    assert shown(other.sufficient_reasons()) == terms("(E, ~F) (E, W) (E, G)")
    susan = C1.decide(SUSAN)
    assert not greg.reason.evaluate(susan.instance)
    assert other.reason.evaluate(susan.instance)


def test_erratum_two_scotts() -> None:
    assert literals(SCOTT_IN_SECTION_7) >= literals("~E, ~R")
    assert literals(SCOTT) >= literals("E, R")


def test_erratum_greg_because() -> None:
    greg = C1.decide(GREG)
    assert greg.necessary_reason is None
    assert is_reason(C1, GREG, lambda E, F, W, **_: E and (not F or W))
    assert not is_reason(C1, GREG, lambda E, F, W, **_: E and (not F and W))
    assert not greg.because(term("E, ~F, W"))


def test_erratum_nancy_is_not_bob() -> None:
    assert literals(BOB) - literals(NANCY) == literals("M, R")
    assert C3.decide(BOB).replace(term("~R")).label
    assert dict(C3.decide(BOB).replace(term("~R")).instance) == term(SCOTT_IN_SECTION_7)


def test_erratum_scott_is_not_nancy() -> None:
    assert literals(SCOTT_IN_SECTION_7) - literals(NANCY) == literals("M")
    assert C3.decide(SCOTT_IN_SECTION_7).label != C3.decide(NANCY).label


def test_erratum_one_other_reason() -> None:
    assert shown(C2.decide(RICH_SUSAN).sufficient_reasons()) == terms("(E, G) (E, R)")


def test_erratum_one_necessary_characteristic() -> None:
    decision = reasons.compile("X | ~Y", features=["X", "Y"]).decide("X, Y")
    assert dict(decision.necessary_property) == term("X")
    assert decision.replace(term("~X")).label != decision.label
    assert decision.replace(term("~X, ~Y")).label == decision.label


def test_erratum_necessary_needs_boolean() -> None:
    builder = reasons.Builder([reasons.Feature.categorical("job", ["a", "b", "c"])], ["no", "yes"])
    root = builder.decide("job", {("a", "b"): builder.leaf("yes"), ("c",): builder.leaf("no")})
    decision = builder.build(root).decide({"job": "a"})
    assert dict(decision.necessary_property) == {"job": "a"}
    assert decision.replace({"job": "b"}).label == decision.label
    assert decision.replace({"job": "c"}).label != decision.label


def is_unate(classifier: reasons.Classifier) -> bool:
    """Whether each feature only ever helps or only ever hurts."""
    for name in names_of(classifier):
        effects = set()
        for x in instances(names_of(classifier)):
            without, with_it = ({**x, name: value} for value in (False, True))
            effects.add(classifier.decide(with_it).label - classifier.decide(without).label)
        if {-1, 1} <= effects:
            return False
    return True


def test_erratum_previous_classifiers_monotone() -> None:
    assert [is_unate(each) for each in (C1, C2, C3)] == [True, True, True]
    assert [is_unate(each) for each in (TWINS, COVERED, STUDY)] == [False, False, False]


def test_erratum_hidden_classifier_bias_test() -> None:
    decision = STUDY.decide(ROBIN)
    star = decision.reason.exists({"E", "F", "G", "W"})
    given = [star.condition(term(text)).is_valid() for text in ("R", "~R")]
    assert given == [True, True], "the hidden test sees no dependence on R"
    assert decision.shows_classifier_bias({"R"})
    assert STUDY.bias({"R"})


def test_erratum_syntax_is_not_meaning() -> None:
    reason = STUDY.decide(APRIL).reason
    rich, poor = reason.condition(term("R")), reason.condition(term("~R"))
    for x in instances(names_of(STUDY)):
        assert rich.evaluate(x) == poor.evaluate(x)
    assert "R" not in STUDY.decide(APRIL).relevant_features()


Circuit = bool | str | tuple[Any, ...]
"""A constant, a literal, ("and", a, b), or ("or", X, high, low)."""


def algorithm_1(
    circuit: Circuit, instance: frozenset[str], literal: Callable[[str], set[frozenset[str]]]
) -> set[frozenset[str]]:
    """The paper's Algorithm 1 without its cache; `literal` is the case it lacks."""
    match circuit:
        case bool():
            found = {frozenset[str]()} if circuit else set()
        case str():
            found = literal(circuit)
        case ("and", one, other):
            found = product_of(*(algorithm_1(part, instance, literal) for part in (one, other)))
        case ("or", name, high, low):
            parts = [algorithm_1(part, instance, literal) for part in (high, low)]
            own = name if name in instance else f"~{name}"
            followed = parts[0] if name in instance else parts[1]
            found = product_of(*parts) | {frozenset({own}) | each for each in followed}
    return {each for each in found if not any(other < each for other in found)}


def product_of(one: set[frozenset[str]], other: set[frozenset[str]]) -> set[frozenset[str]]:
    return {a | b for a in one for b in other}


def test_erratum_algorithm_1_has_no_literals() -> None:
    greg = frozenset({"E", "~F", "~G", "W"})
    circuit = ("and", "E", ("or", "F", ("or", "G", True, "W"), True))

    def as_printed(literal: str) -> set[frozenset[str]]:
        raise NotImplementedError(literal)

    def made_right(literal: str) -> set[frozenset[str]]:
        return {frozenset({literal})} if literal in greg else set()

    with pytest.raises(NotImplementedError):
        algorithm_1(circuit, greg, as_printed)
    assert algorithm_1(circuit, greg, made_right) == {frozenset({"E", "~F"}), frozenset({"E", "W"})}

"""What sections 1 to 8 of the paper say about their examples.

Each test says where. The case study of section 9 is in test_case_study.py;
sentences of the paper that its formulas contradict are in test_errata.py.
"""

import pytest

import reasons
from tests.support.paper import (
    BOB,
    C1,
    C2,
    C3,
    COVERED,
    FORMULAS,
    GREG,
    GREG_IN_SECTION_6,
    HEATHER,
    JACKIE,
    LISA,
    NANCY,
    RICH_SUSAN,
    SCOTT_IN_SECTION_7,
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

PROTECTED = {"M", "R"}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_classifiers_decide_as_their_formulas_say(name: str) -> None:
    """Section 2, section 7 equation 1, section 9; sections 5 and 8 for the small ones."""
    classifier, formula = FORMULAS[name]
    for instance in instances(names_of(classifier)):
        assert classifier.decide(instance).label == bool(formula(**instance))


def test_susan_is_admitted_by_both() -> None:
    """Section 1."""
    assert C1.decide(SUSAN).label
    assert C2.decide(RICH_SUSAN).label


def test_susan_is_admitted_by_the_first_because_of_exam_and_gpa() -> None:
    """Section 1; again in section 6, before Definition 5."""
    assert C1.decide(SUSAN).because(term("E, G"))


def test_one_reason_why_the_second_admitted_susan_is_exam_and_gpa() -> None:
    """Section 1: one reason, and there are others, so no because."""
    decision = C2.decide(RICH_SUSAN)
    assert term("E, G") in decision.sufficient_reasons()
    assert decision.sufficient_reasons().count() > 1
    assert not decision.because(term("E, G"))


def test_the_second_would_still_admit_susan_with_a_low_gpa() -> None:
    """Section 1; section 6, after Definition 6, with its justification."""
    decision = C2.decide(RICH_SUSAN)
    assert decision.even_if_because(term("~G"), term("E, R"))
    changed = decision.replace(term("~G"))
    assert changed.label == decision.label
    assert dict(changed.instance) == term("E, F, ~G, ~W, R")
    assert changed.because(term("E, R"))
    assert is_reason(C2, "E, F, ~G, ~W, R", lambda E, R, **_: E and R)


def test_the_second_classifier_is_biased() -> None:
    """Section 1: two applicants who differ only on the hometown are decided differently."""
    bias = C2.bias({"R"})
    assert bias
    one, other = bias.witness
    assert {name for name in one if one[name] != other[name]} == {"R"}
    assert C2.decide(one).label != C2.decide(other).label


def test_the_first_classifier_knows_no_hometown() -> None:
    """Section 1: the hometown is no feature of the first classifier."""
    with pytest.raises(reasons.UnknownFeature):
        C1.bias({"R"})


@pytest.mark.parametrize(
    ("classifier", "label", "primes"),
    [
        (C1, True, "(E, ~F) (E, G) (E, W)"),
        (C1, False, "(~E) (F, ~G, ~W)"),
        (C2, True, "(E, ~F) (E, G) (E, W) (E, R)"),
        (C2, False, "(~E) (F, ~G, ~W, ~R)"),
        (COVERED, True, "(X, Z) (Y, ~Z) (X, Y)"),
    ],
)
def test_prime_implicants(classifier: reasons.Classifier, label: bool, primes: str) -> None:
    """Section 2, both polarities of both classifiers; section 8 for the last."""
    assert shown(classifier.prime_implicants(label)) == terms(primes)
    assert classifier.prime_implicants(label).count() == len(terms(primes))


def test_an_implicant_that_is_not_prime() -> None:
    """Section 2: E, ~F, G is an implicant subsumed by E, ~F, which is prime."""
    primes = C1.prime_implicants(True)
    assert C1.decide("E, ~F, G, W").is_sufficient(term("E, ~F, G"))
    assert term("E, ~F, G") not in primes
    assert term("E, ~F") in primes
    assert literals("E, ~F") < literals("E, ~F, G")


def test_greg_is_admitted_for_two_sufficient_reasons() -> None:
    """Section 3: he is admitted however his other characteristics change."""
    decision = C1.decide(GREG)
    assert decision.label
    assert shown(decision.sufficient_reasons()) == terms("(E, ~F) (E, W)")
    for instance in instances(names_of(C1)):
        if instance["E"] and (not instance["F"] or instance["W"]):
            assert C1.decide(instance).label


def test_the_complete_reason_for_greg() -> None:
    """Section 4: E and (~F or W)."""
    assert is_reason(C1, GREG, lambda E, F, W, **_: E and (not F or W))


def test_greg_and_susan_are_admitted_for_different_reasons() -> None:
    """Section 4: Susan does not satisfy Greg's reason; hers is no property of Greg."""
    greg, susan = C1.decide(GREG), C1.decide(SUSAN)
    assert susan.label == greg.label
    assert not greg.reason.evaluate(susan.instance)
    assert shown(susan.sufficient_reasons()) == terms("(E, G)")
    assert not literals("E, G") <= frozenset(greg.instance.items())
    assert shown(greg.sufficient_reasons()).isdisjoint(shown(susan.sufficient_reasons()))


def test_three_necessary_characteristics() -> None:
    """Section 5, after Theorem 3: X, Y, Z is the only sufficient reason of X, Y, Z."""
    decision = TWINS.decide("X, Y, Z")
    assert decision.label
    assert shown(decision.sufficient_reasons()) == terms("(X, Y, Z)")
    assert dict(decision.necessary_property) == term("X, Y, Z")
    assert decision.necessary_reason is not None
    assert dict(decision.necessary_reason) == term("X, Y, Z")
    for flipped in ("~X", "~Y", "~Z"):
        assert not decision.replace(term(flipped)).label


def test_two_necessary_characteristics_flipped_keep_the_decision_for_another_reason() -> None:
    """Section 5, after Theorem 3."""
    changed = TWINS.decide("X, Y, Z").replace(term("~X, ~Y"))
    assert changed.label
    assert shown(changed.sufficient_reasons()) == terms("(~X, ~Y, Z)")


def test_there_may_be_no_necessary_reason() -> None:
    """Section 5, after Definition 4, shown on Greg of section 3."""
    decision = C1.decide(GREG)
    assert dict(decision.necessary_property) == term("E")
    assert decision.necessary_reason is None


def test_no_because_statement_can_be_made_about_greg() -> None:
    """Section 6, before Definition 5: no single property of Greg triggered admission."""
    decision = C1.decide(GREG_IN_SECTION_6)
    assert decision.label
    assert decision.necessary_reason is None
    for property_ in instances("EFGW"):
        kept = {name: decision.instance[name] for name, keep in property_.items() if keep}
        assert not decision.because(kept)


def test_jackie_is_denied_even_if_her_gpa_were_high_because_she_failed_the_exam() -> None:
    """Section 6, last paragraph."""
    decision = C1.decide(JACKIE)
    assert not decision.label
    assert decision.even_if_because(term("G"), term("~E"))
    assert dict(decision.replace(term("G")).instance) == term("~E, ~F, G, W")
    assert is_reason(C1, "~E, ~F, G, W", lambda E, **_: not E)


def test_bob_is_admitted_by_bias() -> None:
    """Section 7, after Theorem 4: each of the two sufficient reasons has a protected feature."""
    decision = C3.decide(BOB)
    assert decision.label
    assert shown(decision.sufficient_reasons()) == terms("(G, M) (G, R)")
    bias = decision.bias(PROTECTED)
    assert bias
    assert dict(bias.witness) == term(NANCY)


def test_sufficient_reasons_of_a_biased_decision_need_share_no_protected_feature() -> None:
    """Section 7, after Theorem 4: neither M nor R alone makes Bob's decision biased."""
    decision = C3.decide(BOB)
    assert not decision.bias({"M"})
    assert not decision.bias({"R"})


def test_nancy_is_denied_and_scott_admitted() -> None:
    """Section 7, after Theorem 4."""
    assert not C3.decide(NANCY).label
    assert C3.decide(SCOTT_IN_SECTION_7).label


def test_some_decisions_of_the_biased_classifier_are_unbiased() -> None:
    """Section 7, before Definition 8: with G and E, and without G."""
    assert C3.bias(PROTECTED)
    for instance in instances("GEMR"):
        decision = C3.decide(instance)
        if instance["G"] and instance["E"]:
            assert decision.label
            assert not decision.bias(PROTECTED)
        if not instance["G"]:
            assert not decision.label
            assert not decision.bias(PROTECTED)
            assert decision.is_sufficient(term("~G"))


def test_lisa_is_admitted_without_bias_but_shows_that_the_classifier_is_biased() -> None:
    """Section 7, after Theorem 5."""
    decision = C3.decide(LISA)
    assert decision.label
    assert shown(decision.sufficient_reasons()) == terms("(G, E) (G, R)")
    assert not decision.bias(PROTECTED)
    assert decision.shows_classifier_bias(PROTECTED)
    for instance in instances("GEMR"):
        if instance["G"] and instance["E"]:
            assert C3.decide(instance).label


def test_nancy_and_heather_prove_the_classifier_biased() -> None:
    """Section 7, after Theorem 5: they disagree only on the hometown."""
    assert literals(NANCY) ^ literals(HEATHER) == literals("R") | literals("~R")
    assert not C3.decide(NANCY).label
    assert C3.decide(HEATHER).label
    assert C3.decide(NANCY).bias({"R"})
    assert C3.decide(HEATHER).bias({"R"})


def test_a_cover_would_miss_a_sufficient_reason() -> None:
    """Section 8: X, Y is redundant in the cover and still a reason for X, Y, Z."""
    decision = COVERED.decide("X, Y, Z")
    assert decision.label
    assert shown(decision.sufficient_reasons()) == terms("(X, Z) (X, Y)")
    cover = [term("X, Z"), term("Y, ~Z")]
    for instance in instances("XYZ"):
        covered = any(each.items() <= instance.items() for each in cover)
        assert covered == COVERED.decide(instance).label


def test_missing_that_reason_would_make_the_decision_look_biased() -> None:
    """Section 8: incomplete reasons mislead queries such as bias."""
    decision = COVERED.decide("X, Y, Z")
    assert not decision.bias({"Z"})
    assert decision.sufficient_reasons().without("Z").count() == 1


def test_filtering_is_monotone_in_agreement_with_the_instance() -> None:
    """Section 8, before Theorem 8: ~X, Y, Z agrees with X, Y, Z more than ~X, Y, ~Z."""
    for text in ("X | Y", "X & Y | Z", "Y", "Y & Z | X", "X & Z | Y & ~Z"):
        decision = reasons.compile(text, features=["X", "Y", "Z"]).decide("X, Y, Z")
        less, more = decision.reason.evaluate("~X, Y, ~Z"), decision.reason.evaluate("~X, Y, Z")
        assert more >= less

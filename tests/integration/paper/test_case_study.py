"""What section 9 of the paper says about its case study; the hometown R is protected."""

import pytest

from tests.support.paper import (
    APRIL,
    ROBIN,
    SCOTT,
    STUDY,
    instances,
    is_reason,
    literals,
    shown,
    term,
    terms,
)

RICH = {"R"}
UNPROTECTED = {"E", "F", "G", "W"}
PRIMES = "(E, F, W) (E, F, G) (G, R, W) (E, ~F, R) (E, R, W) (E, G, R)"


def test_prime_implicants_of_the_classifier() -> None:
    """Section 9, second display."""
    assert shown(STUDY.prime_implicants(True)) == terms(PRIMES)
    assert STUDY.prime_implicants(True).count() == 6


def test_some_prime_implicants_are_not_essential() -> None:
    """Section 9, above the second display: the others still cover the function."""
    redundant = set()
    for prime in terms(PRIMES):
        others = terms(PRIMES) - {prime}
        covered = [any(t <= set(x.items()) for t in others) for x in instances("EFGWR")]
        if covered == [STUDY.decide(x).label for x in instances("EFGWR")]:
            redundant.add(prime)
    assert redundant == terms("(E, R, W) (E, G, R)")


def test_the_classifier_is_not_monotone() -> None:
    """Section 9: applying for the first time helps the poor and hurts the rich."""
    assert STUDY.decide("E, F, G, ~W, ~R").label
    assert not STUDY.decide("E, ~F, G, ~W, ~R").label
    assert STUDY.decide("E, ~F, ~G, ~W, R").label
    assert not STUDY.decide("E, F, ~G, ~W, R").label


def test_only_the_rich_are_admitted_without_the_exam() -> None:
    """Section 9, first paragraph."""
    admitted = [x for x in instances("EFGWR") if not x["E"] and STUDY.decide(x).label]
    assert admitted
    assert all(x["R"] for x in admitted)


@pytest.mark.parametrize("applicant", [SCOTT, ROBIN, APRIL])
def test_all_three_applicants_are_admitted(applicant: str) -> None:
    """Section 9, Figure 5 (the table); each satisfies the own reason."""
    decision = STUDY.decide(applicant)
    assert decision.label
    assert decision.reason.is_satisfiable()
    assert decision.reason.evaluate(applicant)


def test_sufficient_reasons_of_scott() -> None:
    """Section 9, third display: all contain the protected feature."""
    found = STUDY.decide(SCOTT).sufficient_reasons()
    assert shown(found) == terms("(E, G, R) (E, R, W) (E, R, ~F) (G, R, W)")
    assert found.without("R").count() == 0


def test_the_decision_on_scott_is_biased() -> None:
    """Section 9: by definition, by Theorem 6, and with its witness."""
    decision = STUDY.decide(SCOTT)
    bias = decision.bias(RICH)
    assert bias
    assert dict(bias.witness) == {**term(SCOTT), "R": False}
    assert not decision.reason.exists(UNPROTECTED).is_valid()


def test_a_poor_scott_would_be_denied_because_of_two_characteristics() -> None:
    """Section 9, after the third display: because ~F, ~R."""
    denied = STUDY.decide(SCOTT).replace(term("~R"))
    assert not denied.label
    assert denied.because(term("~F, ~R"))
    assert is_reason(STUDY, "E, ~F, G, W, ~R", lambda F, R, **_: not F and not R)


def test_sufficient_reasons_of_robin() -> None:
    """Section 9, fourth display: two without the protected feature."""
    found = STUDY.decide(ROBIN).sufficient_reasons()
    assert shown(found) == terms("(E, F, G) (E, F, W) (E, G, R) (E, R, W) (G, R, W)")
    assert shown(found.without("R")) == terms("(E, F, G) (E, F, W)")


def test_the_decision_on_robin_is_not_biased() -> None:
    """Section 9: valid after quantification; the same without the rich hometown."""
    decision = STUDY.decide(ROBIN)
    assert not decision.bias(RICH)
    assert decision.bias(RICH).witness is None
    assert decision.reason.exists(UNPROTECTED).is_valid()
    assert decision.replace(term("~R")).label == decision.label


def test_robin_shows_that_the_classifier_is_biased() -> None:
    """Section 9: bias inferred from the reason of an unbiased decision."""
    assert STUDY.decide(ROBIN).shows_classifier_bias(RICH)
    one, other = STUDY.bias(RICH).witness
    assert {name for name in one if one[name] != other[name]} == RICH
    assert STUDY.decide(one).label != STUDY.decide(other).label


def test_the_inference_of_classifier_bias_is_not_complete() -> None:
    """Section 9: biased, though no sufficient reason of April mentions the hometown."""
    decision = STUDY.decide(APRIL)
    assert not decision.shows_classifier_bias(RICH)
    assert STUDY.bias(RICH)


def test_the_decision_on_april_is_not_biased() -> None:
    """Section 9: whatever occurs in the circuit, its meaning has no hometown."""
    decision = STUDY.decide(APRIL)
    assert not decision.bias(RICH)
    assert decision.reason.exists(UNPROTECTED).is_valid()
    assert is_reason(STUDY, APRIL, lambda E, F, G, W, **_: E and F and (G or W))
    assert set(decision.relevant_features()) == UNPROTECTED


def test_necessary_property_of_april() -> None:
    """Section 9: E, F, and flipping either flips the decision."""
    decision = STUDY.decide(APRIL)
    assert dict(decision.necessary_property) == term("E, F")
    assert decision.necessary_reason is None
    assert not decision.replace(term("~E")).label
    assert not decision.replace(term("~F")).label


def test_april_would_be_admitted_without_work_experience() -> None:
    """Section 9: because E, G, F; and denied if she violated one of these too."""
    decision = STUDY.decide(APRIL)
    assert decision.even_if_because(term("~W"), term("E, G, F"))
    for flipped in ("~E", "~G", "~F"):
        assert not decision.replace({**term("~W"), **term(flipped)}).label


@pytest.mark.parametrize(
    ("applicant", "sufficient"),
    [
        (SCOTT, "(E, G, R) (E, R, W) (E, R, ~F) (G, R, W)"),
        (ROBIN, "(E, F, G) (E, F, W) (E, G, R) (E, R, W) (G, R, W)"),
        (APRIL, "(E, F, G) (E, F, W)"),
    ],
)
def test_the_complete_reason_is_the_disjunction(applicant: str, sufficient: str) -> None:
    """Section 9, Figure 6: the drawings are missing, so the meanings by Definition 2."""
    wanted = terms(sufficient)
    assert all(each <= literals(applicant) for each in wanted)
    assert is_reason(STUDY, applicant, lambda **x: any(each <= x.items() for each in wanted))

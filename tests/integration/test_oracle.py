"""The oracle itself: against the paper, against theorems it does not use, and able to fail."""

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from tests.support import oracle
from tests.support.oracle import IMPOSSIBLE, Function, Instance, Label, Term
from tests.support.specs import Table

SEEDS = range(60)


def boolean(arity: int, formula: Callable[..., object]) -> Function:
    rows = product((0, 1), repeat=arity)
    return Function((2,) * arity, {x: bool(formula(*x)) for x in rows})


def literals(names: str, text: str) -> Term:
    """The term of a text such as "E,~F" over the one-letter names."""
    parts = [part for part in text.split(",") if part]
    return frozenset((names.index(part[-1]), int(part[0] != "~")) for part in parts)


def all_literals(names: str, text: str) -> set[Term]:
    return {literals(names, part) for part in text.split()}


def random_function(seed: int) -> Function:
    """Two to four features of two or three values, three labels, some instances impossible."""
    rng = Random(seed)
    domains = tuple(rng.choice([2, 3]) for _ in range(rng.randrange(2, 5)))
    pool: list[Label] = ["a", "a", "b", "c"] + [IMPOSSIBLE] * (seed % 3)
    table = {x: rng.choice(pool) for x in product(*map(range, domains))}
    table[(0,) * len(domains)] = "a"
    return Function(domains, table)


C1 = boolean(4, lambda E, F, G, W: E and (not F or G or W))
STUDY = boolean(
    5, lambda E, F, G, W, R: (E and ((F and (G or W)) or (not F and R))) or (G and R and W)
)


def test_prime_implicants_of_the_first_classifier_are_the_papers() -> None:
    assert oracle.prime_implicants(C1, True) == all_literals("EFGW", "E,~F E,G E,W")
    assert oracle.prime_implicants(C1, False) == all_literals("EFGW", "~E F,~G,~W")


def test_prime_implicants_of_the_case_study_are_the_papers() -> None:
    expected = "E,F,W E,F,G G,R,W E,~F,R E,R,W E,G,R"
    assert oracle.prime_implicants(STUDY, True) == all_literals("EFGWR", expected)


def test_reasons_of_greg_are_the_papers() -> None:
    greg = (1, 0, 0, 1)
    assert oracle.sufficient_reasons(C1, greg) == all_literals("EFGW", "E,~F E,W")
    assert oracle.complete_reason(C1, greg) == {
        x for x in C1.instances() if x[0] and (not x[1] or x[3])
    }
    assert oracle.necessary_property(C1, greg) == literals("EFGW", "E")
    assert oracle.necessary_reason(C1, greg) is None
    assert oracle.contrastive_sets(C1, greg) == {frozenset({0}), frozenset({1, 3})}


def test_because_and_even_if_because_are_the_papers() -> None:
    susan, jackie = (1, 1, 1, 0), (0, 0, 0, 1)
    assert oracle.because(C1, susan, literals("EFGW", "E,G"))
    assert not oracle.because(C1, susan, literals("EFGW", "E"))
    assert oracle.even_if_because(C1, jackie, {2: 1}, literals("EFGW", "~E"))
    assert not oracle.even_if_because(C1, jackie, {0: 1}, frozenset())


def test_the_three_applicants_of_the_case_study_are_biased_as_the_paper_says() -> None:
    scott, robin, april = (1, 0, 1, 1, 1), (1, 1, 1, 1, 1), (1, 1, 1, 1, 0)
    rich = frozenset({4})
    assert oracle.is_decision_biased(STUDY, scott, rich)
    assert not oracle.is_decision_biased(STUDY, robin, rich)
    assert not oracle.is_decision_biased(STUDY, april, rich)
    assert oracle.is_classifier_biased(STUDY, rich)
    assert oracle.relevant_features(STUDY, robin) == {0, 1, 2, 3, 4}
    assert oracle.relevant_features(STUDY, april) == {0, 1, 2, 3}


def test_a_general_reason_widens_the_value() -> None:
    older = Function((4,), {(0,): "no", (1,): "yes", (2,): "yes", (3,): "no"})
    assert oracle.sufficient_reasons(older, (1,)) == {frozenset({(0, 1)})}
    assert oracle.complete_reason(older, (1,)) == {(1,)}
    assert oracle.maximal_boxes(older, (1,)) == {(frozenset({1, 2}),)}
    assert oracle.general_complete_reason(older, (1,)) == {(1,), (2,)}


def test_general_sufficient_reasons_can_be_stronger_than_the_general_complete_reason() -> None:
    # B is fixed by one maximal box; the other constrains A too, so it is no sufficient reason.
    table: Table = {
        (a, b): "yes" if b == 0 or (a, b) == (0, 1) else "no" for a in (0, 1) for b in range(3)
    }
    function = Function((2, 3), table)
    assert oracle.general_complete_reason(function, (0, 0)) == {(0, 0), (1, 0), (0, 1)}
    assert oracle.general_sufficient_reasons(function, (0, 0)) == {
        (frozenset({0, 1}), frozenset({0}))
    }


def test_an_impossible_instance_is_fine_for_every_label() -> None:
    # A = B always; so either of them alone decides.
    table: Table = {(0, 0): "no", (1, 1): "yes", (0, 1): IMPOSSIBLE, (1, 0): IMPOSSIBLE}
    twins = Function((2, 2), table)
    assert oracle.sufficient_reasons(twins, (1, 1)) == all_literals("AB", "A B")
    assert oracle.prime_implicants(twins, "yes") == all_literals("AB", "A B")
    assert oracle.contrastive_sets(twins, (1, 1)) == {frozenset({0, 1})}
    assert not oracle.is_decision_biased(twins, (1, 1), frozenset({0}))
    assert not oracle.is_classifier_biased(twins, frozenset({0}))
    assert oracle.is_classifier_biased(twins, frozenset({0, 1}))
    assert oracle.count(twins, "yes") == 1
    with pytest.raises(ValueError, match="impossible"):
        oracle.sufficient_reasons(twins, (0, 1))


def test_a_term_without_allowed_instances_is_no_implicant() -> None:
    table: Table = {(0, 0): "no", (0, 1): "yes", (1, 0): IMPOSSIBLE, (1, 1): IMPOSSIBLE}
    assert oracle.prime_implicants(Function((2, 2), table), "yes") == all_literals("AB", "B")


def test_a_constant_is_decided_because_of_nothing() -> None:
    constant = boolean(2, lambda X, Y: True)
    assert oracle.sufficient_reasons(constant, (0, 1)) == {frozenset()}
    assert oracle.necessary_reason(constant, (0, 1)) == frozenset()
    assert oracle.contrastive_sets(constant, (0, 1)) == frozenset()
    assert oracle.prime_implicants(constant, False) == frozenset()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_notions_fit_together_as_theorems_say(seed: int) -> None:
    function = random_function(seed)
    for instance in function.allowed:
        reasons = oracle.sufficient_reasons(function, instance)
        contrastive = oracle.contrastive_sets(function, instance)
        sets = {frozenset(f for f, _ in term) for term in reasons}
        assert contrastive == hitting_sets(function, sets)
        assert {frozenset({f}) for f, _ in oracle.necessary_property(function, instance)} == {
            s for s in contrastive if len(s) == 1
        }
        assert reasons == {
            term
            for term in oracle.prime_implicants(function, function.label(instance))
            if oracle.satisfies(term, instance)
        }
        general = oracle.general_sufficient_reasons(function, instance)
        assert {oracle.constrained(function, box) for box in general} == sets
        for protected in oracle.subsets(function.features):
            biased = oracle.is_decision_biased(function, instance, protected)
            assert biased == all(protected & features for features in sets)
            assert biased == any(s <= protected for s in contrastive)


def hitting_sets(function: Function, sets: set[frozenset[int]]) -> frozenset[frozenset[int]]:
    return oracle.minimal(
        s for s in oracle.subsets(function.features) if all(s & other for other in sets)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_simple_implies_general_implies_the_decision(seed: int) -> None:
    function = random_function(seed)
    for instance in function.allowed:
        simple = oracle.complete_reason(function, instance)
        general = oracle.general_complete_reason(function, instance)
        fine = {function.label(instance), IMPOSSIBLE}
        assert instance in simple
        assert simple <= general <= {x for x in function.instances() if function.table[x] in fine}
        if set(function.domains) == {2}:
            assert simple == general


def answers(function: Function, instance: Instance) -> dict[str, object]:
    return {
        "sufficient": oracle.sufficient_reasons(function, instance),
        "complete": oracle.complete_reason(function, instance),
        "general": oracle.general_complete_reason(function, instance),
        "general sufficient": oracle.general_sufficient_reasons(function, instance),
        "necessary": oracle.necessary_property(function, instance),
        "contrastive": oracle.contrastive_sets(function, instance),
        "bias": oracle.is_decision_biased(function, instance, frozenset({0})),
        "classifier bias": oracle.is_classifier_biased(function, frozenset({0})),
        "relevant": oracle.relevant_features(function, instance),
        "primes": oracle.prime_implicants(function, function.label(instance)),
        "count": oracle.count(function, function.label(instance)),
    }


def test_every_answer_of_the_oracle_can_fail() -> None:
    """A single wrong row of a truth table shows in every kind of answer."""
    both = boolean(3, lambda X, Y, Z: Y and Z)
    seen: set[str] = set()
    for row in both.instances():
        wrong = Function(both.domains, {**both.table, row: not both.table[row]})
        for instance in (x for x in both.instances() if x != row):
            right_answers, wrong_answers = answers(both, instance), answers(wrong, instance)
            seen |= {name for name in right_answers if right_answers[name] != wrong_answers[name]}
            assert right_answers["primes"] != wrong_answers["primes"]
    assert seen == set(answers(both, (1, 1, 1)))


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="one row for every instance"):
        Function((2,), {(0,): True})
    with pytest.raises(ValueError, match="not a property"):
        oracle.is_sufficient(C1, (1, 0, 0, 1), {0: 0})
    with pytest.raises(ValueError, match="not a property"):
        oracle.because(C1, (1, 0, 0, 1), frozenset({(0, 0)}))
    with pytest.raises(ValueError, match="does not change"):
        oracle.changed((1, 0, 0, 1), {0: 1})

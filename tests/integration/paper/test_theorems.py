"""The propositions and theorems of the paper, as properties of the package's answers.

Only the package answers here; the oracle lends its way to list implicants.
Numbers are those of the printed paper; hidden ones are in its source only. Where
a statement holds for Boolean features only, so do the drawn decisions.
"""

import pytest
from hypothesis import assume
from hypothesis import strategies as st

import reasons
from tests.support import oracle
from tests.support.generators import case_of
from tests.support.oracle import Function
from tests.support.strategies import ANY, Pair, for_all, pairs, protected_of


@for_all(ANY)
def test_proposition_1_every_decision_has_a_sufficient_reason(pair: Pair) -> None:
    assert pair.sufficient(pair.one)
    assert pair.one.sufficient_reasons().count() >= 1


@for_all(ANY)
def test_proposition_2_a_shared_reason_means_equal_decisions(pair: Pair) -> None:
    if pair.sufficient(pair.one) & pair.sufficient(pair.other):
        assert pair.one.label == pair.other.label


@for_all(ANY)
def test_hidden_proposition_reasons_not_shared_are_no_properties_of_the_other(pair: Pair) -> None:
    mine = pair.sufficient(pair.one)
    if mine.isdisjoint(pair.sufficient(pair.other)):
        assert not any(oracle.satisfies(term, pair.beta) for term in mine)


@for_all(ANY)
def test_hidden_lemma_no_term_is_an_implicant_of_two_labels(pair: Pair) -> None:
    labels = pair.subject.classifier.labels
    seen = [oracle.implicants(pair.subject.function, label) for label in labels]
    assert sum(map(len, seen)) == len(frozenset().union(*seen))


@for_all(ANY)
def test_theorem_1_who_does_not_satisfy_the_reason_shares_none(pair: Pair) -> None:
    if pair.beta not in pair.models and pair.one.label == pair.other.label:
        theirs = pair.sufficient(pair.other)
        assert not any(oracle.satisfies(term, pair.alpha) for term in theirs)


@for_all(ANY)
def test_theorem_2_the_primes_of_the_reason_are_the_sufficient_reasons(pair: Pair) -> None:
    function = pair.subject.function
    models = pair.models
    reason = Function(function.domains, {x: x in models for x in function.instances()})
    assert oracle.prime_implicants(reason, True) == pair.sufficient(pair.one)


@for_all(pairs())
def test_proposition_3_flipping_one_necessary_characteristic_flips_the_decision(pair: Pair) -> None:
    for name, value in pair.one.necessary_property.items():
        assert pair.one.replace({name: not value}).label != pair.one.label


@for_all(pairs(boolean=False))
def test_proposition_3_for_many_values_some_change_of_it_changes_the_decision(pair: Pair) -> None:
    necessary = pair.one.necessary_property
    for feature in pair.subject.features:
        others = [v for v in feature.values if v != pair.one.instance[feature.name]]
        labels = {pair.one.replace({feature.name: value}).label for value in others}
        assert (feature.name in necessary) == (labels != {pair.one.label})


@for_all(ANY)
def test_theorem_3_without_a_necessary_characteristic_no_reason_is_shared(pair: Pair) -> None:
    necessary = pair.subject.term(pair.one.necessary_property)
    if not oracle.satisfies(necessary, pair.beta):
        assert pair.sufficient(pair.one).isdisjoint(pair.sufficient(pair.other))


@for_all(ANY)
def test_proposition_4_necessary_means_implied_by_the_reason(pair: Pair) -> None:
    necessary = pair.one.necessary_property
    for name, value in pair.one.instance.items():
        assert (name in necessary) == pair.one.reason.implies({name: value})


@for_all(pairs(), st.data())
def test_section_5_a_weaker_condition_admits_what_the_instance_has_not(
    pair: Pair, data: st.DataObject
) -> None:
    more = sorted(pair.truth() - pair.models)
    assume(more)
    weaker = pair.models | data.draw(st.frozensets(st.sampled_from(more), min_size=1))
    function = pair.subject.function
    condition = Function(function.domains, {x: x in weaker for x in function.instances()})
    primes = oracle.prime_implicants(condition, True)
    assert any(not oracle.satisfies(term, pair.alpha) for term in primes)


@for_all(pairs(), st.data())
def test_section_5_a_stronger_condition_misses_a_property_that_triggers(
    pair: Pair, data: st.DataObject
) -> None:
    lost = data.draw(st.sampled_from(sorted(pair.models)))
    stronger = pair.models - {lost}
    function = pair.subject.function
    boxes = [oracle.box_of(function, dict(term)) for term in pair.sufficient(pair.one)]
    assert any(
        not all(x in stronger for x in function.instances() if oracle.holds(box, x))
        for box in boxes
    )


@for_all(ANY)
def test_proposition_5_because_is_the_necessary_reason(pair: Pair) -> None:
    reason = pair.one.necessary_reason
    for term in oracle.properties(pair.alpha):
        said = pair.subject.user_term(term)
        is_it = reason is not None and pair.subject.term(reason) == term
        assert pair.one.because(said) == is_it
        assert is_it == (pair.sufficient(pair.one) == {term})


@for_all(ANY)
def test_section_6_even_if_because_means_the_decision_sticks(pair: Pair) -> None:
    change = {f: pair.beta[f] for f in oracle.differing(pair.alpha, pair.beta)}
    reason = pair.other.necessary_reason
    assume(change and reason is not None)
    assert reason is not None
    term = pair.subject.term(reason)
    if oracle.satisfies(term, pair.alpha):
        assert change.keys().isdisjoint(f for f, _ in term)
        said = pair.subject.user_change(change)
        assert pair.one.even_if_because(said, pair.subject.user_term(term))
        assert pair.one.label == pair.other.label


@for_all(ANY, st.data())
def test_theorem_4_biased_means_a_protected_feature_in_every_reason(
    pair: Pair, data: st.DataObject
) -> None:
    protected = protected_of(pair, data)
    biased = bool(pair.one.bias(pair.subject.names(protected)))
    touched = [any(f in protected for f, _ in term) for term in pair.sufficient(pair.one)]
    assert biased == all(touched)


@for_all(ANY, st.data())
def test_theorem_5_a_classifier_is_biased_when_some_reason_is_touched(
    pair: Pair, data: st.DataObject
) -> None:
    names = pair.subject.names(protected_of(pair, data))
    classifier = pair.subject.classifier
    every = [classifier.decide(pair.subject.user_instance(x)) for x in pair.subject.instances]
    shown = any(not names.isdisjoint(decision.relevant_features()) for decision in every)
    assert bool(classifier.bias(names)) == shown


@for_all(ANY, st.data())
def test_theorem_6_biased_means_not_valid_after_quantification(
    pair: Pair, data: st.DataObject
) -> None:
    protected = protected_of(pair, data)
    rest = pair.subject.names(set(pair.subject.function.features) - protected)
    biased = bool(pair.one.bias(pair.subject.names(protected)))
    assert biased == (not pair.one.reason.exists(rest).is_valid())


@for_all(ANY)
def test_theorem_7_dependence_of_the_reason_shows_classifier_bias(pair: Pair) -> None:
    for feature in pair.subject.features:
        given_ = {
            pair.subject.condition(pair.one.reason.condition({feature.name: value}))
            for value in feature.values
        }
        depends = len(given_) > 1
        assert depends == bool(pair.one.shows_classifier_bias({feature.name}))
        if depends:
            assert pair.subject.classifier.bias({feature.name})


@for_all(ANY, st.data())
def test_theorem_8_the_reason_is_monotone(pair: Pair, data: st.DataObject) -> None:
    agreeing = data.draw(st.frozensets(st.sampled_from(range(len(pair.alpha)))))
    gamma = tuple(pair.alpha[f] if f in agreeing else cell for f, cell in enumerate(pair.beta))
    assert (gamma in pair.models) >= (pair.beta in pair.models)


@for_all(ANY)
def test_hidden_theorem_who_satisfies_the_reason_does_so_by_what_is_shared(pair: Pair) -> None:
    if pair.beta in pair.models:
        shared = {
            pair.subject.features[f].name: pair.subject.features[f].values[cell]
            for f, cell in enumerate(pair.alpha)
            if pair.beta[f] == cell
        }
        assert pair.one.reason.condition(shared).is_valid()


@for_all(ANY)
def test_proposition_7_every_implicant_the_instance_has_implies_the_reason(pair: Pair) -> None:
    for term in pair.implicants():
        if oracle.satisfies(term, pair.alpha):
            assert pair.one.reason.condition(pair.subject.user_term(term)).is_valid()


@for_all(ANY)
def test_theorem_9_the_reason_keeps_exactly_the_primes_of_the_instance(pair: Pair) -> None:
    primes = pair.subject.classifier.prime_implicants(pair.one.label)
    own = {t for t in map(pair.subject.term, primes) if oracle.satisfies(t, pair.alpha)}
    assert own == pair.sufficient(pair.one)
    assert pair.models <= pair.truth()


@for_all(ANY)
def test_theorem_10_negation_and_conditioning(pair: Pair) -> None:
    reason, every = pair.one.reason, frozenset(pair.subject.instances)
    assert reason.is_satisfiable()
    assert reason.is_valid() == (pair.models == every)
    assert pair.subject.condition(reason.negate()) == every - pair.models
    assert reason.negate().is_satisfiable() == (not reason.is_valid())
    assert pair.subject.condition(reason.negate().negate()) == pair.models


@for_all(ANY, st.data())
def test_theorem_11_quantification_sets_literals_to_true(pair: Pair, data: st.DataObject) -> None:
    f = data.draw(st.sampled_from(range(len(pair.alpha))))
    some = pair.subject.condition(pair.one.reason.exists(pair.subject.names({f})))
    own = pair.one.reason.condition(pair.subject.user_term(frozenset({(f, pair.alpha[f])})))
    assert some == pair.subject.condition(own)


@for_all(pairs())
def test_section_9_all_primes_of_a_monotone_formula_are_essential(pair: Pair) -> None:
    primes = {pair.subject.term(t) for t in pair.subject.classifier.prime_implicants(True)}
    names = [f for term in primes for f in term]
    assume(all((f, 1 - cell) not in names for f, cell in names))
    for prime in primes:
        rest = primes - {prime}
        truth = {x for x, label in pair.subject.function.table.items() if label}
        assert truth != {x for x in truth if any(oracle.satisfies(term, x) for term in rest)}


def test_proposition_3_does_not_hold_for_every_change_of_many_values() -> None:
    case = case_of((3,), {(0,): "red", (1,): "red", (2,): "blue"}, ("red", "blue"))
    decision = case.classifier.decide({"A": "v0"})
    assert dict(decision.necessary_property) == {"A": "v0"}
    assert decision.replace({"A": "v1"}).label == "red"
    with pytest.raises(reasons.InputError):
        decision.replace({"A": "v0"})

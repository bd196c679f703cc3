"""Every query of the package against the oracle, for one decision or one classifier.

`compare` is the one comparison that all tests use; test_planted.py shows that it
sees wrong answers. It raises Mismatch, which says the query, the two answers and
the truth table. Answers that are not unique (a witness, one sufficient reason)
are checked for what they must be.
"""

from collections.abc import Mapping, Sequence
from random import Random

import reasons
from tests.support import oracle
from tests.support.comparison import Subject, refuses, termset
from tests.support.generators import instances_of
from tests.support.oracle import IMPOSSIBLE, Characteristic, Condition, Instance, Label
from tests.support.specs import Case

MANY = 16
"""Above this many instances, the quadratic checks look at a sample."""


def compare(
    classifier: reasons.Classifier,
    domains: Sequence[int],
    table: Mapping[Instance, Label],
    instance: Instance,
) -> None:
    """Raise Mismatch unless every query about the decision agrees with the oracle."""
    subject = Subject(classifier, domains, table)
    decision = classifier.decide(subject.user_instance(instance))
    compare_decision(subject, decision, instance)
    compare_general(subject, decision, instance)


def compare_some(case: Case, rng: Random, most: int = 2) -> None:
    """Raise Mismatch unless the classifier, and some of its decisions, agree with the oracle."""
    compare_classifier(*case)
    for instance in instances_of(case, rng, most):
        compare(*case, instance)


def compare_decision(subject: Subject, decision: reasons.Decision, instance: Instance) -> None:
    """Raise Mismatch unless every query but the general reasons agrees with the oracle."""
    subject.expect("label", decision.label, subject.function.label(instance))
    rng = Random(repr(instance))
    _reasons(subject, decision, instance, rng)
    _necessary(subject, decision, instance)
    _terms(subject, decision, instance)
    _boxes(subject, decision, instance, rng)
    _changes(subject, decision, instance, rng)
    _bias(subject, decision, instance)
    _preferences(subject, decision, instance, rng)


def compare_classifier(
    classifier: reasons.Classifier, domains: Sequence[int], table: Mapping[Instance, Label]
) -> None:
    """Raise Mismatch unless every query about the classifier agrees with the oracle."""
    subject = Subject(classifier, domains, table)
    function = subject.function
    classifier.circuit.check()
    rows = [subject.user_instance(x) for x in function.allowed]
    subject.expect("predict", list(classifier.predict(rows)), [table[x] for x in function.allowed])
    for label in classifier.labels:
        subject.expect(f"count({label})", classifier.count(label), oracle.count(function, label))
        primes = classifier.prime_implicants(label)
        termset(subject, f"primes of {label}", primes, oracle.prime_implicants(function, label))
    for protected in oracle.subsets(function.features):
        wanted = oracle.is_classifier_biased(function, protected)
        if not classifier.circuit.is_ordered:
            exact = classifier.bias(subject.names(protected), exact=True)
            subject.expect(f"exact classifier bias {set(protected)}", bool(exact), wanted)
        bias = classifier.bias(subject.names(protected))
        subject.expect(f"classifier bias {set(protected)}", bool(bias), wanted)
        subject.expect("a witness pair iff biased", bias.witness is not None, wanted)
        if wanted:
            one, other = map(subject.instance, bias.witness)
            proof = oracle.differing(one, other) <= protected
            subject.expect(f"witness pair {one} {other} differs there only", proof, True)
            subject.expect("its labels differ", table[one] != table[other], True)
            subject.expect("both are allowed", IMPOSSIBLE in (table[one], table[other]), False)


def compare_general(subject: Subject, decision: reasons.Decision, instance: Instance) -> None:
    """The general complete reason, and the maximal boxes that are general sufficient reasons."""
    function, rng = subject.function, Random(repr(instance))
    general = oracle.general_complete_reason(function, instance)
    subject.expect("general reason", subject.condition(decision.general_reason), general)
    _circuit(subject, "general reason", decision.general_reason, general, rng)
    boxes = decision.sufficient_reasons(general=True)
    wanted = oracle.general_sufficient_reasons(function, instance)
    subject.expect("general sufficient reasons", {subject.box(t) for t in boxes}, wanted)
    subject.expect("how many of them", boxes.count(), len(wanted))
    for term in boxes:
        mentioned = oracle.constrained(function, subject.box(term))
        subject.expect("it mentions what it constrains", set(term), subject.names(mentioned))


def _reasons(subject: Subject, decision: reasons.Decision, instance: Instance, rng: Random) -> None:
    function = subject.function
    simple = oracle.complete_reason(function, instance)
    subject.expect("reason", subject.condition(decision.reason), simple)
    _circuit(subject, "reason", decision.reason, simple, rng)
    sufficient = decision.sufficient_reasons()
    termset(
        subject, "sufficient reasons", sufficient, oracle.sufficient_reasons(function, instance)
    )
    contrastive = {
        frozenset((f, instance[f]) for f in features)
        for features in oracle.contrastive_sets(function, instance)
    }
    termset(subject, "contrastive sets", decision.contrastive_sets(), contrastive)


def _circuit(
    subject: Subject, name: str, reason: reasons.ReasonCircuit, models: Condition, rng: Random
) -> None:
    """The operations that the paper proves linear on a reason, by their truth tables."""
    every = frozenset(subject.instances)
    subject.expect(f"{name}: satisfiable", reason.is_satisfiable(), bool(models))
    subject.expect(f"{name}: valid", reason.is_valid(), models == every)
    negation = reason.negate()
    subject.expect(f"{name}: negation", subject.condition(negation), every - models)
    subject.expect(f"{name}: negation satisfiable", negation.is_satisfiable(), models != every)
    features = list(subject.function.features)
    if len(every) > MANY:
        features = rng.sample(features, 1)
    for f in features:
        cell = rng.randrange(subject.function.domains[f])
        literal = subject.user_term(frozenset({(f, cell)}))
        implied = all(x[f] == cell for x in models)
        subject.expect(f"{name}: implies {literal}", reason.implies(literal), implied)
        given = reason.condition(literal)
        wanted = frozenset(x for x in every if (*x[:f], cell, *x[f + 1 :]) in models)
        subject.expect(f"{name}: given {literal}", subject.condition(given), wanted)
        subject.expect(f"{name}: given, satisfiable", given.is_satisfiable(), bool(wanted))
        subject.expect(f"{name}: given, valid", given.is_valid(), wanted == every)
        shadow = {(*x[:f], *x[f + 1 :]) for x in models}
        some = reason.exists(subject.names({f}))
        wanted = frozenset(x for x in every if (*x[:f], *x[f + 1 :]) in shadow)
        subject.expect(f"{name}: some value of {f}", subject.condition(some), wanted)
        subject.expect(f"{name}: some value, valid", some.is_valid(), wanted == every)


def _necessary(subject: Subject, decision: reasons.Decision, instance: Instance) -> None:
    function = subject.function
    wanted = oracle.necessary_property(function, instance)
    subject.expect("necessary property", subject.term(decision.necessary_property), wanted)
    reason = decision.necessary_reason
    got = None if reason is None else subject.term(reason)
    subject.expect("necessary reason", got, oracle.necessary_reason(function, instance))
    relevant = subject.names(oracle.relevant_features(function, instance))
    subject.expect("relevant features", set(decision.relevant_features()), relevant)
    every = oracle.sufficient_reasons(function, instance)
    for feature in subject.features:
        name = feature.name
        found = decision.is_relevant(name)
        subject.expect(f"is_relevant({name})", found is not None, name in relevant)
        if found is not None:
            shown = name in found and subject.term(found) in every
            subject.expect(f"is_relevant({name}): {found} is a reason with it", shown, True)


def _terms(subject: Subject, decision: reasons.Decision, instance: Instance) -> None:
    """Sufficiency and because, of every property; and a false term is refused."""
    for term in oracle.properties(instance):
        said = subject.user_term(term)
        wanted = oracle.is_sufficient(subject.function, instance, dict(term))
        subject.expect(f"is_sufficient({said})", decision.is_sufficient(said), wanted)
        because = oracle.because(subject.function, instance, term)
        subject.expect(f"because({said})", decision.because(said), because)
    for f, size in enumerate(subject.function.domains):
        if size > 1:
            false = subject.user_term(frozenset({(f, (instance[f] + 1) % size)}))
            refuses(decision.is_sufficient, false)
            refuses(decision.because, false)


def _boxes(subject: Subject, decision: reasons.Decision, instance: Instance, rng: Random) -> None:
    """Sufficiency of general terms, and the counter-example to those that are not."""
    function = subject.function
    for _ in range(3):
        term = {
            f: frozenset({cell, *rng.sample(range(size), rng.randrange(size))})
            for f, (cell, size) in enumerate(zip(instance, function.domains, strict=True))
            if rng.random() < 0.7
        }
        said = subject.user_box(term)
        wanted = oracle.is_sufficient(function, instance, term)
        subject.expect(f"is_sufficient({said})", decision.is_sufficient(said), wanted)
        found = decision.counterexample(said)
        subject.expect(f"a counter-example to {said}", found is None, wanted)
        if found is not None:
            other = subject.instance(found)
            inside = oracle.holds(oracle.box_of(function, term), other)
            subject.expect(f"{other} satisfies {said}", inside, True)
            labels = {function.label(instance), IMPOSSIBLE}
            subject.expect("it has another label", function.table[other] in labels, False)


def _changes(subject: Subject, decision: reasons.Decision, instance: Instance, rng: Random) -> None:
    """The decision after changes, and even-if-because with right and wrong terms."""
    function = subject.function
    others = [x for x in subject.instances if x != instance]
    for other in rng.sample(others, min(len(others), 7)):
        change = {f: other[f] for f in oracle.differing(instance, other)}
        said = subject.user_change(change)
        kept = frozenset((f, cell) for f, cell in enumerate(instance) if f not in change)
        if function.table[other] is IMPOSSIBLE:
            refuses(decision.replace, said)
            refuses(decision.even_if_because, said, subject.user_term(kept))
            continue
        subject.expect(f"label but {said}", decision.replace(said).label, function.label(other))
        tried = {kept, frozenset(enumerate(instance)), frozenset[Characteristic]()}
        tried |= {oracle.necessary_property(function, other) & kept}
        for term in {*tried, frozenset(c for c in kept if rng.random() < 0.5)}:
            got = decision.even_if_because(said, subject.user_term(term))
            wanted = oracle.even_if_because(function, instance, change, term)
            subject.expect(f"even if {said} because {set(term)}", got, wanted)
    for f, cell in enumerate(instance):
        refuses(decision.replace, subject.user_change({f: cell}))


def _bias(subject: Subject, decision: reasons.Decision, instance: Instance) -> None:
    """Bias for every set of protected features, each with a witness that proves it."""
    function = subject.function
    relevant = oracle.relevant_features(function, instance)
    possible = IMPOSSIBLE not in function.table.values()
    for protected in oracle.subsets(function.features):
        names = subject.names(protected)
        bias = decision.bias(names)
        wanted = oracle.is_decision_biased(function, instance, protected)
        subject.expect(f"bias {names}", bool(bias), wanted)
        subject.expect("a witness iff biased", bias.witness is not None, wanted)
        if wanted:
            witness = subject.instance(bias.witness)
            there = oracle.differing(instance, witness) <= protected
            subject.expect(f"witness {witness} differs there only", there, True)
            given = subject.user_instance(instance)
            kept = subject.names(set(function.features) - oracle.differing(instance, witness))
            same = all(bias.witness[name] == given[name] for name in kept)
            subject.expect("unchanged features keep the user's value", same, True)
            labels = {function.label(instance), IMPOSSIBLE}
            subject.expect("it has another label", function.table[witness] in labels, False)
        shown = bool(decision.shows_classifier_bias(names))
        if possible:
            subject.expect(f"shows classifier bias {names}", shown, bool(relevant & protected))
        elif shown:
            biased = oracle.is_classifier_biased(function, protected)
            subject.expect(f"the classifier is biased as shown {names}", biased, True)


def _preferences(
    subject: Subject, decision: reasons.Decision, instance: Instance, rng: Random
) -> None:
    """One sufficient reason: greedy deletion, the least preferred feature first."""
    wanted = oracle.sufficient_reasons(subject.function, instance)
    subject.expect("one reason", subject.term(decision.sufficient_reason()) in wanted, True)
    order = rng.sample(list(subject.function.features), len(instance))
    kept = dict(enumerate(instance))
    for f in reversed(order):
        fewer = {g: cell for g, cell in kept.items() if g != f}
        if oracle.is_sufficient(subject.function, instance, fewer):
            kept = fewer
    prefer = [subject.features[f].name for f in order]
    got = subject.term(decision.sufficient_reason(prefer=prefer))
    subject.expect(f"reason preferring {prefer}", got, frozenset(kept.items()))

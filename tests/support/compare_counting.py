"""The questions about all instances of a label against the oracle, for one classifier.

`compare_models` is what the tests of counting, drawing, listing and reshaping use, and what
the planted bugs of tests/unit/counting/test_planted.py must be noticed by.
"""

from collections.abc import Mapping
from fractions import Fraction
from random import Random

import reasons
from tests.support import oracle
from tests.support.comparison import Subject
from tests.support.oracle import IMPOSSIBLE, Box, Instance, Label
from tests.support.specs import Case

NUMBERS = [*map(Fraction, (0, 1, 1, 2, 3)), Fraction(1, 3), Fraction(-1), Fraction(-2, 5)]
Limits = Mapping[int, frozenset[int]]


def compare_models(case: Case, rng: Random) -> None:
    """Raise Mismatch unless every question about the models of each label is answered right."""
    subject = Subject(*case)
    for label in case.classifier.labels:
        for term in ({}, random_term(subject, rng), random_term(subject, rng)):
            _counts(subject, label, term)
            _weights(subject, label, term, rng)
            _listed(subject, label, term, rng)
            _cheapest(subject, label, term, rng)
        for _ in range(3):
            _entailed(subject, label, random_term(subject, rng))
    _conditioned(subject, rng)


def random_term(subject: Subject, rng: Random) -> Limits:
    """Some cells for some features."""
    return {
        f: frozenset(rng.sample(range(size), rng.randrange(1, size + 1)))
        for f, size in enumerate(subject.function.domains)
        if rng.random() < 0.5
    }


def random_numbers(subject: Subject, rng: Random) -> list[list[Fraction]]:
    return [[rng.choice(NUMBERS) for _ in range(size)] for size in subject.function.domains]


def named(subject: Subject, rows: list[list[Fraction]]) -> dict[str, dict[object, Fraction]]:
    """Numbers of cells as the package takes them."""
    return {
        feature.name: dict(zip(feature.values, row, strict=True))
        for feature, row in zip(subject.features, rows, strict=True)
    }


def rows_of(subject: Subject, found: Mapping[str, Mapping[object, object]]) -> list[list[object]]:
    return [[found[f.name][value] for value in f.values] for f in subject.features]


def _box(subject: Subject, term: Limits) -> Box:
    return oracle.box_of(subject.function, term)


def _counts(subject: Subject, label: Label, term: Limits) -> None:
    given, box = subject.user_box(term), _box(subject, term)
    got = subject.classifier.count(label, given=given)
    subject.expect(f"count({label}, {given})", got, oracle.count(subject.function, label, box))
    ones = [[Fraction(1)] * size for size in subject.function.domains]
    wanted = oracle.weights_of_values(subject.function, label, ones, box)
    found = rows_of(subject, subject.classifier.counts(label, given=given))
    subject.expect(f"counts({label}, {given})", found, wanted)


def _weights(subject: Subject, label: Label, term: Limits, rng: Random) -> None:
    classifier, function = subject.classifier, subject.function
    given, box = subject.user_box(term), _box(subject, term)
    for sign in (1, -1):
        rows = random_numbers(subject, rng)
        if sign > 0:
            rows = [[abs(number) for number in row] for row in rows]
        weights = named(subject, rows)
        wanted = oracle.weighted_count(function, label, rows, box)
        what = f"weighted_count({label}, {weights}, {given})"
        subject.expect(what, classifier.weighted_count(label, weights, given=given), wanted)
        got = classifier.weighted_count(label, weights, given=given, exact=False)
        close = abs(got - float(wanted)) <= 1e-12 * abs(float(wanted))
        subject.expect(f"{what} in floats: {got} for {wanted}", close, True)
        if wanted:
            shares = oracle.weights_of_values(function, label, rows, box)
            found = classifier.marginals(label, weights, given=given)
            parts = [[share / wanted for share in row] for row in shares]
            subject.expect(
                f"marginals({label}, {weights}, {given})", rows_of(subject, found), parts
            )


def _listed(subject: Subject, label: Label, term: Limits, rng: Random) -> None:
    given = subject.user_box(term)
    wanted = oracle.models(subject.function, label, _box(subject, term))
    found = [subject.instance(x) for x in subject.classifier.instances(label, given=given)]
    subject.expect(f"instances({label}, {given})", sorted(found), sorted(wanted))
    if wanted:
        drawn = subject.classifier.sample(label, 5, rng, given=given)
        inside = {subject.instance(x) for x in drawn} <= set(wanted)
        subject.expect(f"sample({label}, {given}) are such", inside, True)


def _cheapest(subject: Subject, label: Label, term: Limits, rng: Random) -> None:
    given, rows = subject.user_box(term), random_numbers(subject, rng)
    costs = named(subject, rows)
    wanted = oracle.cheapest(subject.function, label, rows, _box(subject, term))
    got = subject.classifier.cheapest_instances(label, given=given, costs=costs)
    what = f"cheapest_instances({label}, {given}, {costs})"
    subject.expect(f"{what} is there", got is None, wanted is None)
    if got is not None and wanted is not None:
        subject.expect(
            f"{what}: cost and count", (got.cost, got.count), (wanted[0], len(wanted[1]))
        )
        one = subject.instance(got.instance)
        subject.expect(f"{what}: {one} is such", one in wanted[1], True)


def _entailed(subject: Subject, label: Label, clause: Limits) -> None:
    said = subject.user_box(clause)
    violated = oracle.violation(subject.function, label, clause)
    verdict = subject.classifier.entails(said, label)
    subject.expect(f"entails({said}, {label})", bool(verdict), not violated)
    subject.expect("a witness iff it is violated", verdict.witness is not None, violated)
    if verdict.witness is not None:
        x = subject.instance(verdict.witness)
        kept = any(x[f] in cells for f, cells in clause.items())
        subject.expect(f"{x} violates it", kept, False)
        subject.expect(f"{x} has the label", subject.function.table[x], label)


def _conditioned(subject: Subject, rng: Random) -> None:
    for _ in range(2):
        term = frozenset(
            (f, rng.randrange(size))
            for f, size in enumerate(subject.function.domains)
            if rng.random() < 0.5
        )
        said = subject.user_term(term)
        conditioned = subject.classifier.condition(said)
        decides_as(
            subject, f"condition({said})", conditioned, oracle.conditioned(subject.function, term)
        )


def decides_as(
    subject: Subject, what: str, classifier: reasons.Classifier, table: Mapping[Instance, Label]
) -> None:
    """A reshaped classifier is a good circuit and has a truth table."""
    classifier.circuit.check()
    for x, label in table.items():
        try:
            got = classifier.decide(subject.user_instance(x)).label
        except reasons.InputError:
            got = IMPOSSIBLE
        subject.expect(f"{what} of {x}", got, label)

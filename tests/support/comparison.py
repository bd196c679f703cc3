"""A classifier beside its truth table, and how to say the one's words in the other's."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

import pytest

import reasons
from tests.support import oracle
from tests.support.oracle import Box, Condition, Function, Instance, Label, Term
from tests.support.specs import cell_of, raw


class Mismatch(AssertionError):
    """The package and the oracle disagree."""


class Subject:
    """A classifier beside its truth table, and how to say the one's words in the other's."""

    def __init__(
        self,
        classifier: reasons.Classifier,
        domains: Sequence[int],
        table: Mapping[Instance, Label],
    ) -> None:
        self.classifier, self.features = classifier, classifier.features
        self.function = Function(tuple(domains), table)
        self.index = {feature.name: i for i, feature in enumerate(self.features)}
        self.instances = list(self.function.instances())
        self.expect("domain sizes", [len(f.values) for f in self.features], list(domains))

    def expect(self, query: str, got: object, want: object) -> None:
        if got != want:
            table = ", ".join(f"{x}: {label}" for x, label in self.function.table.items())
            raise Mismatch(f"{query}\n  got  {got}\n  want {want}\n  table {{{table}}}")

    def names(self, features: Iterable[int]) -> set[str]:
        return {self.features[f].name for f in features}

    def user_instance(self, instance: Instance) -> dict[str, object]:
        return {f.name: raw(f, cell) for f, cell in zip(self.features, instance, strict=True)}

    def user_term(self, term: Term) -> dict[str, object]:
        return {self.features[f].name: self.features[f].values[cell] for f, cell in term}

    def user_change(self, change: Mapping[int, int]) -> dict[str, object]:
        return {self.features[f].name: raw(self.features[f], cell) for f, cell in change.items()}

    def user_box(self, term: Mapping[int, frozenset[int]]) -> dict[str, object]:
        return {
            self.features[f].name: frozenset(self.features[f].values[cell] for cell in cells)
            for f, cells in term.items()
        }

    def instance(self, witness: Mapping[str, object]) -> Instance:
        return tuple(cell_of(feature, witness[feature.name]) for feature in self.features)

    def term(self, term: reasons.Term) -> Term:
        return frozenset((self.index[name], cell) for name, (cell,) in term.cells().items())

    def box(self, term: reasons.Term) -> Box:
        return oracle.box_of(self.function, {self.index[n]: c for n, c in term.cells().items()})

    def condition(self, reason: reasons.ReasonCircuit) -> Condition:
        return frozenset(x for x in self.instances if reason.evaluate(self.user_instance(x)))


def termset(subject: Subject, what: str, terms: reasons.TermSet, wanted: Iterable[Term]) -> None:
    """A TermSet is these terms: iterated once each and shortest first, counted, tested."""
    want = frozenset(wanted)
    listed = list(terms)
    subject.expect(what, frozenset(map(subject.term, listed)), want)
    subject.expect(f"{what}: each once", len(listed), len(want))
    subject.expect(f"{what}: count", terms.count(), len(want))
    lengths = [len(term) for term in listed]
    subject.expect(f"{what}: shortest first", lengths, sorted(lengths))
    for term in want:
        subject.expect(f"{what}: contains {set(term)}", subject.user_term(term) in terms, True)
        fewer = subject.user_term(frozenset(sorted(term)[1:]))
        if term:
            subject.expect(f"{what}: contains {fewer}", fewer in terms, False)
    if want:
        subject.expect(f"{what}: shortest", len(terms.shortest()), lengths[0])
        subject.expect(f"{what}: sample", subject.term(terms.sample(Random(0))) in want, True)
    share = terms.share() if want else {}
    for f, feature in enumerate(subject.features):
        with_it = {term for term in want if f in dict(term)}
        found = frozenset(map(subject.term, terms.containing(feature.name)))
        subject.expect(f"{what}: containing {feature.name}", found, with_it)
        found = frozenset(map(subject.term, terms.without(feature.name)))
        subject.expect(f"{what}: without {feature.name}", found, want - with_it)
        if want:
            got = float(share.get(feature.name, 0))
            subject.expect(f"{what}: share", got, pytest.approx(len(with_it) / len(want)))


def refuses(query: Callable[..., object], *arguments: object) -> None:
    """The query raises InputError."""
    with pytest.raises(reasons.InputError):
        query(*arguments)

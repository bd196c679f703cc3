"""Reason circuits under chains of operations, by their truth tables.

The paper proves each operation linear on a monotone circuit; here only what they
mean is tested: three random operations in a row, on simple and general reasons.
"""

from random import Random

import pytest

import reasons
from tests.support.comparison import Subject
from tests.support.generators import KINDS, instances_of, random_case
from tests.support.oracle import Condition, Instance

SEEDS = range(120)


def moved(x: Instance, feature: int, cell: int) -> Instance:
    return (*x[:feature], cell, *x[feature + 1 :])


class Chain:
    """A reason circuit beside the set of its models, changed together."""

    def __init__(self, subject: Subject, reason: reasons.ReasonCircuit) -> None:
        self.subject, self.reason = subject, reason
        self.every = frozenset(subject.instances)
        self.models: Condition = subject.condition(reason)
        self.negated = False

    def condition(self, rng: Random) -> None:
        function = self.subject.function
        chosen = rng.sample(list(function.features), rng.randrange(len(function.domains) + 1))
        term = frozenset((f, rng.randrange(function.domains[f])) for f in chosen)
        self.reason = self.reason.condition(self.subject.user_term(term))
        for f, cell in term:
            self.models = frozenset(x for x in self.every if moved(x, f, cell) in self.models)

    def exists(self, rng: Random) -> None:
        domains = self.subject.function.domains
        if self.negated and self.reason.general:
            with pytest.raises(reasons.PropertyError):
                self.reason.exists([self.subject.features[0].name])
            return
        f = rng.randrange(len(domains))
        self.reason = self.reason.exists([self.subject.features[f].name])
        shadow = {moved(x, f, 0) for x in self.models}
        self.models = frozenset(x for x in self.every if moved(x, f, 0) in shadow)

    def negate(self, _: Random) -> None:
        self.reason, self.models = self.reason.negate(), self.every - self.models
        self.negated = not self.negated

    def verify(self) -> None:
        subject = self.subject
        subject.expect("models", subject.condition(self.reason), self.models)
        subject.expect("satisfiable", self.reason.is_satisfiable(), bool(self.models))
        subject.expect("valid", self.reason.is_valid(), self.models == self.every)
        if self.negated:
            return
        for f, feature in enumerate(subject.features):
            for cell, value in enumerate(feature.values):
                implied = all(x[f] == cell for x in self.models)
                subject.expect("implies", self.reason.implies({feature.name: value}), implied)


@pytest.mark.parametrize("general", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_chains_of_operations_mean_what_they_say(kind: str, general: bool) -> None:
    for seed in SEEDS:
        case = random_case(kind, seed)
        subject, rng = Subject(*case), Random(seed)
        for instance in instances_of(case, rng, most=1):
            decision = case.classifier.decide(subject.user_instance(instance))
            chain = Chain(subject, decision.general_reason if general else decision.reason)
            for _ in range(3):
                rng.choice([chain.condition, chain.exists, chain.negate])(rng)
                chain.verify()

"""Wrong answers, planted behind the package's faces, to see whether they are noticed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from random import Random
from typing import Any

import reasons
from tests.support.oracle import IMPOSSIBLE, Instance, Label
from tests.support.specs import And, Decide, Leaf, Spec


class Tampered:
    """Answers as the real object does, but for the planted attributes."""

    def __init__(self, real: Any, **planted: object) -> None:
        self._real, self._planted = real, planted

    def __getattr__(self, name: str) -> Any:
        planted = self.__dict__["_planted"]
        return planted[name] if name in planted else getattr(self.__dict__["_real"], name)


Plant = Callable[[reasons.Decision, Instance], Mapping[str, object]]
"""The attributes of a decision on an instance that answer wrongly."""


def tampered(classifier: reasons.Classifier, instance: Instance, plant: Plant) -> Any:
    """A classifier whose decision on the instance answers as planted."""

    def decide(given: object) -> Tampered:
        decision = classifier.decide(given)
        return Tampered(decision, **plant(decision, instance))

    return Tampered(classifier, decide=decide)


@dataclass
class Answer:
    """A bias as a wrong query would give it."""

    biased: bool
    witness: object

    def __bool__(self) -> bool:
        return self.biased


class Listed:
    """A TermSet of the terms in a list, which is all it does right."""

    def __init__(self, terms: list[reasons.Term]) -> None:
        self.terms = terms

    def __iter__(self) -> Iterator[reasons.Term]:
        return iter(self.terms)

    def __contains__(self, term: Mapping[str, object]) -> bool:
        return term in [dict(each) for each in self.terms]

    def count(self) -> int:
        return len(self.terms)

    def shortest(self) -> reasons.Term:
        return self.terms[0]

    def sample(self, rng: Random) -> reasons.Term:
        return rng.choice(self.terms)

    def containing(self, name: str) -> "Listed":
        return Listed([term for term in self.terms if name in term])

    def without(self, name: str) -> "Listed":
        return Listed([term for term in self.terms if name not in term])

    def share(self) -> dict[str, float]:
        names = {name for term in self.terms for name in term}
        return {name: self.containing(name).count() / self.count() for name in names}


@dataclass(frozen=True)
class Rule:
    """The reason rule of design.md in plain Python, and how to break it."""

    label: Label
    instance: Instance
    general: bool = False
    consensus: bool = True
    dual: bool = True
    off_path: bool = True

    def holds(self, spec: Spec, x: Instance) -> bool:
        """Whether x satisfies the complete reason for the decision on the instance."""
        if isinstance(spec, Leaf):
            return spec.label in (self.label, IMPOSSIBLE)
        if isinstance(spec, And):
            meet = self.label is True or not self.dual
            return (all if meet else any)(self.holds(part, x) for part in spec.inputs)
        own, feature = self.instance[spec.feature], spec.feature
        on_path = any(own in values for values, _ in spec.arms)
        if not self.consensus and on_path:
            arm = next(arm for values, arm in spec.arms if own in values)
            return x[feature] == own and self.holds(arm, x)
        return all(
            self.holds(arm, x)
            or (own not in values and self._excused(x[feature], own, values, on_path))
            for values, arm in spec.arms
        )

    def _excused(self, value: int, own: int, values: frozenset[int], on_path: bool) -> bool:
        """Whether the literal at an arm that the instance does not take is true."""
        if self.general:
            return (on_path or self.off_path) and value not in values
        return on_path and value == own


@dataclass(frozen=True)
class BiasRule:
    """Decision bias in plain Python; `again` is whether it minds a second test."""

    label: Label
    instance: Instance
    protected: frozenset[int]
    again: bool = True

    def sticks(self, spec: Spec, tested: frozenset[int] = frozenset()) -> bool:
        """Whether no change of protected features changes the decision."""
        if isinstance(spec, Leaf):
            return spec.label in (self.label, IMPOSSIBLE)
        if isinstance(spec, And):
            meet = all if self.label is True else any
            return meet(self.sticks(part, tested) for part in spec.inputs)
        free = spec.feature in self.protected and (self.again or spec.feature not in tested)
        below = tested | {spec.feature}
        if free:
            return all(self.sticks(arm, below) for _, arm in spec.arms)
        own = self.instance[spec.feature]
        arms = [arm for values, arm in spec.arms if own in values] or [spec.arms[0][1]]
        return self.sticks(arms[0], below)


class Signature:
    """Classifier bias by random evaluation; `divided` is whether re-tests are weighed right."""

    def __init__(self, domains: tuple[int, ...], *, divided: bool = True) -> None:
        self.rng, self.divided = Random(7), divided
        self.weights = [[Fraction(1 + self.rng.randrange(99)) for _ in range(d)] for d in domains]
        self.weights = [[w / sum(ws) for w in ws] for ws in self.weights]
        self.labels: dict[Label, Fraction] = {False: Fraction(0), True: Fraction(1)}

    def value(self, spec: Spec) -> Fraction:
        if isinstance(spec, Leaf):
            return self.labels.setdefault(spec.label, Fraction(self.rng.randrange(2, 10**6)))
        if isinstance(spec, And):
            return prod((self.value(part) for part in spec.inputs), start=Fraction(1))
        weighed = [(self.weight(spec, values), arm) for values, arm in spec.arms]
        total = sum(weight for weight, _ in weighed) if self.divided else Fraction(1)
        return sum((w * self.value(arm) for w, arm in weighed), start=Fraction(0)) / total

    def weight(self, spec: Decide, values: frozenset[int]) -> Fraction:
        return sum((self.weights[spec.feature][value] for value in values), start=Fraction(0))

    def is_biased(self, spec: Spec, protected: frozenset[int]) -> bool:
        """Whether two arms of a protected test differ anywhere in the graph."""
        if isinstance(spec, Leaf):
            return False
        if isinstance(spec, And):
            return any(self.is_biased(part, protected) for part in spec.inputs)
        if any(self.is_biased(arm, protected) for _, arm in spec.arms):
            return True
        return spec.feature in protected and len({self.value(arm) for _, arm in spec.arms}) > 1

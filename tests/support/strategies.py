"""Pairs of decisions of one small classifier, drawn by hypothesis."""

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import reasons
from tests.support import oracle
from tests.support.comparison import Subject
from tests.support.generators import case_of
from tests.support.oracle import Condition, Function, Instance, Term


class Pair(NamedTuple):
    """Two decisions of one classifier."""

    subject: Subject
    alpha: Instance
    beta: Instance
    one: reasons.Decision
    other: reasons.Decision

    @property
    def models(self) -> Condition:
        """The instances that satisfy the complete reason for the first decision."""
        return self.subject.condition(self.one.reason)

    def sufficient(self, decision: reasons.Decision) -> set[Term]:
        return {self.subject.term(term) for term in decision.sufficient_reasons()}

    def implicants(self) -> frozenset[Term]:
        """The implicants of the label that the first decision has."""
        return oracle.implicants(self.subject.function, self.one.label)

    def truth(self) -> Condition:
        table = self.subject.function.table
        return frozenset(x for x in table if table[x] == self.one.label)


@st.composite
def pairs(draw: st.DrawFn, *, boolean: bool = True) -> Pair:
    sizes = st.just(2) if boolean else st.integers(2, 3)
    domains = tuple(draw(st.lists(sizes, min_size=1, max_size=4 if boolean else 3)))
    labels = (False, True) if boolean else ("red", "green", "blue")
    function = Function(domains, dict.fromkeys(product(*map(range, domains))))
    rows = list(function.instances())
    drawn = draw(st.lists(st.sampled_from(labels), min_size=len(rows), max_size=len(rows)))
    case = case_of(domains, dict(zip(rows, drawn, strict=True)), labels)
    subject = Subject(*case)
    alpha, beta = draw(st.sampled_from(rows)), draw(st.sampled_from(rows))
    one, other = (case.classifier.decide(subject.user_instance(x)) for x in (alpha, beta))
    return Pair(subject, alpha, beta, one, other)


def protected_of(pair: Pair, data: st.DataObject) -> frozenset[int]:
    return data.draw(st.frozensets(st.sampled_from(list(pair.subject.function.features))))


ANY = pairs() | pairs(boolean=False)


def for_all(*drawn: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], object]:
    """`given`, with the settings of these tests."""
    chosen = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
    return lambda test: chosen(given(*drawn)(test))

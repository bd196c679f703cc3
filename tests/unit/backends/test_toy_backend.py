"""A fourth backend, added by one folder outside the package, answers what it claims."""

from random import Random

import pytest

import reasons
from reasons.backends.capabilities import Capability
from reasons.backends.registry import registered
from tests.support import oracle
from tests.support.compare import compare_decision
from tests.support.comparison import Subject
from tests.support.generators import instances_of, random_case
from tests.support.toy_backend import TableBackend
from tests.support.toy_backend.cases import toy_of

KINDS = ("Boolean graph", "graph", "graph with impossible instances", "tree", "Decision-DNNF")


def test_it_is_registered() -> None:
    assert TableBackend in registered().values()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_every_decision_agrees_with_the_oracle(kind: str, seed: int) -> None:
    case = toy_of(random_case(kind, seed))
    subject = Subject(*case)
    for x in instances_of(case, Random(seed), most=2):
        decision = case.classifier.decide(subject.user_instance(x))
        compare_decision(subject, decision, x)
        assert decision.statements(limit=3)
        assert decision._repr_html_()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_classifier_agrees_with_the_oracle(kind: str, seed: int) -> None:
    case = toy_of(random_case(kind, seed))
    subject, classifier = Subject(*case), case.classifier
    rows = [subject.user_instance(x) for x in subject.function.allowed]
    assert list(classifier.predict(rows)) == [case.table[x] for x in subject.function.allowed]
    for protected in oracle.subsets(subject.function.features):
        bias = classifier.bias(subject.names(protected))
        assert bool(bias) == oracle.is_classifier_biased(subject.function, protected)
    assert classifier.method == "enumeration"
    assert "rows" in repr(classifier)
    if rows:
        share = classifier.bias_share([classifier.features[0].name], sample=100)
        assert not share.exact
        assert share.proof.endswith("it is answered by enumeration")


def test_it_is_audited() -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    import pandas

    case = toy_of(random_case("Boolean graph", 1))
    subject, name = Subject(*case), case.classifier.features[0].name
    frame = pandas.DataFrame([subject.user_instance(x) for x in subject.function.allowed])
    found = reasons.audit(case.classifier, frame, protected=[name]).table
    told = found["biased"].to_pylist()
    for x, biased in zip(subject.function.allowed, told, strict=True):
        assert biased == oracle.is_decision_biased(subject.function, x, frozenset({0}))


def test_what_it_does_not_claim_is_refused_with_its_own_words() -> None:
    classifier = toy_of(random_case("graph", 0)).classifier
    assert not classifier.backend.supports(Capability.COUNTING)
    with pytest.raises(reasons.PropertyError, match=r"counting .* truth table, enumerated"):
        classifier.count(classifier.labels[0])

"""The Backend protocol: what is claimed works, what is not raises, and nobody asks which it is."""

import pickle
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import reasons
from reasons.backends.capabilities import Capability
from reasons.circuits.circuit import Circuit
from reasons.circuits.cnf import CnfBackend
from reasons.search.backend import EnsembleBackend
from tests.support.generators import random_case
from tests.support.toy_backend.cases import toy_of

SOURCES = Path(reasons.__file__).parent
OWN = {"backends", "circuits", "search"}
CLASSES = "Circuit|CnfBackend|EnsembleBackend|Backend|OnePassBackend"

Query = Callable[[reasons.Classifier, reasons.Decision], object]


def audited(classifier: reasons.Classifier, decision: reasons.Decision) -> object:
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame([dict(decision.instance)])
    return reasons.audit(classifier, rows, protected=[classifier.features[0].name])


QUERIES: dict[Capability, list[Query]] = {
    Capability.DECIDE: [lambda c, d: c.predict([dict(d.instance)])],
    Capability.SUFFICIENT_REASON: [
        lambda c, d: d.sufficient_reason(),
        lambda c, d: d.is_sufficient(d.cells),
        lambda c, d: d.shortest_reason(),
    ],
    Capability.WIDENED_REASON: [lambda c, d: d.sufficient_reason(general=True)],
    Capability.NECESSARY: [
        lambda c, d: d.necessary_property,
        lambda c, d: d.necessary_reason,
        lambda c, d: d.statements(),
    ],
    Capability.COMPLETE_REASON: [lambda c, d: d.reason, lambda c, d: d.relevant_features()],
    Capability.GENERAL_REASON: [lambda c, d: d.general_reason],
    Capability.REASON_SETS: [
        lambda c, d: d.sufficient_reasons(),
        lambda c, d: d.contrastive_sets(),
        lambda c, d: list(d.each_sufficient_reason()),
        lambda c, d: list(d.each_contrastive_set()),
    ],
    Capability.GENERAL_REASON_SETS: [lambda c, d: d.sufficient_reasons(general=True)],
    Capability.COUNTERFACTUAL: [lambda c, d: d.counterfactual()],
    Capability.COUNTERFACTUAL_LABEL: [
        lambda c, d: d.counterfactual(label=next(x for x in c.labels if x != d.label))
    ],
    Capability.DECISION_BIAS: [lambda c, d: d.bias(c.features[0].name)],
    Capability.CLASSIFIER_BIAS: [lambda c, d: c.bias(c.features[0].name)],
    Capability.BIAS_ESTIMATE: [lambda c, d: c.bias_share(c.features[0].name, sample=100)],
    Capability.BIAS_COUNT: [lambda c, d: c.bias_share(c.features[0].name, exact=True)],
    Capability.AUDIT: [audited],
    Capability.COUNTING: [
        lambda c, d: c.count(d.label),
        lambda c, d: c.counts(d.label),
        lambda c, d: c.weighted_count(d.label),
        lambda c, d: c.log_weighted_count(d.label),
        lambda c, d: c.marginals(d.label),
    ],
    Capability.ENUMERATION: [
        lambda c, d: next(c.instances(d.label)),
        lambda c, d: c.sample(d.label),
        lambda c, d: c.cheapest_instances(d.label),
        lambda c, d: c.entails({}, d.label),
    ],
    Capability.PRIME_IMPLICANTS: [lambda c, d: c.prime_implicants(d.label)],
    Capability.EQUIVALENCE: [lambda c, d: c.equivalent(c)],
    Capability.TRANSFORMATION: [lambda c, d: c.condition({})],
    Capability.CIRCUIT: [
        lambda c, d: c.circuit,
        lambda c, d: c.svg(),
        lambda c, d: c.dot(),
    ],
    Capability.SAVING: [lambda c, d: c.to_bytes()],
    Capability.PICKLING: [lambda c, d: pickle.dumps(c)],
}


def forest(labels: int) -> reasons.Classifier:
    sklearn = pytest.importorskip("sklearn.ensemble")
    rows = [[i % 4, i // 4] for i in range(16)]
    model = sklearn.RandomForestClassifier(3, max_depth=2, random_state=0)
    return reasons.compile(model.fit(rows, [sum(row) % labels for row in rows]), method="search")


def clauses() -> reasons.Classifier:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "c.cnf")
        path.write_text("p cnf 3 2\n1 2 0\n-1 3 0\n")
        return reasons.load(path, compile=False)


SUBJECTS: dict[str, Callable[[], reasons.Classifier]] = {
    "ordered circuit": lambda: reasons.compile("a & (b | c)"),
    "Decision-DNNF": lambda: random_case("Decision-DNNF", 1).classifier,
    "tree of several labels": lambda: random_case("tree", 2).classifier,
    "clauses": clauses,
    "ensemble of two labels": lambda: forest(2),
    "ensemble of three labels": lambda: forest(3),
    "toy": lambda: toy_of(random_case("graph", 3)).classifier,
}
CLASSES_OF = {"clauses": CnfBackend, "ordered circuit": Circuit}
CLASSES_OF |= {name: EnsembleBackend for name in SUBJECTS if name.startswith("ensemble")}

subject = cache(lambda name: SUBJECTS[name]())


def decisions(classifier: reasons.Classifier) -> list[reasons.Decision]:
    """Two decisions with different labels, if the classifier makes them."""
    found: dict[object, reasons.Decision] = {}
    for cell in range(2):
        values = [feature.raw(cell % len(feature.values)) for feature in classifier.features]
        decision = classifier.decide(values)
        found.setdefault(decision.label, decision)
    return list(found.values())


def test_every_capability_has_a_query() -> None:
    assert set(QUERIES) == set(Capability)


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("capability", Capability)
def test_what_is_claimed_works_and_what_is_not_is_refused(
    name: str, capability: Capability
) -> None:
    classifier = subject(name)
    assert isinstance(classifier.backend, CLASSES_OF.get(name, object))
    for decision in decisions(classifier):
        for query in QUERIES[capability]:
            if classifier.backend.supports(capability):
                query(classifier, decision)
            else:
                with pytest.raises(
                    reasons.PropertyError, match=re.escape(capability.query)
                ) as caught:
                    query(classifier, decision)
                assert "larger budget" in str(caught.value)


def lines_outside() -> list[tuple[str, str]]:
    """The lines of the package outside the backends' own packages, with where they are."""
    return [
        (f"{path.relative_to(SOURCES)}:{number}", line)
        for path in sorted(SOURCES.rglob("*.py"))
        if path.relative_to(SOURCES).parts[0] not in OWN
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    ]


def test_nobody_asks_which_backend_it_is() -> None:
    test = re.compile(rf"isinstance\(.*\b({CLASSES})\b|type\(.*backend\)")
    assert not [place for place, line in lines_outside() if test.search(line)]


def test_nobody_compares_the_method_of_a_classifier() -> None:
    """`method` is a word for users; options of front ends and HTTP methods are other things."""
    test = re.compile(r"(classifier|backend|form|clf|decision)\.method\s*(==|!=|in\b|not in\b)")
    assert not [place for place, line in lines_outside() if test.search(line)]


def test_the_greps_find_what_they_are_for() -> None:
    assert re.search(rf"isinstance\(.*\b({CLASSES})\b", "if isinstance(x, Circuit):")

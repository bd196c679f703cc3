"""Positive decisions of clauses are explained without compiling them, and rightly."""

import time
from array import array
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reasons
from reasons import Budget, BudgetExceeded, InputError, _core
from reasons.views.pictures import picture
from tests.support.compare import compare
from tests.support.comparison import Mismatch
from tests.support.oracle import Instance
from tests.support.planted import Plant, Tampered, tampered

SEEDS = range(150)
Cnf = list[list[int]]


class Compiled(Exception):
    """The compiler was called."""


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No compiler: whoever calls it fails."""

    def compiled(*_: object) -> _core.Circuit:
        raise Compiled

    monkeypatch.setattr(_core, "compile_cnf", compiled)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list that grows with each call of the compiler."""
    seen: list[object] = []
    real = _core.compile_cnf

    def compiled(*arguments: Any) -> _core.Circuit:
        seen.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(_core, "compile_cnf", compiled)
    return seen


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., reasons.Classifier]:
    """The classifier of clauses over some variables, by way of a file."""

    def loaded(variables: int, clauses: Cnf, **options: Any) -> reasons.Classifier:
        path = tmp_path / "x.cnf"
        lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
        path.write_text("\n".join([f"p cnf {variables} {len(clauses)}", *lines, ""]))
        return reasons.load(path, **{"compile": False, **options})

    return loaded


def random_clauses(rng: Random, variables: int, number: int) -> Cnf:
    """Short clauses, among them tautologies and such as say a literal twice."""
    every = [v * sign for v in range(1, variables + 1) for sign in (1, -1)]
    return [rng.choices(every, k=rng.choice([1, 2, 2, 3, 3, 4])) for _ in range(number)]


def drawn(seed: int) -> tuple[int, Cnf]:
    rng = Random(seed)
    variables = rng.randrange(1, 6)
    clauses = random_clauses(rng, variables, rng.randrange(6))
    return variables + rng.randrange(2), clauses


def holds(clause: list[int], instance: Instance) -> bool:
    return any(instance[abs(literal) - 1] == (literal > 0) for literal in clause)


def table_of(variables: int, clauses: Cnf) -> dict[Instance, bool]:
    return {
        instance: all(holds(clause, instance) for clause in clauses)
        for instance in product((0, 1), repeat=variables)
    }


def positives(variables: int, clauses: Cnf) -> list[Instance]:
    return [x for x, label in table_of(variables, clauses).items() if label]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_answer_is_that_of_the_definitions(load: Any, closed: None, seed: int) -> None:
    variables, clauses = drawn(seed)
    clf = load(variables, clauses)
    table = table_of(variables, clauses)
    for instance in Random(seed).sample(found := positives(variables, clauses), min(4, len(found))):
        compare(clf, [2] * variables, table, instance)
    assert clf.method == "clauses"


@pytest.mark.parametrize(
    "clauses",
    [[], [[1, -1]], [[2]], [[-2]], [[1], [1]], [[1, 1, -2]], [[1], [1, 2]], [[3, -3], [2, 3]]],
)
def test_odd_clauses_mean_what_they_say(load: Any, closed: None, clauses: Cnf) -> None:
    clf, table = load(3, clauses), table_of(3, clauses)
    for instance in positives(3, clauses):
        compare(clf, [2] * 3, table, instance)


def test_an_empty_clause_is_never_satisfied(load: Any) -> None:
    clf = load(2, [[1], []])
    assert not any(clf.predict(list(product((0, 1), repeat=2))))
    d = clf.decide("1, 2")
    assert (d.label, clf.method) == (False, "clauses")
    assert (d.necessary_reason, clf.method) == ({}, "compiled")


def test_no_variables_are_decided_too(load: Any) -> None:
    d = load(0, []).decide([])
    assert (d.label, str(d.reason), d.necessary_reason) == (True, "true", {})
    assert not load(0, [[]]).decide([]).label


def wishes(rng: Random, variables: int, instance: Instance) -> Iterator[dict[str, Any]]:
    def names() -> list[str]:
        return [str(v) for v in range(1, variables + 1) if rng.random() < 0.3]

    yield {}
    yield {"immutable": names()}
    yield {"increase": names(), "decrease": names()}
    yield {"allowed": {name: [rng.choice([True, False])] for name in names()}}
    costs = {str(v): rng.choice([1, 2, 2.5, 8]) for v in range(1, variables + 1)}
    yield {"costs": costs, "immutable": names(), "label": False}


@pytest.mark.parametrize("seed", range(60))
def test_clauses_and_their_circuit_answer_alike(load: Any, seed: int) -> None:
    rng = Random(seed)
    variables = rng.randrange(4, 10)
    clauses = random_clauses(rng, variables, rng.randrange(2, 2 * variables))
    lazy, eager = load(variables, clauses), load(variables, clauses, compile=True)
    every = list(product((0, 1), repeat=variables))
    assert list(lazy.predict(every)) == list(eager.predict(every))
    found = positives(variables, clauses)
    for instance in rng.sample(found, min(3, len(found))):
        one, other = lazy.decide(instance), eager.decide(instance)
        reasons_of = [d.reason for d in (one, other)]
        general = [d.general_reason for d in (one, other)]
        for x in every:
            assert len({r.evaluate(x) for r in (*reasons_of, *general)}) == 1
        for query in ("sufficient_reasons", "contrastive_sets"):
            assert set(getattr(one, query)()) == set(getattr(other, query)())
        assert one.sufficient_reasons(general=True) == other.sufficient_reasons(general=True)
        assert one.necessary_property == other.necessary_property
        assert one.necessary_reason == other.necessary_reason
        assert one.relevant_features() == other.relevant_features()
        assert one.shortest_reason().at_least == other.shortest_reason().at_least
        names = [feature.name for feature in lazy.features]
        prefer = rng.sample(names, rng.randrange(variables))
        costs = {name: rng.choice([1, 2, 3]) for name in names}
        assert one.sufficient_reason(prefer) == other.sufficient_reason(prefer)
        assert one.sufficient_reason(costs=costs) == other.sufficient_reason(costs=costs)
        assert one.shows_classifier_bias(prefer) == other.shows_classifier_bias(prefer)
        assert_same_bias(one, other, prefer)
        assert one.statements(limit=4)[0] == other.statements(limit=4)[0]
        for wish in wishes(rng, variables, instance):
            assert_same_change(one, other, wish)
    assert lazy.method == "clauses"


def assert_same_bias(one: reasons.Decision, other: reasons.Decision, protected: list[str]) -> None:
    bias = one.bias(protected)
    assert bool(bias) == bool(other.bias(protected))
    if bias:
        assert not other.classifier.decide(bias.witness).label
        assert {n for n in bias.witness if bias.witness[n] != one.instance[n]} <= set(protected)


def assert_same_change(
    one: reasons.Decision, other: reasons.Decision, wish: Mapping[str, Any]
) -> None:
    change, wanted = one.counterfactual(**wish), other.counterfactual(**wish)
    assert (change is None) == (wanted is None)
    if change is not None and wanted is not None:
        assert (change.cost, change.label) == (wanted.cost, wanted.label)
        assert len(change.given_up) == len(wanted.given_up)
        assert not other.classifier.decide(change.instance).label


def test_what_was_asked_for_a_label_that_is_there_already_is_refused(load: Any) -> None:
    with pytest.raises(InputError, match="already"):
        load(1, [[1]]).decide("1").counterfactual(label=True)


def test_nothing_about_a_positive_decision_compiles(load: Any, closed: None) -> None:
    clf = load(4, [[1], [-2, 3, 4]], names={1: "E", 2: "F", 3: "G", 4: "W"})
    d = clf.decide("E, ~F, ~G, W")
    assert str(d.reason) == "E & (~F | W)"
    assert d.reason.size > 0
    assert d.reason.implies("E")
    assert d.statements(protected=["F"])
    assert d.counterfactual(label=False) is not None
    assert not d.replace("F, ~W").label
    assert not d.even_if_because("~E", "W")
    assert d._repr_html_()
    assert repr(clf) == "<Classifier of E, F, G, W to False, True; 2 clauses>"
    assert picture(clf, d).vertices
    assert clf.method == "clauses"


@pytest.mark.parametrize(
    "ask",
    [
        lambda clf: clf.count(True),
        lambda clf: clf.circuit,
        lambda clf: clf.bias("1"),
        lambda clf: clf.prime_implicants(True),
        lambda clf: clf.decide("1, ~2").reason,
        lambda clf: clf.decide("1, ~2").bias("1"),
        lambda clf: clf.condition("1"),
    ],
)
def test_other_questions_compile_once(
    load: Any, calls: list[object], ask: Callable[[reasons.Classifier], object]
) -> None:
    clf = load(2, [[-1, 2]])
    assert (clf.decide("1, ~2").label, clf.method, len(calls)) == (False, "clauses", 0)
    ask(clf)
    ask(clf)
    assert clf.count(True) == 3
    assert (clf.method, len(calls)) == ("compiled", 1)


def hard() -> Cnf:
    rng = Random(4)
    return [[v * rng.choice([1, -1]) for v in rng.sample(range(1, 41), 3)] for _ in range(100)]


def test_where_compiling_exceeds_the_budget_positive_decisions_are_explained(load: Any) -> None:
    clauses = [*hard(), [-1, 1]]
    rng = Random(1)
    instance = [rng.random() < 0.5 for _ in range(40)]
    clauses = [c for c in clauses if any(instance[abs(v) - 1] == (v > 0) for v in c)]
    clf = load(40, clauses, budget=Budget(nodes=20))
    d = clf.decide(instance)
    assert d.is_sufficient(d.sufficient_reason())
    with pytest.raises(BudgetExceeded):
        clf.count(True)
    change = d.counterfactual()
    assert change is not None
    refused = clf.decide(change.instance)
    assert refused.label is False
    with pytest.raises(BudgetExceeded):
        _ = refused.reason
    assert clf.method == "clauses"


def test_the_clock_of_a_budget_starts_when_compiling_does(load: Any) -> None:
    late = Budget(seconds=50, started=time.monotonic() - 100)
    assert load(2, [[1, 2]], budget=late).count(True) == 3


def test_a_compiled_classifier_says_so(load: Any) -> None:
    assert load(1, [[1]], compile=True).method == reasons.compile("a").method == "compiled"


@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 200])
def test_rows_are_decided_as_one_by_one(load: Any, closed: None, rows: int) -> None:
    rng = Random(rows)
    variables = 7
    clf = load(variables, random_clauses(rng, variables, 6))
    table = [[rng.randrange(2) for _ in range(variables)] for _ in range(rows)]
    assert clf.predict(table).tolist() == [clf.decide(row).label for row in table]


def test_the_core_explains_by_clauses_only_what_satisfies_them() -> None:
    buffers: Any = map(memoryview, _arrays([[1, 2]]))
    native = _core.Clauses(_core.Cnf(2, *buffers))
    for cells, label in [([0, 0], 1), ([1, 0], 0), ([1, 0], 7)]:
        with pytest.raises(InputError, match="no others"):
            _core.complete_reason(native, cells, label)
    for cells in ([1], [1, 0, 1], [1, 2]):
        with pytest.raises(InputError):
            _core.decide(native, cells)
    with pytest.raises(InputError):
        _core.biased(native, [1, 0], 1, [2])
    with pytest.raises(InputError):
        _core.counterexample(native, [1, 0], 1, [(0, [0])])


def _arrays(clauses: Cnf) -> tuple[Any, Any]:
    first = [0]
    for clause in clauses:
        first.append(first[-1] + len(clause))
    return array("i", [v for clause in clauses for v in clause]), array("L", first)


def by_rule(clauses: Cnf, *, tautologies: bool = False, violated: bool = False) -> Plant:
    """The reason from its rule in plain Python, with what it drops kept if asked for."""

    def plant(decision: reasons.Decision, instance: Instance) -> Mapping[str, object]:
        kept = [c for c in clauses if tautologies or not any(-literal in c for literal in c)]
        kept = [[v for v in c if violated or holds([v], instance)] for c in kept]

        def evaluate(x: Mapping[str, Any]) -> bool:
            cells = tuple(int(value) for value in x.values())
            return all(holds(clause, cells) for clause in kept)

        return {"reason": Tampered(decision.reason, evaluate=evaluate)}

    return plant


def noticed(load: Any, **broken: bool) -> int:
    """How many planted reasons the comparison with the definitions refuses."""
    found = 0
    for seed in SEEDS:
        variables, clauses = drawn(seed)
        clf, table = load(variables, clauses), table_of(variables, clauses)
        for instance in positives(variables, clauses)[:2]:
            try:
                planted = tampered(clf, instance, by_rule(clauses, **broken))
                compare(planted, [2] * variables, table, instance)
            except Mismatch as mismatch:
                found += str(mismatch).startswith("reason")
    return found


@pytest.mark.slow
def test_a_tautology_or_a_violated_literal_that_stays_is_noticed(load: Any) -> None:
    assert noticed(load) == 0
    assert noticed(load, tautologies=True) > 20
    assert noticed(load, violated=True) > 20

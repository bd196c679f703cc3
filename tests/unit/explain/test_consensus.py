"""The paper's way to the reason, step by step, against the definitions and the oracle."""

from itertools import product
from random import Random
from xml.etree import ElementTree

import pytest

import reasons
from reasons.circuits.circuit import Test as DecisionNode
from reasons.explain.consensus import Mark, Nnf, consensus, filtered, nnf, simplified
from tests.support import oracle
from tests.support.comparison import Subject
from tests.support.generators import KINDS, boolean_function, instances_of, random_case
from tests.support.oracle import IMPOSSIBLE, Condition, Function
from tests.support.paper import APRIL, ROBIN, SCOTT, STUDY
from tests.support.specs import Case

SEEDS = range(80)


def models(function: Function, step: Nnf) -> Condition:
    return frozenset(x for x in function.instances() if step.evaluate(x))


def cases(kind: str) -> list[Case]:
    return [random_case(kind, seed) for seed in SEEDS]


@pytest.mark.parametrize("kind", KINDS)
def test_definition_9_the_circuit_is_true_where_the_label_is_given(kind: str) -> None:
    for case in cases(kind):
        function = Function(case.domains, case.table)
        for label in case.classifier.labels:
            fine = (label, IMPOSSIBLE)
            wanted = {x for x in function.instances() if function.table[x] in fine}
            assert models(function, nnf(case.classifier.circuit, label)) == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_proposition_6_consensus_preserves_the_models(kind: str) -> None:
    for case in cases(kind):
        function = Function(case.domains, case.table)
        for label in case.classifier.labels:
            circuit = nnf(case.classifier.circuit, label)
            assert models(function, consensus(circuit)) == models(function, circuit)


@pytest.mark.parametrize("kind", KINDS)
def test_theorem_9_filtered_consensus_is_the_complete_reason(kind: str) -> None:
    for seed, case in zip(SEEDS, cases(kind), strict=True):
        function = Function(case.domains, case.table)
        for instance in instances_of(case, Random(seed), most=2):
            circuit = nnf(case.classifier.circuit, function.label(instance))
            step = filtered(consensus(circuit), instance)
            wanted = oracle.complete_reason(function, instance)
            assert models(function, step) == wanted
            assert models(function, simplified(step)) == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_theorem_8_only_literals_of_the_instance_are_left(kind: str) -> None:
    for seed, case in zip(SEEDS, cases(kind), strict=True):
        for instance in instances_of(case, Random(seed), most=1):
            circuit = nnf(case.classifier.circuit, case.table[instance])
            for part in simplified(filtered(consensus(circuit), instance)).parts:
                if part.kind == "literal":
                    assert part.cells == (instance[part.feature],)


@pytest.mark.parametrize("kind", KINDS)
def test_without_consensus_filtering_loses_reasons(kind: str) -> None:
    """Filtering the plain circuit is stronger, and where features matter it is wrong."""
    lost = 0
    for seed, case in zip(SEEDS, cases(kind), strict=True):
        function = Function(case.domains, case.table)
        for instance in instances_of(case, Random(seed), most=1):
            circuit = nnf(case.classifier.circuit, function.label(instance))
            plain, wanted = filtered(circuit, instance), oracle.complete_reason(function, instance)
            assert models(function, plain) <= wanted
            lost += models(function, plain) != wanted
    assert lost > 0 or kind == "constant"


def test_figure_3_consensus_adds_one_and_gate_for_each_of_four_decisions() -> None:
    """The function of the figure is not given; this one has four decisions, too."""
    majority = reasons.compile("(A & B) | (A & C) | (B & C)", features=["A", "B", "C"])
    step = consensus(nnf(majority.circuit, True))
    assert sum(part.test for part in step.parts) == 4
    assert sum(part.mark is Mark.ADDED for part in step.parts) == 4
    kept = filtered(step, (0, 1, 1))
    assert any(part.mark is Mark.DROPPED for part in kept.parts)
    function = Function((2, 2, 2), {x: sum(x) > 1 for x in product((0, 1), repeat=3)})
    assert models(function, kept) == {(0, 1, 1), (1, 1, 1)}


@pytest.mark.parametrize("applicant", [SCOTT, ROBIN, APRIL])
def test_figure_6_the_simplified_circuit_means_the_reason(applicant: str) -> None:
    decision = STUDY.decide(applicant)
    step = simplified(filtered(consensus(nnf(STUDY.circuit, True)), decision.instance.cells))
    assert step.evaluate(decision.instance.cells)
    for number in range(32):
        cells = tuple(number >> bit & 1 for bit in range(5))
        assert step.evaluate(cells) == decision.reason.evaluate(cells)


def decisions_of(step: Nnf) -> int:
    """The decision nodes of the circuit that a step came from."""
    return sum(isinstance(node, DecisionNode) for node in step.circuit)


@pytest.mark.parametrize("part", range(4))
def test_the_steps_agree_with_the_direct_construction_on_all_functions_of_three(part: int) -> None:
    for number in range(part, 256, 4):
        case = boolean_function(3, number)
        for cells, label in case.table.items():
            step = consensus(nnf(case.classifier.circuit, label))
            last = simplified(filtered(step, cells))
            reason = case.classifier.decide(cells).reason
            for x in case.table:
                assert last.evaluate(x) == reason.evaluate(x), (number, cells, x)


@pytest.mark.parametrize("kind", KINDS)
def test_the_steps_agree_with_the_direct_construction_on_random_classifiers(kind: str) -> None:
    for seed, case in zip(SEEDS, cases(kind), strict=True):
        subject = Subject(*case)
        for instance in instances_of(case, Random(seed), most=2):
            decision = case.classifier.decide(subject.user_instance(instance))
            step = consensus(nnf(case.classifier.circuit, decision.label))
            got = models(subject.function, simplified(filtered(step, instance)))
            assert got == subject.condition(decision.reason), (kind, seed, instance)


@pytest.mark.parametrize("kind", KINDS)
def test_consensus_adds_one_gate_for_each_decision_node(kind: str) -> None:
    """Gates are shared where their inputs are, so that there can be fewer, never more."""
    for seed, case in zip(SEEDS, cases(kind), strict=True):
        for label in case.classifier.labels:
            before = nnf(case.classifier.circuit, label)
            after = consensus(before)
            tests = [part for part in after.parts if part.test]
            added = [part for part in after.parts if part.mark is Mark.ADDED]
            assert all(after.parts[part.inputs[-1]].mark is Mark.ADDED for part in tests)
            assert len({part.inputs[-1] for part in tests}) == len(added) <= decisions_of(after)
            plain = [part for part in after.parts if part.mark is not Mark.ADDED]
            assert len(plain) == len(before.parts), (kind, seed)


@pytest.mark.parametrize("number", range(0, 256, 5))
def test_on_boolean_functions_the_added_gates_are_as_many_as_the_decisions(number: int) -> None:
    case = boolean_function(3, number)
    step = consensus(nnf(case.classifier.circuit, True))
    arms = {
        frozenset(arm.node for arm in node.arms)
        for node in case.classifier.circuit
        if isinstance(node, DecisionNode)
    }
    added = sum(part.mark is Mark.ADDED for part in step.parts)
    assert added <= decisions_of(step)
    assert added >= len(arms)


@pytest.mark.parametrize("kind", KINDS)
def test_every_step_can_be_drawn(kind: str) -> None:
    for seed in range(8):
        case = random_case(kind, seed)
        subject = Subject(*case)
        for instance in instances_of(case, Random(seed), most=1):
            decision = case.classifier.decide(subject.user_instance(instance))
            for what in ("graph", "circuit", "consensus", "filtered", "reason"):
                xml = ElementTree.fromstring(decision.svg(what))
                assert xml.tag.endswith("svg")
                assert decision.dot(what).startswith("digraph")
            for what in ("graph", "circuit", "consensus"):
                assert case.classifier.svg(what).startswith("<svg")
                assert case.classifier.dot(what).startswith("digraph")

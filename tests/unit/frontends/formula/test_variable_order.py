"""Variable orders, and the diagrams built in them."""

import itertools
import random
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasons.budget import Budget
from reasons.errors import BudgetExceeded, InputError
from reasons.frontends.formula import deep_stack
from reasons.frontends.formula.bdd import Diagram, build
from reasons.frontends.formula.compiler import compile_formula
from reasons.frontends.formula.gates import Formula
from reasons.frontends.formula.parser import evaluate, parse
from reasons.frontends.formula.variable_order import (
    candidate_orders,
    estimated_width,
    variable_order,
)


def value(diagram: Diagram, row: tuple[bool, ...]) -> bool:
    node = diagram.root
    while node > 1:
        arms = diagram.high if row[diagram.variables[node - 2]] else diagram.low
        node = arms[node - 2]
    return node == 1


def assert_is_reduced_and_ordered(diagram: Diagram) -> None:
    level = {variable: level for level, variable in enumerate(diagram.order)}
    nodes = list(zip(diagram.variables, diagram.low, diagram.high, strict=True))
    assert len(set(nodes)) == len(nodes)
    for at, (variable, low, high) in enumerate(nodes, 2):
        assert low != high
        for child in (low, high):
            assert child < at
            assert child < 2 or level[variable] < level[diagram.variables[child - 2]]
    reached = {diagram.root}
    for at in range(len(nodes) + 1, 1, -1):
        assert at in reached
        reached.update(nodes[at - 2][1:])


def assert_is_the_formula(diagram: Diagram, formula: Formula) -> None:
    assert_is_reduced_and_ordered(diagram)
    assert sorted(diagram.order) == list(range(len(formula.names)))
    for row in itertools.product((False, True), repeat=len(formula.names)):
        assert value(diagram, row) == evaluate(formula, dict(zip(formula.names, row, strict=True)))


def carry(bits: int) -> str:
    """The carry out of an adder, the operands' names first met in blocks."""
    text = "0"
    for i in range(bits):
        text = f"(a{i} & b{i} | (a{i} ^ b{i}) & {text})"
    blocks = " & ".join(f"{name}{i}" for name in "ab" for i in range(bits))
    return f"(0 & {blocks}) | {text}"


def clauses(variables: int, count: int, seed: int) -> str:
    pick = random.Random(seed)
    return " & ".join(
        "(" + " | ".join(pick.choice(["", "~"]) + f"x{pick.randrange(variables)}" for _ in "123")
        + ")"
        for _ in range(count)
    )  # fmt: skip


TEXTS = st.recursive(
    st.sampled_from(["a", "b", "c", "d", "e", "0", "1"]),
    lambda inner: st.one_of(
        st.builds("~{}".format, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["&", "|", "^", "->", "<->"]), inner),
        st.builds("({} & {} & {})".format, inner, inner, inner),
        st.builds("({} | {} | {})".format, inner, inner, inner),
    ),
    max_leaves=30,
)


@given(TEXTS)
@settings(deadline=None)
def test_the_diagram_of_any_formula_has_its_truth_table(text: str) -> None:
    formula = parse(text)
    assert_is_the_formula(build(formula, budget=Budget()), formula)


@given(TEXTS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_a_given_order_is_kept(text: str, pick: random.Random) -> None:
    formula = parse(text)
    order = pick.sample(range(len(formula.names)), len(formula.names))
    diagram = build(formula, budget=Budget(), order=order)
    assert diagram.order == tuple(order)
    assert_is_the_formula(diagram, formula)


@given(TEXTS)
def test_every_candidate_is_an_order_of_all_names(text: str) -> None:
    formula = parse(text)
    for order in candidate_orders(formula):
        assert sorted(order) == list(range(len(formula.names)))


@pytest.mark.parametrize("seed", range(5))
def test_searched_diagrams_of_random_clauses_are_right(seed: int) -> None:
    formula = parse(clauses(variables=12, count=18, seed=seed))
    diagram = build(formula, budget=Budget())
    assert_is_the_formula(diagram, formula)
    written = build(formula, budget=Budget(), order=list(range(len(formula.names))))
    assert diagram.size <= written.size


@pytest.mark.parametrize("order", [[0], [0, 0], [0, 1, 2], [0, 2]])
def test_an_order_that_is_no_permutation_is_refused(order: list[int]) -> None:
    with pytest.raises(InputError, match="order"):
        build(parse("a ^ b"), budget=Budget(), order=order)


def test_the_same_formula_gets_the_same_order() -> None:
    text = clauses(variables=40, count=60, seed=1)
    assert variable_order(parse(text)) == variable_order(parse(text))


def test_the_estimate_prefers_operands_side_by_side() -> None:
    formula = parse(carry(8))
    pairs = [place for i in range(8) for place in (i, 8 + i)]
    assert estimated_width(formula, pairs) < estimated_width(formula, list(range(16)))


def test_an_adder_written_in_blocks_does_not_explode() -> None:
    diagram = build(parse(carry(16)), budget=Budget(nodes=20_000))
    assert diagram.size <= 50


def test_an_adder_in_the_written_order_does() -> None:
    formula = parse(carry(16))
    assert build(formula, budget=Budget(), order=list(range(32))).size == 131_070


def test_sifting_finds_what_the_guesses_miss() -> None:
    text = clauses(variables=40, count=45, seed=3)
    formula = parse(text)
    guessed = build(formula, budget=Budget(), order=variable_order(formula))
    inner = len(compile_formula(text).circuit) - 2  # without the two leaves
    assert inner < build(formula, budget=Budget()).size <= guessed.size


@pytest.mark.parametrize("text", ["0", "a | ~a | b", "(a & b) & (~a & c)", "a ^ b ^ a ^ b"])
def test_constants_have_no_nodes(text: str) -> None:
    formula = parse(text)
    diagram = build(formula, budget=Budget())
    assert diagram.size == 0
    assert_is_the_formula(diagram, formula)


def test_a_contradiction_only_oxidd_sees_has_no_nodes() -> None:
    diagram = build(parse("(a | b) & (~a | b) & (a | ~b) & (~a | ~b)"), budget=Budget())
    assert (diagram.size, diagram.root) == (0, 0)


@pytest.mark.parametrize("joint", [" & ", " | "])
@pytest.mark.parametrize("frame", ["{}", "~({})"])
def test_few_literals_are_written_down_right(joint: str, frame: str) -> None:
    formula = parse(frame.format(joint.join(["a", "~b", "c", "~d"])))
    assert_is_the_formula(build(formula, budget=Budget()), formula)
    assert_is_the_formula(build(formula, budget=Budget(), order=[2, 0, 3, 1]), formula)


def test_a_million_literals_need_no_oxidd() -> None:
    formula = parse(" | ".join(f"v{i}" for i in range(1_000_000)))
    diagram = build(formula, budget=Budget())
    assert diagram.size == 1_000_000
    assert not value(diagram, (False,) * 1_000_000)
    assert value(diagram, (False,) * 999_999 + (True,))


def test_literals_respect_the_budget() -> None:
    with pytest.raises(BudgetExceeded):
        build(parse("a & b & c & d"), budget=Budget(nodes=3))


@pytest.mark.parametrize("shape", ["right", "left", "flat"])
def test_a_hundred_thousand_variables_are_built(shape: str) -> None:
    count = 100_000
    if shape == "right":
        text = "".join(f"x{i} {'&|'[i % 2]} (" for i in range(count)) + "y" + ")" * count
    elif shape == "left":
        text = "(" * count + "y" + "".join(f" {'&|'[i % 2]} x{i})" for i in range(count))
    else:
        text = " & ".join(f"(x{i} | x{i + 1})" for i in range(0, count, 2))
    diagram = build(parse(text), budget=Budget())
    assert count <= diagram.size <= 2 * count


def test_deep_nesting_of_few_names_is_built() -> None:
    depth = 100_000
    formula = parse("(a & (b | ~(c ^ " * (depth // 3) + "d" + ")))" * (depth // 3))
    assert_is_the_formula(build(formula, budget=Budget()), formula)


def test_more_variables_than_the_stack_allows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deep_stack, "LEVEL_LIMIT", 1000)
    formula = parse(" & ".join(f"(x{i} | x{i + 1})" for i in range(1001)))
    with pytest.raises(BudgetExceeded, match="variables 1,002, limit 1,000"):
        build(formula, budget=Budget())


@pytest.mark.slow
def test_as_many_variables_as_the_limit_are_built() -> None:
    count = deep_stack.LEVEL_LIMIT
    formula = parse(" & ".join(f"(x{i} | x{i + 1})" for i in range(0, count, 2)))
    assert build(formula, budget=Budget()).size == count


def test_no_order_below_the_cap_is_budget_exceeded() -> None:
    formula = parse(clauses(variables=200, count=200, seed=1))
    with pytest.raises(BudgetExceeded) as caught:
        build(formula, budget=Budget(nodes=100_000))
    assert caught.value.spent["nodes"] == 100_000


def test_time_over_is_budget_exceeded() -> None:
    formula = parse(clauses(variables=200, count=200, seed=2))
    with pytest.raises(BudgetExceeded, match="seconds"):
        build(formula, budget=Budget(seconds=0.3))


def test_progress_is_reported_on_the_callers_thread() -> None:
    heard: list[tuple[str, threading.Thread]] = []

    def listen(stage: str, done: int, total: int | None) -> None:
        heard.append((stage, threading.current_thread()))

    build(parse(clauses(variables=20, count=30, seed=1)), budget=Budget(progress=listen))
    assert set(heard) == {("decision diagram", threading.current_thread())}


def test_the_stack_size_of_other_threads_is_left_alone() -> None:
    before = threading.stack_size()
    build(parse("a ^ b"), budget=Budget())
    assert threading.stack_size() == before


def test_control_c_stops_the_build() -> None:
    script = (
        "import _thread, threading\n"
        "from reasons.budget import Budget\n"
        "from reasons.frontends.formula.bdd import build\n"
        "from reasons.frontends.formula.parser import parse\n"
        f"formula = parse({clauses(variables=200, count=200, seed=1)!r})\n"
        "threading.Timer(0.5, _thread.interrupt_main).start()\n"
        "try:\n    build(formula, budget=Budget())\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60)
    assert done.stdout == b"stopped\n"
    assert done.returncode == 0

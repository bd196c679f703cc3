"""`compile(formula, constraint=)`: read by the grammar of conditions, as a superset of formulas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reasons
from reasons.features.schema import Schema
from reasons.frontends.formula.compiler import parse_constraint
from reasons.frontends.formula.parser import evaluate, parse

NAMES = ["a", "b", "c", "high GPA", "in", "or", "x-1", "é", "1"]
SPELLED = {"high GPA": "'high GPA'", "or": '"or"', "1": "'1'"}


@st.composite
def formula_texts(draw: st.DrawFn, depth: int = 4) -> str:
    if not depth or draw(st.booleans()):
        name = draw(st.sampled_from([*NAMES, "true", "FALSE"]))
        return SPELLED.get(name, name)
    sign = draw(st.sampled_from(["&", "&&", " and ", "^", " XOR ", "|", " or ", "->", "<->", "~"]))
    left, right = (draw(formula_texts(depth=depth - 1)) for _ in range(2))
    text = f"~{left}" if sign == "~" else f"{left} {sign} {right}"
    return f"({text})" if draw(st.booleans()) else text


@given(formula_texts())
def test_a_constraint_means_what_the_same_formula_does(text: str) -> None:
    schema = Schema(NAMES)
    formula, constraint = parse(text), parse_constraint(text, schema)
    for bits in range(1 << len(NAMES)):
        values = {name: bool(bits >> i & 1) for i, name in enumerate(NAMES)}
        assert evaluate(constraint, values) == evaluate(formula, values)


@pytest.mark.parametrize(
    "text", ["a = true, b = 0", "a in {true} & ~b", "a != false & b not in {1}", "a & (b is false)"]
)
def test_a_constraint_is_read_by_the_grammar_of_conditions(text: str) -> None:
    clf, plain = (
        reasons.compile("b | 'head count'", features=["a", "b", "head count"], constraint=each)
        for each in (text, "a & ~b")
    )
    assert [clf.count(label) for label in (True, False)] == [1, 1]
    assert [plain.count(label) for label in (True, False)] == [1, 1]
    spaces = reasons.compile("a & 'head count'", constraint="head count -> a")
    assert [spaces.count(label) for label in (True, False)] == [1, 2]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a & z", "<constraint>:1:5: there is no feature 'z'"),
        ("a = 3", "<constraint>:1:1: feature 'a' has no value '3'"),
        ("a > 3", "<constraint>:1:1: feature 'a' has the value False, which no number"),
        ("", "a condition is missing here"),
        ("a &", "'&' has nothing on its right"),
    ],
)
def test_a_constraint_that_cannot_be_read_is_refused_with_its_place(text: str, why: str) -> None:
    with pytest.raises(reasons.ParseError, match=why):
        reasons.compile("a & b", constraint=text)


def test_a_long_constraint_is_read_in_linear_time() -> None:
    text = " & ".join(f"(v{i} | ~v{i + 1})" for i in range(20_000))
    names = [f"v{i}" for i in range(20_001)]
    assert len(parse_constraint(text, Schema(names)).names) == 20_001
    assert parse_constraint("~" * 50_000 + "(" * 50_000 + "v1" + ")" * 50_000, Schema(names)).root


def test_a_name_that_only_the_declared_domain_has_is_refused() -> None:
    """A typo in `constraint` declared something else than was meant, and added a feature."""
    with pytest.raises(reasons.ParseError, match="<constraint>:1:7: there is no feature 'bb'"):
        reasons.compile("a | b", constraint="~(a & bb)")

"""Formula text: what it means, and how it is refused."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasons.errors import ParseError
from reasons.frontends.formula.gates import Formula
from reasons.frontends.formula.parser import evaluate, parse

NAMES = "abcd"


def truth_table(formula: Formula, names: str = NAMES) -> list[bool]:
    rows = itertools.product((False, True), repeat=len(names))
    return [evaluate(formula, dict(zip(names, row, strict=True))) for row in rows]


def python_table(expression: str, names: str = NAMES) -> list[bool]:
    rows = itertools.product((False, True), repeat=len(names))
    code = compile(expression, "<oracle>", "eval")
    return [bool(eval(code, dict(zip(names, row, strict=True)))) for row in rows]


def refused(text: str) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse(text, "here")
    assert caught.value.source == "here"
    return caught.value


@pytest.mark.parametrize(
    ("text", "oracle"),
    [
        ("a & b | c", "(a and b) or c"),
        ("a | b & c", "a or (b and c)"),
        ("a ^ b & c", "a != (b and c)"),
        ("a | b ^ c", "a or (b != c)"),
        ("~a & b", "(not a) and b"),
        ("not a or b", "(not a) or b"),
        ("!(a && b) || c", "(not (a and b)) or c"),
        ("a -> b -> c", "(not a) or (not b) or c"),
        ("(a -> b) -> c", "(a and not b) or c"),
        ("a | b => c", "(not (a or b)) or c"),
        ("a <-> b -> c", "a == ((not b) or c)"),
        ("a <=> b <-> c <-> d", "((a == b) == c) == d"),
        ("a ^ b xor c ^ ~d", "a ^ b ^ c ^ (not d)"),
        ("~~~a ^ a", "True"),
        ("a AND NOT b OR c XOR d", "(a and not b) or (c != d)"),
        ("a & true | False & b", "a"),
        ("a & ~a | b & 1 & b", "b"),
        ("a ^ a ^ b ^ 0 ^ 1", "not b"),
        ("a & (b & (a & c))", "a and b and c"),
        ("a & (~a & b)", "False"),
        ("a ^ (a ^ (b ^ c))", "b != c"),
        ("(((a)))", "a"),
        ("1", "True"),
        ("a # & b\n & c # end", "a and c"),
    ],
)
def test_operators_mean_and_bind_as_documented(text: str, oracle: str) -> None:
    assert truth_table(parse(text)) == python_table(oracle)


def expressions() -> st.SearchStrategy[tuple[str, str]]:
    """A formula in our words, fully bracketed, and the same in Python's."""
    leaves = st.sampled_from([*((n, n) for n in NAMES), ("0", "False"), ("true", "True")])
    operators = st.sampled_from(
        [
            ("&", "{} and {}"),
            ("|", "{} or {}"),
            ("^", "bool({}) != bool({})"),
            ("->", "not {} or {}"),
            ("<->", "bool({}) == bool({})"),
        ]
    )

    def extend(inner: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
        binary = st.tuples(inner, operators, inner).map(
            lambda t: (f"({t[0][0]} {t[1][0]} {t[2][0]})", f"({t[1][1].format(t[0][1], t[2][1])})")
        )
        return binary | inner.map(lambda t: (f"~{t[0]}", f"(not {t[1]})"))

    return st.recursive(leaves, extend, max_leaves=25)


@given(expressions())
def test_any_formula_has_the_truth_table_python_gives_it(pair: tuple[str, str]) -> None:
    assert truth_table(parse(pair[0])) == python_table(pair[1])


@given(expressions())
def test_every_gate_comes_after_its_inputs_and_is_used(pair: tuple[str, str]) -> None:
    formula = parse(pair[0])
    used = {formula.root >> 1}
    for gate in range(len(formula.kinds) - 1, 0, -1):
        if formula.kinds[gate] > 1:
            assert gate in used
            assert all(edge >> 1 < gate for edge in formula.inputs[gate])
            used.update(edge >> 1 for edge in formula.inputs[gate])


@given(st.text(max_size=30))
def test_any_text_parses_or_is_refused_at_a_place(text: str) -> None:
    try:
        parse(text)
    except ParseError as caught:
        error = caught
    else:
        return
    assert error.line is not None
    assert error.column is not None
    assert error.excerpt is not None
    assert 1 <= error.column <= max(1, len(error.excerpt))


@given(st.text(min_size=1, max_size=20))
def test_any_text_is_a_name_in_quotes(name: str) -> None:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    assert parse(f'~"{escaped}"').names == (name,)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("b & a & b", ("b", "a")),
        ("a-b->c.d_1", ("a-b", "c.d_1")),
        ("a->b", ("a", "b")),
        ("a--b <-> 1.5x", ("a--b", "1.5x")),
        ("größe | 年齢 | हिन्दी", ("größe", "年齢", "हिन्दी")),
        ("'and' & \"not\" & a", ("and", "not", "a")),
        (r"'it\'s' | 'a b'", ("it's", "a b")),
        ("'a' & a", ("a",)),
        ("x & 0", ("x",)),
        ("android | order | nothing", ("android", "order", "nothing")),
    ],
)
def test_names_are_those_of_the_text_in_order_of_appearance(
    text: str, names: tuple[str, ...]
) -> None:
    assert parse(text).names == names


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "empty"),
        (" \n # nothing", 2, 2, "empty"),
        ("(a & (b | c)", 1, 1, "never closed"),
        ("a &\n (b | c", 2, 2, "never closed"),
        ("(", 1, 1, "never closed"),
        ("a)", 1, 2, "closes nothing"),
        ("a & ()", 1, 5, "nothing between"),
        ("a b", 1, 3, "operator is missing before 'b'"),
        ("a (b)", 1, 3, "operator is missing"),
        ("a ~b", 1, 3, "operator is missing"),
        ("a\n\n  & & b", 3, 5, "'&' has nothing on its left"),
        ("-> a", 1, 1, "nothing on its left"),
        ("a & b |", 1, 7, "'|' has nothing on its right"),
        ("a | ~ # why", 1, 5, "'~' has nothing on its right"),
        ("(a & )", 1, 4, "nothing on its right"),
        ("a $ b", 1, 3, "unexpected character '$'"),
        ("a & -b", 1, 5, "write '~'"),
        ("a = b", 1, 3, "write '<->'"),
        ("naïve ∧ b", 1, 7, "unexpected character '∧'"),
        ("x∧b", 1, 2, "unexpected character '∧'"),
        ("a & 'b", 1, 5, "never closed"),
        (r"'b\'", 1, 1, "never closed"),
        ("a & ''", 1, 5, "cannot be empty"),
    ],
)
def test_bad_text_is_refused_at_its_place(text: str, line: int, column: int, words: str) -> None:
    error = refused(text)
    assert (error.line, error.column) == (line, column)
    assert words in str(error)


def test_an_error_shows_its_line_with_a_caret() -> None:
    assert str(refused("a &\nb ) | c")).splitlines() == [
        "here:2:3: this ')' closes nothing: there is no '(' before it",
        "  b ) | c",
        "    ^",
    ]


DEPTH = 100_000


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("(" * DEPTH + "a" + ")" * DEPTH, 1),
        ("~(" * DEPTH + "a" + ")" * DEPTH, 1),
        ("(a & (b | " * DEPTH + "c" + "))" * DEPTH, 3),
        ("".join(f"(x{i} & (y{i} | " for i in range(DEPTH)) + "c" + "))" * DEPTH, 2 * DEPTH + 1),
        ("(" * DEPTH + "a" + " ^ b)" * DEPTH, 2),
        ("a -> " * DEPTH + "b", 2),
    ],
    ids=["parentheses", "negations", "few names", "many names", "left", "arrows"],
)
def test_nesting_a_hundred_thousand_deep_is_parsed(text: str, names: int) -> None:
    formula = parse(text)
    assert len(formula.names) == names
    evaluate(formula, dict.fromkeys(formula.names, True))


def test_nested_conjunctions_become_one_gate() -> None:
    formula = parse("".join(f"(v{i} & " for i in range(DEPTH)) + "w" + ")" * DEPTH)
    assert len(formula.inputs[formula.root >> 1]) == DEPTH + 1


def test_an_open_parenthesis_far_away_is_found() -> None:
    assert refused("a &\n" + "(" * DEPTH + "a" + ")" * (DEPTH - 1)).line == 2


def test_a_formula_of_ten_megabytes_is_parsed() -> None:
    term = "(~income.high & age-group_3 | 'zip code' & x) ^ "
    formula = parse(term * (10_000_000 // len(term)) + "y")
    assert formula.names == ("income.high", "age-group_3", "zip code", "x", "y")


def test_a_million_literals_are_parsed() -> None:
    formula = parse(" & ".join(f"~v{i}" for i in range(1_000_000)))
    assert len(formula.inputs[formula.root >> 1]) == 1_000_000


@pytest.mark.parametrize("text", ['\\"' * 1_000_000, " " * 5_000_000, "'" + "\\a" * 1_000_000])
def test_hostile_text_is_refused_in_linear_time(text: str) -> None:
    refused(text)

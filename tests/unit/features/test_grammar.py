"""The grammar: whatever is printed can be read back, and means the same cells."""

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import reasons
from reasons import Feature, InputError, Instance, ParseError, Term, UnknownFeature
from reasons.ensembles.domain import declared
from reasons.features.grammar import tokens
from reasons.features.grammar.condition_parser import parse_condition
from reasons.features.grammar.conditions import BOOLEAN, Condition
from reasons.features.grammar.semantics import characteristic_cells
from reasons.features.schema import Schema
from reasons.features.terms import instance_of, term_of

SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

WORDS = ["age", "head count", "a", "b", "salt and pepper", "OR", "in", "is not", "x<y", "R&D", "#1"]
WORDS += [
    "sepal length (cm)",
    "it's",
    'say "hi"',
    "<missing>",
    "<other>",
    "a, b",
    "é ü",
    "真",
    "-x",
]
WORDS += ["true", "False", "0", "1", "5", "1e3", "if then", "not", " lead", "tail ", "a\nb", "\\n"]
WORDS += [
    "{a}",
    "[1, 2)",
    "a = b",
    "a == b",
    "≤ 3",
    "a->b",
    "x-",
    "->",
    "inf",
    "nan",
    "~a",
    "!",
    "''",
]
texts = st.sampled_from(WORDS) | st.text(min_size=1, max_size=6)
numbers = (
    st.sampled_from([25, 40, -0.35, 41.499999999999993, 0.1 + 0.2, 1e-300, 5e-324, 2**53, 1e300])
    | st.floats(-1e6, 1e6)
    | st.integers(-100, 100)
    | st.floats(width=32, allow_nan=False, allow_infinity=False)
)


@st.composite
def numeric(draw: Any, name: str) -> Feature:
    cuts = draw(st.lists(numbers, min_size=1, max_size=4))
    if draw(st.booleans()):  # cuts side by side
        cuts += [math.nextafter(cuts[0], math.inf)]
    whole = draw(st.booleans())
    within = draw(st.sampled_from([None, None, (-50, 60)]))
    cast = draw(st.sampled_from(["float64", "float32"]))
    if cast == "float32":
        cuts = [cut for cut in cuts if abs(cut) < 1e38] or [1]
    return Feature.numeric(
        name,
        cuts,
        closed=draw(st.sampled_from(["right", "left"])),
        cast=cast,
        whole=whole and within is not None,
        within=within,
        missing=draw(st.booleans()),
    )


@st.composite
def categorical(draw: Any, name: str) -> Feature:
    values = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    if draw(st.booleans()):
        values = [*values, draw(st.sampled_from([7, 2.5, ("a", 1)]))]
    other, missing = draw(st.booleans()), draw(st.booleans())
    try:
        return Feature.categorical(name, values, other=other, missing=missing)
    except InputError:  # values that are written alike
        return Feature.categorical(name, ["plain", "a, b"], other=other, missing=missing)


@st.composite
def schemas(draw: Any) -> Schema:
    names = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    kinds = [Feature.boolean, None, None]
    made = []
    for at, name in enumerate(names):
        kind = draw(st.sampled_from(range(len(kinds))))
        made.append(
            Feature.boolean(name)
            if kind == 0
            else draw((categorical if (kind + at) % 2 else numeric)(name))
        )
    return Schema(made)


@st.composite
def terms(draw: Any) -> Term:
    schema = draw(schemas())
    chosen = draw(st.lists(st.sampled_from(range(len(schema))), unique=True, max_size=4))
    cells = {}
    for feature in chosen:
        every = range(len(schema[feature].values))
        own = draw(st.sets(st.sampled_from(every), min_size=1))
        if schema[feature].kind == "boolean" and len(own) == 2:
            own = {0}
        cells[feature] = own
    return Term(schema, cells)


def cells_of(condition: Condition, schema: Schema) -> set[tuple[int, ...]]:
    """The instances, by their cells, of which a condition holds."""
    masks = [characteristic_cells(schema[schema.index(a.name)], a) for a in condition.atoms]
    where = [schema.index(a.name) for a in condition.atoms]
    every = product(*(range(len(f.values)) for f in schema))
    return {
        x
        for x in every
        if condition.fold([x[f] in m for f, m in zip(where, masks, strict=True)], BOOLEAN)
    }


def check_terms(term: Term) -> None:
    schema = term._schema
    assert term_of(schema, str(term)).limits == term.limits, str(term)
    if term:
        wanted = {
            x
            for x in product(*(range(len(f.values)) for f in schema))
            if all(x[f] in cells for f, cells in term.limits.items())
        }
        assert cells_of(parse_condition(str(term), "<text>", schema), schema) == wanted, str(term)


@SETTINGS
@given(terms())
def test_a_printed_term_is_read_as_the_same_cells_by_terms_and_by_conditions(term: Term) -> None:
    check_terms(term)


@SETTINGS
@given(schemas(), st.randoms(use_true_random=False))
def test_a_printed_instance_is_read_as_the_same_cells(schema: Schema, rng: Any) -> None:
    cells = [rng.randrange(len(feature.values)) for feature in schema]
    instance = Instance.of_cells(schema, cells)
    assert instance_of(schema, str(instance)).cells == tuple(cells), str(instance)


@SETTINGS
@given(schemas(), st.randoms(use_true_random=False))
def test_a_printed_formula_of_characteristics_is_read_as_the_same_cells(
    schema: Schema, rng: Any
) -> None:
    def literal() -> tuple[str, Callable[[tuple[int, ...]], bool]]:
        at = rng.randrange(len(schema))
        every = list(range(len(schema[at].values)))
        own = set(rng.sample(every, rng.randint(1, len(every))))
        if schema[at].kind == "boolean":
            own = {rng.randrange(2)}
        return schema[at].says(own), lambda x: x[at] in own

    def formula(depth: int) -> tuple[str, Callable[[tuple[int, ...]], bool]]:
        if depth == 0:
            return literal()
        (left, one), (right, two) = formula(depth - 1), formula(depth - 1)
        kind = rng.choice(["&", "|", "->", "^", "<->", "~", ",", "and", "or"])
        if kind == "~":
            return f"~({left})", lambda x: not one(x)
        joined: Callable[[bool, bool], bool] = {
            "&": lambda p, q: p and q,
            "and": lambda p, q: p and q,
            ",": lambda p, q: p and q,
            "|": lambda p, q: p or q,
            "or": lambda p, q: p or q,
            "->": lambda p, q: not p or q,
            "^": lambda p, q: p != q,
            "<->": lambda p, q: p == q,
        }[kind]
        return f"({left}) {kind} ({right})", lambda x: joined(one(x), two(x))

    text, meaning = formula(rng.randint(0, 2))
    every = product(*(range(len(f.values)) for f in schema))
    condition = parse_condition(text, "<text>", schema)
    assert cells_of(condition, schema) == {x for x in every if meaning(x)}, text


@SETTINGS
@given(schemas(), st.text(max_size=30) | st.lists(texts, max_size=6).map(" ".join))
def test_whatever_is_written_is_read_or_refused_with_its_place(schema: Schema, text: str) -> None:
    for read in (lambda: term_of(schema, text), lambda: parse_condition(text, "<text>", schema)):
        refused: ParseError | None = None
        try:
            read()
        except UnknownFeature:
            continue
        except ParseError as error:
            refused = error
        assert refused is None or (refused.line and refused.column and "^" in str(refused))


def test_the_round_trip_of_terms_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A printer that forgets quotes, and a reader that takes the next cut, are both seen."""
    quotes = Term(Schema(["a & b", "a", "b"]), {0: {1}})
    cuts = Term(Schema([Feature.numeric("e", [-0.35000000000000003, 2])]), {0: {0}})
    for term in (quotes, cuts):
        check_terms(term)
    with monkeypatch.context() as planted:
        planted.setattr("reasons.features.formatting.quoted_name", lambda name: name)
        with pytest.raises((AssertionError, InputError)):
            check_terms(quotes)
    with monkeypatch.context() as planted:
        planted.setattr("reasons.features.cuts.cut_at", lambda own, number, below: own.cuts[-1])
        with pytest.raises(AssertionError):
            check_terms(cuts)
    with monkeypatch.context() as planted:
        planted.setattr(
            "reasons.features.grammar.characteristic_parser.unquoted",
            lambda text: text.strip("\"' "),
        )
        with pytest.raises((AssertionError, InputError)):
            check_terms(Term(Schema([Feature.categorical("x", [" b", "b"])]), {0: {0}}))


JOBS = Schema(
    [
        Feature.categorical(
            "job title", ["head of unit", "R&D", "rock and roll", "OR"], other=True
        ),
        Feature.numeric("head count", [25, 40]),
        Feature.boolean("sepal length (cm)"),
        Feature.boolean("1"),
    ]
)


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("job title = head of unit", {0: {0}}),
        ("job title == 'head of unit'", {0: {0}}),
        ("job title = R&D & 25 < head count <= 40", {0: {1}, 1: {1}}),
        ("job title = rock and roll and head count > 40", {0: {2}, 1: {2}}),
        ("job title = OR, head count in (25, 40]", {0: {3}, 1: {1}}),
        ("job title not in {R&D, OR}", {0: {0, 2, 4}}),
        ("job title in {head of unit, <other>}", {0: {0, 4}}),
        ("job title is not R&D", {0: {0, 2, 3, 4}}),
        ("25 >= head count", {1: {0}}),
        ("head count ≤ 25", {1: {0}}),
        ("head count in {(-inf, 25], (40, inf)}", {1: {0, 2}}),
        ("~sepal length (cm) & 1", {2: {0}, 3: {1}}),
        ('not "sepal length (cm)" and !1', {2: {0}, 3: {0}}),
        ("(nothing)", {}),
    ],
)
def test_terms_read_what_any_grammar_read(text: str, limits: dict[int, set[int]]) -> None:
    assert term_of(JOBS, text).limits == limits


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("head count > 25 | 1", 1, "joins characteristics by commas only"),
        ("1, ~(head count > 25)", 6, "cannot be negated"),
        ("1, head count > 30", 4, "not cut at"),
        ("1,, 1", 3, "nothing on its left"),
        ("1, head count > 25, head count > 40", 21, "named twice"),
        ("1, head count > old", 4, "cannot read 'old' as a number"),
        ("head count", 1, "needs a value"),
        ("job title = ", 11, "nothing on its right"),
        ("head count > 40 &", 17, "nothing on its right"),
        ('1, "sepal', 4, "never closed"),
    ],
)
def test_errors_in_terms_have_a_place_and_a_caret(text: str, place: int, message: str) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        term_of(JOBS, text)
    assert (caught.value.line, caught.value.column) == (1, place)
    assert f"\n  {' ' * (place - 1)}^" in str(caught.value)


def test_a_printed_bound_in_a_constraint_makes_no_sliver() -> None:
    """Found: `e < -0.35`, printed of the cut -0.35000000000000003, became a cell of its own."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    rng = numpy.random.default_rng(0)
    rows = rng.normal(size=(300, 2)).round(2)
    labels = rows[:, 0] + rows[:, 1] ** 2 > 0.3
    tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    model = make_pipeline(StandardScaler(), tree).fit(rows, labels)
    plain = reasons.compile(model)
    seen = 0
    for at, feature in enumerate(plain.features):
        for cell in range(len(feature.cuts)):
            printed = feature.says(range(cell + 1))
            clf = reasons.compile(model, constraint=f"~({printed}) | {printed}")
            assert clf.features == plain.features, printed
            below = reasons.compile(model, constraint=printed)
            for other in range(len(feature.cuts) + 1):
                instance = [f.raw(0) for f in plain.features]
                instance[at] = feature.raw(other)
                if other <= cell:
                    assert below.decide(instance).label == plain.decide(instance).label
                else:
                    with pytest.raises(InputError):
                        below.decide(instance)
            seen += str(feature.cuts[cell]) not in printed
    assert seen > 0, "no cut is written shorter than it is"


def test_a_printed_bound_in_rules_and_functions_means_its_cut() -> None:
    feature = Feature.numeric("e", [-0.35000000000000003, 41.499999999999993])
    low, high = feature.says((0,)), feature.says((1, 2))
    assert low == "e < -0.35"
    rules = reasons.from_rules([(low, "x"), (high, "y")], features=[feature])
    assert reasons.check(rules)
    assert list(rules.predict([[-0.35000000000000003], [-0.35]])) == ["x", "y"]
    function = reasons.compile(
        lambda row: row["e"] > feature.cuts[1], features=[feature], rows="mapping", constraint=high
    )
    with pytest.raises(InputError):
        function.decide([-1])


def test_bounds_beside_each_other_in_a_constraint_are_told_apart() -> None:
    """`< 2` may mean a printed cut just below 2 while `<= 2` makes a new one at 2."""
    domain = declared(constraint="x < 2 | x > 2")
    feature = Feature.numeric("x", [1.9999999812345678])
    cuts = domain.limit("x").cuts(feature)
    assert cuts == {(2.0, False): 1.9999999812345678, (2.0, True): 2.0}


def test_quotes_protect_what_the_tokenizer_splits() -> None:
    for text in WORDS:
        (token,) = tokens.tokens_of(tokens.quoted(text).replace(" ", "_"))
        assert token.kind in ("word", "quoted")
        assert tokens.unquoted(tokens.quoted(text)) == text


def adult() -> reasons.Classifier:
    age = reasons.Feature.numeric("age", cuts=[25, 40])
    builder = reasons.Builder([age], ["no", "yes"])
    young, middle, old = age.values
    arms = {young: builder.leaf("no"), (middle, old): builder.leaf("yes")}
    return builder.build(builder.decide("age", arms))


@pytest.mark.parametrize("term", ["age in [25, 40)", {"age": reasons.Interval(25, 40, "left")}])
def test_an_interval_closed_on_the_other_side_is_refused_or_right(term: object) -> None:
    """25 is in [25, 40) and decided otherwise, so the term does not suffice."""
    assert adult().decide({"age": 25}).label == "no"
    decision = adult().decide({"age": 30})
    try:
        assert not decision.is_sufficient(term)
    except reasons.InputError:
        return


def test_a_printed_term_can_be_read_again() -> None:
    age = reasons.Feature.numeric("age", cuts=[10, 20])
    builder = reasons.Builder([age], ["no", "yes"])
    low, middle, high = age.values
    arms = {(low, high): builder.leaf("yes"), middle: builder.leaf("no")}
    decision = builder.build(builder.decide("age", arms)).decide({"age": 5})
    found = decision.sufficient_reasons(general=True)
    assert [str(term) for term in found] == ["age in {(-inf, 10], (20, inf)}"]
    assert "age in {(-inf, 10], (20, inf)}" in found

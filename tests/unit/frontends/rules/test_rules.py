"""Rule lists and decision sets: text, pairs, frames and files."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pandas
import pytest

import reasons
from reasons import Feature, from_rules
from tests.support.compare import compare_some
from tests.support.oracle import IMPOSSIBLE
from tests.support.specs import Case, features_for

LOAN = """
# who gets a loan
if age > 25 and job in {clerk, nurse} then grant
else if owns_house then grant
else refuse
"""


def test_the_story_of_the_documentation() -> None:
    clf = from_rules(LOAN)
    assert clf.labels == ("grant", "refuse")
    assert [feature.name for feature in clf.features] == ["age", "job", "owns_house"]
    assert [feature.kind for feature in clf.features] == ["numeric", "categorical", "boolean"]
    ann = clf.decide({"age": 33, "job": "nurse", "owns_house": False})
    assert str(ann.general_reason) == "age > 25 & job in {clerk, nurse}"
    assert clf.decide({"age": 33, "job": "pilot", "owns_house": False}).label == "refuse"
    assert clf.decide({"age": 25, "job": "nurse", "owns_house": True}).label == "grant"
    assert reasons.check(clf)


Holds = Callable[[dict[str, Any]], bool]


class Writer:
    """Random rules as text, and the plain meaning of each on raw values."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.sign = {n: rng.choice(["<", "<=", "mixed"]) for n in ("age", "net")}

    def atom(self) -> tuple[str, Holds]:
        name = self.rng.choice(["age", "net", "job", "kids", "member", "rich"])
        if name in ("age", "net"):
            return self.number(name)
        if name in ("job", "kids"):
            return self.category(name, ["clerk", "nurse"] if name == "job" else [0, 1, 2])
        return self.rng.choice(
            [(name, lambda row: row[name]), (f"{name} = false", lambda row: not row[name])]
        )

    def number(self, name: str) -> tuple[str, Holds]:
        number = self.rng.choice([18, 25.5, -3, 1e-3, 40])
        signs = {"<": ["<", ">="], "<=": ["<=", ">"], "mixed": ["<", "<=", ">", ">=", "=", "!="]}
        sign = self.rng.choice([*signs[self.sign[name]], "in"])
        if sign == "in":
            low, high = sorted(self.rng.sample([-3, 0, 18, 25.5, 40], 2))
            return f"{name} in ({low}, {high}]", lambda row: low < row[name] <= high
        tests = {
            "<": lambda row: row[name] < number,
            "<=": lambda row: row[name] <= number,
            ">": lambda row: row[name] > number,
            ">=": lambda row: row[name] >= number,
            "=": lambda row: row[name] == number,
            "!=": lambda row: row[name] != number,
        }
        return f"{name} {sign} {number}", tests[sign]

    def category(self, name: str, values: list[Any]) -> tuple[str, Holds]:
        one = self.rng.choice(values)
        some = self.rng.sample(values, self.rng.randint(1, len(values)))
        within = "{" + ", ".join(map(str, some)) + "}"
        return self.rng.choice(
            [
                (f"{name} = {one}", lambda row: row[name] == one),
                (f"{name} == {one}", lambda row: row[name] == one),
                (f"{name} != {one}", lambda row: row[name] != one),
                (f"{name} in {within}", lambda row: row[name] in some),
                (f"{name} not in {within}", lambda row: row[name] not in some),
            ]
        )

    def condition(self, depth: int = 2) -> tuple[str, Holds]:
        kind = self.rng.choice(["atom", "and", "or", "not"]) if depth else "atom"
        if kind == "atom":
            return self.atom()
        one, first = self.condition(depth - 1)
        if kind == "not":
            return f"{self.rng.choice(['not ', '~'])}({one})", lambda row: not first(row)
        other, second = self.condition(depth - 1)
        if kind == "and":
            sign = self.rng.choice(["and", "&", "AND"])
            return f"({one}) {sign} ({other})", lambda row: first(row) and second(row)
        sign = self.rng.choice(["or", "|"])
        return f"(({one}) {sign} ({other}))", lambda row: first(row) or second(row)

    def rows(self, number: int) -> list[dict[str, Any]]:
        ages = [18, 25.5, -3, 1e-3, 40, 0, 17.99, 1e9, -1e9]
        ages += [math.nextafter(age, way) for age in ages for way in (math.inf, -math.inf)]
        pick = self.rng.choice
        return [
            {
                "age": pick(ages),
                "net": pick(ages),
                "job": pick(["clerk", "nurse", "pilot"]),
                "kids": pick([0, 1, 2, 3]),
                "member": pick([True, False]),
                "rich": pick([True, False]),
            }
            for _ in range(number)
        ]


def as_list(rules: Sequence[tuple[str, Any]], default: Any, rng: Random) -> str:
    words = iter(["if", *[rng.choice(["else if", "elif", "ELSE IF"]) for _ in rules]])
    lines = [f"{next(words)} {text} then {label}" for text, label in rules]
    return "\n".join([*lines, f"else {default}  # the rest"])


def first_match(rules: Sequence[tuple[Holds, Any]], default: Any, row: dict[str, Any]) -> Any:
    return next((label for holds, label in rules if holds(row)), default)


@pytest.mark.parametrize("seed", range(40))
def test_random_rule_lists_decide_as_a_plain_interpreter_does(seed: int) -> None:
    rng = Random(seed)
    writer = Writer(rng)
    written = [(*writer.condition(), rng.choice("xyz")) for _ in range(rng.randint(1, 8))]
    clf = from_rules(as_list([(text, label) for text, _, label in written], "w", rng))
    rows = [{f.name: row[f.name] for f in clf.features} for row in writer.rows(300)]
    full = [{**writer.rows(1)[0], **row} for row in rows]
    wanted = [first_match([(h, label) for _, h, label in written], "w", row) for row in full]
    assert list(clf.predict(rows)) == wanted
    assert clf.model_predict is not None
    assert clf.model_predict([list(row.values()) for row in rows]) == wanted
    assert reasons.check(clf, sample=200)


def test_an_interpreter_with_another_comparison_is_seen() -> None:
    """The comparison can fail."""
    clf = from_rules("if age > 25 then x else y")
    assert list(clf.predict([{"age": 25}, {"age": 26}])) == ["y", "x"]
    wrong = [first_match([(lambda row: row["age"] >= 25, "x")], "y", {"age": a}) for a in (25, 26)]
    assert list(clf.predict([{"age": 25}, {"age": 26}])) != wrong


def drawn_rules(rng: Random, sizes: Sequence[int]) -> tuple[list[Feature], list[Any]]:
    """Features, and rules as conjunctions of sets of cells with their texts."""
    features = features_for(sizes, rng)
    rules = []
    for _ in range(rng.randint(1, 5)):
        some = rng.sample(range(len(sizes)), rng.randint(0, min(3, len(sizes))))
        limits = {f: rng.sample(range(sizes[f]), rng.randint(1, sizes[f])) for f in some}
        text = " & ".join(
            features[f].says(cells) if len(cells) < sizes[f] else "true"
            for f, cells in limits.items()
        )
        rules.append((limits, text or "true", rng.choice(["red", "green", "blue"])))
    return features, rules


def matching(rules: list[Any], x: tuple[int, ...]) -> list[str]:
    return [label for limits, _, label in rules if all(x[f] in c for f, c in limits.items())]


@pytest.mark.parametrize("mode", ["list", "first", "majority"])
@pytest.mark.parametrize("seed", range(8))
def test_every_answer_about_rules_agrees_with_brute_force(seed: int, mode: str) -> None:
    rng = Random(f"{mode} {seed}")
    sizes = [rng.randint(2, 4) for _ in range(rng.randint(1, 4))]
    features, rules = drawn_rules(rng, sizes)
    order = list(dict.fromkeys(label for _, _, label in rules))

    def decided(x: tuple[int, ...]) -> str:
        labels = matching(rules, x)
        if not labels:
            return "none"
        if mode != "majority":
            return labels[0]
        votes = Counter(labels)
        return str(max(order, key=lambda label: votes[label]))

    table = {x: decided(x) for x in product(*map(range, sizes))}
    told: dict[str, Any] = {} if mode == "list" else {"mode": "set", "conflict": mode}
    pairs = [(text, label) for _, text, label in rules]
    clf = from_rules(pairs, features=features, default="none", **told)
    clf.circuit.check()
    assert clf.circuit.is_ordered
    compare_some(Case(clf, tuple(sizes), table), rng, most=1)
    assert reasons.check(clf, sample=100)
    assert IMPOSSIBLE not in list[object](table.values())


@pytest.mark.parametrize("seed", range(12))
def test_a_set_is_refused_exactly_where_labels_conflict(seed: int) -> None:
    rng = Random(seed)
    sizes = [2, 3, 2]
    features, rules = drawn_rules(rng, sizes)
    table = {x: set(matching(rules, x)) for x in product(*map(range, sizes))}
    pairs = [(text, label) for _, text, label in rules]
    if all(len(labels) < 2 for labels in table.values()):
        clf = from_rules(pairs, features=features, mode="set", default="none")
        assert clf.count("none") == sum(not labels for labels in table.values())
    else:
        with pytest.raises(reasons.InputError, match="conflict='first'"):
            from_rules(pairs, features=features, mode="set", default="none")


def test_a_conflict_is_shown_by_an_instance_and_its_rules() -> None:
    text = "if age > 25 then grant\nif job = pilot then refuse\nelse refuse"
    with pytest.raises(reasons.InputError, match=r"line 1 and line 2 .*age = \d+, job = pilot"):
        from_rules(text, mode="set")
    assert from_rules(text, mode="set", conflict="first").decide([30, "pilot"]).label == "grant"
    disjoint = "if age > 25 then grant\nif age <= 25 then refuse\n"
    assert from_rules(disjoint, mode="set").count("grant") == 1


def test_what_no_rule_matches_is_shown_unless_there_is_a_default() -> None:
    with pytest.raises(reasons.InputError, match=r"no rule matches age = 2[0-5]"):
        from_rules([("age > 25", "x")])
    with pytest.raises(reasons.InputError, match=r"no rule matches ~a, ~b"):
        from_rules("if a then x\nif b then x", mode="set")
    assert from_rules([("age > 25", "x")], default="y").labels == ("x", "y")
    assert from_rules("if a then x\nelse if ~a then y").labels == ("x", "y")
    with pytest.raises(reasons.InputError, match="default"):
        from_rules("if a then x else y", default="z")


def test_labels_are_truths_numbers_and_texts() -> None:
    assert from_rules("if a then 1 else 0").labels == (False, True)
    assert from_rules("if a then true else FALSE").labels == (False, True)
    assert from_rules("if a then 10 elif b then 2.5 else -1").labels == (-1, 2.5, 10)
    assert from_rules('if a then high risk else "low: really"').labels == (
        "high risk",
        "low: really",
    )
    assert from_rules("else always").labels == ("always",)
    assert from_rules("if a then same else same").decide([0]).label == "same"


def test_features_are_what_the_rules_show() -> None:
    clf = from_rules("if x < 5 and y <= 5 and z >= 1 and z > 3 and k = 2 then a else b")
    by_name = {feature.name: feature for feature in clf.features}
    assert (by_name["x"].closed, by_name["x"].cuts) == ("left", (5,))
    assert (by_name["y"].closed, by_name["y"].cuts) == ("right", (5,))
    assert by_name["k"].values == (2, reasons.OTHER)
    mixed = from_rules("if x < 5 then low elif x <= 5 then five else high")
    assert list(mixed.predict([{"x": x} for x in (4.999999, 5, 5.0000001)])) == [
        "low",
        "five",
        "high",
    ]
    missing = from_rules(
        "if age is missing then ask elif age > 5 and job is not missing then a else b"
    )
    assert missing.decide({"age": None, "job": "x"}).label == "ask"
    assert missing.decide({"age": 9, "job": None}).label == "b"
    assert missing.decide({"age": 9, "job": "x"}).label == "a"


def test_features_that_are_given_must_tell_apart_what_the_rules_do() -> None:
    age = Feature.numeric("age", [25, 40])
    job = Feature.categorical("job", ["clerk", "nurse"], other=True)
    clf = from_rules("if age > 25 then x else y", features=[job, age])
    assert [feature.name for feature in clf.features] == ["job", "age"]
    for text, message in [
        ("age > 30", r"rule 1:1:1: feature 'age' is not cut at `<= 30`; .*<= 25, <= 40"),
        ("age >= 25", r"is not cut at `< 25`; its cuts are: <= 25, <= 40"),
        ("age = 25", r"is not cut at `< 25`"),
        ("member & age < 40", r"1:1: .*no feature 'member'"),
        ("age > 25 & job = pilot", r"1:12: `job = pilot` names a value that 'job' does not list"),
        ("job > 3", "which no number is compared with"),
        ("age is missing", "feature 'age' has no value <missing>"),
        ("job", "needs a value"),
    ]:
        with pytest.raises(reasons.InputError, match=message):
            from_rules([(text, "x")], default="y", features=[age, job])
    whole = Feature.numeric("n", [2], whole=True, within=(0, 9))
    clf = from_rules([("n < 3 & n < 100", "x")], default="y", features=[whole])
    assert list(clf.predict([[2], [3]])) == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "no rule"),
        ("# nothing\n", (1, 1), "no rule"),
        ("grant", (1, 1), "expected 'if'"),
        ("if a then x\nelse if b\nelse y", (3, 1), "'then' is missing"),
        ("if a then x\nelse if b & then y", (2, 11), "nothing on its right"),
        ("if a then\nelse y", (1, 10), "label is missing"),
        ("if a then x\nif b then y", (2, 1), "else if"),
        ("else if a then x", (1, 1), "write 'if'"),
        ("if a then x else y else z", (1, 20), "nothing can follow"),
        ("then x", (1, 1), "no 'if'"),
        ("if then x", (1, 3), "condition is missing"),
        ("if a then x & y", (1, 13), "expected 'if'"),
        ("if age > old then x else y", (1, 4), "cannot read 'old' as a number"),
        ("if a then x\nelif age > 5 & age = big then y else z", (2, 16), "'big' as a number"),
        ("if a then x\nelif a > 5 then y else z", (2, 6), "needs a comparison"),
        ("if job in {} then x else y", (1, 4), "value is missing"),
        ("if x in (5, 3] then x else y", (1, 4), "empty"),
        ("if x in (5; 3] then x else y", (1, 4), "empty"),
        ("if x in (5: 3] then x else y", (1, 4), "not an interval"),
        ('if "a then x else y', (1, 4), "never closed"),
        ("if (a then x else y", (1, 4), "never closed"),
        ("if a then x\n\ue000", (2, 1), "expected 'if'"),
        ("if \ue000 then x else y", (1, 4), "unexpected character"),
        ("if a b then x else y", (1, 6), r"operator is missing before 'b'"),
        ("if a < 3 < b then x else y", (1, 10), r"operator is missing before '<'"),
        ("if x > nan then a else b", (1, 4), "as a number"),
        ("if x > 1_0 then a else b", (1, 4), "as a number"),
    ],
)
def test_errors_name_the_line_and_the_column(
    text: str, place: tuple[int, int], message: str
) -> None:
    with pytest.raises(reasons.ParseError, match=message) as caught:
        from_rules(text)
    assert (caught.value.line, caught.value.column) == place


def test_hostile_text_gives_errors_of_this_package_only() -> None:
    rng = Random(5)
    signs = ["if", "then", "else", "(", ")", "{", "}", '"', "\\", "#", "\n", "&", "~", ">", "in"]
    signs += ["age", "25", "]", "<missing>", "is", "not", "é", "\x00", "=", ",", " ", "''", "𝔸"]
    for _ in range(1_500):
        text = LOAN
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(signs) + text[at + rng.choice([0, 0, 1, 5]) :]
        try:
            from_rules(text, mode=rng.choice(["list", "set"]))
        except reasons.ReasonsError:
            continue


@pytest.mark.parametrize("sign", ["{", '"', "(", "if ", "a in {", '\\"', "a-", "not ", "# "])
def test_long_runs_of_one_sign_do_not_take_long(sign: str) -> None:
    for text in (f"if a then x else y {sign * 40_000}", f"if {sign * 40_000} then x else y"):
        with suppress(reasons.ReasonsError):
            from_rules(text)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (5, "text, pairs or a frame"),
        ([("a", "x", "y")], "rule 1: .*not a pair"),
        (["a then x"], "rule 1: .*not a pair"),
        ([(3, "x")], "rule 1: a condition is a text"),
        ([("a", ["x"])], "cannot be a label"),
        ([("a", None)], "rule 1: a label cannot be missing"),
        ([("a", "x"), ("b &", "y")], "rule 2:1:3"),
        (pandas.DataFrame({"only": ["a"]}), "last one of labels"),
        (pandas.DataFrame({"if": [3], "then": ["x"]}), "rule 1: a condition is a text"),
    ],
)
def test_rules_that_are_none_are_refused(rules: Any, message: str) -> None:
    with pytest.raises(reasons.InputError, match=message):
        from_rules(rules, default="z")


def test_options_that_do_not_fit_are_refused() -> None:
    wrong: list[dict[str, Any]] = [{"mode": "tree"}, {"conflict": "last"}, {"conflict": "first"}]
    for told in wrong:
        with pytest.raises(reasons.InputError):
            from_rules([("a", "x")], default="y", **told)


def test_pairs_mappings_and_frames_are_rules_too() -> None:
    pairs = [("age > 25", "x"), ("member & age <= 25", "y")]
    frame = pandas.DataFrame(
        {"first": ["age > 25", "member"], "second": [None, "age <= 25"], "label": ["x", "y"]}
    )
    wanted = from_rules(pairs, default="z")
    for rules in (dict(pairs), frame, iter(pairs)):
        assert from_rules(rules, default="z").equivalent(wanted)


def test_a_file_of_rules_is_known_by_its_name_and_its_content(tmp_path: Path) -> None:
    for name in ("loan.rules", "loan.txt"):
        (tmp_path / name).write_text(LOAN)
        assert reasons.load(tmp_path / name).equivalent(from_rules(LOAN))
    (tmp_path / "set.rules").write_text("if a then x\nif ~a then y")
    assert reasons.load(tmp_path / "set.rules", mode="set").labels == ("x", "y")
    (tmp_path / "bad.rules").write_text("if a then x\nelse if then y")
    with pytest.raises(reasons.ParseError, match=r"bad\.rules:2:8"):
        reasons.load(tmp_path / "bad.rules")
    (tmp_path / "odd.rules").write_bytes(b"if \xff then x")
    with pytest.raises(reasons.ParseError, match="UTF-8"):
        reasons.load(tmp_path / "odd.rules")


@pytest.mark.parametrize("between", [",", ";", "\t", " "])
def test_a_truth_table_is_read_from_text(tmp_path: Path, between: str) -> None:
    rows = ["a,size,y", "# and", "0,2,no", "1,2,yes", "", "0,3.5,no", "1,3.5,no"]
    (tmp_path / "t.csv").write_text("\n".join(rows).replace(",", between))
    clf = reasons.load(tmp_path / "t.csv", format="table")
    assert [feature.values for feature in clf.features] == [(False, True), (2, 3.5)]
    assert list(clf.predict([[1, 2], [1, 3.5]])) == ["yes", "no"]
    (tmp_path / "half.csv").write_text("\n".join(rows[:4]).replace(",", between))
    half = reasons.load(tmp_path / "half.csv", format="table", otherwise="?", label="a")
    assert half.labels == (0, 1, "?")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("a,y\n", "no rows"),
        ("a,a\n1,2\n", "name of its own"),
        ("a,\n1,2\n", "name of its own"),
        ("a,y\n1\n", r"t\.csv:2: 1 cell, where the header has 2"),
        ("a,y\n1,2\n1,,\n", r"t\.csv:3: 3 cells, where the header has 2"),
        ("a,y\n1,\n", r"t\.csv:2: 2 values"),
        ("a,y\n0,1\n0,2\n", "contradicts"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(reasons.InputError, match=message):
        reasons.load(tmp_path / "t.csv", format="table")


def test_a_thousand_rules_over_fifty_features_fit() -> None:
    rng = Random(0)
    rules = []
    for _ in range(1_000):
        tests = [
            f"x{feature} {rng.choice(['>', '<='])} {rng.randrange(0, 100, 10)}"
            for feature in rng.sample(range(50), rng.randint(1, 2))
        ]
        rules.append((" & ".join(tests), rng.choice("abc")))
    clf = from_rules(rules, default="d", budget=reasons.Budget(seconds=60))
    assert reasons.check(clf, sample=300)


def test_rules_that_do_not_fit_say_so() -> None:
    rng = Random(0)
    rules = [
        (" & ".join(f"x{f}" for f in rng.sample(range(60), 5)), rng.choice("ab")) for _ in range(90)
    ]
    with pytest.raises(reasons.BudgetExceeded):
        from_rules(rules, default="c", budget=reasons.Budget(nodes=5_000))
    with pytest.raises(reasons.BudgetExceeded):
        from_rules(rules, default="c", budget=reasons.Budget(seconds=0.05))

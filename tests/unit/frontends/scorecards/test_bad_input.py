"""Points tables that cannot be used: a complaint that names line, feature and value."""

import pickle
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reasons
from reasons.cli.errors import EXPLAIN, shell_spelling

pytest.importorskip("numpy")

HEAD = "feature,bin,points\n"
FINE = 'age,"< 25",0\nage,">= 25",1\n'

BAD = {
    "empty file": ("", r"card.csv:1: no column of the feature among none"),
    "header only": (HEAD, "the table has no bins"),
    "base points only": (HEAD + "basepoints,,3\n", "the table has no bins"),
    "no points": ("feature,bin,woe\nage,x,1\n", r"csv:1: no column of the points.*points or score"),
    "two columns of bins": (
        "feature,bin,value,points\nage,x,x,1\n",
        r"csv:1: several columns of the bin among feature, bin, value, points",
    ),
    "a comma too many": (
        HEAD + "age,[25, 40),1\n",
        r"csv:2: 4 cells, where the header has 3; a cell with the separator .* double quotes",
    ),
    "an open quote": (HEAD + 'age,"< 25,1\n', r"csv:2:5: this quote is never closed"),
    "no feature": (HEAD + ",x,1\n", "csv:2: no feature is named"),
    "no bin": (HEAD + "age,,1\n", r"csv:2: feature 'age': there is no bin; write missing"),
    "words for points": (
        HEAD + "age,x,many\n",
        r"csv:2: feature 'age': points 'many': .*not a finite",
    ),
    "no number": (HEAD + "age,x,nan\n", r"csv:2: feature 'age': points 'nan'"),
    "infinite": (HEAD + "age,x,-inf\n", r"csv:2: feature 'age': points '-inf'"),
    "nothing": (HEAD + "age,x,\n", r"csv:2: feature 'age': points ''"),
    "out of range": (HEAD + "age,x,1e999999999\n", r"csv:2: feature 'age': points '1e999999999'"),
    "a decimal comma": (
        "feature;bin;points\nage;x;1,5\n",
        r"csv:2: feature 'age': points '1,5': write decimals with a point",
    ),
    "thousands": (HEAD + 'age,x,"1,500"\n', r"csv:2: feature 'age': points '1,500': write dec"),
    "overlapping": (
        HEAD + 'age,"<= 25",0\nage,">= 25",1\n',
        r"csv:3: feature 'age': \[25, 25\] is in the bin of line 2, too",
    ),
    "the same interval": (
        HEAD + 'age,"< 25",0\nage,">= 25",1\nage,"(-inf, 25)",1\n',
        r"csv:4: feature 'age': \(-inf, 25\) is in the bin of line 2, too",
    ),
    "a gap": (
        HEAD + 'age,"< 25",0\nage,"> 25",1\n',
        r"feature 'age': the numbers \[25, 25\] are in no bin; add one, or a bin `other`",
    ),
    "no end": (HEAD + 'age,"[18, 25)",0\nage,">= 25",1\n', r"numbers \(-inf, 18\) are in no bin"),
    "a single number and a gap": (HEAD + 'n,0,0\nn,"> 0",1\n', r"numbers \(-inf, 0\) are in no"),
    "the same category": (
        HEAD + "job,clerk|nurse,0\njob,nurse,1\n",
        r"csv:3: feature 'job': 'nurse': this is in the bin of line 2, too",
    ),
    "missing twice": (
        HEAD + FINE + "age,missing,0\nage,nan,0\n",
        r"csv:5: feature 'age': 'nan': this is in the bin of line 4, too",
    ),
    "other twice": (
        HEAD + "a,other,0\na,else,0\n",
        r"csv:3: .*'else': this is in the bin of line 2",
    ),
    "numbers and categories": (
        HEAD + FINE + "age,old,3\n",
        r"csv:4: feature 'age': 'old' is a category, where another bin is of numbers",
    ),
    "base points twice": (
        HEAD + "base,,1\nbase,,2\n" + FINE,
        r"csv:3: base points are given twice",
    ),
    "an empty interval": (
        HEAD + 'a,"(5, 5]",1\n',
        r"csv:2: feature 'a': no number lies in \(5, 5\]",
    ),
    "turned around": (
        HEAD + 'a,"[40, 25)",1\n',
        r"csv:2: feature 'a': no number lies in \[40, 25\)",
    ),
    "a decimal comma in an interval": (
        'feature;bin;points\na;"[0,5; 1,5)";1\n',
        r"csv:2: feature 'a': '\[0,5; 1,5\)' is not an interval",
    ),
    "a decimal comma in a comparison": (
        'feature;bin;points\na;"< 1,5";1\n',
        r"csv:2: feature 'a': '< 1,5' is not an interval",
    ),
    "an unclear list": (HEAD + 'a,"x,y",1\n', r"csv:2: feature 'a': is 'x,y' one value or several"),
    "an unclear range": (HEAD + "a,18-25,1\n", r"csv:2: feature 'a': '18-25' does not say which"),
    "a range beside intervals": (
        HEAD + 'a,"< 18",0\na,18 to 25,1\na,"> 25",1\n',
        r"csv:3: feature 'a': '18 to 25' does not say which of its ends",
    ),
    "an idle nought": (HEAD + "a,1.0,1\n", r"csv:2: feature 'a': write the number 1.0 as 1, or"),
    "half a set": (HEAD + "a,x|,1\n", r"csv:2: feature 'a': an empty bin"),
    "neither true nor false": (
        HEAD + "a,true,1\na,false,0\na,other,3\n",
        r"csv:4: feature 'a': nothing is other than true and false",
    ),
    "special codes": (
        HEAD + FINE + "age,Special,3\n",
        r"csv:4: feature 'age': which codes are special\? say special=",
    ),
    "too large": (HEAD + 'a,"< 1e400",1\n', r"csv:2: feature 'a': 1e400 is too large a number"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_line_feature_and_value(name: str, tmp_path: Path) -> None:
    text, wanted = BAD[name]
    path = tmp_path / "card.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(reasons.InputError, match=wanted):
        reasons.load(path, format="points", threshold=1)


ROWS = [
    {"feature": "age", "bin": "< 25", "points": 0},
    {"feature": "age", "bin": ">= 25", "points": 1},
]

SAID: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "give either threshold=.* or grades="),
    "both": ({"threshold": 1, "grades": {"a": 1, "b": 2}}, "give either threshold=.* or grades="),
    "a word": ({"threshold": "high"}, "threshold: 'high': this is not a finite number"),
    "not a number": ({"threshold": float("nan")}, "threshold: nan: this is not a finite number"),
    "infinite": ({"threshold": 1, "base": float("inf")}, "base: inf: this is not a finite number"),
    "truth": ({"threshold": True}, "threshold: True: this is not a finite number"),
    "one label": ({"threshold": 1, "labels": ["yes"]}, "labels=.* must be two labels"),
    "three labels": ({"threshold": 1, "labels": "abc"}, "labels=.* must be two labels"),
    "the same label": ({"threshold": 1, "labels": ["a", "a"]}, "labels=.* must be two labels"),
    "labels that are lists": (
        {"threshold": 1, "labels": [[1], [2]]},
        "labels=.* must be two labels",
    ),
    "no label": ({"threshold": 1, "labels": [float("nan"), 1]}, "labels=.* must be two labels"),
    "no labels": ({"threshold": 1, "labels": 3}, "labels=3 must be two labels"),
    "no grade": ({"grades": {float("nan"): 1, "b": None}}, "grades: these are not labels"),
    "no codes": ({"threshold": 1, "special": {"age": 3}}, "special=.* must be a mapping"),
    "no mapping": ({"threshold": 1, "special": 3}, "special=3 must be a mapping"),
    "no separator": ({"threshold": 1, "separator": ""}, "separator='' must be a text"),
    "a number between": ({"threshold": 1, "separator": 3}, "separator=3 must be a text"),
    "no domain": ({"threshold": 1, "domain": 3}, "domain=3 must be a mapping"),
    "nothing left": ({"threshold": 1, "special": {}, "more": "Special"}, "no value has points"),
    "one grade": ({"grades": {"a": None}}, "grades= is a mapping"),
    "equal grades": ({"grades": {"a": 1, "b": 1.0, "c": None}}, "grades: two are given from the"),
    "two open grades": ({"grades": {"a": None, "b": None}}, "grades: two are given from the"),
    "no such grade": ({"grades": {"a": "x", "b": None}}, "grades: 'a': 'x': this is not a finite"),
    "labels of grades": ({"grades": {"a": 1, "b": 2}, "labels": [1, 2]}, "grades= is a mapping"),
    "unknown special": ({"threshold": 1, "special": {"x": [1]}}, "there is no feature 'x'"),
    "odd special": ({"threshold": 1, "special": {"age": [[1]]}}, r"special: 'age': \[1\]"),
    "unknown domain": ({"threshold": 1, "domain": {"x": int}}, "there is no feature 'x'"),
    "odd domain": ({"threshold": 1, "domain": {"age": 3}}, "domain: 'age': declare"),
    "odd method": ({"threshold": 1, "method": "magic"}, "method='magic'"),
}


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_badly_is_refused(name: str) -> None:
    told, wanted = SAID[name]
    more = [{"feature": "f", "bin": told["more"], "points": 1}] if "more" in told else []
    told = {option: value for option, value in told.items() if option != "more"}
    with pytest.raises(reasons.InputError, match=wanted):
        reasons.from_points([*ROWS, *more], **told)


@pytest.mark.parametrize("table", ["card.csv", b"x", 3, None, [], [1], {"age": 3}])
def test_what_is_no_table_is_refused(table: Any) -> None:
    with pytest.raises(reasons.InputError):
        reasons.from_points(table, threshold=1)


@pytest.mark.parametrize("bin", [None, float("nan"), 1j, [], [None, 1j], object()])
def test_what_is_no_bin_is_refused(bin: Any) -> None:
    with pytest.raises(reasons.InputError):
        reasons.from_points([*ROWS, {"feature": "b", "bin": bin, "points": 1}], threshold=1)


def test_values_without_points_are_refused() -> None:
    clf = reasons.from_points([*ROWS, {"feature": "j", "bin": "a", "points": 1}], threshold=1)
    for given in ({"age": None, "j": "a"}, {"age": 3, "j": "b"}, {"age": 3, "j": None}):
        with pytest.raises(reasons.InputError, match="has no value"):
            clf.decide(given)
    with pytest.raises(reasons.InputError, match="has no value b'a'"):
        clf.decide({"age": 3, "j": b"a"})


def test_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "card.csv"
    path.write_bytes(HEAD.encode() + b"age,\xff,1\n")
    with pytest.raises(reasons.ParseError, match=r"card.csv:2: this is not UTF-8 text"):
        reasons.load(path, threshold=1)


def test_a_file_of_other_options_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "card.csv"
    path.write_text(HEAD + FINE, encoding="utf-8")
    with pytest.raises(reasons.InputError, match="takes no names=, but budget=, threshold="):
        reasons.load(path, names=["a"])


@pytest.mark.slow
def test_a_hundred_thousand_rows(tmp_path: Path) -> None:
    path = tmp_path / "card.csv"
    lines = [f"f{i // 100},v{i % 100},{i % 7}\n" for i in range(100_000)]
    path.write_text(HEAD + "".join(lines), encoding="utf-8")
    with pytest.raises(reasons.BudgetExceeded):
        reasons.load(
            path, threshold=3_000, method="compiled", budget=reasons.Budget(nodes=10_000, seconds=1)
        )


def test_more_bins_than_can_be_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "card.csv"
    path.write_text(HEAD + "".join(f"f,v{i},{i}\n" for i in range(10_001)), encoding="utf-8")
    with pytest.raises(reasons.ParseError, match=r"csv:10002: feature 'f': there are more than"):
        reasons.load(path, threshold=3)


MANGLED = HEAD + 'age,"[25, 40)",1\nage,< 25,0.5\nage,>= 40,3\njob,"{a, ""b|c""}",1\njob,else,2\n'
SIGNS = ["[", ")", "{", "<", "=", ",", "|", "%,%", '"', "'", "\n", "-", "1e9", "inf", "\\", "\0"]


@pytest.mark.parametrize("seed", range(300))
def test_mangled_cards_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    text = list(MANGLED)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(text))
        text[at : at + rng.randrange(3)] = [rng.choice(SIGNS)]
    path = tmp_path / "card.csv"
    path.write_text("".join(text), encoding="utf-8")
    try:
        found = reasons.load(path, format="points", threshold=2)
    except reasons.InputError:
        return
    assert reasons.check(found)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('job,"a, b",1\n', "card.csv:2: feature 'job': is 'a, b' .* or say --with separator=','"),
        ("age,18 - 25,1\n", "card.csv:2: feature 'age': .* declare --with \"domain={'age': int}\""),
        ('{a},"< 1",0\n', "feature '{a}': .* or declare --with \"domain={'{a}': int}\" if"),
        (
            FINE + "age,special,1\n",
            "card.csv:4: feature 'age': .* say --with \"special={'age': \\[-9\\]}\", or",
        ),
    ],
)
def test_options_are_spelled_by_who_shows_the_error(tmp_path: Path, rows: str, said: str) -> None:
    """Also where an error about a bin becomes one about its line."""
    path = tmp_path / "card.csv"
    path.write_text(HEAD + rows)
    with pytest.raises(reasons.InputError) as caught:
        reasons.load(path, threshold=1)
    assert re.search(said, caught.value.worded(shell_spelling(EXPLAIN)))
    assert "--with" not in str(caught.value)
    copied = pickle.loads(pickle.dumps(caught.value))
    assert str(copied) == str(caught.value)

"""Files and options of networks: the formats agree, and what is wrong is said clearly."""

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reasons
from tests.support.bayesnet.shared_data import pyagrum
from tests.support.bayesnet.small_networks import bif, random_net
from tests.support.bayesnet.tiny import TINY, refused


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("0.2, 0.8", "0.2, 0.9", "node 'rain': the probabilities add up to 1.1, not 1"),
        ("0.3, 0.7", "0.3, 0.6", "node 'grass' given rain = no: the probabilities add up to 0.9"),
        ("0.2, 0.8", "-0.2, 1.2", "node 'rain': a probability is negative"),
        ("0.2, 0.8", "1e999, 0.8", "node 'rain': a probability is negative or not a number"),
        ("0.2, 0.8", "nan, 0.8", ":10:9: expected a number, not 'nan'"),
        ("0.2, 0.8", "0.2", "expected 2 probabilities before, got 1"),
        ("0.2, 0.8", "0.2, 0.3, 0.5", "expected 2 probabilities before, got 3"),
        ("  (no) 0.3, 0.7;\n", "", "the row of no is missing"),
        ("(no)", "(yes)", "the row of yes was given before"),
        ("(no)", "(maybe)", "expected a state of each parent"),
        ("[ 2 ] { yes", "[ 3 ] { yes", "expected 3 states of 'rain', not 2"),
        ("{ wet, dry }", "{ wet, wet }", "a state is listed twice"),
        ("[ 2 ] { wet, dry }", "[ 0 ] { }", "node 'grass' has no states"),
        ("variable grass", "variable rain", "two nodes are called 'rain'"),
        ("probability ( rain ) {\n  table 0.2, 0.8;\n}\n", "", "node 'rain' has no table"),
        ("grass | rain", "grass | snow", "expected a node that was declared, not 'snow'"),
        ("grass | rain", "grass | grass", "its own parent|expected a state"),
        ("network tiny {\n}", "network tiny {", "expected"),
        ("{ yes, no }", "{ yes, n/o }", "unexpected '/'"),
        ("}\nvariable grass", "\nvariable grass", "expected"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_place(
    old: str, new: str, match: str, tmp_path: Path
) -> None:
    assert old in TINY
    refused(tmp_path, TINY.replace(old, new, 1), match)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"target": None}, "say which node"),
        ({"target": "snow"}, "no node 'snow' for target="),
        ({"features": ["snow"]}, "no node 'snow' for features="),
        ({"features": ["rain"]}, "'rain' is the target"),
        ({"features": ["grass", "grass"]}, "listed twice"),
        ({"features": []}, "at least one"),
        ({"threshold": 0}, "above 0"),
        ({"threshold": 1.01}, "at most 1"),
        ({"threshold": float("nan")}, "threshold=nan"),
        ({"threshold": "high"}, "threshold='high'"),
        ({"threshold": 0.5, "state": "maybe"}, "has no such state"),
        ({"state": "yes"}, "threshold="),
        ({"names": ["a"]}, "takes no names="),
        ({"target": "grass"}, "no leaves but the target"),
    ],
)
def test_options_that_cannot_be_used_are_named(
    options: dict[str, Any], match: str, tmp_path: Path
) -> None:
    refused(tmp_path, TINY, match, **options)


def test_a_cycle_is_shown(tmp_path: Path) -> None:
    text = TINY.replace("( rain ) {\n  table 0.2, 0.8;", "( rain | grass ) {\n  default 0.5, 0.5;")
    message = refused(tmp_path, text, "the network has a cycle")
    assert "rain -> grass -> rain" in message or "grass -> rain -> grass" in message


def test_every_beginning_of_a_file_is_refused_or_read(tmp_path: Path) -> None:
    rng = Random(1)
    net = random_net(rng, 5)
    whole = bif(net)
    for size in sorted(rng.sample(range(1, len(whole) - 3), 60)):
        path = tmp_path / "cut.bif"
        path.write_text(whole[:size])
        with pytest.raises(reasons.ReasonsError):
            reasons.load(path, format="bif", target="n0")


def test_models_that_are_no_networks_are_refused() -> None:
    with pytest.raises(reasons.UnsupportedModel, match="give a pyagrum"):
        reasons.compile(pyagrum().LabelizedVariable("a", "", 2), target="a")
    with pytest.raises(reasons.InputError, match="is a class"):
        reasons.compile(pyagrum().BayesNet, target="a")
    with pytest.raises(reasons.InputError, match="a formula takes no target="):
        reasons.compile("a & b", target="a")


def test_an_instance_of_probability_zero_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hard.bif"
    path.write_text(TINY.replace("0.9, 0.1", "1, 0").replace("0.3, 0.7", "1, 0"))
    classifier = reasons.load(path, target="rain", threshold=0.1)
    assert classifier.decide({"grass": "wet"}).label is True
    with pytest.raises(reasons.InputError, match="impossible"):
        classifier.decide({"grass": "dry"})


def test_without_pyagrum_decisions_are_compared_with_exact_arithmetic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reasons.frontends.bayesnet.reference.find_spec", lambda _: None)
    path = tmp_path / "net.bif"
    path.write_text(TINY)
    classifier = reasons.load(path, target="rain", threshold=0.4)
    assert "exact arithmetic" in classifier.notes[-1]
    assert reasons.check(classifier)


def test_without_opt_einsum_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "opt_einsum", None)
    path = tmp_path / "net.bif"
    path.write_text(bif(random_net(Random(1), 7)))
    with pytest.raises(reasons.InputError, match=r"reasons\[bayes\]"):
        reasons.load(path, target="n0", features=["n6"])


def test_a_saved_network_keeps_its_answers(tmp_path: Path) -> None:
    path = tmp_path / "net.bif"
    path.write_text(TINY)
    classifier = reasons.load(path, target="rain", threshold=0.4)
    classifier.save(tmp_path / "net.reasons")
    again = reasons.load(tmp_path / "net.reasons")
    assert again.equivalent(classifier).equal
    assert again.notes == classifier.notes

"""The formulas that reasons are written as: read again, without idle parts, cut between parts."""

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pandas
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

import reasons
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.explain.simplify import writing
from reasons.explain.simplify.formulas import Formulas
from reasons.explain.simplify.text import formula_text
from reasons.features.grammar.tokens import split_at
from reasons.features.schema import Schema
from reasons.features.terms import term_of
from tests.support import oracle
from tests.support.generators import instances_of, random_case

KINDS = ("graph", "tree", "Boolean graph", "graph with impossible instances", "Decision-DNNF")


def split(text: str, sign: str) -> list[str]:
    """The parts of a formula between signs outside of all brackets."""
    return [part.strip() for _, part in split_at(text, sign)]


def literals(text: str) -> Iterator[str]:
    for sign in ("|", "&"):
        if len(own := split(text, sign)) > 1:
            for part in own:
                yield from literals(part)
            return
    if text.startswith("(") and text.endswith(")"):
        yield from literals(text[1:-1])
    else:
        yield text


def holds(classifier: reasons.Classifier, text: str, cells: tuple[int, ...]) -> bool:
    """Whether cells satisfy a formula, by its text and the terms in it alone."""
    for sign, joined in (("|", any), ("&", all)):
        if len(own := split(text, sign)) > 1:
            return joined([holds(classifier, part, cells) for part in own])
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("("):
        return holds(classifier, text[1:-1], cells)
    limits = term_of(classifier.schema, text).limits
    return all(cells[feature] in allowed for feature, allowed in limits.items())


def written(kinds: tuple[str, ...], rounds: int) -> Iterator[tuple[Any, ReasonCircuit]]:
    for kind in kinds:
        for seed in range(rounds):
            case = random_case(kind, seed)
            for instance in instances_of(case, Random(seed), 3):
                decision = case.classifier.decide(
                    reasons.Instance.of_cells(case.classifier.schema, instance)
                )
                yield case.classifier, decision.reason
                yield case.classifier, decision.general_reason


def test_a_written_reason_means_the_reason_and_has_no_part_that_is_always_so() -> None:
    multiple = 0
    for classifier, reason in written(KINDS, 40):
        text = str(reason)
        domains = [range(len(feature.values)) for feature in classifier.features]
        for cells in product(*domains):
            instance = reasons.Instance.of_cells(classifier.schema, cells)
            assert holds(classifier, text, cells) == reason.evaluate(instance), text
        if text in ("true", "false"):
            continue
        for literal in literals(text):
            assert literal not in ("true", "false"), text
            ((feature, cells_),) = term_of(classifier.schema, literal).limits.items()
            assert 0 < len(cells_) < len(domains[feature]), text
            multiple += len(cells_) > 1
    assert multiple > 100


Parsed = str | tuple[str, list["Parsed"]]


def parsed(text: str) -> Parsed:
    """A formula as its sign and parts."""
    for sign in ("|", "&"):
        if len(own := split(text, sign)) > 1:
            return sign, [parsed(part) for part in own]
    return parsed(text[1:-1]) if text.startswith("(") else text


def test_a_written_reason_is_the_oracles_and_no_longer_than_it_was() -> None:
    """Lengths are those of the formulas before reasons were factored (120 a kind)."""
    lengths = json.loads(Path(__file__).with_name("reason_lengths.json").read_text())
    before = after = 0
    for kind, pairs in lengths.items():
        known = iter(pairs)
        for seed in range(60):
            case = random_case(kind, seed)
            function = oracle.Function(case.domains, case.table)
            for instance in instances_of(case, Random(seed), 3):
                if (pair := next(known, None)) is None:
                    break
                schema = case.classifier.schema
                decision = case.classifier.decide(reasons.Instance.of_cells(schema, instance))
                texts = str(decision.reason), str(decision.general_reason)
                wanted = (
                    oracle.complete_reason(function, instance),
                    oracle.general_complete_reason(function, instance),
                )
                for text, condition, length in zip(texts, wanted, pair, strict=True):
                    assert len(text) <= length, (kind, seed, instance, text)
                    before, after = before + length, after + len(text)
                    for cells in product(*map(range, case.domains)):
                        assert holds(case.classifier, text, cells) == (cells in condition), text
    assert after < 0.9 * before


def test_no_gate_repeats_an_input_or_has_an_absorbed_one() -> None:
    """By the truth table: no input of a gate follows from another one beside it."""
    gates = 0
    for classifier, reason in written(KINDS, 40):
        every = list(product(*(range(len(feature.values)) for feature in classifier.features)))
        todo = [parsed(str(reason))]
        while todo:
            formula = todo.pop()
            if isinstance(formula, str):
                continue
            gates += 1
            sign, inputs = formula
            todo += inputs
            assert not any(isinstance(each, tuple) and each[0] == sign for each in inputs)
            tables = [{c for c in every if meant(classifier, each, c)} for each in inputs]
            for i, one in enumerate(tables):
                assert 0 < len(one) < len(every), str(reason)
                for other in tables[i + 1 :]:
                    assert not one <= other, (str(reason), inputs)
                    assert not other <= one, (str(reason), inputs)
    assert gates > 500


def meant(classifier: reasons.Classifier, formula: Parsed, cells: tuple[int, ...]) -> bool:
    if isinstance(formula, str):
        return holds(classifier, formula, cells)
    sign, inputs = formula
    return (all if sign == "&" else any)(meant(classifier, each, cells) for each in inputs)


def test_reasons_of_a_forest_are_short_formulas_that_mean_the_same() -> None:
    """Unfolded as they stood in the circuit, some of these took 800,000 characters."""
    data = load_breast_cancer(as_frame=True)
    rows = data.data[list(data.data.columns[:8])]
    model = RandomForestClassifier(n_estimators=9, max_depth=4, random_state=0)
    classifier = reasons.compile(model.fit(rows, data.target))
    rng = Random(1)
    for row in range(0, 500, 100):
        decision = classifier.decide(dict(rows.iloc[row]))
        text = decision.reason.written(10**9)
        assert len(text) < 1_500
        for _ in range(20):
            cells = tuple(
                rng.choice([cell, rng.randrange(len(feature.values))])
                for cell, feature in zip(decision.instance.cells, classifier.features, strict=True)
            )
            instance = reasons.Instance.of_cells(classifier.schema, cells)
            assert holds(classifier, text, cells) == decision.reason.evaluate(instance)


def test_a_reason_too_large_to_be_copied_is_written_part_by_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writing, "_MOST_COPIED", -1)
    monkeypatch.setattr(writing, "prime_formula", lambda *_: None)
    for classifier, reason in written(KINDS, 15):
        text = str(reason)
        for cells in product(*(range(len(feature.values)) for feature in classifier.features)):
            instance = reasons.Instance.of_cells(classifier.schema, cells)
            assert holds(classifier, text, cells) == reason.evaluate(instance), text
        todo = [parsed(text)]
        while todo:
            if isinstance(formula := todo.pop(), tuple):
                todo += formula[1]
                texts = [each for each in formula[1] if isinstance(each, str)]
                assert len(texts) == len(set(texts))


def boosted() -> reasons.Classifier:
    """Numbers cut into many cells, so that a reason excludes one gap after another."""
    rng = numpy.random.default_rng(0)
    rows = pandas.DataFrame(rng.normal(size=(300, 5)), columns=[*"xyzuv"])
    model = GradientBoostingClassifier(n_estimators=40, max_depth=3, random_state=0)
    return reasons.compile(model.fit(rows, rows.x + rows.y * rows.z + rows.u > 0))


def test_a_large_general_reason_says_each_feature_once_at_the_top_and_means_the_same() -> None:
    classifier, rng, most = boosted(), Random(0), 0
    domains = [range(len(feature.values)) for feature in classifier.features]
    for _ in range(4):
        own = reasons.Instance.of_cells(classifier.schema, [rng.choice(d) for d in domains])
        reason = classifier.decide(own).general_reason
        most = max(most, reason.native.gates)
        text = reason.written(10**9)
        top = [part for part in split(text, "&") if not part.startswith("(")]
        said = [name for part in top for name in term_of(classifier.schema, part)]
        assert len(said) == len(set(said)), text
        for _ in range(15):
            cells = tuple(
                rng.choice([c, rng.choice(d)]) for c, d in zip(own.cells, domains, strict=True)
            )
            wanted = reason.evaluate(reasons.Instance.of_cells(classifier.schema, cells))
            assert holds(classifier, text, cells) == wanted, text
    assert most > 300


def test_a_general_reason_of_any_depth_is_written() -> None:
    cut = [reasons.Feature.numeric(f"x{i}", [0, 1]) for i in range(1_000)]
    build = reasons.Builder(cut)
    no, yes = build.leaf(False), build.leaf(True)
    node = yes
    for i, feature in reversed(list(enumerate(cut))):
        low, middle, high = feature.values
        node = build.decide(feature.name, {low: no if i % 2 else yes, middle: node, high: node})
    decision = build.build(node).decide([i % 2 * 0.5 for i in range(1_000)])
    assert str(decision.general_reason)


def test_values_that_unite_to_all_are_not_written() -> None:
    schema = Schema([reasons.Feature.numeric("age", [25, 40]), reasons.Feature.boolean("b")])
    table = Formulas(schema)
    low, high, other = table.literal(0, [0, 1]), table.literal(0, [1, 2]), table.literal(1, [0])
    either, both = table.gate(False, [low, high]), table.gate(True, [low, high])
    assert [table.part(each) for each in (either, both)] == ["true", "age in (25, 40]"]
    assert table.part(table.gate(False, [low, high, other])) == "true"
    assert table.part(table.gate(True, [other, either])) == "~b"
    assert table.part(table.gate(True, [low, table.literal(0, [2])])) == "false"


def test_a_long_formula_loses_whole_parts_and_says_how_many() -> None:
    many = (False, tuple((True, (f"first{i}", f"second{i}")) for i in range(50)))
    whole = formula_text(many, 10_000)
    for most in range(30, 400, 7):
        text = formula_text(many, most)
        *kept, last = text.split(" | ")
        assert whole.startswith(" | ".join(kept))
        assert last == f"... and {50 - len(kept)} more"
        assert most - 30 <= len(" | ".join(kept)) <= most + 2  # parentheses
    nested = formula_text((True, ("a", many)), 100)
    assert formula_text(("first part & is long"), 3) == "first part & is long"
    assert re.fullmatch(r"a & \((\(first\d+ & second\d+\) \| )+\.\.\. and \d+ more\)", nested)


def test_the_shell_cuts_between_parts(tmp_path: Any) -> None:
    from typer.testing import CliRunner

    from reasons.cli.app import app

    text = " & ".join(f"(alpha{i} | beta{i})" for i in range(60))
    reasons.compile(text).save(tmp_path / "x.reasons")
    given = ", ".join(f"alpha{i}, beta{i}" for i in range(60))
    ran = CliRunner().invoke(app, ["explain", str(tmp_path / "x.reasons"), "--instance", given])
    assert ran.exit_code == 0, ran.output
    line = next(line for line in ran.output.splitlines() if "complete reason" in line)
    *kept, last = split(line.partition(": ")[2].strip(), "&")
    assert last == f"... and {60 - len(kept)} more", line
    assert 1 < len(kept) < 60
    assert all(part.count("(") == part.count(")") for part in kept)

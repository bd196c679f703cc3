"""Everything small, and thousands of random classifiers, against the oracle.

A failing random case is replayed by `random_case(kind, seed)`; the seed is in
the name of the failing step. REASONS_SEED moves all random tests elsewhere.
"""

import os
from itertools import product
from pathlib import Path
from random import Random

import pandas
import pytest

import reasons
from tests.support.compare import compare_some
from tests.support.comparison import Mismatch, Subject
from tests.support.generators import (
    KINDS,
    boolean_function,
    case_of,
    random_case,
    random_formula,
    random_table,
)
from tests.support.oracle import IMPOSSIBLE
from tests.support.specs import Case, Table

SEED = int(os.environ.get("REASONS_SEED", "0"))
"""Random tests start from here; a failure names the seed to replay."""

CASES = {
    "Boolean graph": 250,
    "graph": 400,
    "graph with impossible instances": 400,
    "tree": 500,
    "tree with impossible instances": 500,
    "Decision-DNNF": 600,
    "constant": 20,
}
PARTS = 4
"""Each kind is cut into this many tests, so that they spread over the cores."""


def replayed(kind: str, seed: int, most: int) -> None:
    try:
        compare_some(random_case(kind, seed), Random(seed), most)
    except Exception as error:
        raise Mismatch(f"random_case({kind!r}, {seed}): {error}") from error


@pytest.mark.parametrize("arity", [0, 1, 2])
def test_every_function_of_up_to_two_variables(arity: int) -> None:
    for number in range(2**2**arity):
        compare_some(boolean_function(arity, number), Random(number), most=4)


@pytest.mark.parametrize("part", range(16))
def test_every_function_of_three_variables_on_every_instance(part: int) -> None:
    for number in range(part, 256, 16):
        compare_some(boolean_function(3, number), Random(number), most=8)


@pytest.mark.parametrize("part", range(8))
def test_sampled_functions_of_four_variables(part: int) -> None:
    rng = Random(f"{SEED} {part}")
    print(f"seed {SEED}, part {part}")
    for _ in range(100):
        number = rng.randrange(2**16)
        compare_some(boolean_function(4, number), Random(number), most=1)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(64))
def test_every_function_of_four_variables_on_sampled_instances(part: int) -> None:
    print(f"seed {SEED}, part {part}")
    for number in range(part, 2**16, 64):
        compare_some(boolean_function(4, number), Random(number + SEED), most=1)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_random_classifiers(kind: str, part: int) -> None:
    print(f"seed {SEED}, part {part}")
    for index in range(part, CASES[kind], PARTS):
        replayed(kind, SEED + index, most=2)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(16))
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_classifiers(kind: str, part: int) -> None:
    print(f"seed {SEED}, part {part}")
    for index in range(part, 8 * CASES[kind], 16):
        replayed(kind, SEED + 1_000_000 + index, most=4)


@pytest.mark.parametrize("kind", KINDS)
def test_saved_and_loaded_classifiers_answer_the_same(kind: str, tmp_path: Path) -> None:
    for seed in range(25):
        case = random_case(kind, seed)
        path = tmp_path / f"{seed}.reasons"
        case.classifier.save(path)
        again = reasons.load(path)
        assert again.features == case.classifier.features
        assert again.labels == case.classifier.labels
        compare_some(Case(again, case.domains, case.table), Random(seed), most=1)


@pytest.mark.parametrize("kind", KINDS)
def test_frames_and_sequences_predict_as_mappings_do(kind: str) -> None:
    for seed in range(40):
        case = random_case(kind, seed)
        subject = Subject(*case)
        rows = [subject.user_instance(x) for x in subject.function.allowed]
        wanted = [case.table[x] for x in subject.function.allowed]
        assert list(case.classifier.predict(pandas.DataFrame(rows))) == wanted
        assert list(case.classifier.predict([list(row.values()) for row in rows])) == wanted


def dnf(table: Table, names: str) -> str:
    """A formula of the rows that are true."""
    rows = [
        " & ".join(name if value else f"~{name}" for name, value in zip(names, x, strict=True))
        for x, label in table.items()
        if label is True
    ]
    return " | ".join(f"({row})" for row in rows) or "false"


@pytest.mark.parametrize("part", range(4))
def test_every_formula_of_three_variables(part: int) -> None:
    for number in range(part, 256, 4):
        _, domains, table = boolean_function(3, number)
        classifier = reasons.compile(dnf(table, "ABC"), features=["A", "B", "C"])
        compare_some(Case(classifier, domains, table), Random(number), most=2)


@pytest.mark.parametrize("part", range(4))
def test_random_formulas_of_five_variables(part: int) -> None:
    rng = Random(f"{SEED} {part}")
    print(f"seed {SEED}, part {part}")
    for _ in range(30):
        text, value = random_formula(rng, "ABCDE", depth=5)
        table = {x: value(x) for x in product((0, 1), repeat=5)}
        classifier = reasons.compile(text, features=list("ABCDE"))
        compare_some(Case(classifier, (2,) * 5, table), rng, most=1)


@pytest.mark.parametrize("part", range(4))
def test_formulas_given_what_is_allowed(part: int) -> None:
    rng = Random(f"{SEED} {part}")
    for _ in range(40):
        table = random_table(rng, (2, 2, 2), (False, True))
        given = random_table(rng, (2, 2, 2), (False, True))
        if not any(given.values()):
            continue
        classifier = reasons.compile(
            dnf(table, "ABC"), constraint=dnf(given, "ABC"), features=["A", "B", "C"]
        )
        allowed = {x: label if given[x] else IMPOSSIBLE for x, label in table.items()}
        compare_some(Case(classifier, (2, 2, 2), allowed), rng, most=2)


@pytest.mark.parametrize("part", range(4))
def test_tables_as_rows(part: int) -> None:
    rng = Random(f"{SEED} {part}")
    for _ in range(40):
        table = random_table(rng, (2, 2, 2), (False, True), impossible=0.3)
        rows = [
            {**dict(zip("ABC", map(bool, x), strict=True)), "label": label}
            for x, label in table.items()
            if label is not IMPOSSIBLE
        ]
        classifier = reasons.from_table(rows, label="label", otherwise=reasons.IMPOSSIBLE)
        if [len(feature.values) for feature in classifier.features] == [2, 2, 2]:
            compare_some(Case(classifier, (2, 2, 2), table), rng, most=2)


def test_a_feature_that_never_matters_changes_nothing() -> None:
    rng = Random(SEED)
    for _ in range(40):
        small = random_table(rng, (2, 3), ("red", "green", "blue"))
        table = {(*x, extra): small[x] for x, extra in product(small, range(2))}
        case = case_of((2, 3, 2), table, ("red", "green", "blue"))
        assert not case.classifier.bias({"C"})
        compare_some(case, rng, most=2)

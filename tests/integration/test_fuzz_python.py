"""Random damage to formulas and to `.reasons` files whose checksums are made right again."""

import copy
import random
from array import array
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons import Budget, Feature, InputError, ParseError, ReasonsError
from tests.support.formats.reasons_files import forge, parts

WORDS = [
    *("a", "b", "c", "~", "!", "&", "|", "^", "->", "<->", "(", ")", "(", ")", "=", "<", ">="),
    *('"', "'", "1", "0", "true", "false", ",", "\n", "#", "\\", "\0", "é", "99999999999999999999"),
    *("and", "or", "not", "xor", "-", ".", "[", "]", "{", "a b", "\r", "\u2028", "\ud7ff"),
]
ODD: list[Any] = [
    *(None, True, -1, 0, 2**31, 2**64, 10**400, 1.5, float("inf"), float("nan"), "", "x", "1/0"),
    *([], {}, [[]], {"tuple": []}, {"special": "x"}, [1, 2], "\ud800", "a" * 5000),
]


def people(path: Path) -> None:
    """A file with every kind of feature, wording, weights and a conjunction."""
    age = Feature.numeric("age", [25, 40])
    job = Feature.categorical("job", ["clerk", "nurse"], other=True, missing=True)
    build = reasons.Builder([age, job, "keen"], [False, True])
    no, yes = build.leaf(False), build.leaf(True)
    old = build.decide("age", {age.values[:2]: no, age.values[2]: yes})
    every = {("clerk", "nurse", reasons.OTHER): yes, reasons.MISSING: no}
    hired = build.decide("job", list(every.items()))
    build.build(build.all_of([old, hired, build.decide("keen", {True: yes, False: no})])).save(path)


def refused(text: str) -> ReasonsError | None:
    try:
        reasons.compile(text, budget=Budget(nodes=10_000))
    except ReasonsError as error:
        return error
    return None


@pytest.mark.parametrize("seed", range(6))
def test_any_row_of_words_is_a_formula_or_refused_at_a_place(seed: int) -> None:
    rng = random.Random(seed)
    taken = 0
    for _ in range(400):
        text = ["a", "&", "(b", "|", "~c)"]
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(text) + 1)
            text[at : at + rng.randrange(2)] = rng.choices(WORDS, k=rng.randrange(3))
        refusal = refused(" ".join(text))
        taken += refusal is None
        if isinstance(refusal, ParseError):
            assert refusal.line is not None, (seed, text)
            assert refusal.column is not None, (seed, text)
    assert 10 < taken < 390, seed


def damaged(value: Any, rng: random.Random) -> Any:
    """The value with one part, at any depth, changed, lost or doubled."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            value.pop(key)
        else:
            value[key] = damaged(value[key], rng)
        return value
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        value[at : at + 1] = rng.choice([[damaged(value[at], rng)]] * 8 + [[], [value[at]] * 2])
        return value
    return copy.deepcopy(rng.choice(ODD))


def change(arrays: dict[str, "array[int]"], rng: random.Random) -> None:
    values = arrays[rng.choice(list(arrays))]
    if rng.random() < 0.1 and values:
        values.pop()
    elif values:
        most = 2 ** (8 * values.itemsize) - 1
        odd = [0, 1, 2, most, most - 1, most // 2, 1 << (4 * values.itemsize), rng.choice(values)]
        values[rng.randrange(len(values))] = rng.choice(odd)


@pytest.mark.parametrize("seed", range(8))
def test_a_forged_file_is_read_or_refused(tmp_path: Path, seed: int) -> None:
    """What is read can be printed and written again. Ordered circuits are not proved reduced
    when they are read, which would take longer than reading them; others keep every invariant.
    """
    rng = random.Random(seed)
    path = tmp_path / "x.reasons"
    refused = 0
    for _ in range(150):
        people(path) if rng.random() < 0.7 else reasons.compile("a & (b | ~c)").save(path)
        header: Any
        header, arrays = parts(path)
        sections = header.pop("sections")
        for _ in range(rng.randrange(1, 3)):
            if rng.random() < 0.5:
                change(arrays, rng)
            else:
                header = damaged(header, rng)
        if not isinstance(header, dict):
            continue
        assert sections
        forge(path, header, arrays)
        try:
            read = reasons.load(path)
        except InputError:
            refused += 1
            continue
        if not read.circuit.native.is_ordered:
            read.circuit.check()
        repr(read)
        read.save(path)
        assert len(reasons.load(path).features) == len(read.features)
    assert refused > 60, seed

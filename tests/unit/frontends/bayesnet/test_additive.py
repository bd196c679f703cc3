"""Networks of many features: sums of logarithms, ties by the million, and limits."""

import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reasons
from reasons.frontends.bayesnet import exhaustive
from reasons.frontends.bayesnet.integer_logs import whole_scores
from tests.support.bayesnet.shared_data import DATA, needs_data


def naive(rows: list[tuple[Fraction, Fraction]], prior: Fraction = Fraction(1, 2)) -> str:
    """A naive network: of each feature the probability of `y` given both states of the class."""
    text = ["network naive {\n}\nvariable c {\n type discrete [ 2 ] { y, n };\n}"]
    text += [f"variable f{i} {{\n type discrete [ 2 ] {{ y, n }};\n}}" for i in range(len(rows))]
    text.append(f"probability ( c ) {{\n table {float(prior)}, {float(1 - prior)};\n}}")
    for i, (yes, no) in enumerate(rows):
        text.append(
            f"probability ( f{i} | c ) {{\n (y) {float(yes)!r}, {float(1 - yes)!r};\n"
            f" (n) {float(no)!r}, {float(1 - no)!r};\n}}"
        )
    return "\n".join(text)


def load(folder: Path, text: str, **options: Any) -> reasons.Classifier:
    path = folder / "net.bif"
    path.write_text(text)
    return reasons.load(path, target="c", **options)


@pytest.mark.parametrize("features", [14, 24, 61])
def test_ties_of_alike_features_are_counted_exactly(features: int, tmp_path: Path) -> None:
    text = naive([(Fraction(9, 10), Fraction(1, 10))] * features)
    classifier = load(tmp_path, text, threshold=0.5)
    enough = sum(math.comb(features, k) for k in range((features + 1) // 2, features + 1))
    assert (classifier.method, classifier.count(True)) == ("compiled", enough)


def test_a_hundred_features_of_many_kinds_are_decided_exactly(tmp_path: Path) -> None:
    rng = Random(5)
    tenths = [Fraction(n, 10) for n in range(1, 10)]
    rows = [(rng.choice(tenths), rng.choice(tenths)) for _ in range(100)]
    classifier = load(tmp_path, naive(rows, Fraction(3, 10)), threshold=0.3)
    for _ in range(300):
        x = [rng.random() < 0.5 for _ in rows]
        yes, no = Fraction(3, 10), Fraction(7, 10)
        for value, (a, b) in zip(x, rows, strict=True):
            yes, no = yes * (a if value else 1 - a), no * (b if value else 1 - b)
        label = classifier.decide(["y" if value else "n" for value in x]).label
        assert label == (yes / (yes + no) >= Fraction(3, 10))


@pytest.mark.parametrize("seed", range(40))
def test_whole_scores_have_the_signs_of_the_products(seed: int) -> None:
    rng = Random(seed)
    numbers = rng.sample(range(1, 30), rng.randrange(1, 4))
    blocks = []
    for _ in range(rng.randrange(1, 6)):
        drawn = [Fraction(rng.choice(numbers), rng.choice(numbers)) for _ in range(3)]
        blocks.append([ratio.as_integer_ratio() for ratio in drawn])
    found = whole_scores(blocks)
    assert found is not None
    for choice in product(range(3), repeat=len(blocks)):
        ratio = math.prod(Fraction(*blocks[b][k]) for b, k in enumerate(choice))
        total = float(sum(found[b][k] for b, k in enumerate(choice)))
        assert (total > 0) - (total < 0) == (ratio > 1) - (ratio < 1)


def test_scores_that_cannot_be_proved_are_not_given() -> None:
    assert whole_scores([[(prime, 1)] for prime in (2, 3, 5, 7, 11, 13, 17, 19)]) is None
    assert whole_scores([[(2, 1), (3, 1)]] * 3_000) is None


def test_numbers_too_small_for_floats_are_decided_exactly(tmp_path: Path) -> None:
    tiny = Fraction("1e-300")
    rows = [(1 - tiny, tiny), (tiny, 1 - tiny), (Fraction(1, 2), Fraction(2, 5))] * 3
    classifier = load(tmp_path, naive(rows), threshold=0.5)
    for x in product((True, False), repeat=len(rows)):
        signs = [1 if value else -1 for value in x]
        balance = sum(signs[0::3]) - sum(signs[1::3])  # of factors of 1e300
        soft = math.prod(Fraction(5, 4) if value else Fraction(5, 6) for value in x[2::3])
        wanted = soft >= 1 if balance == 0 else balance > 0
        assert classifier.decide(["y" if value else "n" for value in x]).label == wanted


def test_slices_and_chunks_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(2)
    tenths = [Fraction(n, 10) for n in range(1, 10)]
    text = naive([(rng.choice(tenths), rng.choice(tenths)) for _ in range(8)])
    whole = load(tmp_path, text, threshold=0.5)
    monkeypatch.setattr(exhaustive, "_CHUNK", 16)
    monkeypatch.setattr(exhaustive, "_MOST_TABLE", 2)
    assert whole.equivalent(load(tmp_path, text, threshold=0.5)).equal


@needs_data
def test_a_budget_ends_the_work() -> None:
    path = DATA / "bnc" / "networks" / "binarynetworks" / "andes.net"
    for budget in (reasons.Budget(seconds=0.05), reasons.Budget(bytes=1 << 16)):
        with pytest.raises(reasons.BudgetExceeded):
            reasons.load(path, target="TRY12", threshold=0.5, budget=budget)

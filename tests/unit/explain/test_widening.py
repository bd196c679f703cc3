"""Widened reasons, beside every box around the instance."""

from functools import cache
from itertools import product
from typing import Any

import numpy
import pytest

import reasons
from reasons.features.values import Interval
from tests.support import oracle

pytest.importorskip("sklearn")

from sklearn.ensemble import RandomForestClassifier

METHODS = ("compiled", "search")


@cache
def classifier(seed: int, method: Any) -> tuple[reasons.Classifier, oracle.Function]:
    """A small forest over numbers, and its `predict` on every combination of cells."""
    rng = numpy.random.default_rng(seed)
    X = rng.integers(0, 6, (80, 3)).astype(float)
    X[rng.random(X.shape) < 0.05 * (seed % 2)] = numpy.nan
    y = (numpy.nan_to_num(X) @ rng.integers(-2, 3, 3) + rng.integers(-3, 4, 80) > 1).astype(int)
    model = RandomForestClassifier(3, max_depth=3, random_state=seed, n_jobs=1).fit(X, y)
    made = reasons.compile(model, method=method)
    cells = list(product(*(range(len(feature.values)) for feature in made.features)))
    rows = [[f.raw(cell) for f, cell in zip(made.features, each, strict=True)] for each in cells]
    labels = model.predict(
        numpy.array([[numpy.nan if v is None else v for v in r] for r in rows], float)
    )
    domains = tuple(len(feature.values) for feature in made.features)
    return made, oracle.Function(domains, dict(zip(cells, labels.tolist(), strict=True)))


def box_of(term: reasons.Term, function: oracle.Function) -> oracle.Box:
    """The cells of each feature that a term allows."""
    limits = {f: frozenset(cells) for f, cells in term.limits.items()}
    return tuple(limits.get(f, cells) for f, cells in enumerate(function.whole()))


def numbers_of(made: reasons.Classifier, feature: int) -> int:
    """How many cells of a feature are intervals; they come first."""
    return sum(isinstance(value, Interval) for value in made.features[feature].values)


def complaint(
    made: reasons.Classifier, function: oracle.Function, cells: oracle.Instance, term: Any
) -> str:
    """What is wrong with a widened reason, or nothing."""
    box, label = box_of(term, function), function.label(cells)
    if not oracle.forces(function, box, label):
        return "does not force the label"
    for f in term.limits:
        inside, numbers = sorted(box[f]), numbers_of(made, f)
        if cells[f] not in inside:
            return "is not around the instance"
        if cells[f] < numbers and inside != list(range(inside[0], inside[-1] + 1)):
            return "is not an interval"
        ends = (
            (inside[0] - 1, inside[-1] + 1)
            if cells[f] < numbers
            else range(len(made.features[f].values))
        )
        limit = numbers if cells[f] < numbers else len(made.features[f].values)
        for cell in ends:
            wider = (*box[:f], box[f] | {cell}, *box[f + 1 :])
            if 0 <= cell < limit and cell not in box[f] and oracle.forces(function, wider, label):
                return "could be wider"
    return ""


def decisions(seed: int, method: str) -> Any:
    """A few decisions of a small forest, with their cells."""
    made, function = classifier(seed, method)
    every = list(function.table)
    for at in numpy.random.default_rng(seed).choice(len(every), 6):
        raw = [f.raw(cell) for f, cell in zip(made.features, every[at], strict=True)]
        yield made, function, every[at], made.decide(raw)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(12))
def test_numbers_widen_to_the_widest_interval(seed: int, method: str) -> None:
    for made, function, cells, decision in decisions(seed, method):
        wrong = complaint(made, function, cells, decision.sufficient_reason(general=True))
        assert not wrong, f"seed {seed}: the reason of {cells} {wrong}"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))  # the oracle lists all boxes, which takes seconds
def test_unions_are_maximal_boxes(seed: int, method: str) -> None:
    for _, function, cells, decision in decisions(seed, method):
        box = box_of(decision.sufficient_reason(general="unions"), function)
        assert box in oracle.maximal_boxes(function, cells), f"seed {seed}"


def test_both_methods_widen_alike() -> None:
    for seed in range(12):
        pairs = zip(*(decisions(seed, method) for method in METHODS), strict=True)
        for one, other in pairs:
            widened = [d.sufficient_reason(general=True).limits for *_, d in (one, other)]
            assert widened[0] == widened[1], f"seed {seed}"


@pytest.mark.parametrize(("by", "wrong"), [(1, "does not force the label"), (-1, "could be wider")])
def test_an_interval_with_a_wrong_end_is_noticed(
    by: int, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reasons.explain import sufficient_reason

    right = sufficient_reason._without

    def moved(first: int, last: int, own: int, cell: int) -> tuple[int, int]:
        low, high = right(first, last, own, cell)
        if cell > own:
            return low, max(own, min(last, high + by) if by < 0 else high + by)
        return low, high

    monkeypatch.setattr(sufficient_reason, "_without", moved)
    if by > 0:  # would search for ever: the counterexample is never excluded
        monkeypatch.setattr(
            sufficient_reason._Widening, "_counterexample", _once(sufficient_reason._Widening)
        )
    seen = {
        complaint(made, function, cells, decision.sufficient_reason(general=True))
        for seed in range(12)
        for made, function, cells, decision in decisions(seed, "compiled")
    }
    assert wrong in seen


def _once(widening: Any) -> Any:
    """Counterexamples, but one for each feature at most."""
    ask = widening._counterexample
    asked: set[tuple[int, int]] = set()

    def answer(self: Any, feature: int, cells: Any) -> Any:
        if (id(self), feature) in asked:
            return None
        asked.add((id(self), feature))
        return ask(self, feature, cells)

    return answer

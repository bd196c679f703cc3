"""Random points tables with a plain walk beside them: tests of values, and sums of fractions.

Nothing here reads what is written in a bin: text and test are made side by side.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

NAMES = ["clerk", "nurse", "a b", "x-y", "é", "s|t"]
CODES = [1, 2, 3, 5, 8, 13]
WHOLE = range(-10, 43)
NEXT = [math.nextafter(n, toward) for n in WHOLE for toward in (-math.inf, math.inf)]
PROBES = [None, *NAMES, "unheard of", *WHOLE, *NEXT, 1e300, -1e300]


@dataclass
class Written:
    """A bin as it is written, the raw values that it has, and its points."""

    text: str
    has: Callable[[Any], bool]
    points: str


@dataclass
class Table:
    """A points table; `bins` by feature, in order."""

    bins: dict[str, list[Written]]
    base: str = "0"

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {"feature": name, "bin": each.text, "points": each.points}
            for name, found in self.bins.items()
            for each in found
        ]

    def sum(self, row: list[Any]) -> Fraction:
        """The points of a row of raw values, added up bin by bin."""
        total = Fraction(self.base)
        for value, found in zip(row, self.bins.values(), strict=True):
            matching = [each for each in found if each.has(value)]
            assert len(matching) == 1, (value, [each.text for each in matching])
            total += Fraction(matching[0].points)
        return total

    def drawn(self, seed: int, number: int) -> list[list[Any]]:
        """Rows of raw values on, just before and just after everything a bin could end at."""
        rng = Random(seed)
        values = [
            [value for value in PROBES if any(each.has(value) for each in found)]
            for found in self.bins.values()
        ]
        return [[rng.choice(own) for own in values] for _ in range(number)]

    def predict(self, threshold: Any, labels: tuple[Any, Any] = (False, True)) -> Any:
        """A plain `predict`, by one threshold."""
        least = Fraction(str(threshold))
        return lambda rows: [labels[self.sum(row) >= least] for row in rows]


def random_table(seed: int, features: int, bins: int, decimals: int = 0) -> Table:
    """A table of numbers and categories, some of which may be missing or others."""
    rng = Random(seed)
    found = {}
    for at in range(features):
        make = rng.choice([numbers, numbers, categories])
        found[f"f{at}"] = make(rng, bins, decimals)
    return Table(found, base=points(rng, decimals))


def points(rng: Random, decimals: int) -> str:
    return f"{rng.randrange(-30, 31) / 10**decimals:.{decimals}f}"


def numbers(rng: Random, bins: int, decimals: int) -> list[Written]:
    """Intervals that meet, each end open or closed as it comes, in all ways to write them."""
    cuts = sorted(rng.sample(range(-8, 40), bins - 1))
    sides = [rng.random() < 0.5 for _ in cuts]  # whether a cut belongs to the bin below it
    found = []
    for at in range(bins):
        low = (cuts[at - 1], sides[at - 1]) if at else None
        high = (cuts[at], sides[at]) if at < bins - 1 else None
        text = rng.choice(texts(low, high))
        found.append(Written(text, between(low, high), points(rng, decimals)))
    if rng.random() < 0.3 and bins > 2:
        found[rng.randrange(bins)].text = "other"
    return with_missing(rng, found, decimals)


def texts(low: tuple[int, bool] | None, high: tuple[int, bool] | None) -> list[str]:
    left = f"{'(' if low[1] else '['}{low[0]}" if low else "(-inf"
    right = f"{high[0]}{']' if high[1] else ')'}" if high else "inf)"
    found = [f"{left}, {right}", f"{left},{right}", f"{left} ~ {right}", f"{left}; {right}"]
    if low is None and high is not None:
        found = [*found, f"{'<=' if high[1] else '<'} {high[0]}", f"[-Inf,{right}"]
    if high is None and low is not None:
        found = [*found, f"{'>' if low[1] else '>='}{low[0]}"]
    if low and high:
        signs = ("<" if low[1] else "<="), ("<=" if high[1] else "<")
        found.append(f"{low[0]} {signs[0]} x {signs[1]} {high[0]}")
    return found


def between(low: tuple[int, bool] | None, high: tuple[int, bool] | None) -> Callable[[Any], bool]:
    def has(value: Any) -> bool:
        if value is None or isinstance(value, str):
            return False
        above = low is None or value > low[0] or (value == low[0] and not low[1])
        return above and (high is None or value < high[0] or (value == high[0] and high[1]))

    return has


def categories(rng: Random, bins: int, decimals: int) -> list[Written]:
    """Sets of texts, of numbers given as numbers, and perhaps all others."""
    coded = rng.random() < 0.3
    names: list[Any] = rng.sample(CODES if coded else NAMES, 6)
    found = []
    for at in range(bins):
        own = names[2 * at : 2 * at + rng.choice([1, 2])] if bins <= 3 else names[at : at + 1]
        found.append(Written(one_of(rng, own), within(own), points(rng, decimals)))
    known = [each.has for each in found]
    if rng.random() < 0.5:
        rest = Written(
            rng.choice(["other", "else", "<other>"]),
            lambda value: value is not None and not any(has(value) for has in known),
            points(rng, decimals),
        )
        found.append(rest)
    return with_missing(rng, found, decimals)


def one_of(rng: Random, own: list[Any]) -> str:
    quoted = [f'"{name}"' if "|" in str(name) else str(name) for name in own]
    return rng.choice(["|".join(quoted), f"{{{', '.join(quoted)}}}", " | ".join(quoted)])


def within(own: list[Any]) -> Callable[[Any], bool]:
    return lambda value: value is not None and str(value) in [str(name) for name in own]


def with_missing(rng: Random, found: list[Written], decimals: int) -> list[Written]:
    chance = rng.random()
    if chance < 0.3:
        return [*found, Written("missing", lambda value: value is None, points(rng, decimals))]
    if chance < 0.4:
        first = found[0].has
        found[0].text += " | missing"
        found[0].has = lambda value: value is None or first(value)
    return found

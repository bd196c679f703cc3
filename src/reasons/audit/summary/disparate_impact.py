"""Disparate impact: how often the groups of a column get the favourable label.

A statistic of the data, whatever its cause. Intervals are Wilson's for a rate and Katz's (of the
logarithm) for a ratio, both 95%: they are short to state, and data has many rows. Clopper and
Pearson's, which never promise too much, cost seconds for a million rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, isclose, sqrt
from statistics import NormalDist

from reasons.errors import PropertyError

SMALL = 30
"""Groups with fewer rows are shown, but not compared."""
INTERVAL = "95% intervals: Wilson's for rates, Katz's (log) for ratios"
_Z = NormalDist().inv_cdf(0.975)

Counts = Mapping[str, tuple[int, int]]
"""Group -> (rows with the favourable label, rows with a label)."""


@dataclass(frozen=True)
class Rate:
    """A group's selection rate, and its ratio to that of the best-off group.

    What cannot be said is None: a rate of no rows, the ratio of the best-off group to itself, a
    ratio to a rate of 0, the interval of a ratio where nobody or everybody of both is chosen, and
    `below`, the four-fifths flag, of a small group.
    """

    group: str
    rows: int
    favourable: int
    rate: float | None
    low: float | None
    high: float | None
    small: bool
    best_off: bool = False
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    below: bool | None = None


def rates(counts: Counts) -> list[Rate]:
    """The rates of all groups.

    The best-off group is the one with the highest rate among those that are not small, or among
    all if all are; nothing is compared where there is one group only.

    >>> [(r.group, r.rate, r.ratio, r.below) for r in rates({"f": (30, 100), "m": (50, 100)})]
    [('f', 0.3, 0.6, True), ('m', 0.5, None, False)]
    """
    large = {group: own for group, own in counts.items() if own[1] >= SMALL}
    some = {group: own for group, own in (large or counts).items() if own[1]}
    best = max(some, key=lambda group: some[group][0] / some[group][1], default=None)
    if best is None or sum(1 for _, rows in counts.values() if rows) < 2:
        return [_rate(group, *own) for group, own in counts.items()]
    return [_compared(group, *own, best, *counts[best]) for group, own in counts.items()]


def _rate(group: str, favourable: int, rows: int) -> Rate:
    small = rows < SMALL
    if not rows:
        return Rate(group, rows, favourable, None, None, None, small)
    return Rate(group, rows, favourable, favourable / rows, *wilson(favourable, rows), small)


def _compared(group: str, favourable: int, rows: int, best: str, most: int, of: int) -> Rate:
    plain = _rate(group, favourable, rows)
    known = vars(plain)
    if group == best:
        return Rate(**{**known, "best_off": True, "below": None if plain.small else False})
    if plain.rate is None or not most:
        return plain
    ratio = plain.rate / (most / of)
    # In whole numbers, so that a ratio of exactly four fifths is not below it.
    below = None if plain.small else 5 * favourable * of < 4 * most * rows
    ends = _katz(ratio, favourable, rows, most, of)
    found = {"ratio": ratio, "ratio_low": ends[0], "ratio_high": ends[1], "below": below}
    return Rate(**{**known, **found})


def wilson(found: int, drawn: int) -> tuple[float, float]:
    """Wilson's 95% interval for a share.

    >>> [round(end, 4) for end in wilson(30, 100)], [round(end, 4) for end in wilson(0, 10)]
    ([0.2189, 0.3958], [0.0, 0.2775])
    """
    share, z = found / drawn, _Z**2 / drawn
    middle, half = share + z / 2, _Z * sqrt(share * (1 - share) / drawn + z / (4 * drawn))
    low, high = (middle - half) / (1 + z), (middle + half) / (1 + z)
    return (0.0 if found == 0 else max(0.0, low)), (1.0 if found == drawn else min(1.0, high))


def _katz(
    ratio: float, favourable: int, rows: int, most: int, of: int
) -> tuple[float | None, float | None]:
    variance = (1 / favourable - 1 / rows + 1 / most - 1 / of) if favourable else 0.0
    if variance <= 0:
        return None, None
    wide = exp(_Z * sqrt(variance))
    return ratio / wide, ratio * wide


def by_fairlearn(counts: Counts) -> tuple[dict[str, float], str] | None:
    """The same rates by fairlearn and its version, or None where it is not installed.

    It is given a row for each group and outcome, with the number of rows as its weight.
    """
    try:
        import fairlearn
        from fairlearn.metrics import MetricFrame, selection_rate
    except ImportError:
        return None
    some = {group: own for group, own in counts.items() if own[1]}
    lines = [
        (group, chosen, weight)
        for group, (favourable, rows) in some.items()
        for chosen, weight in ((1, favourable), (0, rows - favourable))
    ]
    frame = MetricFrame(
        metrics=selection_rate,
        y_true=[chosen for _, chosen, _ in lines],
        y_pred=[chosen for _, chosen, _ in lines],
        sensitive_features=[group for group, _, _ in lines],
        sample_params={"sample_weight": [weight for _, _, weight in lines]},
    )
    return {group: float(rate) for group, rate in frame.by_group.items()}, fairlearn.__version__


def checked(found: list[Rate], counts: Counts) -> str:
    """What the rates were computed with; `PropertyError` if fairlearn's are others."""
    other = by_fairlearn(counts) if any(rows for _, rows in counts.values()) else None
    if other is None:
        return "counted (without fairlearn)"
    for rate in found:
        if rate.rate is not None and not isclose(rate.rate, other[0][rate.group], rel_tol=1e-9):
            raise PropertyError(
                f"the selection rate of {rate.group!r} is {rate.rate}, and {other[0][rate.group]} "
                "by fairlearn; please report this"
            )
    return f"counted, and equal to fairlearn {other[1]}'s selection_rate"

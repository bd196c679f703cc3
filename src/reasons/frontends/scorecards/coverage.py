"""The bin of every number: exactly one, or an error that names the numbers without one."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from reasons.ensembles.domain import Limit
from reasons.errors import InputError, Option
from reasons.frontends.scorecards.bin_parser import Edge, Stretch, between
from reasons.frontends.scorecards.card import Points
from reasons.frontends.scorecards.table import Row
from reasons.text import short_repr

FIRST: Edge = (-math.inf, 0)
LAST: Edge = (math.inf, 1)

Owned = tuple[Stretch, Row]
Covered = list[tuple[Edge, Points]]
"""Edges in order, and the points of the numbers from each to the next."""


def snapped(stretch: Stretch, row: Row, limit: Limit) -> Stretch:
    """The stretch, of whole numbers with its edges just before such ones."""
    if limit.whole:
        found = Stretch(_before_whole(stretch.low), _before_whole(stretch.high))
        if not found.low < found.high:
            row.fail(f"no whole number lies in {row.bin!r}")
        return found
    if stretch.whole:
        row.fail(
            "{value} does not say which of its ends belong to it; write {interval} if both do, "
            "declare {option}, or put it in quotes if it is a category",
            value=row.bin,
            interval=between(stretch.low, stretch.high),
            option=_whole(row.feature),
        )
    return stretch


def _before_whole(edge: Edge) -> Edge:
    number, after = edge
    if math.isinf(number):
        return edge
    return (float(math.floor(number) + 1 if after else math.ceil(number)), 0)


def covered(name: str, bins: Sequence[Owned], other: Points, limit: Limit) -> Covered:
    """The points of all numbers; what is in no bin has those of others, if there are any."""
    found: Covered = []
    at = FIRST
    for stretch, row in _in_order(bins):
        found += _gap(name, at, stretch.low, other, limit)
        found.append((stretch.low, row.points))
        at = stretch.high
    return found + _gap(name, at, LAST, other, limit)


def _in_order(bins: Sequence[Owned]) -> list[Owned]:
    ordered = sorted(bins, key=lambda owned: (owned[0].low, owned[0].high))
    for (one, row), (other, another) in pairwise(ordered):
        if other.low < one.high:
            first, last = sorted((row, another), key=lambda each: each.place.number)
            common = between(other.low, min(one.high, other.high))
            last.fail(f"{common} is in the bin of {first.place}, too")
    return ordered


def _gap(name: str, low: Edge, high: Edge, other: Points, limit: Limit) -> Covered:
    if low == high:
        return []
    if other is None and limit.values is None and not _is_impossible(low, high, limit):
        raise InputError(
            "feature {feature}: the numbers {interval} are in no bin; add one, or a bin `other`"
            + ("" if limit.whole else ", or declare {option} if it is whole"),
            feature=name,
            interval=between(low, high),
            option=_whole(name),
        )
    return [(low, other)]


def _whole(name: str) -> Option:
    """The option that declares a number whole."""
    return Option("domain", text=f"{{{short_repr(name)}: int}}")


def _is_impossible(low: Edge, high: Edge, limit: Limit) -> bool:
    """Whether all numbers between two edges are declared impossible."""
    if limit.within is None:
        return False
    first, last = limit.within
    if limit.whole:
        first, last = math.ceil(first), math.floor(last)
    return high <= (first, 0) or (last, 0) < low


def overridden(pieces: Covered, single: Stretch, points: Points) -> Covered:
    """The same where a single number has points of its own."""
    at = bisect_right(pieces, single.low, key=lambda piece: piece[0]) - 1
    low, own = pieces[at]
    high = pieces[at + 1][0] if at + 1 < len(pieces) else LAST
    before = [(low, own)] if low < single.low else []
    after = [(single.high, own)] if single.high < high else []
    return [*pieces[:at], *before, (single.low, points), *after, *pieces[at + 1 :]]

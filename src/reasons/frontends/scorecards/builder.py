"""From the rows of a points table to a card: each feature's bins, sorted by what they are of."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reasons.budget import UNLIMITED, Budget
from reasons.ensembles.domain import Limit, limit_of
from reasons.errors import InputError, Option, UnknownFeature
from reasons.features.values import MISSING, OTHER, text_of
from reasons.frontends.scorecards.bin_parser import Item, Name, Stretch, items_of, number_stretch
from reasons.frontends.scorecards.card import Card, Categories, Numbers, Points
from reasons.frontends.scorecards.coverage import Owned, covered, overridden, snapped
from reasons.frontends.scorecards.table import READING, Row, number_of
from reasons.text import short_repr

_MOST_BINS = 10_000
_TRUTHS = {"true": True, "false": False}

Codings = Mapping[str, Iterable[Any]]


def card_of(
    rows: Sequence[Row],
    domain: Mapping[str, Any],
    *,
    base: Any = None,
    special: Codings | None = None,
    separator: str | None = None,
    budget: Budget = UNLIMITED,
) -> Card:
    """The card of a points table; `InputError` where bins overlap or leave values out.

    Of a number that is declared whole, within bounds, or one of some values, only such must be
    covered. `special` are codes that have their bin before intervals are looked at.
    """
    bases = [row for row in rows if row.is_base]
    if len(bases) > 1 or (bases and base is not None):
        bases[-1].place.fail("base points are given twice")
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        if not row.is_base:
            grouped.setdefault(row.feature, []).append(row)
    if not grouped:
        raise InputError("the table has no bins")
    _require_options(grouped, special, separator, domain)
    limits = {name: limit_of(name, declared) for name, declared in domain.items()}
    found = (
        _Bins(own, limits.get(name, Limit()), special, separator).scored()
        for name, own in budget.each(grouped.items(), READING, len(grouped))
    )
    return Card(bases[0].points if bases else number_of("base", base or 0), tuple(found))


def _require_options(names: Iterable[str], special: Any, separator: Any, domain: Any) -> None:
    """Raise `InputError` where options are not what they should be."""
    if separator is not None and (not isinstance(separator, str) or not separator):
        raise InputError("{option} must be a text", option=Option("separator", separator))
    if not isinstance(domain, Mapping):
        raise InputError(
            "{option} must be a mapping from features", option=Option("domain", domain)
        )
    if special is None:
        return
    if not isinstance(special, Mapping) or not all(
        isinstance(codes, list | tuple | set | frozenset) for codes in special.values()
    ):
        raise InputError(
            "{option} must be a mapping from features to lists", option=Option("special", special)
        )
    for name in special:
        if name not in names:
            raise UnknownFeature(name, names)


class _Bins:
    """The bins of one feature."""

    def __init__(
        self, rows: Sequence[Row], limit: Limit, special: Codings | None, separator: str | None
    ) -> None:
        self.first, self.name, self.limit = rows[0], rows[0].feature, limit
        self.codes = [_code(self.name, code) for code in (special or {}).get(self.name, ())]
        self.words: dict[Any, Row] = {}  # missing, other and special
        self.named: dict[str, tuple[Name, Row]] = {}
        self.stretches: list[Owned] = []
        for row in rows:
            for item in _items(row, separator):
                self._add(item, row)
        if special is None and None in self.words:
            self.words[None].fail(
                "which codes are special? say {some}, or {none} where there are none",
                some=Option("special", {self.name: [-9]}),
                none=Option("special", {}),
            )

    def _add(self, item: Item, row: Row) -> None:
        if len(self.named) + len(self.stretches) == _MOST_BINS:
            row.fail(f"there are more than {_MOST_BINS:,} bins")
        if isinstance(item, Stretch):
            self.stretches.append((item, row))
            return
        earlier = self.words.get(item)
        if isinstance(item, Name):
            earlier = self.named[item.text][1] if item.text in self.named else None
            self.named[item.text] = (item, row)
        else:
            self.words[item] = row
        if earlier is not None:
            row.fail(f"{row.bin!r}: this is in the bin of {earlier.place}, too")

    def scored(self) -> Numbers | Categories:
        """Points of numbers, if there is an interval or it is declared so, or of categories."""
        is_number = self.limit.whole or self.limit.within is not None
        found = self._numbers() if self.stretches or is_number else self._categories()
        if not found.all:
            self.first.fail("no value has points")
        for value in self.limit.values or ():
            if found.of(value) is None:
                raise InputError(f"domain: {self.name!r}: no bin has {short_repr(value)}")
        return found

    def _points(self, word: Any) -> Points:
        return self.words[word].points if word in self.words else None

    def _categories(self) -> Categories:
        for name, row in self.named.values():
            found = number_stretch(name)
            written = name.text if found is None else text_of(found.low[0])
            if written != name.text and not re.fullmatch("[0-9]+", name.text):
                row.fail(f"write the number {name.text} as {written}, or put it in quotes")
        points: dict[Any, Fraction] = {text: row.points for text, (_, row) in self.named.items()}
        if points and {text.lower() for text in points} <= set(_TRUTHS):
            if OTHER in self.words:
                self.words[OTHER].fail("nothing is other than true and false")
            points = {_TRUTHS[text.lower()]: value for text, value in points.items()}
        if None in self.words:
            for code in self.codes:
                points.setdefault(code.text, self.words[None].points)
        return Categories(self.name, points, self._points(OTHER), self._points(MISSING))

    def _numbers(self) -> Numbers:
        bins = [(snapped(stretch, row, self.limit), row) for stretch, row in self.stretches]
        singles = [self._number(name, row) for name, row in self.named.values()]
        rest = self.words.get(None)
        codes = [self._number(code, self.first)[0] for code in self.codes]
        bins += [owned for owned in singles if owned[0] not in codes]
        pieces = covered(self.name, bins, self._points(OTHER), self.limit)
        own = {stretch: row for stretch, row in singles if stretch in codes}
        for code in codes:
            row = own.get(code, rest)
            if row is not None:
                pieces = overridden(pieces, code, row.points)
        edges, points = zip(*pieces, strict=True)
        return Numbers(self.name, edges, points, self._points(MISSING))

    def _number(self, name: Name, row: Row) -> Owned:
        found = number_stretch(name)
        if found is None:
            row.fail(
                f"{name.text!r} is a category, where another bin is of numbers; intervals are "
                "written as [25, 40), <= 25, > 40 or 40+"
            )
        return snapped(found, row, self.limit), row


def _items(row: Row, separator: str | None) -> list[Item]:
    try:
        return items_of(row.bin, separator)
    except InputError as error:
        row.fail("{problem}", problem=error)


def _code(name: str, code: Any) -> Name:
    text = text_of(code)
    if text is None:
        raise InputError(f"special: {name!r}: {short_repr(code)} is neither a text nor a number")
    return Name(text)

"""Declared domains of columns, and constraints on combinations of values.

A range, whole numbers or a set of values restrict the cells of a feature. Constraints on several
features become guards: trees over cells beside those of the model.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy

from reasons.ensembles.guards import grown_guard
from reasons.ensembles.native import Guard
from reasons.errors import InputError, UnknownFeature
from reasons.features.cuts import Side, comparison_cut, cut_at
from reasons.features.feature import Feature
from reasons.features.grammar.condition_parser import parse_condition
from reasons.features.grammar.conditions import Characteristic, Comparison, Condition, Range, Value
from reasons.features.grammar.numbers import number_of
from reasons.features.grammar.semantics import condition_masks
from reasons.features.grammar.tokens import quoted
from reasons.features.schema import Schema
from reasons.features.values import MISSING, number_text
from reasons.text import short_repr


@dataclass(frozen=True, slots=True)
class Limit:
    """The domain of one column, and the comparisons that constraints make with it."""

    whole: bool = False
    within: tuple[float, float] | None = None
    values: tuple[Any, ...] | None = None
    compared: tuple[Comparison, ...] = ()
    numbers: tuple[float, ...] = ()  # that `=` and `!=` compare with
    missing: bool = True  # whether a value may be missing, where the model accepts that

    def cuts(self, feature: Feature) -> dict[Side, float]:
        """The cuts of comparisons: a feature's own cut that is printed so, or a new one."""
        cuts = {}
        for operator, number in self.compared:
            below = operator in ("<=", ">")
            try:
                cuts[number, below] = cut_at(feature, number, below)
            except InputError:
                cuts[number, below] = comparison_cut(
                    number, below, feature.closed, feature.cast, whole=feature.whole
                )
        return cuts

    def value_cuts(self, feature: Feature) -> set[float]:
        """The cuts around single numbers that are compared."""
        return {
            comparison_cut(number, below, feature.closed, feature.cast, whole=feature.whole)
            for number in self.numbers
            for below in (False, True)
        }

    def text(self, name: str) -> str:
        """The declaration, as messages show it; empty where there is none."""
        if self.values is not None:
            texts = ["<missing>" if v is None else quoted(str(v)) for v in self.values]
            return f"{quoted(name)} in {{{', '.join(texts)}}}"
        parts = ["whole"] if self.whole else []
        if self.within is not None:
            parts.append("from {} to {}".format(*map(number_text, self.within)))
            parts += ["or missing"] if self.missing else []
        return f"{quoted(name)} {' '.join(parts)}" if parts else ""


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """All declarations: limits by column, and a condition that every instance satisfies."""

    limits: Mapping[str, Limit] = field(default_factory=dict)
    constraint: str = ""
    condition: Condition | None = None
    text: str = ""
    missing: bool = True  # whether values may be missing where nothing else is declared

    def limit(self, name: str) -> Limit:
        """The limit of a column."""
        return self.limits.get(name, Limit(missing=self.missing))

    def require_columns(self, names: Sequence[str]) -> None:
        """Raise `UnknownFeature` for a declared column that does not exist."""
        for name in self.limits:
            if name not in names:
                raise UnknownFeature(name, names)

    def guards(self, schema: Schema, known: Mapping[str, Mapping[Side, float]]) -> list[Guard]:
        """A tree for every conjunct of the condition, true where it is violated.

        `known` are the cuts of comparisons, by feature.
        """
        if self.condition is None:
            return []
        found = condition_masks(self.condition, schema, self.constraint, "<constraint>", known)
        masks = [(feature, numpy.array(mask)) for feature, mask in found]
        return [grown_guard(schema, masks, part) for part in self.condition.conjuncts()]


def declared(
    domain: Mapping[str, Any] | None = None,
    constraint: str | None = None,
    *,
    missing: bool = True,
    seen: Mapping[str, Limit] | None = None,
    source: str = "",
) -> Domain:
    """The domain that a user declares for the columns of a model.

    `domain` maps a column to `int`, a pair of bounds that belong to it, a range or a set of
    values; no value of it is then missing, unless None is in the set or follows the bounds. With
    `missing` false, no value of any column is. `constraint` is a condition that holds for
    everything there is. Which columns there are is checked later. `seen` are the limits of
    columns that are not declared, and `source` says in words where they come from.

    >>> declared({"age": range(18, 100)}, "~(age < 18 & job = retired)").text
    'age whole from 18 to 99; ~(age < 18 & job = retired)'
    """
    limits = {name: limit_of(name, declared) for name, declared in (domain or {}).items()}
    stated = [limit.text(name) for name, limit in limits.items()]
    limits = {**{n: _present(each, missing) for n, each in (seen or {}).items()}, **limits}
    condition = None if constraint is None else _condition_of(constraint)
    for atom in () if condition is None else condition.atoms:
        limit = limits.get(atom.name, Limit(missing=missing))
        limits[atom.name] = replace(
            limit,
            compared=(*limit.compared, *_comparisons(atom)),
            numbers=(*limit.numbers, *_numbers(atom)),
        )
    parts = [source] if missing else [source, "nothing is missing"]
    described = "; ".join(part for part in (*parts, *stated, constraint) if part)
    return Domain(limits, constraint or "", condition, described, missing)


def _present(limit: Limit, missing: bool) -> Limit:
    """The limit, without missing values where none may be."""
    if missing:
        return limit
    values = limit.values and tuple(value for value in limit.values if value is not None)
    return replace(limit, values=values, missing=False)


def _condition_of(constraint: str) -> Condition:
    if not isinstance(constraint, str):
        raise InputError(
            "{option} is a formula as text, not {value}", option="constraint", value=constraint
        )
    return parse_condition(constraint, "<constraint>")


def _comparisons(characteristic: Characteristic) -> list[Comparison]:
    """The comparisons of numbers by order that a characteristic makes."""
    ranges = [member.compared for member in characteristic.members if isinstance(member, Range)]
    return [each for compared in ranges for each in compared]


def _numbers(characteristic: Characteristic) -> list[float]:
    """The single numbers that a characteristic compares with, if its feature is numeric."""
    texts = [m.text for m in characteristic.members if isinstance(m, Value) and not m.quoted]
    return [number for number in map(number_of, texts) if number is not None]


def limit_of(name: str, declared: Any) -> Limit:
    """The limit that a user declares: `int`, a pair of bounds, or a set of values.

    Lists and the text "int" are as JSON has them. What is declared is never missing, unless None
    is in the set or follows the bounds.
    """
    if declared is int or declared == "int":
        return Limit(whole=True, missing=False)
    if isinstance(declared, list):
        bounds = len(declared) in (2, 3) and all(_is_bound(each) for each in declared)
        declared = tuple(declared) if bounds else frozenset(declared)
    if isinstance(declared, range):
        if declared.step != 1 or not len(declared):
            raise InputError(f"domain: {name!r}: a range must have steps of 1 and not be empty")
        return Limit(whole=True, within=(declared.start, declared.stop - 1), missing=False)
    if isinstance(declared, set | frozenset):
        if not declared:
            raise InputError(f"domain: {name!r}: an empty set of values")
        plain = {None if value is MISSING or value != value else value for value in declared}
        return Limit(values=tuple(sorted(plain, key=_rank)))
    if isinstance(declared, tuple) and (len(declared) == 2 or declared[2:] == (None,)):
        try:
            low = -math.inf if declared[0] is None else float(declared[0])
            high = math.inf if declared[1] is None else float(declared[1])
        except (TypeError, ValueError):
            low, high = math.inf, -math.inf
        if low <= high:
            return Limit(within=(low, high), missing=len(declared) == 3)
    raise InputError(
        f"domain: {name!r}: declare `int`, a pair (low, high), a range or a set of values, "
        f"not {short_repr(declared)}"
    )


def _is_bound(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _rank(value: Any) -> tuple[int, float, str]:
    """Numbers in order, then texts, then None."""
    if isinstance(value, int | float):
        return 0, value, ""
    return (2 if value is None else 1), 0, str(value)

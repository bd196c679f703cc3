"""What a classifier looks at: features with names and finite domains.

A feature's domain is a tuple of values, and a *cell* is the index of one. A
Boolean feature has the cells False and True, a categorical one its categories,
a numeric one the intervals between the thresholds that the model tests.
"""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, Self

from reasons.errors import InputError, Option
from reasons.features.cells import cell_of, no_cell, number_cell
from reasons.features.cuts import clipped, ends_of, finite_cut, limits_of, parts_numbers
from reasons.features.floats import Cast, Closed, rounded, shortest
from reasons.features.formatting import characteristic_text, shorter, written_value
from reasons.features.values import MISSING, OTHER, Interval, Special, is_missing, number_text
from reasons.text import comma_list, short_repr

Phrase = str | tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """A name and a finite domain. Made by `boolean`, `categorical` or `numeric`.

    `phrases` says a value in words, for sentences about a decision: a string, or a
    pair of it as a fact and as a supposition ("has a high GPA", "had a high GPA").

    >>> Feature.numeric("age", cuts=[25, 40]).values[1]
    Interval(low=25, high=40, closed='right')
    """

    name: str
    kind: Literal["boolean", "categorical", "numeric"]
    values: tuple[Any, ...]
    cuts: tuple[float, ...] = ()
    closed: Closed = "right"
    cast: Cast = "float64"
    whole: bool = False
    within: tuple[float, float] | None = None
    as_text: bool = False
    phrases: Mapping[Any, Phrase] = field(default_factory=dict)
    _cell_of: Mapping[Any, int] = field(default_factory=dict, repr=False)

    @classmethod
    def boolean(cls, name: str, *, phrases: Mapping[Any, Phrase] | None = None) -> Self:
        """A feature that is true or false; 1 and 0 are accepted for them."""
        return cls._made(name, "boolean", (False, True))._phrased(phrases)

    @classmethod
    def categorical(
        cls,
        name: str,
        values: Iterable[Hashable],
        *,
        other: bool = False,
        missing: bool = False,
        as_text: bool = False,
        phrases: Mapping[Any, Phrase] | None = None,
    ) -> Self:
        """A feature with the given values; `other` and `missing` add a cell for those.

        Values that are written alike, as 1 and "1", are refused: no answer could tell them apart.
        With `as_text` the values are texts, and a number is looked up as what it is written.

        >>> Feature.categorical("rooms", ["1", "2"], other=True, as_text=True).cell(2.0)
        1
        """
        domain = (*values, *([OTHER] if other else []), *([MISSING] if missing else []))
        feature = cls._made(name, "categorical", domain)
        _require_distinct_texts(name, domain)
        if as_text and not all(isinstance(value, str | Special) for value in domain):
            raise InputError(
                "feature {feature}: {option} is for values that are texts",
                feature=name,
                option=Option("as_text", True),
            )
        object.__setattr__(feature, "as_text", bool(as_text))
        return feature._phrased(phrases)

    @classmethod
    def numeric(
        cls,
        name: str,
        cuts: Iterable[float],
        *,
        closed: Closed = "right",
        missing: bool = False,
        cast: Cast = "float64",
        whole: bool = False,
        within: tuple[float, float] | None = None,
        phrases: Mapping[Any, Phrase] | None = None,
    ) -> Self:
        """A number of which only the position among the cuts matters.

        `closed="right"` puts a number that equals a cut below it (`x <= cut`),
        "left" above it (`x < cut`). With `cast="float32"` numbers are rounded to float32
        before they are compared, and cuts are the float32 numbers that tell the same apart.
        Numbers that are not `whole`, or not `within` bounds that belong to it, can be
        declared impossible: there are no cells for them, and they are refused.

        >>> Feature.numeric("age", [17.5, 37.5, 99], whole=True, within=(18, 90)).cuts
        (37,)
        """
        if closed not in ("right", "left"):
            raise _invalid(name, Option("closed", closed), "'right' or 'left'")
        if cast not in ("float64", "float32"):
            raise _invalid(name, Option("cast", cast), "'float64' or 'float32'")
        if not is_list(cuts):
            raise _invalid(name, Option("cuts", cuts), "a list of numbers")
        limits = limits_of(name, whole, within)
        ends = ends_of(limits, whole, cast)
        found = {finite_cut(name, cut, closed, cast, whole) for cut in cuts}
        points = tuple(sorted(cut for cut in found if parts_numbers(cut, ends, closed)))
        bounds = (-math.inf, *points, math.inf)
        cells: list[Any] = [Interval(*pair, closed, cast) for pair in pairwise(bounds)]
        domain = (*cells, *([MISSING] if missing else []))
        feature = cls._made(name, "numeric", domain, points, closed, cast)._phrased(phrases)
        object.__setattr__(feature, "whole", bool(whole))
        object.__setattr__(feature, "within", None if within is None else limits)
        return feature

    @classmethod
    def _made(
        cls,
        name: str,
        kind: Literal["boolean", "categorical", "numeric"],
        values: tuple[Any, ...],
        cuts: tuple[float, ...] = (),
        closed: Closed = "right",
        cast: Cast = "float64",
    ) -> Self:
        if not isinstance(name, str) or not name:
            raise InputError(f"a feature's name must be a text that is not empty, not {name!r}")
        try:
            cell_of = {value: cell for cell, value in enumerate(values)}
        except TypeError as error:
            raise InputError(f"feature {name!r}: a value cannot be hashed ({error})") from None
        if any(value != value for value in values):
            raise InputError(
                "feature {feature}: not-a-number is not a value; use {option}",
                feature=name,
                option=Option("missing", True),
            )
        if len(cell_of) != len(values):
            raise InputError(f"feature {name!r} lists a value twice: {comma_list(values)}")
        if not values:
            raise InputError(f"feature {name!r} has no values")
        if len(values) > 65_534:
            raise InputError(f"feature {name!r} has {len(values):,} values; 65,534 are possible")
        return cls(name, kind, values, cuts, closed, cast, phrases={}, _cell_of=cell_of)

    def _phrased(self, phrases: Mapping[Any, Phrase] | None) -> Self:
        spoken = {self.values[self.cell(value)]: text for value, text in (phrases or {}).items()}
        object.__setattr__(self, "phrases", spoken)
        return self

    def cell(self, value: Any) -> int:
        """The cell of a raw value, or `InputError` that names the values there are."""
        cell = cell_of(self, value)
        if cell is None:
            raise no_cell(self, value)
        return cell

    def allows(self, number: float) -> bool:
        """Whether a number is as declared: whole, within the bounds."""
        if self.whole and not float(number).is_integer():
            return False
        return self.within is None or self.within[0] <= number <= self.within[1]

    def expected(self, value: Any = None) -> str:
        """What values there are, as it follows the error about one that is none of them."""
        if self.kind == "numeric":
            extra = " or missing" if MISSING in self._cell_of else ""
            text = ", and this is a text" if isinstance(value, str) else ""
            return f"it takes a {self.range_text()}{extra}{text}"
        return f"its values are: {comma_list(self.values)}"

    def range_text(self) -> str:
        """What numbers there are: `number`, `whole number from 18 to 90`."""
        kind = "whole number" if self.whole else "number"
        if self.within is None:
            return kind
        low, high = map(number_text, self.within)
        return f"{kind} from {low} to {high}"

    def raw(self, cell: int, near: Any = None) -> Any:
        """A raw value that falls into the cell; of numbers, the nearest to a given one."""
        value = self.values[cell]
        if isinstance(value, Interval):
            number = value.member() if is_missing(near) else value.nearest(near)
            if self.cast == "float32" and isinstance(number, float) and number != near:
                number = shortest(number)
            if self.whole and math.isinf(number):  # what float32 makes of the first beyond it
                number = math.copysign(2.0**128, number)
            return number if self.within is None else clipped(number, self.within)
        return None if value is MISSING else value

    def example(self, cell: int, near: Any = None) -> Any:
        """A raw value of the cell to be shown: as `raw`, or one beside it of fewer digits.

        >>> Feature.numeric("age", [41.499999999999993]).example(0)
        41.4999
        """
        value = self.raw(cell, near)
        if self.kind != "numeric" or not isinstance(value, float):
            return value
        return next((n for n in shorter(value) if number_cell(self, n) == cell), value)

    def merged(self, cells: Collection[int]) -> Any:
        """The public form of a set of cells: one value, a set, or an interval.

        >>> Feature.numeric("age", cuts=[25, 40]).merged({1, 2})
        Interval(low=25, high=inf, closed='right')
        """
        if len(cells) == 1:
            return self.values[next(iter(cells))]
        if self.kind != "numeric":
            return frozenset(self.values[cell] for cell in cells)
        parts = self.runs(cells)
        return parts[0] if len(parts) == 1 else frozenset(parts)

    def runs(self, cells: Collection[int]) -> list[Any]:
        """Neighbouring intervals joined, in order, then the missing cell."""
        parts: list[Any] = []
        for cell in sorted(cells):
            value = self.values[cell]
            last = parts[-1] if parts else None
            if (
                isinstance(value, Interval)
                and isinstance(last, Interval)
                and last.high == value.low
            ):
                parts[-1] = Interval(last.low, value.high, self.closed, self.cast)
            else:
                parts.append(value)
        return parts

    def cells_of(self, value: Any) -> frozenset[int]:
        """The cells of a public value: a raw value, a set of them, or an interval."""
        if isinstance(value, Interval) and value not in self._cell_of:
            if value.closed != self.closed:
                raise InputError(f"feature {self.name!r}: its intervals are closed {self.closed}")
            return self._cells_between(value)
        if isinstance(value, set | frozenset):
            if not value:
                raise InputError(f"feature {self.name!r}: an empty set of values")
            return frozenset().union(*(self.cells_of(member) for member in value))
        return frozenset((self.cell(value),))

    def _cells_between(self, interval: Interval) -> frozenset[int]:
        low, high = (rounded(bound, self.cast) for bound in (interval.low, interval.high))
        inside = frozenset(
            cell
            for cell, value in enumerate(self.values)
            if isinstance(value, Interval) and value.low >= low and value.high <= high
        )
        joined = self.runs(inside)
        if len(joined) != 1 or (joined[0].low, joined[0].high) != (low, high):
            raise InputError(
                f"feature {self.name!r}: {interval} does not end at its cuts; "
                f"they are: {comma_list(number_text(cut, self.cast) for cut in self.cuts)}"
            )
        return inside

    def says(self, cells: Collection[int]) -> str:
        """A characteristic as text: `E`, `~F`, `age > 25`, `job in {clerk, nurse}`."""
        return characteristic_text(self, cells)

    def is_every_number(self, cells: Collection[int]) -> bool:
        """Whether these are all cells of a number but the missing one."""
        is_numeric = self.kind == "numeric" and self.values[-1] is MISSING
        return is_numeric and set(cells) == set(range(len(self.values) - 1))

    def parts(self, cells: Collection[int]) -> list[Any]:
        """The values of some cells in order; of numbers as `Span`s, neighbours joined."""
        return [written_value(self, part) for part in self.runs(cells)]

    def value_text(self, cell: int) -> str:
        """A value as text, without the name: `(25, 40]`, `clerk`, `<missing>`."""
        return str(written_value(self, self.values[cell]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Feature):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Any, ...]:
        return (self.name, self.kind, self.values, self.whole, self.within, self.as_text)


def is_list(values: Any) -> bool:
    """Whether it is iterable, and neither a text nor a mapping."""
    return isinstance(values, Iterable) and not isinstance(values, str | Mapping)


def _invalid(name: str, option: Option, expected: str) -> InputError:
    return InputError(
        "feature {feature}: {option} must be {expected}",
        feature=name,
        option=option,
        expected=expected,
    )


def _require_distinct_texts(name: str, values: Iterable[Any]) -> None:
    """Raise `InputError` where two values are written alike, and so would be read as one."""
    written: dict[str, Any] = {}
    for value in values:
        other = written.setdefault(str(value), value)
        if other is not value and not isinstance(value, Special):
            raise InputError(
                f"feature {name!r}: the values {short_repr(other)} and {short_repr(value)} "
                f"are written "
                f"alike, so that answers could not distinguish them; merge them, or rename one"
            )

"""What users declare about their columns: which values and combinations there are.

A range, whole numbers or a set of values leave a feature only the cells that there are. What
concerns several features becomes guards: trees over cells beside those of the model.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy

from reasons.ensembles.native import Answers, Guard
from reasons.errors import InputError, UnknownFeature
from reasons.features.feature import Feature, Schema
from reasons.features.terms import parse_term
from reasons.features.values import MISSING, OTHER, Cast, Closed, number_text, quoted, rounded, step
from reasons.text import comma_list

Comparison = tuple[str, float]  # an operator and a number
Truth = bool | None  # None: not known yet

_MOST_NODES = 100_000


@dataclass(frozen=True, slots=True)
class Limit:
    """What is declared about one column, and the comparisons that combinations make of it."""

    whole: bool = False
    within: tuple[float, float] | None = None
    values: tuple[Any, ...] | None = None
    compared: tuple[Comparison, ...] = ()
    missing: bool = True  # whether a value may be missing, where the model accepts that

    def cuts(self, closed: Closed, cast: Cast) -> set[float]:
        """The cuts that tell apart what the comparisons do."""
        found: set[float] = set()
        for operator, number in self.compared:
            bound = rounded(number, cast)
            if operator in ("<=", ">", "=", "!="):
                found.add(self._after(bound, closed, cast))
            if operator in ("<", ">=", "=", "!="):
                found.add(self._before(bound, closed, cast))
        return {cut for cut in found if math.isfinite(cut)}

    def _after(self, bound: float, closed: Closed, cast: Cast) -> float:
        """The cut between the numbers up to a bound and those above it."""
        if self.whole:
            return math.floor(bound) if closed == "right" else math.floor(bound) + 1
        return bound if closed == "right" else step(bound, math.inf, cast)

    def _before(self, bound: float, closed: Closed, cast: Cast) -> float:
        """The cut between the numbers below a bound and those from it on."""
        if self.whole:
            return math.ceil(bound) - 1 if closed == "right" else math.ceil(bound)
        return step(bound, -math.inf, cast) if closed == "right" else bound

    def said(self, name: str) -> str:
        """The declaration in words; empty where there is none."""
        if self.values is not None:
            texts = ["<missing>" if v is None else quoted(str(v)) for v in self.values]
            return f"{quoted(name)} in {{{', '.join(texts)}}}"
        parts = ["whole"] if self.whole else []
        if self.within is not None:
            parts.append("from {} to {}".format(*map(number_text, self.within)))
            parts += ["or missing"] if self.missing else []
        return f"{quoted(name)} {' '.join(parts)}" if parts else ""


@dataclass(frozen=True, slots=True)
class Atom:
    """A characteristic within a formula: the feature, and comparisons all of which hold.

    What is no comparison of numbers is the text of a term.
    """

    name: str
    text: str
    compared: tuple[Comparison, ...] = ()

    def cells(self, schema: Schema) -> Answers:
        """Which cells of its feature have the characteristic."""
        feature: Feature = schema[index := schema.index(self.name)]
        if self.compared and (feature.kind == "numeric" or not self.text):
            cells = range(len(feature.values))
            return numpy.array([self._holds(feature, feature.raw(cell)) for cell in cells])
        if feature.kind == "numeric" and not self.text.endswith(("missing", "missing>")):
            raise InputError(f"given: {self.text!r}: write comparisons, joined by `|`")
        found, _ = parse_term(schema, self.text)[index]
        self._require_listed(feature, set(found))
        return numpy.array([cell in found for cell in range(len(feature.values))])

    def _require_listed(self, feature: Feature, found: set[int]) -> None:
        """Raise `InputError` where a value that is not listed would stand for all such values."""
        excludes = "!=" in self.text or " not in " in self.text
        named = set(range(len(feature.values))) - found if excludes else found
        if "<other>" in self.text or all(feature.values[cell] is not OTHER for cell in named):
            return
        known = comma_list(value for value in feature.values if value is not OTHER)
        raise InputError(
            f"given: {self.text!r} names a value that {self.name!r} does not list, and would be "
            f"about all such values; it lists {known}. Write <other> for all the rest"
        )

    def _holds(self, feature: Feature, raw: Any) -> bool:
        if raw is None or raw is OTHER:
            return all(operator == "!=" for operator, _ in self.compared)
        if not isinstance(raw, int | float):
            raise InputError(f"given: {self.name!r} is {raw!r}, which no number is compared with")
        number = rounded(float(raw), feature.cast)
        return all(
            COMPARE[operator](number, rounded(bound, feature.cast))
            for operator, bound in self.compared
        )


COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """Whether it holds, by what is known of all atoms, and those that it depends on."""

    holds: Callable[[Sequence[Truth]], Truth]
    atoms: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """Everything declared: limits by column, and rules over atoms all of which must hold."""

    limits: Mapping[str, Limit] = field(default_factory=dict)
    atoms: tuple[Atom, ...] = ()
    rules: tuple[Rule, ...] = ()
    said: str = ""
    missing: bool = True  # whether values may be missing where nothing else is declared

    def limit(self, name: str) -> Limit:
        """What is declared about a column."""
        return self.limits.get(name, Limit(missing=self.missing))

    def require_columns(self, names: Sequence[str]) -> None:
        """Raise `UnknownFeature` where something is declared about a column there is not."""
        for name in (*self.limits, *(atom.name for atom in self.atoms)):
            if name not in names:
                raise UnknownFeature(name, names)

    def guards(self, schema: Schema) -> list[Guard]:
        """A tree for every rule, which says where it does not hold."""
        masks = [(schema.index(atom.name), atom.cells(schema)) for atom in self.atoms]
        return [_Grown(schema, masks, rule).guard() for rule in self.rules]


class _Grown:
    """A rule's tree: atoms are asked in turn until the rule is settled."""

    def __init__(self, schema: Schema, masks: list[tuple[int, Answers]], rule: Rule) -> None:
        self.masks, self.rule = masks, rule
        self.nodes: list[tuple[int, Answers, int, int] | bool] = []
        self.every = [numpy.ones(len(feature.values), bool) for feature in schema]

    def guard(self) -> Guard:
        self._grow([None] * len(self.masks), self.every)
        return Guard(tuple(self.nodes))

    def _grow(self, known: list[Truth], left_over: list[Answers]) -> int:
        """Add the tree below what is known; the cells left over for each feature settle atoms."""
        for atom in self.rule.atoms:
            known[atom] = self._settled(atom, known[atom], left_over)
        holds = self.rule.holds(known)
        at = len(self.nodes)
        if at > _MOST_NODES:
            raise InputError("given: this is too much for one rule; write several, joined by `&`")
        self.nodes.append(holds is False)
        if holds is not None:
            return at
        asked = self._next(known)
        feature, mask = self.masks[asked]
        sides = []
        for answer in (True, False):
            rest = list(left_over)
            rest[feature] = rest[feature] & (mask if answer else ~mask)
            sides.append(self._grow(_with(known, asked, answer), rest))
        self.nodes[at] = (feature, mask, sides[0], sides[1])
        return at

    def _next(self, known: list[Truth]) -> int:
        """An unknown atom; rather one that can settle the rule at once."""
        unknown = [atom for atom in self.rule.atoms if known[atom] is None]
        for atom in unknown:
            if any(
                self.rule.holds(_with(known, atom, truth)) is not None for truth in (True, False)
            ):
                return atom
        return unknown[0]

    def _settled(self, atom: int, truth: Truth, left_over: list[Answers]) -> Truth:
        feature, mask = self.masks[atom]
        inside = mask[left_over[feature]]
        if truth is not None or not len(inside):
            return bool(truth)
        return True if inside.all() else None if inside.any() else False


def _with(known: list[Truth], atom: int, truth: bool) -> list[Truth]:
    return [*known[:atom], truth, *known[atom + 1 :]]


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
        f"not {declared!r}"
    )


def _is_bound(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _rank(value: Any) -> tuple[int, float, str]:
    """Numbers in order, then texts, then None."""
    if isinstance(value, int | float):
        return 0, value, ""
    return (2 if value is None else 1), 0, str(value)

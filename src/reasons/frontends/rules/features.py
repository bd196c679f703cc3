"""The features that rules speak of, and which of their cells have a characteristic."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from reasons.ensembles.domain import Atom, Comparison, Limit
from reasons.errors import InputError
from reasons.features.feature import Feature, Schema
from reasons.features.terms import parts
from reasons.features.values import MISSING, OTHER, Closed, is_missing, number_text
from reasons.frontends.characteristics import Characteristic, unquoted
from reasons.frontends.rules.parser import Rule, label_of, number_of
from reasons.text import comma_list, short_repr

_ORDERS = ("<", "<=", ">", ">=")
_TRUTHS = {"true": True, "false": False, "1": True, "0": False}
SPECIAL = {"<missing>": MISSING, "<other>": OTHER}


@dataclass(frozen=True, slots=True)
class Test:
    """A characteristic taken apart: comparisons all of which hold, or one of these values."""

    __test__ = False

    compared: tuple[Comparison, ...] = ()
    values: tuple[str, ...] = ()
    negated: bool = False


def tests_of(found: Characteristic) -> list[Test]:
    """What a characteristic asks, as tests one of which holds."""
    operator, value = found.operator, found.value
    if operator in _ORDERS:
        return [Test(((operator, number_in(value)),))]
    if operator == "in" and value[0] in "([":
        return [Test(_interval(value))]
    if operator == "in" and value[0] != "{":
        raise InputError(f"write a set {{{value}}} or an interval after `in`")
    if operator == "in":
        members = [member.strip() for _, member in parts(value[1:-1])]
        if not all(members):
            raise InputError(f"a value is missing in {value}")
        return [
            Test(_interval(member)) if member[0] in "([" else Test(values=(member,))
            for member in members
        ]
    if operator == "is":
        return [Test(values=(f"<{value.strip('<>')}>",))]
    return [Test(values=(value,), negated=operator == "!=")]


def number_in(text: str) -> float:
    try:
        return number_of(text.strip())
    except ValueError:
        raise InputError(f"cannot read {short_repr(text)} as a number") from None


def _interval(text: str) -> tuple[Comparison, ...]:
    ends = text[1:-1].split(",")
    if len(ends) != 2 or text[-1] not in ")]":
        raise InputError(f"{text} is no interval; write (25, 40] for instance")
    low, high = map(number_in, ends)
    if not low <= high:
        raise InputError(f"the interval {text} is empty")
    # `(25, inf)` is how a cell is printed that an infinite number belongs to.
    lower = ">" if text[0] == "(" and low > -math.inf else ">="
    upper = "<" if text[-1] == ")" and high < math.inf else "<="
    return ((lower, low), (upper, high))


@dataclass(slots=True)
class _Use:
    """How rules use one name."""

    bare: bool = False
    compared: list[Comparison] = field(default_factory=list)
    values: list[str] = field(default_factory=list)

    def feature(self, name: str) -> Feature:
        """Numbers where they are compared by order, otherwise truths, otherwise categories."""
        plain = [value for value in self.values if value not in SPECIAL]
        missing = "<missing>" in self.values
        words = {value.lower() for value in plain}
        if self.compared:
            return self._numeric(name, plain, missing)
        if self.bare or (plain and words <= {"true", "false"}):
            if odd := words - set(_TRUTHS) | ({"<missing>"} if missing else set()):
                raise InputError(f"it is true or false, and cannot be {min(odd)}")
            return Feature.boolean(name)
        known = dict.fromkeys(map(label_of, plain))
        return Feature.categorical(name, known, other=True, missing=missing)

    def _numeric(self, name: str, plain: list[str], missing: bool) -> Feature:
        if self.bare or "<other>" in self.values:
            raise InputError("it is compared with numbers, and needs a comparison here too")
        compared = (*self.compared, *(("=", number_in(value)) for value in plain))
        left = sum(operator in ("<", ">=") for operator, _ in compared)
        right = sum(operator in ("<=", ">") for operator, _ in compared)
        closed: Closed = "left" if left > right else "right"
        cuts = Limit(compared=compared).cuts(closed, "float64")
        return Feature.numeric(name, cuts, closed=closed, missing=missing)


def schema_of(rules: Sequence[Rule], given: Iterable[Feature | str] | None) -> Schema:
    """The features given, or those that the rules show, in order of appearance."""
    schema = None if given is None else Schema(given)
    uses: dict[str, _Use] = {}
    for rule in rules:
        for found in rule.condition.found:
            with placed(rule, found):
                if schema is not None:
                    schema.index(found.name)
                _note(uses.setdefault(found.name, _Use()), found)
    if schema is None:
        schema = Schema(_shown_feature(name, use, rules) for name, use in uses.items())
    return schema


def _shown_feature(name: str, use: _Use, rules: Sequence[Rule]) -> Feature:
    try:
        return use.feature(name)
    except InputError:
        again = _Use()  # where it goes wrong is found by looking at one use after the other
        for rule in rules:
            for found in rule.condition.found:
                if found.name == name:
                    with placed(rule, found):
                        _note(again, found)
                        again.feature(name)
        raise


def _note(use: _Use, found: Characteristic) -> None:
    use.bare |= not found.operator
    for test in tests_of(found) if found.operator else ():
        use.compared += test.compared
        use.values += test.values


@contextmanager
def placed(rule: Rule, found: Characteristic) -> Iterator[None]:
    """Give errors about a characteristic the place where it stands."""
    try:
        yield
    except InputError as error:
        raise rule.condition.error(f"feature {found.name!r}: {error}", found.at) from None


def cells_of(rule: Rule, found: Characteristic, schema: Schema) -> list[bool]:
    """Which cells of its feature have a characteristic; an error names its place."""
    feature = schema[schema.index(found.name)]
    with placed(rule, found):
        if not found.operator:
            if feature.kind != "boolean":
                raise InputError("it is not Boolean, and needs a comparison")
            return [False, True]
        every = [_holding(test, feature, schema) for test in tests_of(found)]
    return [any(column) for column in zip(*every, strict=True)]


def _holding(test: Test, feature: Feature, schema: Schema) -> list[bool]:
    cells = range(len(feature.values))
    special = [SPECIAL[value] for value in test.values if value in SPECIAL]
    if special:
        if special[0] not in feature.values:
            raise InputError(f"it has no cell {special[0]}; list it in features= with one")
        inside = [feature.values[cell] is special[0] for cell in cells]
    elif feature.kind == "numeric":
        compared = test.compared or (("=", number_in(test.values[0])),)
        _require_cuts(feature, compared)
        holds = Atom(feature.name, "", compared).cells(schema)
        inside = [bool(each) for each in holds]
    elif test.compared:
        raise InputError(f"its values are no numbers: {comma_list(feature.values)}")
    else:
        wanted = listed_cell(feature, test.values[0])
        inside = [cell == wanted for cell in cells]
    return [not each for each in inside] if test.negated else inside


def _require_cuts(feature: Feature, compared: tuple[Comparison, ...]) -> None:
    """Raise unless comparisons tell no two numbers of one cell apart."""
    needed = Limit(feature.whole, compared=compared).cuts(feature.closed, feature.cast)
    if needed <= set(feature.cuts):
        return
    finer = Feature.numeric(
        feature.name,
        [*feature.cuts, *needed],
        closed=feature.closed,
        cast=feature.cast,
        whole=feature.whole,
        within=feature.within,
    )
    if odd := sorted(set(finer.cuts) - set(feature.cuts)):
        cuts = comma_list(number_text(cut, feature.cast) for cut in feature.cuts)
        raise InputError(
            f"its cells do not tell numbers apart at {number_text(odd[0], feature.cast)}; "
            f"they are closed {feature.closed} and cut at: {cuts or 'nothing'}"
        )


def listed_cell(feature: Feature, text: str) -> int:
    """The cell of a value that is listed; one that is not is never taken for *other*."""
    plain, typed = unquoted(text), label_of(text)
    if feature.kind == "boolean":
        typed = _TRUTHS.get(plain.lower(), plain)
    for cell, value in enumerate(feature.values):
        if value in (OTHER, MISSING) or is_missing(value):
            continue
        if str(value) == plain or (value == typed and not text.startswith('"')):
            return cell
    raise InputError(
        f"it has no value {short_repr(plain)}; its values are: {comma_list(feature.values)}"
    )

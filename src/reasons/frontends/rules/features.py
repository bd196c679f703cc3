"""The features that rules speak of, and which of their cells have a characteristic."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from reasons.errors import InputError
from reasons.features.cuts import comparison_cut
from reasons.features.feature import Feature
from reasons.features.floats import Closed
from reasons.features.grammar.conditions import Characteristic, Comparison, Range, Value
from reasons.features.grammar.numbers import number_of
from reasons.features.grammar.semantics import characteristic_cells
from reasons.features.schema import Schema
from reasons.features.values import MISSING, OTHER
from reasons.frontends.rules.parser import Rule, label_of
from reasons.text import short_repr


@dataclass(slots=True)
class _Use:
    """How rules use one name."""

    name: str
    bare: bool = False
    compared: list[Comparison] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def note(self, found: Characteristic) -> None:
        """Add what a characteristic asks of the name."""
        self.bare |= not found.operator
        for member in found.members:
            if isinstance(member, Range):
                self.compared += member.compared
            else:
                self.values.append(member)

    def feature(self) -> Feature:
        """Numbers where they are compared by order, otherwise truths, otherwise categories."""
        plain = [value for value in self.values if value.special is None]
        missing = any(value.special is MISSING for value in self.values)
        if self.compared:
            return self._numeric(plain, missing)
        words = {repr(v.text) if v.quoted else v.text.lower() for v in plain}
        if self.bare or (plain and words <= {"true", "false"}):
            if odd := words - {"true", "false", "1", "0"} | ({"<missing>"} if missing else set()):
                raise InputError(
                    f"feature {self.name!r} is true or false, and cannot be {min(odd)}"
                )
            return Feature.boolean(self.name)
        known = dict.fromkeys(v.text if v.quoted else label_of(v.text) for v in plain)
        return Feature.categorical(self.name, known, other=True, missing=missing)

    def _numeric(self, plain: list[Value], missing: bool) -> Feature:
        if self.bare or any(value.special is OTHER for value in self.values):
            raise InputError(
                f"feature {self.name!r} is compared with numbers, and needs a comparison here too"
            )
        left = sum(operator in ("<", ">=") for operator, _ in self.compared)
        right = sum(operator in ("<=", ">") for operator, _ in self.compared)
        closed: Closed = "left" if left > right else "right"
        sides = [(number, operator in ("<=", ">")) for operator, number in self.compared]
        sides += [(self._number(v), below) for v in plain for below in (True, False)]
        cuts = [comparison_cut(number, below, closed, "float64") for number, below in sides]
        finite = {cut for cut in cuts if abs(cut) != float("inf")}
        return Feature.numeric(self.name, finite, closed=closed, missing=missing)

    def _number(self, value: Value) -> float:
        number = None if value.quoted else number_of(value.text)
        if number is None:
            raise InputError(
                f"feature {self.name!r}: cannot read {short_repr(value.text)} as a number"
            )
        return number


def schema_of(rules: Sequence[Rule]) -> Schema:
    """The features that the rules show, in order of appearance."""
    uses: dict[str, _Use] = {}
    for rule in rules:
        for found in rule.condition.atoms:
            uses.setdefault(found.name, _Use(found.name)).note(found)
    return Schema(_shown_feature(use, rules) for use in uses.values())


def _shown_feature(use: _Use, rules: Sequence[Rule]) -> Feature:
    try:
        return use.feature()
    except InputError:
        again = _Use(use.name)  # where it goes wrong is found by looking at one use after the other
        for rule in rules:
            for found in rule.condition.atoms:
                if found.name == use.name:
                    with placed(rule, found):
                        again.note(found)
                        again.feature()
        raise


@contextmanager
def placed(rule: Rule, found: Characteristic) -> Iterator[None]:
    """Give errors about a characteristic the place where it stands."""
    try:
        yield
    except InputError as error:
        raise rule.error(error, found.at) from None


def cells_of(rule: Rule, found: Characteristic, schema: Schema) -> list[bool]:
    """Which cells of its feature have a characteristic; an error names its place."""
    feature = schema[schema.index(found.name)]
    with placed(rule, found):
        cells = characteristic_cells(feature, found)
    return [cell in cells for cell in range(len(feature.values))]

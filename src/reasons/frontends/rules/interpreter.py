"""Rules applied to raw values one by one: what a classifier of them is compared with."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from reasons.errors import InputError, Option
from reasons.features.cuts import comparison_cut, cut_at
from reasons.features.feature import Feature
from reasons.features.floats import rounded
from reasons.features.grammar.conditions import BOOLEAN, Characteristic, Range, Value
from reasons.features.grammar.semantics import characteristic_cells, holds
from reasons.features.schema import Schema
from reasons.features.terms import Instance
from reasons.features.values import MISSING, is_missing
from reasons.frontends.rules.parser import Conflict, Mode, Rule
from reasons.text import short_repr


class Replay:
    """An interpreter of rules that knows no cells of numbers."""

    def __init__(
        self,
        rules: Sequence[Rule],
        schema: Schema,
        default: tuple[Any, ...],
        mode: Mode,
        conflict: Conflict | None,
    ) -> None:
        self.rules, self.schema, self.default = rules, schema, default
        self.agreed = mode == "set" and conflict is None
        self.votes = conflict == "majority"

    def predict(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """The labels of rows of raw values."""
        return [self._label(dict(zip(self.schema.names, row, strict=True))) for row in rows]

    def _label(self, raw: dict[str, Any]) -> Any:
        matching = [rule.label for rule in self.rules if self._holds(rule, raw)]
        if not matching and self.default:
            return self.default[0]
        if not matching or (self.agreed and len(set(matching)) > 1):
            raise self.undecided(raw)
        if not self.votes:
            return matching[0]
        counts = Counter(matching)
        first = [label for rule in self.rules if (label := rule.label) in counts]
        return max(dict.fromkeys(first), key=lambda label: counts[label])

    def undecided(self, raw: Any) -> InputError:
        """The error about an instance that has no label, or several."""
        matching = [rule for rule in self.rules if self._holds(rule, raw)]
        instance = raw if isinstance(raw, Instance) else dict(raw)
        if not matching:
            return InputError(
                "no rule matches {instance}; end the rules with 'else', or give {option}",
                instance=str(instance),
                option="default",
            )
        one = matching[0]
        other = next((r for r in matching if r.label != one.label), one)
        return InputError(
            "{one} and {other} give the labels {labels} to {instance}; say {option} or 'majority', "
            "or change the rules",
            one=one.place,
            other=other.place,
            labels=f"{short_repr(one.label)} and {short_repr(other.label)}",
            instance=str(instance),
            option=Option("conflict", "first"),
        )

    def _holds(self, rule: Rule, raw: Any) -> bool:
        atoms = [self._has(atom, raw[atom.name]) for atom in rule.condition.atoms]
        return rule.condition.fold(atoms, BOOLEAN)

    def _has(self, found: Characteristic, value: Any) -> bool:
        feature: Feature = self.schema[self.schema.index(found.name)]
        if not found.operator:
            return bool(value)
        return any(_is(feature, member, value) for member in found.members) != found.negated


def _is(feature: Feature, member: Value | Range, value: Any) -> bool:
    """Whether a value is a member: the one that is named, or within a range."""
    if isinstance(member, Value) and member.special is not None:
        if member.special is MISSING:
            return is_missing(value)
        return feature.values[feature.cell(value)] is member.special
    if feature.kind != "numeric" and isinstance(member, Value):
        (cell,) = characteristic_cells(feature, Characteristic(feature.name, "=", (member,)))
        return bool(value == feature.values[cell])
    if is_missing(value) or (feature.kind != "numeric" and not isinstance(value, int | float)):
        return False
    if isinstance(member, Value):
        return float(value) == float(member.text)
    return all(_compares(feature, operator, to, float(value)) for operator, to in member.compared)


def _compares(feature: Feature, operator: str, to: float, number: float) -> bool:
    """Whether a comparison holds; a bound that is a cut as it is printed means that cut."""
    below = operator in ("<=", ">")
    exact = comparison_cut(to, below, feature.closed, feature.cast, whole=feature.whole)
    if feature.kind != "numeric" or exact in feature.cuts:
        return holds(Range(((operator, to),)), number)
    cut, seen = cut_at(feature, to, below), rounded(number, feature.cast)
    is_up_to = seen <= cut if feature.closed == "right" else seen < cut
    return is_up_to == (operator in ("<", "<="))

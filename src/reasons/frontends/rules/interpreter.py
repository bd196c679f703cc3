"""Rules applied to raw values one by one: what a classifier of them is compared with."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from reasons.ensembles.domain import COMPARE
from reasons.errors import InputError
from reasons.features.feature import Feature, Schema
from reasons.features.terms import Instance
from reasons.features.values import MISSING, is_missing
from reasons.frontends.characteristics import Characteristic
from reasons.frontends.formula.parser import evaluate
from reasons.frontends.rules.features import SPECIAL, listed_cell, number_in, tests_of
from reasons.frontends.rules.parser import Conflict, Mode, Rule


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
            raise InputError(self.complaint(raw))
        if not self.votes:
            return matching[0]
        counts = Counter(matching)
        first = [label for rule in self.rules if (label := rule.label) in counts]
        return max(dict.fromkeys(first), key=lambda label: counts[label])

    def complaint(self, raw: Any) -> str:
        """What is wrong with an instance that has no label, or several."""
        matching = [rule for rule in self.rules if self._holds(rule, raw)]
        said = raw if isinstance(raw, Instance) else dict(raw)
        if not matching:
            return f"no rule matches {said}; end the rules with 'else', or give default="
        one = matching[0]
        other = next((r for r in matching if r.label != one.label), one)
        return (
            f"{one.said} and {other.said} give the labels {one.label!r} and {other.label!r} "
            f"to {said}; say conflict='first' or 'majority', or change the rules"
        )

    def _holds(self, rule: Rule, raw: Any) -> bool:
        formula, found = rule.condition.formula, rule.condition.found
        known = {
            name: self._has(each, raw[each.name])
            for name, each in zip(formula.names, found, strict=True)
        }
        return evaluate(formula, known)

    def _has(self, found: Characteristic, value: Any) -> bool:
        feature: Feature = self.schema[self.schema.index(found.name)]
        if not found.operator:
            return bool(value)
        for test in tests_of(found):
            if test.compared or (feature.kind == "numeric" and test.values[0] not in SPECIAL):
                compared = test.compared or (("=", number_in(test.values[0])),)
                number = None if is_missing(value) else float(value)
                inside = number is not None and all(COMPARE[op](number, to) for op, to in compared)
            else:
                inside = _is(feature, test.values[0], value)
            if inside != test.negated:
                return True
        return False


def _is(feature: Feature, text: str, value: Any) -> bool:
    """Whether a value is the one that a text names."""
    if SPECIAL.get(text) is MISSING:
        return is_missing(value)
    if text in SPECIAL:
        return feature.values[feature.cell(value)] is SPECIAL[text]
    return bool(value == feature.values[listed_cell(feature, text)])

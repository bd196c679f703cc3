"""`Wording`: how sentences name the instance, its label and its characteristics.

Facts without phrases are terms as they are printed everywhere (`exam <= 79.5`); suppositions
are in the subjunctive ("exam were above 79.5").
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from reasons.counting.queries import label_index
from reasons.features.feature import Feature, Phrase
from reasons.features.formatting import Span
from reasons.features.grammar.tokens import quoted, quoted_name
from reasons.features.terms import Term
from reasons.features.values import MISSING, Special


@dataclass(frozen=True)
class Wording:
    """How sentences name the instance and the labels.

    `labels` has a phrase for each label, as a fact and as a supposition:
    `{True: ("is admitted", "would be admitted")}`.

    >>> Wording("the applicant", "she").labels
    {}
    """

    subject: str = ""
    pronoun: str = ""
    labels: Mapping[Any, Phrase] = field(default_factory=dict)

    def decided(self, label: Any, *, supposed: bool = False, still: bool = False) -> str:
        """The decision as a clause: the applicant is admitted."""
        subject = self.subject or ("the instance" if self.labels else "the decision")
        phrase = self.labels.get(label)
        if isinstance(phrase, str):  # a fact only
            phrase = None if supposed else (phrase, "")
        predicate = (phrase or (f"is {label}", f"would be {label}"))[supposed]
        if still:
            predicate = predicate.replace("would ", "would still ", 1)
        return f"{subject} {predicate}"

    def packed(self, labels: tuple[Any, ...]) -> dict[str, Any]:
        """The wording as a file keeps it: labels by their positions."""
        phrases = [[label_index(labels, label), phrase] for label, phrase in self.labels.items()]
        return {"subject": self.subject, "pronoun": self.pronoun, "labels": phrases}

    @classmethod
    def unpacked(cls, packed: Mapping[str, Any], labels: tuple[Any, ...]) -> Self:
        """The wording that `packed` wrote."""
        phrases = {
            labels[index]: phrase if isinstance(phrase, str) else (phrase[0], phrase[1])
            for index, phrase in packed.get("labels", [])
        }
        return cls(packed.get("subject", ""), packed.get("pronoun", ""), phrases)

    def facts(self, features: Iterable[Feature], term: Term) -> str:
        """A term's characteristics joined: she passed the exam and has a high GPA."""
        return self._joined(features, term.cells(), supposed=False)

    def supposition(self, features: Iterable[Feature], cells: Mapping[str, Collection[int]]) -> str:
        """Changed characteristics joined: she did not have a high GPA."""
        return self._joined(features, cells, supposed=True)

    def _joined(
        self, features: Iterable[Feature], cells: Mapping[str, Collection[int]], *, supposed: bool
    ) -> str:
        phrased: list[str] = []
        plain: list[str] = []
        for feature in features:
            if feature.name not in cells:
                continue
            own = cells[feature.name]
            phrase = _phrase(feature, own)
            if phrase is None:
                plain.append(_subjunctive(feature, own) if supposed else feature.says(own))
            else:
                phrased.append(phrase if isinstance(phrase, str) else phrase[supposed])
        clause = f"{self.pronoun or self.subject} {listed(phrased)}".lstrip()
        return listed([*([clause] if phrased else []), *plain]) or "every instance is decided alike"


def _phrase(feature: Feature, cells: Collection[int]) -> Phrase | None:
    """The user's phrase for a characteristic; only single values have one."""
    return feature.phrases.get(feature.values[next(iter(cells))]) if len(cells) == 1 else None


def _subjunctive(feature: Feature, cells: Collection[int]) -> str:
    """A supposed characteristic: `E were false`, `age were above 25`, `job were clerk or nurse`."""
    if feature.is_every_number(cells):
        return f"{quoted_name(feature.name)} were not missing"
    parts = feature.parts(cells)
    is_boolean = feature.kind == "boolean"
    values = [str(part).lower() if is_boolean else _value_text(part) for part in parts]
    return f"{quoted_name(feature.name)} were {listed(values, 'or')}"


def _value_text(value: Any) -> str:
    """A value after "were"; an interval says which of its bounds belong to it."""
    if isinstance(value, Span):
        low, high = value.low, value.high
        above = [f"{'above' if low.below else 'at least'} {low.text}"] if low else []
        below = [f"{'at most' if high.below else 'below'} {high.text}"] if high else []
        return " and ".join([*above, *below]) or "any number"
    if isinstance(value, Special):
        return "missing" if value is MISSING else str(value)
    return quoted(str(value))


def listed(parts: list[str], conjunction: str = "and") -> str:
    """One, one and two, one, two and three."""
    return f" {conjunction} ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)

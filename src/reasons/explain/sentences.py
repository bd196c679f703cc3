"""Sentences about a decision, in the user's words, each of them true.

With phrases: "The applicant would still be admitted even if she did not have a high
GPA, because she passed the entrance exam and comes from a rich hometown." Without:
"The decision would still be True even if ~G, because E and R."
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from reasons.budget import Budget
from reasons.errors import BudgetExceeded
from reasons.explain.even_if import even_ifs, flipping
from reasons.features.feature import Feature, Phrase
from reasons.features.terms import Term
from reasons.features.tokens import quoted
from reasons.features.values import Special

if TYPE_CHECKING:
    from reasons.decision import Decision


_MOST_WIDENING = 2.0  # seconds; a model that is answered by search may take long


@dataclass(frozen=True)
class Wording:
    """How sentences speak of the instance and of the labels.

    `labels` says a label in words, as a fact and as a supposition:
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
        words = _said(self.labels.get(label), supposed)
        if words is None:
            words = f"{'would be' if supposed else 'is'} {label}"
        if still:
            words = words.replace("would ", "would still ", 1)
        return f"{subject} {words}"

    def facts(self, features: Iterable[Feature], term: Term) -> str:
        """A term's characteristics joined: she passed the exam and has a high GPA."""
        return self._joined(features, term.cells(), supposed=False)

    def supposition(self, features: Iterable[Feature], cells: Mapping[str, Collection[int]]) -> str:
        """Changed characteristics joined: she did not have a high GPA."""
        return self._joined(features, cells, supposed=True)

    def _joined(
        self, features: Iterable[Feature], cells: Mapping[str, Collection[int]], *, supposed: bool
    ) -> str:
        spoken: list[str] = []
        plain: list[str] = []
        for feature in features:
            if feature.name not in cells:
                continue
            words = _phrase(feature, cells[feature.name], supposed)
            (plain if words is None else spoken).append(words or feature.says(cells[feature.name]))
        who = self.pronoun or self.subject
        clause = f"{who} {_listed(spoken)}" if who else _listed(spoken)
        return _listed([*([clause] if spoken else []), *plain]) or "nothing has to be so"


def _said(words: Phrase | None, supposed: bool) -> str | None:
    if words is None or isinstance(words, str):
        return words if words is None or not supposed else f"would be such that it {words}"
    return words[1] if supposed else words[0]


def _phrase(feature: Feature, cells: Collection[int], supposed: bool) -> str | None:
    if len(cells) != 1:
        return None
    words = feature.phrases.get(feature.values[next(iter(cells))])
    if words is None or isinstance(words, str):
        return words
    return words[1] if supposed else words[0]


def _listed(parts: list[str]) -> str:
    """One, one and two, one, two and three."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def sentences(
    d: "Decision", protected: Iterable[str] | str, budget: Budget | None = None
) -> Iterator[str]:
    """True sentences about a decision, the most telling first; fewer where time runs out."""
    for text in _clauses(d, protected, budget or Budget()):
        yield _sentence(text)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _clauses(d: "Decision", protected: Iterable[str] | str, budget: Budget) -> Iterator[str]:
    yield _why(d, budget)
    with suppress(BudgetExceeded):
        yield from _necessities(d, budget)
        if protected:
            yield _bias_sentence(d, protected)
        yield from _even_ifs(d, budget)


def even_if_sentence(d: "Decision", changed: "Decision", budget: Budget | None = None) -> str:
    """What becomes of a decision after a change, and because of what.

    Cost: O(circuit * features) at worst; by search, budgeted.
    """
    wording, features = d.classifier.wording, d.classifier.features
    supposed = wording.supposition(features, _moved(d, changed.instance.cells))
    if changed.label != d.label:
        return _sentence(f"{wording.decided(changed.label, supposed=True)} if {supposed}")
    decided = wording.decided(d.label, supposed=True, still=True)
    if (reason := changed.necessary_reason) is not None:
        because = (
            f", because {wording.facts(features, reason)}"
            if reason
            else ", whatever the values are"
        )
        return _sentence(f"{decided} even if {supposed}{because}")
    reason = changed.sufficient_reason(prefer=_unmoved(d, changed.instance.cells), budget=budget)
    facts = wording.facts(features, reason)
    return _sentence(f"{decided} even if {supposed}; one reason is then that {facts}")


def _moved(d: "Decision", cells: Sequence[int]) -> dict[str, Collection[int]]:
    """The new cells of the features that another instance has other cells of."""
    triples = zip(d.classifier.features, cells, d.instance.cells, strict=True)
    return {feature.name: (new,) for feature, new, old in triples if new != old}


def _unmoved(d: "Decision", cells: Sequence[int]) -> list[str]:
    moved = _moved(d, cells)
    return [feature.name for feature in d.classifier.features if feature.name not in moved]


def _why(d: "Decision", budget: Budget) -> str:
    wording, features = d.classifier.wording, d.classifier.features
    decided = wording.decided(d.label)
    only = d.necessary_reason
    if only is not None and not only:
        return f"{decided} whatever the values are"
    facts = wording.facts(features, _widest(d, only, budget))
    return f"{decided} because {facts}" if only else f"one reason why {decided} is that {facts}"


def _widest(d: "Decision", only: Term | None, budget: Budget) -> Term:
    """A sufficient reason, its values widened where there is time and no phrase says them."""
    left = budget.seconds_left
    seconds = _MOST_WIDENING if left is None else max(min(left / 2, _MOST_WIDENING), 1e-3)
    try:
        reason = d.widest_reason(replace(budget.renewed(), seconds=seconds))
    except BudgetExceeded:
        return d.sufficient_reason(budget=budget) if only is None else only
    schema, own = d.classifier.schema, d.instance.cells
    return Term(schema, {f: _plainly(schema[f], own[f], c) for f, c in reason.limits.items()})


def _plainly(feature: Feature, own: int, cells: Collection[int]) -> Collection[int]:
    """What of a widened value is said: of a value with a phrase that one, else the ordinary ones.

    To leave out missing and other values makes the reason narrower, so it still suffices.
    """
    if feature.phrases.get(feature.values[own]):
        return (own,)
    return [c for c in cells if c == own or not isinstance(feature.values[c], Special)]


def _necessities(d: "Decision", budget: Budget) -> Iterator[str]:
    wording, features = d.classifier.wording, d.classifier.features
    for name in d.necessary_property:
        if budget.seconds_left == 0:
            return
        change = d.counterfactual(immutable=[f.name for f in features if f.name != name])
        if change is None:
            continue
        index = d.classifier.schema.index(name)
        supposed = _supposed(d, index, change.instance.cells[index])
        yield f"{wording.decided(change.label, supposed=True)} if {supposed}, all else equal"


def _supposed(d: "Decision", index: int, cell: int) -> str:
    """All values of a feature that do what one cell does; only that one where a phrase says it."""
    wording, features = d.classifier.wording, d.classifier.features
    feature = features[index]
    spoken = feature.phrases.get(feature.values[cell])
    cells = (cell,) if spoken else flipping(d, index, cell)
    return wording.supposition(features, {feature.name: cells})


def _bias_sentence(d: "Decision", protected: Iterable[str] | str) -> str:
    wording, features = d.classifier.wording, d.classifier.features
    found = d.bias(protected)
    names = ", ".join(found.protected)
    if not found:
        it = "it" if len(found.protected) == 1 else "them"
        return f"The decision is not biased on {names}: no values of {it} would change the decision"
    changed = _moved(d, found.witness.cells)
    other = d.classifier.decide(found.witness)
    decided = wording.decided(other.label, supposed=True)
    supposed = wording.supposition(features, changed)
    if len(changed) == 1:
        index = d.classifier.schema.index(next(iter(changed)))
        supposed = _supposed(d, index, found.witness.cells[index])
    return f"The decision is biased on {names}: {decided} if {supposed}, all else equal"


def _even_ifs(d: "Decision", budget: Budget) -> Iterator[str]:
    """One for each reason that alone remains after some changes of one feature."""
    wording, features = d.classifier.wording, d.classifier.features
    decided = wording.decided(d.label, supposed=True, still=True)
    for found in even_ifs(d, budget):
        name = features[found.index].name
        supposed = wording.supposition(features, {name: found.cells})
        when = f"whatever {quoted(name)} is" if found.whatever else f"even if {supposed}"
        facts = wording.facts(features, _widest(found.changed, found.reason, budget))
        yield f"{decided} {when}, because {facts}"

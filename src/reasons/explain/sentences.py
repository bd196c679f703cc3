"""Sentences about a decision, each of them true.

"Because" has the paper's meaning: what follows is the only sufficient reason, unless the sentence
says that it is not. With phrases: "Susan would still be admitted even if she did not have a high
GPA, because she passed the entrance exam and comes from a rich hometown." Without: "The decision
would still be True even if G were false, because E and R."
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from reasons.budget import Budget
from reasons.errors import BudgetExceeded
from reasons.explain.even_if import even_ifs, flipping
from reasons.explain.wording import listed
from reasons.features.feature import Feature
from reasons.features.grammar.tokens import quoted
from reasons.features.terms import Term
from reasons.features.values import Special

if TYPE_CHECKING:
    from reasons.decision import Decision


_MOST_WIDENING = 2.0  # seconds; a model that is answered by search may take long
_ONE_OF_SEVERAL = " (not the only reason)"
_CONSTANT = " whatever the values are"


def sentences(
    d: "Decision", protected: Iterable[str] | str, budget: Budget | None = None
) -> Iterator[str]:
    """True sentences about a decision, the main reason first; fewer if the time runs out."""
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
    """Whether a decision stays the same after a change, and why.

    Cost: O(circuit * features) at worst; by search, budgeted.
    """
    wording, features = d.classifier.wording, d.classifier.features
    moved = _moved(d, changed.instance.cells)
    if not moved:
        return _sentence(_why(d, budget or Budget()))
    supposed = wording.supposition(features, moved)
    if changed.label != d.label:
        return _sentence(f"{wording.decided(changed.label, supposed=True)} if {supposed}")
    still = f"{wording.decided(d.label, supposed=True, still=True)} even if {supposed}"
    only = changed.necessary_reason
    if only is not None:
        because = f", because {wording.facts(features, only)}" if only else f",{_CONSTANT}"
        return _sentence(f"{still}{because}")
    unmoved = [feature.name for feature in features if feature.name not in moved]
    reason = changed.sufficient_reason(prefer=unmoved, budget=budget)
    return _sentence(f"{still}, because {wording.facts(features, reason)}{_ONE_OF_SEVERAL}")


def _moved(d: "Decision", cells: Sequence[int]) -> dict[str, Collection[int]]:
    """The features whose cells differ in another instance, with the new cells."""
    triples = zip(d.classifier.features, cells, d.instance.cells, strict=True)
    return {feature.name: (new,) for feature, new, old in triples if new != old}


def _why(d: "Decision", budget: Budget) -> str:
    decided, only = d.classifier.wording.decided(d.label), d.necessary_reason
    if only is not None and not only:
        return f"{decided}{_CONSTANT}"
    facts = d.classifier.wording.facts(d.classifier.features, _widest(d, only, budget))
    return f"{decided} because {facts}{'' if only else _ONE_OF_SEVERAL}"


def _widest(d: "Decision", only: Term | None, budget: Budget) -> Term:
    """A sufficient reason; its values are widened if there is time and they have no phrase."""
    left = budget.seconds_left
    seconds = _MOST_WIDENING if left is None else max(min(left / 2, _MOST_WIDENING), 1e-3)
    try:
        reason = d.widest_reason(replace(budget.renewed(), seconds=seconds))
    except BudgetExceeded:
        return d.sufficient_reason(budget=budget) if only is None else only
    schema, own = d.classifier.schema, d.instance.cells
    return Term(schema, {f: _stated_cells(schema[f], own[f], c) for f, c in reason.limits.items()})


def _stated_cells(feature: Feature, own: int, cells: Collection[int]) -> Collection[int]:
    """The instance's own cell if it has a phrase, else the ordinary cells of a widened value.

    A reason without its missing and other values is narrower, so it still suffices.
    """
    if feature.phrases.get(feature.values[own]):
        return (own,)
    return [c for c in cells if c == own or not isinstance(feature.values[c], Special)]


def _necessities(d: "Decision", budget: Budget) -> Iterator[str]:
    wording, features = d.classifier.wording, d.classifier.features
    for name in d.necessary_property:
        if budget.seconds_left == 0:
            return
        fixed = [f.name for f in features if f.name != name]
        change = d.counterfactual(immutable=fixed, budget=budget)
        if change is None:
            continue
        index = d.classifier.schema.index(name)
        supposed = _supposed(d, index, change.instance.cells[index])
        yield f"{wording.decided(change.label, supposed=True)} if {supposed}, all else equal"


def _supposed(d: "Decision", index: int, cell: int) -> str:
    """A change to one cell if it has a phrase, else to all cells with the same effect."""
    feature = d.classifier.features[index]
    cells = (cell,) if feature.phrases.get(feature.values[cell]) else flipping(d, index, cell)
    return d.classifier.wording.supposition([feature], {feature.name: cells})


def _bias_sentence(d: "Decision", protected: Iterable[str] | str) -> str:
    wording, features = d.classifier.wording, d.classifier.features
    bias = d.bias(protected)
    names = listed([quoted(name) for name in bias.protected])
    if not bias:
        other = f"value of {names}" if len(bias.protected) == 1 else "values of these"
        return f"The decision is not biased on {names}: no other {other} would change it"
    moved = _moved(d, bias.witness.cells)
    decided = wording.decided(d.classifier.decide(bias.witness).label, supposed=True)
    supposed = wording.supposition(features, moved)
    if len(moved) == 1:
        index = d.classifier.schema.index(next(iter(moved)))
        supposed = _supposed(d, index, bias.witness.cells[index])
    return f"The decision is biased on {names}: {decided} if {supposed}, all else equal"


def _even_ifs(d: "Decision", budget: Budget) -> Iterator[str]:
    """A sentence for each reason that is the only one after some changes of one feature."""
    wording, features = d.classifier.wording, d.classifier.features
    decided = wording.decided(d.label, supposed=True, still=True)
    for each in even_ifs(d, budget):
        name = features[each.index].name
        supposed = wording.supposition(features, {name: each.cells})
        when = f"whatever {quoted(name)} is" if each.whatever else f"even if {supposed}"
        facts = wording.facts(features, _widest(each.changed, each.reason, budget))
        yield f"{decided} {when}, because {facts}"

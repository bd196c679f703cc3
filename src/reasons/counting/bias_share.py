"""The share of a classifier's domain that is decided with bias: counted, or estimated.

Counting forgets the protected features and keeps of the labels that can be met: none, one, or
that they are several (core/circuit/transform.hpp). An allowed instance is biased where they are
several; the others have the one label, so the biased ones of each label are the rest.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.native_budget import native_budget
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.circuits.to_obdd import in_order
from reasons.counting.count import count, weigh
from reasons.counting.weights import Weights
from reasons.errors import BudgetExceeded, InputError, Option, PropertyError
from reasons.features.terms import Term
from reasons.render import html

_NODES = 10_000_000  # tried before an estimate, if no budget is given
_REORDERED_NODES = 1_000_000
_SEVERAL = object()  # stands for "labels that differ"


@dataclass(frozen=True, slots=True)
class BiasShare:
    """How many instances have a biased decision, of how many, and how that is known.

    Where it is `exact`, of all allowed instances, and `low` and `high` are the share. Otherwise
    of instances drawn from them, each as likely as any other: `low` to `high` is a 99 % interval
    for the share of all, and `proof` says how many were drawn and why. `weighted` is the share
    of the weight, if weights were given, with its own ends.
    """

    count: int
    total: int
    share: Fraction
    by_label: Mapping[Any, int]
    exact: bool
    low: float
    high: float
    proof: str
    weighted: Fraction | None = None
    weighted_low: float | None = None
    weighted_high: float | None = None

    def __str__(self) -> str:
        if self.exact:
            return f"{self.count:,} of {self.total:,} allowed instances ({float(self.share):.2%})"
        return f"between {self.low:.2%} and {self.high:.2%} of the allowed instances ({self.proof})"

    def _repr_html_(self) -> str:
        said = [("biased", str(self)), ("proof", self.proof)]
        if self.weighted is not None:
            said.append(("share of the weight", f"{float(self.weighted):.2%}"))
        labels = {str(label): count for label, count in self.by_label.items()}
        shares = [(label, count / self.total) for label, count in labels.items() if self.total]
        return html.boxed(html.table(said), html.bars(shares))


@dataclass(frozen=True, slots=True)
class Question:
    """Which features are protected, among which instances, and what values weigh."""

    protected: tuple[int, ...]
    given: Term
    weights: Weights | None
    sample: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.weights is not None and self.weights.some_are_negative:
            raise InputError("a share of the weight needs weights that are not negative")
        for name, least in (("sample", 100), ("seed", 0)):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or number < least:
                raise InputError(
                    "{option} must be a whole number from {least} on",
                    option=Option(name, number),
                    least=least,
                )


def bias_share(
    backend: Backend, question: Question, exact: bool, budget: Budget | None
) -> BiasShare:
    """Counted where that fits the budget; otherwise estimated, unless it must be exact."""
    backend.require(Capability.BIAS_COUNT if exact else Capability.BIAS_ESTIMATE)
    if not backend.supports(Capability.BIAS_COUNT):
        why = f"it is answered by {backend.method}"
        return _estimated(backend, question, budget or backend.limit, why)
    circuit = backend.circuit_within(budget)
    if exact:
        return counted(circuit, question, budget or Budget())
    try:
        return counted(circuit, question, _tried(circuit, budget))
    except BudgetExceeded as error:
        return _estimated(circuit, question, budget or Budget(), f"counting did not fit: {error}")


def _tried(circuit: Circuit, budget: Budget | None) -> Budget:
    """What counting may spend before an estimate: nodes, and half of the time if it is limited."""
    limit = (budget or Budget(nodes=_NODES)).renewed()
    if not circuit.is_ordered:
        limit = replace(limit, nodes=min(limit.nodes or _REORDERED_NODES, _REORDERED_NODES))
    left = None if budget is None else budget.seconds_left
    return limit if left is None else replace(limit, seconds=max(left / 2, 1e-3))


def _estimated(backend: Backend, question: Question, budget: Budget, why: str) -> BiasShare:
    from reasons.counting.bias_estimate import estimated

    return estimated(backend, question, budget, why)


def counted(circuit: Circuit, question: Question, budget: Budget) -> BiasShare:
    """The exact amount, or `BudgetExceeded`."""
    ordered = in_order(circuit, question.protected, budget)
    alike = _alike(ordered, question.protected, budget)
    plain = _Sums(ordered, alike, lambda c, label: count(c, label, question.given, budget))
    share = plain.share(question.given)
    by_label = {label: int(number) for label, number in plain.by_label.items()}
    found = BiasShare(
        *(int(plain.biased), int(plain.total), share, by_label),
        *(True, float(share), float(share), "exact"),
    )
    if question.weights is None:
        return found
    weights = question.weights.within(question.given)
    weighed = _Sums(ordered, alike, lambda c, label: weigh(c, label, weights, budget))
    part = weighed.share(question.given)
    return replace(found, weighted=part, weighted_low=float(part), weighted_high=float(part))


def _alike(circuit: Circuit, protected: Sequence[int], budget: Budget) -> Circuit:
    """The label of the allowed instances that are not biased, and `_SEVERAL` of the others."""
    merged = _core.merge(circuit.native, list(protected), native_budget(budget))
    if circuit.has_impossible:
        merged = _where_allowed(merged, circuit.native, native_budget(budget))
    return Circuit(merged, circuit.schema, (*circuit.labels, _SEVERAL))


def _where_allowed(
    merged: _core.Circuit, circuit: _core.Circuit, budget: _core.Budget
) -> _core.Circuit:
    """Merged labels of instances that the circuit allows; forgetting had lost which they are."""
    rest = sorted(set(range(len(circuit.domains))) - set(circuit.order))
    composer = _core.Composer(circuit.domains, merged.labels, [*circuit.order, *rest], budget)
    allowed = composer.relabelled(composer.copy(circuit), [1] * circuit.labels, 0)
    chosen = composer.choose(allowed, composer.copy(merged), composer.leaf(_core.IMPOSSIBLE))
    return composer.build(chosen)


class _Sums:
    """What the biased instances weigh, by label and together, beside what all weigh."""

    def __init__(
        self, circuit: Circuit, alike: Circuit, weight: Callable[[Circuit, int], Fraction | int]
    ) -> None:
        found = [Fraction(weight(circuit, i)) for i in range(len(circuit.labels))]
        fair = [Fraction(weight(alike, i)) for i in range(len(alike.labels))]
        self.by_label = {
            label: every - unbiased
            for label, every, unbiased in zip(circuit.labels, found, fair, strict=False)
        }
        self.total, self.biased = sum(found, Fraction(0)), fair[-1]
        if sum(self.by_label.values()) != self.biased:
            raise PropertyError(
                "{biased} instances are biased, and {by_label} by label; the circuit breaks an "
                "invariant (Circuit.check() says which)",
                biased=self.biased,
                by_label=str(self.by_label),
            )

    def share(self, given: Term) -> Fraction:
        """Of the whole that is biased; there must be something."""
        if not self.total:
            raise InputError("no instance is allowed, or weighs anything, given {term}", term=given)
        return self.biased / self.total

"""Bias: sensitivity of a decision, or of the classifier, to protected features, with a witness.

In the literature on individual fairness this is also called (causal) discrimination.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.protocol import Backend, Pair
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.counting.identity_test import differing_pair, proof_of_equality
from reasons.counting.sat_encoding import differing_pair_by_sat
from reasons.errors import PropertyError
from reasons.explain.witness import Cells, plain_change, plain_pair
from reasons.features.terms import Instance
from reasons.render import html

_SIDES = ("one", "the other")


@dataclass(frozen=True, slots=True)
class Bias:
    """Whether there is bias, and the evidence. Truthy if there is.

    The witness against a decision is an instance with another label that differs on protected
    features only; against a classifier, a pair of such instances. `pair` is the decided instance
    and the witness, or that pair, and `labels` are their labels. `proof` is "exact", or bounds
    the probability that a bias was missed.
    """

    biased: bool
    protected: tuple[str, ...]
    witness: Any = None
    proof: str = "exact"
    pair: tuple[Instance, Instance] | None = field(default=None, repr=False)
    labels: tuple[Any, ...] = field(default=(), repr=False)

    def __bool__(self) -> bool:
        return self.biased

    def _repr_html_(self) -> str:
        rows = [
            ("biased", "yes" if self.biased else "no"),
            ("protected", ", ".join(self.protected)),
            ("proof", self.proof),
        ]
        return html.boxed(html.table(rows), self._witness_html())

    def _witness_html(self) -> str:
        """Both instances side by side under their labels; differences come first and are marked."""
        if self.pair is None:
            return ""
        one, other = (instance.texts() for instance in self.pair)
        rows = [(name, a, b) for (name, a), (_, b) in zip(one, other, strict=True)]
        rows.sort(key=lambda row: row[1] == row[2])
        sides = ("the instance", "the witness") if self.witness is self.pair[1] else _SIDES
        heads = (f"{side}: {label}" for side, label in zip(sides, self.labels, strict=True))
        return html.grid(("feature", *heads), rows, compared=True)


def decision_bias(
    backend: Backend, instance: Instance, label: int, protected: Sequence[int]
) -> Bias:
    """Whether changing protected features alone can change the decision.

    Cost: O(circuit), and as much for up to 64 features where the first witness changes several.
    """
    names = tuple(backend.schema[f].name for f in protected)
    cells = backend.differing_instance(instance.cells, label, protected)
    if cells is None:
        return Bias(False, names)

    def alone() -> Iterator[Cells | None]:
        """Changes of one protected feature; none if each would be a search."""
        for feature in protected if backend.one_pass else ():
            changed = backend.differing_instance(instance.cells, label, [feature])
            yield tuple(changed) if changed else None

    pair = instance.cells, tuple(cells)
    _require_labels(backend, pair)
    plain = plain_change(backend.schema, _decider(backend), pair, alone)
    witness = instance.changed(plain)
    labels = _require_labels(backend, (instance.cells, plain))
    return Bias(True, names, witness, "exact", (instance, witness), labels)


def classifier_bias(
    backend: Backend, protected: Sequence[int], budget: Budget | None, exact: bool
) -> Bias:
    """Whether some decision is biased.

    Cost: O(depth) on ordered circuits; on others O(circuit) a protected feature by
    random evaluation, which never errs when it says "biased", or a SAT call if `exact`.
    """
    backend.require(Capability.CLASSIFIER_BIAS)
    names = tuple(backend.schema[f].name for f in protected)
    if backend.supports(Capability.CIRCUIT):
        pair, proof = _differing_pair(backend.circuit_within(budget), protected, budget, exact)
    else:
        pair, proof = backend.differing_pair(protected, budget), "exact"
    if pair is None:
        return Bias(False, names, proof=proof)
    _require_labels(backend, pair)
    plain = plain_pair(backend.schema, _decider(backend), (tuple(pair[0]), tuple(pair[1])))
    labels = _require_labels(backend, plain)
    one = Instance.of_cells(backend.schema, plain[0])
    both = (one, one.changed(plain[1]))
    return Bias(True, names, both, "exact", both, labels)


def _differing_pair(
    circuit: Circuit, protected: Sequence[int], budget: Budget | None, exact: bool
) -> tuple[Pair | None, str]:
    """A witness pair, and the kind of proof that there is none."""
    if circuit.is_ordered:
        return circuit.differing_pair(protected, budget), "exact"
    if exact or circuit.has_impossible:
        return differing_pair_by_sat(circuit, protected, budget), "exact"
    return differing_pair(circuit, protected, budget or Budget()), proof_of_equality("bias")


def _decider(backend: Backend) -> Callable[[Cells], int]:
    """A cached decision function."""
    return cache(lambda cells: backend.decide(list(cells)))


def _require_labels(backend: Backend, pair: Pair) -> tuple[Any, ...]:
    """The labels of a witness, decided again: every verdict is checked so."""
    labels = [backend.decide(list(cells)) for cells in pair]
    if labels[0] == labels[1] or _core.IMPOSSIBLE in labels:
        raise PropertyError(
            "a witness failed its check; the circuit breaks an invariant "
            "(Circuit.check() says which): {pair}",
            pair=str(pair),
        )
    return tuple(backend.labels[label] for label in labels)

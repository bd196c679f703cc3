"""Does a decision, or the classifier, hang on protected features? With a witness."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.counting.sat_encoding import differing_pair_by_sat
from reasons.errors import PropertyError
from reasons.explain.witness import Cells, plain_change, plain_pair
from reasons.features.terms import Instance
from reasons.render import html
from reasons.search.backend import Trees
from reasons.search.union import Form

PRIME = (1 << 61) - 1
_SIDES = ("one", "the other")
_BITS_OF_DOUBT = 100  # "not biased" is wrong with probability below 2^-100


@dataclass(frozen=True, slots=True)
class Bias:
    """Whether there is bias, and the evidence. Truthy if there is.

    Of a decision the witness is an instance that differs on protected features only and
    is decided otherwise; of a classifier, a pair of such instances. `pair` is the decided
    instance and the witness, or that pair, and `labels` what they get. `proof` is "exact",
    or says how unlikely it is that a bias was missed.
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
        said = [
            ("biased", "yes" if self.biased else "no"),
            ("protected", ", ".join(self.protected)),
            ("proof", self.proof),
        ]
        return html.boxed(html.table(said), self._witness_html())

    def _witness_html(self) -> str:
        """Both instances side by side, under what they get: what differs first, and marked."""
        if self.pair is None:
            return ""
        one, other = (instance.texts() for instance in self.pair)
        rows = [(name, a, b) for (name, a), (_, b) in zip(one, other, strict=True)]
        rows.sort(key=lambda row: row[1] == row[2])
        sides = ("the instance", "the witness") if self.witness is self.pair[1] else _SIDES
        heads = (f"{side}: {label}" for side, label in zip(sides, self.labels, strict=True))
        return html.grid(("feature", *heads), rows, compared=True)


def decision_bias(form: Form, instance: Instance, label: int, protected: Sequence[int]) -> Bias:
    """Whether changing protected features alone can change the decision.

    Cost: O(circuit), and as much for up to 64 features where the first witness changes several.
    """
    names = tuple(form.schema[f].name for f in protected)
    cells = form.biased(instance.cells, label, protected)
    if cells is None:
        return Bias(False, names)

    def alone() -> Iterator[Cells | None]:
        """Changes of one protected feature; not of what is searched, where each is a search."""
        for feature in () if isinstance(form, Trees) else protected:
            found = _core.biased(form.native, instance.cells, label, [feature])
            yield tuple(found) if found else None

    pair = instance.cells, tuple(cells)
    _require_labels(form, pair)
    plain = plain_change(form.schema, _decider(form), pair, alone)
    witness = instance.changed(plain)
    labels = _require_labels(form, (instance.cells, plain))
    return Bias(True, names, witness, "exact", (instance, witness), labels)


def classifier_bias(
    circuit: Circuit | Trees, protected: Sequence[int], budget: Budget | None, exact: bool
) -> Bias:
    """Whether some decision is biased.

    Cost: O(depth) on ordered circuits; on others O(circuit) a protected feature by
    random evaluation, which never errs when it says "biased", or a SAT call if `exact`.
    """
    names = tuple(circuit.schema[f].name for f in protected)
    proof = "exact"
    pair: tuple[Sequence[int], Sequence[int]] | None
    if isinstance(circuit, Trees):
        pair = _core.differing_pair(
            circuit.native, list(protected), native_budget(budget or circuit.limit)
        )
    elif circuit.is_ordered:
        pair = _core.differing_pair(circuit.native, list(protected), native_budget(budget))
    elif exact or circuit.native.has_impossible:
        pair = differing_pair_by_sat(circuit, protected, budget)
    else:
        pair = _pair_by_evaluation(circuit, protected, budget or Budget())
        doubt = f"a bias was missed with probability below 2^-{_BITS_OF_DOUBT}"
        proof = "exact" if pair else f"random evaluation; {doubt}"
    if pair is None:
        return Bias(False, names, proof=proof)
    _require_labels(circuit, pair)
    found = plain_pair(circuit.schema, _decider(circuit), (tuple(pair[0]), tuple(pair[1])))
    labels = _require_labels(circuit, found)
    one = Instance.of_cells(circuit.schema, found[0])
    both = (one, one.changed(found[1]))
    return Bias(True, names, both, "exact", both, labels)


def _decider(form: Form) -> Callable[[Cells], int]:
    """Decides cells, each instance once."""
    return cache(lambda cells: _core.decide(form.native, list(cells)))


def _require_labels(form: Form, pair: tuple[Sequence[int], Sequence[int]]) -> tuple[Any, ...]:
    """The labels of a witness, replayed: no verdict leaves without that."""
    labels = [_core.decide(form.native, list(cells)) for cells in pair]
    if labels[0] == labels[1] or _core.IMPOSSIBLE in labels:
        raise PropertyError(
            f"a witness did not stand the replay; the circuit breaks an invariant "
            f"(Circuit.check() says which): {pair}"
        )
    return tuple(form.labels[label] for label in labels)


def _pair_by_evaluation(
    circuit: Circuit, protected: Sequence[int], budget: Budget
) -> tuple[list[int], list[int]] | None:
    # A round errs with probability below (features + 1) / 2^60.
    bits = 60 - (len(circuit.schema) + 1).bit_length()
    for _ in range(-(-_BITS_OF_DOUBT // bits)):
        evaluation = _Evaluation(circuit, budget)
        for feature in protected:
            pair = evaluation.pair(feature)
            if pair is not None:
                return pair
    return None


class _Evaluation:
    """A circuit's value at a random point of a prime field.

    The weights of a feature's values sum to 1, so a function that does not depend on
    a feature has the same value whatever that feature's weights are; one that does
    has another, but for an unlucky point.
    """

    def __init__(self, circuit: Circuit, budget: Budget) -> None:
        self.circuit, self.budget = circuit, budget
        rng = random.SystemRandom()
        self.weights = [_weights(rng, len(f.values)) for f in circuit.schema]
        plain = circuit.native.has_conjunctions
        self.leaves = [i if plain else rng.randrange(PRIME) for i in range(len(circuit.labels))]

    def value(self) -> int:
        self.budget.check("evaluating the circuit")
        flat = [w for weights in self.weights for w in weights]
        return _core.weighted_sum(self.circuit.native, flat, self.leaves, 0, PRIME)

    def pair(self, feature: int) -> tuple[list[int], list[int]] | None:
        """Two instances that differ on the feature only and are decided differently."""
        values = list(self._values(feature))
        if len(set(values)) < 2:
            return None
        one, other = 0, next(i for i, value in enumerate(values) if value != values[0])
        cells = [0] * len(self.circuit.schema)
        kept = list(self.weights)
        for at in range(len(cells)):
            if at != feature:
                cells[at] = self._distinguishing(at, feature, one, other)
                self._fix(at, cells[at])
        self.weights = kept
        left, right = list(cells), list(cells)
        left[feature], right[feature] = one, other
        return left, right

    def _values(self, feature: int) -> Iterator[int]:
        kept = self.weights[feature]
        for cell in range(len(kept)):
            self._fix(feature, cell)
            yield self.value()
        self.weights[feature] = kept

    def _distinguishing(self, at: int, feature: int, one: int, other: int) -> int:
        """A value of another feature under which the two still differ."""
        for cell in range(len(self.weights[at])):
            self._fix(at, cell)
            self._fix(feature, one)
            first = self.value()
            self._fix(feature, other)
            if first != self.value():
                return cell
        raise PropertyError("random evaluation contradicts itself; please report this circuit")

    def _fix(self, feature: int, cell: int) -> None:
        self.weights[feature] = [int(c == cell) for c in range(len(self.weights[feature]))]


def _weights(rng: random.Random, count: int) -> list[int]:
    weights = [rng.randrange(PRIME) for _ in range(count - 1)]
    return [*weights, (1 - sum(weights)) % PRIME]

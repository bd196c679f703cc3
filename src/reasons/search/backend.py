"""A sum of trees as a classifier that is not compiled: search answers what it can."""

import time
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any, NoReturn, Self

from reasons import _core
from reasons.backends.protocol import Limits
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.errors import PropertyError
from reasons.features.schema import Schema
from reasons.search.box_oracle import Oracle
from reasons.search.counterfactual import cheapest_change
from reasons.search.marco import Duality, contrastive
from reasons.text import plural


class Trees(Oracle):
    """Trees over cells whose values are added up; `why` says why they are not compiled.

    It answers the questions that a circuit answers, by the same names, within `seconds` each.
    """

    method = "search"

    def __init__(
        self,
        ensemble: _core.Ensemble,
        schema: Schema,
        labels: tuple[Any, ...],
        *,
        has_impossible: bool,
        why: str,
        seconds: float | None = None,
    ) -> None:
        super().__init__(ensemble, schema, labels, seconds)
        self.has_impossible, self.why = has_impossible, why
        self._whole, self._seconds = Budget(), self.native.seconds

    def __len__(self) -> int:
        """How many nodes the trees have together."""
        return len(self.native)

    def __repr__(self) -> str:
        return f"<Trees: {self.trees:,} over {plural(len(self.schema), 'feature')}>"

    @property
    def circuit(self) -> Circuit:
        """There is none: what needs one raises `PropertyError`."""
        self.refuse("this question")

    def refuse(self, what: str) -> NoReturn:
        """Say that search does not answer a question, and what to do."""
        raise PropertyError(
            f"{what} needs a compiled circuit, and this model is answered by search ({self.why}). "
            "Compile it with a larger budget, as in "
            "reasons.compile(model, budget=reasons.Budget(nodes=20_000_000, seconds=600)), "
            "or train a smaller model"
        )

    def within(self, whole: Budget, seconds: float) -> Self:
        """The same trees; questions that name no budget end with this one, and after `seconds`."""
        found = copy(self)
        found._whole, found._seconds = whole, min(seconds, self.native.seconds)
        return found

    def explaining(self, label: int) -> "Trees":
        """What explains decisions with a label: the trees."""
        return self

    @property
    def met(self) -> list[int]:
        """The features in their own order."""
        return list(range(len(self.schema)))

    @property
    def limit(self) -> Budget:
        """What a question may spend that names no budget."""
        self._whole.check("the search")
        left = self._whole.seconds_left
        seconds = self._seconds if left is None else max(min(self._seconds, left), 1e-3)
        return replace(self._whole, seconds=seconds, started=time.monotonic())

    def explanations(
        self, cells: Sequence[int], label: int, budget: Budget | None = None
    ) -> Duality:
        """The reasons and contrastive sets of a decision, one after another."""
        return Duality(self, cells, label, budget or self.limit)

    def complete_reason(
        self, cells: Sequence[int], label: int, budget: Budget | None = None
    ) -> _core.Reason:
        """The conjunction of all contrastive sets, which is the complete reason."""
        sets = self.explanations(cells, label, budget).contrastive()
        return _core.reason_of_sets([sorted(each) for each in sets], list(cells), self.domains)

    def general_reason(self, cells: Sequence[int], label: int) -> _core.Reason:
        """Not answered by search."""
        self.refuse("the general complete reason")

    def cheapest_change(
        self,
        cells: Sequence[int],
        label: int,
        allowed: Limits,
        costs: Sequence[float],
        wanted: int | None,
    ) -> tuple[list[int], float] | None:
        """The cheapest change within what is allowed, and its cost."""
        if wanted is not None and len(self.labels) > 2:
            self.refuse("a change to one label of several")
        return cheapest_change(self, cells, label, allowed, costs, self.limit)

    def counterexample(self, cells: Sequence[int], label: int, limits: Limits) -> list[int] | None:
        """An instance within the limits with another label, or None if that is proved."""
        return self.other(cells, label, dict(limits), self.limit)

    def biased(self, cells: Sequence[int], label: int, loose: Sequence[int]) -> list[int] | None:
        """An instance with another label that differs on loose features only, or None."""
        free = set(loose)
        fixed = [(f, [cell]) for f, cell in enumerate(cells) if f not in free]
        return self.counterexample(cells, label, fixed)

    def missed(
        self, cells: Sequence[int], label: int, kept: frozenset[int], budget: Budget
    ) -> frozenset[int] | None:
        """A contrastive set that avoids the kept features, or None if those suffice."""
        return contrastive(self, cells, label, kept, budget)

"""A sum of trees as a classifier that is not compiled: search answers what it can."""

from collections.abc import Sequence
from typing import Any, NoReturn

from reasons import _core
from reasons.asked import Limits
from reasons.budget import Budget
from reasons.circuit import Circuit
from reasons.errors import PropertyError
from reasons.features import Schema
from reasons.search.change import cheapest_change
from reasons.search.duality import Duality, contrastive
from reasons.search.oracle import Oracle


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

    def __len__(self) -> int:
        """How many nodes the trees have together."""
        return len(self.native)

    def __repr__(self) -> str:
        return f"<Trees: {self.trees:,} over {len(self.schema):,} features>"

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

    def within(self, seconds: float) -> "Trees":
        """The same trees with another limit on a question that names no budget."""
        return Trees(
            self.ensemble,
            self.schema,
            self.labels,
            has_impossible=self.has_impossible,
            why=self.why,
            seconds=seconds,
        )

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
        return Budget(seconds=self.native.seconds)

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

    def missed(
        self, cells: Sequence[int], label: int, kept: frozenset[int], budget: Budget
    ) -> frozenset[int] | None:
        """A contrastive set that avoids the kept features, or None if those suffice."""
        return contrastive(self, cells, label, kept, budget)

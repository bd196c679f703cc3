"""The ensemble backend: a sum of trees that is not compiled, explained by exact search.

One question is answered by branch and bound in the core, or by SAT where votes are whole numbers
(sat_votes.py): is there another label in a box? The rest follows from it, by dualization
(dualization.py), MARCO where SAT answers (marco.py), and hitting sets (counterfactual.py).
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.native_budget import native_budget, threads_of
from reasons.backends.protocol import Backend, Cells, Limits, Pair, Stored
from reasons.backends.registry import register
from reasons.budget import Budget
from reasons.errors import BudgetExceeded, PropertyError
from reasons.features.schema import Schema
from reasons.search.counterfactual import hitting_change, plausible_change, whole_costs
from reasons.search.dualization import Dual
from reasons.search.marco import Enumeration, contrastive_set
from reasons.search.sat_votes import SatVotes, faster_by_sat, sat_votes
from reasons.text import plural

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SECONDS = 60.0
_LIMITED = "within a time limit"
_BUDGETED = "within a budget"
_STAGE = "search"
_DECIDED_VISITS = 100_000  # of trees by rows; some 20 ms


@register
class EnsembleBackend(Backend):
    """Trees over cells whose values are added up; `why` says why they are not compiled.

    A question that names no budget takes `seconds` at most.
    """

    title = "ensemble, by search"
    claims: ClassVar[Mapping[Capability, str]] = {
        Capability.DECIDE: "",
        Capability.SUFFICIENT_REASON: _LIMITED,
        Capability.WIDENED_REASON: _LIMITED,
        Capability.NECESSARY: "",
        Capability.COMPLETE_REASON: _BUDGETED,
        Capability.REASON_SETS: _BUDGETED,
        Capability.COUNTERFACTUAL: _LIMITED,
        Capability.COUNTERFACTUAL_LABEL: _LIMITED,
        Capability.DECISION_BIAS: _LIMITED,
        Capability.CLASSIFIER_BIAS: _LIMITED,
        Capability.BIAS_ESTIMATE: "from a sample, with a 99 % interval",
        Capability.AUDIT: "",
        Capability.SAVING: "as trees; the library's close calls stay open",
        Capability.PICKLING: "as saved",
    }
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
        self.native = _core.BranchAndBound(ensemble)
        self.seconds = SECONDS if seconds is None else seconds
        self.ensemble, self.trees = ensemble, ensemble.trees
        self.schema, self.labels = schema, labels
        self._has_impossible, self.why = has_impossible, why
        self._whole, self._seconds = Budget(), self.seconds
        # The contrastive sets of the decision asked about last; `within` shares them.
        self._latest: dict[tuple[tuple[int, ...], int], list[frozenset[int]]] = {}

    def __len__(self) -> int:
        """How many nodes the trees have together."""
        return len(self.native)

    def __repr__(self) -> str:
        return f"<EnsembleBackend: {self.describe_size()}, {plural(len(self.schema), 'feature')}>"

    def describe_size(self) -> str:
        """The number of trees."""
        return f"{plural(self.trees, 'tree')}, searched"

    @property
    def limitation(self) -> str:
        """That it is searched, and why."""
        return f"this model is answered by search ({self.why})"

    @property
    def has_impossible(self) -> bool:
        """Whether some instances are declared impossible."""
        return self._has_impossible

    @property
    def domains(self) -> list[int]:
        """How many cells each feature has."""
        return [len(feature.values) for feature in self.schema]

    @cached_property
    def _votes(self) -> SatVotes | None:
        """The way by SAT, where it is faster: hard votes over features of few cells."""
        return sat_votes(self.native, self.ensemble) if faster_by_sat(self.domains) else None

    def content(self) -> bytes:
        """The trees as bytes."""
        return self.native.content()

    def stored(self) -> Stored:
        """Its trees as compact arrays. What settles close calls, the library, is not stored."""
        from reasons.ensembles.stored import packed

        fields, arrays = packed(self.content())
        fields |= {
            "is_settled": getattr(self.ensemble, "settle", None) is not None,
            "has_impossible": self._has_impossible,
            "why": self.why,
            "seconds": self.seconds,
        }
        return Stored("ensemble", fields, arrays)

    @classmethod
    def restored(
        cls, stored: Stored, schema: Schema, labels: tuple[Any, ...], budget: Budget | None
    ) -> "EnsembleBackend":
        """The trees of a file; a close call that the library settled raises `PropertyError`."""
        from reasons.ensembles.stored import ensemble_of

        fields = stored.fields
        is_settled, guarded = fields["is_settled"], fields["has_impossible"]
        why, seconds = fields["why"], fields["seconds"]
        if not (type(is_settled) is type(guarded) is bool and isinstance(why, str)):
            raise PropertyError("fields of the wrong type")
        if type(seconds) not in (int, float) or not 0 < seconds < 1e9:
            raise PropertyError("a time limit that is not a positive number")
        domains = [len(feature.values) for feature in schema]
        settle = _absent_library if is_settled else None
        ensemble = ensemble_of(fields, stored.arrays, domains, len(labels), settle)
        return cls(
            ensemble, schema, labels, has_impossible=guarded, why=why, seconds=float(seconds)
        )

    def within(self, budget: Budget, seconds: float) -> Self:
        """The same trees; questions that name no budget end with this one, or after `seconds`."""
        limited = copy(self)
        limited._whole, limited._seconds = budget, min(seconds, self.seconds)
        return limited

    @property
    def limit(self) -> Budget:
        """What a question may spend that names no budget."""
        self._whole.check("the search")
        left = self._whole.seconds_left
        seconds = self._seconds if left is None else max(min(self._seconds, left), 1e-3)
        return replace(self._whole, seconds=seconds, started=time.monotonic())

    def decide(self, cells: Cells) -> int:
        """The label of an instance."""
        return _core.decide(self.native, cells)

    def decide_many(self, cells: "NDArray[np.uint16]") -> "NDArray[np.intp]":
        """The labels of the rows of a matrix of cells."""
        import numpy as np

        rows = max(1, _DECIDED_VISITS // max(self.trees, 1))  # Ctrl-C is looked at in between
        parts = [cells[start : start + rows] for start in range(0, len(cells), rows)]
        labels = [self.native.decide_all(part.reshape(-1), len(part)) for part in parts]
        return np.concatenate([np.zeros(0, np.intp), *labels]).astype(np.intp)

    def sufficient_reason(
        self, cells: Cells, label: int, drop_order: Sequence[int], budget: Budget | None = None
    ) -> list[int]:
        """Greedy deletion. Cost: a search for each feature at worst."""
        budget = budget or self.limit
        if self._votes is not None and self.decide(cells) == label:
            return self._votes.sufficient_reason(cells, label, drop_order, budget)
        return _core.sufficient(
            self.native, cells, label, drop_order, native_budget(budget, _STAGE)
        )

    def widened_reason(
        self,
        cells: Cells,
        label: int,
        numbers: Mapping[int, int],
        budget: Budget | None = None,
    ) -> Limits | None:
        """The cells of a sufficient reason's features, widened in turn in the core."""
        if self._votes is not None:
            return None
        limit = native_budget(budget or self.limit, _STAGE)
        found = _core.widened(self.native, cells, label, list(numbers.items()), limit)
        return dict(zip(numbers, found, strict=True))

    def counterexample(
        self, cells: Cells, label: int, limits: Limits, budget: Budget | None = None
    ) -> list[int] | None:
        """An instance within the limits with another label, or None if that is proved."""
        listed = [(feature, sorted(allowed)) for feature, allowed in limits.items()]
        budget = budget or self.limit
        left = budget.seconds_left
        seconds = self.seconds if left is None else min(self.seconds, left)
        if self._votes is not None and seconds > 0:
            return self._votes.counterexample(cells, label, limits, Budget(seconds=seconds))
        limit = _core.Budget(None, None, seconds, stage=_STAGE, threads=threads_of(budget))
        return _core.counterexample(self.native, list(cells), label, listed, limit)

    def contrastive_set(
        self, cells: Cells, label: int, kept: frozenset[int], budget: Budget
    ) -> frozenset[int] | None:
        """A minimal contrastive set that avoids the kept features, or None if those suffice."""
        return contrastive_set(self, cells, label, kept, budget)

    def necessary(self, cells: Cells, label: int) -> list[int]:
        """The necessary features. Cost: a decision for each test within reach of the instance."""
        return _core.necessary(self.native, cells, label, native_budget(self.limit, _STAGE))

    def complete_reason(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> _core.Reason:
        """The conjunction of all contrastive sets, which is the complete reason."""
        sets = self.enumerate_contrastive_sets(cells, label, budget)
        return _core.reason_of_sets([sorted(each) for each in sets], list(cells), self.domains)

    def enumerate_sufficient_reasons(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> Iterator[frozenset[int]]:
        """The sufficient reasons as they are found. Can explode: budgeted."""
        return self._enumeration(cells, label, budget).sufficient_reasons()

    def enumerate_contrastive_sets(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> Iterator[frozenset[int]]:
        """The contrastive sets as they are found. Can explode: budgeted."""
        decision = tuple(cells), label
        if decision in self._latest:
            yield from self._latest[decision]
            return
        sets = []
        for members in self._enumeration(cells, label, budget).contrastive_sets():
            sets.append(members)
            yield members
        self._latest.clear()
        self._latest[decision] = sets

    def _enumeration(self, cells: Cells, label: int, budget: Budget | None) -> Enumeration | Dual:
        if self._votes is not None:
            return Enumeration(self, cells, label, budget or self.limit)
        return Dual(self.native, cells, label, budget or self.limit)

    def cheapest_change(
        self,
        cells: Cells,
        label: int,
        allowed: Limits,
        costs: Sequence[float],
        wanted: int | None,
    ) -> tuple[list[int], float] | None:
        """The cheapest change within what is allowed, to plausible values, and its cost."""
        whole = whole_costs(costs)
        if whole is None and wanted is not None and len(self.labels) > 2:
            raise self.unsupported(Capability.COUNTERFACTUAL_LABEL)
        if whole is None:
            change = hitting_change(self, cells, label, allowed, costs, self.limit)
        else:
            change = self._searched_change(cells, label, allowed, whole, wanted)
        if change is None:
            return None
        return plausible_change(self, cells, label, change[0], allowed, wanted), change[1]

    def _searched_change(
        self,
        cells: Cells,
        label: int,
        allowed: Limits,
        whole: tuple[list[int], int],
        wanted: int | None,
    ) -> tuple[list[int], float] | None:
        prices, unit = whole
        costs = [
            [price * (cell != own) for cell in range(domain)]
            for price, own, domain in zip(prices, cells, self.domains, strict=True)
        ]
        listed = [(feature, sorted(cells)) for feature, cells in allowed.items()]
        found = _core.ChangeFound()
        try:
            _core.cheapest_change(
                self.native,
                list(cells),
                label,
                wanted,
                listed,
                costs,
                native_budget(self.limit, _STAGE),
                found,
            )
        except BudgetExceeded as error:
            known = {} if found.cost is None else {"cheapest change known": found.cost / unit}
            bound = {"cheapest change at least": found.at_least / unit}
            raise BudgetExceeded(error.stage, **error.spent, **known, **bound) from None
        if found.cells is None or found.cost is None:
            return None
        return found.cells, found.cost / unit

    def differing_instance(
        self, cells: Cells, label: int, loose: Sequence[int]
    ) -> list[int] | None:
        """An instance with another label that differs on loose features only, or None."""
        free = set(loose)
        fixed = {f: (cell,) for f, cell in enumerate(cells) if f not in free}
        return self.counterexample(cells, label, fixed)

    def differing_pair(self, loose: Sequence[int], budget: Budget | None = None) -> Pair | None:
        """Two instances with different labels that differ on loose features only, or None."""
        return _core.differing_pair(
            self.native, list(loose), native_budget(budget or self.limit, _STAGE)
        )

    def allowed_instance(self, cells: Cells) -> list[int] | None:
        """Any allowed instance: one with another label than the first, or than the second."""
        found = (self.counterexample(cells, label, {}) for label in range(len(self.labels)))
        return next((each for each in found if each), None)


def _absent_library(_: Cells) -> int:
    raise PropertyError(
        "this is a close call: two labels have equal scores up to rounding, and the model's "
        "library, which settles it, is not in the file. Compile the model itself to ask this"
    )

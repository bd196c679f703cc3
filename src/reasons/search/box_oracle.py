"""The one question that search answers: is there another label in a box?"""

from collections.abc import Mapping, Sequence
from typing import Any

from reasons import _core
from reasons.budget import Budget
from reasons.features.schema import Schema

SECONDS = 60.0


class Oracle:
    """A sum of trees over cells; a question takes `seconds` at most."""

    def __init__(
        self,
        ensemble: _core.Ensemble,
        schema: Schema,
        labels: tuple[Any, ...],
        seconds: float | None = None,
    ) -> None:
        self.native = _core.Search(ensemble, SECONDS if seconds is None else seconds)
        self.ensemble = ensemble
        self.schema, self.labels, self.trees = schema, labels, ensemble.trees

    @property
    def domains(self) -> list[int]:
        """How many cells each feature has."""
        return [len(feature.values) for feature in self.schema]

    def other(
        self,
        cells: Sequence[int],
        label: int,
        limits: Mapping[int, Sequence[int]],
        budget: Budget | None = None,
    ) -> list[int] | None:
        """An instance within the limits with another label, or None if that is proved."""
        listed = [(feature, list(allowed)) for feature, allowed in limits.items()]
        left = None if budget is None else budget.seconds_left
        return _core.counterexample(self.native, list(cells), label, listed, left)

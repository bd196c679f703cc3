"""The Backend protocol: the representation of a classifier, and its queries.

Features, values and labels are positions here: `cells` has the position of a value for each
feature, `label` is a position among the labels. The public classes are above this layer.

A method that a backend does not override raises `PropertyError` (capabilities.py); no backend
answers a query that is not in its `claims`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from reasons import _core
from reasons.backends.capabilities import Capability, unsupported
from reasons.budget import Budget
from reasons.errors import PropertyError
from reasons.features.schema import Schema

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from reasons.circuits.circuit import Circuit

Cells = Sequence[int]
Limits = Mapping[int, Collection[int]]
"""For some features, the cells that they may take."""
Pair = tuple[Cells, Cells]


@dataclass(frozen=True, slots=True)
class Stored:
    """A backend for a `.reasons` file: fields for JSON and arrays of bytes, beside its schema.

    `kind` says which class restores it (registry.py).
    """

    kind: str
    fields: Mapping[str, Any]
    arrays: Mapping[str, Any]


class Backend(Protocol):
    """A classifier as a function from cells to a label, with the queries it can answer.

    `claims` maps each capability of the class to a note for the documentation, which may be
    empty. `one_pass` says that a query about one decision costs one pass over the model, without
    search. `thread_safe` says that threads may share it.
    """

    title: ClassVar[str]
    claims: ClassVar[Mapping[Capability, str]]
    one_pass: ClassVar[bool] = False
    thread_safe: ClassVar[bool] = False

    schema: Schema
    labels: tuple[Any, ...]

    @property
    def method(self) -> str:
        """How queries are answered, in one word: "compiled", "search", ..."""
        raise NotImplementedError

    @property
    def has_impossible(self) -> bool:
        """Whether some instances are declared impossible."""
        raise NotImplementedError

    @property
    def capabilities(self) -> Collection[Capability]:
        """The supported queries: those that its class claims, or fewer."""
        return self.claims.keys()

    @property
    def limitation(self) -> str:
        """Why it does not answer everything, for messages: "this model is ..."."""
        return f"this model is held as {self.title}"

    def supports(self, capability: Capability) -> bool:
        """Whether a query is answered."""
        return capability in self.capabilities

    def require(self, capability: Capability) -> None:
        """Raise `PropertyError` unless a query is answered."""
        if capability not in self.capabilities:
            raise self.unsupported(capability)

    def unsupported(self, capability: Capability) -> PropertyError:
        """The error about a query that is not supported, with advice."""
        return unsupported(capability, self.limitation)

    @property
    def circuit(self) -> "Circuit":
        """The compiled circuit, compiled now if necessary."""
        raise self.unsupported(Capability.CIRCUIT)

    def circuit_within(self, budget: Budget | None) -> "Circuit":
        """The compiled circuit, compiled now within a budget if necessary."""
        return self.circuit

    @property
    def compiled_circuit(self) -> "Circuit | None":
        """The circuit if it is compiled already."""
        return None

    def content(self) -> bytes:
        """Bytes that identify this classifier, where there is no circuit to write."""
        raise self.unsupported(Capability.CIRCUIT)

    def stored(self) -> Stored:
        """What a `.reasons` file holds of it; of most backends their circuit."""
        return self.circuit.stored()

    @classmethod
    def restored(
        cls, stored: Stored, schema: Schema, labels: tuple[Any, ...], budget: Budget | None
    ) -> "Backend":
        """The backend that was stored. What does not fit together raises an error: files lie."""
        raise PropertyError(f"{cls.title} is not restored from a file")

    def describe_size(self) -> str:
        """The size in a few words."""
        raise NotImplementedError

    def within(self, budget: Budget, seconds: float) -> Self:
        """A copy whose queries use this budget by default, and a search at most `seconds`.

        Itself where queries are single passes.
        """
        return self

    @property
    def limit(self) -> Budget:
        """The default budget of a query."""
        return Budget()

    def feature_order(self, label: int) -> list[int]:
        """The order of features for diagrams of reasons; features left out come last."""
        return list(range(len(self.schema)))

    def decide(self, cells: Cells) -> int:
        """The label of an instance, or `_core.IMPOSSIBLE`."""
        raise NotImplementedError

    def decide_many(self, cells: "NDArray[np.uint16]") -> "NDArray[np.intp]":
        """The labels of the rows of a matrix of cells."""
        raise NotImplementedError

    def sufficient_reason(
        self, cells: Cells, label: int, drop_order: Sequence[int], budget: Budget | None = None
    ) -> list[int]:
        """The features that remain after dropping each that can be, in this order."""
        raise self.unsupported(Capability.SUFFICIENT_REASON)

    def widened_reason(
        self,
        cells: Cells,
        label: int,
        numbers: Mapping[int, int],
        budget: Budget | None = None,
    ) -> Limits | None:
        """The cells of a sufficient reason's features, each widened in turn as far as possible.

        A feature takes one interval of its first `numbers` cells, or with 0 any set of cells.
        None where the backend has no way of its own, and counterexamples are to find them.
        """
        return None

    def counterexample(
        self, cells: Cells, label: int, limits: Limits, budget: Budget | None = None
    ) -> list[int] | None:
        """An allowed instance within the limits with another label; None if there is none.

        It prefers the given cells.
        """
        raise self.unsupported(Capability.SUFFICIENT_REASON)

    def contrastive_set(
        self, cells: Cells, label: int, kept: frozenset[int], budget: Budget
    ) -> frozenset[int] | None:
        """A minimal contrastive set that avoids the kept features; None if those suffice."""
        raise self.unsupported(Capability.SUFFICIENT_REASON)

    def necessary(self, cells: Cells, label: int) -> list[int]:
        """The features that change the label by a change of their value alone."""
        raise self.unsupported(Capability.NECESSARY)

    def complete_reason(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> _core.Reason:
        """The simple complete reason, as a monotone circuit."""
        raise self.unsupported(Capability.COMPLETE_REASON)

    def general_reason(self, cells: Cells, label: int) -> _core.Reason:
        """The general complete reason, as a monotone circuit."""
        raise self.unsupported(Capability.GENERAL_REASON)

    def enumerate_sufficient_reasons(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> Iterator[frozenset[int]] | None:
        """The sufficient reasons one after another; None where the complete reason is cheap."""
        return None

    def enumerate_contrastive_sets(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> Iterator[frozenset[int]] | None:
        """The contrastive sets one after another; None where the complete reason is cheap."""
        return None

    def cheapest_change(
        self,
        cells: Cells,
        label: int,
        allowed: Limits,
        costs: Sequence[float],
        wanted: int | None,
    ) -> tuple[list[int], float] | None:
        """The cheapest instance with another label, or the wanted one, and its cost."""
        raise self.unsupported(Capability.COUNTERFACTUAL)

    def differing_instance(
        self, cells: Cells, label: int, loose: Sequence[int]
    ) -> list[int] | None:
        """An allowed instance with another label that differs on loose features only, or None."""
        raise self.unsupported(Capability.DECISION_BIAS)

    def differing_pair(self, loose: Sequence[int], budget: Budget | None = None) -> Pair | None:
        """Two allowed instances with different labels that differ on loose features only."""
        raise self.unsupported(Capability.CLASSIFIER_BIAS)

    def allowed_instance(self, cells: Cells) -> list[int] | None:
        """An allowed instance, preferably near these cells; None if there is none."""
        raise self.unsupported(Capability.SUFFICIENT_REASON)

"""The CNF backend: clauses as a classifier, which explain positive decisions without compiling.

The core has the same queries for clauses as for circuits. Clauses decide every instance and explain
those that satisfy them all (core/reason/cnf_reason.hpp says why). Other queries use the circuit,
which is compiled on first use.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Self

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.native_budget import native_budget
from reasons.backends.protocol import Cells
from reasons.backends.registry import register
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.circuits.one_pass import OnePassBackend
from reasons.features.schema import Schema
from reasons.text import plural

_POSITIVE = "positive decisions from the clauses; others after compiling"
_OF_DECISIONS = (
    Capability.SUFFICIENT_REASON,
    Capability.WIDENED_REASON,
    Capability.NECESSARY,
    Capability.COMPLETE_REASON,
    Capability.GENERAL_REASON,
    Capability.REASON_SETS,
    Capability.GENERAL_REASON_SETS,
    Capability.COUNTERFACTUAL,
    Capability.COUNTERFACTUAL_LABEL,
    Capability.DECISION_BIAS,
)


@register
class CnfBackend(OnePassBackend):
    """A conjunction of clauses over Boolean features, and how to compile it.

    `compile` succeeds at most once; an error is raised again on each call. It takes a budget, or
    None for that of loading.
    """

    title = "clauses, not compiled yet"
    claims: ClassVar[Mapping[Capability, str]] = {
        **dict.fromkeys(Capability, "after compiling"),
        **dict.fromkeys(_OF_DECISIONS, _POSITIVE),
        Capability.DECIDE: "",
    }
    labels: tuple[Any, ...] = (False, True)
    has_impossible = False
    native: _core.Clauses

    def __init__(
        self,
        native: _core.Clauses,
        schema: Schema,
        compile: Callable[[Budget | None], Circuit],
        budget: Budget | None = None,
    ) -> None:
        self.native, self.schema, self._compile, self._budget = native, schema, compile, budget
        self._circuit: list[Circuit] = []  # shared by copies with other budgets

    def __len__(self) -> int:
        """How many clauses there are, tautologies not counted."""
        return len(self.native)

    def __repr__(self) -> str:
        return f"<CnfBackend: {self.describe_size()}, {plural(len(self.schema), 'feature')}>"

    def describe_size(self) -> str:
        """The number of clauses."""
        return plural(len(self), "clause")

    def within(self, budget: Budget, seconds: float) -> Self:
        """The same clauses, compiled within another budget if they are not yet."""
        limited = type(self)(self.native, self.schema, self._compile, budget)
        limited._circuit = self._circuit
        return limited

    @property
    def circuit(self) -> Circuit:
        """The circuit of the clauses, compiled on first use. Can explode: budgeted."""
        return self.circuit_within(None)

    def circuit_within(self, budget: Budget | None) -> Circuit:
        """The circuit, compiled within a budget if it is not yet; None is that of loading."""
        if not self._circuit:
            self._circuit.append(self._compile(budget or self._budget))
        return self._circuit[0]

    @property
    def compiled_circuit(self) -> Circuit | None:
        """The circuit, if a query needed it before."""
        return self._circuit[0] if self._circuit else None

    @property
    def method(self) -> str:
        """ "clauses" until the circuit was needed, then "compiled"."""
        return "compiled" if self._circuit else "clauses"

    def _explainer(self, label: int, budget: Budget | None = None) -> Any:
        return self.native if label == 1 else self.circuit_within(budget).native

    def feature_order(self, label: int) -> list[int]:
        """The features in the order in which clauses mention them, or as the circuit tests them."""
        return self.native.feature_order_from_root() if label == 1 else self.circuit.feature_order()

    def enumerate_contrastive_sets(
        self, cells: Cells, label: int, budget: Budget | None = None
    ) -> Iterator[frozenset[int]] | None:
        """The minimal sets of satisfied literals of a clause; no diagram is needed."""
        if label == 0:
            return None
        return map(frozenset, self.native.minimal(cells, native_budget(budget)))

    def allowed_instance(self, cells: Cells) -> list[int] | None:
        """The cells: every instance is allowed."""
        return list(cells)

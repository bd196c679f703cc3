"""Clauses as a classifier: what explains a positive decision of a CNF without compiling it.

The core answers the questions about a decision of clauses by the same names as of circuits.
Clauses decide every instance and explain those that satisfy them all
(core/reason/cnf_reason.hpp says why); for the rest there is the circuit, compiled when it is
asked for.
"""

from collections.abc import Callable
from typing import Any, Self

from reasons import _core
from reasons.backends.protocol import Asked
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.features.feature import Schema
from reasons.text import plural


class Clauses(Asked):
    """A conjunction of clauses over Boolean features, and how to compile it.

    `compile` is called at most once with success: what it raises is raised again each time. It
    takes a budget, or None for that of loading.
    """

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
        self._circuit: list[Circuit] = []  # one list for all that differ in their budgets only

    def __len__(self) -> int:
        """How many clauses there are, tautologies not counted."""
        return len(self.native)

    def __repr__(self) -> str:
        return f"<Clauses: {len(self):,} over {plural(len(self.schema), 'feature')}>"

    def within(self, budget: Budget) -> Self:
        """The same clauses, compiled within another budget if they are not yet."""
        found = type(self)(self.native, self.schema, self._compile, budget)
        found._circuit = self._circuit
        return found

    @property
    def circuit(self) -> Circuit:
        """The circuit of the clauses, compiled now if it was not. Can explode: budgeted."""
        if not self._circuit:
            self._circuit.append(self._compile(self._budget))
        return self._circuit[0]

    @property
    def method(self) -> str:
        """ "clauses" until the circuit was needed, then "compiled"."""
        return "compiled" if self._circuit else "clauses"

    def explaining(self, label: int) -> "Circuit | Clauses":
        """What explains decisions with a label: the clauses where they are satisfied."""
        return self if label == 1 else self.circuit

    @property
    def met(self) -> list[int]:
        """The features in the order in which clauses mention them."""
        return self.native.feature_order_from_root()

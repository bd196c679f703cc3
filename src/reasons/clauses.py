"""Clauses as a classifier: what explains a positive decision of a CNF without compiling it.

The core answers the questions about a decision of clauses by the same names as of circuits.
Clauses decide every instance and explain those that satisfy them all (core/clauses.hpp says
why); for the rest there is the circuit, compiled when it is asked for.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from reasons import _core
from reasons.asked import Asked
from reasons.circuit import Circuit
from reasons.features import Schema


class Clauses(Asked):
    """A conjunction of clauses over Boolean features, and how to compile it.

    `compile` is called at most once with success: what it raises is raised again each time.
    """

    labels: tuple[Any, ...] = (False, True)
    has_impossible = False
    native: _core.Clauses

    def __init__(
        self, native: _core.Clauses, schema: Schema, compile: Callable[[], Circuit]
    ) -> None:
        self.native, self.schema, self._compile = native, schema, compile

    def __len__(self) -> int:
        """How many clauses there are, tautologies not counted."""
        return len(self.native)

    def __repr__(self) -> str:
        return f"<Clauses: {len(self):,} over {len(self.schema):,} features>"

    @cached_property
    def circuit(self) -> Circuit:
        """The circuit of the clauses, compiled now if it was not. Can explode: budgeted."""
        return self._compile()

    @property
    def method(self) -> str:
        """ "clauses" until the circuit was needed, then "compiled"."""
        return "compiled" if "circuit" in vars(self) else "clauses"

    def explaining(self, label: int) -> "Circuit | Clauses":
        """What explains decisions with a label: the clauses where they are satisfied."""
        return self if label == 1 else self.circuit

    @property
    def met(self) -> list[int]:
        """The features in the order in which clauses mention them."""
        return self.native.first_met()

"""The text of a reason: the shortest of several equivalent formulas."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reasons.explain.simplify.factoring import prime_formula
from reasons.explain.simplify.formulas import Formulas, LazyFormulas, copied
from reasons.explain.simplify.redundancy import Simplifier
from reasons.explain.simplify.text import formula_text, tree_of, unfolded_text

if TYPE_CHECKING:
    from reasons.explain.reason_circuit import ReasonCircuit

_MOST_LITERALS = 10_000  # of a formula that is written out before it is cut
_MOST_DEPTH = 60
_MOST_COPIED = 20_000  # gates


def written(reason: "ReasonCircuit", most: int) -> str:
    """A reason as a formula; one longer than so many characters loses whole parts.

    Cost: a bounded time, and a pass over the circuit.
    """
    table = Formulas(reason.schema)
    formulas = list(_formulas(reason, table))
    small = [number for number in formulas if _is_small(table, number)]
    if small:
        return formula_text(tree_of(table, min(small, key=table.length)), most)
    if formulas:
        return unfolded_text(table.part, min(formulas, key=table.literals.__getitem__), most)
    return unfolded_text(LazyFormulas(reason.__getitem__, table).part, reason.root, most)


def _formulas(reason: "ReasonCircuit", table: Formulas) -> Iterator[int]:
    """The circuit unfolded, its implicates and its implicants factored; each simplified."""
    if reason.native.gates <= _MOST_COPIED:
        plain = copied(reason.nodes, reason.root, table)
        yield Simplifier(table).simplified(plain)
        if table.depths[plain] < 2:
            return
    for is_conjunction in (True, False):
        number = prime_formula(reason.native, reason.literals, table, is_conjunction)
        if number is not None:
            yield Simplifier(table).simplified(number)


def _is_small(table: Formulas, number: int) -> bool:
    return table.literals[number] <= _MOST_LITERALS and table.depths[number] <= _MOST_DEPTH

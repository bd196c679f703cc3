"""Model enumeration: the instances of a label one by one, and whether they satisfy a clause."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from reasons.circuits.circuit import Circuit
from reasons.counting.paths import Paths
from reasons.errors import InputError, ParseError
from reasons.features.grammar.tokens import split_at
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term, term_of


def instances(circuit: Circuit, label: int, given: Term) -> Iterator[Instance]:
    """The instances of a term with the label, each once, always in the same order.

    Cost: a pass over the circuit, then O(depth) an instance at most.
    """
    for box in Paths(circuit, label, given).boxes():
        for cells in product(*box):
            yield Instance.of_cells(circuit.schema, cells)


@dataclass(frozen=True, slots=True)
class Entailment:
    """Whether every instance with the label satisfies the clause. Truthy if so.

    Otherwise `witness` is an instance with the label that violates it.
    """

    holds: bool
    witness: Instance | None = None

    def __bool__(self) -> bool:
        return self.holds


def entails(circuit: Circuit, label: int, clause: Any) -> Entailment:
    """Whether the label implies the clause: no instance with it violates every literal."""
    literals = clause_of(circuit.schema, clause)
    against = {}
    for feature, cells in literals.items():
        against[feature] = frozenset(range(len(circuit.schema[feature].values))) - cells
        if not against[feature]:
            return Entailment(True)
    witness = next(instances(circuit, label, Term(circuit.schema, against)), None)
    return Entailment(witness is None, witness)


def clause_of(schema: Schema, given: Any) -> dict[int, frozenset[int]]:
    """The cells of each feature that satisfy a clause.

    A clause is a text such as "a | ~b | job in {clerk}", a mapping from features to values,
    or several of either; the parts of a text or of several name one feature each.

    >>> clause_of(Schema(["a", "b"]), "a | ~b")
    {0: frozenset({1}), 1: frozenset({0})}
    """
    cells: dict[int, frozenset[int]] = {}
    for literal in _literals(schema, given):
        for feature, own in literal.limits.items():
            cells[feature] = cells.get(feature, frozenset()) | own
    return cells


def _literals(schema: Schema, given: Any) -> Iterator[Term]:
    if isinstance(given, Mapping):
        yield term_of(schema, given)
    elif isinstance(given, str):
        yield from (_literal(schema, part, given) for part in _disjuncts(given))
    elif isinstance(given, Iterable):
        for part in given:
            yield _literal(schema, part, part)
    else:
        raise InputError(
            f"a clause is a text, a mapping or several literals, not {type(given).__name__}"
        )


def _disjuncts(text: str) -> list[str]:
    found = list(split_at(text, "|")) if text.strip() else []
    for start, part in found:
        if not part.strip():
            message = "a literal is missing beside a `|`"
            raise ParseError(message, source="<clause>", line=1, column=start + 1, excerpt=text)
    return [part for _, part in found]


def _literal(schema: Schema, part: Any, whole: Any) -> Term:
    term = term_of(schema, part)
    if len(term) != 1:
        raise InputError("each part of a clause names one feature: {value}", value=whole)
    return term

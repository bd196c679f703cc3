"""Declared domains: `domain=` column by column, `constraint=` as a formula over characteristics."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reasons.ensembles.domain import Atom, Comparison, Domain, Limit, Rule, Truth, limit_of
from reasons.errors import InputError
from reasons.features.values import quoted
from reasons.frontends.characteristics import Characteristic, parse_condition
from reasons.frontends.formula.gates import AND, CONSTANT, VARIABLE, Formula


def declared(
    domain: Mapping[str, Any] | None = None, constraint: str | None = None, *, missing: bool = True
) -> Domain:
    """What a user declares about the columns of a model.

    `domain` maps a column to `int`, a pair of bounds that belong to it, a range or a set of
    values; no value of it is then missing, unless None is in the set or follows the bounds. With
    `missing` false, no value of any column is. `constraint` is a formula that holds for everything
    there is, over characteristics as terms write them. Which names there are is
    not asked yet.

    >>> declared({"age": range(18, 100)}, "~(age < 18 & job = retired)").said
    'age whole from 18 to 99; ~(age < 18 & job = retired)'
    """
    limits = {name: limit_of(name, declared) for name, declared in (domain or {}).items()}
    atoms, rules = _rules(constraint) if constraint is not None else ((), ())
    for atom in atoms:
        limit = limits.get(atom.name, Limit(missing=missing))
        limits[atom.name] = replace(limit, compared=(*limit.compared, *atom.compared))
    parts = [] if missing else ["nothing is missing"]
    parts += [limit.said(name) for name, limit in limits.items()]
    said = "; ".join(part for part in (*parts, constraint) if part)
    return Domain(limits, atoms, rules, said, missing)


def _rules(constraint: str) -> tuple[tuple[Atom, ...], tuple[Rule, ...]]:
    if not isinstance(constraint, str):
        raise InputError(f"constraint: a formula as text, not {constraint!r}")
    formula, found = parse_condition(constraint, "<constraint>")
    return tuple(map(_atom, found)), tuple(_rule(formula, edge) for edge in _conjuncts(formula))


def _atom(found: Characteristic) -> Atom:
    name, operator, value = quoted(found.name), found.operator, found.value
    if not operator:
        return Atom(found.name, name)
    fits = operator in ("=", "!=", "in", "is")
    text = f"{name} {operator} {value}" if fits else ""
    return Atom(found.name, text, _comparisons(operator, value))


def _comparisons(operator: str, value: str) -> tuple[Comparison, ...]:
    """The comparisons with numbers that a characteristic makes; none where it makes others."""
    try:
        if operator == "in" and value[0] in "([":
            low, high = (float(part) for part in value[1:-1].split(","))
            return (
                (">" if value[0] == "(" else ">=", low),
                ("<=" if value[-1] == "]" else "<", high),
            )
        return () if operator in ("in", "is") else ((operator, float(value)),)
    except ValueError:
        if operator in ("=", "!="):
            return ()
        raise InputError(f"constraint: cannot read {value!r} as numbers") from None


def _conjuncts(formula: Formula) -> Sequence[int]:
    """The edges all of which must be true."""
    gate = formula.root >> 1
    is_and = formula.kinds[gate] == AND and not formula.root & 1
    return formula.inputs[gate] if is_and else (formula.root,)


def _rule(formula: Formula, root: int) -> Rule:
    """The three-valued function of an edge."""

    def holds(known: Sequence[Truth]) -> Truth:
        truths: list[Truth] = []
        for kind, inputs in zip(formula.kinds, formula.inputs, strict=True):
            if kind == CONSTANT:
                truths.append(False)
            elif kind == VARIABLE:
                truths.append(known[inputs[0]])
            else:
                truths.append(_joined(kind == AND, [_at(truths, edge) for edge in inputs]))
        return _at(truths, root)

    return Rule(holds, tuple(_used(formula, root)))


def _used(formula: Formula, root: int) -> list[int]:
    """The names that an edge depends on."""
    reached = {root >> 1}
    for gate in range(len(formula.kinds) - 1, -1, -1):
        if gate in reached and formula.kinds[gate] not in (CONSTANT, VARIABLE):
            reached.update(edge >> 1 for edge in formula.inputs[gate])
    return sorted(formula.inputs[gate][0] for gate in reached if formula.kinds[gate] == VARIABLE)


def _at(truths: Sequence[Truth], edge: int) -> Truth:
    truth = truths[edge >> 1]
    return None if truth is None else truth ^ bool(edge & 1)


def _joined(is_and: bool, parts: Sequence[Truth]) -> Truth:
    if is_and:
        return False if False in parts else None if None in parts else True
    return None if None in parts else sum(map(bool, parts)) % 2 == 1

"""Formulas factored from the prime implicants or implicates of a reason (algebraic factoring).

A reason is monotone in variables "feature f avoids these cells", so its prime implicants and its
prime implicates are unique, and the core lists them from the circuit. A two-level formula of them
is factored: into parts that share nothing, else by the literal that the most members have. Where
few members are left, the dual form is tried as well, since `(a | b) & (c | d)` has no literal in
common, but its two clauses share nothing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import native_budget
from reasons.errors import BudgetExceeded
from reasons.explain.simplify.formulas import Cells, Formulas

_MOST_MEMBERS = 300
_MOST_DUAL = 40
_MOST_NODES = 100_000  # nodes, not seconds: a reason is the same text on every machine

Member = frozenset[int]
"""A term or a clause: the numbers of its literals."""


def prime_formula(
    native: _core.Reason,
    literals: Sequence[tuple[int, Sequence[int]]],
    table: Formulas,
    is_conjunction: bool,
) -> int | None:
    """The prime implicates (or implicants) of a reason, factored; None if they are too many."""
    classes = _classes(literals, table)
    by_feature: dict[int, list[tuple[int, Cells]]] = {}
    for number, (feature, cells) in enumerate(classes):
        by_feature.setdefault(feature, []).append((number, cells))
    variables = [
        [number for number, cells in by_feature.get(f, ()) if not cells & set(own)]
        for f, own in literals
    ]
    try:
        family = _core.minimal_sets(
            native,
            variables,
            len(classes),
            is_conjunction,
            native_budget(Budget(nodes=_MOST_NODES)),
        )
    except BudgetExceeded:
        return None
    if int.from_bytes(family.count(), "little") > _MOST_MEMBERS:
        return None
    listed = _core.Enumeration(family, [(1.0, 0.0)] * len(classes)).next(_MOST_MEMBERS)
    avoided = [[classes[variable] for variable in member] for member in listed]
    return factored(table, is_conjunction, _members(table, is_conjunction, avoided))


def _classes(
    literals: Sequence[tuple[int, Sequence[int]]], table: Formulas
) -> list[tuple[int, Cells]]:
    """For each feature, its cells grouped by the literals that they satisfy."""
    sets: dict[int, list[Cells]] = {}
    for feature, cells in literals:
        sets.setdefault(feature, []).append(frozenset(cells))
    classes: list[tuple[int, Cells]] = []
    for feature, own in sorted(sets.items()):
        groups: dict[tuple[bool, ...], set[int]] = {}
        for cell in table.every[feature]:
            groups.setdefault(tuple(cell in cells for cells in own), set()).add(cell)
        classes += [(feature, frozenset(group)) for group in groups.values()]
    return classes


def _members(
    table: Formulas, is_conjunction: bool, avoided: Iterable[list[tuple[int, Cells]]]
) -> list[Member]:
    """Terms or clauses as literals, without trivial ones, neighbours merged."""
    nontrivial: set[tuple[tuple[int, Cells], ...]] = set()
    for member in avoided:
        cells: dict[int, Cells] = {}
        for feature, gone in member:
            before = cells.get(feature, table.every[feature] if not is_conjunction else frozenset())
            own = table.every[feature] - gone
            cells[feature] = before | own if is_conjunction else before & own
        trivial = (
            set(own) == table.every[f] if is_conjunction else not own for f, own in cells.items()
        )
        if not any(trivial):
            nontrivial.add(tuple(sorted(cells.items(), key=lambda item: item[0])))
    merged = _merged(nontrivial, is_conjunction)
    return [frozenset(table.literal(f, cells) for f, cells in member) for member in merged]


def _merged(
    members: set[tuple[tuple[int, Cells], ...]], is_conjunction: bool
) -> set[tuple[tuple[int, Cells], ...]]:
    """Members that differ in the cells of one feature only are one member."""
    features = sorted({f for member in members for f, _ in member})
    before: set[tuple[tuple[int, Cells], ...]] = set()
    while before != members:
        before = members
        for feature in features:
            groups: dict[tuple[tuple[int, Cells], ...], Cells] = {}
            others = set()
            for member in members:
                cells = dict(member).get(feature)
                rest = tuple(each for each in member if each[0] != feature)
                if cells is None:
                    others.add(member)
                else:
                    old = groups.get(rest, cells)
                    groups[rest] = old & cells if is_conjunction else old | cells
            joined = (
                tuple(sorted((*rest, (feature, cells)), key=lambda item: item[0]))
                for rest, cells in groups.items()
            )
            members = {*others, *joined}
    return members


def factored(table: Formulas, is_conjunction: bool, members: Sequence[Member]) -> int:
    """A disjunction of terms, or a conjunction of clauses, as a formula with few literals."""
    if not members:
        return int(is_conjunction)
    if not all(members):
        return int(not is_conjunction)
    if len(members) == 1:
        return table.gate(not is_conjunction, members[0])
    common = frozenset.intersection(*members)
    if common:
        rest = factored(table, is_conjunction, [member - common for member in members])
        return table.gate(not is_conjunction, [*common, rest])
    parts = _components(members)
    if len(parts) > 1:
        return table.gate(is_conjunction, [factored(table, is_conjunction, p) for p in parts])
    direct = _divided(table, is_conjunction, members)
    dual = _dual(members)
    if dual is None or (len(_components(dual)) == 1 and not frozenset.intersection(*dual)):
        return direct
    return min(direct, factored(table, not is_conjunction, dual), key=table.length)


def _divided(table: Formulas, is_conjunction: bool, members: Sequence[Member]) -> int:
    """The members that have the most valuable literal, with it taken out; and the others."""
    counts = Counter(literal for member in members for literal in member)
    best = max(
        counts, key=lambda each: ((counts[each] - 1) * len(table.text(each)), counts[each], -each)
    )
    if counts[best] == 1:
        return table.gate(is_conjunction, [table.gate(not is_conjunction, m) for m in members])
    inside = [member - {best} for member in members if best in member]
    outside = [member for member in members if best not in member]
    divided = table.gate(not is_conjunction, [best, factored(table, is_conjunction, inside)])
    return table.gate(is_conjunction, [divided, factored(table, is_conjunction, outside)])


def _components(members: Iterable[Member]) -> list[list[Member]]:
    """The members in groups that share no literal."""
    groups: list[tuple[set[int], list[Member]]] = []
    for member in members:
        touched = [group for group in groups if group[0] & member]
        groups = [group for group in groups if not group[0] & member]
        literals = set(member).union(*(group[0] for group in touched))
        groups.append((literals, [*(m for group in touched for m in group[1]), member]))
    return [group for _, group in groups]


def _dual(members: Sequence[Member]) -> list[Member] | None:
    """The minimal hitting sets of the members (Berge's algorithm); None if they are many."""
    if len(members) > _MOST_DUAL:
        return None
    hitting: set[Member] = {frozenset()}
    for member in sorted(members, key=len):
        meeting = {each for each in hitting if each & member}
        grown = {each | {literal} for each in hitting - meeting for literal in member}
        grown = {each for each in grown if not any(small <= each for small in meeting)}
        hitting = meeting | {each for each in grown if not any(o < each for o in grown)}
        if len(hitting) > _MOST_DUAL:
            return None
    return sorted(hitting, key=sorted)

"""Guards: decision trees over cells that are true where a declared condition is violated."""

from collections.abc import Sequence

import numpy

from reasons.ensembles.native import Answers, Guard
from reasons.errors import InputError
from reasons.features.grammar.conditions import Condition, Logic
from reasons.features.schema import Schema

Truth = bool | None  # None: not known yet
Mask = tuple[int, Answers]
"""A feature, and which of its cells have the characteristic of an atom."""

_MOST_NODES = 100_000


def _negated(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _both(one: Truth, other: Truth) -> Truth:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _differ(one: Truth, other: Truth) -> Truth:
    return None if one is None or other is None else one != other


_THREE_VALUED: Logic[Truth] = Logic(True, _negated, _both, _differ)


def grown_guard(schema: Schema, masks: Sequence[Mask], condition: Condition) -> Guard:
    """The tree that is true where a condition over masked atoms is violated."""
    tree = _GuardTree(masks, condition)
    tree.grow([None] * len(masks), [numpy.ones(len(feature.values), bool) for feature in schema])
    return Guard(tuple(tree.nodes))


class _GuardTree:
    """The tree of a condition: it tests atoms until three-valued logic settles the condition."""

    def __init__(self, masks: Sequence[Mask], condition: Condition) -> None:
        self.masks, self.condition, self.atoms = masks, condition, condition.used
        self.nodes: list[tuple[int, Answers, int, int] | bool] = []

    def grow(self, known: list[Truth], left_over: list[Answers]) -> int:
        """Add the tree below known atoms; the cells left of each feature settle further atoms."""
        for atom in self.atoms:
            known[atom] = self._settled(atom, known[atom], left_over)
        holds = self._holds(known)
        at = len(self.nodes)
        if at > _MOST_NODES:
            raise InputError(
                "{option}: this condition is too complex; write several, joined by `&`",
                option="constraint",
            )
        self.nodes.append(holds is False)
        if holds is not None:
            return at
        atom_asked = self._next(known)
        feature, mask = self.masks[atom_asked]
        sides = []
        for answer in (True, False):
            rest = list(left_over)
            rest[feature] = rest[feature] & (mask if answer else ~mask)
            sides.append(self.grow(_with(known, atom_asked, answer), rest))
        self.nodes[at] = (feature, mask, sides[0], sides[1])
        return at

    def _holds(self, known: Sequence[Truth]) -> Truth:
        return self.condition.fold(known, _THREE_VALUED)

    def _next(self, known: list[Truth]) -> int:
        """An unknown atom, preferably one that can settle the condition at once."""
        unknown = [atom for atom in self.atoms if known[atom] is None]
        for atom in unknown:
            if any(self._holds(_with(known, atom, truth)) is not None for truth in (True, False)):
                return atom
        return unknown[0]

    def _settled(self, atom: int, truth: Truth, left_over: list[Answers]) -> Truth:
        feature, mask = self.masks[atom]
        inside = mask[left_over[feature]]
        if truth is not None or not len(inside):
            return bool(truth)
        return True if inside.all() else None if inside.any() else False


def _with(known: list[Truth], atom: int, truth: bool) -> list[Truth]:
    return [*known[:atom], truth, *known[atom + 1 :]]

"""Sufficient reasons and contrastive sets of one decision, each found from the others.

Every sufficient reason meets every contrastive set. So a smallest set that meets all
contrastive sets known so far either suffices, and is then a shortest reason of those not yet
found, or an instance that agrees with it and gets another label yields a new contrastive set.
When no further set meets them all, both families are complete.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from reasons.budget import Budget
from reasons.errors import PropertyError
from reasons.search.oracle import Oracle


def contrastive(
    trees: Oracle, cells: Sequence[int], label: int, kept: frozenset[int], budget: Budget
) -> frozenset[int] | None:
    """A minimal contrastive set that avoids the kept features; None if those suffice."""
    found = trees.other(cells, label, {f: [cells[f]] for f in kept})
    if found is None:
        return None
    changed = [f for f, cell in enumerate(found) if cell != cells[f]]
    needed: list[int] = []
    while changed:  # what is in it for certain, and what is still to be tried
        budget.check("contrastive sets")
        feature = changed.pop()
        free = {*needed, *changed}
        closer = trees.other(
            cells, label, {f: [cell] for f, cell in enumerate(cells) if f not in free}
        )
        if closer is None:
            needed.append(feature)
        else:
            changed = [f for f in changed if closer[f] != cells[f]]
    return frozenset(needed)


class Duality:
    """The explanations of one decision of a sum of trees, found one after another."""

    def __init__(self, trees: Oracle, cells: Sequence[int], label: int, budget: Budget) -> None:
        self.trees, self.cells, self.label, self.budget = trees, tuple(cells), label, budget
        self.contrastive: list[frozenset[int]] = []
        self.sufficient: list[frozenset[int]] = []

    def complete(self) -> list[frozenset[int]]:
        """All contrastive sets. Can explode: budgeted."""
        for _ in self.reasons():
            pass
        return self.contrastive

    def reasons(self) -> Iterator[frozenset[int]]:
        """The sufficient reasons, shortest first. Can explode: budgeted."""
        hitman = _hitman()
        meeting: list[int] | None = []
        while meeting is not None:
            self.budget.check("the reasons of a decision")
            self.budget.report("the reasons of a decision", len(self.sufficient))
            kept = frozenset(meeting)
            missed = contrastive(self.trees, self.cells, self.label, kept, self.budget)
            if missed is None:
                self.sufficient.append(kept)
                yield kept
                if not kept:  # the label is the same everywhere
                    return
                hitman.block(sorted(kept))
            else:
                self.contrastive.append(missed)
                hitman.hit(sorted(missed))
            meeting = hitman.get()

    def sets(self) -> Iterator[frozenset[int]]:
        """The contrastive sets, as they are found. Can explode: budgeted."""
        told = 0
        for _ in self.reasons():
            yield from self.contrastive[told:]
            told = len(self.contrastive)
        yield from self.contrastive[told:]


def _hitman() -> Any:
    try:
        from pysat.examples.hitman import Hitman
    except ImportError:
        raise PropertyError(
            "listing the reasons of a model that is answered by search needs python-sat: "
            "pip install 'reasons[exact]'"
        ) from None
    return Hitman(solver="m22", htype="sorted")

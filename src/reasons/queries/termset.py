"""Sets of terms: counted, searched, sampled, iterated shortest first.

`TermSet` is what users hold; how the members are kept is its subclass's business.
A member is a set of variables of a `Ground`, held as the bits of an integer.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from reasons.errors import InputError
from reasons.features import Schema
from reasons.render import html
from reasons.terms import Term, term_of


@dataclass(frozen=True)
class Ground:
    """What the variables of a set of terms mean: a feature keeps a cell, or avoids it."""

    schema: Schema
    variables: tuple[tuple[int, int], ...]
    excludes: bool = False

    def term(self, mask: int) -> Term:
        """The term of a member."""
        cells: dict[int, set[int]] = {}
        for variable, (feature, cell) in enumerate(self.variables):
            if not mask >> variable & 1:
                continue
            if self.excludes:
                every = range(len(self.schema[feature].values))
                cells.setdefault(feature, set(every)).discard(cell)
            else:
                cells.setdefault(feature, set()).add(cell)
        return Term(self.schema, cells)

    def mask(self, term: Term) -> int | None:
        """The member that a term is, or None if no member can be."""
        mask = 0
        known = {variable: i for i, variable in enumerate(self.variables)}
        for feature, cells in term.limits.items():
            if self.excludes:
                cells = frozenset(range(len(self.schema[feature].values))) - cells
            for cell in cells:
                if (feature, cell) not in known:
                    return None
                mask |= 1 << known[feature, cell]
        return mask

    def mentioning(self, feature: int) -> int:
        """The variables of a feature, as bits."""
        return sum(1 << i for i, (f, _) in enumerate(self.variables) if f == feature)

    def size(self, mask: int) -> tuple[int, int, int]:
        """What a member is sorted by: features mentioned, then variables, then order."""
        features = {f for i, (f, _) in enumerate(self.variables) if mask >> i & 1}
        reverse = sum(1 << (len(self.variables) - 1 - i) for i in _bits(mask))
        return len(features), mask.bit_count(), -reverse


class TermSet(ABC):
    """A set of terms. Iteration goes shortest first; `in` takes whatever a term can be."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    @abstractmethod
    def _masks(self) -> Iterator[int]:
        """The members, shortest first."""

    @abstractmethod
    def count(self) -> int:
        """How many there are, exactly."""

    @abstractmethod
    def _has(self, mask: int) -> bool: ...

    @abstractmethod
    def _where(self, features: int, mentioned: bool) -> "TermSet":
        """The members that mention all of one feature's variables' feature, or none."""

    @abstractmethod
    def share(self) -> dict[str, float]:
        """For each feature, the fraction of the terms that mention it."""

    @abstractmethod
    def sample(self, rng: random.Random | None = None) -> Term:
        """One of them, uniformly."""

    def __iter__(self) -> Iterator[Term]:
        return (self._ground.term(mask) for mask in self._masks())

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return self.count() > 0

    def __contains__(self, term: Any) -> bool:
        mask = self._ground.mask(term_of(self._ground.schema, term))
        return mask is not None and self._has(mask)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TermSet):
            return self.count() == other.count() and all(term in self for term in other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def shortest(self) -> Term:
        """One of the shortest."""
        for term in self:
            return term
        raise InputError("the set is empty, so that it has no shortest term")

    def containing(self, *names: str) -> "TermSet":
        """The terms that mention all of these features."""
        return self._restricted(names, True)

    def without(self, *names: str) -> "TermSet":
        """The terms that mention none of these features."""
        return self._restricted(names, False)

    def _restricted(self, names: Iterable[str], mentioned: bool) -> "TermSet":
        chosen: TermSet = self
        for index in self._ground.schema.indices(names):
            chosen = chosen._where(self._ground.mentioning(index), mentioned)
        return chosen

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, most: int = 20) -> list[str]:
        """The first few as text, and how many more there are."""
        shown = [str(term) for term in islice(self, most)]
        more = self.count() - len(shown)
        return [*shown, *([f"... and {more:,} more"] if more else [])]

    def _repr_html_(self) -> str:
        shares = sorted(self.share().items(), key=lambda item: -item[1])
        used = [(name, share) for name, share in shares if share]
        shown = html.bullets(self.lines(8), numbered=True)
        return html.boxed(html.heading(f"{self.count():,} terms"), shown, html.bars(used[:12]))

    def __repr__(self) -> str:
        shown = "; ".join(f"({term})" for term in islice(self, 4))
        more = "; ..." if self.count() > 4 else ""
        return f"<{self.count():,} terms: {shown}{more}>"


class ListedTermSet(TermSet):
    """A set whose members are all in memory."""

    def __init__(self, ground: Ground, masks: Iterable[int]) -> None:
        super().__init__(ground)
        self._members = sorted(set(masks), key=ground.size)
        self._known = frozenset(self._members)

    def _masks(self) -> Iterator[int]:
        return iter(self._members)

    def count(self) -> int:
        return len(self._members)

    def _has(self, mask: int) -> bool:
        return mask in self._known

    def _where(self, features: int, mentioned: bool) -> "ListedTermSet":
        kept = [m for m in self._members if bool(m & features) == mentioned]
        return ListedTermSet(self._ground, kept)

    def share(self) -> dict[str, float]:
        total = max(1, self.count())
        return {
            feature.name: sum(bool(m & self._ground.mentioning(i)) for m in self._members) / total
            for i, feature in enumerate(self._ground.schema)
        }

    def sample(self, rng: random.Random | None = None) -> Term:
        if not self._members:
            raise InputError("the set is empty, so that nothing can be drawn from it")
        return self._ground.term((rng or random.Random()).choice(self._members))


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low

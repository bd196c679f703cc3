"""Sets of terms as zero-suppressed decision diagrams: counted, searched, sampled, iterated.

A `TermSet` is a zero-suppressed decision diagram in the core; counting does not list its members.
A member is a set of variables of a `Ground`, which defines their meaning.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

from reasons import _core
from reasons.backends.native_budget import native_budget
from reasons.counting.sampling import random_source
from reasons.errors import InputError, Option
from reasons.features.schema import Schema
from reasons.features.terms import Term, term_of
from reasons.render import html
from reasons.text import plural

Variables = list[int]

_SORTED = 5_000  # sets up to this size are iterated in the order of the features
_CHUNK = 4_096
_MOST_LISTED = 1_000_000


@dataclass(frozen=True)
class Ground:
    """What the variables of a set of terms mean, in the order of the diagram.

    A variable (feature, cell) says that the feature keeps the cell, or, where the ground
    `excludes`, that it avoids it; (feature, None) then marks that the feature is mentioned.
    """

    schema: Schema
    variables: tuple[tuple[int, int | None], ...]
    excludes: bool = False

    @cached_property
    def number(self) -> dict[tuple[int, int | None], int]:
        """The position of each variable."""
        return {variable: i for i, variable in enumerate(self.variables)}

    def term(self, members: Variables) -> Term:
        """The term of a member."""
        if not self.excludes:
            return Term.of_parts(self.schema, sorted(self._parts[i] for i in members))
        cells: dict[int, set[int]] = {}
        for feature, cell in (self.variables[i] for i in members):
            if cell is None:
                cells[feature] = set(range(len(self.schema[feature].values)))
            else:
                cells[feature].discard(cell)
        return Term(self.schema, cells)

    @cached_property
    def _parts(self) -> list[tuple[int, frozenset[int], str, Any]]:
        """For each variable that keeps a cell, its part of a term; computed once."""
        parts = []
        for feature, cell in self.variables:
            tested, kept = self.schema[feature], cell or 0
            parts.append((feature, frozenset((kept,)), tested.name, tested.values[kept]))
        return parts

    def members(self, term: Term) -> Variables | None:
        """The member that stands for a term, or None."""
        wanted: list[tuple[int, int | None]] = []
        for feature, cells in term.limits.items():
            if self.excludes:
                wanted.append((feature, None))
                cells = frozenset(range(len(self.schema[feature].values))) - cells
            wanted += ((feature, cell) for cell in cells)
        if any(variable not in self.number for variable in wanted):
            return None
        return sorted(self.number[variable] for variable in wanted)

    def mentioning(self, feature: int) -> Variables:
        """The variables that mention a feature."""
        if self.excludes:
            return [self.number[feature, None]] if (feature, None) in self.number else []
        return [i for i, (f, _) in enumerate(self.variables) if f == feature]

    @cached_property
    def counted(self) -> Variables:
        """The variables that make a term longer."""
        return [i for i, (_, cell) in enumerate(self.variables) if (cell is None) == self.excludes]

    def costs(self, of: Mapping[int, float]) -> list[tuple[float, float]]:
        """The cost of each variable: that of its feature; exclusions break ties."""
        return [
            (of.get(feature, 1.0), 0.0) if (cell is None) == self.excludes else (0.0, 1.0)
            for feature, cell in self.variables
        ]


class TermSet:
    """A set of terms, such as all sufficient reasons. Immutable; usable from several threads.

    >>> import reasons
    >>> terms = reasons.compile("a & b | c").decide("a, b, c").sufficient_reasons()
    >>> terms.count(), str(terms.shortest()), "a, b" in terms
    (2, 'c', True)
    """

    def __init__(self, ground: Ground, family: _core.Family) -> None:
        self.ground, self.family = ground, family

    def count(self) -> int:
        """The exact number of terms. Cost: a pass over the diagram, once."""
        return int.from_bytes(self.family.count(), "little")

    def __len__(self) -> int:
        if self.count() > sys.maxsize:
            raise OverflowError("the set is too large for len(); use .count()")
        return self.count()

    def __bool__(self) -> bool:
        return self.family.root != 0

    def __contains__(self, term: Any) -> bool:
        members = self.ground.members(term_of(self.ground.schema, term))
        return members is not None and self.family.contains(members)

    def __iter__(self) -> Iterator[Term]:
        """Shortest first and lazily: the first of 10^20 terms comes at once."""
        if self.count() > _SORTED:
            return self.cheapest({})
        return iter(self._sorted)

    @cached_property
    def _sorted(self) -> list[Term]:
        return sorted(self.cheapest({}), key=_reading_order)

    def cheapest(self, costs: Mapping[str, float]) -> Iterator[Term]:
        """The terms, cheapest first; a feature costs 1 unless `costs` says otherwise.

        Cost: O(features) a term, and memory that grows with the terms passed.
        """
        for members in self._enumerated(self._costs(costs)):
            yield self.ground.term(members)

    def _costs(self, costs: Mapping[str, float]) -> list[tuple[float, float]]:
        return self.ground.costs(self.ground.schema.costs(costs))

    def _enumerated(self, costs: list[tuple[float, float]]) -> Iterator[Variables]:
        enumeration = _core.Enumeration(self.family, costs)
        most = 1
        while members := enumeration.next(most):
            yield from members
            most = min(2 * most, _CHUNK)

    def shortest(self) -> Term:
        """One of the shortest."""
        for members in self._enumerated(self._costs({})):
            return self.ground.term(members)
        raise InputError("the set is empty, so it has no shortest term")

    def all_shortest(self) -> "TermSet":
        """All of the shortest. Cost: a pass over the diagram."""
        flat = [(cost, 0.0) for cost, _ in self.ground.costs({})]
        return self._made(self.family.cheapest(flat, native_budget(None)))

    def sample(self, rng: Any = None) -> Term:
        """A uniform sample. Cost: O(features), after one pass."""
        if not self:
            raise InputError("the set is empty, so there is nothing to sample")
        rank = random_source(rng).randrange(self.count())
        members = self.family.member_at(rank.to_bytes((rank.bit_length() + 7) // 8, "little"))
        return self.ground.term(members)

    def containing(self, *names: str) -> "TermSet":
        """The terms that mention all of these features."""
        return self._restricted(names, True)

    def without(self, *names: str) -> "TermSet":
        """The terms that mention none of these features."""
        return self._restricted(names, False)

    def _restricted(self, names: Iterable[str], mentioned: bool) -> "TermSet":
        family = self.family
        for index in self.ground.schema.indices(names):
            group = self.ground.mentioning(index)
            family = family.restricted(group, mentioned, native_budget(None))
        return self._made(family)

    def _made(self, family: _core.Family) -> "TermSet":
        return TermSet(self.ground, family)

    def share(self) -> dict[str, float]:
        """For each feature, the fraction of the terms that mention it; 1.0 only if all do.

        Cost: a pass over the diagram a feature.
        """
        total = self.count()
        if not total:
            return dict.fromkeys(self.ground.schema.names, 0.0)
        shares = {}
        for index, name in enumerate(self.ground.schema.names):
            group = self.ground.mentioning(index)
            without = int.from_bytes(self.family.count_without(group), "little")
            shares[name] = _floored(Fraction(total - without, total))
        return shares

    def sizes(self) -> dict[int, int]:
        """How many terms there are of each length, exactly."""
        counts = self.family.sizes(self.ground.counted, native_budget(None))
        numbers = [int.from_bytes(number, "little") for number in counts]
        return {size: number for size, number in enumerate(numbers) if number}

    def __or__(self, other: "TermSet") -> "TermSet":
        return self._combined(other, 1)

    def __and__(self, other: "TermSet") -> "TermSet":
        return self._combined(other, 2)

    def __sub__(self, other: "TermSet") -> "TermSet":
        return self._combined(other, 3)

    def _combined(self, other: "TermSet", how: int) -> "TermSet":
        if not isinstance(other, TermSet):
            return NotImplemented
        if self.ground != other.ground:
            raise InputError("only sets of one kind of terms about one instance can be combined")
        return self._made(self.family.combined(other.family, how, native_budget(None)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TermSet):
            return NotImplemented
        if self.count() != other.count():
            return False
        mine, yours = self.ground, other.ground
        if mine.schema != yours.schema or mine.excludes != yours.excludes:
            return self._equals_listed(other)
        if set(mine.variables) != set(yours.variables):
            return self._equals_listed(other)
        renamed = [mine.number[variable] for variable in yours.variables]
        same = other.family.reordered(renamed, len(renamed), native_budget(None))
        return not self - self._made(same)

    def _equals_listed(self, other: "TermSet") -> bool:
        """Whether two sets over different features have equal terms."""
        if self.count() > _MOST_LISTED:
            raise InputError("the sets have different features and are too large to be compared")
        return set(self) == set(other)

    __hash__ = None  # type: ignore[assignment]

    def to_arrow(self, rows: int = 65_536) -> Iterator[Any]:
        """The terms as Arrow record batches, a column a feature, null where not mentioned.

        Shortest first, lazily; values as text. Needs pyarrow.
        """
        if rows < 1:
            raise InputError("{option} must be a positive number", option=Option("rows", rows))
        return self._batches(rows)

    def _batches(self, rows: int) -> Iterator[Any]:
        import pyarrow

        names = self.ground.schema.names
        schema = pyarrow.schema([(name, pyarrow.string()) for name in names])
        terms = self.cheapest({})
        while chunk := list(islice(terms, rows)):
            columns = [[_value(term, name) for term in chunk] for name in names]
            arrays = [pyarrow.array(column, pyarrow.string()) for column in columns]
            yield pyarrow.record_batch(arrays, schema=schema)

    def __reduce__(self) -> tuple[Any, ...]:
        family = self.family
        return (_restored, (self.ground, family.variables, family.to_nodes(), family.root))

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, most: int = 20) -> list[str]:
        """The first few terms as text, and the number of others."""
        shown = [str(term) for term in islice(self, most)]
        more = self.count() - len(shown)
        return [*shown, *([f"... and {more:,} more"] if more else [])]

    def _repr_html_(self) -> str:
        shares = sorted(self.share().items(), key=lambda item: -item[1])
        used = [(name, share) for name, share in shares if share]
        shown = html.bullets(self.lines(8), numbered=True)
        return html.boxed(html.heading(plural(self.count(), "term")), shown, html.bars(used[:12]))

    def __repr__(self) -> str:
        shown = "; ".join(f"({term})" for term in islice(self, 4))
        more = "; ..." if self.count() > 4 else ""
        return f"<{plural(self.count(), 'term')}: {shown}{more}>"


def _restored(ground: Ground, variables: int, nodes: bytes, root: int) -> TermSet:
    return TermSet(ground, _core.Family.from_nodes(variables, nodes, root))


def _reading_order(term: Term) -> tuple[int, list[tuple[int, list[int]]]]:
    """Short before long, then by feature, then by value."""
    return len(term), [(feature, sorted(cells)) for feature, cells in term.limits.items()]


def _value(term: Term, name: str) -> str | None:
    return str(term[name]) if name in term else None


def _floored(share: Fraction) -> float:
    """A float that is 1.0 or 0.0 only where the fraction is."""
    value = float(share)
    if value == 1.0 and share != 1:
        return 1.0 - 2**-53
    return value if value or not share else 5e-324

"""A TermSet beside the plain set of its members: every method says the same of both."""

import pickle
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random

import reasons
from reasons.features.schema import Schema

Member = frozenset[tuple[str, frozenset[int]]]
"""A term: the cells that each feature it mentions may take."""
Members = frozenset[Member]


def said(term: reasons.Term) -> Member:
    return frozenset(term.cells().items())


def names_of(member: Member) -> set[str]:
    return {name for name, _ in member}


def saying(share: Mapping[str, float], value: float) -> set[str]:
    """The features with a share."""
    return {name for name, own in share.items() if own == value}


def same(terms: reasons.TermSet, wanted: Members, rng: Random) -> None:
    """Assert that the set has exactly these members, through every method it has."""
    features = terms.ground.schema
    names = [feature.name for feature in features]
    _listed(terms, wanted)
    _asked(terms, wanted, features, rng)
    _cheapest(terms, wanted, {name: rng.choice([1, 2, 3, 5, 0.5]) for name in names})
    _cut(terms, wanted, rng.sample(names, rng.randrange(len(names) + 1)))
    _combined(terms, wanted, rng.choice(names) if names else None)
    _written(terms, wanted, names, rng.randrange(1, 4))


def _listed(terms: reasons.TermSet, wanted: Members) -> None:
    listed = list(terms)
    assert frozenset(map(said, listed)) == wanted
    assert len(listed) == len(wanted) == terms.count() == len(terms)
    assert bool(terms) == bool(wanted)
    lengths = [len(term) for term in listed]
    assert lengths == sorted(lengths)
    assert terms.sizes() == Counter(lengths)
    again = [len(term) for term in terms.cheapest({})]
    assert again == lengths


def _asked(terms: reasons.TermSet, wanted: Members, features: Schema, rng: Random) -> None:
    for member in wanted:
        cells = dict(member)
        term = {
            feature.name: frozenset(feature.values[cell] for cell in cells[feature.name])
            for feature in features
            if feature.name in cells
        }
        assert term in terms
        for name in term:
            fewer = {other: value for other, value in term.items() if other != name}
            assert fewer not in terms
    for _ in range(4):
        random = {f.name: rng.choice(f.values) for f in features if rng.random() < 0.6 and f.values}
        drawn = frozenset((n, features[features.index(n)].cells_of(v)) for n, v in random.items())
        assert (random in terms) == (drawn in wanted)
    total = len(wanted)
    share = {f.name: sum(f.name in names_of(m) for m in wanted) for f in features}
    assert terms.share() == {
        name: float(Fraction(number, total)) if total else 0.0 for name, number in share.items()
    }
    if wanted:
        assert said(terms.sample(rng)) in wanted


def _cheapest(terms: reasons.TermSet, wanted: Members, costs: Mapping[str, float]) -> None:
    listed = list(terms.cheapest(costs))
    assert frozenset(map(said, listed)) == wanted
    assert len(listed) == len(wanted)
    paid = [sum(costs[name] for name in term) for term in listed]
    assert paid == sorted(paid)
    if wanted:
        least = min(map(len, wanted))
        assert said(terms.shortest()) in wanted
        assert len(terms.shortest()) == least
        shortest = frozenset(member for member in wanted if len(member) == least)
        assert frozenset(map(said, terms.all_shortest())) == shortest


def _cut(terms: reasons.TermSet, wanted: Members, chosen: list[str]) -> None:
    found = terms.containing(*chosen)
    inside = frozenset(m for m in wanted if names_of(m) >= set(chosen))
    assert frozenset(map(said, found)) == inside
    assert found.count() == len(inside)
    found = terms.without(*chosen)
    outside = frozenset(m for m in wanted if not names_of(m) & set(chosen))
    assert frozenset(map(said, found)) == outside
    assert found.count() == len(outside)


def _combined(terms: reasons.TermSet, wanted: Members, name: str | None) -> None:
    assert terms | terms == terms & terms == terms
    assert not terms - terms
    if name is None:
        return
    one, other = terms.containing(name), terms.without(name)
    assert one | other == terms
    assert not one & other
    assert terms - one == other
    assert terms - other == one
    assert (one == other) == (not wanted)
    shortest = terms.all_shortest()
    lengths = {len(member) for member in wanted}
    part = frozenset(m for m in wanted if len(m) == min(lengths) or name in names_of(m))
    assert frozenset(map(said, one | shortest)) == part
    part = frozenset(m for m in wanted if len(m) == min(lengths) and name in names_of(m))
    assert frozenset(map(said, one & shortest)) == part


def _written(terms: reasons.TermSet, wanted: Members, names: list[str], rows: int) -> None:
    back = pickle.loads(pickle.dumps(terms))
    assert back == terms
    assert frozenset(map(said, back)) == wanted
    batches = list(terms.to_arrow(rows))
    assert sum(batch.num_rows for batch in batches) == len(wanted)
    assert all(batch.num_rows == rows for batch in batches[:-1])
    assert all(batch.schema.names == names for batch in batches)
    rows_ = [row for batch in batches for row in batch.to_pylist()]
    written = Counter(frozenset((n, v) for n, v in row.items() if v is not None) for row in rows_)
    assert written == Counter(frozenset((n, str(v)) for n, v in t.items()) for t in terms)
    lengths = [sum(value is not None for value in row.values()) for row in rows_]
    assert lengths == sorted(lengths)

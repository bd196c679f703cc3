"""Of equally cheap changes, one to ordinary values: nobody can be advised to go missing.

Missing and `<other>` are cells like any other to the core, and may be the nearest ones. Where
some change of the same cost does without them, that one is taken.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from reasons import _core
from reasons.errors import BudgetExceeded
from reasons.features.feature import Feature
from reasons.features.values import Special, is_missing
from reasons.search.backend import Trees
from reasons.search.union import Form

_MOST_ASKED = 16  # features kept from missing one by one, where not all of them can be
_MOST_CELLS = 2_000

Cells = Sequence[int]
Found = tuple[list[int], float]  # the changed instance, and what it costs
Allowed = Mapping[int, Cells]


def is_ordinary(feature: Feature, cell: int) -> bool:
    """Whether a cell is of values that are there, and known to the model."""
    value = feature.values[cell]
    return not isinstance(value, Special) and not is_missing(value)


def ordinary(
    form: Form,
    own: Cells,
    label: int,
    found: Found,
    allowed: Allowed,
    costs: Sequence[float],
    wanted: int | None,
) -> Found:
    """A change as cheap as the found one, without missing and other values where there is one.

    `allowed` says the cells of every feature. Of circuits the nearest such, whichever features it
    changes; by search one of the same features, the nearest if that is one feature. Cost: a
    question for a change for each feature that must be missing.
    """
    if isinstance(form, Trees):
        with suppress(BudgetExceeded):
            return _searched(form, own, label, found[0], allowed), found[1]
        return found
    if not list(_odd(form, own, found[0])):
        return found
    every = {f for f in range(len(own)) if len(_kept(form, own, allowed, f)) < len(allowed[f])}
    barred, asked = frozenset[int](), set[int]()
    ways = [frozenset(every)]
    while ways and len(asked) <= _MOST_ASKED:
        tried = ways.pop()
        limits = {**allowed, **{f: _kept(form, own, allowed, f) for f in tried}}
        narrow = [(f, c) for f, c in limits.items() if len(c) < len(form.schema[f].values)]
        other = form.cheapest_change(own, label, narrow, costs, wanted)
        if other is not None and other[1] <= found[1]:
            found, barred = other, tried
        left = [f for f in _odd(form, own, found[0]) if f not in asked]
        if left:
            asked.add(left[0])
            ways = [barred | {left[0]}]
    return found


def _kept(form: Form, own: Cells, allowed: Allowed, feature: int) -> list[int]:
    """The ordinary cells that are allowed, and the instance's own."""
    schema = form.schema[feature]
    return [c for c in allowed[feature] if c == own[feature] or is_ordinary(schema, c)]


def _odd(form: Form, own: Cells, cells: Cells) -> Iterator[int]:
    """The features that a change makes missing or other."""
    for feature, (new, old) in enumerate(zip(cells, own, strict=True)):
        if new != old and not is_ordinary(form.schema[feature], new):
            yield feature


def _searched(form: Trees, own: Cells, label: int, found: list[int], allowed: Allowed) -> list[int]:
    """The same features changed to ordinary values; what was found where there are none."""
    given_up = [f for f, (new, old) in enumerate(zip(found, own, strict=True)) if new != old]
    cells = {f: [c for c in _kept(form, own, allowed, f) if c != own[f]] for f in given_up}
    if len(given_up) == 1:
        return _nearest(form, own, label, found, given_up[0], cells[given_up[0]])
    if not all(cells.values()) or not list(_odd(form, own, found)):
        return found
    limits = {f: cells.get(f, [cell]) for f, cell in enumerate(own)}
    return form.other(own, label, limits, form.limit) or found


def _nearest(
    form: Trees, own: Cells, label: int, found: list[int], feature: int, cells: Cells
) -> list[int]:
    for cell in sorted(cells, key=lambda c: abs(c - own[feature]))[:_MOST_CELLS]:
        changed = [*own[:feature], cell, *own[feature + 1 :]]
        if _core.decide(form.native, changed) not in (label, _core.IMPOSSIBLE):
            return changed
    return found

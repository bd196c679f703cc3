"""Plain witnesses: few changes, and values that the model has seen.

Each step decides the changed instances and keeps only witnesses, so none becomes wrong. The number
of changes is not minimal, which would take a search: of up to 64 changes, none can be left out
alone. If no instance between a pair is impossible, one feature is enough: the label changes
somewhere on the way.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise

from reasons import _core
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.values import MISSING, OTHER

Cells = tuple[int, ...]
Pair = tuple[Cells, Cells]
Decide = Callable[[Cells], int]

_MOST_TRIED = 64  # features one by one; values in place of one that is missing or never seen


def plain_pair(schema: Schema, decide: Decide, pair: Pair) -> Pair:
    """A pair that differs on some of the same features, if possible on fewer and in seen values.

    Cost: decisions, one for each feature on which it differs, but logarithmically many above 64;
    then up to 64 for each value that is missing or was never seen.
    """
    pair, before = _closer(schema, decide, pair), None
    many = [feature for feature, own in enumerate(schema) if own.kind != "boolean"]
    while pair != before:  # each round has fewer changes or more seen values
        before = pair
        for feature in many:
            pair = _plainer(schema[feature], feature, decide, pair)
        pair = pair[0], _fewer(decide, pair)  # a change may be superfluous now
        pair = _fewer(decide, (pair[1], pair[0])), pair[1]
    return pair


def plain_change(
    schema: Schema, decide: Decide, pair: Pair, alone: Callable[[], Iterator[Cells | None]]
) -> Cells:
    """The second of a pair, moved closer to the first; `alone` are changes of one feature.

    Cost: the same, and up to 64 calls of `alone` if several changes or an unseen value remain.
    """
    first = pair[0]
    best = _plainer_change(schema, decide, (first, _fewer(decide, pair)))
    if len(_changed(first, best)) == 1 and _is_plain(schema, first, best):
        return best
    singles = (
        _plainer_change(schema, decide, (first, c)) for c in islice(alone(), _MOST_TRIED) if c
    )
    ranked = [best]
    for single in singles:
        if _is_plain(schema, first, single):
            return single
        ranked.append(single)
    return min(ranked, key=lambda cells: len(_changed(first, cells)))


def _plainer_change(schema: Schema, decide: Decide, pair: Pair) -> Cells:
    for feature in _changed(*pair):
        pair = _plainer(schema[feature], feature, decide, pair, sides=(1,))
    return _fewer(decide, pair)


def _changed(one: Cells, other: Cells) -> list[int]:
    return [f for f, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]


def _is_plain(schema: Schema, one: Cells, other: Cells) -> bool:
    return not any(_is_special(schema[f], other[f]) for f in _changed(one, other))


def _is_special(feature: Feature, cell: int) -> bool:
    return feature.values[cell] is OTHER or feature.values[cell] is MISSING


def _apart(decide: Decide, pair: Pair) -> bool:
    labels = [decide(cells) for cells in pair]
    return labels[0] != labels[1] and _core.IMPOSSIBLE not in labels


def _closer(schema: Schema, decide: Decide, pair: Pair) -> Pair:
    """The plainest step, on a walk from one of a pair to the other, that changes the label."""
    while len(_changed(*pair)) > _MOST_TRIED:
        middle = _halfway(*pair)
        halves = [half for half in ((pair[0], middle), (middle, pair[1])) if _apart(decide, half)]
        if not halves:
            return pair  # the middle is impossible
        pair = halves[0]
    allowed = [cells for cells in _walked(*pair) if decide(cells) != _core.IMPOSSIBLE]
    turns = [step for step in pairwise(allowed) if _apart(decide, step)]
    one, other = min(turns, key=lambda turn: _strangeness(schema, turn))
    return one, _fewer(decide, (one, other))


def _halfway(one: Cells, other: Cells) -> Cells:
    changed = _changed(one, other)
    cells = list(one)
    for feature in changed[: len(changed) // 2]:
        cells[feature] = other[feature]
    return tuple(cells)


def _walked(one: Cells, other: Cells) -> list[Cells]:
    """The instances from one to the other, a feature at a time."""
    walk = [one]
    for feature in _changed(one, other):
        walk.append(_with(walk[-1], feature, other[feature]))
    return walk


def _strangeness(schema: Schema, pair: Pair) -> tuple[int, int]:
    changed = _changed(*pair)
    return len(changed), sum(_is_special(schema[f], c[f]) for f in changed for c in pair)


def _fewer(decide: Decide, pair: Pair) -> Cells:
    """The second of a pair, without the changes that can be left out one by one."""
    one, other = pair
    again = len(_changed(one, other)) <= _MOST_TRIED
    while again:
        again = False
        for feature in _changed(one, other):
            tried = _with(other, feature, one[feature])
            if _apart(decide, (one, tried)):
                other, again = tried, True
    return other


def _plainer(
    feature: Feature, at: int, decide: Decide, pair: Pair, sides: Sequence[int] = (0, 1)
) -> Pair:
    """The pair with a seen value in place of a missing or other one, if that is a witness."""
    if pair[0][at] == pair[1][at]:
        if len(sides) < 2 or not _is_special(feature, pair[0][at]):
            return pair
        tries = ((_with(pair[0], at, c), _with(pair[1], at, c)) for c in _seen(feature))
        return next((new for new in tries if _apart(decide, new)), pair)
    for side in sides:
        if _is_special(feature, pair[side][at]):
            tries = (_on_side(pair, side, at, cell) for cell in _seen(feature))
            pair = next((new for new in tries if _apart(decide, new)), pair)
    return pair


def _on_side(pair: Pair, side: int, at: int, cell: int) -> Pair:
    new = _with(pair[side], at, cell)
    return (pair[0], new) if side else (new, pair[1])


def _seen(feature: Feature) -> Iterator[int]:
    """The cells of seen values; of very many, evenly spread ones."""
    cells = [cell for cell in range(len(feature.values)) if not _is_special(feature, cell)]
    return iter(cells[:: max(1, -(-len(cells) // _MOST_TRIED))])


def _with(cells: Cells, feature: int, cell: int) -> Cells:
    return (*cells[:feature], cell, *cells[feature + 1 :])

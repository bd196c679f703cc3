"""Changes of an instance: as users write them, and all of one feature with the same effect."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reasons.budget import Budget
from reasons.errors import InputError
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.terms import Instance, Term, parse_term, term_of
from reasons.features.values import Interval, Special

if TYPE_CHECKING:
    from reasons.decision import Decision

_MOST_TRIES = 2_000
_MOST_SEARCHED = 100
_MOST_CELLS = 5
_MOST_WORK = 2_000_000  # nodes passed while all values of a feature are tried
_MOST_RUNS = 3


def property_of(schema: Schema, instance: Instance, term: Any) -> Term:
    """A term that is true of the instance, or `InputError`."""
    known = term_of(schema, term)
    for feature, cells in known.limits.items():
        if instance.cells[feature] not in cells:
            name = schema[feature].name
            raise InputError(
                "{characteristic} is not true of the instance, where {feature} is {value}",
                characteristic=schema[feature].says(cells),
                feature=name,
                value=instance[name],
            )
    return known


def replaced_values(schema: Schema, instance: Instance, change: Any) -> dict[str, Any]:
    """The raw values of an instance after a change; each new value must be in another cell."""
    values = dict(instance)
    for name, value in _new_values(schema, change).items():
        index = schema.index(name)
        if schema[index].cell(value) == instance.cells[index]:
            raise InputError(
                "{feature} = {value} does not change the instance", feature=name, value=value
            )
        values[name] = value
    return values


def _new_values(schema: Schema, change: Any) -> Mapping[str, Any]:
    if isinstance(change, str):
        parsed = parse_term(schema, change)
        for feature, (cells, _) in parsed.items():
            if len(cells) != 1:
                raise InputError(
                    "a change needs one value for {feature}", feature=schema[feature].name
                )
        return {schema[f].name: raw for f, (_, raw) in parsed.items()}
    if not isinstance(change, Mapping):
        raise InputError("a change is a mapping or a text, not {type}", type=type(change).__name__)
    return change


def flipping(d: "Decision", index: int, cell: int) -> list[int]:
    """The cells of one feature that, all else equal, give the same label as one of them.

    Missing and other values are left out if that one is ordinary. Of many runs of neighbours,
    the run around it and the longest are taken. Cost: O(depth) a cell, for 2,000 cells around it.
    """
    feature = d.classifier.features[index]
    if isinstance(feature.values[cell], Special):
        return [cell]
    wanted = _label(d, index, cell)
    start = max(0, min(cell - _MOST_TRIES // 2, len(feature.values) - _MOST_TRIES))
    near = range(start, min(start + _MOST_TRIES, len(feature.values)))
    ordinary = [c for c in near if not isinstance(feature.values[c], Special)]
    alike = [c for c in ordinary if c == cell or _label(d, index, c) == wanted]
    return alike if feature.kind != "numeric" else _main_runs(alike, cell)


def _label(d: "Decision", index: int, cell: int) -> int:
    own = d.instance.cells
    return d.classifier.backend.decide([*own[:index], cell, *own[index + 1 :]])


def _main_runs(cells: list[int], cell: int) -> list[int]:
    runs: list[list[int]] = []
    for each in cells:
        if runs and runs[-1][-1] == each - 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    if len(runs) > _MOST_RUNS:
        runs = [run for run in runs if cell in run or run is max(runs, key=len)]
    return [each for run in runs for each in run]


class EvenIf:
    """Cells of a feature after which one sufficient reason remains, the same for all of them.

    `whatever` says that this holds for every other possible value. `changed` is one such decision.
    """

    def __init__(self, index: int, reason: Term, changed: "Decision") -> None:
        self.index, self.reason, self.changed = index, reason, changed
        self.cells: list[int] = []
        self.whatever = False


def even_ifs(d: "Decision", budget: Budget) -> Iterator[EvenIf]:
    """For each feature, the changes of it alone after which a single other reason remains."""
    left = _MOST_TRIES if d.classifier.backend.one_pass else _MOST_SEARCHED
    for index, feature in enumerate(d.classifier.features):
        if feature.name in d.necessary_property:
            continue
        cells = _candidate_cells(d, feature)
        groups, others = _groups(d, index, cells[:left], budget)
        if len(groups) == 1 and not others and len(cells) == len(feature.values) <= left:
            groups[0].whatever = len(groups[0].cells) > 1
        yield from _readable(d, feature, groups)
        left -= len(cells)
        if left <= 0 or budget.seconds_left == 0:
            return


def _readable(d: "Decision", feature: Feature, groups: list[EvenIf]) -> list[EvenIf]:
    """All groups; of a number with many cells the two largest, each as few intervals."""
    if feature.kind != "numeric" or len(feature.values) <= _MOST_CELLS:
        return groups
    for group in groups:
        own = d.instance.cells[group.index]
        if group.reason == d.necessary_reason and {own - 1, own + 1} & {*group.cells}:
            group.cells = sorted([*group.cells, own])  # same effect; closes the gap
        group.cells = _main_runs(group.cells, group.cells[0])
    largest = sorted(groups, key=lambda group: -len(group.cells))[:2]
    return [group for group in groups if group in largest]


def _groups(
    d: "Decision", index: int, cells: Sequence[int], budget: Budget
) -> tuple[list[EvenIf], bool]:
    """The changes by their only reason, and whether some changes have none."""
    groups: dict[Term, EvenIf] = {}
    others = False
    for cell in cells:
        if budget.seconds_left == 0:
            return list(groups.values()), True
        changed = None if cell == d.instance.cells[index] else d._after(index, cell)
        if changed is None:
            continue
        reason = changed.necessary_reason if changed.label == d.label else None
        if not reason or d.classifier.features[index].name in reason:
            others = True
            continue
        groups.setdefault(reason, EvenIf(index, reason, changed)).cells.append(cell)
    return list(groups.values()), others


def _candidate_cells(d: "Decision", feature: Feature) -> Sequence[int]:
    """The cells to try: all where that is quick, else the lowest, the highest, and missing.

    Trained models cut a number into hundreds of cells.
    """
    cells = range(len(feature.values))
    if feature.kind != "numeric" or len(cells) <= _MOST_CELLS or _is_quick(d, len(cells)):
        return cells
    numbers = [cell for cell in cells if isinstance(feature.values[cell], Interval)]
    return [numbers[0], numbers[-1], *cells[len(numbers) :]]


def _is_quick(d: "Decision", cells: int) -> bool:
    circuit = d.classifier.backend.compiled_circuit
    return circuit is not None and cells * len(circuit) <= _MOST_WORK

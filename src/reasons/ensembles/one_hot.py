"""One-hot groups: 0/1 columns as the categorical feature that they encode."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy

from reasons.ensembles.inputs import InputColumn, Inputs, Rows, Table, Values
from reasons.ensembles.ir import Column, Test
from reasons.errors import InputError
from reasons.features.values import MISSING, Special
from reasons.text import comma_list


def grouped(inputs: Inputs, groups: Mapping[str, Sequence[str]]) -> Inputs:
    """The inputs with each group of 0/1 columns as one category.

    Its values are the names of its columns without their common prefix; *other* means that all are
    0. Two ones are impossible by construction.
    """
    return _Grouped(inputs, groups).inputs() if groups else inputs


class _Grouped:
    """Groups columns; `members[i]` are the old columns of new column i."""

    def __init__(self, old: Inputs, groups: Mapping[str, Sequence[str]]) -> None:
        self.old = old
        place = {column.name: at for at, column in enumerate(old.columns)}
        group_of = {at: name for name, at in _members(old, groups, place)}
        self.columns: list[InputColumn] = []
        self.members: list[list[int]] = []
        made: set[str] = set()
        for at, column in enumerate(old.columns):
            name = group_of.get(at)
            if name is None:
                self._add(column, [at])
            elif name not in made:
                made.add(name)
                self._add(
                    InputColumn(name, _values(groups[name])), [place[m] for m in groups[name]]
                )
        self.of = {at: new for new, members in enumerate(self.members) for at in members}

    def _add(self, column: InputColumn, members: list[int]) -> None:
        if any(column.name == known.name for known in self.columns):
            raise InputError(f"groups: there is a column {column.name!r} already")
        self.columns.append(column)
        self.members.append(members)

    def inputs(self) -> Inputs:
        return replace(
            self.old,
            columns=tuple(self.columns),
            source=tuple(self.of[at] for at in self.old.source),
            image=self._image,
            accepts=self._accepts,
            predict=self._predict if self.old.predict else None,
            guess=self._guess if self.old.guess else None,
        )

    def _is_group(self, new: int) -> bool:
        return self.columns[new] is not self.old.columns[self.members[new][0]]

    def _ones(self, new: int, value: Any) -> list[Any]:
        """The values of the old columns where a new one has this value."""
        if not self._is_group(new):
            return [value]
        return [float(value == category) for category in self.columns[new].categories or ()]

    def _image(self, at: int, values: Values, wanted: Sequence[int]) -> Table:
        if not self._is_group(at):
            return self.old.image(self.members[at][0], values, wanted)
        rows = numpy.array([self._ones(at, value) for value in values])
        made = []
        for column in wanted:
            member = self.old.source[column]
            ones = rows[:, self.members[at].index(member)]
            made.append(self.old.image(member, ones, [column])[:, 0])
        return numpy.array(made, dtype=float).T

    def _guess(self, at: int, values: Values, wanted: Sequence[int]) -> Table:
        assert self.old.guess is not None
        return self.old.guess(self.members[at][0], values, wanted)

    def _accepts(self, at: int, value: Special) -> bool:
        if self._is_group(at):
            return value is not MISSING
        return self.old.accepts(self.members[at][0], value)

    def _predict(self, rows: Rows) -> Sequence[Any]:
        assert self.old.predict is not None
        wide = []
        for row in rows:
            values: list[Any] = [None] * len(self.old.columns)
            for new, value in enumerate(row):
                ones = self._ones(new, value)
                for member, one in zip(self.members[new], ones, strict=True):
                    values[member] = one
            wide.append(values)
        return self.old.predict(wide)


def _members(
    old: Inputs, groups: Mapping[str, Sequence[str]], place: Mapping[str, int]
) -> Iterable[tuple[str, int]]:
    met: dict[str, str] = {}
    for name, members in groups.items():
        if isinstance(members, str) or len(members) < 1:
            raise InputError(f"groups: {name!r} needs a list of columns")
        for member in members:
            if member not in place:
                raise InputError(
                    f"groups: {name!r} names the column {member!r}, which does not exist; "
                    f"the columns are: {comma_list(place)}"
                )
            if member in met:
                raise InputError(f"groups: column {member!r} is in {met[member]!r} and {name!r}")
            if old.columns[place[member]].categories is not None:
                raise InputError(f"groups: column {member!r} is not 0 or 1 but a category")
            met[member] = name
            yield name, place[member]


def _values(members: Sequence[str]) -> tuple[str, ...]:
    """The names without their common prefix, up to a separator."""
    first, last = min(members), max(members)
    length = next(
        (i for i, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), 0
    )
    shared = first[:length] if len(members) > 1 else first
    cut = max(shared.rfind(sign) for sign in "_=.:- ") + 1
    return tuple(member[cut:] for member in members)


def one_hot_suspects(columns: Sequence[Column], tests: Iterable[Test]) -> list[list[str]]:
    """Columns that look one-hot: a common prefix, and all tests at one point in 0..1.

    >>> names = [Column("job_clerk"), Column("job_nurse"), Column("job_age")]
    >>> one_hot_suspects(names, [Test(0, 0.5), Test(1, 0.5), Test(2, 37.5)])
    [['job_clerk', 'job_nurse']]
    """
    points: dict[int, set[float]] = {}
    for test in tests:
        if columns[test.column].categories is None:
            points.setdefault(test.column, set()).add(test.threshold)
    alike: dict[str, list[str]] = {}
    for at in sorted(points):
        name = columns[at].name
        cut = max(name.rfind("_"), name.rfind("="))
        if cut > 0 and len(points[at]) == 1 and 0 <= next(iter(points[at])) <= 1:
            alike.setdefault(name[: cut + 1], []).append(name)
    return [names for names in alike.values() if len(names) > 1]

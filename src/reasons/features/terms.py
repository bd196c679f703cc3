"""Terms and instances: properties of instances, read and printed in the user's names."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from reasons.errors import InputError, ParseError
from reasons.features.feature import Feature
from reasons.features.grammar.condition_parser import parse_conjunction
from reasons.features.grammar.conditions import Characteristic, Value
from reasons.features.grammar.semantics import characteristic_cells, raw_value
from reasons.features.grammar.tokens import quoted_name
from reasons.features.schema import Schema
from reasons.features.values import is_missing
from reasons.render import html
from reasons.text import comma_list

Cells = Mapping[int, Collection[int]]


class Term(Mapping[str, Any]):
    """A set of characteristics: an immutable, hashable mapping from feature name to value.

    In general terms a value is a set of values or an interval. Equal to any mapping
    with the same items.

    >>> schema = Schema(["E", "F"])
    >>> print(Term(schema, {0: {1}, 1: {0}}))
    E, ~F
    """

    __slots__ = ("_cells", "_schema", "_values")

    def __init__(self, schema: Schema, cells: Cells) -> None:
        self._schema = schema
        self._cells = {f: frozenset(cells[f]) for f in sorted(cells)}
        self._values = {schema[f].name: schema[f].merged(c) for f, c in self._cells.items()}

    @classmethod
    def of_parts(
        cls, schema: Schema, parts: Sequence[tuple[int, frozenset[int], str, Any]]
    ) -> "Term":
        """The term of (feature, cells, name, value), in feature order; for making many."""
        term = cls.__new__(cls)
        term._schema = schema
        term._cells = {feature: cells for feature, cells, _, _ in parts}
        term._values = {name: value for _, _, name, value in parts}
        return term

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __str__(self) -> str:
        return ", ".join(self._schema[f].says(c) for f, c in self._cells.items()) or "(nothing)"

    def __repr__(self) -> str:
        return f"Term({str(self) if self else ''})"

    def _repr_html_(self) -> str:
        return html.boxed(html.code(str(self)))

    def cells(self) -> dict[str, frozenset[int]]:
        """The allowed cells of each feature the term mentions, as indices into its values."""
        return {self._schema[f].name: cells for f, cells in self._cells.items()}

    @property
    def limits(self) -> dict[int, frozenset[int]]:
        """The same by feature number: what the core takes."""
        return dict(self._cells)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Term, (self._schema, self._cells))


class Instance(Mapping[str, Any]):
    """One raw value for every feature, and the cells they fall into."""

    __slots__ = ("_raw", "_schema", "cells")

    def __init__(self, schema: Schema, raw: Sequence[Any], cells: Sequence[int]) -> None:
        self._schema = schema
        self._raw = dict(zip(schema.names, raw, strict=True))
        self.cells = tuple(cells)

    @classmethod
    def of_cells(cls, schema: Schema, cells: Sequence[int]) -> "Instance":
        """An instance with these cells, and a raw value in each."""
        raw = [feature.example(cell) for feature, cell in zip(schema, cells, strict=True)]
        return cls(schema, raw, cells)

    def __getitem__(self, name: str) -> Any:
        return self._raw[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def __str__(self) -> str:
        return ", ".join(_raw_text(f, self._raw[f.name]) for f in self._schema)

    def __repr__(self) -> str:
        return f"Instance({self})"

    def _repr_html_(self) -> str:
        return html.boxed(html.grid(("feature", "value"), self.texts()))

    def texts(self) -> list[tuple[str, str]]:
        """Each feature's name and its raw value as text."""
        return [(name, "missing" if is_missing(x) else str(x)) for name, x in self._raw.items()]

    def term(self, features: Iterable[int]) -> Term:
        """The characteristics of some features, by number."""
        return Term(self._schema, {feature: (self.cells[feature],) for feature in features})

    def changed(self, cells: Sequence[int]) -> "Instance":
        """The instance with other cells; values whose cell stays do not change.

        A number that changes becomes the nearest one in its new cell, up to unreadable digits.
        """
        raw = [
            old if new_cell == old_cell else feature.example(new_cell, near=old)
            for feature, old, old_cell, new_cell in zip(
                self._schema, self._raw.values(), self.cells, cells, strict=True
            )
        ]
        return Instance(self._schema, raw, cells)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Instance, (self._schema, list(self._raw.values()), self.cells))


def _raw_text(feature: Feature, value: Any) -> str:
    if feature.kind == "numeric" and not is_missing(value):
        return f"{quoted_name(feature.name)} = {value}"
    return feature.says((feature.cell(value),))


def instance_of(schema: Schema, given: Any) -> Instance:
    """An instance from a mapping, a sequence in feature order, a Series, or text.

    Every feature must be there once, with a value of its domain; the error names the
    feature and the value that is not.
    """
    if isinstance(given, Instance) and given._schema is schema:
        return given
    if hasattr(given, "columns"):
        raise InputError("expected one row, got a DataFrame: pass frame.iloc[0], or use predict")
    if isinstance(given, str):
        given = _instance_text(schema, given)
    if isinstance(given, Mapping) or (hasattr(given, "keys") and hasattr(given, "__getitem__")):
        values = _ordered(schema, given)
    else:
        values = _sequence(schema, given)
    cells = [feature.cell(value) for feature, value in zip(schema, values, strict=True)]
    return Instance(schema, values, cells)


def _ordered(schema: Schema, given: Any) -> list[Any]:
    """The values in feature order. A frame's row may have more columns, as frames do; a mapping
    may not: it was typed, and a name too many can be a misspelt one."""
    for name in given if isinstance(given, Mapping) else ():
        schema.index(name)
    absent = [name for name in schema.names if name not in given]
    if absent:
        raise InputError(f"the instance lacks a value for: {comma_list(absent)}")
    return [given[name] for name in schema.names]


def _sequence(schema: Schema, given: Any) -> list[Any]:
    try:
        values = None if isinstance(given, set | frozenset) else list(given)
    except TypeError:
        values = None
    if values is None:
        raise InputError(
            f"an instance is a mapping, a sequence or a text, not {type(given).__name__}"
        )
    if len(values) != len(schema):
        raise InputError(
            f"the instance has {len(values)} values, not one for each of the "
            f"{len(schema)} features: {comma_list(schema.names)}"
        )
    return values


def _instance_text(schema: Schema, text: str) -> dict[str, Any]:
    limits = parse_term(schema, text)
    values: dict[str, Any] = {}
    for feature, (cells, raw) in limits.items():
        if len(cells) != 1:
            raise InputError(f"an instance needs one value for {schema[feature].name!r}")
        values[schema[feature].name] = raw
    return values


def term_of(schema: Schema, given: Any) -> Term:
    """A term from a mapping, a text such as "E, ~F", or names of Boolean features that hold.

    `age = 50` is the cell of 50, which loses nothing: no decision tells its numbers apart.
    `age != 50` is refused unless 50 is alone in its cell, `job != pilot` unless it is listed:
    the rest of the cell would be left out with it.
    """
    if isinstance(given, Term) and given._schema is schema:
        return given
    if isinstance(given, str):
        return Term(schema, {f: cells for f, (cells, _) in parse_term(schema, given).items()})
    if not isinstance(given, Mapping):
        raise InputError(f"a term is a mapping or a text, not {type(given).__name__}")
    cells = {}
    for name, value in given.items():
        index = schema.index(name)
        feature = schema[index]
        many = isinstance(value, list | tuple | range)
        cells[index] = feature.cells_of(frozenset(value) if many else value)
    return Term(schema, cells)


def parse_term(schema: Schema, text: str) -> dict[int, tuple[frozenset[int], Any]]:
    """Per feature, the cells that a text such as `E, ~F, age > 25` leaves, and the raw value."""
    limits: dict[int, tuple[frozenset[int], Any]] = {}
    for found, negated in parse_conjunction(text, schema):
        index = schema.index(found.name)
        try:
            if index in limits:
                raise InputError(f"feature {found.name!r} is named twice")
            limits[index] = _cells_and_raw(schema[index], found, negated)
        except InputError as error:
            raise ParseError.at(found.at, text, str(error), "<term>") from None
    return limits


def _cells_and_raw(
    feature: Feature, found: Characteristic, negated: bool
) -> tuple[frozenset[int], Any]:
    """The cells that a characteristic leaves, and the raw value if it names one."""
    cells = characteristic_cells(feature, found, loose=True)
    if negated:
        cells = frozenset((0,))
    if not cells:
        raise InputError(f"feature {feature.name!r} has no value with `{found.text}`")
    value = found.members[0] if found.operator == "=" else None
    if isinstance(value, Value):
        return cells, raw_value(feature, value)
    return cells, feature.raw(next(iter(cells))) if len(cells) == 1 else None

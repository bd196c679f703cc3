"""Terms and instances: properties of instances, read and printed in the user's names."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from reasons.errors import InputError, ParseError
from reasons.features.feature import Feature, Schema
from reasons.features.values import MISSING, OTHER, Interval, is_missing, quoted, text_of
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

    def changed(self, cells: Sequence[int]) -> "Instance":
        """The instance with other cells; values whose cell stays are kept as they were.

        A number that changes becomes the nearest one in its new cell, but for digits nobody reads.
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
        return f"{quoted(feature.name)} = {value}"
    return feature.says((feature.cell(value),))


def instance_of(schema: Schema, given: Any) -> Instance:
    """An instance from a mapping, a sequence in feature order, a Series, or text.

    Every feature must be there once, with a value of its domain; the error names the
    feature and the value that is not.
    """
    if isinstance(given, Instance) and given._schema is schema:
        return given
    if hasattr(given, "columns"):
        raise InputError("a frame is no instance; give one row, as frame.iloc[0], or use predict")
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


_ITEM = re.compile(
    r"""\s*(?P<not>[~!]\s*|not\s+)?
    (?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<name>[^=<>,{}()\[\]"~!]+?))
    \s*(?:(?P<op><=|>=|!=|=|<|>|\bin\b|\bis\b)\s*(?P<value>.*?))?\s*$""",
    re.VERBOSE | re.DOTALL,
)


def parse_term(schema: Schema, text: str) -> dict[int, tuple[frozenset[int], Any]]:
    """Per feature, the cells that a text such as `E, ~F, age > 25` leaves, and the raw value."""
    limits: dict[int, tuple[frozenset[int], Any]] = {}
    for start, item in parts(text):
        if not item.strip():
            if len(text.strip()) == 0:
                break
            raise _error(text, start, "a characteristic is missing between two commas")
        index, cells, raw = _characteristic(schema, item, text, start)
        if index in limits:
            raise _error(text, start, f"feature {schema[index].name!r} is named twice")
        limits[index] = (cells, raw)
    return limits


def _error(text: str, start: int, message: str) -> ParseError:
    start += len(text[start:]) - len(text[start:].lstrip())
    return ParseError(message, source="<term>", line=1, column=start + 1, excerpt=text)


def parts(text: str, between: str = ",") -> Iterator[tuple[int, str]]:
    """The parts between signs that stand in no quotes or brackets, with their positions."""
    start = depth = 0
    quote = escaped = False
    for at, sign in enumerate(text):
        if escaped or (quote and sign == "\\"):
            escaped = not escaped
        elif sign == '"':
            quote = not quote
        elif not quote and sign in "([{":
            depth += 1
        elif not quote and sign in ")]}":
            depth -= 1
        elif sign == between and not quote and depth <= 0:
            yield start, text[start:at]
            start = at + 1
    yield start, text[start:]


def _characteristic(
    schema: Schema, item: str, text: str, start: int
) -> tuple[int, frozenset[int], Any]:
    match = _ITEM.match(item)
    if match is None:
        raise _error(text, start, f"cannot read {item.strip()!r} as a characteristic")
    name = match["name"].strip() if match["name"] else _unescaped(match["quoted"] or "")
    feature = schema[index := schema.index(name)]
    if match["op"] is None:
        if feature.kind != "boolean":
            raise _error(text, start, f"feature {name!r} needs a value: `{name} = ...`")
        raw: Any = not match["not"]
        return index, frozenset((int(raw),)), raw
    if match["not"]:
        raise _error(text, start, "a comparison cannot be negated")
    return index, *_compared(feature, match["op"], match["value"])


def _compared(feature: Feature, op: str, value: str) -> tuple[frozenset[int], Any]:
    """The cells that a comparison leaves, and the raw value if it names one."""
    if op == "=":
        raw = raw_from_text(feature, value)
        return frozenset((feature.cell(raw),)), raw
    if op == "is":
        op, value = _named(feature, value)
    if op == "is":
        cells = frozenset((feature.cell(raw_from_text(feature, value)),))
    elif op == "!=":
        cells = frozenset(range(len(feature.values))) - {_only_cell(feature, value)}
    elif op == "in" and value.startswith("{") and value.endswith("}"):
        members = [part.strip() for _, part in parts(value[1:-1])]
        cells = frozenset().union(*(_member(feature, part) for part in members))
    else:
        cells = feature.cells_of(_interval(feature, op, value))
    return cells, feature.raw(next(iter(cells))) if len(cells) == 1 else None


def _named(feature: Feature, value: str) -> tuple[str, str]:
    """What follows `is` or `is not`: missing, or one of the categories; with the sign it has."""
    bare = re.sub(r"^not\s+", "", value)
    op = "is" if bare == value else "!="
    if bare == "missing":
        return op, "<missing>"
    if feature.kind != "numeric" and raw_from_text(feature, bare) in feature.values:
        return op, bare
    if bare == "other" and OTHER in feature.values:
        return op, "<other>"
    raise InputError(
        f"feature {feature.name!r}: after `is` stands missing or one of its categories, "
        f"not {value!r}; {feature.expected()}"
    )


def _only_cell(feature: Feature, value: str) -> int:
    """The cell of a value that is alone in it, so that leaving out the one is the other."""
    raw = raw_from_text(feature, value)
    cell = feature.cell(raw)
    if is_missing(raw) or raw is OTHER:
        return cell
    if feature.kind == "numeric" and any(_shares(feature, cell, n) for n in _beside(feature, raw)):
        raise InputError(
            f"feature {feature.name!r}: `!= {value}` cannot be told: the cell "
            f"{feature.value_text(cell)} holds more numbers than {value}; write < or >"
        )
    if feature.values[cell] is OTHER:
        raise InputError(
            f"`!= {value}` names a value that {feature.name!r} does not list, and would be about "
            f"all such values; {feature.expected()}"
        )
    return cell


def _beside(feature: Feature, number: float) -> tuple[float, float]:
    """The numbers just below and above one."""
    if feature.whole:
        return int(number) - 1, int(number) + 1
    return math.nextafter(number, -math.inf), math.nextafter(number, math.inf)


def _shares(feature: Feature, cell: int, number: float) -> bool:
    try:
        return feature.cell(number) == cell
    except InputError:  # there is no such number, or none that floats tell from its neighbours
        return abs(number) > 2**53


def _member(feature: Feature, text: str) -> frozenset[int]:
    """The cells of one member of a set: an interval, or a value."""
    if feature.kind == "numeric" and text[:1] in ("(", "["):
        return feature.cells_of(_interval(feature, "in", text))
    return frozenset((feature.cell(raw_from_text(feature, text)),))


def _interval(feature: Feature, op: str, value: str) -> Interval:
    if feature.kind != "numeric":
        raise InputError(f"feature {feature.name!r} cannot be compared by `{op}`")
    low, high = -math.inf, math.inf
    if op == "in":
        first, last = _numbers(feature, value, value[1:-1].split(","), 2)
        if value[0] not in "([" or value[-1] not in ")]":
            raise InputError(f"feature {feature.name!r}: write an interval as (1, 2] or [1, 2)")
        low = feature.cut_at(first, below=value[0] == "(")
        high = feature.cut_at(last, below=value[-1] == "]")
    elif "<" in op:
        high = feature.cut_at(_numbers(feature, value, [value], 1)[0], below=op == "<=")
    else:
        low = feature.cut_at(_numbers(feature, value, [value], 1)[0], below=op == ">")
    return Interval(low, high, feature.closed)


def _numbers(feature: Feature, value: str, texts: list[str], wanted: int) -> list[float]:
    try:
        numbers = [float(text) for text in texts]
    except ValueError:
        numbers = []
    if len(numbers) != wanted:
        raise InputError(f"feature {feature.name!r}: cannot read {value!r} as numbers")
    return numbers


def raw_from_text(feature: Feature, text: str) -> Any:
    """The value that a text names: a category by its text, a number, true or false.

    Of a number true is 1 and false 0: so pandas writes the 0/1 columns of a model.
    """
    text = text.strip()
    special = {"<missing>": MISSING, "<other>": OTHER}.get(text)
    if special is not None:
        return special
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = _unescaped(text[1:-1])
    if feature.kind == "numeric":
        try:
            return int(text) if text.lstrip("+-").isdecimal() else float(text)
        except ValueError:
            return {"true": 1, "false": 0}.get(text.lower(), text)
    if feature.as_text and text not in feature.values:
        text = _as_written(text)
    named: Iterable[Any] = (value for value in feature.values if str(value) == text)
    truth = {"true": True, "1": True, "false": False, "0": False}
    fallback = truth.get(text.lower(), text) if feature.kind == "boolean" else text
    return next(iter(named), fallback)


def _as_written(text: str) -> str:
    """A number as a model that compares texts writes it."""
    try:
        return text_of(float(text)) or text
    except ValueError:
        return text


def _unescaped(text: str) -> str:
    signs = {"n": "\n", "t": "\t"}
    return re.sub(r"\\(.)", lambda m: signs.get(m[1], m[1]), text)

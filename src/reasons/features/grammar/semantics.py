"""The cells of a feature that have a characteristic.

In a condition a characteristic is exact: cells that cannot tell it apart are an error. In a term
it is `loose`: `age = 50` is the cell of 50, which loses nothing since no decision tells its numbers
apart, and a category that is not listed is *other*. What is excluded is always exact.
"""

import math
from collections.abc import Mapping
from typing import Any

from reasons.errors import InputError, ParseError
from reasons.features.cuts import Side, compared_cells, exact_cut
from reasons.features.feature import Feature
from reasons.features.grammar.conditions import Characteristic, Condition, Range, Value
from reasons.features.grammar.numbers import number_of
from reasons.features.schema import Schema
from reasons.features.values import OTHER, Special, is_missing, text_of
from reasons.text import short_repr

_TRUTHS = {"true": True, "1": True, "false": False, "0": False}


def condition_masks(
    condition: Condition,
    schema: Schema,
    text: str,
    source: str,
    known: Mapping[str, Mapping[Side, float]] | None = None,
) -> list[tuple[int, list[bool]]]:
    """For each atom of a condition, its feature and which cells of that have it.

    `text` is what the condition was read from: `ParseError` names the place of an atom.
    """
    masks = []
    for atom in condition.atoms:
        index = schema.index(atom.name)
        try:
            cells = characteristic_cells(schema[index], atom, known=(known or {}).get(atom.name))
        except InputError as error:
            raise ParseError.at(atom.at, text, "{problem}", source, problem=error) from None
        masks.append((index, [cell in cells for cell in range(len(schema[index].values))]))
    return masks


def characteristic_cells(
    feature: Feature,
    found: Characteristic,
    *,
    loose: bool = False,
    known: Mapping[Side, float] | None = None,
) -> frozenset[int]:
    """The cells that have a characteristic, or `InputError` that says why there are none such.

    `known` are the cuts that some comparisons mean.
    """
    if not found.operator:
        if feature.kind != "boolean":
            raise InputError(f"feature {feature.name!r} needs a value: `{found.text} = ...`")
        return frozenset((1,))
    named: frozenset[int] = frozenset()
    for member in found.members:
        if isinstance(member, Value):
            named |= _value_cells(feature, found, member, loose)
        elif feature.kind == "numeric":
            named |= compared_cells(feature, member.compared, known)
        else:
            named |= _category_range(feature, member)
    return frozenset(range(len(feature.values))) - named if found.negated else named


def _value_cells(
    feature: Feature, found: Characteristic, member: Value, loose: bool
) -> frozenset[int]:
    if member.special is not None:
        return frozenset((_special_cell(feature, member),))
    if feature.kind == "numeric":
        return _number_cells(feature, found, member, loose)
    cell = _listed_cell(feature, member)
    if cell is None and loose and not found.negated and not found.operator.startswith("is"):
        cell = feature.cell(raw_value(feature, member))
    if cell is None:
        raise _not_listed(feature, found, member)
    return frozenset((cell,))


def _special_cell(feature: Feature, value: Value) -> int:
    """The cell of `<missing>` or `<other>`; `is other` may be a category."""
    listed = None if value.text.startswith("<") else _listed_cell(feature, value)
    if value.special is OTHER and feature.kind != "numeric" and listed is not None:
        return listed
    return feature.cell(value.special)


def _number_cells(
    feature: Feature, found: Characteristic, value: Value, loose: bool
) -> frozenset[int]:
    """The cells of one number: the cell it falls into, or the one that it is alone in."""
    if found.operator.startswith("is"):
        raise InputError(
            f"feature {feature.name!r}: after `is` stands missing or one of its categories, "
            f"not {short_repr(value.text)}; {feature.expected()}"
        )
    if loose and not found.negated:
        return frozenset((feature.cell(raw_value(feature, value)),))
    if loose:
        return frozenset((_only_cell(feature, value),))
    number = number_of(value.text)
    if number is None or value.quoted:
        raise InputError(
            f"feature {feature.name!r}: cannot read {short_repr(value.text)} as a number"
        )
    # Nothing that is printed of numbers says `=`, so that it is about no cut as it is written.
    sides = {(number, below): exact_cut(feature, number, below) for below in (False, True)}
    return compared_cells(feature, [(">=", number), ("<=", number)], sides)


def _category_range(feature: Feature, member: Range) -> frozenset[int]:
    """The cells of categories that are numbers, and are compared as such."""
    cells = []
    for cell, value in enumerate(feature.values):
        if isinstance(value, Special):
            continue
        if feature.kind == "boolean" or not isinstance(value, int | float):
            raise InputError(
                f"feature {feature.name!r} has the value {short_repr(value)}, "
                "which no number is compared with"
            )
        if holds(member, float(value)):
            cells.append(cell)
    return frozenset(cells)


def holds(member: Range, number: float) -> bool:
    """Whether all of these comparisons hold for a number."""
    return all(
        number < bound
        if operator == "<"
        else number <= bound
        if operator == "<="
        else number > bound
        if operator == ">"
        else number >= bound
        for operator, bound in member.compared
    )


def _listed_cell(feature: Feature, value: Value) -> int | None:
    """The cell of a category that is listed: by its text, or by a number that equals it."""
    plain = [(c, v) for c, v in enumerate(feature.values) if not isinstance(v, Special)]
    text = value.text
    if feature.as_text and text not in feature.values:
        text = _as_written(text)
    for cell, known in plain:
        if str(known) == text:
            return cell
    if feature.kind == "boolean":
        truth = _TRUTHS.get(text.lower())
        return None if truth is None else int(truth)
    typed = None if value.quoted else _typed(text)
    return next((c for c, known in plain if typed is not None and _equals(known, typed)), None)


def _typed(text: str) -> float | bool | None:
    """The number or truth that a text is."""
    return {"true": True, "false": False}.get(text.lower(), number_of(text))


def _equals(known: Any, typed: float | bool) -> bool:
    same_kind = isinstance(known, bool) or not isinstance(typed, bool)
    return same_kind and isinstance(known, int | float) and not is_missing(known) and known == typed


def raw_value(feature: Feature, value: Value) -> Any:
    """The raw value that a text names: a category by its text, a number, true or false.

    Of a number true is 1 and false 0: so pandas writes the 0/1 columns of a model.
    """
    text = value.text
    if value.special is not None:
        return value.special
    if feature.kind == "numeric":
        try:
            return int(text) if text.lstrip("+-").isdecimal() else float(text)
        except ValueError:
            return {"true": 1, "false": 0}.get(text.lower(), text)
    cell = _listed_cell(feature, value)
    return (
        _as_written(text)
        if cell is None and feature.as_text
        else (text if cell is None else feature.values[cell])
    )


def _as_written(text: str) -> str:
    """A number as a model that compares texts writes it."""
    try:
        return text_of(float(text)) or text
    except ValueError:
        return text


def _not_listed(feature: Feature, found: Characteristic, value: Value) -> InputError:
    if OTHER not in feature.values:
        return InputError(
            f"feature {feature.name!r} has no value {short_repr(value.text)}; {feature.expected()}"
        )
    return InputError(
        f"`{found.text}` names a value that {feature.name!r} does not list, and would be about "
        f"all such values; {feature.expected()}. Write <other> for all the rest"
    )


def _only_cell(feature: Feature, value: Value) -> int:
    """The cell of a number that is alone in it, so that leaving out the one is the other."""
    raw = raw_value(feature, value)
    cell = feature.cell(raw)
    if any(_shares(feature, cell, number) for number in _beside(feature, raw)):
        raise InputError(
            f"feature {feature.name!r}: `!= {value.text}` cannot be expressed: the cell "
            f"{feature.value_text(cell)} holds more numbers than {value.text}; write < or >"
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
    except InputError:  # no such number, or floats cannot separate it from its neighbours
        return abs(number) > 2**53

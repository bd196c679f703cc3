"""Where values fall, one by one: what can be said of an instance that cannot be decided."""

from collections.abc import Mapping

from reasons.errors import InputError
from reasons.features.schema import Schema
from reasons.views.values import Object, Plain, raw_values


def placed(schema: Schema, given: Mapping[str, Plain]) -> Object:
    """The cell of each value, None where it has none, and why not.

    >>> from reasons import Feature
    >>> schema = Schema([Feature.numeric("age", [25], within=(18, 90)), Feature.boolean("home")])
    >>> placed(schema, {"age": 40, "home": True})
    {'instance': {'age': 40, 'home': True}, 'cells': [1, 1], 'problems': {}}
    >>> placed(schema, {"age": 4, "home": True})["cells"]
    [None, 1]
    """
    raw = raw_values(schema, given)
    cells: list[int | None] = []
    problems: dict[str, str] = {}
    for feature in schema:
        try:
            if feature.name not in raw:
                raise InputError(f"the instance lacks a value for: {feature.name}")
            cells.append(feature.cell(raw[feature.name]))
        except InputError as error:
            cells.append(None)
            problems[feature.name] = str(error)
    return {"instance": dict(given), "cells": cells, "problems": problems}

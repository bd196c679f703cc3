"""Rule lists and decision sets: from text, pairs or a frame."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Never

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import InputError, require_options
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.formats.files import text_of
from reasons.frontends.rules.parser import (
    Conflict,
    Mode,
    Rules,
    pairs_of_frame,
    parse_rules,
    rules_of_pairs,
)
from reasons.text import short_repr

_ABSENT: Any = object()


def from_rules(
    rules: Any,
    *,
    features: Iterable[Feature | str] | None = None,
    default: Any = _ABSENT,
    mode: Mode = "list",
    conflict: Conflict | None = None,
    wording: Wording | None = None,
    budget: Budget | None = None,
    **misspelt: Never,
) -> Classifier:
    """The classifier of a rule list, or with `mode="set"` of rules without order.

    Rules are a text (`if CONDITION then LABEL`, `else if`, `else`), pairs of a condition and a
    label, or a frame whose last column is the label. Conditions are characteristics as terms
    write them, joined as in formulas. Features are what the rules show unless given: numbers cut
    where they are compared, categories with a cell for others, names by themselves Boolean.
    `default` is the label of what no rule matches; without, every instance must be matched.
    Where rules of a set give several labels to an instance that is an error, unless `conflict`
    says that the "first" of them counts, or the "majority" (of equals, the label named first).
    Can explode: budgeted.

    >>> clf = from_rules("if age > 25 and job in {clerk, nurse} then grant else refuse")
    >>> print(clf.decide({"age": 33, "job": "nurse"}).general_reason)
    age > 25 & job in {clerk, nurse}
    """
    require_options("from_rules", misspelt, from_rules.__kwdefaults__ or ())
    from reasons.frontends.rules.compiler import compile_rules

    rest = () if default is _ABSENT else (default,)
    schema = None if features is None else Schema(features)
    found = _read(rules, mode, schema)
    return compile_rules(found, schema, rest, mode, conflict, wording=wording, budget=budget)


def load_rules(
    path: str | os.PathLike[str], *, budget: Budget | None, **options: Any
) -> Classifier:
    """The classifier of a file of rules, with the options of `from_rules`."""
    from reasons.frontends.rules.compiler import compile_rules

    mode = options.get("mode", "list")
    rest = (options["default"],) if "default" in options else ()
    features = options.get("features")
    schema = None if features is None else Schema(features)
    found = parse_rules(text_of(path), str(path), mode, schema)
    return compile_rules(found, schema, rest, mode, options.get("conflict"), budget=budget)


def _read(rules: Any, mode: Mode, schema: Schema | None) -> Rules:
    if isinstance(rules, str):
        return parse_rules(rules, mode=mode, schema=schema)
    if hasattr(rules, "columns"):
        return rules_of_pairs(pairs_of_frame(rules), schema)
    if isinstance(rules, Mapping):
        return rules_of_pairs(list(rules.items()), schema)
    if not isinstance(rules, Iterable):
        raise InputError(f"rules are a text, pairs or a frame, not {short_repr(rules)}")
    return rules_of_pairs(list(rules), schema)

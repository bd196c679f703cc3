"""Answers held against the library's own `predict`."""

from collections.abc import Mapping
from typing import Any

import numpy

from benches.forests.models import SINGLE, Case
from reasons import BudgetExceeded, Decision, Instance, Term
from reasons.explain.counterfactual import Counterfactual

DRAWN = 200
FATES = ("hold", "are broken", "are undecided")


def check_reason(decision: Decision, term: Term, case: Case) -> None:
    """The label flips without any one of the features, and random rows with all keep it."""
    names = list(decision.instance)
    own = decision.instance
    assert _label(case, own) == decision.label
    for dropped in term:
        rest = {name: own[name] for name in term if name != dropped}
        other = decision.counterexample(rest)
        assert other is not None, f"{term} needs no {dropped}"
        assert _label(case, other) != decision.label, f"{other} does not flip"
        assert {name: other[name] for name in rest} == rest
    rng = numpy.random.default_rng(len(term))
    rows = numpy.stack([rng.permutation(column)[:DRAWN] for column in case.rows.T], axis=1)
    for name in term:
        rows[:, names.index(name)] = own[name]
    assert (case.predict(rows) == decision.label).all(), f"{term} is not sufficient"


def check_change(decision: Decision, change: Counterfactual, case: Case) -> None:
    """The library gives the changed instance another label."""
    assert _label(case, change.instance) != decision.label
    assert _label(case, change.instance) == change.label


def fate(real: Decision, label: Any, literals: list[list[Any]], case: Case) -> str:
    """Whether literals that are said to force a label do so in the real model, as in `FATES`.

    Where they do not, the instance that shows it has them all, and gets another label from
    the library; it may be the explained one. Broken too are literals that are not even true of
    it: PyXAI reads XGBoost's thresholds in double precision.
    """
    own = list(real.instance.values())
    if label != real.label or not all(_holds(case, own[f], *each) for f, *each in literals):
        return "are broken"
    try:
        other = real.counterexample(_term(real, literals, case))
    except BudgetExceeded:
        return "are undecided"
    if other is None:
        return "hold"
    values = list(other.values())
    assert _label(case, other) != label
    assert all(_holds(case, values[feature], *literal) for feature, *literal in literals)
    return "are broken"


def is_untrue(decision: Decision, term: Mapping[str, Any]) -> bool:
    """Whether the instance lacks these characteristics, or another label is found with them."""
    if any(decision.instance[name] != value for name, value in term.items()):
        return True
    try:
        return not decision.is_sufficient(term)
    except BudgetExceeded:
        return False


def _term(decision: Decision, literals: list[list[Any]], case: Case) -> Term:
    """The cells that the literals leave; missing values are left out."""
    schema = decision.classifier.schema
    wanted: dict[int, list[list[Any]]] = {}
    for feature, *literal in literals:
        wanted.setdefault(feature, []).append(literal)
    limits = {}
    for f, feature in enumerate(schema):
        raw = [feature.raw(cell) for cell in range(len(feature.values))]
        limits[f] = {
            cell
            for cell, value in enumerate(raw)
            if value is not None and all(_holds(case, value, *each) for each in wanted.get(f, []))
        }
    return Term(schema, limits)


def _holds(case: Case, value: float, threshold: float, above: bool) -> bool:
    """Forests go right above a threshold, XGBoost from it on."""
    single = SINGLE(value)
    return bool(single > threshold if case.is_forest else single >= SINGLE(threshold)) == above


def _label(case: Case, instance: Instance) -> Any:
    values = [float("nan") if value is None else value for value in instance.values()]
    return case.predict([values])[0]

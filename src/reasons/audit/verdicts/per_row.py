"""Queries that are run row by row: shortest reason, count, change."""

from typing import TYPE_CHECKING, Any

from reasons.audit.verdicts.schema import VerdictSchema
from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.decision import Decision
from reasons.errors import BudgetExceeded
from reasons.features.tables import Problems, say
from reasons.features.terms import Instance, Term

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

_MOST = (1 << 63) - 1
_SECONDS = 10.0  # for a query about a row, by default


def per_row_columns(
    classifier: Classifier,
    verdict_schema: VerdictSchema,
    cells: "np.ndarray",
    possible: "np.ndarray",
    problems: Problems,
    whole: Budget,
) -> dict[str, "pa.Array"]:
    """The requested columns; where the budget is exceeded, null and a problem.

    Cost: exponential at worst for a row, within its budget.
    """
    import pyarrow as pa

    asked, schema = verdict_schema.options.ask, verdict_schema.answers
    asks = {"shortest": _shortest, "count": _count, "change": _change}
    columns: dict[str, list[Any]] = {
        name: [] for name in ("shortest", "shortest_proved", "reasons", "change", "change_label")
    }
    for row, own in enumerate(cells):
        found: dict[str, Any] = {}
        whole.report("rows", row, len(cells))
        if possible[row]:
            decision = Decision(classifier, Instance.of_cells(classifier.schema, own.tolist()))
            for question in asks:
                if question in asked:
                    seconds = verdict_schema.options.seconds or _SECONDS
                    budget = Budget(seconds=seconds, progress=whole.progress)
                    try:
                        found |= asks[question](verdict_schema, decision, budget)
                    except BudgetExceeded as error:
                        say(problems, row, f"{question}: {error}")
        for name, values in columns.items():
            values.append(found.get(name))
    return {
        name: pa.array(values, schema.field(name).type)
        for name, values in columns.items()
        if name in schema.names
    }


def _texts(verdict_schema: VerdictSchema, term: Term) -> list[str]:
    return [
        verdict_schema.texts[verdict_schema.offsets[f] + min(own)]
        for f, own in sorted(term.limits.items())
    ]


def _shortest(verdict_schema: VerdictSchema, decision: Decision, budget: Budget) -> dict[str, Any]:
    found = decision.shortest_reason(budget=budget)
    return {"shortest": _texts(verdict_schema, found.term), "shortest_proved": found.proved}


def _count(verdict_schema: VerdictSchema, decision: Decision, budget: Budget) -> dict[str, Any]:
    number = decision.sufficient_reasons(budget=budget).count()
    if number > _MOST:
        raise BudgetExceeded("sufficient reasons", reasons=number, limit=_MOST)
    return {"reasons": number}


def _change(verdict_schema: VerdictSchema, decision: Decision, budget: Budget) -> dict[str, Any]:
    found = decision.counterfactual()
    if found is None:
        return {}
    own = decision.instance.cells
    pairs = [(f, cell) for f, cell in enumerate(found.instance.cells) if cell != own[f]]
    return {
        "change": [verdict_schema.texts[verdict_schema.offsets[f] + cell] for f, cell in pairs],
        "change_label": verdict_schema.written(found.label),
    }

"""The questions that are asked of one row after another: shortest reason, count, change."""

from typing import TYPE_CHECKING, Any

from reasons.audit.verdicts.schema import Layout
from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.decision import Decision
from reasons.errors import BudgetExceeded
from reasons.features.binning import Problems, say
from reasons.features.terms import Instance, Term

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

_MOST = (1 << 63) - 1
_SECONDS = 10.0  # for a question about a row, unless told


def one_by_one(
    classifier: Classifier,
    layout: Layout,
    cells: "np.ndarray",
    possible: "np.ndarray",
    problems: Problems,
    whole: Budget,
) -> dict[str, "pa.Array"]:
    """The columns asked for; where the budget does not suffice, null and a problem.

    Cost: exponential at worst for a row, within its budget.
    """
    import pyarrow as pa

    asked, schema = layout.questions.ask, layout.answers
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
                    seconds = layout.questions.seconds or _SECONDS
                    budget = Budget(seconds=seconds, progress=whole.progress)
                    try:
                        found |= asks[question](layout, decision, budget)
                    except BudgetExceeded as error:
                        say(problems, row, f"{question}: {error}")
        for name, values in columns.items():
            values.append(found.get(name))
    return {
        name: pa.array(values, schema.field(name).type)
        for name, values in columns.items()
        if name in schema.names
    }


def _texts(layout: Layout, term: Term) -> list[str]:
    return [layout.texts[layout.offsets[f] + min(own)] for f, own in sorted(term.limits.items())]


def _shortest(layout: Layout, decision: Decision, budget: Budget) -> dict[str, Any]:
    found = decision.shortest_reason(budget=budget)
    return {"shortest": _texts(layout, found.term), "shortest_proved": found.proved}


def _count(layout: Layout, decision: Decision, budget: Budget) -> dict[str, Any]:
    number = decision.sufficient_reasons(budget=budget).count()
    if number > _MOST:
        raise BudgetExceeded("sufficient reasons", reasons=number, limit=_MOST)
    return {"reasons": number}


def _change(layout: Layout, decision: Decision, budget: Budget) -> dict[str, Any]:
    found = decision.counterfactual()
    if found is None:
        return {}
    own = decision.instance.cells
    pairs = [(f, cell) for f, cell in enumerate(found.instance.cells) if cell != own[f]]
    return {
        "change": [layout.texts[layout.offsets[f] + cell] for f, cell in pairs],
        "change_label": layout.written(found.label),
    }

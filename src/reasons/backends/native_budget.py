"""Budgets as the C++ core takes them."""

import os

from reasons import _core
from reasons.budget import Budget
from reasons.errors import InputError


def native_budget(budget: Budget | None, stage: str = "compilation") -> _core.Budget:
    """A budget for the core, with the same clock.

    `stage` is what is said to have exceeded it.
    """
    if not isinstance(budget, Budget | None):
        raise InputError(
            "{option} must be a reasons.Budget, not {type}",
            option="budget",
            type=type(budget).__name__,
        )
    budget = budget or Budget()
    budget.check("the work before this step")
    return _core.Budget(
        budget.nodes,
        budget.bytes,
        budget.seconds,
        budget.progress,
        stage=stage,
        elapsed=budget.elapsed,
        threads=threads_of(budget),
    )


def threads_of(budget: Budget) -> int:
    """How many threads may work on a question: all cores where the budget names no number."""
    return budget.threads or os.cpu_count() or 1

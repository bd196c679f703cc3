"""A small classifier of loans, and rows that have every kind of cell."""

from typing import Any

import reasons

LOAN = reasons.Feature.numeric("income", [20, 45], missing=True)
JOB = reasons.Feature.categorical("job", ["clerk", "nurse"], other=True)
SEX = reasons.Feature.categorical("sex", ["f", "m"])


def loans() -> reasons.Classifier:
    """Decided by income, and in the middle by job and sex."""
    build = reasons.Builder([LOAN, JOB, SEX], labels=("refused", "granted"))
    no, yes = build.leaf("refused"), build.leaf("granted")
    by_sex = build.decide("sex", {"f": no, "m": yes})
    middle = build.decide("job", {"clerk": by_sex, "nurse": yes, reasons.OTHER: no})
    low, high = reasons.Interval(float("-inf"), 20), reasons.Interval(45, float("inf"))
    arms = {low: no, reasons.Interval(20, 45): middle, high: yes, reasons.MISSING: no}
    return build.build(build.decide("income", arms))


ROWS: dict[str, list[Any]] = {
    "id": [7, 8, 9, 10, 11, 12],
    "income": [10.5, 30.0, None, 45.0, 50.0, 30.0],
    "job": ["clerk", "clerk", "nurse", "pilot", "nurse", "nurse"],
    "sex": ["f", "m", "m", "f", "x", "f"],
    "race": ["a", "a", "b", "b", None, "a"],
    "decision": ["refused", "granted", "granted", "refused", "granted", "maybe"],
}

"""A whole audit beside what people do instead, on the same rows of the same forest.

*Trying out*: the protected columns are set to each combination of their values, and `predict` is
called for each. It answers bias and nothing else; our answer is asserted to be the same for every
row. *SHAP*: TreeExplainer, which gives each column a number, on as many rows as some seconds
allow; of ours, one sufficient reason a row goes beside it. Times of an audit are of all of it:
cutting an Arrow table into cells, the options, and the table of verdicts.

Both sides may use both cores (`n_jobs=2`, two threads; SHAP has one); beside it, `predict` as it
comes, on one. Ratios are by the clock and
by CPU time, which the neighbours on a shared machine change less; the best of four rounds.
"""

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy

import reasons
from benches.audit.models import PROTECTED, TRAINED_ON, Case, biased_by_trying, case_of
from benches.harness.timing import Elapsed, measure, print_table

SHAP_SECONDS = 5.0
ROUNDS = 4
HEADER = ["", "rows", "rows/s", "CPU us/row", "theirs / ours", "by CPU time"]


def run_peers(count: int) -> None:
    """Print a table for each forest that is not too large for the rivals to matter."""
    for name in ("10^3", "10^4"):
        case = case_of(name)
        rows = case.rows(count)
        compare(case, rows)


def compare(case: Case, rows: numpy.ndarray) -> None:
    """Print how long an audit takes, and how much longer the others take."""
    table = case.table(rows)
    audited(case, table.slice(0, 1000), None)  # what is loaded when it is first needed
    asked = {"bias": ["bias"], "bias, witness": ["witness"], "one reason": ["reason"], "all": None}
    ours = {what: audited(case, table, ask) for what, ask in asked.items()}
    lines = [_line(f"audit: {what}", ours[what][0], len(rows)) for what in asked]
    tried, biased = trying(case, rows, 2)
    assert (ours["bias"][1] == biased).all(), "the verdicts differ"
    bias, reason = ours["bias"][0], ours["one reason"][0]
    lines.append(_line("trying 10 combinations", tried, len(rows), bias, len(rows)))
    alone, _ = trying(case, rows, None)
    lines.append(_line("the same by n_jobs=None", alone, len(rows), bias, len(rows)))
    lines += [_line(*line, len(rows)) for line in _boosted(rows, bias)]
    lines += [_line(*line, len(rows)) for line in _shap(case, rows, reason)]
    what = f"{case.name}: {len(case.native):,} nodes, {biased.mean():.1%} of the rows biased"
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    print_table(f"a whole audit of 20 trees, {what}; load average {load}", HEADER, lines)


def _line(
    what: str, took: Elapsed, rows: int, ours: Elapsed | None = None, our_rows: int = 0
) -> list[str]:
    ratio = ["-", "-"]
    if ours is not None:
        ratio = [f"{t / rows * our_rows / o:.3g}" for t, o in zip(took, ours, strict=True)]
    return [what, f"{rows:,}", f"{rows / took.clock:,.0f}", f"{1e6 * took.cpu / rows:.3g}", *ratio]


def audited(case: Case, table: Any, ask: list[str] | None) -> tuple[Elapsed, Any]:
    """What an audit to memory took, and which rows it found biased, if it was asked."""
    found: list[Any] = []

    def audit() -> None:
        found.clear()
        found.append(reasons.audit(case.classifier, table, tuple(PROTECTED), ask))

    took = measure(audit, ROUNDS)
    verdicts = found[0].table
    biased = verdicts.column("biased").to_numpy() if "biased" in verdicts.column_names else None
    return took, biased


def trying(case: Case, rows: numpy.ndarray, jobs: int | None) -> tuple[Elapsed, Any]:
    """What calling `predict` for every combination took, and what it found."""
    found: list[Any] = []
    model = case.model.set_params(n_jobs=jobs)
    return measure(lambda: found.append(biased_by_trying(model, rows)), ROUNDS), found[0]


Line = tuple[str, Elapsed, int, Elapsed]


def _boosted(rows: numpy.ndarray, ours: Elapsed) -> Iterator[Line]:
    """Trying out the combinations on boosted trees of the same number and depth."""
    labels = (rows[:TRAINED_ON].sum(axis=1) > 0).astype(int)
    for name, make in BOOSTED.items():
        try:
            model = make().fit(rows[:TRAINED_ON], labels)
        except ImportError:
            continue
        few = rows[: len(rows) // 4]
        took = measure(functools.partial(biased_by_trying, model, few), ROUNDS)
        yield f"the same on {name}", took, len(few), ours


def _lightgbm() -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=20, max_depth=3, n_jobs=2, verbose=-1)


def _xgboost() -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=20, max_depth=3, n_jobs=2)


BOOSTED: dict[str, Callable[[], Any]] = {"LightGBM": _lightgbm, "XGBoost": _xgboost}


def _shap(case: Case, rows: numpy.ndarray, ours: Elapsed) -> Iterator[Line]:
    """SHAP on as many rows as some seconds allow."""
    try:
        import shap
    except ImportError:
        return
    explainer = shap.TreeExplainer(case.model)
    a_row = measure(lambda: explainer.shap_values(rows[:500])).cpu / 500
    few = rows[: int(SHAP_SECONDS / a_row)]
    took = measure(lambda: explainer.shap_values(few), ROUNDS)
    yield "SHAP beside one reason", took, len(few), ours

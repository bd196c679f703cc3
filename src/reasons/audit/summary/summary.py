"""The summary of the verdicts of an audit."""

from collections import Counter
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reasons.audit.summary.counts import REST, Tally, count_verdicts
from reasons.audit.summary.disparate_impact import INTERVAL, Rate, checked, rates
from reasons.audit.summary.disparate_treatment import treatment_of
from reasons.audit.summary.findings import SummaryDict, findings
from reasons.audit.summary.text import text
from reasons.errors import InputError
from reasons.features.grammar.tokens import unquoted
from reasons.features.values import OTHER
from reasons.render import html
from reasons.views.audit import summary_view

if TYPE_CHECKING:
    from reasons.audit.audit import Audit

_MOST_PROBLEMS = 5
_MOST_UNSEEN = 20


class Summary:
    """Counts over all rows; exact and statistical answers are kept apart.

    `as_dict()` has these keys; what is not known is None, and a `why` beside it says why.

    | key | what it holds |
    |---|---|
    | rows, decided | rows of the data, and those with a label |
    | problems | `rows` that have one, and the `most_frequent` texts |
    | unseen | for each `feature` with values that the model has not seen: the `rows`, whether |
    |        | these are `decided` all the same, and the most frequent `values` |
    | labels | for each `label` its `rows` and their `share` of the decided |
    | favourable | the label that people want |
    | logged | the `column`; rows that `agree`, `disagree` (and which), or are `not_comparable` |
    | reasons | rows `asked`; with `some_necessary` characteristic, with one reason (`only_one`), |
    |         | where the reason found is one characteristic (`alone`) |
    | features | each `feature` with the rows where it is `necessary` or `in_reason` |
    | treatment | exact: for each of its `sets` the `decisions`, the `classifier` and its `domain` |
    | impact | statistical: for each of its `columns` the selection rates of its `groups` |

    >>> import reasons
    >>> rows = [{"E": True, "R": False}, {"E": True, "R": True}]
    >>> found = reasons.audit(reasons.compile("E & R"), rows, protected=["R"]).summary.as_dict()
    >>> found["treatment"]["sets"][0]["decisions"]["biased"], found["labels"][0]["rows"]
    (2, 1)
    """

    def __init__(self, figures: SummaryDict, tally: Tally) -> None:
        self.figures, self.tally = figures, tally

    def as_dict(self) -> SummaryDict:
        """Everything as a JSON object, the one that the shell, the server and the report give."""
        return summary_view(self)

    @cached_property
    def findings(self) -> list[str]:
        """The main points, each a sentence."""
        return findings(self.figures)

    def __str__(self) -> str:
        return text(self.figures, self.findings)

    def __repr__(self) -> str:
        return f"<Summary of {self.figures['rows']:,} rows>"

    def _repr_html_(self) -> str:
        return html.boxed(html.heading("Audit"), html.bullets(self.findings))


def summary_of(audit: "Audit") -> Summary:
    """The summary of an audit.

    Cost: one pass over the verdicts. The questions about the model itself have 20 s each;
    estimates are marked as such.
    """
    tally = count_verdicts(audit.verdict_schema, audit.batches())
    labels = {label: c["rows"] for label, c in tally.groups[""].get("", {}).items()}
    decided = sum(rows for label, rows in labels.items() if label is not None)
    asked = audit.options
    figures = {
        "rows": tally.rows,
        "decided": decided,
        "problems": {
            "rows": tally.with_problem,
            "most_frequent": [
                {"problem": said, "rows": rows}
                for said, rows in tally.problems.most_common(_MOST_PROBLEMS)
            ],
        },
        "unseen": _unseen(audit, tally),
        "labels": [
            {"label": x, "rows": labels.get(x, 0), "share": _share(labels.get(x, 0), decided)}
            for x in map(audit.verdict_schema.written, audit.verdict_schema.labels)
        ],
        "favourable": _favourable(audit),
        "logged": None if asked.logged is None else _logged(tally),
        "reasons": _reasons(tally),
        "features": _features(tally),
        "treatment": _treatment(audit, tally),
        "impact": _impact(tally, _favourable(audit)),
    }
    return Summary(figures, tally)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _favourable(audit: "Audit") -> Any:
    wanted = audit.options.favourable
    return None if wanted is None else audit.verdict_schema.written(wanted)


def _unseen(audit: "Audit", tally: Tally) -> list[dict[str, Any]]:
    """The values that the model has not seen, the feature with most of such rows first."""
    schema, unseen = audit.classifier.schema, []
    for name, values in tally.unseen.items():
        often = [(unquoted(x), rows) for x, rows in values.most_common() if x != REST]
        unseen.append(
            {
                "feature": name,
                "rows": sum(values.values()),
                "decided": OTHER in schema[schema.index(name)].values,
                "values": [{"value": value, "rows": rows} for value, rows in often[:_MOST_UNSEEN]],
            }
        )
    return sorted(unseen, key=lambda x: (-x["rows"], schema.index(x["feature"])))


def _logged(tally: Tally) -> dict[str, Any]:
    """How the logged decisions compare, and which pairs there are that differ."""
    known = {pair: seen for pair, seen in tally.logged.items() if None not in pair}
    agree = sum(seen.rows for (logged, label), seen in known.items() if logged == label)
    differing = sorted(
        (item for item in known.items() if item[0][0] != item[0][1]), key=lambda x: -x[1].rows
    )
    disagree = sum(seen.rows for _, seen in differing)
    return {
        "column": tally.verdict_schema.options.logged,
        "agree": agree,
        "disagree": disagree,
        "not_comparable": tally.rows - agree - disagree,
        "share": _share(agree, agree + disagree),
        "disagreements": [
            {"logged": logged, "label": label, "rows": seen.rows, "first": seen.first}
            for (logged, label), seen in differing
        ],
    }


def _reasons(tally: Tally) -> dict[str, int | None]:
    """How many decisions have a necessary characteristic, one reason, a reason of one part."""
    asked, counts = tally.verdict_schema.options.ask, tally.answered
    both = {"necessary", "reason"} <= asked
    return {
        "asked": max(counts["necessary"], counts["reason"]),
        "some_necessary": counts["some_necessary"] if "necessary" in asked else None,
        "only_one": counts["only"] if both else None,
        "alone": counts["alone"] if "reason" in asked else None,
    }


def _features(tally: Tally) -> list[dict[str, Any]]:
    """The features, those that matter most often first."""
    asked = tally.verdict_schema.options.ask
    lines = []
    for name in tally.verdict_schema.features:
        line: dict[str, Any] = {"feature": name}
        for question, key in (("necessary", "necessary"), ("reason", "in_reason")):
            rows = tally.features[question][name] if question in asked else None
            line[key] = rows
            line[f"{key}_share"] = None if rows is None else _share(rows, tally.answered[question])
        lines.append(line)
    return sorted(lines, key=lambda x: (-(x["necessary"] or 0), -(x["in_reason"] or 0)))


def _treatment(audit: "Audit", tally: Tally) -> dict[str, Any]:
    options, why = audit.options, None
    if "bias" not in options.ask:
        why = "no protected features were named" if not options.protected else "bias was not asked"
    return {
        "kind": "exact: proved of the model, for every row that was answered",
        "why": why,
        "sets": treatment_of(tally, audit.classifier, audit.marginals),
    }


def _impact(tally: Tally, favourable: Any) -> dict[str, Any]:
    """The selection rates of the groups of all columns, or why there are none."""
    impact: dict[str, Any] = {
        "kind": "statistical: counted in the data, of the model's own decisions",
        "interval": INTERVAL,
        "computed_with": None,
        "why": None,
        "columns": [],
    }
    names = [name for name in tally.groups if name]
    if favourable is None:
        why = "no label was named as the favourable one, which people want"
    elif not names:
        why = "neither protected features nor groups were named"
    else:
        columns = [_column(tally, name, favourable) for name in names]
        impact["columns"] = [column for column, _ in columns]
        impact["computed_with"] = columns[0][1]
        return impact
    return {**impact, "why": f"selection rates are not given: {why}"}


def _column(tally: Tally, name: str, favourable: Any) -> tuple[dict[str, Any], str]:
    counts = {}
    for group, _, by_label in tally.of_groups(name):
        decided = sum(c["rows"] for label, c in by_label.items() if label is not None)
        counts[group] = (by_label.get(favourable, Counter())["rows"], decided)
    group_rates = rates(counts)
    without = tally.groups[name].get(None, {})
    best = next((rate.group for rate in group_rates if rate.best_off), None)
    return {
        "column": name,
        "best_off": best,
        "lowest_ratio": _lowest(group_rates),
        "without_group": sum(c["rows"] for c in without.values()),
        "why": None if best is not None else "fewer than two groups have decided rows",
        "groups": [{**asdict(rate), **tally.named(name, rate.group)} for rate in group_rates],
    }, checked(group_rates, counts)


def _lowest(group_rates: list[Rate]) -> float | None:
    """The lowest ratio of a group that is not small."""
    return min((r.ratio for r in group_rates if r.ratio is not None and not r.small), default=None)


def require_favourable(audit: "Audit") -> Any:
    """The label that people want, or `InputError` if none was named."""
    if audit.options.favourable is None:
        raise InputError(
            "name the label that people want, so that refusals are known: {option}",
            option="favourable",
        )
    return audit.options.favourable

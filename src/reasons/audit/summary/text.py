"""A summary as a page of text, for the terminal."""

from collections.abc import Iterator

from reasons.audit.summary.findings import MOST_GROUPS, SummaryDict
from reasons.text import legible, percent, plural, shorten

_MOST_FEATURES = 8


def text(summary: SummaryDict, findings: list[str]) -> str:
    """A summary for the terminal."""
    lines = ["AUDIT", *(f"  - {finding}" for finding in findings)]
    for each in summary["problems"]["most_frequent"][:3]:
        lines.append(f"  problem of {plural(each['rows'], 'row')}: {shorten(each['problem'])}")
    lines += [
        "",
        f"TREATMENT ({summary['treatment']['kind']})",
        *_treatment_lines(summary["treatment"]),
    ]
    lines += ["", f"IMPACT ({summary['impact']['kind']})", *_impact_lines(summary["impact"])]
    return "\n".join(map(legible, [*lines, *_feature_lines(summary)]))


def _treatment_lines(treatment: SummaryDict) -> Iterator[str]:
    if treatment["why"]:
        yield f"  {treatment['why']}"
    for each in treatment["sets"]:
        decisions = each["decisions"]
        yield f"  {each['name']}: {_of(decisions)} decisions are biased"
        own = each["features"]
        groups = [x for x in decisions["by_group"] if x["known"] and x["column"] in own]
        for x in groups[:MOST_GROUPS]:
            yield f"    {shorten(x['says'], 40):<40} {_of(x):>24}"
        yield from _more(len(groups))
        yield from _pair(each["classifier"])
        domain = each["domain"]
        if not domain["known"]:
            yield f"    all possible instances: not known ({shorten(domain['why'])})"
        elif each["classifier"]["biased"] is not False:
            how = "exact" if domain["exact"] else "estimated"
            words = f"{percent(domain['share'])} ({how})"
            if domain["weighted_share"] is not None:
                words += f"; weighted by the data's marginals {percent(domain['weighted_share'])}"
            yield f"    all possible instances: {words}"


def _of(count: SummaryDict) -> str:
    return f"{count['biased']:,} of {count['known']:,} ({percent(count['share'])})"


def _more(number: int) -> Iterator[str]:
    if number > MOST_GROUPS:
        yield f"    ... and {number - MOST_GROUPS:,} more groups"


def _pair(model: SummaryDict) -> Iterator[str]:
    pair = model["witness"]
    if pair is not None:
        changed = ", ".join(f"{x['feature']}: {x['from']} -> {x['to']}" for x in pair["changed"])
        one, other = pair["labels"]
        yield f"    for example: {shorten(changed, 60)} gives {other} instead of {one}"


def _impact_lines(impact: SummaryDict) -> Iterator[str]:
    if impact["why"]:
        yield f"  {impact['why']}"
        return
    yield f"  {impact['interval']}; {impact['computed_with']}"
    for column in impact["columns"]:
        yield f"  {column['column']}:" + (f" {column['why']}" if column["why"] else "")
        for rate in column["groups"][:MOST_GROUPS]:
            yield f"    {shorten(rate['says'], 40):<40} {_rate(rate)}"
        yield from _more(len(column["groups"]))


def _rate(rate: SummaryDict) -> str:
    if rate["rate"] is None:
        return "no decided rows"
    words = f"{rate['rate']:6.1%} [{rate['low']:.1%}, {rate['high']:.1%}]"
    if rate["best_off"]:
        words += "  best off"
    elif rate["ratio"] is not None:
        words += f"  ratio {rate['ratio']:.2f}"
    flag = "  BELOW FOUR FIFTHS" if rate["below"] else ""
    return words + ("  few rows" if rate["small"] else flag)


def _feature_lines(summary: SummaryDict) -> Iterator[str]:
    ranked = [x for x in summary["features"] if x["necessary"] or x["in_reason"]][:_MOST_FEATURES]
    if ranked:
        yield ""
        yield f"FEATURES{'':<34} {'necessary':>10} {'in the reason':>14}"
    for x in ranked:
        shares = [
            "" if x[key] is None else f"{x[key]:.1%}"
            for key in ("necessary_share", "in_reason_share")
        ]
        yield f"  {shorten(x['feature'], 40):<40} {shares[0]:>10} {shares[1]:>14}"

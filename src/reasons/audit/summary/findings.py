"""The findings of a summary as sentences."""

from collections.abc import Iterator
from typing import Any

from reasons.audit.summary.counts import REST
from reasons.features.grammar.tokens import quoted
from reasons.text import capitalised, comma_list, legible, percent, plural, shorten

SummaryDict = dict[str, Any]

MOST_GROUPS = 6
_MOST_VALUES = 6


def findings(summary: SummaryDict) -> list[str]:
    """The main points of a summary, each a sentence that is true of the rows that were read."""
    every = [
        *_rows(summary),
        *(line for each in summary["treatment"]["sets"] for line in _treatment(summary, each)),
        *(line for column in summary["impact"]["columns"] for line in _impact(summary, column)),
        *_logged(summary),
        *_sufficient_alone(summary),
    ]
    return list(map(legible, every))


def _rows(summary: SummaryDict) -> Iterator[str]:
    if not summary["rows"]:
        yield "There are no rows."
        return
    shares = [f"{x['label']} {percent(x['share'])}" for x in summary["labels"] if x["rows"]]
    said = f" ({', '.join(shares)})" if 0 < len(shares) <= MOST_GROUPS else ""
    yield f"{summary['decided']:,} of {plural(summary['rows'], 'row')} were decided{said}."
    if summary["problems"]["rows"]:
        yield _problems(summary["problems"])
    yield from map(_unseen, summary["unseen"])


def _problems(problems: SummaryDict) -> str:
    """How many rows have one, and what is wrong most often."""
    said = f"{plural(problems['rows'], 'row')} had a problem"
    first = next((x for x in problems["most_frequent"] if x["problem"] != REST), None)
    if first is None:
        return f"{said}."
    how = "" if first["rows"] == problems["rows"] else f"; most often ({first['rows']:,})"
    return f"{said}{how}: {shorten(first['problem'], 200)}."


def _unseen(unseen: SummaryDict) -> str:
    """Which values the model has not seen, the most frequent ones first."""
    named = unseen["values"][:_MOST_VALUES]
    rest = unseen["rows"] - sum(x["rows"] for x in named)
    values = [f"{shorten(quoted(x['value']), 40)} ({x['rows']:,})" for x in named]
    values += [f"others ({rest:,})"] if rest else []
    has = "has a value" if unseen["rows"] == 1 else "have values"
    then = "decided as <other>" if unseen["decided"] else "not decided"
    return (
        f"{plural(unseen['rows'], 'row')} {has} of {unseen['feature']} that the model has not "
        f"seen, and {'is' if unseen['rows'] == 1 else 'are'} {then}: {', '.join(values)}."
    )


def _treatment(summary: SummaryDict, each: SummaryDict) -> Iterator[str]:
    """The rows first, then the model."""
    decisions, changed = each["decisions"], subject(each)
    if decisions["known"]:
        if decisions["biased"]:
            yield (
                f"{plural(decisions['biased'], 'decision')} ({percent(decisions['share'])}) "
                f"would change if only {changed} changed{_refusals(summary, decisions)}."
            )
            if decisions["only_unseen"]:
                yield _only_unseen(changed, decisions)
        else:
            yield (
                f"None of {plural(decisions['known'], 'decision')} would change if only "
                f"{changed} changed."
            )
    yield from _model(summary, each)


def subject(each: SummaryDict) -> str:
    """A protected set as the subject of a sentence: one of its features may change, or several.

    >>> subject({"name": "a, b", "features": ["a", "b"]}), subject({"name": "x", "features": "x"})
    ('a or b (or both)', 'x')
    >>> subject({"name": "body", "features": ["sex", "age", "race"]})
    'body (one or more of sex, age, race)'
    """
    name, features = each["name"], list(each["features"])
    if len(features) == 1:
        return str(name) if name == features[0] else f"{name} ({features[0]})"
    if name == ", ".join(features) and len(features) == 2:
        return f"{features[0]} or {features[1]} (or both)"
    several = f"one or more of {comma_list(features)}"
    return several if name == ", ".join(features) else f"{name} ({several})"


def alone(each: SummaryDict) -> str:
    """What changes where nothing but a protected set does.

    >>> alone({"name": "sex", "features": ["sex"]}), alone({"name": "a, b", "features": ["a", "b"]})
    ('sex alone', 'changing only a or b (or both)')
    """
    changed = subject(each)
    return f"{changed} alone" if len(each["features"]) == 1 else f"changing only {changed}"


def _only_unseen(changed: str, decisions: SummaryDict) -> str:
    """How many verdicts go away if nobody has a value that is unseen or missing."""
    only, every = decisions["only_unseen"], decisions["biased"]
    which = f"{only:,} of these change" if only < every else "All of these change"
    which = "It changes" if every == 1 else "1 of these changes" if only == 1 else which
    return (
        f"{which} only for a value of {changed} that the model has not seen (<other>) or a "
        "missing one, and for no value that it has seen."
    )


def _refusals(summary: SummaryDict, decisions: SummaryDict) -> str:
    favourable = summary["favourable"]
    if favourable is None:
        return ""
    refused = sum(x["biased"] for x in decisions["by_label"] if x["label"] != favourable)
    if decisions["biased"] == 1:
        return "; it is a refusal" if refused else "; it is no refusal"
    count = f"{refused:,}" if refused else "none"
    return f"; {count} of these {'is a refusal' if refused == 1 else 'are refusals'}"


def _everybody(summary: SummaryDict) -> str:
    """Whom answers about the model itself speak of: people, where a label is favourable to them."""
    return "instance" if summary["favourable"] is None else "applicant"


def _model(summary: SummaryDict, each: SummaryDict) -> Iterator[str]:
    model, domain, everybody = each["classifier"], each["domain"], _everybody(summary)
    change = alone(each) if len(each["features"]) == 1 else capitalised(alone(each))
    if model["biased"] is None:
        yield f"Whether {alone(each)} can change the outcome is not known: {model['why']}."
    elif not model["biased"]:
        proof = "" if model["proof"] == "exact" else f" ({model['proof']})"
        yield f"{change} never changes the outcome, for any possible {everybody}{proof}."
    elif domain["known"]:
        between = domain["interval"]
        share = (
            percent(domain["share"])
            if between is None
            else f"an estimated {percent(between[0])} to {percent(between[1])}"
        )
        yield f"{change} can change the outcome for {share} of all possible {everybody}s."
    else:
        yield (
            f"{change} can change the outcome for some possible {everybody}s; for how many "
            "is not known."
        )


def _impact(summary: SummaryDict, column: SummaryDict) -> Iterator[str]:
    rates = [rate for rate in column["groups"] if rate["ratio"] is not None and not rate["small"]]
    if not rates:
        return
    worst = min(rates, key=lambda rate: rate["ratio"])
    best = next(rate for rate in column["groups"] if rate["best_off"])
    below = "below four fifths" if worst["below"] else "not below four fifths"
    high = worst["ratio_high"]
    if worst["below"] and high is not None and high >= 0.8:
        below += ", which may be chance"
    yield (
        f"{percent(worst['rate'])} of the rows with {worst['says']} get {summary['favourable']}, "
        f"{percent(best['rate'])} of those with {best['says']}: a ratio of {worst['ratio']:.2f}, "
        f"{below}{_cause(summary, column, worst)}."
    )


def _cause(summary: SummaryDict, column: SummaryDict, worst: SummaryDict) -> str:
    """Where the model provably does not look at the column, that it does not."""
    if not worst["below"]:
        return ""
    for each in summary["treatment"]["sets"]:
        free = each["classifier"]["biased"] is False and each["classifier"]["proof"] == "exact"
        if free and column["column"] in each["features"]:
            never = f"{column['column']} alone never changes the outcome"
            return f"; {never}, so the difference comes from other features"
    return ""


def _logged(summary: SummaryDict) -> Iterator[str]:
    logged = summary["logged"]
    if logged is None or not logged["agree"] + logged["disagree"]:
        return
    every = logged["agree"] + logged["disagree"]
    if logged["disagree"]:
        yield (
            f"{logged['disagree']:,} of {every:,} logged decisions (column {logged['column']}) "
            "differ from the model's."
        )
    else:
        yield f"All {every:,} logged decisions (column {logged['column']}) agree with the model."


def _sufficient_alone(summary: SummaryDict) -> Iterator[str]:
    alone = summary["reasons"]["alone"]
    if alone:
        share = percent(alone / summary["reasons"]["asked"])
        at_least = f"at least {plural(alone, 'decision')} ({share})"
        yield f"For {at_least}, one characteristic is sufficient."
    first = next((x for x in summary["features"] if x["necessary"]), None)
    if first is not None:
        yield (
            f"The feature that is most often necessary is {first['feature']}: for "
            f"{plural(first['necessary'], 'decision')} ({percent(first['necessary_share'])})."
        )

"""The findings of a summary as sentences."""

import unicodedata
from collections.abc import Iterator
from typing import Any

from reasons.audit.summary.counts import REST
from reasons.features.tokens import quoted

Told = dict[str, Any]

MOST_GROUPS = 6
_MOST_VALUES = 6
_TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def findings(told: Told) -> list[str]:
    """The main points of a summary, each a sentence that is true of the rows that were read."""
    found = [
        *_rows(told),
        *(line for each in told["treatment"]["sets"] for line in _treatment(told, each)),
        *(line for column in told["impact"]["columns"] for line in _impact(told, column)),
        *_logged(told),
        *_hanging(told),
    ]
    return list(map(legible, found))


def legible(text: str) -> str:
    """A text whose characters all show: none that command a terminal or turn what follows around.

    >>> legible("a\\x1b[31m\\u202eb")
    'a\ufffd[31m\ufffdb'
    """
    return "".join("\ufffd" if _commands(x) else x for x in text)


def _commands(character: str) -> bool:
    turns = unicodedata.bidirectional(character) in _TURNING
    return turns or unicodedata.category(character) in ("Cc", "Cs")


def percent(share: float | None) -> str:
    """A share as text; what is not nothing and not everything is never written as such.

    >>> percent(0.25), percent(0.00001), percent(0.99999), percent(None)
    ('25.0 %', 'less than 0.1 %', 'more than 99.9 %', 'not known')
    """
    if share is None:
        return "not known"
    if 0 < share < 0.001:
        return "less than 0.1 %"
    if 0.999 < share < 1:
        return "more than 99.9 %"
    return f"{share:.1%}".replace("%", " %")


def _rows(told: Told) -> Iterator[str]:
    if not told["rows"]:
        yield "There are no rows."
        return
    shares = [f"{x['label']} {percent(x['share'])}" for x in told["labels"] if x["rows"]]
    said = f" ({', '.join(shares)})" if 0 < len(shares) <= MOST_GROUPS else ""
    yield f"{told['decided']:,} of {counted(told['rows'], 'row')} were decided{said}."
    if told["problems"]["rows"]:
        yield _problems(told["problems"])
    yield from map(_unseen, told["unseen"])


def _problems(found: Told) -> str:
    """How many rows have one, and what is wrong most often."""
    said = f"{counted(found['rows'], 'row')} had a problem"
    first = next((x for x in found["most_frequent"] if x["problem"] != REST), None)
    if first is None:
        return f"{said}."
    how = "" if first["rows"] == found["rows"] else f"; most often ({first['rows']:,})"
    return f"{said}{how}: {short(first['problem'], 200)}."


def _unseen(found: Told) -> str:
    """Which values the model has not seen, the most frequent ones first."""
    named = found["values"][:_MOST_VALUES]
    rest = found["rows"] - sum(x["rows"] for x in named)
    values = [f"{short(quoted(x['value']), 40)} {x['rows']:,}" for x in named]
    values += [f"others {rest:,}"] if rest else []
    has = "has a value" if found["rows"] == 1 else "have values"
    then = "decided as <other>" if found["decided"] else "not decided"
    return (
        f"{counted(found['rows'], 'row')} {has} of {found['feature']} that the model has not "
        f"seen, and {'is' if found['rows'] == 1 else 'are'} {then}: {', '.join(values)}."
    )


def counted(number: int, noun: str) -> str:
    """A number and what it counts, in the singular or the plural."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def short(line: str, most: int = 100) -> str:
    """A line as far as people read it."""
    return line if len(line) <= most else f"{line[: most - 3]}..."


def _treatment(told: Told, each: Told) -> Iterator[str]:
    """The rows first, then the model."""
    name, found = each["name"], each["decisions"]
    if found["known"]:
        if found["biased"]:
            yield (
                f"{counted(found['biased'], 'decision')} ({percent(found['share'])}) "
                f"hang{'s' if found['biased'] == 1 else ''} on {name}: other values there, and "
                f"nothing else, give another label{_refusals(told, found)}."
            )
            if found["only_unseen"]:
                yield _only_unseen(name, found)
        else:
            yield f"None of {counted(found['known'], 'decision')} hangs on {name}."
    yield from _model(told, each)


def _only_unseen(name: str, found: Told) -> str:
    """How many verdicts go away if nobody has a value that is unseen or missing."""
    only, every = found["only_unseen"], found["biased"]
    which = f"{only:,} of them hang" if only < every else "They hang"
    which = "It hangs" if every == 1 else "1 of them hangs" if only == 1 else which
    return (
        f"{which} on {name} only through a value that the model has not seen (<other>) or a "
        "missing one: values that it has seen give the same label."
    )


def _refusals(told: Told, found: Told) -> str:
    if told["favourable"] is None:
        return ""
    refused = sum(x["biased"] for x in found["by_label"] if x["label"] != told["favourable"])
    return f"; {refused:,} of them are not {told['favourable']}"


def _model(told: Told, each: Told) -> Iterator[str]:
    name, model, domain = each["name"], each["classifier"], each["domain"]
    if model["biased"] is None:
        yield f"Whether the model can decide by {name} is not known: {model['why']}."
    elif not model["biased"]:
        proof = "" if model["proof"] == "exact" else f" ({model['proof']})"
        yield f"The model never decides by {name}, whatever the other values are{proof}."
    elif domain["known"]:
        between = domain["interval"]
        about = (
            f"{percent(domain['share'])} of all possible instances"
            if between is None
            else f"an estimated {percent(between[0])} to {percent(between[1])} of all instances"
        )
        yield f"The model can decide by {name}: it does for {about}."
    else:
        yield f"The model can decide by {name}; for how many instances is not known."


def _impact(told: Told, column: Told) -> Iterator[str]:
    rates = [rate for rate in column["groups"] if rate["ratio"] is not None and not rate["small"]]
    if not rates:
        return
    worst = min(rates, key=lambda rate: rate["ratio"])
    best = next(rate for rate in column["groups"] if rate["best_off"])
    below = "below four fifths" if worst["below"] else "not below four fifths"
    high = worst["ratio_high"]
    if worst["below"] and high is not None and high >= 0.8:
        below += ", but chance may explain that"
    yield (
        f"By {column['column']}, {told['favourable']} is given to {percent(worst['rate'])} of "
        f"{worst['says']} and {percent(best['rate'])} of {best['says']}: a ratio of "
        f"{worst['ratio']:.2f}, {below}{_cause(told, column, worst)}."
    )


def _cause(told: Told, column: Told, worst: Told) -> str:
    """Where the model provably does not look at the column, that it does not."""
    if not worst["below"]:
        return ""
    for each in told["treatment"]["sets"]:
        free = each["classifier"]["biased"] is False and each["classifier"]["proof"] == "exact"
        if free and column["column"] in each["features"]:
            return f"; the model never decides by {column['column']}, so other features differ"
    return ""


def _logged(told: Told) -> Iterator[str]:
    logged = told["logged"]
    if logged is None or not logged["agree"] + logged["disagree"]:
        return
    every = logged["agree"] + logged["disagree"]
    if logged["disagree"]:
        yield (
            f"{logged['disagree']:,} of {every:,} logged decisions ({logged['column']}) are not "
            "what the model decides."
        )
    else:
        yield f"All {every:,} logged decisions ({logged['column']}) are what the model decides."


def _hanging(told: Told) -> Iterator[str]:
    alone = told["reasons"]["alone"]
    if alone:
        share = percent(alone / told["reasons"]["asked"])
        yield f"For {counted(alone, 'decision')} or more ({share}), one characteristic suffices."
    first = next((x for x in told["features"] if x["necessary"]), None)
    if first is not None:
        yield (
            f"The feature that is necessary most often is {first['feature']}: in "
            f"{counted(first['necessary'], 'decision')} ({percent(first['necessary_share'])})."
        )

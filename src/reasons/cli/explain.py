"""An `Overview` as `reasons explain` prints it; its JSON is made in views/."""

from collections.abc import Iterable, Mapping
from typing import Any

from reasons.audit.verdicts.log_columns import named
from reasons.cli.arguments import Row
from reasons.decision import Decision
from reasons.errors import InputError, Option
from reasons.explain.bias import Bias
from reasons.explain.counterfactual import Counterfactual
from reasons.explain.overview import BiasOverview, FirstTerms, Overview
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.features.values import is_missing
from reasons.text import legible, shorten
from reasons.views.decision import MOST_TEXT, note, terms_note

_MOST_CHARACTERS = 600  # characters of a formula
_MOST_AT_THE_END = 200  # characters of the last formula

Lines = list[tuple[str, str]]


def row_view(row: Row | None, logged: str | None, keep: list[str]) -> dict[str, Any]:
    """The row of the data that is explained, with the chosen columns."""
    if row is None:
        if logged is not None or keep:
            name = "logged" if logged is not None else "keep"
            raise InputError(
                "{option} names a column of {data}, which is missing",
                option=name,
                data=Option("data", text="FILE"),
            )
        return {"row": None}
    row.require([*keep, *([] if logged is None else [logged])])
    kept = {name: row.cells[name] for name in keep}
    view = {"data": str(row.data), "number": row.number, "kept": kept}
    return {"row": view if logged is None else {**view, "logged": row.cells[logged]}}


def row_lines(row: Mapping[str, Any] | None, cells: Mapping[str, str], decision: Decision) -> Lines:
    """The row with its values, and whether the log agrees with the model."""
    if row is None:
        return []
    values = ", ".join(f"{name} = {shorten(cells[name], 40)}" for name in decision.instance)
    lines = [("row", f"{row['number']} of {row['data']}, counted from 0")]
    lines += [("values", shorten(values, _MOST_CHARACTERS)), *row["kept"].items()]
    if "logged" in row:
        lines.append(("logged", row["logged"] + _log_remark(row["logged"], decision)))
    return [(legible(name), legible(text)) for name, text in lines]


def _log_remark(logged: str, decision: Decision) -> str:
    labels = named(logged, decision.classifier.labels, True)
    if decision.label in labels:
        return ""
    return " (the model disagrees)" if labels else " (not a label of the model)"


def lines(overview: Overview) -> Lines:
    """An overview as names and texts."""
    decision, classifier = overview.decision, overview.decision.classifier
    complete = overview.complete_reason
    unknown = {each.part: "not known" for each in overview.unanswered}
    whole: Lines = [
        *_unseen(overview),
        ("decision", str(decision.label)),
        ("in words", "\n".join(overview.sentences)),
        ("complete reason", "not computed" if complete is None else _short(complete)),
        *_optional("one sufficient reason", overview.sufficient_reason),
        *_optional("widened", overview.widened),
        ("sufficient reasons", _listed(overview.sufficient_reasons)),
        *_shares(overview.sufficient_reasons),
        ("necessary property", unknown.get("necessary") or _text(overview.necessary)),
        (
            "necessary reason",
            unknown.get("necessary_reason") or _text(overview.necessary_reason),
        ),
        ("contrastive sets", _listed(overview.contrastive_sets)),
        ("smallest changes", unknown.get("changes") or _changes(overview.counterfactuals)),
    ]
    if classifier.constraint:
        whole.append(("possible only if", classifier.constraint))
    if overview.bias is not None:
        whole += _bias(overview.bias)
    if classifier.notes:
        whole.append(("the model", "\n".join(classifier.notes)))
    if overview.general_reason is not None:
        whole.append(("general reason", _short(overview.general_reason, _MOST_AT_THE_END)))
    if overview.unanswered:
        whole.append(("not answered", "\n".join(note(each) for each in overview.unanswered)))
    return whole


def _unseen(overview: Overview) -> Lines:
    texts = [
        legible(f"{name} = {shorten(str(value), 40)} is unknown to the model; it counts as <other>")
        for name, value in overview.unseen.items()
    ]
    return [("unseen", "\n".join(texts))] if texts else []


def _optional(name: str, term: Any) -> Lines:
    return [] if term is None else [(name, str(term))]


def _text(term: Any) -> str:
    return "none" if term is None else str(term)


def _listed(terms: FirstTerms) -> str:
    """The first terms of a set, and the number of others or why it is unknown."""
    texts = [str(term) for term in terms.terms]
    more = 0 if terms.count is None else terms.count - len(texts)
    rest = [f"... and {more:,} more"] if more else []
    remark = terms_note(terms)
    return "\n".join([*texts, *rest, *([remark] if remark else [])]) or "none"


def _shares(terms: FirstTerms) -> Lines:
    """How often each feature occurs, as bars: the twelve most frequent."""
    ranked = sorted((terms.shares or {}).items(), key=lambda item: -item[1])[:12]
    if not ranked:
        return []
    width = max(len(name) for name, _ in ranked)
    bars = (f"{name:<{width}} {share:>5.0%} {'█' * round(20 * share)}" for name, share in ranked)
    return [("features in them", "\n".join(bars))]


def _short(reason: ReasonCircuit, most: int = _MOST_CHARACTERS) -> str:
    """A formula, cut where it is long."""
    whole = reason.written(MOST_TEXT)
    if len(whole) <= most:
        return whole
    return f"{reason.written(most)}\n({len(whole):,} characters; --json prints all of them)"


def _changes(changes: Iterable[Counterfactual]) -> str:
    return "\n".join(map(change_line, changes)) or "none: no change gives another label"


def change_line(change: Counterfactual) -> str:
    """The values to change, and the label they give."""
    after = {n: "missing" if is_missing(v) else v for n, v in change.instance.items()}
    values = ", ".join(f"{name} = {after[name]}" for name in change.given_up)
    return f"{values}: {change.label}"


def _bias(bias: BiasOverview) -> Lines:
    classifier = f"unknown ({bias.error})" if bias.classifier is None else ""
    own = [] if bias.decision is None else [("decision bias", _verdict(bias.decision))]
    return [*own, ("classifier bias", classifier or _verdict(bias.classifier))]


def _verdict(bias: Bias | None) -> str:
    if bias is None or not bias.biased:
        return f"no ({bias.proof})" if bias is not None else "not known"
    pair = bias.witness if isinstance(bias.witness, tuple) else (bias.witness,)
    return "yes; witness " + "\nand ".join(str(instance) for instance in pair)

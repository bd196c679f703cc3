"""What `reasons explain` prints for people: lines about an `Overview`; its JSON is views/'s."""

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

_READ = 600  # characters of a formula; screens of it push the decision out of sight
_GLANCED = 200  # of what comes last

Lines = list[tuple[str, str]]


def row_view(row: Row | None, logged: str | None, keep: list[str]) -> dict[str, Any]:
    """Which row of the data an explanation is about, with the columns asked for."""
    if row is None:
        if logged is not None or keep:
            name = "logged" if logged is not None else "keep"
            raise InputError(
                "{option} names a column of {data}, and there is none",
                option=name,
                data=Option("data", text="FILE"),
            )
        return {"row": None}
    row.require([*keep, *([] if logged is None else [logged])])
    kept = {name: row.cells[name] for name in keep}
    view = {"data": str(row.data), "number": row.number, "kept": kept}
    return {"row": view if logged is None else {**view, "logged": row.cells[logged]}}


def row_lines(row: Mapping[str, Any] | None, cells: Mapping[str, str], decision: Decision) -> Lines:
    """The row for people, with its values, and whether the log agrees with the model."""
    if row is None:
        return []
    values = ", ".join(f"{name} = {shorten(cells[name], 40)}" for name in decision.instance)
    lines = [("row", f"{row['number']} of {row['data']}, counted from 0")]
    lines += [("values", shorten(values, _READ)), *row["kept"].items()]
    if "logged" in row:
        lines.append(("logged", row["logged"] + _log_remark(row["logged"], decision)))
    return [(legible(name), legible(text)) for name, text in lines]


def _log_remark(logged: str, decision: Decision) -> str:
    labels = named(logged, decision.classifier.labels, True)
    if labels == [decision.label]:
        return ""
    return " (the model decides otherwise)" if labels else " (not a label of the model)"


def lines(found: Overview) -> Lines:
    """An overview as names and texts."""
    decision, classifier = found.decision, found.decision.classifier
    complete = found.complete_reason
    whole: Lines = [
        *_unseen(found),
        ("decision", str(decision.label)),
        ("in words", "\n".join(found.sentences)),
        ("complete reason", "see the reasons below" if complete is None else _short(complete)),
        *_optional("one sufficient reason", found.sufficient_reason),
        *_optional("widened", found.widened),
        ("sufficient reasons", _listed(found.sufficient_reasons)),
        *_shares(found.sufficient_reasons),
        ("necessary property", _or_none(found.necessary)),
        ("necessary reason", _or_none(found.necessary_reason)),
        ("contrastive sets", _listed(found.contrastive_sets)),
        ("smallest changes", _changes(found.counterfactuals)),
    ]
    if classifier.constraint:
        whole.append(("possible only if", classifier.constraint))
    if found.bias is not None:
        whole += _bias(found.bias)
    if classifier.notes:
        whole.append(("the model", "\n".join(classifier.notes)))
    if found.general_reason is not None:
        whole.append(("general reason", _short(found.general_reason, _GLANCED)))
    if found.unanswered:
        whole.append(("not answered", "\n".join(note(each) for each in found.unanswered)))
    return whole


def _unseen(found: Overview) -> Lines:
    texts = [
        legible(f"{name} = {shorten(str(value), 40)} is unknown to the model: taken as <other>")
        for name, value in found.unseen.items()
    ]
    return [("unseen", "\n".join(texts))] if texts else []


def _optional(name: str, term: Any) -> Lines:
    return [] if term is None else [(name, str(term))]


def _or_none(term: Any) -> str:
    return "none" if term is None else str(term)


def _listed(found: FirstTerms) -> str:
    """The first terms of a set, how many more there are, or why that is not known."""
    texts = [str(term) for term in found.terms]
    more = 0 if found.count is None else found.count - len(texts)
    rest = [f"... and {more:,} more"] if more else []
    remark = terms_note(found)
    return "\n".join([*texts, *rest, *([remark] if remark else [])]) or "none"


def _shares(found: FirstTerms) -> Lines:
    """How often each feature occurs, as bars; the most frequent first, at most twelve."""
    ranked = sorted((found.shares or {}).items(), key=lambda item: -item[1])[:12]
    if not ranked:
        return []
    width = max(len(name) for name, _ in ranked)
    bars = (f"{name:<{width}} {share:>5.0%} {'█' * round(20 * share)}" for name, share in ranked)
    return [("features in them", "\n".join(bars))]


def _short(reason: ReasonCircuit, most: int = _READ) -> str:
    """A formula as far as people read it."""
    whole = reason.written(MOST_TEXT)
    if len(whole) <= most:
        return whole
    return f"{reason.written(most)}\n({len(whole):,} characters; --json prints all of them)"


def _changes(found: Iterable[Counterfactual]) -> str:
    return "\n".join(map(change_line, found)) or "none; the label is always the same"


def change_line(change: Counterfactual) -> str:
    """The values to change, and the label they give."""
    after = {n: "missing" if is_missing(v) else v for n, v in change.instance.items()}
    values = ", ".join(f"{name} = {after[name]}" for name in change.given_up)
    return f"{values}: {change.label}"


def _bias(found: BiasOverview) -> Lines:
    classifier = f"not known ({found.error})" if found.classifier is None else ""
    own = [] if found.decision is None else [("decision bias", _verdict(found.decision))]
    return [*own, ("classifier bias", classifier or _verdict(found.classifier))]


def _verdict(bias: Bias | None) -> str:
    if bias is None or not bias.biased:
        return f"no ({bias.proof})" if bias is not None else "not known"
    pair = bias.witness if isinstance(bias.witness, tuple) else (bias.witness,)
    return "yes; witness " + "\nand ".join(str(instance) for instance in pair)

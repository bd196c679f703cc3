"""What `reasons explain` says about a decision, as an object and as lines."""

from collections.abc import Iterable, Mapping
from typing import Any

from reasons.audit.summary.findings import legible, short
from reasons.audit.verdicts.log_columns import named
from reasons.budget import Budget
from reasons.cli.arguments import Row
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.explain.bias import Bias
from reasons.explain.overview import Some, classifier_bias, contrastive_sets, sufficient_reasons
from reasons.explain.reason_circuit import ReasonCircuit
from reasons.features.values import OTHER, is_missing

_SHOWN = 20
_READ = 600  # characters of a formula; screens of it push the decision out of sight
_GLANCED = 200  # of what comes last


def explained(decision: Decision, protected: list[str], budget: Budget) -> dict[str, Any]:
    """The object that `explain --json` prints."""
    is_wider = any(feature.kind != "boolean" for feature in decision.classifier.features)
    searched = decision.classifier.method == "search"
    general = decision.sufficient_reason(general=True, budget=budget) if is_wider else None
    found: dict[str, Any] = {
        "label": decision.label,
        "instance": dict(decision.instance),
        "unseen": _unseen(decision),
        "method": decision.classifier.method,
        "complete_reason": None if searched else str(decision.reason),
        "general_reason": str(decision.general_reason) if is_wider and not searched else None,
        "sufficient_reason": decision.sufficient_reason(budget=budget),
        "general_sufficient_reason": general,
        "sufficient_reasons": _terms(sufficient_reasons, decision, budget),
        "necessary_property": decision.necessary_property,
        "necessary_reason": decision.necessary_reason,
        "contrastive_sets": _terms(contrastive_sets, decision, budget),
        "smallest_change": _smallest(decision),
        "statements": decision.statements(protected=protected),
        "constraint": decision.classifier.constraint,
        "notes": list(decision.classifier.notes),
    }
    if protected:
        found["bias"] = {
            "protected": protected,
            "decision": _verdict(decision.bias(protected)),
            "classifier": _verdict(classifier_bias(decision.classifier, protected, budget)),
        }
    return found


def _unseen(decision: Decision) -> dict[str, Any]:
    """The values that are none of the model's, and so are decided as any other."""
    instance, features = decision.instance, decision.classifier.features
    return {
        feature.name: instance[feature.name]
        for feature, cell in zip(features, instance.cells, strict=True)
        if feature.values[cell] is OTHER and instance[feature.name] is not OTHER
    }


def told_row(row: Row | None, logged: str | None, keep: list[str]) -> dict[str, Any]:
    """Which row of the data an explanation is about, with what was asked for of it."""
    if row is None:
        if logged is not None or keep:
            option = "--logged" if logged is not None else "--keep"
            raise InputError(f"{option} names a column of --data FILE, and there is none")
        return {"row": None}
    row.require([*keep, *([] if logged is None else [logged])])
    kept = {name: row.cells[name] for name in keep}
    told = {"data": str(row.data), "number": row.number, "kept": kept}
    return {"row": told if logged is None else {**told, "logged": row.cells[logged]}}


def row_lines(
    found: dict[str, Any], cells: Mapping[str, str], labels: Iterable[Any]
) -> list[tuple[str, str]]:
    """The same for people, with its values; where the log says something else, that it does."""
    row = found["row"]
    if row is None:
        return []
    values = ", ".join(f"{name} = {short(cells[name], 40)}" for name in found["instance"])
    told = [("row", f"{row['number']} of {row['data']}, counted from 0")]
    told += [("values", short(values, _READ)), *row["kept"].items()]
    if "logged" in row:
        meant = named(row["logged"], labels, True)
        odd = " (the model decides otherwise)" if meant else " (no label of the model)"
        told.append(("logged", row["logged"] + ("" if meant == [found["label"]] else odd)))
    return [(legible(name), legible(text)) for name, text in told]


def _terms(find: Any, decision: Decision, budget: Budget) -> dict[str, Any]:
    """A set of terms: how many and the first few, or that they are too many to list."""
    if decision.classifier.method == "search":
        found = Some(None, (), {}, "not listed: the model is answered by search")
    else:
        found = find(decision, _SHOWN, budget)
    told = {"count": found.count, "shortest": list(found.first), "shares": found.shares}
    return told if found.note is None else {**told, "note": found.note}


def _smallest(decision: Decision) -> dict[str, Any] | None:
    change = decision.counterfactual()
    if change is None:
        return None
    return {"instance": dict(change.instance), "label": change.label, "given_up": change.given_up}


def _verdict(found: Bias | str) -> dict[str, Any]:
    """A verdict, or why it cannot be had within the budget."""
    if isinstance(found, str):
        return {"biased": None, "witness": None, "proof": found}
    return {"biased": found.biased, "witness": found.witness, "proof": found.proof}


def lines(found: dict[str, Any], decision: Decision) -> list[tuple[str, str]]:
    """The same for people: names and texts."""
    searched = decision.classifier.method == "search"

    def listed(terms: dict[str, Any]) -> str:
        if terms["count"] is None:
            return str(terms["note"])
        more = terms["count"] - len(terms["shortest"])
        shown = [str(term) for term in terms["shortest"]]
        return "\n".join([*shown, *([f"... and {more:,} more"] if more else [])])

    rows = [
        ("decision", str(found["label"])),
        (
            "complete reason",
            "not listed: see the reason below" if searched else _short(decision.reason),
        ),
        ("one sufficient reason", str(found["sufficient_reason"])),
        ("and widened", _or_none(found["general_sufficient_reason"])),
        ("sufficient reasons", listed(found["sufficient_reasons"])),
        ("features in them", _bars(found["sufficient_reasons"]["shares"])),
        ("necessary property", str(found["necessary_property"])),
        ("necessary reason", _or_none(found["necessary_reason"])),
        ("given up to change it", listed(found["contrastive_sets"]) or "nothing changes it"),
        ("smallest change", _change_line(found["smallest_change"])),
        ("in words", "\n".join(found["statements"])),
    ]
    absent = {"and widened"} if found["general_sufficient_reason"] is None else set()
    absent |= {"features in them"} if "note" in found["sufficient_reasons"] else set()
    rows = [*_unseen_lines(found), *(row for row in rows if row[0] not in absent)]
    if found["constraint"]:
        rows.append(("possible only if", found["constraint"]))
    for subject, verdict in found.get("bias", {}).items():
        if subject != "protected":
            rows.append((f"{subject} bias", _bias_line(verdict)))
    if found["notes"]:
        rows.append(("the model", "\n".join(found["notes"])))
    if found["general_reason"] is not None:
        rows.append(("general reason", _short(decision.general_reason, _GLANCED)))
    return rows


def _unseen_lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    said = [
        legible(f"{name} = {short(str(value), 40)} is none of the model's values: taken as <other>")
        for name, value in found["unseen"].items()
    ]
    return [("unseen", "\n".join(said))] if said else []


def _short(reason: ReasonCircuit, most: int = _READ) -> str:
    """A formula as far as people read it."""
    whole, text = str(reason), reason.written(most)
    if text == whole:
        return text
    return f"{text}\n({len(whole):,} characters; --json prints all of them)"


def _or_none(term: Any) -> str:
    return "none" if term is None else str(term)


def _bars(shares: dict[str, float]) -> str:
    """How often each feature occurs, as bars; the most frequent first, at most twelve."""
    ranked = sorted(shares.items(), key=lambda item: -item[1])[:12]
    width = max((len(name) for name, _ in ranked), default=0)
    return "\n".join(f"{n:<{width}} {s:>5.0%} {'█' * round(20 * s)}" for n, s in ranked) or "none"


def _change_line(change: dict[str, Any] | None) -> str:
    if change is None:
        return "none; the label is always the same"
    now = {n: "missing" if is_missing(v) else v for n, v in change["instance"].items()}
    values = ", ".join(f"{name} = {now[name]}" for name in change["given_up"])
    return f"{values}: {change['label']}"


def _bias_line(verdict: dict[str, Any]) -> str:
    if verdict["biased"] is None:
        return f"not known ({verdict['proof']})"
    if not verdict["biased"]:
        return f"no ({verdict['proof']})"
    witness = verdict["witness"]
    pair = witness if isinstance(witness, tuple) else (witness,)
    return "yes; witness " + "\nand ".join(str(instance) for instance in pair)

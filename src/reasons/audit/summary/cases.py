"""Example cases of an audit, each for many rows that are decided alike."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from reasons.audit.summary.counts import Pattern, RowCount
from reasons.decision import Decision
from reasons.errors import InputError, PropertyError, ReasonsError
from reasons.features.terms import Instance
from reasons.text import capitalised
from reasons.views.values import changes_view, instance_view

if TYPE_CHECKING:
    from reasons.audit.audit import Audit

_OF_A_SET = 3
_SENTENCES = 4

Case = dict[str, Any]


def telling_cases(audit: "Audit") -> tuple[list[Case], str | None]:
    """The cases, and why there are none where the data cannot be read again.

    Of each protected set the changes that would help most refused rows, and then those that would
    hurt others; the commonest disagreement with the log; the characteristic that most often
    suffices alone. Cost: that of reading the parts of the data in which these rows are.
    """
    chosen = list(_chosen(audit))
    try:
        rows = audit.with_kept([case["row"] for case in chosen])
        return [_of_row(audit, case, *rows[case["row"]]) for case in chosen], None
    except PropertyError:
        raise
    except (ReasonsError, OSError) as error:
        return [], f"the rows cannot be read again: {error}"


def _chosen(audit: "Audit") -> Iterator[Case]:
    summary, tally = audit.summary.figures, audit.summary.tally
    wanted = summary["favourable"]
    for name in audit.options.protected:
        own = [item for item in tally.patterns.items() if item[0].name == name]
        own.sort(key=lambda item: (_rank(item[0], wanted), -item[1].rows, item[1].first))
        for pattern, seen in own[:_OF_A_SET]:
            yield {**_case("biased", seen, pattern.label), "pattern": pattern}
    for pair in (summary["logged"] or {"disagreements": []})["disagreements"][:1]:
        seen = RowCount(pair["rows"], pair["first"])
        yield {**_case("logged", seen, pair["label"]), "logged": pair["logged"]}
    alone = sorted(tally.alone.items(), key=lambda item: (-item[1].rows, item[1].first))
    for (text, label), seen in alone[:1]:
        yield {**_case("alone", seen, label), "characteristic": text}


def _rank(pattern: Pattern, wanted: Any) -> int:
    """Who would have got what people want comes first, then who would have lost it."""
    if wanted is None:
        return 0
    return 0 if pattern.other == wanted else 1 if pattern.label == wanted else 2


def _case(kind: str, seen: RowCount, label: Any) -> Case:
    return {"kind": kind, "row": seen.first, "alike": seen.rows, "label": label}


def _of_row(audit: "Audit", case: Case, instance: Instance, kept: dict[str, Any]) -> Case:
    """A case with what its row is known by."""
    return {**_described(audit, case, Decision(audit.classifier, instance)), "kept": kept}


def _described(audit: "Audit", case: Case, decision: Decision) -> Case:
    """A case with its headline, the row beside its witness, and sentences about the decision."""
    wording = audit.classifier.wording
    if audit.verdict_schema.written(decision.label) != case["label"]:
        raise InputError(f"row {case['row']} is not decided as it was; the data has changed")
    decided = capitalised(wording.decided(decision.label))
    pattern: Pattern | None = case.pop("pattern", None)
    described: Case = {
        **case,
        "instance": instance_view(decision.instance),
        "witness": None,
        "witness_label": None,
        "changed": [],
        "sentences": _sentences(decision),
    }
    if case["kind"] == "logged":
        return {**described, "headline": f"{decided}, but the log says {case['logged']}."}
    if pattern is None:
        return {
            **described,
            "headline": f"{decided}; {case['characteristic']} alone is sufficient.",
        }
    cells = list(decision.instance.cells)
    for text in pattern.after:
        feature, cell = audit.verdict_schema.place[text]
        cells[feature] = cell
    witness = Decision(audit.classifier, decision.instance.changed(cells))
    if audit.verdict_schema.written(witness.label) != pattern.other:
        raise PropertyError(f"the witness of row {case['row']} failed the replay")
    other = wording.decided(witness.label, supposed=True)
    after, before = ", ".join(pattern.after), ", ".join(pattern.before)
    return {
        **described,
        "witness": instance_view(witness.instance),
        "witness_label": pattern.other,
        "changed": changes_view(decision.instance, witness.instance),
        "headline": f"{decided}. With {after} instead of {before} and all else equal, {other}.",
    }


def _sentences(decision: Decision) -> list[str]:
    try:
        return decision.statements(limit=_SENTENCES)
    except ReasonsError as error:
        return [f"No reason was found within the budget: {error}"]

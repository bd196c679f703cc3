"""Rows of verdicts compared with brute force."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import pyarrow as pa

from reasons.features.values import Special
from tests.support import oracle
from tests.support.comparison import Subject


def frame_of(subject: Subject, instances: list[oracle.Instance]) -> pa.Table:
    return pa.Table.from_pylist([subject.user_instance(instance) for instance in instances])


def term_of(subject: Subject, texts: list[str]) -> dict[int, int]:
    """Characteristics as the table writes them, turned back."""
    known = {
        feature.says((cell,)): (f, cell)
        for f, feature in enumerate(subject.features)
        for cell in range(len(feature.values))
    }
    return dict(known[text] for text in texts)


def require_true(subject: Subject, instance: oracle.Instance, row: Mapping[str, Any]) -> None:
    """Raise `Mismatch` unless a row of verdicts is what brute force says."""
    function, label = subject.function, subject.function.table[instance]
    if label is oracle.IMPOSSIBLE:
        told = ("row", "unseen")
        answers = {k: v for k, v in row.items() if k not in told and not k.startswith("group_")}
        subject.expect("impossible", "impossible" in answers.pop("problem"), True)
        subject.expect("no answers", set(answers.values()), {None})
        return
    subject.expect("problem", row["problem"], None)
    subject.expect("label", row["label"], label)
    features = [f for f, own in enumerate(subject.features) if f"group_{own.name}" in row]
    require_unbiased_or_witness(subject, instance, row, features)
    for f in features:
        name = subject.features[f].name
        group = term_of(subject, [row[f"group_{name}"]])
        subject.expect("group", group, {f: instance[f]})
        alone = oracle.is_decision_biased(function, instance, frozenset([f]))
        subject.expect("biased alone", row.get(f"biased_{name}", alone), alone)
    reasons_ = oracle.sufficient_reasons(function, instance)
    necessary = oracle.necessary_property(function, instance)
    subject.expect("necessary", frozenset(term_of(subject, row["necessary"]).items()), necessary)
    reason = frozenset(term_of(subject, row["reason"]).items())
    subject.expect("reason", reason in reasons_, True)
    if "shortest" in row:
        shortest = min(len(each) for each in reasons_)
        subject.expect("shortest", len(row["shortest"]), shortest)
        subject.expect("number of reasons", row["reasons"], len(reasons_))
        require_smallest_change(subject, instance, row)


def require_unbiased_or_witness(
    subject: Subject, instance: oracle.Instance, row: Mapping[str, Any], protected: list[int]
) -> None:
    function = subject.function
    biased = oracle.is_decision_biased(function, instance, frozenset(protected))
    subject.expect("biased", row["biased"], biased)
    if not biased:
        subject.expect("witness", (row["witness"], row["witness_label"]), (None, None))
        return
    changed = term_of(subject, row["witness"])
    subject.expect("changed", set(changed) <= set(protected), True)
    other = function.table[oracle.changed(instance, changed)]
    subject.expect("witness label", row["witness_label"], other)
    subject.expect("witness", other not in (function.table[instance], oracle.IMPOSSIBLE), True)
    unseen = any(
        isinstance(subject.features[f].values[cell], Special) for f, cell in changed.items()
    )
    subject.expect("unseen", unseen, not is_biased_by_seen(subject, instance, protected))


def is_biased_by_seen(subject: Subject, instance: oracle.Instance, protected: list[int]) -> bool:
    """Whether values that the model has seen, beside the row's own, give another label."""
    table = subject.function.table
    choices = [
        [
            cell
            for cell, value in enumerate(feature.values)
            if cell == instance[f] or not isinstance(value, Special)
        ]
        if f in protected
        else [instance[f]]
        for f, feature in enumerate(subject.features)
    ]
    return any(table[x] not in (table[instance], oracle.IMPOSSIBLE) for x in product(*choices))


def require_smallest_change(
    subject: Subject, instance: oracle.Instance, row: Mapping[str, Any]
) -> None:
    sizes = [len(each) for each in oracle.contrastive_sets(subject.function, instance)]
    if not sizes:
        subject.expect("change", row["change"], None)
        return
    changed = term_of(subject, row["change"])
    subject.expect("size of the change", len(changed), min(sizes))
    other = subject.function.table[oracle.changed(instance, changed)]
    subject.expect("label after the change", row["change_label"], other)

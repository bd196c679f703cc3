"""Disparate treatment: which decisions depend on protected features, exactly.

Bias is proved for every row. For the model itself there is a witness pair, and the share of all
possible instances that are biased. A question that exceeds its budget is answered by the reason.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from reasons.audit.summary.counts import Tally
from reasons.audit.verdicts.marginals import Marginals
from reasons.audit.verdicts.schema import joined
from reasons.audit.verdicts.witnesses import prefers_seen
from reasons.backends.capabilities import Capability
from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.counting.bias_share import BiasShare
from reasons.errors import ReasonsError
from reasons.views.values import changes_view, instance_view, json_value

_SECONDS = 20.0  # for each question about the model itself
WEIGHTING = (
    "each feature's value is as frequent as in the rows that could be read, and features are "
    "taken as independent of each other"
)


def treatment_of(
    tally: Tally, classifier: Classifier, marginals: Marginals | None
) -> list[dict[str, Any]]:
    """What is said of each protected set, and of each protected feature by itself."""
    asked = tally.verdict_schema.options
    if "bias" not in asked.ask:
        return []
    sets = dict(asked.protected)
    sets |= {name: (name,) for name in asked.single_features if name not in sets}
    treatments = []
    for name, features in sets.items():
        decisions = _decisions(tally, joined("biased", name), features)
        decisions["only_unseen"] = _only_unseen(tally, classifier, name, features)
        model = _classifier(classifier, features)
        if model["biased"] is None and decisions["biased"]:
            model["biased"], model["proof"] = True, "exact: decisions of these rows are biased"
        treatments.append(
            {
                "name": name or ", ".join(features),
                "features": list(features),
                "decisions": decisions,
                "classifier": model,
                "domain": _domain(classifier, features, marginals),
            }
        )
    return treatments


def _decisions(tally: Tally, column: str, features: Sequence[str]) -> dict[str, Any]:
    """How many decisions are biased, by label, and by group of the set's features."""
    everybody = tally.groups[""].get("", {})
    columns = [*features, *tally.verdict_schema.options.groups]
    return {
        **_share(sum(everybody.values(), start=type(tally.problems)()), column),
        "by_label": [
            {"label": label, **_share(counts, column)}
            for label, counts in everybody.items()
            if label is not None
        ],
        "by_group": [
            {"column": name, **tally.named(name, group), **_share(counts, column)}
            for name in columns
            for group, counts, _ in tally.of_groups(name)
        ],
    }


def _only_unseen(
    tally: Tally, classifier: Classifier, name: str, features: Sequence[str]
) -> int | None:
    """How many decisions no seen value changes, but an unseen or a missing one; None if unknown.

    Witnesses tell: they take such a value only where there is no other witness.
    """
    asked, schema = tally.verdict_schema.options, classifier.schema
    is_circuit = classifier.backend.supports(Capability.CIRCUIT)
    if name not in asked.protected or "witness" not in asked.ask:
        return None
    is_exact = prefers_seen(schema, schema.indices(features), is_circuit)
    return tally.only_unseen[name] if is_exact else None


def _share(counts: Mapping[str, int], column: str) -> dict[str, Any]:
    known, biased = counts[f"known_{column}"], counts[f"yes_{column}"]
    return {"known": known, "biased": biased, "share": biased / known if known else None}


def _classifier(classifier: Classifier, features: Sequence[str]) -> dict[str, Any]:
    """Whether some decision of the model is biased, with its pair of instances."""
    try:
        bias = classifier.bias(features, budget=Budget(seconds=_SECONDS))
    except ReasonsError as error:
        return {"biased": None, "proof": None, "why": str(error), "witness": None}
    pair = None
    if bias:
        one, other = bias.witness
        pair = {
            "one": instance_view(one),
            "other": instance_view(other),
            "labels": [json_value(classifier.decide(each).label) for each in (one, other)],
            "changed": changes_view(one, other),
        }
    return {"biased": bias.biased, "proof": bias.proof, "why": None, "witness": pair}


def _domain(
    classifier: Classifier, features: Sequence[str], marginals: Marginals | None
) -> dict[str, Any]:
    """How much of the domain is biased: every instance alike, and weighted by the data.

    Where weighing does not fit the budget, it is asked again without.
    """
    amount, why = _amount(classifier, features, marginals)
    if amount is None and marginals is not None:
        marginals = None
        amount, _ = _amount(classifier, features, None)
    shares = _domain_share(amount, marginals is not None)
    return {"known": amount is not None, **shares, "weighting": WEIGHTING, "why": why}


def _amount(
    classifier: Classifier, features: Sequence[str], weights: Marginals | None
) -> tuple[BiasShare | None, str | None]:
    """The amount within the time there is, or why it is not known."""
    try:
        budget = Budget(seconds=_SECONDS)
        return classifier.bias_share(features, weights=weights, budget=budget), None
    except ReasonsError as error:
        return None, str(error)


def _domain_share(amount: BiasShare | None, weighted: bool) -> dict[str, Any]:
    keys = ("exact", "proof", "biased", "instances", "share", "interval")
    shares: dict[str, Any] = dict.fromkeys((*keys, "weighted_share", "weighted_interval"))
    if amount is None:
        return shares
    interval = None if amount.exact else [amount.low, amount.high]
    plain = (amount.exact, amount.proof, amount.count, amount.total, float(amount.share), interval)
    shares |= dict(zip(keys, plain, strict=True))
    if weighted and amount.weighted is not None:
        shares["weighted_share"] = float(amount.weighted)
        if not amount.exact:
            shares["weighted_interval"] = [amount.weighted_low, amount.weighted_high]
    return shares

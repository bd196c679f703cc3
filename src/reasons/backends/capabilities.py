"""Capabilities: the queries that a backend may support, as data.

The table of supported queries in the documentation is generated from this enumeration. A query
that a backend does not support raises the error of `unsupported`, and no other.
"""

from enum import Enum

from reasons.errors import Option, PropertyError


class Capability(Enum):
    """A query, or a group of queries that are supported together.

    `query` names it in messages. `methods` are the public methods, for the documentation. `instead`
    is the advice where it is not supported, a part of a template.
    """

    DECIDE = "deciding", "`decide`, `predict`, `replace`"
    SUFFICIENT_REASON = (
        "a sufficient reason",
        "`sufficient_reason`, `is_sufficient`, `counterexample`, `shortest_reason`",
    )
    WIDENED_REASON = "a widened reason", "`sufficient_reason(general=True)`"
    NECESSARY = (
        "the necessary property",
        "`necessary_property`, `necessary_reason`, `because`, `even_if_because`, `statements`",
    )
    COMPLETE_REASON = (
        "the complete reason",
        "`reason`, `relevant_features`, `is_relevant`, `shows_classifier_bias`",
    )
    GENERAL_REASON = "the general complete reason", "`general_reason`"
    REASON_SETS = (
        "the set of all reasons",
        "`sufficient_reasons`, `contrastive_sets`, `each_sufficient_reason`, "
        "`each_contrastive_set`",
    )
    GENERAL_REASON_SETS = (
        "the set of all general reasons",
        "`sufficient_reasons(general=True)`",
    )
    COUNTERFACTUAL = "a counterfactual", "`counterfactual`"
    COUNTERFACTUAL_LABEL = "a change to one label of several", "`counterfactual(label=...)`"
    DECISION_BIAS = "the bias of a decision", "`Decision.bias`"
    CLASSIFIER_BIAS = "the bias of the classifier", "`Classifier.bias`"
    BIAS_ESTIMATE = "an estimate of the biased share", "`bias_share`"
    BIAS_COUNT = "the exact number of biased decisions", "`bias_share(exact=True)`"
    AUDIT = "an audit", "`reasons.audit`"
    COUNTING = (
        "counting",
        "`count`, `counts`, `weighted_count`, `log_weighted_count`, `marginals`",
    )
    ENUMERATION = (
        "listing the instances of a label",
        "`instances`, `sample`, `cheapest_instances`, `entails`",
    )
    PRIME_IMPLICANTS = "the set of prime implicants", "`prime_implicants`"
    EQUIVALENCE = "comparing two classifiers", "`equivalent`"
    TRANSFORMATION = "another classifier made from this one", "`condition`, `forget`"
    CIRCUIT = (
        "a drawn or converted circuit",
        "`circuit`, `write`, `svg`, `dot`",
    )
    SAVING = "a saved classifier", "`save`, `to_bytes`"
    PICKLING = (
        "a classifier that is pickled or goes to the workers of a cluster",
        "pickling, `reasons.audit(engine=...)`",
        "stay on this machine (an audit without {engine})",
    )

    def __init__(self, query: str, methods: str, instead: str = "train a smaller model") -> None:
        self.query, self.methods, self.instead = query, methods, instead


def unsupported(capability: Capability, why: str) -> PropertyError:
    """The error about a query that a backend does not support: what, why, and what to do."""
    return PropertyError(
        "{query} needs a compiled circuit, and {why}. Compile it with a larger budget, as in "
        "{budget}, or " + capability.instead,
        query=capability.query,
        why=why,
        budget=Option("budget", text="reasons.Budget(nodes=20_000_000, seconds=600)"),
        engine=Option("engine"),
    )

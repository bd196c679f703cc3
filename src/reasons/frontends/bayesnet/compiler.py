"""Compiles a query to a Bayesian network: additive scores, enumeration, or frontier search."""

import math
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy

from reasons import _core
from reasons.backends.protocol import Backend
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import BudgetExceeded
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.frontends.agreement import SAMPLE, require_agreement
from reasons.frontends.bayesnet.additive import MOST_CELLS_OF_BLOCK, is_additive, sum_of_blocks
from reasons.frontends.bayesnet.d_separation import Block, blocks_of
from reasons.frontends.bayesnet.exact import Exact
from reasons.frontends.bayesnet.exhaustive import Cells
from reasons.frontends.bayesnet.frontier.search import by_frontier
from reasons.frontends.bayesnet.network import Network
from reasons.frontends.bayesnet.query import Query, query_of
from reasons.frontends.bayesnet.reference import predictor, typical
from reasons.frontends.models import backend_of
from reasons.text import comma_list

MOST_CELLS = 1 << 26
_FEW_CELLS = 1 << 12
_SMALL_BLOCK = 64
_SECONDS = 1.0  # about how long the comparison with the library may take
_FRONTIER_SECONDS = 20.0
_FIRST = 5  # instances by which the time of one is measured


def compile_network(
    network: Network,
    *,
    target: Any = None,
    features: Iterable[Feature | str] | None = None,
    threshold: Any = None,
    state: Any = None,
    wording: Wording | None = None,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier that predicts one target from some features of a network."""
    budget = budget or Budget()
    query = query_of(network, target=target, features=features, threshold=threshold, state=state)
    blocks = blocks_of(query)
    exact = Exact(query, blocks)
    backend, notes = _form(query, blocks, exact, budget)
    predict, library = predictor(query, exact)
    classifier = Classifier(
        backend,
        wording=wording,
        constraint=_constraint(backend, network),
        predict=predict,
        notes=[f"{network.source}: {query.describe()}", *notes],
    )
    _compare(classifier, query, library)
    return classifier


def _compare(classifier: Classifier, query: Query, library: str) -> None:
    """Compare instances with the library, fewer where it is slow."""
    samples = typical(query, SAMPLE // 2)
    rows = [list(instance.values()) for instance in samples[:_FIRST]]
    predict = classifier.model_predict or list
    predict(rows[:1])  # imports the library, which takes longer than anything else
    started = time.monotonic()
    predict(rows)
    each = (time.monotonic() - started) / _FIRST
    number = max(1, min(SAMPLE, int(_SECONDS / each)) // 2)
    require_agreement(classifier, library, number, samples[:number])


def _form(
    query: Query, blocks: list[Block], exact: Exact, budget: Budget
) -> tuple[Backend, list[str]]:
    """The backend of a query, and notes on how it was made.

    Few instances are enumerated, and small blocks are added up. Otherwise a frontier search runs,
    which is fast where few nodes separate the decided features from the others. Sums of very small
    blocks come first: their feature orders are better, and they lose time only on many ties.
    """
    sizes = [len(feature.values) for feature in query.schema]
    met = {feature for block in blocks for feature in block.features}
    instances = math.prod(sizes[feature] for feature in met)
    most = _SMALL_BLOCK if instances <= MOST_CELLS else MOST_CELLS_OF_BLOCK
    if instances > _FEW_CELLS and is_additive(query, blocks, most):
        model, native, guarded = sum_of_blocks(query, blocks, exact, budget)
        backend, notes = backend_of(model, query.schema, native, guarded, None, budget)
        if backend.compiled_circuit is not None or instances > MOST_CELLS:
            return backend, notes
    if instances <= MOST_CELLS:
        return _by_cells(query, blocks, exact, budget)
    if budget.seconds is None:  # networks that do not fit would take far longer to fail
        budget = replace(budget.renewed(), seconds=_FRONTIER_SECONDS)
    compiled = by_frontier(query, blocks, budget)
    if compiled is not None:
        return compiled
    raise BudgetExceeded(
        f"{query.describe()}: {comma_list(query.schema[f].name for f in sorted(met))} depend on "
        "each other too much to be compiled; fewer features may fit",
        instances=instances,
        limit=MOST_CELLS,
    )


def _constraint(circuit: Backend, network: Network) -> str | None:
    if not circuit.has_impossible:
        return None
    return f"instances that have a probability above 0 in {network.source}"


def _by_cells(
    query: Query, blocks: list[Block], exact: Exact, budget: Budget
) -> tuple[Circuit, list[str]]:
    """The circuit of all instances of the features that occur in a block."""
    cells = Cells(query, blocks, exact, budget)
    labels = cells.labels()
    at = numpy.ix_(*(query.to_state[place] for place in cells.places))
    domains = [len(feature.values) for feature in query.schema]
    native = _core.from_values(
        domains,
        len(query.labels),
        cells.places,
        numpy.ascontiguousarray(labels[at]).reshape(-1),
        native_budget(budget),
    )
    circuit = Circuit(native, query.schema, query.labels).sifted(budget)
    unseen = len(domains) - len(cells.places)
    notes = [f"{labels.size:,} instances looked at, {cells.settled:,} close calls settled"]
    if unseen:
        what = "feature is" if unseen == 1 else "features are"
        notes.append(f"{unseen} {what} independent of {query.classes.name}")
    return circuit, notes
